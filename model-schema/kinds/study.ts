// What stands on the canvas of an experiment: what is varied, what is measured, what must hold, what it is compared with.
import { choice, flag, formula, name, number, rows, text } from './field.ts'
import { say, type Field, type Kind, type Words } from './kind.ts'

const aggregation = (id: string, help: Words, when?: Readonly<Record<string, readonly string[]>>) =>
  choice(
    id,
    say('Over replications', '重复运行的汇总'),
    {
      mean: say('Mean', '均值'),
      median: say('Median', '中位数'),
      min: say('Minimum', '最小值'),
      max: say('Maximum', '最大值'),
      std: say('Standard deviation', '标准差'),
      q05: say('5% quantile', '5% 分位数'),
      q95: say('95% quantile', '95% 分位数'),
    },
    'mean',
    { help, ...(when ? { when } : {}) },
  )

/** What tables and charts call it, and how it is worked out in the model. */
const measured = (help: Words, label: Words = say('Expression', '表达式')): Field[] => [
  name({ help: say('What tables and charts call it.', '表格和图表中的名称。') }),
  formula('expression', label, '', { help, result: 'number' }),
]

export const study: readonly Kind[] = [
  {
    id: 'decision',
    label: say('Decision variable', '决策变量'),
    help: say('A public variable of the model that the experiment sets before each run.', '实验在每次运行前设定的模型公开变量。'),
    family: 'experiment',
    shape: 'variable',
    size: [120, 40],
    on: ['experiment'],
    fields: [
      text('variable', say('Variable', '变量'), '', {
        help: say(
          'The public variable: its id or its name, of an observer as Population.name.',
          '公开变量：其 id 或名称，观察者的写作 群体.名称。',
        ),
      }),
      choice(
        'domain',
        say('Values', '取值'),
        {
          continuous: say('Continuous', '连续'),
          discrete: say('Discrete', '离散'),
          enum: say('Enumeration', '枚举'),
          fixed: say('Fixed', '固定'),
          variable: say('By formula', '由公式'),
        },
        'continuous',
        { help: say('Which values the variable may take.', '变量可以取哪些值。') },
      ),
      number('min', say('Minimum', '最小值'), 0, {
        help: say('Least value.', '最小取值。'),
        when: { domain: ['continuous', 'discrete'] },
      }),
      number('max', say('Maximum', '最大值'), 1, {
        help: say('Greatest value.', '最大取值。'),
        when: { domain: ['continuous', 'discrete'] },
      }),
      number('step', say('Step', '步长'), 1, {
        help: say('Distance between neighbouring values, from the minimum on.', '从最小值开始的相邻取值间隔。'),
        min: 0,
        when: { domain: ['discrete'] },
      }),
      flag('logarithmic', say('Logarithmic', '对数尺度'), false, {
        help: say('Searched by orders of magnitude; the minimum must be above 0.', '按数量级搜索；最小值必须大于 0。'),
        when: { domain: ['continuous'] },
      }),
      text('values', say('List of values', '取值列表'), '', {
        help: say('Values separated by commas: numbers, True, False, or texts.', '用逗号分隔的取值：数字、True、False 或文本。'),
        when: { domain: ['enum'] },
      }),
      text('value', say('Value', '值'), '', {
        help: say('The value in every run: a number, True, False, or a text.', '每次运行中的值：数字、True、False 或文本。'),
        when: { domain: ['fixed'] },
      }),
      formula('formula', say('Formula', '公式'), '', {
        help: say('Worked out from the other public variables before each run.', '每次运行前由其他公开变量计算得出。'),
        when: { domain: ['variable'] },
      }),
    ],
  },
  {
    id: 'objective',
    label: say('Objective', '目标'),
    help: say('What the experiment makes as small or as large as it can.', '实验要尽量减小或增大的量。'),
    family: 'experiment',
    shape: 'statistic',
    size: [120, 40],
    on: ['experiment'],
    fields: [
      ...measured(
        say(
          'Worked out in the model at the end of a run: statistics, public variables, populations.',
          '运行结束时在模型中计算：统计、公开变量、群体。',
        ),
      ),
      choice('direction', say('Direction', '方向'), { min: say('Minimise', '最小化'), max: say('Maximise', '最大化') }, 'min', {
        help: say('Whether less or more is better.', '越小越好还是越大越好。'),
      }),
      aggregation('aggregate', say('How the values of several replications become one.', '多次重复的值如何汇总为一个。')),
    ],
  },
  {
    id: 'constraint',
    label: say('Constraint', '约束'),
    help: say(
      'What must hold. On inputs it is tested before a run, which then costs nothing; on outputs after it.',
      '必须满足的条件。对输入的约束在运行前检验，不满足则不运行；对输出的约束在运行后检验。',
    ),
    family: 'experiment',
    shape: 'statistic',
    size: [120, 40],
    on: ['experiment'],
    fields: [
      name({ help: say('What tables call it.', '表格中的名称。') }),
      choice(
        'stage',
        say('On', '作用于'),
        { inputs: say('Inputs, before a run', '输入（运行前）'), outputs: say('Outputs, after a run', '输出（运行后）') },
        'inputs',
        {
          help: say('What the expression is about.', '表达式针对的内容。'),
        },
      ),
      formula('expression', say('Expression', '表达式'), '', {
        help: say('A number. On inputs it may use public variables only.', '一个数值。对输入的约束只能使用公开变量。'),
        result: 'number',
      }),
      choice(
        'relation',
        say('Relation', '关系'),
        { le: say('at most', '不大于'), ge: say('at least', '不小于'), eq: say('equal to', '等于') },
        'le',
        {
          help: say('How the expression must stand to the bound.', '表达式与界限的关系。'),
        },
      ),
      number('bound', say('Bound', '界限'), 0, { help: say('What the expression is compared with.', '与表达式比较的数值。') }),
      number('tolerance', say('Tolerance', '容差'), 0.000_001, {
        help: say('How far from equal still counts as equal.', '相差多少仍视为相等。'),
        min: 0,
        when: { relation: ['eq'] },
      }),
      aggregation('aggregate', say('How the values of several replications become one.', '多次重复的值如何汇总为一个。'), {
        stage: ['outputs'],
      }),
    ],
  },
  {
    id: 'response',
    label: say('Response', '响应'),
    help: say('A value recorded of every run, beside objectives.', '除目标外，每次运行记录的值。'),
    family: 'experiment',
    shape: 'statistic',
    size: [120, 40],
    on: ['experiment'],
    fields: measured(say('Worked out in the model at the end of a run.', '运行结束时在模型中计算。')),
  },
  {
    id: 'dataSeries',
    label: say('Data series', '数据序列'),
    help: say('Measured values that the model is fitted to.', '用于拟合模型的实测值。'),
    family: 'experiment',
    shape: 'chart',
    size: [120, 40],
    on: ['experiment'],
    fields: [
      ...measured(
        say('What of the model is compared, worked out at each time of the data.', '与数据比较的模型量，在数据的每个时间点计算。'),
        say('Output', '输出'),
      ),
      rows(
        'data',
        say('Data', '数据'),
        [
          number('at', say('Time', '时间'), 0, {
            help: say('Model time of the measurement, in ticks.', '测量对应的模型时间（步）。'),
            min: 0,
          }),
          number('value', say('Value', '值'), 0, { help: say('What was measured.', '测得的值。') }),
          flag('heldOut', say('Held out', '留出'), false, {
            help: say('Not fitted, but used to check the fit.', '不参与拟合，仅用于检验。'),
          }),
        ],
        { help: say('Times and measured values.', '时间与实测值。') },
      ),
      number('weight', say('Weight', '权重'), 1, { help: say('How much this series counts.', '该序列的权重。'), min: 0 }),
      number('sigma', say('Standard deviation', '标准差'), 1, {
        help: say('Of the measurement error, for the likelihood.', '测量误差的标准差，用于似然。'),
        min: 0,
      }),
    ],
  },
  {
    id: 'alternative',
    label: say('Alternative', '方案'),
    help: say(
      'One of several systems that a Monte Carlo experiment compares: a model scenario with values of its own.',
      '蒙特卡洛实验比较的方案之一：一个模型方案及其自身的取值。',
    ),
    family: 'experiment',
    shape: 'block',
    size: [120, 40],
    on: ['experiment'],
    fields: [
      name({ help: say('What tables and charts call it.', '表格和图表中的名称。') }),
      text('modelScenario', say('Model scenario', '模型方案'), '', {
        help: say(
          'The scenario that is run: its id or its name. Blank: that of the experiment.',
          '要运行的方案：其 id 或名称。留空则用实验的方案。',
        ),
      }),
      rows(
        'values',
        say('Values', '取值'),
        [
          text('variable', say('Variable', '变量'), '', {
            help: say('The public variable: its id or its name.', '公开变量：其 id 或名称。'),
          }),
          text('value', say('Value', '值'), '', { help: say('A number, True, False, or a text.', '数字、True、False 或文本。') }),
        ],
        { help: say('Public variables that have another value in this alternative.', '在本方案中取其他值的公开变量。') },
      ),
    ],
  },
  {
    id: 'dataTable',
    label: say('Data table', '数据表'),
    help: say(
      'A table of results with related tables joined to it: what experiments found beside what is known from elsewhere.',
      '结果表及与之关联的其他表：将实验结果与来自别处的数据放在一起。',
    ),
    family: 'experiment',
    shape: 'chart',
    size: [120, 40],
    on: ['experiment'],
    fields: [
      name({ help: say('What people call this table.', '该表的显示名称。') }),
      text('main', say('Main table', '主表'), 'runs', {
        help: say(
          'Where rows come from: all runs, the points, an entry of the history, or a table brought from a file.',
          '行的来源：所有运行、各点、历史中的一条记录，或从文件导入的表。',
        ),
      }),
      rows(
        'joins',
        say('Related tables', '关联表'),
        [
          choice(
            'how',
            say('Join type', '连接类型'),
            { inner: say('Inner', '内连接'), left: say('Left', '左连接'), right: say('Right', '右连接'), full: say('Full', '全连接') },
            'left',
            {
              help: say(
                'Which rows without a counterpart stay: none, those of the main table, of the related one, or of both.',
                '保留哪些没有对应行的行：都不保留、主表的、关联表的，或两者的。',
              ),
            },
          ),
          text('table', say('Related table', '关联表'), '', {
            help: say('Whose rows are put beside those of the main table.', '其行与主表的行并列。'),
          }),
          text('mainField', say('Main field', '主表字段'), '', {
            help: say('The field of the main table that is compared.', '主表中用于比较的字段。'),
          }),
          text('relatedField', say('Related field', '关联字段'), '', {
            help: say('The field of the related table that must have the same value.', '关联表中必须取相同值的字段。'),
          }),
        ],
        { help: say('Joined one after the other.', '依次连接。') },
      ),
      rows('fields', say('Fields', '字段'), [text('field', say('Field', '字段'), '', { help: say('Its name.', '字段名。') })], {
        help: say('Which fields are shown, in this order. None: all of them.', '按此顺序显示的字段。留空则显示全部。'),
      }),
    ],
  },
]
