// What watches and steers a run: statistics, charts, world and network views, controllers. They only read, except
// controllers, which set public variables in phase 0.
import { onPages, ofRun } from './card.ts'
import { owner } from './owner.ts'
import { choice, color, flag, formula, name, number, ref, refs, rows, text } from './field.ts'
import { say, type Kind } from './kind.ts'

export const observation: readonly Kind[] = [
  {
    id: 'statistic',
    label: say('Statistic', '统计'),
    help: say(
      'A figure followed through a run: an expression, over the whole world or over a population, sampled as it says. Charts and experiments use it.',
      '运行过程中跟踪的指标：对整个世界或某个群体的表达式，按设定采样，供图表和实验使用。',
    ),
    family: 'observation',
    shape: 'statistic',
    size: [120, 40],
    on: ['root', 'entity'],
    fields: [
      name({ help: say('What charts, experiments and formulas call it.', '图表、实验和公式使用的名称。') }),
      owner,
      ref('over', say('Over', '统计对象'), ['agent', 'cell', 'link'], {
        help: say(
          'The population whose individuals are looked at. Blank: the expression is worked out once, for the world.',
          '所统计的群体。留空则对世界整体计算一次表达式。',
        ),
      }),
      formula('expression', say('Expression', '表达式'), '', {
        help: say('What is measured; over a population, worked out for each individual.', '测量的内容；统计群体时对每个个体计算。'),
      }),
      formula('filter', say('Filter', '筛选'), '', {
        help: say('Only individuals for which this is true count. Blank: all.', '只统计满足此条件的个体。留空表示全部。'),
        context: 'condition',
      }),
      choice(
        'aggregate',
        say('Aggregate', '聚合'),
        {
          last: say('Value', '值'),
          count: say('Count', '计数'),
          sum: say('Sum', '求和'),
          mean: say('Mean', '均值'),
          min: say('Minimum', '最小值'),
          max: say('Maximum', '最大值'),
          std: say('Standard deviation', '标准差'),
          var: say('Variance', '方差'),
          median: say('Median', '中位数'),
          quantile: say('Quantile', '分位数'),
          gini: say('Gini coefficient', '基尼系数'),
          histogram: say('Histogram', '直方图'),
          list: say('List', '列表'),
        },
        'last',
        { help: say('How the values of the individuals become one figure.', '如何把各个体的值汇总为一个指标。') },
      ),
      number('quantile', say('Quantile', '分位'), 0.5, {
        help: say(
          'Which quantile: 0.5 is the median, 0.9 is what nine in ten stay below.',
          '哪个分位数：0.5 为中位数，0.9 表示十分之九的值低于它。',
        ),
        min: 0,
        max: 1,
        when: { aggregate: ['quantile'] },
      }),
      formula('group', say('Group by', '分组依据'), '', {
        help: say(
          'Expression by whose values individuals are counted apart. Blank: all together.',
          '按其取值对个体分组的表达式。留空表示不分组。',
        ),
        section: 'advanced',
      }),
      choice(
        'kind',
        say('Over time', '时间统计'),
        { tally: say('Each sample counts alike', '等权样本'), time: say('Time-weighted', '时间加权') },
        'tally',
        {
          help: say(
            'How the samples become the figure for the whole run: each alike, or by how long each value lasted.',
            '如何由样本得到整个运行的指标：等权，或按每个值持续的时间加权。',
          ),
          section: 'timing',
        },
      ),
      choice(
        'sample',
        say('Sampled', '采样'),
        {
          tick: say('Every tick', '每一步'),
          interval: say('Every interval', '按间隔'),
          event: say('At every event', '每次事件'),
          end: say('At the end', '结束时'),
        },
        'tick',
        { help: say('When a value is taken.', '何时取值。'), section: 'timing' },
      ),
      formula('interval', say('Interval', '间隔'), '1', {
        help: say('Ticks between two samples.', '两次采样之间的步数。'),
        result: 'number',
        when: { sample: ['interval'] },
        section: 'timing',
      }),
    ],
  },
  {
    id: 'chart',
    label: say('Chart', '图表'),
    help: say(
      'A picture of values of a run, drawn live. Each series is one line, bar group or slice.',
      '运行数值的实时图形。每个系列是一条线、一组柱或一个扇区。',
    ),
    family: 'observation',
    shape: 'chart',
    size: [360, 240],
    on: ['root', 'cards'],
    fields: [
      text('name', say('Title', '标题'), '', { help: say('Heading of the chart.', '图表的标题。') }),
      choice(
        'type',
        say('Type', '类型'),
        {
          line: say('Line', '折线图'),
          area: say('Area', '面积图'),
          bar: say('Bar', '柱状图'),
          pie: say('Pie', '饼图'),
          scatter: say('Scatter', '散点图'),
          histogram: say('Histogram', '直方图'),
          heat: say('Heat map', '热力图'),
          box: say('Box', '箱线图'),
          table: say('Table', '表格'),
          value: say('Value', '数值'),
        },
        'line',
        { help: say('How the values are drawn.', '数值的绘制方式。') },
      ),
      rows(
        'series',
        say('Series', '数据系列'),
        [
          text('label', say('Label', '标签'), '', {
            help: say('Name in the legend. Blank: the formula itself.', '图例中的名称。留空则显示公式本身。'),
          }),
          formula('value', say('Value', '值'), '', {
            help: say('The value, worked out after every tick; for a histogram a list of values.', '每一步后计算的值；直方图为一组值。'),
          }),
          color('color', say('Colour', '颜色'), '', {
            help: say('Colour of the series. Blank: one is chosen.', '系列的颜色。留空则自动选择。'),
          }),
        ],
        { help: say('What is drawn.', '绘制的内容。') },
      ),
      formula('x', say('x axis', 'X 轴'), '', {
        help: say('Value along the x axis. Blank: the time.', 'X 轴的值。留空表示时间。'),
        section: 'advanced',
      }),
      text('xLabel', say('x label', 'X 轴标签'), '', {
        help: say('Label of the x axis, with the unit.', 'X 轴标签，含单位。'),
        section: 'appearance',
      }),
      text('yLabel', say('y label', 'Y 轴标签'), '', {
        help: say('Label of the y axis, with the unit.', 'Y 轴标签，含单位。'),
        section: 'appearance',
      }),
      number('window', say('Last ticks shown', '显示最近步数'), null, {
        help: say('Shows only this many of the last ticks. Blank: the whole run.', '只显示最近的若干步。留空表示整个运行。'),
        min: 1,
        section: 'advanced',
      }),
      number('bins', say('Bins', '分箱数'), 20, {
        help: say('Into how many classes of equal width the values are counted.', '按多少个等宽区间统计取值。'),
        integer: true,
        min: 1,
        max: 500,
        when: { type: ['histogram'] },
      }),
      ofRun,
    ],
    presets: [
      { id: 'chart-line', label: say('Line chart', '折线图'), values: { type: 'line' } },
      { id: 'chart-bar', label: say('Bar chart', '柱状图'), values: { type: 'bar' } },
      { id: 'chart-histogram', label: say('Histogram', '直方图'), values: { type: 'histogram' } },
      { id: 'chart-value', label: say('Value', '数值'), values: { type: 'value' } },
    ],
  },
  {
    id: 'worldView',
    label: say('World view', '世界视图'),
    help: say(
      'A picture of the space: cells behind, links, and agents by shape, colour, size and heading.',
      '空间的图形：底层为元胞，其上为连接和按形状、颜色、大小、朝向绘制的智能体。',
    ),
    family: 'observation',
    shape: 'chart',
    size: [400, 400],
    on: ['root', 'cards'],
    fields: [
      text('name', say('Title', '标题'), '', { help: say('Heading of the view.', '视图的标题。') }),
      ref('space', say('Space', '空间'), ['space'], {
        help: say('The space shown. Blank: the only one, or the first.', '显示的空间。留空表示唯一的或第一个空间。'),
      }),
      refs('layers', say('Layers', '图层'), ['agent', 'cell', 'link'], {
        help: say(
          'Populations shown, the first at the back. Blank: all of this space.',
          '显示的群体，第一个在最底层。留空表示该空间的全部群体。',
        ),
      }),
      flag('grid', say('Grid lines', '网格线'), false, { help: say('Whether lines are drawn between cells.', '是否在元胞之间画线。') }),
      flag('links', say('Show links', '显示连接'), true, {
        help: say('Whether links between shown agents are drawn.', '是否绘制所显示智能体之间的连接。'),
      }),
      refs('trails', say('Trails of', '留下轨迹的群体'), ['agent'], {
        help: say(
          'Populations whose agents leave a trail behind them as they move, as if each drew with a pen.',
          '移动时在身后留下轨迹的智能体群体，如同每个智能体都用笔画线。',
        ),
      }),
      number('trailLength', say('Length of trails', '轨迹长度'), 100, {
        help: say(
          'How many pictures long a trail is before its oldest part fades away. Large populations have shorter ones.',
          '轨迹保留多少帧画面，更早的部分逐渐消失。大群体的轨迹会更短。',
        ),
        integer: true,
        min: 1,
        max: 2000,
      }),
      ofRun,
    ],
  },
  {
    id: 'networkChart',
    label: say('Network chart', '网络图'),
    help: say(
      'A picture of networks as nodes and links, wherever the nodes stand in space.',
      '以节点和连接绘制的网络图，与节点在空间中的位置无关。',
    ),
    family: 'observation',
    shape: 'chart',
    size: [400, 320],
    on: ['root', 'cards'],
    fields: [
      text('name', say('Title', '标题'), '', { help: say('Heading of the chart.', '图表的标题。') }),
      refs('links', say('Links', '连接'), ['link'], { help: say('The networks drawn. Blank: all.', '绘制的网络。留空表示全部。') }),
      choice(
        'layout',
        say('Layout', '布局'),
        { force: say('Force', '力导向'), circle: say('Circle', '环形'), tree: say('Tree', '树形') },
        'force',
        { help: say('How nodes are arranged.', '节点的排列方式。') },
      ),
      ofRun,
    ],
  },
  {
    id: 'controller',
    label: say('Controller', '控制器'),
    help: say(
      'A control on the canvas by which people change a public variable or start a process while the model runs.',
      '画布上的控件，人们可在运行时用它改变公开变量或启动流程。',
    ),
    family: 'observation',
    shape: 'controller',
    size: [200, 56],
    on: ['root', 'cards', 'dashboard'],
    fields: [
      text('name', say('Label', '标签'), '', {
        help: say("Text beside the control. Blank: the variable's name.", '控件旁的文字。留空则使用变量名称。'),
      }),
      choice(
        'type',
        say('Type', '类型'),
        {
          slider: say('Slider', '滑块'),
          number: say('Number', '数字'),
          switch: say('Switch', '开关'),
          select: say('Select', '下拉选择'),
          text: say('Text', '文本'),
          longText: say('Long text', '多行文本'),
          button: say('Button', '按钮'),
        },
        'slider',
        { help: say('What sort of control it is.', '控件的种类。') },
      ),
      ref('target', say('Variable', '变量'), ['variable'], {
        help: say('The public variable it sets.', '它设置的公开变量。'),
        when: { type: ['slider', 'number', 'switch', 'select', 'text', 'longText'] },
      }),
      ref('process', say('Process', '流程'), ['process'], {
        help: say('The passive global process that pressing it starts.', '按下时启动的被动全局流程。'),
        when: { type: ['button'] },
      }),
      number('min', say('From', '最小'), 0, {
        help: say('Lowest value that can be chosen.', '可选的最小值。'),
        when: { type: ['slider', 'number'] },
      }),
      number('max', say('To', '最大'), 100, {
        help: say('Highest value that can be chosen.', '可选的最大值。'),
        when: { type: ['slider', 'number'] },
      }),
      number('step', say('Step', '步长'), 1, {
        help: say('Distance between two values that can be chosen.', '相邻可选值之间的间隔。'),
        when: { type: ['slider', 'number'] },
      }),
      rows(
        'options',
        say('Options', '选项'),
        [
          text('label', say('Label', '标签'), '', { help: say('Text of the choice.', '选项的文字。') }),
          formula('value', say('Value', '值'), '', { help: say('Value the variable gets.', '变量获得的值。') }),
        ],
        { help: say('The choices.', '可供选择的选项。'), when: { type: ['select'] } },
      ),
      ...onPages,
      ofRun,
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
