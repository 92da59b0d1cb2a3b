// The tutorials, as data: each step, and how its completion is detected in the document, the view or the run. No step is done
// automatically.
import { kindOf } from '../../model-schema/kinds.ts'
import type { Element, Model } from '../../model-schema/model.ts'
import { learningLessons } from './learning.ts'
import { say, type Words } from '../../model-schema/words.ts'

/** What a lesson watches. */
export type LessonContext = {
  readonly model: Model
  /** The sort of canvas shown: root, entity or process. */
  readonly canvas: string
  /** The tick the run has reached; 0 before it. */
  readonly tick: number
}

type Step = {
  readonly say: Words
  /** Absent: the person says that they have read it. */
  readonly done?: (seen: LessonContext) => boolean
}

export type Lesson = { readonly id: string; readonly title: Words; readonly steps: readonly Step[] }

const some = ({ model }: LessonContext, wanted: (element: Element) => boolean): boolean => [...model.elements.values()].some(wanted)

const has =
  (kind: string, wanted: (element: Element) => boolean = () => true) =>
  (seen: LessonContext): boolean =>
    some(seen, element => element.kind === kind && wanted(element))

const said = (element: Element, field: string): string => {
  const value = element.fields[field]
  return typeof value === 'string' ? value.trim() : ''
}

const shows = (element: Element): boolean => {
  const { series } = element.fields
  return Array.isArray(series) && series.length > 0
}

const ran =
  (ticks: number) =>
  ({ tick }: LessonContext): boolean =>
    tick >= ticks

const bound = has('controller', element => typeof element.fields['target'] === 'string')

const pool = has('container', element => element.fields['reusable'] === true)

const usesResource = (seen: LessonContext): boolean =>
  some(seen, ({ fields: { resources }, kind }) => kindOf(kind)?.shape === 'task' && Array.isArray(resources) && resources.length > 0)

const play = say('Press Play at the top and watch.')

export const lessons: readonly Lesson[] = [
  {
    id: 'agents',
    title: say('First agents'),
    steps: [
      {
        say: say('Take “Agents in a space” on the empty canvas, or drop “Random walkers” from the left.'),
        done: seen => has('agent')(seen) && has('space')(seen),
      },
      {
        say: say('Make sure that there is a World view: it draws the space.'),
        done: has('worldView'),
      },
      { say: play, done: ran(20) },
      {
        say: say('Click the agent and set its Initial number to 200.'),
        done: has('agent', element => said(element, 'initialNumber') === '200'),
      },
      {
        say: say('Double click the agent to go inside it: here is what each individual has and does.'),
        done: ({ canvas }) => canvas === 'entity',
      },
      { say: say('That is a model of agents. Next: an epidemic.') },
    ],
  },
  {
    id: 'clinic',
    title: say('A clinic'),
    steps: [
      {
        say: say('Take “Queue” on the empty canvas, or drop “Queue and service” from the left.'),
        done: seen => pool(seen) && has('start', one => one.fields['trigger'] === 'timer')(seen),
      },
      {
        say: say('Make sure that a chart shows who waits: drop a Line chart, press “Add a measure”, choose “Waiting now”.'),
        done: has('chart', shows),
      },
      {
        say: say('Make sure that a slider sets the arrival rate: drop a Slider and choose the variable it sets.'),
        done: bound,
      },
      { say: play, done: ran(50) },
      {
        say: say('Drag the slider while it runs. Above one arrival for each service, the queue grows without end.'),
      },
    ],
  },
  {
    id: 'epidemic',
    title: say('An epidemic with sliders'),
    steps: [
      { say: say('Begin with “Agents in a space”.'), done: has('agent') },
      {
        say: say('Double click the agent, then drop “Infection” inside it.'),
        done: has('variable', element => /infected|已感染/.test(said(element, 'name'))),
      },
      {
        say: say('Go back up (Alt+↑), drop a Line chart, press “Add a measure” and choose “How many are infected”.'),
        done: has('chart', element => shows(element) && /infected|已感染/.test(JSON.stringify(element.fields['series']))),
      },
      { say: play, done: ran(30) },
      {
        say: say('Choose another slider value and run again: how fast it spreads depends on how far they walk.'),
      },
    ],
  },
  {
    id: 'resources',
    title: say('A process with resources'),
    steps: [
      {
        say: say('Drop a Process on the canvas. It has a start and an end already.'),
        done: has('process'),
      },
      { say: say('Press Enter to go inside it.'), done: ({ canvas }) => canvas === 'process' },
      {
        say: say('Drop “Source” on it: the start becomes an arrival.'),
        done: has('start', element => element.fields['trigger'] === 'timer'),
      },
      {
        say: say('Drop “Service” on the flow between start and end. It brings a server with it.'),
        done: usesResource,
      },
      { say: play, done: ran(20) },
      {
        say: say('Go up (Alt+↑) and click the server: its properties say how many there are.'),
        done: ({ canvas }) => canvas === 'root',
      },
    ],
  },
  {
    id: 'experiment',
    title: say('An experiment'),
    steps: [
      { say: say('Begin with “Queue”.'), done: pool },
      {
        say: say('Variables with the switch Input are what an experiment varies. Here “Rate” is one.'),
        done: has('variable', element => element.fields['public'] === true),
      },
      {
        say: say('Press Ctrl+K, type “experiment” and press Enter: it opens with this model.'),
      },
    ],
  },
  {
    id: 'dashboard',
    title: say('A dashboard'),
    steps: [
      {
        say: say('Begin with any starter: a dashboard shows the charts and sliders of a model.'),
        done: has('chart', shows),
      },
      { say: say('Bind at least one slider to a variable.'), done: bound },
      {
        say: say('Go back to the workspace, choose New, Dashboard, and take this model’s own cards.'),
      },
    ],
  },
  ...learningLessons,
]

/** The first step that is still to be done, those before it having been done in their order; as many as there are steps when all are. */
export function stepAfter(lesson: Lesson, at: number, seen: LessonContext): number {
  const left = lesson.steps.findIndex((step, i) => i >= at && step.done?.(seen) !== true)
  return left < 0 ? lesson.steps.length : left
}
