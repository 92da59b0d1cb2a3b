// The tutorials, as data: what to do next, and how one sees in the document, the view or the run that it is done. Nothing is done for anybody.
import { kindOf } from '../../model-schema/kinds.ts'
import { say, type Words } from '../../model-schema/kinds/kind.ts'
import type { Element, Model } from '../../model-schema/model.ts'
import { learningLessons } from './learning.ts'

/** What a lesson watches. */
export type Seen = {
  readonly model: Model
  /** The sort of canvas shown: root, entity or process. */
  readonly canvas: string
  /** The tick the run has reached; 0 before it. */
  readonly tick: number
}

export type Step = {
  readonly say: Words
  /** Absent: the person says that they have read it. */
  readonly done?: (seen: Seen) => boolean
}

export type Lesson = { readonly id: string; readonly title: Words; readonly steps: readonly Step[] }

const some = ({ model }: Seen, wanted: (element: Element) => boolean): boolean => [...model.elements.values()].some(wanted)

const has =
  (kind: string, wanted: (element: Element) => boolean = () => true) =>
  (seen: Seen): boolean =>
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
  ({ tick }: Seen): boolean =>
    tick >= ticks

const bound = has('controller', element => typeof element.fields['target'] === 'string')

const pool = has('container', element => element.fields['reusable'] === true)

const usesResource = (seen: Seen): boolean =>
  some(seen, ({ fields: { resources }, kind }) => kindOf(kind)?.shape === 'task' && Array.isArray(resources) && resources.length > 0)

const play = say('Press Play at the top and watch.', '点击顶部的“播放”，观察运行。')

export const lessons: readonly Lesson[] = [
  {
    id: 'agents',
    title: say('First agents', '第一批智能体'),
    steps: [
      {
        say: say(
          'Take “Agents in a space” on the empty canvas, or drop “Random walkers” from the left.',
          '在空画布上选择“空间中的智能体”，或从左侧放入“随机游走者”。',
        ),
        done: seen => has('agent')(seen) && has('space')(seen),
      },
      {
        say: say('Make sure that there is a World view: it draws the space.', '确认有一个“世界视图”：它绘制空间。'),
        done: has('worldView'),
      },
      { say: play, done: ran(20) },
      {
        say: say('Click the agent and set its Initial number to 200.', '点击智能体，把“初始数量”设为 200。'),
        done: has('agent', element => said(element, 'initialNumber') === '200'),
      },
      {
        say: say(
          'Double click the agent to go inside it: here is what each individual has and does.',
          '双击智能体进入其内部：这里是每个个体所拥有的和所做的。',
        ),
        done: ({ canvas }) => canvas === 'entity',
      },
      { say: say('That is a model of agents. Next: an epidemic.', '这就是一个智能体模型。下一步：流行病。') },
    ],
  },
  {
    id: 'clinic',
    title: say('A clinic', '诊所'),
    steps: [
      {
        say: say(
          'Take “Queue” on the empty canvas, or drop “Queue and service” from the left.',
          '在空画布上选择“排队”，或从左侧放入“排队与服务”。',
        ),
        done: seen => pool(seen) && has('start', one => one.fields['trigger'] === 'timer')(seen),
      },
      {
        say: say(
          'Make sure that a chart shows who waits: drop a Line chart, press “Add a measure”, choose “Waiting now”.',
          '确认有图表显示等待者：放入“折线图”，点击“添加度量”，选择“当前等待数”。',
        ),
        done: has('chart', shows),
      },
      {
        say: say(
          'Make sure that a slider sets the arrival rate: drop a Slider and choose the variable it sets.',
          '确认有滑块设置到达率：放入“滑块”并选择它所设置的变量。',
        ),
        done: bound,
      },
      { say: play, done: ran(50) },
      {
        say: say(
          'Drag the slider while it runs. Above one arrival for each service, the queue grows without end.',
          '运行时拖动滑块。到达率超过服务能力时，队列会无限增长。',
        ),
      },
    ],
  },
  {
    id: 'epidemic',
    title: say('An epidemic with sliders', '带滑块的流行病'),
    steps: [
      { say: say('Begin with “Agents in a space”.', '从“空间中的智能体”开始。'), done: has('agent') },
      {
        say: say('Double click the agent, then drop “Infection” inside it.', '双击智能体，然后在其内部放入“感染”。'),
        done: has('variable', element => /infected|已感染/.test(said(element, 'name'))),
      },
      {
        say: say(
          'Go back up (Alt+↑), drop a Line chart, press “Add a measure” and choose “How many are infected”.',
          '返回上级（Alt+↑），放入“折线图”，点击“添加度量”，选择感染者的数量。',
        ),
        done: has('chart', element => shows(element) && /infected|已感染/.test(JSON.stringify(element.fields['series']))),
      },
      { say: play, done: ran(30) },
      {
        say: say(
          'Choose another slider value and run again: how fast it spreads depends on how far they walk.',
          '换一个滑块值再运行：传播速度取决于移动距离。',
        ),
      },
    ],
  },
  {
    id: 'resources',
    title: say('A process with resources', '使用资源的流程'),
    steps: [
      {
        say: say('Drop a Process on the canvas. It has a start and an end already.', '把“流程”放到画布上。它已有开始和结束。'),
        done: has('process'),
      },
      { say: say('Press Enter to go inside it.', '按 Enter 进入其内部。'), done: ({ canvas }) => canvas === 'process' },
      {
        say: say('Drop “Source” on it: the start becomes an arrival.', '放入“源”：开始事件变为到达。'),
        done: has('start', element => element.fields['trigger'] === 'timer'),
      },
      {
        say: say(
          'Drop “Service” on the flow between start and end. It brings a server with it.',
          '把“服务”放到开始与结束之间的顺序流上。它会自带一个服务台。',
        ),
        done: usesResource,
      },
      { say: play, done: ran(20) },
      {
        say: say(
          'Go up (Alt+↑) and click the server: its properties say how many there are.',
          '返回上级（Alt+↑）并点击服务台：其属性说明数量。',
        ),
        done: ({ canvas }) => canvas === 'root',
      },
    ],
  },
  {
    id: 'experiment',
    title: say('An experiment', '实验'),
    steps: [
      { say: say('Begin with “Queue”.', '从“排队”开始。'), done: pool },
      {
        say: say(
          'Variables with the switch Input are what an experiment varies. Here “Rate” is one.',
          '打开“输入”开关的变量可由实验改变，这里的“速率”就是。',
        ),
        done: has('variable', element => element.fields['public'] === true),
      },
      {
        say: say(
          'Press Ctrl+K, type “experiment” and press Enter: it opens with this model.',
          '按 Ctrl+K，输入“experiment”或“实验”，再按 Enter：实验会以此模型打开。',
        ),
      },
    ],
  },
  {
    id: 'dashboard',
    title: say('A dashboard', '仪表盘'),
    steps: [
      {
        say: say(
          'Begin with any starter: a dashboard shows the charts and sliders of a model.',
          '从任意示例开始：仪表盘显示模型的图表和滑块。',
        ),
        done: has('chart', shows),
      },
      { say: say('Bind at least one slider to a variable.', '至少把一个滑块绑定到变量。'), done: bound },
      {
        say: say(
          'Go back to the workspace, choose New, Dashboard, and take this model’s own cards.',
          '返回工作区，选择“新建 › 仪表盘”，并使用此模型的卡片。',
        ),
      },
    ],
  },
  ...learningLessons,
]

/** The first step that is still to be done, those before it having been done in their order; as many as there are steps when all are. */
export function stepAfter(lesson: Lesson, at: number, seen: Seen): number {
  const left = lesson.steps.findIndex((step, i) => i >= at && step.done?.(seen) !== true)
  return left < 0 ? lesson.steps.length : left
}
