// A chart made of fields on shelves: where its numbers come from, which fields say what is drawn, and how. Fields are named as their source names them:
// formulas of a model, columns of results or of a table.
import { ofRun } from './card.ts'
import { choice, color, flag, number, rows, text } from './field.ts'
import { say, type Kind } from './kind.ts'

export const aggregates = {
  auto: say('Automatic', '自动'),
  sum: say('Sum', '求和'),
  mean: say('Mean', '均值'),
  median: say('Median', '中位数'),
  min: say('Minimum', '最小值'),
  max: say('Maximum', '最大值'),
  std: say('Standard deviation', '标准差'),
  count: say('Count', '计数'),
  distinct: say('Distinct values', '不同值个数'),
  first: say('First', '首个值'),
  last: say('Last', '最后值'),
}

/** How the fields are drawn. */
export const plotTypes = {
  auto: say('Automatic', '自动'),
  line: say('Line', '折线图'),
  area: say('Area', '面积图'),
  bar: say('Bar', '柱状图'),
  stacked: say('Stacked', '堆叠图'),
  pie: say('Pie', '饼图'),
  scatter: say('Scatter', '散点图'),
  histogram: say('Histogram', '直方图'),
  box: say('Box', '箱线图'),
  violin: say('Violin', '小提琴图'),
  heat: say('Heat map', '热力图'),
  bands: say('Bands', '区间带'),
  pareto: say('Pareto', '帕累托'),
  parallel: say('Parallel', '平行坐标'),
  table: say('Table', '表格'),
  value: say('Value', '数值'),
  gauge: say('Gauge', '仪表'),
  world: say('World view', '世界视图'),
  network: say('Network', '网络图'),
}

const axisScale = { linear: say('Linear', '线性'), log: say('Logarithmic', '对数') }

export const plot: Kind = {
  id: 'plot',
  label: say('Chart of fields', '字段图表'),
  help: say(
    'A chart made by putting fields on shelves, from the outputs of a run, the results of an experiment, or a table.',
    '把字段放到图架上生成的图表，数据来自运行输出、实验结果或表格。',
  ),
  family: 'observation',
  shape: 'chart',
  size: [360, 240],
  on: ['cards', 'dashboard', 'experiment'],
  fields: [
    text('name', say('Title', '标题'), '', { help: say('Heading of the chart. Blank: its fields.', '图表的标题。留空则为字段名称。') }),
    choice(
      'source',
      say('Data', '数据'),
      { model: say('Model run', '模型运行'), experiment: say('Experiment', '实验'), table: say('Table', '表格') },
      'model',
      { help: say('Where the fields come from.', '字段的来源。') },
    ),
    text('experimentFile', say('Experiment', '实验'), '', {
      help: say('The id of the experiment whose results are shown.', '显示其结果的实验的 id。'),
      when: { source: ['experiment'] },
    }),
    text('experimentEntry', say('Entry', '记录'), '', {
      help: say('Which entry of its history. Blank: the latest.', '历史中的哪条记录。留空为最新。'),
      when: { source: ['experiment'] },
    }),
    rows(
      'table',
      say('Table', '表格'),
      [text('line', say('Line', '行'), '', { help: say('One line of comma-separated values.', '一行逗号分隔的值。') })],
      {
        help: say('The values, a line each; the first has the names of the columns.', '各行的值，首行为列名。'),
        when: { source: ['table'] },
      },
    ),
    choice('type', say('Type', '类型'), plotTypes, 'auto', {
      help: say('How the fields are drawn. Automatic: what suits them.', '字段的绘制方式。自动则选择合适的类型。'),
    }),
    choice('over', say('Shows', '显示'), { history: say('Whole course', '全过程'), latest: say('Latest values', '最新值') }, 'history', {
      help: say('Of a run: all values so far, or those of the latest tick.', '运行的全部历史值，或最新步的值。'),
      when: { source: ['model'] },
    }),
    number('window', say('Last ticks shown', '显示最近步数'), null, {
      help: say('Shows only this many of the last ticks. Blank: the whole run.', '只显示最近的若干步。留空表示整个运行。'),
      min: 1,
      when: { source: ['model'], over: ['history'] },
    }),
    text('dimension', say('Dimension', '维度'), '', {
      help: say('The field along the x axis: what values are told apart by.', 'x 轴字段：按其区分各值。'),
    }),
    number('dimensionBins', say('Classes', '分组数'), null, {
      help: say(
        'Numbers of the dimension are put into this many classes. Blank: each by itself.',
        '将维度数值分为若干组。留空则各自独立。',
      ),
      integer: true,
      min: 1,
      max: 500,
    }),
    rows(
      'metrics',
      say('Metrics', '度量'),
      [
        text('field', say('Field', '字段'), '', { help: say('What is measured.', '所度量的字段。') }),
        choice('aggregate', say('Aggregate', '聚合'), aggregates, 'auto', {
          help: say('How several values at one place become one.', '同一位置的多个值如何汇总为一个。'),
        }),
        text('label', say('Label', '标签'), '', {
          help: say('Name in the legend. Blank: that of the field.', '图例中的名称。留空为字段名称。'),
        }),
        color('color', say('Colour', '颜色'), '', {
          help: say('Colour of the metric. Blank: one is chosen.', '度量的颜色。留空则自动选择。'),
        }),
        choice('goal', say('Better', '更优'), { min: say('Less', '更小'), max: say('More', '更大') }, 'min', {
          help: say('What is better, for the Pareto front.', '帕累托前沿中哪种更优。'),
        }),
      ],
      { help: say('What is measured, one or several fields.', '所度量的一个或多个字段。') },
    ),
    text('colorBy', say('Colour', '颜色'), '', {
      help: say('The field by which colours tell values apart; the rows of a heat map.', '按其用颜色区分各值的字段；热力图的行。'),
    }),
    text('facetBy', say('Facet', '分面'), '', {
      help: say('The field for each of whose values a small chart is drawn.', '按其每个取值各画一个小图的字段。'),
    }),
    rows(
      'filters',
      say('Filters', '筛选'),
      [
        text('field', say('Field', '字段'), '', { help: say('What is looked at.', '所判断的字段。') }),
        choice(
          'how',
          say('Condition', '条件'),
          {
            is: say('is', '等于'),
            not: say('is not', '不等于'),
            ge: say('at least', '不小于'),
            le: say('at most', '不大于'),
            has: say('contains', '包含'),
            known: say('is there', '有值'),
          },
          'is',
          { help: say('How it is compared.', '如何比较。') },
        ),
        text('value', say('Value', '值'), '', {
          help: say(
            'What it is compared with; several, with | between them, for is and is not.',
            '与之比较的值；“等于/不等于”可用 | 分隔多个值。',
          ),
        }),
      ],
      { help: say('Only rows that pass all of them are drawn.', '只绘制满足全部条件的行。') },
    ),
    choice(
      'sort',
      say('Order', '排序'),
      {
        none: say('As it comes', '原有顺序'),
        nameUp: say('By name', '按名称'),
        nameDown: say('By name, descending', '按名称降序'),
        valueUp: say('Smallest first', '从小到大'),
        valueDown: say('Greatest first', '从大到小'),
      },
      'none',
      { help: say('Order of what has names: bars, slices, rows.', '有名称的项（柱、扇区、行）的顺序。') },
    ),
    number('top', say('At most', '最多'), null, {
      help: say('Only so many bars, slices or rows, the first in their order. Blank: all.', '只显示排在前面的若干项。留空表示全部。'),
      integer: true,
      min: 1,
      max: 10_000,
    }),
    number('bins', say('Bins', '分箱数'), 20, {
      help: say('Into how many classes of equal width the values are counted.', '按多少个等宽区间统计取值。'),
      integer: true,
      min: 1,
      max: 500,
      when: { type: ['histogram', 'auto'] },
    }),
    choice(
      'band',
      say('Band', '区间'),
      {
        ci95: say('95% confidence of the mean', '均值的 95% 置信区间'),
        std: say('Standard deviation', '标准差'),
        q90: say('Middle 90%', '中间 90%'),
        range: say('Least to greatest', '最小到最大'),
      },
      'ci95',
      { help: say('What the band around the mean shows.', '均值周围的区间表示什么。'), when: { type: ['bands'] } },
    ),
    choice('view', say('Shown as', '显示为'), { chart: say('Chart', '图表'), value: say('Value', '数值') }, 'chart', {
      help: say('The chart, or its metrics as large numbers.', '显示图表，或以大号数字显示度量。'),
    }),
    text('xLabel', say('x label', 'X 轴标签'), '', {
      help: say('Label of the x axis, with the unit.', 'X 轴标签，含单位。'),
      section: 'appearance',
    }),
    text('yLabel', say('y label', 'Y 轴标签'), '', {
      help: say('Label of the y axis, with the unit.', 'Y 轴标签，含单位。'),
      section: 'appearance',
    }),
    choice('xScale', say('x scale', 'X 轴刻度'), axisScale, 'linear', {
      help: say('How numbers lie along the x axis.', 'X 轴上数值的分布方式。'),
      section: 'appearance',
    }),
    choice('yScale', say('y scale', 'Y 轴刻度'), axisScale, 'linear', {
      help: say('How numbers lie along the y axis.', 'Y 轴上数值的分布方式。'),
      section: 'appearance',
    }),
    number('yMin', say('From', '最小'), null, {
      help: say('Where the y axis or the gauge begins. Blank: what suits the values.', 'Y 轴或仪表的起点。留空则自适应。'),
      section: 'appearance',
    }),
    number('yMax', say('To', '最大'), null, {
      help: say('Where the y axis or the gauge ends. Blank: what suits the values.', 'Y 轴或仪表的终点。留空则自适应。'),
      section: 'appearance',
    }),
    choice(
      'format',
      say('Numbers', '数字格式'),
      {
        auto: say('Automatic', '自动'),
        fixed: say('Fixed decimals', '固定小数位'),
        percent: say('Percent', '百分比'),
        compact: say('Short (12K)', '紧凑（1.2万）'),
        scientific: say('Scientific', '科学计数'),
      },
      'auto',
      { help: say('How values are written.', '数值的书写方式。'), section: 'appearance' },
    ),
    number('decimals', say('Decimals', '小数位'), 1, {
      help: say('Digits behind the point.', '小数点后的位数。'),
      integer: true,
      min: 0,
      max: 12,
      when: { format: ['fixed', 'percent', 'compact', 'scientific'] },
      section: 'appearance',
    }),
    text('unit', say('Unit', '单位'), '', {
      help: say('Written behind every value.', '写在每个值之后。'),
      section: 'appearance',
    }),
    flag('legend', say('Legend', '图例'), true, {
      help: say('Whether the names of colours are shown.', '是否显示颜色的名称。'),
      section: 'appearance',
    }),
    ofRun,
  ],
}
