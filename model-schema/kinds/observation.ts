// What watches and steers a run: statistics, charts, world and network views, controllers. They only read, except
// controllers, which set public variables in phase 0.
import { owner } from './entities.ts'
import { choice, color, flag, formula, name, number, ref, refs, rows, text } from './field.ts'
import { say, type Kind } from './kind.ts'

export const observation: readonly Kind[] = [
  {
    id: 'statistic', label: say('Statistic', '统计'), help: say('', ''), family: 'observation', shape: 'statistic', size: [120, 40], on: ['root', 'entity'],
    fields: [
      name(), owner,
      ref('over', say('Over', '统计对象'), ['agent', 'cell', 'link']),
      formula('expression', say('Expression', '表达式'), ''), formula('filter', say('Filter', '筛选'), '', { context: 'condition' }),
      choice('aggregate', say('Aggregate', '聚合'), { last: say('Value', '值'), count: say('Count', '计数'), sum: say('Sum', '求和'), mean: say('Mean', '均值'), min: say('Minimum', '最小值'), max: say('Maximum', '最大值'), std: say('Standard deviation', '标准差'), var: say('Variance', '方差'), median: say('Median', '中位数'), quantile: say('Quantile', '分位数'), gini: say('Gini coefficient', '基尼系数'), histogram: say('Histogram', '直方图'), list: say('List', '列表') }, 'last'),
      number('quantile', say('Quantile', '分位'), 0.5, { min: 0, max: 1, when: { aggregate: ['quantile'] } }),
      formula('group', say('Group by', '分组依据'), '', { section: 'advanced' }),
      choice('kind', say('Over time', '时间统计'), { tally: say('Each sample counts alike', '等权样本'), time: say('Time-weighted', '时间加权') }, 'tally', { section: 'timing' }),
      choice('sample', say('Sampled', '采样'), { tick: say('Every tick', '每个滴答'), interval: say('Every interval', '按间隔'), event: say('At every event', '每次事件'), end: say('At the end', '结束时') }, 'tick', { section: 'timing' }),
      formula('interval', say('Interval', '间隔'), '1', { result: 'number', when: { sample: ['interval'] }, section: 'timing' }),
    ],
  },
  {
    id: 'chart', label: say('Chart', '图表'), help: say('', ''), family: 'observation', shape: 'chart', size: [360, 240], on: ['root'],
    fields: [
      text('name', say('Title', '标题')),
      choice('type', say('Type', '类型'), { line: say('Line', '折线图'), area: say('Area', '面积图'), bar: say('Bar', '柱状图'), pie: say('Pie', '饼图'), scatter: say('Scatter', '散点图'), histogram: say('Histogram', '直方图'), heat: say('Heat map', '热力图'), box: say('Box', '箱线图'), table: say('Table', '表格'), value: say('Value', '数值') }, 'line'),
      rows('series', say('Series', '数据系列'), [text('label', say('Label', '标签')), formula('value', say('Value', '值'), ''), color('color', say('Colour', '颜色'), '')]),
      formula('x', say('x axis', 'X 轴'), '', { section: 'advanced' }),
      text('xLabel', say('x label', 'X 轴标签'), '', { section: 'appearance' }), text('yLabel', say('y label', 'Y 轴标签'), '', { section: 'appearance' }),
      number('window', say('Last ticks shown', '显示最近滴答数'), null, { min: 1, section: 'advanced' }),
      number('bins', say('Bins', '分箱数'), 20, { integer: true, min: 1, max: 500, when: { type: ['histogram'] } }),
    ],
    presets: [
      { id: 'chart-line', label: say('Line chart', '折线图'), values: { type: 'line' } },
      { id: 'chart-bar', label: say('Bar chart', '柱状图'), values: { type: 'bar' } },
      { id: 'chart-histogram', label: say('Histogram', '直方图'), values: { type: 'histogram' } },
      { id: 'chart-value', label: say('Value', '数值'), values: { type: 'value' } },
    ],
  },
  {
    id: 'worldView', label: say('World view', '世界视图'), help: say('', ''), family: 'observation', shape: 'chart', size: [400, 400], on: ['root'],
    fields: [
      text('name', say('Title', '标题')), ref('space', say('Space', '空间'), ['space']),
      refs('layers', say('Layers', '图层'), ['agent', 'cell', 'link']),
      flag('grid', say('Grid lines', '网格线'), false), flag('links', say('Show links', '显示连接'), true),
    ],
  },
  {
    id: 'networkChart', label: say('Network chart', '网络图'), help: say('', ''), family: 'observation', shape: 'chart', size: [400, 320], on: ['root'],
    fields: [
      text('name', say('Title', '标题')), refs('links', say('Links', '连接'), ['link']),
      choice('layout', say('Layout', '布局'), { force: say('Force', '力导向'), circle: say('Circle', '环形'), tree: say('Tree', '树形') }, 'force'),
    ],
  },
  {
    id: 'controller', label: say('Controller', '控制器'), help: say('', ''), family: 'observation', shape: 'controller', size: [200, 56], on: ['root'],
    fields: [
      text('name', say('Label', '标签')),
      choice('type', say('Type', '类型'), { slider: say('Slider', '滑块'), number: say('Number', '数字'), switch: say('Switch', '开关'), select: say('Select', '下拉选择'), text: say('Text', '文本'), button: say('Button', '按钮') }, 'slider'),
      ref('target', say('Variable', '变量'), ['variable'], { when: { type: ['slider', 'number', 'switch', 'select', 'text'] } }),
      ref('process', say('Process', '流程'), ['process'], { when: { type: ['button'] } }),
      number('min', say('From', '最小'), 0, { when: { type: ['slider', 'number'] } }), number('max', say('To', '最大'), 100, { when: { type: ['slider', 'number'] } }), number('step', say('Step', '步长'), 1, { when: { type: ['slider', 'number'] } }),
      rows('options', say('Options', '选项'), [text('label', say('Label', '标签')), formula('value', say('Value', '值'), '')], { when: { type: ['select'] } }),
    ],
    presets: [
      { id: 'slider', label: say('Slider', '滑块'), values: { type: 'slider' } },
      { id: 'number', label: say('Number', '数字'), values: { type: 'number' } },
      { id: 'switch', label: say('Switch', '开关'), values: { type: 'switch' } },
      { id: 'select', label: say('Select', '下拉选择'), values: { type: 'select' } },
      { id: 'button', label: say('Button', '按钮'), values: { type: 'button' } },
    ],
  },
]
