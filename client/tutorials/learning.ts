// The tutorials of the four samples that learn: each is done in its own sample.
import { say, type Words } from '../../model-schema/kinds/kind.ts'
import type { Element } from '../../model-schema/model.ts'
import type { Lesson, Seen } from './lessons.ts'

const some = ({ model }: Seen, wanted: (element: Element) => boolean): boolean => [...model.elements.values()].some(wanted)

/** Whether this sample is open: it has a Decide step that sets this variable. */
const decides =
  (variable: string) =>
  (seen: Seen): boolean =>
    some(seen, ({ kind, fields }) => kind === 'decide' && JSON.stringify(fields['actions'] ?? []).includes(JSON.stringify(variable)))

/** Whether a Decide step acts by a network that was trained. */
const trained = (seen: Seen): boolean =>
  some(seen, ({ kind, fields }) => kind === 'decide' && fields['policy'] === 'network') &&
  some(seen, ({ kind, fields }) => kind === 'network' && fields['weights'] === 'experiment')

type Learned = {
  readonly id: string
  readonly title: Words
  /** The variable that its Decide step sets. */
  readonly variable: string
  readonly open: Words
  readonly look: Words
  /** Ticks after which it was seen enough. */
  readonly ticks: number
  readonly watch: Words
  readonly train: Words
  readonly end: Words
}

const lesson = ({ id, title, variable, open, look, ticks, watch, train, end }: Learned): Lesson => ({
  id,
  title,
  steps: [
    { say: open, done: decides(variable) },
    { say: look, done: ({ canvas }) => canvas === 'process' },
    { say: watch, done: ({ tick }) => tick >= ticks },
    { say: train, done: trained },
    { say: end },
  ],
})

export const learningLessons: readonly Lesson[] = [
  lesson({
    id: 'cart-pole',
    title: say('Learning to balance', '学习保持平衡'),
    variable: 'push',
    open: say('Open the sample “Cart and pole”, and this tutorial there.', '打开示例“小车与倒立杆”，并在其中打开本教程。'),
    look: say(
      'Double click the process “Balance”. Its step “Left or right” says what is seen, what may be done, and what is good: 1 for each moment the pole stands.',
      '双击流程“Balance”。其中的决策步骤说明看到什么、可做什么以及奖励：杆每直立一刻得 1。',
    ),
    ticks: 100,
    watch: say('Press Play and watch the rule in the model.', '点击“播放”，观察模型中的规则。'),
    train: say(
      'Open the experiment “Learning to balance”, press Start, and once the curve reaches 475, press “Use in the model”.',
      '打开实验“学习保持平衡”，点击“开始”；曲线达到 475 后点击“用于模型”。',
    ),
    end: say(
      'Play again: a network holds the pole now. Click the network and press “Look inside”.',
      '再次播放：现在由网络保持平衡。点击该网络，再点击“查看内部”。',
    ),
  }),
  lesson({
    id: 'cliff-walk',
    title: say('Learning the way along a cliff', '学习悬崖边的路线'),
    variable: 'way',
    open: say('Open the sample “Walk along a cliff”, and this tutorial there.', '打开示例“悬崖边行走”，并在其中打开本教程。'),
    look: say(
      'Double click the process “Walk”: each step costs 1, a fall 100. Nobody says where the cliff is.',
      '双击流程“Walk”：每一步代价为 1，坠落为 100。没有人说明悬崖在哪里。',
    ),
    ticks: 10,
    watch: say('Press Play and watch the rule in the model.', '点击“播放”，观察模型中的规则。'),
    train: say(
      'Open its experiment and press Start: the curve ends at -13, the shortest way along the cliff. Press “Use in the model”.',
      '打开其实验并点击“开始”：曲线最终为 -13，即沿悬崖的最短路线。点击“用于模型”。',
    ),
    end: say(
      'Choose SARSA in the experiment and compare: while it still tries things out, it keeps away from the edge.',
      '在实验中选择 SARSA 并比较：在仍有探索时，它会远离边缘。',
    ),
  }),
  lesson({
    id: 'admission',
    title: say('Learning whom to let in', '学习准入'),
    variable: 'accept',
    open: say('Open the sample “Admission to a queue”, and this tutorial there.', '打开示例“队列准入”，并在其中打开本教程。'),
    look: say(
      'Double click the process “Customers”: each who is let in brings 10, and each in the queue costs 1 a unit of time.',
      '双击流程“Customers”：每位获准者带来 10，队列中每人每单位时间花费 1。',
    ),
    ticks: 300,
    watch: say(
      'Press Play, and drag “Let in below” while it runs: which threshold brings most?',
      '点击“播放”，运行时拖动滑块：哪个阈值收益最高？',
    ),
    train: say('Open its experiment, press Start, then “Use in the model”.', '打开其实验，点击“开始”，然后点击“用于模型”。'),
    end: say(
      'Click the network and press “Look inside”: from the fourth customer on it prefers sending away, as Naor showed in 1969.',
      '点击网络并点击“查看内部”：从第四位顾客起它倾向于拒绝，正如 Naor 在 1969 年所证明。',
    ),
  }),
  lesson({
    id: 'lost-sales',
    title: say('Learning when to order', '学习何时订货'),
    variable: 'order',
    open: say('Open the sample “Stock with a lead time”, and this tutorial there.', '打开示例“有提前期的库存”，并在其中打开本教程。'),
    look: say(
      'Double click the process “Day”: what is ordered comes two days later, and who finds nothing buys elsewhere.',
      '双击流程“Day”：订货两天后到达，无货时顾客会去别处购买。',
    ),
    ticks: 100,
    watch: say('Press Play, and drag “Order up to”: the best level costs 4.64 a day.', '点击“播放”并拖动滑块：最佳水平每天花费 4.64。'),
    train: say('Open its experiment, press Start, then “Use in the model”.', '打开其实验，点击“开始”，然后点击“用于模型”。'),
    end: say(
      'Play again: the learned policy costs about 4.43 a day; the optimum is 4.395 (Zipkin 2008).',
      '再次播放：学到的策略每天约花费 4.43；最优为 4.395（Zipkin 2008）。',
    ),
  }),
]
