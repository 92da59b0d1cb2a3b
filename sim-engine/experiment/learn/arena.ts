// Where episodes take place: a run of the model, one after the other, stopped between two instants and gone on with. Hand-coded environments of benches
// and tests are arenas, too.
import type { Plain, RunResult } from '../../messages.ts'
import { problem, RunError, type Problem } from '../../problems.ts'
import type { Program } from '../../compile.ts'
import type { State } from '../../kernel/snapshot.ts'
import { start, type Run } from '../../run.ts'
import type { Decider } from '../../run/decisions.ts'
import { Told } from '../../../model-schema/words.ts'

export type Arena = {
  /** Begins the episode that belongs to a seed. */
  begin(seed: number): void
  /** Continues until `enough` says so (asked now and then, between instants), or the episode is over. */
  go(decider: Decider, enough: () => boolean): 'more' | 'over'
  /** Everything an episode under way is. */
  save(): State
  load(state: State, seed: number): void
}

/** An episode went wrong: the model's own problem. */
export class EpisodeFailed extends Told {
  override readonly name = 'EpisodeFailed'
  readonly problem: Problem
  readonly seed: number

  constructor(problem: Problem, seed: number) {
    super(problem.message)
    this.problem = problem
    this.seed = seed
  }
}

type ModelArena = {
  readonly program: Program
  readonly inputs: Readonly<Record<string, Plain>>
  readonly ticks: number | null
  readonly stepLimit: number | null
}

/** Ends by rules of the model; all others only cut an episode short. */
export const isOver = (result: RunResult): boolean =>
  result.end === 'terminated' || (result.end === 'success' && (result.reason === 'stop-condition' || result.reason === 'nothing-left'))

export function modelArena({ program, inputs, ticks, stepLimit }: ModelArena): Arena {
  let run: Run | null = null
  let episode = 0
  const fresh = (seed: number): Run =>
    start(program, { seed, inputs: { ...inputs }, ...(ticks === null ? {} : { ticks }), ...(stepLimit === null ? {} : { stepLimit }) })
  return {
    begin(seed) {
      episode = seed
      if (run === null) run = fresh(seed)
      else run.restart(seed)
    },
    go(decider, enough) {
      if (run === null) throw new RangeError('learn: an episode that was not begun')
      run.decisions.decider = decider
      if (run.result === null) run.advance({ enough })
      // The output of an episode is not read.
      run.takeOutput()
      if (run.result === null) return 'more'
      if (run.result.end === 'failed') throw new EpisodeFailed(run.result.problem, episode)
      try {
        run.decisions.end(isOver(run.result))
      } catch (error) {
        if (!(error instanceof RunError)) throw error
        const { code, at = { id: program.checked.parts.scenario.id }, params } = error
        throw new EpisodeFailed(problem(code, at, params), episode)
      }
      return 'over'
    },
    save: () => (run === null ? null : (run.snapshot().state as State)),
    load(state, seed) {
      episode = seed
      run = fresh(seed)
      if (state !== null) run.restore({ version: 1, program: program.checked.parts.scenario.id, state })
    },
  }
}
