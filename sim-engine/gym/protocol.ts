// A model as an environment for trainers elsewhere: one JSON document a line, in and out, one after the other. The run waits inside a Decide step while the
// other side makes up its mind, as with the cycle of agents in PettingZoo; with a single decider that is Gymnasium's `reset` and `step`.
import { z } from 'zod'
import { isOver } from '../experiment/learn/arena.ts'
import { start, type Run } from '../run.ts'
import type { RunOptions } from '../messages.ts'
import type { Program } from '../compile.ts'
import type { Decider, Decision, DecisionPoint, Ended } from '../run/decisions.ts'
import { english } from '../../model-schema/words.ts'

/** Longest line that is read, in characters. */
export const longestLine = 1_000_000

const command = z.discriminatedUnion('do', [
  z.object({ do: z.literal('spaces') }),
  z.object({ do: z.literal('reset'), seed: z.number().int().min(0).max(0xffff_ffff).optional() }),
  z.object({ do: z.literal('step'), action: z.union([z.number(), z.array(z.number()).max(1000)]) }),
  z.object({ do: z.literal('close') }),
])
type Command = z.infer<typeof command>

/** Reads the next line, without its end; null when there is none any more. Waits for it. */
export type ReadLine = () => string | null

/** The other side begins a new episode, or is gone, while the run waits inside a step. */
class Abandoned extends Error {
  override readonly name = 'Abandoned'
  readonly next: Command | null

  constructor(next: Command | null) {
    super('the episode was left')
    this.next = next
  }
}

/** Where a decider is in its episode. */
type Turn = {
  readonly decider: string
  readonly observation: readonly number[]
  readonly reward: number
  readonly terminated: boolean
  readonly truncated: boolean
  readonly mask: readonly boolean[] | null
  readonly time: number
}

const nameOf = ({ point, owner }: Pick<Decision | Ended, 'point' | 'owner'>): string => (owner < 0 ? point.id : `${point.id} ${owner}`)

/**
 * Serves until `close` or the end of the lines. Answers to a command that cannot be done, or to an invalid line, are `{"error": ...}`; the
 * episode continues after them, unless the model has failed.
 */
export function serveGym(program: Program, options: RunOptions, read: ReadLine, write: (line: string) => void): void {
  const tell = (answer: object): void => write(JSON.stringify(answer))
  const next = (): Command | null => {
    for (;;) {
      const line = read()
      if (line === null) return null
      if (line.trim() === '') continue
      const parsed = commandOf(line)
      if (typeof parsed !== 'string') return parsed
      tell({ error: parsed })
    }
  }
  const environment = new Environment(program, options, next, tell)
  for (let asked = next(); asked !== null && asked.do !== 'close';) asked = environment.answer(asked)
}

/** What a line asks for, or what is wrong with it. */
function commandOf(line: string): Command | string {
  if (line.length > longestLine) return `a line has at most ${longestLine} characters`
  let given: unknown
  try {
    given = JSON.parse(line)
  } catch {
    return 'a line is a JSON document'
  }
  const { success, data } = command.safeParse(given)
  return success
    ? data
    : 'a command is {"do": "spaces"}, {"do": "reset", "seed": whole number}, {"do": "step", "action": number or list} or {"do": "close"}'
}

class Environment implements Decider {
  readonly inputs = null
  readonly #run: Run
  readonly #next: () => Command | null
  readonly #tell: (answer: object) => void
  readonly #firstSeed: number
  #episode = 0
  /** Ended deciders with results that are still to be sent. */
  #ended: Turn[] = []

  constructor(program: Program, options: RunOptions, next: () => Command | null, tell: (answer: object) => void) {
    this.#run = start(program, options)
    this.#firstSeed = this.#run.seed
    this.#next = next
    this.#tell = tell
  }

  /** Does what is asked for between two episodes. Returns what is asked for next. */
  answer(asked: Command): Command | null {
    if (asked.do === 'reset') return this.#play(asked.seed)
    if (asked.do === 'spaces') this.#tell(this.#spaces())
    else this.#tell({ error: 'there is no episode: reset first' })
    return this.#next()
  }

  #spaces(): object {
    const points = this.#run.decisions.points.filter(({ learns }) => learns)
    return {
      deciders: points.map(({ id, seen, actions, choices }) => ({
        step: id,
        observations: seen.map(({ low, high }) => ({ low, high })),
        actions: actions.map(({ low, high, whole }) => ({ low, high, whole })),
        choices,
      })),
    }
  }

  /** Plays one episode. Returns what is asked for next, which the episode cannot answer. */
  #play(seed: number | undefined): Command | null {
    const run = this.#run
    // Without a seed every episode is another one.
    run.restart(seed ?? (this.#firstSeed + this.#episode) % 0x1_0000_0000)
    this.#episode++
    this.#ended = []
    run.decisions.decider = this
    try {
      while (run.result === null) {
        run.advance({ ticks: 1000 })
        run.takeOutput()
      }
    } catch (error) {
      if (error instanceof Abandoned) return error.next
      throw error
    }
    const { result } = run
    if (result.end === 'failed') {
      const { problem } = result
      this.#tell({ error: english(problem.message), code: problem.code, element: problem.at.id })
      return this.#next()
    }
    run.decisions.end(isOver(result))
    const [last, ...others] = this.#ended
    this.#tell(last ? { ...last, over: true, ended: others } : { over: true, ended: [] })
    return this.#next()
  }

  decide(decision: Decision): number | readonly number[] {
    const { point, seen, reward, done, allowed, time } = decision
    const turn: Turn = {
      decider: nameOf(decision),
      observation: seen,
      reward: reward ?? 0,
      terminated: done,
      truncated: false,
      mask: allowed,
      time,
    }
    if (done) {
      this.#ended.push(turn)
      return 0
    }
    this.#tell({ ...turn, over: false, ended: this.#ended.splice(0) })
    for (;;) {
      const asked = this.#next()
      if (asked === null || asked.do === 'close' || asked.do === 'reset') throw new Abandoned(asked)
      if (asked.do === 'spaces') {
        this.#tell(this.#spaces())
        continue
      }
      const wrong = faultOf(point, allowed, asked.action)
      if (wrong === null) return asked.action
      this.#tell({ error: wrong })
    }
  }

  ended({ seen, reward, terminated, time, ...of }: Ended): void {
    this.#ended.push({ decider: nameOf(of), observation: seen, reward, terminated, truncated: !terminated, mask: null, time })
  }
}

/** Why an action cannot be taken; null when it can. */
function faultOf(
  { choices, actions }: DecisionPoint,
  allowed: readonly boolean[] | null,
  action: number | readonly number[],
): string | null {
  if (choices > 0) {
    if (typeof action !== 'number' || !Number.isInteger(action) || action < 0 || action >= choices)
      return `an action is a whole number from 0 to ${choices - 1}`
    return allowed !== null && allowed[action] !== true ? `action ${action} is not possible now` : null
  }
  return typeof action === 'number' || action.length !== actions.length || !action.every(Number.isFinite)
    ? `an action is a list of ${actions.length} numbers from -1 to 1`
    : null
}
