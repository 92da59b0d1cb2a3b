// Chains and the contracts on them.
import { choice, flag, formula, name, number, ref, rows, text } from './field.ts'
import { CONTRACT, RECORDING } from '../limits.ts'
import { say, type Kind } from './kind.ts'

const blockchain: Kind = {
  id: 'blockchain',
  label: say('Blockchain environment', '区块链环境'),
  help: say(
    'A local chain on which agents own accounts and call contracts: it executes the bytecode of Ethereum and BSC, with gas, fees and blocks. Formulas read `chain.timestamp`, `chain.balance(account)` and more.',
    '智能体在其中拥有账户并调用合约的本地链：执行 Ethereum 与 BSC 的字节码，包含 gas、费用和区块。公式可读取 `chain.timestamp`、`chain.balance(account)` 等。',
  ),
  family: 'learning',
  shape: 'chain',
  size: [140, 56],
  on: ['root'],
  fields: [
    name({ help: say('What formulas and Transaction steps call it.', '公式和交易步骤使用的名称。') }),
    choice(
      'chain',
      say('Chain', '链'),
      { ethereum: say('Ethereum', 'Ethereum'), bsc: say('BSC', 'BSC'), terra: say('Terra', 'Terra') },
      'ethereum',
      {
        help: say(
          'Whose rules hold: Ethereum (chain id 1) or BSC (chain id 56), both after the Cancun hard fork, or Terra, whose contracts are modules of CosmWasm.',
          '遵循哪条链的规则：Ethereum（链 ID 1）或 BSC（链 ID 56），均为 Cancun 硬分叉之后；或 Terra，其合约是 CosmWasm 模块。',
        ),
      },
    ),
    text('node', say('Node (RPC URL)', '节点 (RPC URL)'), '', {
      help: say(
        'Leave it blank for a local chain. For a fork of the real chain: a name such as mainnet, or an address without keys. No run contacts it: what runs read is recorded once.',
        '本地链请留空。分叉真实链时填写 mainnet 这样的名称，或不含密钥的地址。运行时不会连接节点：所读内容只录制一次。',
      ),
    }),
    number('startBlock', say('Start block', '起始区块'), 0, {
      help: say(
        'Number of the block before the first one. A fork begins with the state at its end.',
        '首个区块之前的区块号。分叉从该区块结束时的状态开始。',
      ),
      integer: true,
      min: 0,
    }),
    text('recording', say('Recording', '录制内容'), '', {
      help: say(
        'What runs read of the real chain at the start block. `holarchy chain record FILE --endpoint URL` writes it; it belongs to the model, and runs go from it without a network.',
        '运行从真实链的起始区块读取的内容。由 `holarchy chain record FILE --endpoint URL` 写入；它属于模型，运行时无需网络。',
      ),
      long: true,
      most: RECORDING.length,
      section: 'advanced',
    }),
    number('blockNumber', say('Block number', '区块号'), 0, {
      help: say('Number of the first new block. 0: the start block + 1.', '首个新区块的编号。0 表示起始区块 + 1。'),
      integer: true,
      min: 0,
    }),
    text('timestamp', say('Timestamp', '时间戳'), '', {
      help: say(
        'Date and time of the start of the run on the chain, such as 2025-01-01 12:00. Blank: the start of a run by calendar, else 2024-01-01.',
        '运行开始时链上的日期时间，如 2025-01-01 12:00。留空则用日历运行的开始时间，否则为 2024-01-01。',
      ),
    }),
    number('gasPrice', say('Gas price', 'Gas 价格'), 0, {
      help: say(
        'Wei offered for one unit of gas where a transaction says nothing else; with a fee market the tip.',
        '交易未指定时为每单位 gas 出价的 wei；有费用市场时为小费。',
      ),
      integer: true,
      min: 0,
    }),
    number('gasLimit', say('Gas limit', 'Gas 上限'), 30000000, {
      help: say('Most gas that one block may use.', '一个区块可使用的最大 gas。'),
      integer: true,
      min: 0,
    }),
    choice(
      'blocks',
      say('Blocks', '出块方式'),
      { instant: say('One for each transaction', '每笔交易一个区块'), interval: say('After a time', '按时间间隔') },
      'instant',
      {
        help: say(
          'Each transaction in a block of its own at once, or transactions wait for the next block.',
          '每笔交易立即独占一个区块，或交易等待下一个区块。',
        ),
      },
    ),
    formula('blockTime', say('Block time', '出块间隔'), '1', {
      help: say('Ticks until the next block, worked out behind each block.', '到下一个区块的步数，每个区块之后计算。'),
      result: 'number',
      when: { blocks: ['interval'] },
    }),
    choice(
      'ordering',
      say('Order in a block', '区块内排序'),
      { fee: say('By fee', '按费用'), arrival: say('By arrival', '按到达先后'), random: say('Random', '随机') },
      'fee',
      {
        help: say(
          'Which waiting transaction comes first; those of one sender keep their order.',
          '等待的交易中谁先执行；同一发送者的交易保持先后次序。',
        ),
        when: { blocks: ['interval'] },
      },
    ),
    choice(
      'feeMarket',
      say('Fee market', '费用市场'),
      { none: say('None', '无'), eip1559: say('Base fee (EIP-1559)', '基础费用 (EIP-1559)') },
      'none',
      {
        help: say(
          'Whether a base fee is burnt that rises and falls by up to 1/8 a block with the gas used.',
          '是否销毁基础费用；它随 gas 用量每个区块涨跌至多 1/8。',
        ),
        when: { blocks: ['interval'] },
      },
    ),
    number('baseFee', say('Base fee', '基础费用'), 1000000000, {
      help: say('Base fee of the first block, in wei.', '首个区块的基础费用，以 wei 计。'),
      integer: true,
      min: 0,
      when: { blocks: ['interval'], feeMarket: ['eip1559'] },
    }),
    number('finality', say('Final after', '最终确定区块数'), 12, {
      help: say('Blocks on top of a block until what is in it is final.', '某区块之后再出多少个区块，其内容才算最终确定。'),
      integer: true,
      min: 0,
      when: { blocks: ['interval'] },
    }),
    number('tickSeconds', say('Seconds in a tick', '每步秒数'), null, {
      help: say(
        'Seconds of the chain’s clock in a tick. Blank: the length of a tick by calendar, else 1.',
        '每步对应的链上秒数。留空则用日历的步长，否则为 1。',
      ),
      min: 0,
      section: 'timing',
    }),
    rows(
      'accounts',
      say('Named accounts', '具名账户'),
      [
        text('name', say('Name', '名称'), '', {
          help: say(
            'What chain.account("…") calls it. Its address follows from the name.',
            'chain.account("…") 使用的名称，地址由名称导出。',
          ),
        }),
        formula('balance', say('Balance', '余额'), '0', { help: say('Wei that it begins with.', '初始余额，以 wei 计。') }),
      ],
      { help: say('Accounts that belong to no agent, such as a treasury.', '不属于任何智能体的账户，例如金库。') },
    ),
  ],
}

const contract: Kind = {
  id: 'contract',
  label: say('Contract', '合约'),
  help: say(
    'A smart contract: compiled bytecode with its interface (ABI). Formulas read its views, as in `token.balanceOf(self.account)`, free of gas and exact; Transaction steps call its methods. `token.address` is its address.',
    '智能合约：编译后的字节码及其接口（ABI）。公式可读取其视图，如 `token.balanceOf(self.account)`，不耗 gas 且精确；交易步骤调用其方法。`token.address` 为其地址。',
  ),
  family: 'learning',
  shape: 'chain',
  size: [140, 48],
  on: ['root'],
  fields: [
    name({ help: say('What formulas call it.', '公式中的名称。') }),
    ref('chain', say('Blockchain environment', '区块链环境'), ['blockchain'], { help: say('The chain it is on.', '所在的链。') }),
    text('artifact', say('Artifact', '编译产物'), '', {
      help: say(
        'JSON that Foundry, Hardhat or solc wrote for the contract: it holds the interface and the code. At most 350 kB.',
        'Foundry、Hardhat 或 solc 为合约生成的 JSON，包含接口与代码。至多 350 kB。',
      ),
      long: true,
      most: CONTRACT.interfaceLength,
    }),
    text('abi', say('ABI', 'ABI'), '', {
      help: say('Its interface as JSON, where there is no artifact.', '没有编译产物时，以 JSON 表示的接口。'),
      long: true,
      most: CONTRACT.interfaceLength,
    }),
    text('code', say('Creation code', '创建代码'), '', {
      help: say(
        'Bytecode that creates it, as hexadecimal digits, where there is no artifact. On Terra: the .wasm file as base64, plain or compressed by gzip.',
        '没有编译产物时，创建合约的十六进制字节码。在 Terra 上：.wasm 文件的 base64，原样或 gzip 压缩。',
      ),
      long: true,
      most: CONTRACT.codeLength,
    }),
    text('address', say('Address', '地址'), '', {
      help: say(
        'Where it is on a fork: 0x and 40 digits. Blank: the model creates it.',
        '合约在分叉上的地址：0x 加 40 位数字。留空则由模型创建。',
      ),
      section: 'advanced',
    }),
    flag('deployed', say('Deployed at the start', '开始时部署'), true, {
      help: say('Off: Transaction steps deploy it, or call it at an address.', '关闭时由交易步骤部署，或按地址调用。'),
    }),
    formula('arguments', say('Constructor arguments', '构造参数'), '[]', {
      help: say('List of what its constructor takes.', '构造函数参数的列表。'),
      result: 'list',
      when: { deployed: [true] },
    }),
    formula('value', say('Amount', '金额'), '0', {
      help: say('Wei that it is created with.', '创建时附带的 wei。'),
      when: { deployed: [true] },
      section: 'advanced',
    }),
    text('deployer', say('Deployer', '部署者'), 'deployer', {
      help: say('Name of the account that creates it. It pays no gas at the start.', '创建合约的账户名称，开始时不付 gas。'),
      when: { deployed: [true] },
      section: 'advanced',
    }),
  ],
}

export const chain: readonly Kind[] = [blockchain, contract]
