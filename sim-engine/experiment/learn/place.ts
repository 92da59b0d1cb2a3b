// A numbered place where one episode after the other is played: it turns decisions into transitions.
import { bits, stream, type Stream } from '../../kernel/random.ts'
import type { State } from '../../kernel/snapshot.ts'
import { recordOf } from '../../kernel/snapshot.ts'
import type { Decider, Decision, Ended } from '../../run/decisions.ts'
import type { Arena } from './arena.ts'

/** An action as learners know it: the number of a combination, or numbers of which -1..1 are lowest..highest. */
export type Action = number | readonly number[]

/** A chosen action, with how likely it was: the logarithm. Null: what the policy in the model would do, which nothing is learned from. */
export type Chosen = { readonly action: Action | null; readonly likelihood: number }

export type Transition = {
  /** Distinguishes the deciders of a place. */
  readonly decider: number
  readonly seen: readonly number[]
  readonly allowed: readonly boolean[] | null
  readonly action: Action
  readonly likelihood: number
  readonly reward: number
  readonly next: readonly number[]
  readonly nextAllowed: readonly boolean[] | null
  /** The episode is over by its rules: nothing comes after. */
  readonly terminated: boolean
  /** Nothing comes after in this episode, whatever the reason. */
  readonly last: boolean
  /** Model time between the two decisions. */
  readonly elapsed: number
  /** What the decider saw, then what the others had seen last, in a fixed order; null when no learner uses it. */
  readonly state: readonly number[] | null
  readonly nextState: readonly number[] | null
}

export type Episode = { readonly reward: number; readonly decisions: number }

/** Chooses the action: with a stream of the place for random choices, and what distinguishes the deciders of a place. */
export type Actor = (seen: readonly number[], allowed: readonly boolean[] | null, draws: Stream, decider: number) => Chosen

type Pending = {
  seen: readonly number[]
  allowed: readonly boolean[] | null
  action: Action | null
  likelihood: number
  time: number
  state: readonly number[] | null
}

/** What a place needs of its training. */
type PlaceOptions = {
  readonly seed: number
  /** `train` and `test` places have other episodes. */
  readonly role: 'train' | 'test'
  readonly number: number
  /** Most decisions of one decider in an episode. */
  readonly most: number
  /** How many numbers are seen each time; not known yet where it is missing. */
  readonly inputs?: number
  /** How many other deciders' observations transitions come with; none where it is missing. */
  readonly others?: number
}

/** The seed of an episode: of the experiment's seed, the place and its number alone. */
const episodeSeed = (seed: number, role: string, place: number, episode: number): number => bits(stream(seed, episode, `${role} ${place}`))

export class Place {
  readonly #arena: Arena
  readonly #options: PlaceOptions
  readonly #draws: Stream
  #episode = -1
  #time = 0
  #reward = 0
  #decisions = 0
  /** Of the deciders with an open transition. */
  readonly #pending = new Map<number, Pending>()
  readonly #counts = new Map<number, number>()
  /** What each decider saw last. */
  readonly #lastSeen = new Map<number, readonly number[]>()
  /** The episode is over although the run continues: the tokens still to come are done. */
  #isDone = false

  constructor(arena: Arena, options: PlaceOptions) {
    this.#arena = arena
    this.#options = options
    this.#draws = stream(options.seed, options.number, `${options.role} draws`)
  }

  /** Begins the next episode, or the one of this number. */
  #begin(episode = this.#episode + 1): void {
    const { seed, role, number } = this.#options
    this.#episode = episode
    this.#reward = 0
    this.#decisions = 0
    this.#isDone = false
    this.#pending.clear()
    this.#counts.clear()
    this.#lastSeen.clear()
    this.#arena.begin(episodeSeed(seed, role, number, episode))
  }

  /** Plays until `transitions` have been reported, or `episodes` have ended. Returns the episodes that ended. */
  play(actor: Actor, tell: (transition: Transition) => void, transitions: number, episodes = Infinity): Episode[] {
    const ended: Episode[] = []
    let told = 0
    const count = (transition: Transition): void => {
      told++
      tell(transition)
    }
    const decider = this.#decider(actor, count)
    if (this.#episode < 0) this.#begin()
    for (;;) {
      if (told >= transitions || ended.length >= episodes) return ended
      const state = this.#arena.go(decider, () => this.#isDone || told >= transitions)
      if (state === 'more' && !this.#isDone) continue
      ended.push({ reward: this.#reward, decisions: this.#decisions })
      this.#begin()
    }
  }

  /** Plays one episode from its beginning. */
  one(episode: number, actor: Actor): Episode {
    this.#begin(episode)
    const decider = this.#decider(actor, () => undefined)
    while (this.#arena.go(decider, () => this.#isDone) === 'more' && !this.#isDone);
    return { reward: this.#reward, decisions: this.#decisions }
  }

  #decider(actor: Actor, tell: (transition: Transition) => void): Decider {
    const close = (
      key: number,
      pending: Pending,
      reward: number,
      next: readonly number[],
      nextAllowed: Pending['allowed'],
      ends: boolean,
      last: boolean,
      time: number,
    ): void => {
      this.#reward += reward
      this.#decisions++
      const { seen, allowed, action, likelihood } = pending
      if (action === null) return
      tell({
        decider: key,
        seen,
        allowed,
        action,
        likelihood,
        reward,
        next,
        nextAllowed,
        terminated: ends,
        last,
        elapsed: time - pending.time,
        state: pending.state,
        nextState: this.#stateOf(key, next),
      })
    }
    return {
      inputs: this.#options.inputs ?? null,
      decide: decision => {
        const { seen, reward, done, allowed, time } = decision
        this.#time = time
        const key = keyOf(decision)
        const pending = this.#pending.get(key)
        if (this.#options.others) this.#lastSeen.set(key, seen)
        if (this.#isDone) return done ? 0 : actor(seen, allowed, this.#draws, key).action
        const made = (this.#counts.get(key) ?? 0) + (pending && reward !== null ? 1 : 0)
        this.#counts.set(key, made)
        const isLong = made >= this.#options.most
        const over = done || isLong
        if (pending && reward !== null) close(key, pending, reward, seen, allowed, done, over, time)
        if (over) {
          this.#pending.delete(key)
          // The episode is over when no decider waits for the result of an action.
          if (this.#pending.size === 0) this.#isDone = true
          return done ? 0 : actor(seen, allowed, this.#draws, key).action
        }
        const chosen = actor(seen, allowed, this.#draws, key)
        this.#pending.set(key, { seen, allowed, time, state: this.#stateOf(key, seen), ...chosen })
        return chosen.action
      },
      ended: end => {
        const key = keyOf(end)
        const pending = this.#pending.get(key)
        this.#pending.delete(key)
        if (pending && !this.#isDone) close(key, pending, end.reward, end.seen, null, end.terminated, true, end.time)
      },
    }
  }

  /** What a decider sees, then what the others saw last, in the order of their keys; zeros for those that are missing. */
  #stateOf(key: number, seen: readonly number[]): readonly number[] | null {
    const { others = 0 } = this.#options
    if (others === 0) return null
    const state = [...seen]
    const length = seen.length * (1 + others)
    for (const [other, last] of [...this.#lastSeen].toSorted(([a], [b]) => a - b))
      if (other !== key && state.length < length) state.push(...last)
    while (state.length < length) state.push(0)
    return state
  }

  save(): State {
    return {
      episode: this.#episode,
      reward: this.#reward,
      decisions: this.#decisions,
      time: this.#time,
      done: this.#isDone,
      draws: this.#draws.slice(),
      counts: [...this.#counts].flat(),
      lastSeen: Array.from(this.#lastSeen, ([key, seen]) => [key, ...seen]),
      pending: Array.from(this.#pending, ([key, { seen, allowed, action, likelihood, time, state }]) => [
        key,
        [...seen],
        allowed && [...allowed],
        typeof action === 'number' || action === null ? action : [...action],
        likelihood,
        time,
        state && [...state],
      ]),
      arena: this.#episode < 0 ? null : this.#arena.save(),
    }
  }

  load(saved: State): void {
    const state = recordOf(saved)
    const { seed, role, number } = this.#options
    this.#episode = Number(state['episode'])
    this.#reward = Number(state['reward'])
    this.#decisions = Number(state['decisions'])
    this.#time = Number(state['time'])
    this.#isDone = state['done'] === true
    this.#draws.set(state['draws'] as Int32Array)
    this.#counts.clear()
    const counts = state['counts'] as readonly number[]
    for (let k = 0; k + 1 < counts.length; k += 2) this.#counts.set(counts[k]!, counts[k + 1]!)
    this.#lastSeen.clear()
    for (const [key, ...seen] of state['lastSeen'] as readonly (readonly [number, ...number[]])[]) this.#lastSeen.set(key, seen)
    this.#pending.clear()
    type Entry = readonly [number, number[], boolean[] | null, Action, number, number, number[] | null]
    for (const [key, seen, allowed, action, likelihood, time, all] of state['pending'] as readonly Entry[])
      this.#pending.set(key, { seen, allowed, action, likelihood, time, state: all })
    if (this.#episode >= 0) this.#arena.load(state['arena'] ?? null, episodeSeed(seed, role, number, this.#episode))
  }
}

/** A decision point together with one actor. */
const keyOf = ({ point, owner }: Pick<Decision | Ended, 'point' | 'owner'>): number => point.step * 4294967296 + (owner + 1)
