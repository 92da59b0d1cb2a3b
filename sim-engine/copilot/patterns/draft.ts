// Writes down the edits that make a small model. Every element is named by the call that makes it (`$1`, `$2`, ...), so that later calls refer to it.
import { kindOf } from '../../../model-schema/kinds.ts'
import type { Json } from '../../../model-schema/kinds/kind.ts'
import type { Id } from '../../../model-schema/model.ts'
import type { EditCall } from '../branch.ts'

type Values = Readonly<Record<string, Json>>
export type Step = readonly [kind: string, values: Values]

/** Between two steps, and between the rows of a process, in canvas units. */
const gap = 48
const rowHeight = 128

/** The drawing of a process: its steps in their order, and the number of rows they take. */
type Course = { readonly process: string; readonly steps: readonly string[]; readonly rows: number }

export class Draft {
  readonly calls: EditCall[] = []
  readonly scenario: Id
  /** Where steps end, in canvas units. */
  readonly #spans = new Map<string, number>()

  constructor(scenario: Id) {
    this.scenario = scenario
  }

  place(kind: string, values: Values, parent = this.scenario, at?: readonly [number, number]): string {
    return this.#add({ do: 'place', kind, parent, values, ...(at ? { at } : {}) })
  }

  connect(from: string, to: string, values: Values = {}, kind = 'flow'): void {
    this.#add({ do: 'connect', from, to, kind, values })
  }

  variable(name: string, initial: number | string, parent = this.scenario, more: Values = {}): string {
    return this.place('variable', { name, initial: String(initial), ...more }, parent)
  }

  /** A variable that people change with a slider. */
  input(name: string, initial: number, min: number, max: number): string {
    return this.variable(name, initial, this.scenario, { public: true, min, max })
  }

  /** So many units that are taken and given back. */
  resource(name: string, units: number): string {
    return this.place('container', { name, reusable: true, initial: String(units) })
  }

  statistic(name: string, expression: string, more: Values = {}): void {
    this.place('statistic', { name, expression, ...more })
  }

  chart(name: string, ...series: string[]): void {
    this.place('chart', { name, series: series.map(one => ({ label: one.replaceAll('_', ' '), value: one, color: '' })) })
  }

  /** A process with its steps in a row, each leading to the next. */
  process(name: string, steps: readonly Step[], parent = this.scenario): Course {
    return this.branch({ process: this.place('process', { name }, parent), steps: [], rows: 0 }, null, steps)
  }

  /** More steps of a process, in a row of their own below; the first is reached from a step before, by a flow with these values. */
  branch(course: Course, from: number | null, steps: readonly Step[], values: Values = {}): Course {
    let x = from === null ? 0 : this.#after(course, from)
    const made: string[] = []
    // The way straight on from a gateway is taken where no condition of another holds.
    let asks = false
    for (const [kind, own] of steps) {
      const [w, h] = kindOf(kind)?.size ?? [120, 72]
      const step = this.place(kind, own, course.process, [round(x), round(course.rows * rowHeight + (72 - h) / 2)])
      this.#spans.set(step, x + w)
      const before = made.at(-1) ?? (from === null ? undefined : course.steps[from])
      if (before !== undefined) this.connect(before, step, made.length === 0 ? values : asks ? { default: true } : {})
      asks = kind === 'gateway' && own['by'] === undefined
      made.push(step)
      x += w + gap
    }
    return { process: course.process, steps: [...course.steps, ...made], rows: course.rows + 1 }
  }

  #after(course: Course, from: number): number {
    return (this.#spans.get(course.steps[from] ?? '') ?? 0) + gap
  }

  #add(call: EditCall): string {
    this.calls.push(call)
    return `$${this.calls.length}`
  }
}

const round = (value: number): number => Math.round(value / 8) * 8

// Steps by what they do.

export const at = (trigger: 'none' | 'timer', values: Values = {}): Step => ['start', { trigger, ...values }]
/** Begins again and again, the first time after such a time as well. */
export const every = (time: string, name = ''): Step => at('timer', { name, first: time, every: time })
export const eachTick: Step = at('timer', { every: '1' })
export const once: Step = at('timer', { first: '0', every: '1', count: '1', maximum: '1' })
export const request = (container: string, name: string, more: Values = {}): Step => [
  'operate',
  { name, operation: 'request', items: [{ container, amount: '1', key: '' }], ...more },
]
export const release = (container: string, name: string): Step => [
  'operate',
  { name, operation: 'release', items: [{ container, amount: '1', key: '' }] },
]
export const delay = (name: string, duration: string): Step => ['delay', { name, duration }]
export const compute = (name: string, program: string): Step => ['compute', { name, program }]
export const fork = (name: string, more: Values = {}): Step => ['gateway', { name, type: 'exclusive', ...more }]
export const end = (name = ''): Step => ['end', { name }]
