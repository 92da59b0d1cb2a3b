// A training: rounds of playing and learning, a test after each epoch, and its whole state as plain data, so that it can continue elsewhere. Its
// results depend on its settings, its model and its seed alone.
import { recordOf, type State } from '../../kernel/snapshot.ts'
import type { Arena } from './arena.ts'
import type { Figures, Learner, LearnedPolicy, Spaces } from './learner.ts'
import { Place, type Actor, type Episode } from './place.ts'
import { say, Told } from '../../../model-schema/words.ts'

export type Schedule = {
  readonly seed: number
  readonly epochs: number
  /** An epoch is over after so many episodes, or where that is 0, after so many decisions. */
  readonly episodesPerEpoch: number
  readonly stepsPerEpoch: number
  /** The training ends when the mean of a test is that good. */
  readonly rewardThreshold: number | null
  readonly trainingEnvironments: number
  readonly testEnvironments: number
  readonly testEpisodes: number
  readonly mostDecisions: number
}

/** What an epoch gave. Returns are sums of rewards of whole episodes. */
export type EpochRow = {
  readonly epoch: number
  /** Decisions and episodes so far. */
  readonly decisions: number
  readonly episodes: number
  /** Of the episodes that ended in the epoch, while learning: NaN where none did. */
  readonly learning: number
  readonly length: number
  readonly test: Tested
  readonly figures: Figures
}

/** Returns of test episodes: mean, half-width of its interval at 95 %, lowest, highest, and mean number of decisions. */
export type Tested = { readonly mean: number; readonly half: number; readonly low: number; readonly high: number; readonly length: number }

/** Learning went astray: some weight is no finite number any more. */
class WeightsLost extends Told {
  override readonly name = 'WeightsLost'

  constructor() {
    super(say('The weights grew without bound. Try a lower learning rate, or scale the rewards down.'))
  }
}

export type Ending = 'epochs' | 'threshold' | null

export class Training {
  readonly schedule: Schedule
  readonly learner: Learner
  readonly spaces: Spaces
  readonly rows: EpochRow[] = []
  /** The policy with the best test so far. */
  best: { epoch: number; mean: number; policy: LearnedPolicy | null } | null = null
  ending: Ending = null
  decisions = 0
  episodes = 0
  readonly #places: Place[]
  readonly #tests: Place[]
  #inEpoch: Episode[] = []
  #stepsInEpoch = 0
  #figures: Figures = {}

  constructor(schedule: Schedule, learner: Learner, spaces: Spaces, arena: () => Arena) {
    this.schedule = schedule
    this.spaces = spaces
    this.learner = learner
    const { seed, mostDecisions: most } = schedule
    const { inputs } = spaces
    this.#places = Array.from(
      { length: schedule.trainingEnvironments },
      (_, number) => new Place(arena(), { seed, role: 'train', number, most, inputs, others: spaces.others ?? 0 }),
    )
    this.#tests = Array.from(
      { length: Math.min(schedule.testEnvironments, schedule.testEpisodes) },
      (_, number) => new Place(arena(), { seed, role: 'test', number, most, inputs }),
    )
  }

  /** How much of it is done, 0 .. 1. */
  get part(): number {
    const { epochs, episodesPerEpoch, stepsPerEpoch } = this.schedule
    const inEpoch = episodesPerEpoch > 0 ? this.#inEpoch.length / episodesPerEpoch : this.#stepsInEpoch / stepsPerEpoch
    return Math.min(1, (this.rows.length + Math.min(1, inEpoch)) / epochs)
  }

  /** One round; true while there is more to come. Throws EpisodeFailed when the model does. */
  round(): boolean {
    if (this.ending !== null) return false
    const { round } = this.learner
    const [transitions, episodes] = 'episodes' in round ? [Infinity, round.episodes] : [round.transitions, Infinity]
    this.#places.forEach((place, k) => {
      const ended = place.play(
        this.learner.act(k),
        transition => {
          this.#stepsInEpoch++
          this.decisions++
          this.learner.tell(k, transition)
        },
        transitions,
        episodes,
      )
      this.episodes += ended.length
      this.#inEpoch.push(...ended)
    })
    const figures = this.learner.learn(this.part)
    if (!Object.values(figures).every(Number.isFinite)) throw new WeightsLost()
    if (Object.keys(figures).length > 0) this.#figures = figures
    const { episodesPerEpoch, stepsPerEpoch } = this.schedule
    if (episodesPerEpoch > 0 ? this.#inEpoch.length >= episodesPerEpoch : this.#stepsInEpoch >= stepsPerEpoch) this.#close()
    return this.ending === null
  }

  #close(): void {
    const { epochs, rewardThreshold } = this.schedule
    const test = this.tested(this.learner.best)
    const n = this.#inEpoch.length
    this.rows.push({
      epoch: this.rows.length + 1,
      decisions: this.decisions,
      episodes: this.episodes,
      learning: n === 0 ? NaN : this.#inEpoch.reduce((sum, { reward }) => sum + reward, 0) / n,
      length: n === 0 ? NaN : this.#inEpoch.reduce((sum, { decisions }) => sum + decisions, 0) / n,
      test,
      figures: this.#figures,
    })
    this.#inEpoch = []
    this.#stepsInEpoch = 0
    if (this.best === null || test.mean > this.best.mean)
      this.best = { epoch: this.rows.length, mean: test.mean, policy: this.learner.policy() }
    if (rewardThreshold !== null && test.mean >= rewardThreshold) this.ending = 'threshold'
    else if (this.rows.length >= epochs) this.ending = 'epochs'
  }

  /** The same episodes for all policies: common random numbers. */
  tested(actor: Actor): Tested {
    return testedOf(this.returns(actor))
  }

  returns(actor: Actor): Episode[] {
    const { length } = this.#tests
    return Array.from({ length: this.schedule.testEpisodes }, (_, k) => this.#tests[k % length]!.one(Math.floor(k / length), actor))
  }

  save(): State {
    return {
      rows: this.rows.map(row => ({ ...row, test: { ...row.test }, figures: { ...row.figures } })),
      best: this.best && {
        epoch: this.best.epoch,
        mean: this.best.mean,
        weights: this.best.policy && this.best.policy.weights.slice(),
        shape: this.best.policy && {
          inputs: this.best.policy.shape.inputs,
          layers: this.best.policy.shape.layers.map(layer => ({ ...layer })),
        },
      },
      ending: this.ending,
      decisions: this.decisions,
      episodes: this.episodes,
      inEpoch: this.#inEpoch.map(one => ({ ...one })),
      stepsInEpoch: this.#stepsInEpoch,
      figures: { ...this.#figures },
      learner: this.learner.save(),
      places: this.#places.map(place => place.save()),
    }
  }

  /** Continues from a state. Throws RangeError when it is the state of another training. */
  load(saved: State): void {
    const state = recordOf(saved)
    const places = state['places']
    if (!Array.isArray(places) || places.length !== this.#places.length) throw new RangeError('learn: the state of another training')
    this.rows.splice(0, this.rows.length, ...(state['rows'] as unknown as EpochRow[]))
    const best = state['best'] === null || state['best'] === undefined ? null : recordOf(state['best'])
    this.best = best && {
      epoch: Number(best['epoch']),
      mean: Number(best['mean']),
      policy: best['weights'] ? ({ weights: best['weights'], shape: best['shape'] } as unknown as LearnedPolicy) : null,
    }
    this.ending = state['ending'] as Ending
    // With more epochs than before it continues.
    if (this.ending === 'epochs' && this.rows.length < this.schedule.epochs) this.ending = null
    this.decisions = Number(state['decisions'])
    this.episodes = Number(state['episodes'])
    this.#inEpoch = (state['inEpoch'] as unknown as Episode[]).map(one => ({ ...one }))
    this.#stepsInEpoch = Number(state['stepsInEpoch'])
    this.#figures = { ...(state['figures'] as unknown as Figures) }
    this.learner.load(state['learner'] ?? null)
    places.forEach((place, k) => this.#places[k]!.load(place as State))
  }
}

export function testedOf(episodes: readonly Episode[]): Tested {
  const n = episodes.length
  const mean = episodes.reduce((sum, { reward }) => sum + reward, 0) / n
  const square = episodes.reduce((sum, { reward }) => sum + (reward - mean) ** 2, 0)
  return {
    mean,
    half: n < 2 ? 0 : 1.96 * Math.sqrt(square / (n - 1) / n),
    low: Math.min(...episodes.map(({ reward }) => reward)),
    high: Math.max(...episodes.map(({ reward }) => reward)),
    length: episodes.reduce((sum, { decisions }) => sum + decisions, 0) / n,
  }
}
