// The fields of a Transaction step.
import { choice, flag, formula, ref, text } from './field.ts'
import { say, type Field } from './kind.ts'

export const transactionFields: Field[] = [
  ref('chain', say('Blockchain environment', '区块链环境'), ['blockchain'], {
    help: say('The chain it is sent to. Blank: the only one.', '交易发送到的链。留空表示唯一的链。'),
  }),
  choice(
    'does',
    say('Kind', '种类'),
    {
      call: say('Call', '调用'),
      read: say('Read', '读取'),
      deploy: say('Deploy', '部署'),
      transfer: say('Transfer', '转账'),
      simulate: say('Simulate a call', '模拟调用'),
    },
    'call',
    {
      help: say(
        'What sort of transaction. Reading and simulating change nothing and cost nothing.',
        '交易的种类。读取和模拟不改变任何状态，也不收费。',
      ),
    },
  ),
  formula('account', say('From account', '发送账户'), '', {
    help: say("Expression for the account that sends it. Blank: the actor's.", '发送账户的表达式。留空表示主体的账户。'),
  }),
  ref('interface', say('Contract', '合约'), ['contract'], {
    help: say('The contract that is called or deployed: its interface, and its code.', '被调用或部署的合约：提供接口与代码。'),
    when: { does: ['call', 'read', 'simulate', 'deploy'] },
  }),
  formula('contract', say('Contract address', '合约地址'), '', {
    help: say('Address that is called. Blank: where the contract was deployed at the start.', '被调用的地址。留空表示开始时部署的地址。'),
    when: { does: ['call', 'read', 'simulate'] },
  }),
  formula('recipient', say('To', '接收者'), '', {
    help: say('Address, agent or contract that is given the amount.', '收款的地址、智能体或合约。'),
    when: { does: ['transfer'] },
  }),
  text('method', say('Method', '方法'), '', {
    help: say(
      'Method that is called; of several with one name the signature, such as swap(uint256,address).',
      '调用的方法；同名方法写出签名，如 swap(uint256,address)。',
    ),
    when: { does: ['call', 'read', 'simulate'] },
  }),
  formula('arguments', say('Arguments', '参数'), '[]', {
    help: say("List of the method's arguments.", '方法参数的列表。'),
    result: 'list',
    when: { does: ['call', 'read', 'simulate', 'deploy'] },
  }),
  formula('value', say('Amount', '金额'), '0', {
    help: say('Amount sent along, in the smallest unit of the currency.', '随交易发送的金额，以货币最小单位计。'),
    when: { does: ['call', 'deploy', 'transfer', 'simulate'] },
  }),
  choice(
    'otherwise',
    say('If it fails', '失败时'),
    {
      error: say('Error', '报错'),
      branch: say('Take the default branch', '走默认分支'),
      continue: say('Go on', '继续'),
    },
    'error',
    {
      help: say(
        'What happens when it is reverted or refused: error 10067, the default flow out of the step, or the normal way.',
        '被回退或拒绝时：报错 10067、走步骤的默认流出，或照常继续。',
      ),
    },
  ),
  formula('gas', say('Gas limit', 'Gas 上限'), '', {
    help: say(
      'Most gas it may use. Blank: what the block or the sender’s balance allows; where transactions wait for blocks, half more than it would use now.',
      '可用 gas 上限。留空表示区块或余额允许的上限；交易等待出块时为当前估计用量的一倍半。',
    ),
    when: { does: ['call', 'deploy', 'transfer', 'simulate'] },
    section: 'advanced',
  }),
  formula('fee', say('Highest fee', '最高费用'), '', {
    help: say(
      'Most wei for one unit of gas. Blank: the gas price of the chain; with a fee market twice the base fee and the tip.',
      '每单位 gas 的最高 wei。留空为链的 gas 价格；有费用市场时为两倍基础费用加小费。',
    ),
    when: { does: ['call', 'deploy', 'transfer', 'simulate'] },
    section: 'advanced',
  }),
  formula('tip', say('Tip', '小费'), '', {
    help: say(
      'Wei for one unit of gas on top of the base fee. Blank: the gas price of the chain; without a fee market the whole fee.',
      '基础费用之上每单位 gas 的小费。留空为链的 gas 价格；无费用市场时为全部费用。',
    ),
    when: { does: ['call', 'deploy', 'transfer', 'simulate'] },
    section: 'advanced',
  }),
  choice(
    'until',
    say('Waits until', '等待至'),
    { sent: say('Sent', '已发送'), included: say('In a block', '已入块'), final: say('Final', '已最终确定') },
    'included',
    {
      help: say(
        'When the step goes on, where transactions wait for blocks: at once, with the block that includes it, or *Final after* blocks later.',
        '交易等待出块时步骤何时继续：立即、入块时，或再经过“最终确定区块数”个区块之后。',
      ),
      when: { does: ['call', 'deploy', 'transfer'] },
      section: 'advanced',
    },
  ),
  formula('timeout', say('Leaves the pool after', '多久后离开交易池'), '', {
    help: say(
      'Ticks after which it is dropped when no block has included it; later ones of the sender move up. Blank: it waits on.',
      '未入块时经过多少步后丢弃；同一发送者后面的交易依次前移。留空则一直等待。',
    ),
    result: 'number',
    when: { does: ['call', 'deploy', 'transfer'] },
    section: 'advanced',
  }),
  flag('replaces', say('Replaces the waiting one', '替换等待中的交易'), false, {
    help: say(
      'Takes the place and nonce of the sender’s latest waiting transaction; fee and tip have to be a tenth higher. A transfer of 0 cancels it.',
      '取代发送者最近一笔等待交易的位置与 nonce；费用和小费须高出十分之一。转账 0 即为取消。',
    ),
    when: { does: ['call', 'deploy', 'transfer'] },
    section: 'advanced',
  }),
]
