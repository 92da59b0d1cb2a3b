// The engine behind a message port. Never throws out of its loop: what is wrong with a model comes back as problems, what
// is wrong with the engine as `broken`.
import type { Model } from '../../model-schema/model.ts'
import { loadChainOf, needsChain } from '../chain.ts'
import { createChecker, type Checker } from '../check.ts'
import { compile, type Program } from '../compile.ts'
import { Debugger } from '../debug/debugger.ts'
import { explain } from '../compile/explain.ts'
import type { Origin, RunOptions, RunState, ToEngine } from '../messages.ts'
import { withEdit } from '../model-edit.ts'
import { problem, RunError, type Problem } from '../problems.ts'
import { Player } from './player.ts'
import { Reports, type Post } from './reports.ts'
import { wall, type WorkerHost } from './surroundings.ts'
import { verify } from './verify.ts'

type Loads = Extract<ToEngine, { do: 'load' | 'follow' }>
type Checks = Extract<ToEngine, { do: 'check' | 'checkEdit' }>
type Gives = Extract<ToEngine, { do: 'set' | 'press' | 'answer' }>

export class Engine {
  readonly #checker = createChecker()
  /** For models that are only checked: the parts of a loaded program stay what they are. */
  readonly #onlooker: Checker = createChecker()
  #looked: Model | null = null
  #program: Program | null = null
  #problems: readonly Problem[] = []
  #player: Player | null = null
  /** Messages that came while the chain's code was being loaded, in their order; null while nothing is. */
  #kept: ToEngine[] | null = null
  readonly #reports: Reports
  readonly #surroundings: WorkerHost

  /** Answers through `post`. */
  constructor(post: Post, surroundings: WorkerHost = wall) {
    this.#surroundings = surroundings
    this.#reports = new Reports(post, surroundings)
  }

  receive(message: ToEngine): void {
    if (this.#kept !== null) this.#kept.push(message)
    else if ((message.do === 'load' || message.do === 'follow') && needsChain(message.model)) {
      this.#kept = [message]
      void loadChainOf(message.model)
        .catch(() => undefined)
        .then(() => this.#takeKept())
    } else this.#guarded(() => this.#obey(message))
  }

  close(): void {
    this.#player?.close()
  }

  /** Where the code cannot be loaded, the model's runs say so: the engine is not there. */
  #takeKept(): void {
    const messages = this.#kept ?? []
    this.#kept = null
    for (const message of messages) this.#guarded(() => this.#obey(message))
  }

  #guarded(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#drop()
      const detail = error instanceof Error ? error.message : String(error)
      const found = error instanceof RunError ? this.#problemOf(error) : problem(10000, this.#scenario, [detail])
      this.#reports.send({ is: 'broken', problem: found })
    }
  }

  #obey(message: ToEngine): void {
    const reports = this.#reports
    const session = this.#player?.session ?? null
    const state: RunState = this.#player?.state ?? 'ready'
    switch (message.do) {
      case 'load':
      case 'follow':
        return this.#load(message)
      case 'check':
      case 'checkEdit':
        return this.#check(message)
      case 'reset':
        return this.#begin(message.options)
      case 'drawn':
        return reports.drawn()
      case 'inspect':
        return reports.inspect(message, session)
      case 'list':
        return reports.list(message.ask, session, state)
      case 'chain':
        return reports.chain(message.ask, session, state)
      case 'breakpoints':
        return reports.arm(message.breakpoints, session)
      case 'watch':
        return reports.watch(message.watches, session, state !== 'playing' && this.#player?.isTravelling !== true)
      case 'profile':
        return reports.measure(message.on, session)
      default:
        if (this.#player !== null) return this.#command(this.#player, message)
    }
  }

  /** What is asked of a run that is loaded. */
  #command(
    player: Player,
    message: Exclude<
      ToEngine,
      Loads | Checks | { do: 'reset' | 'drawn' | 'inspect' | 'list' | 'chain' | 'breakpoints' | 'watch' | 'profile' }
    >,
  ): void {
    const reports = this.#reports
    const { session } = player
    const { load } = reports
    switch (message.do) {
      case 'verify':
        if (player.state !== 'playing') this.#verify(session, message.most)
        return
      case 'decisions':
        return reports.tellDecisions(session)
      case 'explain':
        return reports.send({ is: 'explained', load, explained: explain(session.plain) })
      case 'branch':
        player.finishTravel()
        return reports.send({ is: 'origin', load, origin: session.timeline.origin })
      case 'set':
      case 'press':
      case 'answer':
        return this.#give(player, message)
      default:
        return player.obey(message)
    }
  }

  #check(message: Checks): void {
    const edit = message.do === 'checkEdit' ? message.edit : undefined
    if (message.do === 'check') this.#looked = message.model
    else if (this.#looked) this.#looked = withEdit(this.#looked, message.edit)
    else throw new Error('an edit of no model')
    const { problems } = this.#onlooker.check(this.#looked, message.scenario, edit)
    this.#reports.send({ is: 'checked', check: message.check, problems: [...problems] })
  }

  #load(message: Loads): void {
    const { load } = message
    this.#reports.load = load
    this.#drop()
    this.#program = null
    const { checked, problems } = this.#checker.check(message.model, message.scenario)
    this.#problems = problems
    if (!checked) return this.#reports.send({ is: 'problems', load, problems: [...problems] })
    this.#program = compile(checked)
    if (message.do === 'load') this.#begin(message.options)
    else this.#begin(message.origin.options, message.origin)
  }

  #begin(options: RunOptions, origin: Origin | null = null): void {
    const reports = this.#reports
    this.#drop()
    if (!this.#program) return
    const session = new Debugger(this.#program, { ...options, hasPerson: true }, reports.breakpoints, this.#surroundings.now)
    const { result } = session.timeline.run
    // First values that cannot be computed: there is nothing of the run to show.
    if (result?.end === 'failed') return reports.send({ is: 'problems', load: reports.load, problems: [result.problem, ...this.#problems] })
    const player = new Player(session, reports, this.#surroundings, act => this.#guarded(act))
    this.#player = player
    reports.tellLoaded(session, this.#problems)
    if (origin) {
      session.follow(origin)
      player.travel()
    } else if (!player.end()) reports.tellWatches(session)
  }

  #give(player: Player, message: Gives): void {
    player.finishTravel()
    const { timeline } = player.session
    if (timeline.run.result) return
    try {
      if (message.do === 'set') timeline.input('set', message.variable, message.value)
      else if (message.do === 'press') timeline.input('press', message.controller, null)
      else if (timeline.run.isAsking) {
        timeline.input('answer', '', message.values)
        if (message.play) player.obey({ do: 'play', ...message.play })
        else player.goOn()
      }
    } catch (error) {
      if (!(error instanceof RunError)) throw error
      // Before the first instant a value that doesn't fit is known at once.
      this.#drop()
      this.#reports.send({ is: 'problems', load: this.#reports.load, problems: [this.#problemOf(error), ...this.#problems] })
    }
  }

  #verify({ timeline }: Debugger, most: number): void {
    const { load } = this.#reports
    const isStale = (): boolean => this.#reports.load !== load
    void verify(timeline, most, this.#surroundings, isStale, state => {
      if (!isStale()) this.#reports.send({ is: 'verified', load, state })
    })
  }

  #drop(): void {
    this.#player?.close()
    this.#player = null
  }

  get #scenario(): { id: string } {
    return { id: this.#program?.checked.parts.scenario.id ?? '' }
  }

  #problemOf(error: RunError): Problem {
    const at = error.at ?? this.#scenario
    return problem(error.code, error.from === undefined ? at : { ...at, from: error.from, to: error.to ?? error.from }, error.params)
  }
}
