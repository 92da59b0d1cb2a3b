// The file's scenarios: a root canvas and how it is run.
import { choice, flag, formula, name, number, ref, rows, text } from './field.ts'
import { say, type Kind } from './kind.ts'

export const scenario: Kind = {
  id: 'scenario',
  label: say('Scenario', '方案'),
  help: say(
    'A world with its run settings: everything on its canvas is built and run together. A file holds one or more; the others are variants.',
    '一个世界及其运行设置：画布上的所有元素一起构建和运行。一个文件可包含一个或多个方案，其余可作为变体。',
  ),
  family: 'scenario',
  shape: 'none',
  size: [0, 0],
  on: ['file'],
  opens: 'root',
  fields: [
    name({ help: say('What people call this scenario.', '方案的显示名称。') }),
    number('seed', say('Random seed', '随机种子'), 1, {
      help: say(
        'Whole number from 0 to 4,294,967,295 that all chance comes from. The same model with the same seed gives the same run on every machine.',
        '0 到 4,294,967,295 的整数，所有随机性都由它产生。相同模型和相同种子在任何机器上得到相同的运行结果。',
      ),
      integer: true,
      min: 0,
      max: 4294967295,
    }),
    flag('seedRandom', say('New seed each run', '每次运行使用新种子'), false, {
      help: say(
        'Draws a new seed for each run and shows it, so that the run can be repeated.',
        '每次运行抽取新的种子并显示出来，以便重现该次运行。',
      ),
    }),
    choice('timing', say('Timing', '计时方式'), { tick: say('By tick', '按步'), calendar: say('By calendar', '按日历') }, 'tick', {
      help: say(
        'By tick, time is a plain number. By calendar, it also has a date, and `now` can be used in formulas.',
        '按步时，时间只是一个数。按日历时还有日期，公式中可使用 `now`。',
      ),
      section: 'timing',
    }),
    number('totalTicks', say('Total ticks', '总步数'), 1000, {
      help: say(
        'Ticks after which the run ends with success. 0 ends it right after the start.',
        '运行达到此步数后成功结束。0 表示启动后立即结束。',
      ),
      min: 0,
      section: 'timing',
    }),
    text('startTime', say('Start time', '开始时间'), '2026-01-01T00:00:00', {
      help: say('Date and time of tick 0, as 2026-01-31T08:00:00.', '第 0 步对应的日期时间，格式如 2026-01-31T08:00:00。'),
      when: { timing: ['calendar'] },
      section: 'timing',
    }),
    text('endTime', say('End time', '结束时间'), '', {
      help: say(
        'Date and time at which the run ends, in the same form. Blank: only the total number of ticks counts.',
        '运行结束的日期时间，格式相同。留空则只看总步数。',
      ),
      when: { timing: ['calendar'] },
      section: 'timing',
    }),
    number('tickLength', say('Duration of one tick', '单步时长'), 1, {
      help: say('How long one tick is, in the unit beside it.', '一步的时长，单位见旁边的字段。'),
      min: 0,
      when: { timing: ['calendar'] },
      section: 'timing',
    }),
    choice(
      'tickUnit',
      say('Unit of a tick', '步的单位'),
      {
        second: say('second', '秒'),
        minute: say('minute', '分钟'),
        hour: say('hour', '小时'),
        day: say('day', '天'),
        week: say('week', '周'),
      },
      'day',
      {
        help: say('Unit in which the duration of one tick is given.', '一步时长所用的单位。'),
        when: { timing: ['calendar'] },
        section: 'timing',
      },
    ),
    flag('ticking', say('Use ticks', '按步推进'), true, {
      help: say(
        'Whether something happens at every whole tick. A pure event model can switch it off and jumps from event to event.',
        '是否在每个整数步触发。纯事件模型可以关闭，直接从一个事件跳到下一个事件。',
      ),
      section: 'timing',
    }),
    formula('stopWhen', say('Stop when', '停止条件'), '', {
      help: say(
        'Condition looked at after every instant; the run ends with success when it is true. Blank: never.',
        '每个时刻之后检查的条件，为真时运行成功结束。留空表示从不。',
      ),
      context: 'condition',
      section: 'timing',
    }),
    number('warmUp', say('Warm-up', '预热期'), 0, {
      help: say('Ticks at the beginning whose values statistics leave out.', '开始阶段的步数，统计会忽略这段时间的取值。'),
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
        formula('value', say('Value', '值'), '', { help: say('The initial value in this scenario.', '在本方案中的初始值。') }),
      ],
      {
        help: say('Initial values of global variables that this scenario replaces with its own.', '本方案用自己的值替换的全局变量初始值。'),
        section: 'advanced',
      },
    ),
  ],
}
