// The file's scenarios, and what lives in a scenario: agents, cells, links and the space they stand in.
import { choice, color, flag, formula, name, number, ref, rows, text } from './field.ts'
import { say, type Kind } from './kind.ts'

/** Who owns a component that stands inside an entity. */
export const owner = choice('owner', say('Owner', '所有者'), { individual: say('Each individual', '每个个体'), observer: say('The observer', '观察者') }, 'individual')

const order = (initial: string) =>
  choice('order', say('Activation order', '激活顺序'), { fixed: say('In order', '按顺序'), shuffled: say('Shuffled', '随机'), key: say('By key', '按键值'), simultaneous: say('Simultaneous', '同时') }, initial, { section: 'advanced' })
const orderKey = formula('orderKey', say('Order key', '排序键'), '', { result: 'number', when: { order: ['key'] }, section: 'advanced' })

export const entities: readonly Kind[] = [
  {
    id: 'scenario', label: say('Scenario', '情景'), help: say('', ''), family: 'scenario', shape: 'none', size: [0, 0], on: ['file'], opens: 'root',
    fields: [
      name(),
      number('seed', say('Random seed', '随机种子'), 1, { integer: true, min: 0, max: 4294967295 }),
      flag('seedRandom', say('New seed each run', '每次运行使用新种子'), false),
      choice('timing', say('Timing', '计时方式'), { tick: say('By tick', '按滴答'), calendar: say('By calendar', '按日历') }, 'tick', { section: 'timing' }),
      number('totalTicks', say('Total ticks', '总滴答数'), 1000, { min: 0, section: 'timing' }),
      text('startTime', say('Start time', '开始时间'), '2026-01-01T00:00:00', { when: { timing: ['calendar'] }, section: 'timing' }),
      text('endTime', say('End time', '结束时间'), '', { when: { timing: ['calendar'] }, section: 'timing' }),
      number('tickLength', say('Duration of one tick', '单个滴答时长'), 1, { min: 0, when: { timing: ['calendar'] }, section: 'timing' }),
      choice('tickUnit', say('Unit of a tick', '滴答单位'), { second: say('second', '秒'), minute: say('minute', '分钟'), hour: say('hour', '小时'), day: say('day', '天'), week: say('week', '周') }, 'day', { when: { timing: ['calendar'] }, section: 'timing' }),
      flag('ticking', say('Ticks on', '启用滴答'), true, { section: 'timing' }),
      formula('stopWhen', say('Stop when', '停止条件'), '', { context: 'condition', section: 'timing' }),
      number('warmUp', say('Warm-up', '预热期'), 0, { min: 0, section: 'timing' }),
      rows('overrides', say('Overrides', '参数覆盖'), [ref('variable', say('Variable', '变量'), ['variable']), formula('value', say('Value', '值'), '')], { section: 'advanced' }),
    ],
  },
  {
    id: 'agent', label: say('Agent', '智能体'), help: say('', ''), family: 'entity', shape: 'entity', size: [96, 72], on: ['root'], opens: 'entity',
    fields: [
      name(),
      choice('form', say('Form', '形式'), { population: say('Population', '群体'), individual: say('Single individual', '单个个体'), observer: say('Observer only', '仅观察者') }, 'population'),
      ref('inherits', say('Inherits from', '继承自'), ['agent']),
      formula('initialNumber', say('Initial number', '初始数量'), '10', { result: 'number', when: { form: ['population'] } }),
      ref('space', say('Space', '空间'), ['space']),
      choice('placement', say('Placed', '初始放置'), { none: say('Not placed', '不放置'), random: say('At random', '随机位置'), cells: say('On random cells', '随机单元格'), emptyCells: say('On random empty cells', '随机空单元格'), position: say('By formula', '按公式') }, 'none'),
      formula('position', say('Position', '位置'), '', { when: { placement: ['position'] }, result: 'list' }),
      order('shuffled'), orderKey,
      formula('maximum', say('Largest size', '最大数量'), '', { result: 'number', section: 'advanced' }),
      color('color', say('Colour', '颜色'), '#4a7dff'),
      choice('shape', say('Shape', '形状'), { circle: say('Circle', '圆形'), square: say('Square', '方形'), triangle: say('Triangle', '三角形'), arrow: say('Arrow', '箭头'), person: say('Person', '人形'), star: say('Star', '星形') }, 'circle', { section: 'appearance' }),
      number('size', say('Size', '大小'), 1, { min: 0, section: 'appearance' }),
      rows('individuals', say('Individuals', '个体初始表'), [number('row', say('Individual', '个体'), 0, { integer: true, min: 0 }), text('property', say('Property', '属性')), formula('value', say('Value', '值'), '')], { section: 'advanced' }),
    ],
  },
  {
    id: 'cell', label: say('Cell', '单元格'), help: say('', ''), family: 'entity', shape: 'cells', size: [96, 72], on: ['root'], opens: 'entity',
    fields: [
      name(), ref('space', say('Space', '空间'), ['space']),
      number('capacity', say('Agents per cell', '单元格容量'), null, { integer: true, min: 1 }),
      order('simultaneous'), orderKey,
      color('color', say('Colour', '颜色'), '#eef1f5'),
    ],
  },
  {
    id: 'link', label: say('Link', '连接'), help: say('', ''), family: 'entity', shape: 'link', size: [96, 72], on: ['root'], opens: 'entity',
    fields: [
      name(),
      ref('source', say('Source', '源'), ['agent', 'cell']), ref('target', say('Target', '目标'), ['agent', 'cell']),
      flag('directed', say('Directed', '有向'), false), flag('repeatable', say('Repeatable', '可重复'), false), flag('selfLinks', say('Self-links', '允许自连'), false),
      choice('duplicate', say('When it exists already', '重复创建时'), { existing: say('Return the existing one', '返回已有连接'), error: say('Error', '报错') }, 'existing', { section: 'advanced', when: { repeatable: [false] } }),
      choice('generator', say('Generator', '生成器'), { none: say('None', '无'), random: say('Random (Erdős–Rényi)', '随机(Erdős–Rényi)'), randomCount: say('Random, given number of links', '随机(指定连接数)'), smallWorld: say('Small world (Watts–Strogatz)', '小世界(Watts–Strogatz)'), scaleFree: say('Hubs (Barabási–Albert)', '无标度(Barabási–Albert)'), ring: say('Ring', '环'), lattice: say('Lattice', '网格'), complete: say('Complete', '完全图'), table: say('From a table', '来自表格') }, 'none'),
      formula('probability', say('Probability', '概率'), '0.1', { result: 'number', when: { generator: ['random', 'smallWorld'] } }),
      formula('number', say('Number of links', '连接数'), '100', { result: 'number', when: { generator: ['randomCount'] } }),
      formula('neighbors', say('Neighbours each side', '每侧邻居数'), '2', { result: 'number', when: { generator: ['smallWorld', 'ring'] } }),
      formula('attach', say('Links per new node', '每个新节点的连接数'), '2', { result: 'number', when: { generator: ['scaleFree'] } }),
      rows('table', say('Table', '表格'), [number('from', say('Source', '源'), 0, { integer: true, min: 0 }), number('to', say('Target', '目标'), 0, { integer: true, min: 0 })], { when: { generator: ['table'] } }),
      formula('weight', say('Weight', '权重'), '1', { result: 'number' }),
      order('shuffled'), orderKey,
      color('color', say('Colour', '颜色'), '#9aa4b2'),
      number('thickness', say('Thickness', '粗细'), 1, { min: 0, section: 'appearance' }),
      choice('lineType', say('Line', '线型'), { solid: say('Solid', '实线'), dashed: say('Dashed', '虚线'), dotted: say('Dotted', '点线') }, 'solid', { section: 'appearance' }),
    ],
  },
  {
    id: 'space', label: say('Space', '空间'), help: say('', ''), family: 'entity', shape: 'space', size: [96, 72], on: ['root'],
    fields: [
      name(),
      choice('topology', say('Topology', '拓扑'), { discrete: say('Discrete', '离散'), continuous: say('Continuous', '连续') }, 'discrete'),
      choice('dimensions', say('Dimensions', '维度'), { two: say('2D', '二维'), three: say('3D', '三维') }, 'two'),
      formula('minX', say('Minimum x', 'X 最小值'), '0', { result: 'number' }), formula('maxX', say('Maximum x', 'X 最大值'), '20', { result: 'number' }),
      formula('minY', say('Minimum y', 'Y 最小值'), '0', { result: 'number' }), formula('maxY', say('Maximum y', 'Y 最大值'), '20', { result: 'number' }),
      formula('minZ', say('Minimum z', 'Z 最小值'), '0', { result: 'number', when: { dimensions: ['three'] } }), formula('maxZ', say('Maximum z', 'Z 最大值'), '20', { result: 'number', when: { dimensions: ['three'] } }),
      flag('wrapX', say('Wraps horizontally', '水平环绕'), true), flag('wrapY', say('Wraps vertically', '垂直环绕'), true),
      choice('border', say('Moving over a border', '越过边界时'), { stop: say('Stops', '停止'), reflect: say('Reflects', '反射'), error: say('Error', '报错') }, 'stop', { section: 'advanced' }),
    ],
  },
]
