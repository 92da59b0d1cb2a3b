// Processes and their flow elements (BPMN 2.0 shapes).
import { owner } from './entities.ts'
import { choice, flag, formula, name, ref, rows, text } from './field.ts'
import { say, type Field, type Kind } from './kind.ts'

const before = formula('before', say('Before', '执行前'), '', { context: 'program', section: 'advanced' })
const after = formula('after', say('After', '执行后'), '', { context: 'program', section: 'advanced' })
const duration = formula('duration', say('Duration', '持续时间'), '', { result: 'number', section: 'timing' })
const title = text('name', say('Name', '名称'))

/** Resources held while an activity lasts: requested before it begins, released when it ends. */
const resources = rows(
  'resources',
  say('Resources', '资源'),
  [
    ref('container', say('Container', '容器'), ['container']),
    formula('amount', say('Amount', '数量'), '1', { result: 'number' }),
    text('key', say('Key', '键')),
  ],
  { section: 'timing' },
)
const requestPriority = formula('priority', say('Priority', '优先级'), '', { result: 'number', section: 'timing' })

const activity = (own: readonly Field[]): readonly Field[] => [title, ...own, before, after, duration, resources, requestPriority]

/** Choosing entities in three parts: range, filter, pick. */
const selection = (when?: Field['when']): readonly Field[] => [
  formula('range', say('Who', '对象范围'), '', { section: 'selection', when }),
  formula('filter', say('Filter', '筛选'), '', { context: 'condition', section: 'selection', when }),
  choice(
    'pick',
    say('Pick', '选取'),
    {
      all: say('All', '全部'),
      random: say('n at random', '随机 n 个'),
      first: say('First n', '前 n 个'),
      last: say('Last n', '后 n 个'),
      nearest: say('Nearest n', '最近 n 个'),
      farthest: say('Farthest n', '最远 n 个'),
      min: say('n with the lowest', '最小的 n 个'),
      max: say('n with the highest', '最大的 n 个'),
    },
    'all',
    { section: 'selection', when },
  ),
  formula('limit', say('n', 'n'), '1', {
    result: 'number',
    section: 'selection',
    when: { ...when, pick: ['random', 'first', 'last', 'nearest', 'farthest', 'min', 'max'] },
  }),
  formula('by', say('Ranked by', '排序依据'), '', { result: 'number', section: 'selection', when: { ...when, pick: ['min', 'max'] } }),
  choice('nobody', say('If nobody fits', '没有匹配时'), { skip: say('Go on', '继续'), error: say('Error', '报错') }, 'skip', {
    section: 'selection',
    when,
  }),
]

const inputs = rows('inputs', say('Inputs', '输入'), [text('name', say('Interface', '接口')), formula('value', say('Value', '值'), '')])
const messages = ['message'] as const
const payload = (when: Field['when']) =>
  rows('payload', say('Payload', '负载'), [text('name', say('Name', '名称')), formula('value', say('Value', '值'), '')], { when })

const task = (id: string, label: Kind['label'], own: readonly Field[], icon: string, more: Partial<Kind> = {}): Kind => ({
  id,
  label,
  help: say('', ''),
  family: 'flow',
  shape: 'task',
  size: [120, 72],
  on: ['process'],
  fields: activity(own),
  icon,
  ...more,
})

/** Every step a sequence flow may leave, and those it may reach. */
const tasks = [
  'compute',
  'delay',
  'ask',
  'call',
  'subprocess',
  'create',
  'destroy',
  'move',
  'place',
  'operate',
  'decide',
  'transaction',
  'log',
] as const
export const activities: readonly string[] = tasks
const from = ['start', 'intermediate', 'boundary', 'gateway', ...tasks]
const to = ['intermediate', 'end', 'gateway', ...tasks]

export const flow: readonly Kind[] = [
  {
    id: 'process',
    label: say('Process', '流程'),
    help: say('', ''),
    family: 'flow',
    shape: 'process',
    size: [120, 72],
    on: ['root', 'entity'],
    opens: 'process',
    fields: [
      name(),
      owner,
      formula('concurrency', say('Most tokens at once', '最大并发令牌数'), '', { result: 'number', section: 'advanced' }),
      choice(
        'busy',
        say('When all are busy', '并发已满时'),
        { queue: say('Queue', '排队'), skip: say('Skip', '跳过'), restart: say('Restart', '重新开始') },
        'queue',
        { section: 'advanced' },
      ),
      formula('priority', say('Priority', '优先级'), '', { result: 'number', section: 'advanced' }),
    ],
  },
  {
    id: 'start',
    label: say('Start', '开始'),
    help: say('', ''),
    family: 'flow',
    shape: 'start',
    size: [40, 40],
    on: ['process'],
    icon: 'trigger',
    fields: [
      title,
      choice(
        'trigger',
        say('Trigger', '触发'),
        { none: say('Normal', '普通'), timer: say('Timer', '定时'), condition: say('Condition', '条件'), message: say('Message', '消息') },
        'none',
      ),
      flag('active', say('Active', '主动'), true, { when: { trigger: ['none'] } }),
      formula('first', say('First time', '首次时间'), '', { result: 'number', when: { trigger: ['timer'] }, section: 'timing' }),
      formula('every', say('Every', '间隔'), '1', { result: 'number', when: { trigger: ['timer'] }, section: 'timing' }),
      formula('count', say('Tokens at a time', '每次令牌数'), '1', { result: 'number', when: { trigger: ['timer'] }, section: 'timing' }),
      formula('maximum', say('At most', '最多次数'), '', { result: 'number', when: { trigger: ['timer'] }, section: 'timing' }),
      formula('times', say('At times', '时间列表'), '', { result: 'list', when: { trigger: ['timer'] }, section: 'timing' }),
      formula('condition', say('Condition', '条件'), '', { context: 'condition', when: { trigger: ['condition'] } }),
      ref('message', say('Message', '消息'), messages, { when: { trigger: ['message'] } }),
    ],
    presets: [
      { id: 'start', label: say('Start', '开始'), values: {} },
      { id: 'start-timer', label: say('Timer start', '定时开始'), values: { trigger: 'timer' } },
      { id: 'start-condition', label: say('Condition start', '条件开始'), values: { trigger: 'condition' } },
      { id: 'start-message', label: say('Message start', '消息开始'), values: { trigger: 'message' } },
    ],
  },
  {
    id: 'intermediate',
    label: say('Intermediate event', '中间事件'),
    help: say('', ''),
    family: 'flow',
    shape: 'intermediate',
    size: [40, 40],
    on: ['process'],
    icon: 'trigger',
    fields: [
      title,
      choice(
        'trigger',
        say('Event', '事件'),
        {
          timer: say('Timer', '定时'),
          condition: say('Condition', '条件'),
          receive: say('Receive message', '接收消息'),
          send: say('Send message', '发送消息'),
          signal: say('Wait for signal', '等待信号'),
          throwSignal: say('Send signal', '发出信号'),
        },
        'timer',
      ),
      formula('delay', say('Duration', '时长'), '1', { result: 'number', when: { trigger: ['timer'] } }),
      formula('condition', say('Condition', '条件'), '', { context: 'condition', when: { trigger: ['condition'] } }),
      ref('message', say('Message', '消息'), messages, { when: { trigger: ['receive', 'send', 'signal', 'throwSignal'] } }),
      formula('correlation', say('Only if', '仅当'), '', { context: 'condition', when: { trigger: ['receive'] } }),
      ...selection({ trigger: ['send'] }),
      payload({ trigger: ['send', 'throwSignal'] }),
      formula('delivery', say('Delay of delivery', '投递延迟'), '', { result: 'number', when: { trigger: ['send'] } }),
      before,
      after,
    ],
    presets: [
      { id: 'timer', label: say('Timer', '定时'), values: { trigger: 'timer' } },
      { id: 'condition', label: say('Condition', '条件'), values: { trigger: 'condition' } },
      { id: 'receive', label: say('Receive message', '接收消息'), values: { trigger: 'receive' } },
      { id: 'send', label: say('Send message', '发送消息'), values: { trigger: 'send' } },
      { id: 'signal', label: say('Wait for signal', '等待信号'), values: { trigger: 'signal' } },
      { id: 'throw-signal', label: say('Send signal', '发出信号'), values: { trigger: 'throwSignal' } },
    ],
  },
  {
    id: 'boundary',
    label: say('Boundary event', '边界事件'),
    help: say('', ''),
    family: 'flow',
    shape: 'boundary',
    size: [32, 32],
    on: ['process'],
    icon: 'trigger',
    fields: [
      title,
      ref('host', say('Attached to', '附着于'), tasks),
      choice(
        'trigger',
        say('Event', '事件'),
        {
          timer: say('Timer', '定时'),
          condition: say('Condition', '条件'),
          message: say('Message', '消息'),
          signal: say('Signal', '信号'),
          error: say('Error', '错误'),
        },
        'timer',
      ),
      flag('interrupting', say('Interrupting', '中断'), true, { when: { trigger: ['timer', 'condition', 'message', 'signal'] } }),
      formula('delay', say('Duration', '时长'), '1', { result: 'number', when: { trigger: ['timer'] } }),
      formula('condition', say('Condition', '条件'), '', { context: 'condition', when: { trigger: ['condition'] } }),
      ref('message', say('Message', '消息'), messages, { when: { trigger: ['message', 'signal'] } }),
      text('codes', say('Error codes', '错误代码'), '', { when: { trigger: ['error'] } }),
    ],
  },
  {
    id: 'end',
    label: say('End', '结束'),
    help: say('', ''),
    family: 'flow',
    shape: 'end',
    size: [40, 40],
    on: ['process'],
    icon: 'result',
    fields: [
      title,
      choice(
        'result',
        say('Kind', '种类'),
        { none: say('Normal', '普通'), terminate: say('Stops the run', '终止运行'), error: say('Error', '错误') },
        'none',
      ),
      text('tip', say('Tip', '提示'), '', { when: { result: ['terminate'] } }),
      text('code', say('Error code', '错误代码'), '', { when: { result: ['error'] } }),
    ],
    presets: [
      { id: 'end', label: say('End', '结束'), values: {} },
      { id: 'end-terminate', label: say('Terminate', '终止'), values: { result: 'terminate' } },
      { id: 'end-error', label: say('Error end', '错误结束'), values: { result: 'error' } },
    ],
  },
  {
    id: 'gateway',
    label: say('Gateway', '网关'),
    help: say('', ''),
    family: 'flow',
    shape: 'gateway',
    size: [48, 48],
    on: ['process'],
    icon: 'type',
    fields: [
      title,
      choice(
        'type',
        say('Type', '类型'),
        {
          exclusive: say('Exclusive', '排他'),
          inclusive: say('Inclusive', '包容'),
          parallel: say('Parallel', '并行'),
          synchronizing: say('Synchronizing join', '同步汇合'),
          event: say('Event-based', '基于事件'),
          mofn: say('m of n', 'n 选 m'),
        },
        'exclusive',
      ),
      choice(
        'by',
        say('Branches by', '分支依据'),
        { condition: say('Condition', '条件'), probability: say('Probability', '概率'), filter: say('Token filter', '令牌筛选') },
        'condition',
        { when: { type: ['exclusive'] } },
      ),
      formula('needed', say('Tokens needed', '所需令牌数'), '1', { result: 'number', when: { type: ['mofn'] } }),
      formula('release', say('Release', '放行规则'), '', { when: { by: ['filter'] }, section: 'advanced' }),
      formula('every', say('Every n ticks', '每 n 滴答'), '1', { result: 'number', when: { by: ['filter'] }, section: 'advanced' }),
      before,
      after,
    ],
    presets: [
      { id: 'exclusive', label: say('Exclusive gateway', '排他网关'), values: { type: 'exclusive' } },
      { id: 'probability', label: say('Probability gateway', '概率网关'), values: { type: 'exclusive', by: 'probability' } },
      { id: 'parallel', label: say('Parallel gateway', '并行网关'), values: { type: 'parallel' } },
      { id: 'inclusive', label: say('Inclusive gateway', '包容网关'), values: { type: 'inclusive' } },
      { id: 'synchronizing', label: say('Synchronizing join', '同步汇合'), values: { type: 'synchronizing' } },
      { id: 'event', label: say('Event-based gateway', '事件网关'), values: { type: 'event' } },
      { id: 'mofn', label: say('m-of-n join', 'm/n 汇合'), values: { type: 'mofn' } },
    ],
  },
  task('compute', say('Compute', '计算'), [formula('program', say('Program', '程序'), '', { context: 'program' })], 'compute'),
  task('delay', say('Delay', '延时'), [], 'delay'),
  task(
    'ask',
    say('Ask', '请求'),
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
        { section: 'changes' },
      ),
      formula('program', say('Program', '程序'), '', { context: 'program', when: { does: ['program'] }, section: 'changes' }),
      ref('process', say('Process', '流程'), ['process'], { when: { does: ['call'] }, section: 'changes' }),
      { ...inputs, when: { does: ['call'] }, section: 'changes' },
      flag('wait', say('Wait until done', '等待完成'), true, { when: { does: ['call'] }, section: 'changes' }),
    ],
    'ask',
  ),
  task(
    'call',
    say('Call', '调用'),
    [ref('process', say('Process', '流程'), ['process']), inputs, flag('wait', say('Wait until done', '等待完成'), true)],
    'call',
  ),
  task(
    'subprocess',
    say('Subprocess', '子流程'),
    [
      choice(
        'repeat',
        say('Repeats', '重复'),
        { once: say('Once', '一次'), while: say('While', '当…时'), each: say('For each', '逐个') },
        'once',
      ),
      formula('while', say('While', '条件'), '', { context: 'condition', when: { repeat: ['while'] } }),
      formula('items', say('Items', '项目'), '', { result: 'list', when: { repeat: ['each'] } }),
      flag('parallel', say('All at once', '并行执行'), false, { when: { repeat: ['each'] } }),
      formula('until', say('Done when', '完成条件'), '', { context: 'condition', when: { repeat: ['each'] } }),
    ],
    'subprocess',
    { opens: 'process' },
  ),
  task(
    'create',
    say('Create', '创建'),
    [
      ref('population', say('Population', '群体'), ['agent', 'link']),
      choice(
        'as',
        say('As', '方式'),
        { new: say('New individuals', '新个体'), offspring: say('Offspring of the actor', '主体的后代') },
        'new',
      ),
      formula('count', say('Number', '数量'), '1', { result: 'number' }),
      rows(
        'values',
        say('Properties', '属性'),
        [
          text('property', say('Property', '属性')),
          choice(
            'mode',
            say('Value from', '取值方式'),
            {
              expression: say('Expression', '表达式'),
              default: say('Default', '默认'),
              inherit: say('Inherit', '继承'),
              dilute: say('Dilute', '稀释'),
            },
            'expression',
          ),
          formula('value', say('Value or ratio', '值或比率'), ''),
        ],
        { section: 'changes' },
      ),
      formula('linkTo', say('Link ends', '连接端'), '', { section: 'changes' }),
      choice(
        'placement',
        say('Placed', '放置'),
        {
          actor: say('Where the actor is', '主体所在位置'),
          population: say('As its population says', '按群体设定'),
          random: say('At random', '随机'),
        },
        'actor',
        { section: 'changes' },
      ),
    ],
    'create',
  ),
  task(
    'destroy',
    say('Destroy', '销毁'),
    [
      choice('who', say('Who', '对象'), { actor: say('The actor', '主体自身'), chosen: say('Chosen entities', '所选实体') }, 'actor'),
      ...selection({ who: ['chosen'] }),
    ],
    'destroy',
  ),
  task(
    'move',
    say('Move', '移动'),
    [
      choice(
        'motion',
        say('Motion', '动作'),
        {
          forward: say('Forward', '前进'),
          backward: say('Backward', '后退'),
          turn: say('Turn by', '转动'),
          head: say('Set heading', '设定朝向'),
          face: say('Face', '面向'),
          translate: say('Translate by', '平移'),
        },
        'forward',
      ),
      formula('amount', say('Distance or angle', '距离或角度'), '1', {
        result: 'number',
        when: { motion: ['forward', 'backward', 'turn', 'head'] },
      }),
      formula('target', say('Target', '目标'), '', { when: { motion: ['face'] } }),
      formula('vector', say('Vector', '向量'), '[1, 0]', { result: 'list', when: { motion: ['translate'] } }),
    ],
    'move',
  ),
  task(
    'place',
    say('Place at', '放置于'),
    [
      choice(
        'where',
        say('Where', '位置'),
        {
          position: say('A position, cell or agent', '位置、单元格或智能体'),
          randomCell: say('A random cell', '随机单元格'),
          randomEmptyCell: say('A random empty cell', '随机空单元格'),
          randomPosition: say('A random position', '随机位置'),
        },
        'position',
      ),
      formula('target', say('Target', '目标'), '', { when: { where: ['position'] } }),
    ],
    'place',
  ),
  task(
    'operate',
    say('Container operation', '容器操作'),
    [
      choice(
        'operation',
        say('Operation', '操作'),
        {
          request: say('Request', '申请'),
          release: say('Release', '释放'),
          take: say('Take', '取出'),
          put: say('Put', '放入'),
          transfer: say('Transfer', '转移'),
          convert: say('Convert', '转换'),
          set: say('Set level', '设定数量'),
          capacity: say('Set capacity', '设定容量'),
        },
        'request',
      ),
      rows('items', say('Containers', '容器'), [
        formula('container', say('Container', '容器'), ''),
        formula('amount', say('Amount', '数量'), '1'),
        text('key', say('Key', '键')),
      ]),
      formula('target', say('To container', '目标容器'), '', { when: { operation: ['transfer'] } }),
      rows(
        'outputs',
        say('Becomes', '产出'),
        [formula('container', say('Container', '容器'), ''), formula('amount', say('Amount', '数量'), '1'), text('key', say('Key', '键'))],
        { when: { operation: ['convert'] } },
      ),
      choice(
        'otherwise',
        say('If not possible', '无法满足时'),
        {
          wait: say('Wait', '等待'),
          fail: say('Error', '报错'),
          partial: say('Take what there is', '部分满足'),
          branch: say('Take the default branch', '走默认分支'),
        },
        'wait',
      ),
      flag('alternatives', say('Any one of them', '任选其一'), false, { section: 'advanced' }),
      formula('timeout', say('Give up after', '超时'), '', { result: 'number', section: 'advanced' }),
      formula('giveUpWhen', say('Give up when', '放弃条件'), '', { context: 'condition', section: 'advanced' }),
      choice(
        'preempt',
        say('Preempts', '抢占'),
        {
          none: say('No', '否'),
          resume: say('Yes; the other resumes later', '是;被抢占者稍后恢复'),
          restart: say('Yes; the other restarts', '是;被抢占者重新开始'),
        },
        'none',
        { section: 'advanced' },
      ),
    ],
    'operate',
    {
      presets: [
        { id: 'request', label: say('Request resource', '申请资源'), values: { operation: 'request', otherwise: 'wait' } },
        { id: 'release', label: say('Release resource', '释放资源'), values: { operation: 'release' } },
        { id: 'take', label: say('Take', '取出'), values: { operation: 'take', otherwise: 'fail' } },
        { id: 'put', label: say('Put', '放入'), values: { operation: 'put', otherwise: 'fail' } },
        { id: 'transfer', label: say('Transfer', '转移'), values: { operation: 'transfer', otherwise: 'fail' } },
      ],
    },
  ),
  task('decide', say('Decide', '决策'), [ref('controller', say('Controller', '控制器'), ['controller'])], 'decide', { planned: true }),
  task(
    'transaction',
    say('Transaction', '交易'),
    [ref('chain', say('Blockchain environment', '区块链环境'), ['blockchain'])],
    'transaction',
    { planned: true },
  ),
  task(
    'log',
    say('Log or assert', '日志或断言'),
    [
      choice('does', say('Kind', '种类'), { log: say('Write to the output', '写入输出'), assert: say('Assert', '断言') }, 'log'),
      formula('value', say('Text', '文本'), '""', { when: { does: ['log'] } }),
      formula('condition', say('Must hold', '必须成立'), '', { context: 'condition', when: { does: ['assert'] } }),
      text('tip', say('Tip', '提示'), '', { when: { does: ['assert'] } }),
    ],
    'log',
  ),
  {
    id: 'flow',
    label: say('Sequence flow', '顺序流'),
    help: say('', ''),
    family: 'flow',
    shape: 'connector',
    size: [0, 0],
    on: ['process'],
    joins: { from, to },
    fields: [
      title,
      formula('condition', say('Condition', '条件'), '', { context: 'condition' }),
      formula('weight', say('Probability', '概率'), '', { result: 'number' }),
      flag('default', say('Default branch', '默认分支'), false),
    ],
  },
  {
    id: 'containerConnector',
    label: say('Container connector', '容器连接线'),
    help: say('', ''),
    family: 'flow',
    shape: 'connector',
    size: [0, 0],
    on: ['process', 'root', 'entity'],
    planned: true,
    joins: { from: [...tasks, 'process'], to: ['container'] },
    fields: [title],
  },
  {
    id: 'stateConnector',
    label: say('State connector', '状态连接线'),
    help: say('', ''),
    family: 'flow',
    shape: 'connector',
    size: [0, 0],
    on: ['process', 'root', 'entity'],
    planned: true,
    joins: { from: ['variable', 'interface', ...tasks, 'process'], to: ['variable', 'interface', ...tasks, 'process'] },
    fields: [title],
  },
]
