// Fields that several flow elements share.
import { choice, formula, ref, rows, text } from './field.ts'
import { say, type Field, type Kind, type Words } from './kind.ts'

export const before = formula('before', say('Before', '执行前'), '', {
  help: say('Program run once for each token that arrives.', '每个到达的令牌运行一次的程序。'),
  context: 'program',
  section: 'advanced',
})
export const after = formula('after', say('After', '执行后'), '', {
  help: say('Program run once for each token that leaves.', '每个离开的令牌运行一次的程序。'),
  context: 'program',
  section: 'advanced',
})
export const duration = formula('duration', say('Duration', '持续时间'), '', {
  help: say(
    'Ticks it lasts, worked out when it begins; fractions allowed. Blank: no time at all.',
    '持续的步数，开始时计算，可为小数。留空表示不耗时。',
  ),
  result: 'number',
  section: 'timing',
})
export const title = text('name', say('Name', '名称'), '', {
  help: say(
    'What people call it. Formulas reach the result of an activity by this name, as in `name.output`.',
    '人对它的称呼。公式可用活动的名称取得其结果，如 `name.output`。',
  ),
})

/** Resources held while an activity lasts: requested before it begins, released when it ends. */
export const resources = rows(
  'resources',
  say('Resources', '资源'),
  [
    ref('container', say('Container', '容器'), ['container'], { help: say('A reusable container.', '可重复使用的容器。') }),
    formula('amount', say('Amount', '数量'), '1', { help: say('How many units.', '单位数量。'), result: 'number' }),
    text('key', say('Key', '键'), '', {
      help: say('Which key of a container with amounts by key. Blank: the only amount.', '按键存放数量的容器中的键。留空表示唯一的数量。'),
    }),
  ],
  {
    help: say(
      'What is requested before it begins and given back when it ends; all of it or nothing.',
      '开始前申请、结束时归还的资源，要么全部满足要么都不满足。',
    ),
    section: 'timing',
  },
)
export const requestPriority = formula('priority', say('Priority', '优先级'), '', {
  help: say('Who waits with the lower number is served first. Blank: 0.', '数字越小越先得到服务。留空表示 0。'),
  result: 'number',
  section: 'timing',
})

export const activity = (own: readonly Field[]): readonly Field[] => [title, ...own, before, after, duration, resources, requestPriority]

/** Choosing entities in three parts: range, filter, pick. */
export const selection = (when?: Field['when']): readonly Field[] => [
  formula('range', say('Who', '对象范围'), '', {
    help: say(
      'Expression for those to choose from, for example `Sheep` or `neighbors(3)`.',
      '可选对象的表达式，例如 `Sheep` 或 `neighbors(3)`。',
    ),
    section: 'selection',
    when,
  }),
  formula('filter', say('Filter', '筛选'), '', {
    help: say('Only those for which this is true, worked out for each. Blank: all.', '只选满足此条件的对象，逐个计算。留空表示全部。'),
    context: 'condition',
    section: 'selection',
    when,
  }),
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
    { help: say('How many of them, and which.', '选取多少以及哪些对象。'), section: 'selection', when },
  ),
  formula('limit', say('n', 'n'), '1', {
    help: say('How many are picked at most.', '最多选取的数量。'),
    result: 'number',
    section: 'selection',
    when: { ...when, pick: ['random', 'first', 'last', 'nearest', 'farthest', 'min', 'max'] },
  }),
  formula('by', say('Ranked by', '排序依据'), '', {
    help: say('Worked out for each; the lowest or highest are picked.', '对每个对象计算，选取最小或最大者。'),
    result: 'number',
    section: 'selection',
    when: { ...when, pick: ['min', 'max'] },
  }),
  choice('nobody', say('If nobody fits', '没有匹配时'), { skip: say('Go on', '继续'), error: say('Error', '报错') }, 'skip', {
    help: say('Whether the token goes on or the run fails when there is none.', '没有对象时令牌继续还是运行失败。'),
    section: 'selection',
    when,
  }),
]

export const inputs = rows(
  'inputs',
  say('Inputs', '输入'),
  [
    text('name', say('Interface', '接口'), '', { help: say('Name of the interface.', '接口的名称。') }),
    formula('value', say('Value', '值'), '', { help: say('Value that goes in.', '传入的值。') }),
  ],
  { help: say("Values for the process's interfaces.", '传给流程接口的值。') },
)
export const messages = ['message'] as const
export const payload = (when: Field['when']) =>
  rows(
    'payload',
    say('Payload', '负载'),
    [
      text('name', say('Name', '名称'), '', { help: say('Name the message declares for it.', '消息中声明的名称。') }),
      formula('value', say('Value', '值'), '', { help: say('Value that is sent.', '发送的值。') }),
    ],
    { help: say('Values sent along.', '随之发送的值。'), when },
  )

export const task = (id: string, label: Words, help: Words, own: readonly Field[], icon: string, more: Partial<Kind> = {}): Kind => ({
  id,
  label,
  help,
  family: 'flow',
  shape: 'task',
  size: [120, 72],
  on: ['process'],
  fields: activity(own),
  icon,
  ...more,
})
