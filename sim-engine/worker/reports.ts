// What the page receives of a run: frames as fast as it draws them, and the reports that it asked for.
import { cellText, rowsOf, textOf } from '../check/resolve.ts'
import type { Debugger } from '../debug/debugger.ts'
import {
  mostListed,
  type Asked,
  type Breakpoint,
  type ChainAsk,
  type DecidedAt,
  type Frame,
  type FromEngine,
  type ListAsk,
  type RunState,
  type ToEngine,
  type Watch,
} from '../messages.ts'
import { describe, observe, transferables } from '../observe.ts'
import { brief } from '../debug/stop.ts'
import { valuesOf } from '../learn/choices.ts'
import type { Problem } from '../problems.ts'
import type { Run } from '../run.ts'
import { waitingTokens } from '../run/waiting.ts'
import type { WorkerHost } from './surroundings.ts'

/** Least milliseconds between two frames while playing. */
const frameMs = 15
/** Least milliseconds between two profiles while playing. */
const profileMs = 500
/** Least milliseconds between two stretches of a population while playing. */
const listMs = 250

export type Post = (message: FromEngine, transfer: ArrayBuffer[]) => void

/** The asks are kept over loads. */
export class Reports {
  /** The number of the load that answers belong to. */
  load = 0
  #breakpoints: readonly Breakpoint[] = []
  #watches: readonly Watch[] = []
  #profiling = false
  #inspected: { population: string; entity: number } | null = null
  #list: ListAsk | null = null
  #chain: ChainAsk | null = null
  /** The page has not drawn the last frame yet. */
  #inFlight = false
  #lastFrame = 0
  #lastProfile = 0
  /** While a run plays, no stretch of a population before this time. */
  #nextList = 0
  readonly #post: Post
  readonly #surroundings: WorkerHost

  constructor(post: Post, surroundings: WorkerHost) {
    this.#post = post
    this.#surroundings = surroundings
  }

  send(message: FromEngine, frame?: Frame): void {
    this.#post(message, frame ? transferables(frame) : [])
  }

  /** A run that was just begun: what was asked before holds for it too. */
  tellLoaded(session: Debugger, problems: readonly Problem[]): void {
    const { load } = this
    const { timeline } = session
    this.#inFlight = false
    session.watch(this.#watches)
    if (this.#profiling) session.measure(true)
    const frame = this.#frameOf(session, 'ready')
    this.send({ is: 'loaded', loaded: describe(timeline.run, load), problems: [...problems], frame }, frame)
    this.#tellRefused(session)
    this.#tellList(timeline.shown, 'ready')
    this.#tellChain(timeline.run)
  }

  show(session: Debugger, state: RunState): void {
    const { load } = this
    const { timeline } = session
    const frame = this.#frameOf(session, state)
    this.#inFlight = true
    this.#lastFrame = this.#surroundings.now()
    this.send({ is: 'frame', frame }, frame)
    this.#tellIndividual(timeline.shown)
    this.#tellList(timeline.shown, state)
    if (state === 'paused' && session.stop) this.send({ is: 'stopped', load, stop: session.stop })
    if (state === 'paused') this.send({ is: 'waiting', load, waiting: waitingTokens(timeline.program, timeline.run.inner.built) })
    if (state !== 'playing') this.tellWatches(session)
    if (state !== 'playing') this.#tellChain(timeline.run)
    this.#tellProfile(session, state)
  }

  /** While it plays: a frame, when the page has drawn the last one and some time has passed. */
  showIfDue(session: Debugger): void {
    if (!this.#inFlight && this.#surroundings.now() - this.#lastFrame >= frameMs) this.show(session, 'playing')
  }

  tellEnd(session: Debugger): void {
    const { run } = session.timeline
    if (run.result === null) throw new Error('a run without a result is not over')
    const frame = this.#frameOf(session, 'ended')
    this.send({ is: 'ended', load: this.load, result: run.result, summary: run.summary(), frame }, frame)
    this.#tellIndividual(run)
    this.#tellList(run, 'ended')
    this.#tellChain(run)
    this.tellWatches(session)
    this.#tellProfile(session, 'ended')
  }

  tellWatches(session: Debugger): void {
    if (this.#watches.length > 0) this.send({ is: 'watches', load: this.load, values: [...session.look()] })
  }

  tellDecisions({ timeline }: Debugger): void {
    this.send({ is: 'decisions', load: this.load, decisions: decided(timeline.run) })
  }

  drawn(): void {
    this.#inFlight = false
  }

  inspect({ population, entity }: Extract<ToEngine, { do: 'inspect' }>, session: Debugger | null): void {
    this.#inspected = entity === null ? null : { population, entity }
    if (session) this.#tellIndividual(session.timeline.shown)
  }

  list(ask: ListAsk | null, session: Debugger | null, state: RunState): void {
    this.#list = ask && { ...ask, count: Math.min(mostListed, ask.count) }
    this.#nextList = 0
    if (session) this.#tellList(session.timeline.shown, state)
  }

  chain(ask: ChainAsk | null, session: Debugger | null, state: RunState): void {
    this.#chain = ask
    if (session && state !== 'playing') this.#tellChain(session.timeline.run)
  }

  get breakpoints(): readonly Breakpoint[] {
    return this.#breakpoints
  }

  arm(breakpoints: readonly Breakpoint[], session: Debugger | null): void {
    this.#breakpoints = breakpoints
    if (!session) return
    session.arm(breakpoints)
    this.#tellRefused(session)
  }

  /** `isStanding` is false while the values change under one's hand. */
  watch(watches: readonly Watch[], session: Debugger | null, isStanding: boolean): void {
    this.#watches = watches
    if (!session) return
    session.watch(watches)
    if (isStanding) this.tellWatches(session)
  }

  /** Begins to count time, or stops; what was counted stays with the page. */
  measure(on: boolean, session: Debugger | null): void {
    if (session && this.#profiling && !on) {
      const { profile } = session
      if (profile) this.send({ is: 'profile', load: this.load, on: false, profile })
    }
    session?.measure(on)
    this.#profiling = on
    this.#lastProfile = 0
  }

  #frameOf({ timeline }: Debugger, state: RunState): Frame {
    const { output, rewound } = timeline.takeOutput()
    const { run, shown } = timeline
    const frame = observe(shown, this.load, state, output, rewound)
    const asked = state === 'paused' ? askedOf(run) : null
    if (asked) frame.asked = asked
    // Rows of charts are sent once: those of the coming instant are not there yet.
    return shown === run ? frame : { ...frame, series: run.inner.charts.take(run.world) }
  }

  #tellRefused({ armed }: Debugger): void {
    if (this.#breakpoints.length > 0)
      this.send({ is: 'breakpoints', load: this.load, refused: [...armed.refused], moved: [...armed.moved] })
  }

  #tellIndividual(run: Run): void {
    if (!this.#inspected) return
    const { population, entity } = this.#inspected
    const index = run.program.checked.parts.entities.findIndex(one => one.id === population)
    this.send({ is: 'individual', population, entity, values: index < 0 ? null : run.individual(index, entity) })
  }

  #tellList(run: Run, state: RunState): void {
    const began = this.#surroundings.now()
    if (!this.#list || (state === 'playing' && began < this.#nextList)) return
    this.send({ is: 'individuals', load: this.load, listing: run.individuals(this.#list) })
    // Sorting a hundred thousand takes a while: a tenth of the time at most.
    const now = this.#surroundings.now()
    this.#nextList = now + Math.max(listMs, 10 * (now - began))
  }

  #tellChain(run: Run): void {
    const ask = this.#chain
    if (ask) this.send({ is: 'chain', load: this.load, chain: run.inner.built.clockwork.chains?.describe(ask) ?? null })
  }

  #tellProfile(session: Debugger, state: RunState): void {
    const clock = this.#surroundings.now()
    if (!this.#profiling || (state === 'playing' && clock - this.#lastProfile < profileMs)) return
    this.#lastProfile = clock
    const { profile } = session
    if (profile) this.send({ is: 'profile', load: this.load, on: true, profile })
  }
}

function askedOf(run: Run): Asked | null {
  if (!run.isAsking) return null
  const question = run.decisions.asked
  if (question === null) return null
  const { point, owner, seen, allowed } = question
  const { element, process } = run.program.checked.parts.steps[point.step]!
  const { entity } = process
  const number = owner < 0 || !entity ? null : run.world.population(entity.index).ids[owner & 0xffffff]
  const [rows, columns] = [rowsOf(element, 'observation'), rowsOf(element, 'actions')]
  return {
    step: point.id,
    name: textOf(element, 'name'),
    who: entity && owner >= 0 ? { name: `${entity.name} ${number ?? '?'}`, population: entity.id, entity: owner } : null,
    seen: seen.map((value, k) => ({ name: cellText(rows[k]!, 'name') || cellText(rows[k]!, 'value'), value: brief(value) })),
    actions: point.actions.map((bound, k) => ({ ...bound, name: cellText(columns[k]!, 'variable') })),
    possible:
      point.choices > 0
        ? Array.from({ length: point.choices }, (_, choice) => choice).flatMap(choice =>
            (allowed?.[choice] ?? true) ? [valuesOf(point.actions, choice)] : [],
          )
        : null,
  }
}

const decided = (run: Run): DecidedAt[] =>
  run.decisions.recordings.map(({ point, rows }) => ({ step: point.id, choices: point.choices, actions: point.actions, rows }))
