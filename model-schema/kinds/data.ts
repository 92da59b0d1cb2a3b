// What holds a model's state beside entities: variables, containers, messages, functions, tag sets, ports.
import { owner } from './entities.ts'
import { choice, color, flag, formula, name, number, rows, text } from './field.ts'
import { say, type Kind } from './kind.ts'

const valueType = choice('type', say('Type', '类型'), { value: say('Value', '值'), list: say('List', '列表'), dict: say('Dict', '字典'), set: say('Set', '集合') }, 'value')

export const data: readonly Kind[] = [
  {
    id: 'variable', label: say('Variable', '变量'), help: say('', ''), family: 'data', shape: 'variable', size: [120, 32], on: ['root', 'entity', 'process'],
    fields: [
      name(), owner, valueType,
      formula('initial', say('Initial value', '初始值'), '0'), formula('default', say('Default value', '默认值'), '', { section: 'advanced' }),
      flag('public', say('Public', '公开'), false),
      text('unit', say('Unit', '单位'), '', { section: 'advanced' }),
      number('min', say('Lowest', '下限'), null, { section: 'advanced' }), number('max', say('Highest', '上限'), null, { section: 'advanced' }),
    ],
  },
  {
    id: 'interface', label: say('Interface', '接口'), help: say('', ''), family: 'data', shape: 'interface', size: [120, 32], on: ['process'],
    fields: [
      name(),
      choice('direction', say('Direction', '方向'), { in: say('In', '输入'), out: say('Out', '输出'), inout: say('In and out', '输入输出') }, 'in'),
      valueType, formula('initial', say('Initial value', '初始值'), 'None'),
    ],
  },
  {
    id: 'container', label: say('Container', '容器'), help: say('', ''), family: 'data', shape: 'container', size: [120, 56], on: ['root', 'entity'],
    fields: [
      name(), owner,
      choice('contents', say('Contents', '内容'), { amount: say('One amount', '单一数量'), keyed: say('Amounts by key', '按键的数量'), items: say('Items', '物品') }, 'amount'),
      flag('reusable', say('Reusable', '可重复使用'), false),
      formula('initial', say('Initial amount', '初始数量'), '0'), formula('capacity', say('Capacity', '容量'), ''),
      flag('negative', say('May be negative', '允许为负'), false, { when: { reusable: [false] } }),
      choice('order', say('Queue order', '队列顺序'), { fifo: say('First come first served', '先到先服务'), lifo: say('Last come first served', '后到先服务'), priority: say('By priority', '按优先级') }, 'priority', { section: 'advanced' }),
      flag('strict', say('Strict order', '严格顺序'), false, { section: 'advanced' }),
      rows('schedule', say('Capacity schedule', '容量排程'), [formula('time', say('From time', '起始时间'), '0'), formula('capacity', say('Capacity', '容量'), '1')], { section: 'timing' }),
      number('period', say('Schedule repeats every', '排程周期'), null, { min: 0, section: 'timing' }),
      choice('offShift', say('At the end of a shift', '班次结束时'), { finish: say('Finish the work', '完成当前工作'), suspend: say('Suspend the work', '暂停工作') }, 'finish', { section: 'timing' }),
    ],
  },
  {
    id: 'message', label: say('Message', '消息'), help: say('', ''), family: 'data', shape: 'message', size: [120, 40], on: ['root'],
    fields: [
      name(),
      choice('kind', say('Kind', '种类'), { message: say('Message', '消息'), signal: say('Signal', '信号') }, 'message'),
      rows('payload', say('Payload', '负载'), [text('name', say('Name', '名称')), choice('type', say('Type', '类型'), { any: say('Any', '任意'), number: say('Number', '数值'), text: say('Text', '文本'), boolean: say('True or false', '真或假'), entity: say('Entity', '实体') }, 'any')]),
      number('capacity', say('Mailbox capacity', '邮箱容量'), null, { integer: true, min: 1, section: 'advanced' }),
      choice('full', say('When the mailbox is full', '邮箱已满时'), { dropNew: say('Drop the new one', '丢弃新消息'), dropOld: say('Drop the oldest', '丢弃最旧消息'), error: say('Error', '报错') }, 'dropNew', { section: 'advanced' }),
      formula('lifetime', say('Life time', '有效期'), '', { result: 'number', section: 'advanced' }),
    ],
  },
  {
    id: 'function', label: say('Function', '函数'), help: say('', ''), family: 'data', shape: 'function', size: [120, 40], on: ['root', 'entity'],
    fields: [
      name(), owner,
      rows('parameters', say('Parameters', '参数'), [text('name', say('Name', '名称')), formula('default', say('Default', '默认值'), '')]),
      formula('body', say('Body', '函数体'), 'return 0', { context: 'function' }),
    ],
  },
  {
    id: 'tagset', label: say('Tag set', '标签集'), help: say('', ''), family: 'data', shape: 'tagset', size: [120, 40], on: ['root'],
    fields: [name(), rows('tags', say('Tags', '标签'), [text('tag', say('Tag', '标签')), color('color', say('Colour', '颜色'), '#4a7dff')])],
  },
]
