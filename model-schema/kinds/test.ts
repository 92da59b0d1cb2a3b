// A test of a model: what must be true of runs of its scenario. It changes no run; the editor and `holarchy test` run it.
import { choice, formula, number, ref, rows, text } from './field.ts'
import { say, type Kind } from './kind.ts'

const conditions = ['always', 'sometime', 'end'] as const
const figures = ['conserved', 'between', 'little'] as const

export const test: Kind = {
  id: 'test',
  label: say('Test', '测试'),
  help: say(
    'What must be true of runs of this scenario, with settings and seeds of its own. It changes no run; the Tests panel and the command line run it.',
    '本方案的运行必须满足的要求，可有自己的设置和种子。它不改变任何运行；由“测试”面板和命令行执行。',
  ),
  family: 'observation',
  shape: 'statistic',
  size: [160, 40],
  on: ['root'],
  icon: 'test',
  fields: [
    text('name', say('Name', '名称'), '', { help: say('What it tests, in a few words.', '用几个词说明测试内容。') }),
    rows(
      'checks',
      say('Checks', '检查'),
      [
        choice(
          'what',
          say('Must hold', '必须满足'),
          {
            always: say('Always', '始终'),
            sometime: say('At some time', '某一时刻'),
            end: say('At the end', '结束时'),
            conserved: say('Stays the same', '保持不变'),
            between: say('Stays between', '保持在范围内'),
            little: say("Little's law", '利特尔法则'),
            hash: say('Same final state', '最终状态相同'),
          },
          'always',
          { help: say('When, and how, the check is made.', '何时以及如何进行检查。') },
        ),
        formula('condition', say('Condition', '条件'), '', {
          help: say('What must be true.', '必须为真的条件。'),
          context: 'condition',
          when: { what: conditions },
        }),
        formula('expression', say('Expression', '表达式'), '', {
          help: say(
            "The figure looked at; for Little's law the mean number of those inside, such as `Nurses.mean_queue`.",
            '所检查的数值；对利特尔法则为系统内的平均数量，例如 `Nurses.mean_queue`。',
          ),
          result: 'number',
          when: { what: figures },
        }),
        formula('low', say('From', '下限'), '', {
          help: say(
            'Least value, worked out at each look: it may follow `time`. Blank: no lower bound.',
            '最小值，每次检查时计算，可随 `time` 变化。留空表示没有下限。',
          ),
          result: 'number',
          when: { what: ['between'] },
        }),
        formula('high', say('To', '上限'), '', {
          help: say('Greatest value, worked out at each look. Blank: no upper bound.', '最大值，每次检查时计算。留空表示没有上限。'),
          result: 'number',
          when: { what: ['between'] },
        }),
        formula('rate', say('Arrivals per tick', '每步到达数'), '', {
          help: say('How many come in per tick on average.', '平均每步进入的数量。'),
          result: 'number',
          when: { what: ['little'] },
        }),
        formula('stay', say('Mean stay', '平均逗留时间'), '', {
          help: say('How many ticks each of them stays on average.', '每个平均逗留的步数。'),
          result: 'number',
          when: { what: ['little'] },
        }),
        number('tolerance', say('Tolerance', '容差'), null, {
          help: say(
            "Greatest difference, as a share of the figure. Blank: 0.05 for Little's law, else 0.000000001.",
            '允许的最大差别，为数值的比例。留空表示利特尔法则为 0.05，其余为 0.000000001。',
          ),
          min: 0,
          when: { what: ['conserved', 'little'] },
        }),
        text('hash', say('Hash', '哈希值'), '', {
          help: say(
            'The hash of the final state of the first run, which every machine gives alike. Blank: the test says what it is.',
            '第一次运行最终状态的哈希值，在任何机器上都相同。留空时测试会给出该值。',
          ),
          when: { what: ['hash'] },
        }),
        number('share', say('In % of runs', '占运行的百分比'), 100, {
          help: say('In how many of its runs it must hold at least, in per cent.', '至少在百分之多少的运行中必须成立。'),
          min: 0,
          max: 100,
        }),
      ],
      { help: say('What must be true.', '必须成立的内容。') },
    ),
    number('runs', say('Runs', '运行次数'), 1, {
      help: say('How many runs are made, with seeds that follow each other.', '运行多少次，种子依次递增。'),
      integer: true,
      min: 1,
      max: 10_000,
    }),
    number('seed', say('First seed', '首个种子'), null, {
      help: say('Seed of the first run. Blank: that of the scenario.', '第一次运行的种子。留空表示使用方案的种子。'),
      integer: true,
      min: 0,
      max: 4294967295,
    }),
    number('ticks', say('Total ticks', '总步数'), null, {
      help: say('How long each run is. Blank: as long as the scenario says.', '每次运行的长度。留空表示与方案相同。'),
      min: 0,
      section: 'timing',
    }),
    number('since', say('Looked at since', '检查开始'), null, {
      help: say(
        'Time from which runs are looked at before their end. Blank: from the beginning.',
        '从何时开始在运行过程中检查。留空表示从头开始。',
      ),
      min: 0,
      section: 'timing',
    }),
    number('until', say('Looked at until', '检查截止'), null, {
      help: say('Time until which runs are looked at before their end. Blank: to the end.', '在运行过程中检查到何时。留空表示直到结束。'),
      min: 0,
      section: 'timing',
    }),
    rows(
      'overrides',
      say('Overrides', '参数覆盖'),
      [
        ref('variable', say('Variable', '变量'), ['variable'], {
          help: say('The variable whose initial value is replaced.', '要替换初始值的变量。'),
        }),
        formula('value', say('Value', '值'), '', { help: say('The initial value in this test.', '在本测试中的初始值。') }),
      ],
      {
        help: say('Initial values of global variables that this test replaces with its own.', '本测试用自己的值替换的全局变量初始值。'),
        section: 'advanced',
      },
    ),
  ],
}
