// Events: where tokens begin, wait, are caught and end.
import { activities } from './activities.ts'
import { choice, flag, formula, ref, text } from './field.ts'
import { say, type Kind } from './kind.ts'
import { after, before, messages, payload, selection, title } from './steps.ts'

export const events: readonly Kind[] = [
  {
    id: 'start',
    label: say('Start', '开始'),
    help: say('Where tokens begin. A process has exactly one.', '令牌的起点。每个流程恰好一个。'),
    family: 'flow',
    shape: 'start',
    size: [40, 40],
    on: ['process'],
    icon: 'trigger',
    fields: [
      title,
      choice(
        'trigger',
        say('Trigger', '触发'),
        { none: say('Normal', '普通'), timer: say('Timer', '定时'), condition: say('Condition', '条件'), message: say('Message', '消息') },
        'none',
        {
          help: say(
            'What makes a token: the start of the run or a call, the clock, a condition, or a message.',
            '产生令牌的原因：运行开始或被调用、时钟、条件或消息。',
          ),
        },
      ),
      flag('active', say('Active', '主动'), true, {
        help: say(
          'Active: a token starts with the run, or with the birth of the individual. Otherwise the process only runs when it is called.',
          '主动：随运行开始或个体诞生产生令牌。否则只在被调用时运行。',
        ),
        when: { trigger: ['none'] },
      }),
      formula('first', say('First at', '首次时间'), '', {
        help: say(
          'Time in ticks of the first token, counted from the start of its owner. Blank: one interval after it.',
          '第一个令牌的时间，以步计，从所有者开始时算起。留空表示一个间隔之后。',
        ),
        result: 'number',
        when: { trigger: ['timer'] },
        section: 'timing',
      }),
      formula('every', say('Repeat every', '重复间隔'), '1', {
        help: say(
          'Ticks between two tokens, drawn anew each time: 1 is every tick, `exponential(5)` are random arrivals. Blank: only once.',
          '两次令牌之间的步数，每次重新计算：1 为每一步，`exponential(5)` 为随机到达。留空表示只有一次。',
        ),
        result: 'number',
        when: { trigger: ['timer'] },
        section: 'timing',
      }),
      formula('count', say('How many each time', '每次数量'), '1', {
        help: say('How many tokens come at a time.', '每次产生的令牌数。'),
        result: 'number',
        when: { trigger: ['timer'] },
        section: 'timing',
      }),
      formula('maximum', say('Stop after', '最多次数'), '', {
        help: say('After this many times no more tokens come. Blank: no limit.', '达到此次数后不再产生令牌。留空表示不限。'),
        result: 'number',
        when: { trigger: ['timer'] },
        section: 'timing',
      }),
      formula('times', say('Only at these times', '仅在这些时间'), '', {
        help: say(
          'List of times at which tokens come, instead of an interval. Blank: the interval counts.',
          '令牌产生的时间列表，代替间隔。留空则使用间隔。',
        ),
        result: 'list',
        when: { trigger: ['timer'] },
        section: 'timing',
      }),
      formula('condition', say('Condition', '条件'), '', {
        help: say('A token comes whenever this becomes true.', '每当此条件变为真时产生令牌。'),
        context: 'condition',
        when: { trigger: ['condition'] },
      }),
      ref('message', say('Message', '消息'), messages, {
        help: say(
          'A token comes for each of these messages, with its values, or whenever the signal is sent.',
          '每收到一条此类消息或发出该信号时产生带其值的令牌。',
        ),
        when: { trigger: ['message'] },
      }),
    ],
    presets: [
      { id: 'start', label: say('Start', '开始'), values: {} },
      { id: 'start-timer', label: say('Timer start', '定时开始'), values: { trigger: 'timer' } },
      { id: 'start-condition', label: say('Condition start', '条件开始'), values: { trigger: 'condition' } },
      { id: 'start-message', label: say('Message start', '消息开始'), values: { trigger: 'message' } },
    ],
  },
  {
    id: 'intermediate',
    label: say('Intermediate event', '中间事件'),
    help: say('A token waits here for something to happen, or sends something and goes on.', '令牌在此等待某事发生，或发送后继续前进。'),
    family: 'flow',
    shape: 'intermediate',
    size: [40, 40],
    on: ['process'],
    icon: 'trigger',
    fields: [
      title,
      choice(
        'trigger',
        say('Event', '事件'),
        {
          timer: say('Timer', '定时'),
          condition: say('Condition', '条件'),
          receive: say('Receive message', '接收消息'),
          send: say('Send message', '发送消息'),
          signal: say('Wait for signal', '等待信号'),
          throwSignal: say('Send signal', '发出信号'),
        },
        'timer',
        { help: say('What is waited for or sent.', '等待或发送的内容。') },
      ),
      formula('delay', say('Duration', '时长'), '1', {
        help: say(
          'Ticks the token waits, worked out when it arrives; 0 or more, fractions allowed.',
          '令牌等待的步数，到达时计算；不小于 0，可为小数。',
        ),
        result: 'number',
        when: { trigger: ['timer'] },
      }),
      formula('condition', say('Condition', '条件'), '', {
        help: say('The token goes on as soon as this is true.', '条件为真时令牌立即继续。'),
        context: 'condition',
        when: { trigger: ['condition'] },
      }),
      ref('message', say('Message', '消息'), messages, {
        help: say('The message or signal.', '消息或信号。'),
        when: { trigger: ['receive', 'send', 'signal', 'throwSignal'] },
      }),
      formula('correlation', say('Only if', '仅当'), '', {
        help: say(
          'Takes only a message for which this is true; `message["field"]` is a value of it. Blank: any.',
          '只接收满足此条件的消息；`message["field"]` 是它携带的值。留空表示任意。',
        ),
        context: 'condition',
        when: { trigger: ['receive'] },
      }),
      ...selection({ trigger: ['send'] }),
      payload({ trigger: ['send', 'throwSignal'] }),
      formula('delivery', say('Delay of delivery', '投递延迟'), '', {
        help: say('Ticks until the message arrives. Blank: at this instant.', '消息到达所需的步数。留空表示立即。'),
        result: 'number',
        when: { trigger: ['send'] },
      }),
      before,
      after,
    ],
    presets: [
      { id: 'timer', label: say('Timer', '定时'), values: { trigger: 'timer' } },
      { id: 'condition', label: say('Condition', '条件'), values: { trigger: 'condition' } },
      { id: 'receive', label: say('Receive message', '接收消息'), values: { trigger: 'receive' } },
      { id: 'send', label: say('Send message', '发送消息'), values: { trigger: 'send' } },
      { id: 'signal', label: say('Wait for signal', '等待信号'), values: { trigger: 'signal' } },
      { id: 'throw-signal', label: say('Send signal', '发出信号'), values: { trigger: 'throwSignal' } },
    ],
  },
  {
    id: 'boundary',
    label: say('Boundary event', '边界事件'),
    help: say(
      'Watches an activity while it goes on, and leads a token out of it when something happens.',
      '在活动进行期间监视它，事情发生时引出一个令牌。',
    ),
    family: 'flow',
    shape: 'boundary',
    size: [32, 32],
    on: ['process'],
    icon: 'trigger',
    fields: [
      title,
      ref('host', say('Attached to', '附着于'), activities, { help: say('The activity it watches.', '所监视的活动。') }),
      choice(
        'trigger',
        say('Event', '事件'),
        {
          timer: say('Timer', '定时'),
          condition: say('Condition', '条件'),
          message: say('Message', '消息'),
          signal: say('Signal', '信号'),
          error: say('Error', '错误'),
        },
        'timer',
        { help: say('What it watches for.', '监视的内容。') },
      ),
      flag('interrupting', say('Interrupting', '中断'), true, {
        help: say(
          'Whether the activity is given up when it happens. Otherwise another token leaves and the activity goes on.',
          '发生时是否中断活动。否则另有一个令牌离开，活动继续进行。',
        ),
        when: { trigger: ['timer', 'condition', 'message', 'signal'] },
      }),
      formula('delay', say('Duration', '时长'), '1', {
        help: say(
          'Ticks after the activity began. If it ends at that very instant, ending wins.',
          '活动开始后的步数。若恰在该时刻完成，则完成优先。',
        ),
        result: 'number',
        when: { trigger: ['timer'] },
      }),
      formula('condition', say('Condition', '条件'), '', {
        help: say('Happens when this becomes true.', '条件变为真时发生。'),
        context: 'condition',
        when: { trigger: ['condition'] },
      }),
      ref('message', say('Message', '消息'), messages, {
        help: say('The message or signal waited for.', '等待的消息或信号。'),
        when: { trigger: ['message', 'signal'] },
      }),
      text('codes', say('Error codes', '错误代码'), '', {
        help: say('Error codes it catches, separated by commas. Blank: all.', '捕获的错误代码，用逗号分隔。留空表示全部。'),
        when: { trigger: ['error'] },
      }),
    ],
  },
  {
    id: 'end',
    label: say('End', '结束'),
    help: say('Where a token ends. A process has at least one.', '令牌的终点。每个流程至少一个。'),
    family: 'flow',
    shape: 'end',
    size: [40, 40],
    on: ['process'],
    icon: 'result',
    fields: [
      title,
      choice(
        'result',
        say('Kind', '种类'),
        { none: say('Normal', '普通'), terminate: say('Stops the run', '终止运行'), error: say('Error', '错误') },
        'none',
        {
          help: say(
            'Normal ends the token, Stops the run ends everything, Error is caught by a boundary event or fails the run.',
            '普通只结束令牌，终止运行结束一切，错误由边界事件捕获，否则运行失败。',
          ),
        },
      ),
      text('tip', say('Tip', '提示'), '', {
        help: say('What is shown as the reason why the run was stopped.', '作为运行终止原因显示的文字。'),
        when: { result: ['terminate'] },
      }),
      text('code', say('Error code', '错误代码'), '', {
        help: say('Code by which a boundary event catches the error.', '边界事件据以捕获错误的代码。'),
        when: { result: ['error'] },
      }),
    ],
    presets: [
      { id: 'end', label: say('End', '结束'), values: {} },
      { id: 'end-terminate', label: say('Terminate', '终止'), values: { result: 'terminate' } },
      { id: 'end-error', label: say('Error end', '错误结束'), values: { result: 'error' } },
    ],
  },
]
