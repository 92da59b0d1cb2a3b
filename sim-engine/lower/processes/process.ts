// Processes with tokens -> one function `step(t, pc)`, a state machine over positions, and `arrive(process, row)` for timer starts.
// A step that is not lowered gives its position back, and the general way takes the token from there: so each step counts for
// itself, and the reason is kept for whoever asks. Positions and the order of effects are those of steps/*.ts.
import type { CheckedModel } from '../../check/checked.ts'
import type { ProcessPart } from '../../check/parts.ts'
import { Emitter } from '../../compile/emitter.ts'
import type { Sought } from '../../compile/emitter.ts'
import * as ir from '../../ir.ts'
import type { Fn, Stmt } from '../../ir.ts'
import type { LoweredProcesses } from '../lowered.ts'
import { NotLowered } from '../scope.ts'
import { switchOver, type ByProcess } from './by-process.ts'
import { flowLabel } from './flows.ts'
import type { Flows } from './flows.ts'
import { ProcessMemory } from './memory.ts'
import { Starts } from './starts.ts'
import { Steps } from './steps.ts'
import { Ticks } from './ticks.ts'
import { copyOut, forget, settleHere } from './token-functions.ts'
import { Watching } from './watches.ts'

/** null where no token could go on without the general way. */
export function lowerProcesses(from: LoweredFrom): LoweredProcesses | null {
  return new ProcessesLowering(from).lowered()
}

/** What is needed of a program: `words` are texts by their codes. */
export type LoweredFrom = {
  readonly checked: CheckedModel
  readonly rows: ReadonlySet<number>
  readonly sought: Sought | null
  readonly words: readonly (string | null)[]
  /** Built-in columns, as `p3_size`. */
  readonly mentions: ReadonlySet<string>
}
class ProcessesLowering {
  readonly #checked: CheckedModel
  readonly #rows: ReadonlySet<number>
  readonly #memory: ProcessMemory
  readonly #starts: Starts
  readonly #ticks: Ticks
  readonly #watching: Watching
  readonly #flows: Flows

  constructor({ checked, rows, sought, words, mentions }: LoweredFrom) {
    const emitter = new Emitter(checked, null, false, sought)
    const memory = new ProcessMemory(checked, words, rows, (sought?.lines.size ?? 0) > 0)
    const watching = new Watching(memory, emitter)
    const starts = new Starts(memory, emitter)
    this.#checked = checked
    this.#memory = memory
    this.#rows = rows
    this.#watching = watching
    this.#starts = starts
    this.#ticks = new Ticks(memory, starts, emitter, rows)
    this.#flows = new Steps({ memory, emitter, sought, mentions, watching, starts }).flows
  }

  lowered(): LoweredProcesses | null {
    const { processes, steps } = this.#checked.parts
    const among = (): ByProcess => ({ table: processes.map(() => -1), bodies: [] })
    const begun = { arrivals: among(), beginnings: among(), others: among() }
    const starts = Uint8Array.from(processes, process => {
      if (this.#rows.has(process.index)) return 0
      this.#flows.lower(process)
      return this.#ticks.processes.includes(process) ? 0 : this.#lowerStart(process, begun)
    })
    if (this.#flows.cases.size === 0) return null
    const ticks = this.#oneTick()
    const known = new Uint8Array(steps.length * 8)
    const cases = [...this.#flows.cases]
    const byPosition = Array.from(known, () => -1)
    cases.forEach(([position], k) => {
      known[position] = this.#flows.plainCalls.has(position) ? 3 : 1
      byPosition[position] = k
    })
    const position = ir.get('pc', 'i32')
    const locals = this.#memory.locals
    const step: Fn = {
      name: 'step',
      params: [
        ['t', 'i32'],
        ['pc', 'i32'],
      ],
      result: 'i32',
      locals,
      isExported: false,
      body: [
        {
          kind: 'loop',
          label: flowLabel,
          body: [
            { kind: 'switch', of: position, table: byPosition, cases: cases.map(([, body]) => body) },
            { kind: 'return', value: position },
          ],
        },
      ],
    }
    const knownAt = this.#memory.room(known.length)
    const startsAt = this.#memory.room(starts.length)
    return {
      fns: [
        step,
        switchOver('arrive', begun.arrivals, locals),
        switchOver('begin', begun.beginnings, locals),
        switchOver('another', begun.others, locals),
        forget(this.#memory),
        copyOut(this.#memory),
        settleHere(this.#memory),
        ...this.#watching.fns(),
        ...ticks,
        ...this.#memory.functions.made,
      ],
      imports: this.#memory.imports,
      places: this.#memory.places,
      libraries: this.#memory.libraries,
      known,
      starts,
      looks: this.#watching.looks,
      constants: new Map([...this.#watching.constants, ...this.#memory.constants]),
      ticks: ticks.length > 0 ? this.#ticks.populations : null,
      streams: this.#memory.streams,
      shared: this.#memory.shared,
      fired: this.#memory.fired,
      containers: this.#memory.containers,
      bundles: this.#memory.bundles,
      tokenColumns: this.#memory.tokenColumns,
      properties: this.#memory.properties,
      tables: this.#memory.tables,
      builtins: [...this.#memory.builtins.values()],
      populations: this.#memory.populations,
      cells: this.#memory.cells,
      nexts: this.#memory.nexts,
      arrays: this.#memory.around.arrays,
      numbers: this.#memory.around.numbers,
      listAt: this.#memory.around.listAt,
      residents: this.#memory.residents,
      spaces: this.#memory.spaces,
      settlings: this.#memory.settlings,
      knownAt,
      startsAt,
      top: this.#memory.room(0),
      reasons: this.#flows.reasons,
      exceptions: this.#flows.exceptions,
    }
  }

  /** How a process starts, for the table of starts: 1 by the clock, 2 by itself, 4 by a condition; 0 where it does not start here. */
  #lowerStart(
    process: ProcessPart,
    { arrivals, beginnings, others }: Readonly<Record<'arrivals' | 'beginnings' | 'others', ByProcess>>,
  ): number {
    const { start, index } = process
    const known = (position: number): boolean => this.#flows.cases.has(position)
    const add = (to: ByProcess, make: () => Stmt[]): boolean => {
      const made = this.#flows.attempt(start, make)
      if (made) to.table[index] = to.bodies.push(made) - 1
      return made !== null
    }
    const trigger = start?.element.fields['trigger']
    if (trigger === 'condition') return add(others, () => this.#starts.conditional(process, known)) ? 4 : 0
    if (trigger === 'timer') {
      if (!add(arrivals, () => this.#starts.arrival(process, known))) return 0
      if (this.#starts.areSeveral(start!)) add(others, () => this.#starts.another(process))
      return 1
    }
    return beginsItself(process) && add(beginnings, () => this.#starts.beginning(process, known)) ? 2 : 0
  }

  /** The function of one tick, where it can be one. */
  #oneTick(): Fn[] {
    const { processes } = this.#ticks
    if (processes.length === 0) return []
    try {
      const body = this.#ticks.tick(position => this.#flows.cases.has(position))
      this.#memory.imports.push({ name: 'spawnOutside', params: ['i32', 'f64'], result: 'void' })
      const locals = new Map([...this.#memory.locals, ['t', 'i32'] as const])
      return [{ name: 'ticks', params: [], result: 'void', locals, isExported: true, body }]
    } catch (error) {
      if (!(error instanceof NotLowered)) throw error
      for (const { index, start } of processes) if (start && !this.#rows.has(index)) this.#flows.reasons.set(start, error)
      return []
    }
  }
}

/** Whether a process begins by itself, at the start of the run or the birth of its individual. */
const beginsItself = ({ start, holder }: ProcessPart): boolean =>
  start !== null && !holder && (start.element.fields['trigger'] ?? 'none') === 'none' && start.element.fields['active'] !== false
