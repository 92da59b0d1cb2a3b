// The tutorials of the four samples that learn: each is done in its own sample.
import type { Element } from '../../model-schema/model.ts'
import type { Lesson, LessonContext } from './lessons.ts'
import { say, type Words } from '../../model-schema/words.ts'

const some = ({ model }: LessonContext, wanted: (element: Element) => boolean): boolean => [...model.elements.values()].some(wanted)

/** Whether this sample is open: it has a Decide step that sets this variable. */
const decides =
  (variable: string) =>
  (seen: LessonContext): boolean =>
    some(seen, ({ kind, fields }) => kind === 'decide' && JSON.stringify(fields['actions'] ?? []).includes(JSON.stringify(variable)))

/** Whether a Decide step acts by a network that was trained. */
const trained = (seen: LessonContext): boolean =>
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
    title: say('Learning to balance'),
    variable: 'push',
    open: say('Open the sample “Cart and pole”, and this tutorial there.'),
    look: say(
      'Double click the process “Balance”. Its step “Left or right” says what is seen, what may be done, and what is good: 1 for each moment the pole stands.',
    ),
    ticks: 100,
    watch: say('Press Play and watch the rule in the model.'),
    train: say('Open the experiment “Learning to balance”, press Start, and once the curve reaches 475, press “Use in the model”.'),
    end: say('Play again: a network holds the pole now. Click the network and press “Look inside”.'),
  }),
  lesson({
    id: 'cliff-walk',
    title: say('Learning the way along a cliff'),
    variable: 'way',
    open: say('Open the sample “Walk along a cliff”, and this tutorial there.'),
    look: say('Double click the process “Walk”: each step costs 1, a fall 100. Nobody says where the cliff is.'),
    ticks: 10,
    watch: say('Press Play and watch the rule in the model.'),
    train: say('Open its experiment and press Start: the curve ends at -13, the shortest way along the cliff. Press “Use in the model”.'),
    end: say('Choose SARSA in the experiment and compare: while it still tries things out, it keeps away from the edge.'),
  }),
  lesson({
    id: 'admission',
    title: say('Learning whom to let in'),
    variable: 'accept',
    open: say('Open the sample “Admission to a queue”, and this tutorial there.'),
    look: say('Double click the process “Customers”: each who is let in brings 10, and each in the queue costs 1 a unit of time.'),
    ticks: 300,
    watch: say('Press Play, and drag “Let in below” while it runs: which threshold brings most?'),
    train: say('Open its experiment, press Start, then “Use in the model”.'),
    end: say('Click the network and press “Look inside”: from the fourth customer on it prefers sending away, as Naor showed in 1969.'),
  }),
  lesson({
    id: 'lost-sales',
    title: say('Learning when to order'),
    variable: 'order',
    open: say('Open the sample “Stock with a lead time”, and this tutorial there.'),
    look: say('Double click the process “Day”: what is ordered comes two days later, and who finds nothing buys elsewhere.'),
    ticks: 100,
    watch: say('Press Play, and drag “Order up to”: the best level costs 4.64 a day.'),
    train: say('Open its experiment, press Start, then “Use in the model”.'),
    end: say('Play again: the learned policy costs about 4.43 a day; the optimum is 4.395 (Zipkin 2008).'),
  }),
]
