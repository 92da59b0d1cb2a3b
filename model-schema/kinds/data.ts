// What holds a model's state beside entities: variables, containers, messages, functions, tag sets, ports.
import { owner } from './owner.ts'
import { choice, color, flag, formula, name, number, ref, rows, text } from './field.ts'
import { say, type Kind } from './kind.ts'

const valueType = choice(
  'type',
  say('Type', '类型'),
  { value: say('Value', '值'), list: say('List', '列表'), dict: say('Dict', '字典'), set: say('Set', '集合') },
  'value',
  { help: say('What sort of value it holds; this never changes during a run.', '值的种类，运行中不会改变。') },
)

export const data: readonly Kind[] = [
  {
    id: 'variable',
    label: say('Variable', '变量'),
    help: say(
      'A named value that formulas read and write. Where it stands says whose it is: of the world, of each individual, of an observer, or of each token of a process.',
      '公式可读写的命名值。其所在位置决定归属：世界、每个个体、观察者，或流程的每个令牌。',
    ),
    family: 'data',
    shape: 'variable',
    size: [120, 32],
    on: ['root', 'entity', 'process'],
    fields: [
      name({ help: say('What formulas call it.', '公式中的名称。') }),
      owner,
      valueType,
      formula('initial', say('Initial value', '初始值'), '0', {
        help: say(
          'Formula for the value when its owner comes into being. It may use variables that are set earlier.',
          '所有者诞生时取值的公式，可使用先前已设置的变量。',
        ),
      }),
      formula('default', say('Default value', '默认值'), '', {
        help: say('Value put in place of a blank and of a missing key. Blank: `None`.', '用于代替空值和缺失键的值。留空表示 `None`。'),
        section: 'advanced',
      }),
      flag('public', say('Input', '输入'), false, {
        help: say(
          'Whether it is an input: sliders, dashboards, shared links and experiments may set it. What a control sets is one.',
          '是否为输入：滑块、仪表盘、分享链接和实验可以设置它。控件所设置的变量都是输入。',
        ),
        there: {
          entity: {
            label: say('Others may change it', '允许他者修改'),
            help: say(
              'Whether formulas of others may set it by a dot, as in `neighbor.infected = True`. Of an observer it is an input, too. Everybody may read it.',
              '其他实体的公式能否用点号设置它，例如 `neighbor.infected = True`。归观察者所有时也是输入。读取总是允许的。',
            ),
          },
        },
      }),
      text('unit', say('Unit', '单位'), '', {
        help: say('Unit shown beside the value, for example kg.', '显示在值旁边的单位，例如 kg。'),
        section: 'advanced',
      }),
      number('min', say('Lowest', '下限'), null, {
        help: say('Lowest value that controllers and experiments offer. Blank: none.', '控制器和实验提供的最小值。留空表示不限。'),
        section: 'advanced',
      }),
      number('max', say('Highest', '上限'), null, {
        help: say('Highest value that controllers and experiments offer. Blank: none.', '控制器和实验提供的最大值。留空表示不限。'),
        section: 'advanced',
      }),
    ],
  },
  {
    id: 'interface',
    label: say('Interface', '接口'),
    help: say(
      'A port of the process: a value handed in when it is called, handed back when it ends, or both.',
      '流程的端口：调用时传入的值、结束时传回的值，或两者兼有。',
    ),
    family: 'data',
    shape: 'interface',
    size: [120, 32],
    on: ['process'],
    fields: [
      name({ help: say("What the process's formulas and its callers call it.", '流程的公式和调用者使用的名称。') }),
      choice(
        'direction',
        say('Direction', '方向'),
        { in: say('In', '输入'), out: say('Out', '输出'), inout: say('In and out', '输入输出') },
        'in',
        { help: say('Whether the value comes in, goes out, or both.', '值是传入、传出，还是两者兼有。') },
      ),
      valueType,
      formula('initial', say('Initial value', '初始值'), 'None', {
        help: say('Value when the caller hands none in, and before the process sets it.', '调用者未传入时以及流程设置之前的值。'),
      }),
    ],
  },
  {
    id: 'container',
    label: say('Container', '容器'),
    help: say(
      'An amount of something, amounts by key, or a store of items. Consumable contents are taken and put; reusable units are requested and given back.',
      '某种东西的数量、按键的数量，或物品的存储。消耗型内容可取出和放入，可重复使用的单位可申请和归还。',
    ),
    family: 'data',
    shape: 'container',
    size: [120, 56],
    on: ['root', 'entity'],
    fields: [
      name({ help: say('What formulas and steps call it, for example `nurses.level`.', '公式和步骤中的名称，例如 `nurses.level`。') }),
      owner,
      choice(
        'contents',
        say('Contents', '内容'),
        { amount: say('One amount', '单一数量'), keyed: say('Amounts by key', '按键的数量'), items: say('Items', '物品') },
        'amount',
        { help: say('One amount, an amount for each key, or single items and entities.', '单一数量、每个键一个数量，或单个物品与实体。') },
      ),
      flag('reusable', say('Reusable', '可重复使用'), false, {
        help: say(
          'Whether units are held for a while and come back (staff, machines) instead of being used up.',
          '单位是被占用后归还（人员、机器），还是被消耗掉。',
        ),
      }),
      formula('initial', say('Initial amount', '初始数量'), '0', {
        help: say(
          'What is in it at the start: a number, a dict of amounts by key, or a list of items. Of a reusable one: how many units there are.',
          '开始时的内容：数字、按键的数量字典或物品列表。可重复使用时为单位总数。',
        ),
      }),
      formula('capacity', say('Capacity', '容量'), '', {
        help: say(
          'Most it can hold; what does not fit waits or fails as the step says. Blank: no limit.',
          '最大容量，放不下时按步骤的设定等待或失败。留空表示不限。',
        ),
      }),
      flag('negative', say('May be negative', '允许为负'), false, {
        help: say('Whether more may be taken than there is.', '是否允许取出超过现有数量。'),
        when: { reusable: [false] },
      }),
      choice(
        'order',
        say('Queue order', '队列顺序'),
        {
          fifo: say('First come first served', '先到先服务'),
          lifo: say('Last come first served', '后到先服务'),
          priority: say('By priority', '按优先级'),
        },
        'priority',
        {
          help: say(
            'Who is served first of those that wait. A lower priority number goes before a higher one.',
            '等待者中谁先得到服务。优先级数字越小越先。',
          ),
          section: 'advanced',
        },
      ),
      flag('strict', say('Strict order', '严格顺序'), false, {
        help: say(
          'Whether everybody waits behind the first who cannot be served. Otherwise every request that fits is served in turn.',
          '是否所有人都在第一个无法满足者之后等待。否则依次满足每个可满足的请求。',
        ),
        section: 'advanced',
      }),
      rows(
        'schedule',
        say('Capacity schedule', '容量排程'),
        [
          formula('time', say('From time', '起始时间'), '0', {
            help: say('Time in ticks from which on this capacity holds.', '该容量开始生效的时间，以步计。'),
          }),
          formula('capacity', say('Capacity', '容量'), '1', { help: say('The capacity from then on.', '从该时刻起的容量。') }),
        ],
        {
          help: say('Capacity from given times on, for example the shifts of staff.', '从给定时间起的容量，例如人员的班次。'),
          section: 'timing',
        },
      ),
      number('period', say('Schedule repeats every', '排程周期'), null, {
        help: say('Ticks after which the schedule starts again. Blank: it does not repeat.', '排程重新开始的间隔步数。留空表示不重复。'),
        min: 0,
        section: 'timing',
      }),
      choice(
        'offShift',
        say('At the end of a shift', '班次结束时'),
        { finish: say('Finish the work', '完成当前工作'), suspend: say('Suspend the work', '暂停工作') },
        'finish',
        {
          help: say(
            'What becomes of work under way when capacity falls below what is in use.',
            '当容量降到使用量以下时，正在进行的工作如何处理。',
          ),
          section: 'timing',
        },
      ),
    ],
  },
  {
    id: 'message',
    label: say('Message', '消息'),
    help: say(
      "A sort of message or signal that processes send and wait for. A message waits in the receiver's mailbox; a signal reaches only those waiting now.",
      '流程发送和等待的一类消息或信号。消息会在接收者邮箱中等待，信号只到达此刻正在等待者。',
    ),
    family: 'data',
    shape: 'message',
    size: [120, 40],
    on: ['root'],
    fields: [
      name({ help: say('What people and formulas call it.', '人和公式使用的名称。') }),
      choice('kind', say('Kind', '种类'), { message: say('Message', '消息'), signal: say('Signal', '信号') }, 'message', {
        help: say(
          'A message goes to chosen receivers and is kept for them; a signal goes to everyone who waits for it at this instant.',
          '消息发给选定的接收者并为其保留，信号发给此刻等待它的所有人。',
        ),
      }),
      rows(
        'payload',
        say('Payload', '负载'),
        [
          text('name', say('Name', '名称'), '', {
            help: say('Name of the value, for formulas of the receiver.', '值的名称，供接收者的公式使用。'),
          }),
          choice(
            'type',
            say('Type', '类型'),
            {
              any: say('Any', '任意'),
              number: say('Number', '数值'),
              text: say('Text', '文本'),
              boolean: say('True or false', '真或假'),
              entity: say('Entity', '实体'),
            },
            'any',
            { help: say('What sort of value is expected; a wrong one is a runtime error.', '期望的值种类，不符时产生运行错误。') },
          ),
        ],
        { help: say('The values it carries.', '它携带的值。') },
      ),
      ref('contract', say('Event of contract', '合约事件来源'), ['contract'], {
        help: say(
          'A contract whose events throw this signal, with the event’s arguments as payload. Blank: only Throw events do.',
          '其事件会发出此信号的合约，事件参数作为负载。留空则仅由抛出事件发出。',
        ),
        when: { kind: ['signal'] },
        section: 'advanced',
      }),
      text('event', say('Event', '事件'), '', {
        help: say('Name of the event. Blank: every event of the contract.', '事件名称。留空表示该合约的所有事件。'),
        when: { kind: ['signal'] },
        section: 'advanced',
      }),
      number('capacity', say('Mailbox capacity', '邮箱容量'), null, {
        help: say('Most messages of this sort that wait in one mailbox. Blank: no limit.', '一个邮箱中等待的此类消息上限。留空表示不限。'),
        integer: true,
        min: 1,
        section: 'advanced',
      }),
      choice(
        'full',
        say('When the mailbox is full', '邮箱已满时'),
        { dropNew: say('Drop the new one', '丢弃新消息'), dropOld: say('Drop the oldest', '丢弃最旧消息'), error: say('Error', '报错') },
        'dropNew',
        { help: say('What happens to one message too many.', '超出上限的消息如何处理。'), section: 'advanced' },
      ),
      formula('lifetime', say('Life time', '有效期'), '', {
        help: say('Ticks after which a waiting message is lost. Blank: it waits for ever.', '等待的消息在多少步后失效。留空表示一直等待。'),
        result: 'number',
        section: 'advanced',
      }),
    ],
  },
  {
    id: 'function',
    label: say('Function', '函数'),
    help: say('A calculation with parameters that every formula in reach can call.', '带参数的计算，作用范围内的公式都可调用。'),
    family: 'data',
    shape: 'function',
    size: [120, 40],
    on: ['root', 'entity'],
    fields: [
      name({ help: say('What formulas call it.', '公式中的名称。') }),
      owner,
      rows(
        'parameters',
        say('Parameters', '参数'),
        [
          text('name', say('Name', '名称'), '', { help: say('What the body calls the value.', '函数体中对该值的称呼。') }),
          formula('default', say('Default', '默认值'), '', {
            help: say('Value when the caller leaves it away. Blank: it must be given.', '调用者省略时的值。留空表示必须给出。'),
          }),
        ],
        { help: say('Values the caller hands in, in this order.', '调用者按此顺序传入的值。') },
      ),
      formula('body', say('Body', '函数体'), 'return 0', {
        help: say('Statements; `return` gives the result.', '语句，由 `return` 给出结果。'),
        context: 'function',
      }),
    ],
  },
  {
    id: 'tagset',
    label: say('Tag set', '标签集'),
    help: say(
      'A set of tags of which an individual has at most one; formulas compare with their names.',
      '一组标签，个体最多拥有其中一个，公式可与标签名比较。',
    ),
    family: 'data',
    shape: 'tagset',
    size: [120, 40],
    on: ['root'],
    fields: [
      name({ help: say('What people and formulas call the set.', '人和公式对该集合的称呼。') }),
      rows(
        'tags',
        say('Tags', '标签'),
        [
          text('tag', say('Tag', '标签'), '', { help: say('Name of the tag; not blank.', '标签名称，不能为空。') }),
          color('color', say('Colour', '颜色'), '#4a7dff', { help: say('Colour in which the tag is shown.', '显示标签所用的颜色。') }),
        ],
        { help: say('The tags, each with a colour.', '标签及其颜色。') },
      ),
    ],
  },
  {
    id: 'block',
    label: say('Library block', '库构件'),
    help: say(
      'A reusable part from a library, placed as an instance that can be updated from its source. Declared in the file; it cannot run yet.',
      '来自库的可复用部件，以实例形式放置，可从来源更新。目前可写入文件，尚不能运行。',
    ),
    family: 'data',
    shape: 'block',
    size: [140, 72],
    on: ['root'],
    planned: true,
    fields: [
      name({ help: say('What people and formulas call this instance.', '人和公式对该实例的称呼。') }),
      text('source', say('Library item', '库条目'), '', { help: say('Library item it was made from.', '生成该实例的库条目。') }),
      text('version', say('Version', '版本'), '', { help: say('Version of the library item that was placed.', '所放置的库条目版本。') }),
      rows(
        'inputs',
        say('Inputs', '输入'),
        [
          text('name', say('Port', '端口'), '', { help: say('Name of the port.', '端口的名称。') }),
          formula('value', say('Value', '值'), '', { help: say('Value that goes in.', '传入的值。') }),
        ],
        { help: say('Values for the ports of the block.', '构件端口的取值。') },
      ),
    ],
  },
  {
    id: 'reference',
    label: say('Reference', '引用'),
    help: say(
      'Stands on this canvas for a variable or container that lives further out, so that connectors can lead to it.',
      '在此画布上代表外层的变量或容器，以便连接线可以连到它。',
    ),
    family: 'data',
    shape: 'variable',
    size: [120, 32],
    on: ['process'],
    fields: [
      text('name', say('Name', '名称'), '', {
        help: say('Text shown. Blank: the name of what it stands for.', '显示的文字。留空则用所代表元素的名称。'),
      }),
      ref('target', say('Stands for', '代表'), ['variable', 'container'], {
        help: say('The variable or container it stands for.', '它所代表的变量或容器。'),
      }),
    ],
  },
]
