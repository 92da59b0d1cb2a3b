// Activities: what a token does on its way. Each may run formulas before and after, last, and hold resources meanwhile.
import { choice, flag, formula, number, ref, rows, text } from './field.ts'
import { transactionFields } from './transaction.ts'
import { say, type Kind } from './kind.ts'
import { inputs, selection, task } from './steps.ts'
import { worldSteps } from './world.ts'

const control: readonly Kind[] = [
  task(
    'compute',
    say('Compute', '计算'),
    say('Runs a program: statements that set variables, call functions and so on.', '运行程序：设置变量、调用函数等语句。'),
    [
      formula('program', say('Program', '程序'), '', {
        help: say('Statements, one a line; at least one must change something.', '语句，每行一条，至少一条要改变某些内容。'),
        context: 'program',
      }),
    ],
    'compute',
  ),
  task('delay', say('Delay', '延时'), say('The token stays here for a while.', '令牌在此停留一段时间。'), [], 'delay'),
  task(
    'ask',
    say('Ask', '请求'),
    say(
      'Chooses entities in three parts (who, filter, pick) and has each of them do something, in turn.',
      '分三步选择实体（范围、筛选、选取），并让每个实体依次执行某事。',
    ),
    [
      ...selection(),
      choice(
        'does',
        say('Then', '然后'),
        {
          nothing: say('Only choose', '仅选择'),
          program: say('Run a program as each', '以每个对象执行程序'),
          call: say('Run a process of each', '执行每个对象的流程'),
        },
        'program',
        { help: say('What each chosen entity does.', '每个被选实体做什么。'), section: 'changes' },
      ),
      formula('program', say('Program', '程序'), '', {
        help: say(
          'Statements run as each of them: their own variables come first, `self` is the one asked.',
          '以每个被选实体的身份运行的语句：先查其自身变量，`self` 为被请求者。',
        ),
        context: 'program',
        when: { does: ['program'] },
        section: 'changes',
      }),
      ref('process', say('Process', '流程'), ['process'], {
        help: say('A passive process of theirs that is run.', '要运行的它们的被动流程。'),
        when: { does: ['call'] },
        section: 'changes',
      }),
      { ...inputs, when: { does: ['call'] }, section: 'changes' },
      flag('wait', say('Wait until done', '等待完成'), true, {
        help: say('Whether the token goes on only when all of them are done.', '令牌是否等它们全部完成后才继续。'),
        when: { does: ['call'] },
        section: 'changes',
      }),
    ],
    'ask',
  ),
  task(
    'call',
    say('Call', '调用'),
    say(
      "Runs another process within reach: one of the actor's own, its observer's, or a global one.",
      '运行作用范围内的另一个流程：自身的、观察者的或全局的。',
    ),
    [
      ref('process', say('Process', '流程'), ['process'], { help: say('The process to run.', '要运行的流程。') }),
      inputs,
      flag('wait', say('Wait until done', '等待完成'), true, {
        help: say('Whether the token goes on only when the process is done.', '令牌是否等流程完成后才继续。'),
      }),
    ],
    'call',
  ),
  task(
    'subprocess',
    say('Subprocess', '子流程'),
    say('Steps of their own inside one step. The token goes on when all inside are done.', '一个步骤内部的步骤。内部全部完成后令牌继续。'),
    [
      choice(
        'repeat',
        say('Repeats', '重复'),
        { once: say('Once', '一次'), while: say('While', '当…时'), each: say('For each', '逐个') },
        'once',
        {
          help: say(
            'Whether the inside is run once, as long as a condition holds, or for each item of a list.',
            '内部运行一次、在条件成立时反复运行，或对列表的每一项运行。',
          ),
        },
      ),
      formula('while', say('While', '条件'), '', {
        help: say('Runs again as long as this is true; looked at before each time.', '为真时再次运行，每次之前检查。'),
        context: 'condition',
        when: { repeat: ['while'] },
      }),
      formula('items', say('Items', '项目'), '', {
        help: say(
          'List whose items are run through; inside, `item` and `index` name the present one.',
          '逐项运行的列表，内部用 `item` 和 `index` 表示当前项。',
        ),
        result: 'list',
        when: { repeat: ['each'] },
      }),
      flag('parallel', say('All at once', '并行执行'), false, {
        help: say('Whether all items are begun at once instead of one after the other.', '是否同时开始所有项，而不是逐个进行。'),
        when: { repeat: ['each'] },
      }),
      formula('until', say('Done when', '完成条件'), '', {
        help: say('Stops before the last item when this becomes true. Blank: all items.', '条件变为真时提前停止。留空表示处理全部项。'),
        context: 'condition',
        when: { repeat: ['each'] },
      }),
    ],
    'subprocess',
    { opens: 'process' },
  ),
]

const further: readonly Kind[] = [
  task(
    'decide',
    say('Decide', '决策'),
    say(
      'Chooses an action by a policy - at random, by a formula, by a neural network or by a person - and sets variables to it. Reinforcement learning puts a policy of its own in its place and learns from the rewards.',
      '按策略（随机、公式、神经网络或由人决定）选择动作，并据此设置变量。强化学习会用自己的策略代替它，并从奖励中学习。',
    ),
    [
      choice(
        'policy',
        say('Policy', '策略'),
        {
          random: say('At random', '随机'),
          formula: say('Formula', '公式'),
          network: say('Neural network', '神经网络'),
          person: say('A person', '人'),
        },
        'random',
        { help: say('Who or what decides.', '由谁或什么来决定。') },
      ),
      ref('controller', say('Controller', '控制器'), ['controller'], {
        help: say(
          'A control on the canvas through which a person decides: the action is the value of its variable at that moment.',
          '供人做决定的画布控件：动作取其变量当时的值。',
        ),
        when: { policy: ['person'] },
      }),
      ref('network', say('Neural network', '神经网络'), ['network'], {
        help: say(
          'The network that decides. Its inputs are the observations, each scaled to -1 .. 1. With whole numbers alone it has an output for each combination of actions, else one for each action, -1 .. 1 for lowest .. highest.',
          '做决定的神经网络。输入为各观察值，均缩放到 -1 到 1。若动作全为整数，每种动作组合对应一个输出；否则每个动作对应一个输出，-1 到 1 表示下限到上限。',
        ),
        when: { policy: ['network'] },
      }),
      choice(
        'sampling',
        say('Takes', '取法'),
        { greedy: say('The best action', '最佳动作'), drawn: say('An action drawn by chances', '按概率抽取的动作') },
        'greedy',
        { help: say('How a network of whole-number actions chooses.', '整数动作的网络如何选择。'), when: { policy: ['network'] } },
      ),
      formula('choice', say('Action', '动作'), '', {
        help: say('Formula for the action: a number, or a list with one for each action.', '动作的公式：一个数，或每个动作一个数的列表。'),
        when: { policy: ['formula'] },
      }),
      rows(
        'observation',
        say('Observation', '观察'),
        [
          text('name', say('Name', '名称'), '', { help: say('Name of the value.', '值的名称。') }),
          formula('value', say('Value', '值'), '', {
            help: say(
              'A number or a truth; a list or tuple of numbers counts as so many values.',
              '数值或真假；数值列表或元组按多个值计。',
            ),
          }),
          number('low', say('Lowest', '下限'), 0, { help: say('Lowest value it may have.', '可能的最小值。') }),
          number('high', say('Highest', '上限'), 1, { help: say('Highest value it may have.', '可能的最大值。') }),
        ],
        {
          help: say(
            'What the policy gets to see: held within its bounds and scaled to -1 .. 1.',
            '策略能看到的内容：限制在上下限内并缩放到 -1 到 1。',
          ),
        },
      ),
      rows(
        'actions',
        say('Actions', '动作'),
        [
          text('variable', say('Variable', '变量'), '', { help: say('Name of the variable.', '变量的名称。') }),
          number('low', say('Lowest', '下限'), 0, { help: say('Lowest value.', '最小值。') }),
          number('high', say('Highest', '上限'), 1, { help: say('Highest value.', '最大值。') }),
          flag('whole', say('Whole numbers', '整数'), true, { help: say('Whether only whole numbers are possible.', '是否只能取整数。') }),
          formula('allowed', say('Allowed', '允许值'), '', {
            help: say(
              'List of the values that are possible now. Blank: all from lowest to highest.',
              '当前可取值的列表。留空表示上下限之间的全部值。',
            ),
          }),
        ],
        { help: say('Variables the action sets.', '动作所设置的变量。') },
      ),
      formula('reward', say('Reward', '奖励'), '', {
        help: say(
          'Number that says how good the last action was; learning makes its sum as great as it can. Worked out at the next decision, and at the end.',
          '表示上一动作好坏的数值，学习使其总和尽可能大。在下一次决策时及结束时计算。',
        ),
        result: 'number',
      }),
      rows(
        'parts',
        say('Parts of the reward', '奖励组成'),
        [
          text('name', say('Name', '名称'), '', { help: say('Name of the part.', '组成部分的名称。') }),
          formula('value', say('Value', '值'), '', { help: say('Its value.', '其取值。'), result: 'number' }),
          number('weight', say('Weight', '权重'), 1, { help: say('What it is multiplied by.', '所乘的系数。') }),
        ],
        { help: say('Added to the reward, each times its weight.', '各自乘以权重后加到奖励上。'), section: 'advanced' },
      ),
      formula('done', say('Done', '结束条件'), '', {
        help: say('Ends the episode when true.', '为真时结束本回合。'),
        context: 'condition',
      }),
      flag('learns', say('Learns', '参与学习'), true, {
        help: say('Whether a learning experiment decides here; else its own policy does.', '学习实验是否在此决策；否则使用自身的策略。'),
        section: 'advanced',
      }),
    ],
    'decide',
  ),
  task(
    'transaction',
    say('Transaction', '交易'),
    say(
      'Sends a transaction to a chain: calls a contract, deploys one, or transfers an amount; or only reads or simulates. `step.output` tells status, value, gas, fee, block and events.',
      '向链发送交易：调用合约、部署合约或转账；也可仅读取或模拟。`step.output` 给出状态、返回值、gas、费用、区块和事件。',
    ),
    transactionFields,
    'transaction',
  ),
  task(
    'log',
    say('Log or assert', '日志或断言'),
    say('Writes a line to the output, or stops the run when something does not hold.', '向输出写一行，或在条件不成立时停止运行。'),
    [
      choice('does', say('Kind', '种类'), { log: say('Write to the output', '写入输出'), assert: say('Assert', '断言') }, 'log', {
        help: say('Whether it writes or checks.', '写入还是检查。'),
      }),
      formula('value', say('Text', '文本'), '""', { help: say('What is written.', '写入的内容。'), when: { does: ['log'] } }),
      formula('condition', say('Must hold', '必须成立'), '', {
        help: say('What must hold; otherwise the run fails.', '必须成立的条件，否则运行失败。'),
        context: 'condition',
        when: { does: ['assert'] },
      }),
      text('tip', say('Tip', '提示'), '', {
        help: say('What is shown when it does not hold.', '条件不成立时显示的文字。'),
        when: { does: ['assert'] },
      }),
    ],
    'log',
  ),
]

/** All activities in palette order. */
export const activityKinds: readonly Kind[] = [...control, ...worldSteps, ...further]

/** Ids of all activities: what a boundary event may be attached to. */
export const activities: readonly string[] = activityKinds.map(kind => kind.id)
