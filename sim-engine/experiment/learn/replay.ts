// Transitions kept to learn from again: a ring of typed arrays, with rewards of several steps added up, drawn evenly or by how surprising they were
// (Schaul and others 2016).
import { pow } from '../../kernel/math.ts'
import { uniform, type Stream } from '../../kernel/random.ts'
import { recordOf, type State } from '../../kernel/snapshot.ts'
import { discountOf, type Spaces } from './learner.ts'
import type { Transition } from './place.ts'
import type { Settings } from './settings.ts'

/** Numbers that all observations kept may have together. */
const mostNumbers = 32_000_000

type Waiting = { first: Transition; reward: number; discount: number; steps: number }

export class Replay {
  readonly capacity: number
  readonly #settings: Settings
  readonly #spaces: Spaces
  readonly #width: number
  readonly #seen: Float32Array
  readonly #next: Float32Array
  readonly #actions: Float32Array
  readonly #rewards: Float32Array
  readonly #discounts: Float32Array
  /** Which combinations are possible next; made when the first mask comes. */
  #masks: Uint8Array | null = null
  /** Sums of priorities as a binary tree; null where all are drawn alike. */
  readonly #tree: Float64Array | null
  readonly #leaves: number
  #greatest = 1
  #at = 0
  count = 0
  /** By place and decider: transitions that wait for rewards of further steps. */
  readonly #waiting = new Map<string, Waiting[]>()

  constructor(settings: Settings, spaces: Spaces) {
    this.#settings = settings
    this.#spaces = spaces
    const { inputs, choices, actions } = spaces
    this.capacity = Math.max(1, Math.min(settings.buffer, Math.floor(mostNumbers / (2 * inputs + 4))))
    this.#width = choices > 0 ? 1 : actions
    this.#seen = new Float32Array(this.capacity * inputs)
    this.#next = new Float32Array(this.capacity * inputs)
    this.#actions = new Float32Array(this.capacity * this.#width)
    this.#rewards = new Float32Array(this.capacity)
    this.#discounts = new Float32Array(this.capacity)
    let leaves = 2
    while (leaves < this.capacity) leaves *= 2
    this.#leaves = leaves
    this.#tree = settings.prioritised ? new Float64Array(2 * this.#leaves) : null
  }

  tell(place: number, one: Transition): void {
    const key = `${place} ${one.decider}`
    let waiting = this.#waiting.get(key)
    if (!waiting) this.#waiting.set(key, (waiting = []))
    const discount = discountOf(this.#settings, one.elapsed, pow)
    waiting.push({ first: one, reward: 0, discount: 1, steps: 0 })
    for (const each of waiting) {
      each.reward += each.discount * one.reward * this.#settings.rewardScale
      each.discount *= discount
      each.steps++
    }
    while (waiting.length > 0 && (one.last || waiting[0]!.steps >= this.#settings.steps)) this.#keep(waiting.shift()!, one)
  }

  #keep({ first, reward, discount }: Waiting, last: Transition): void {
    const { inputs, choices } = this.#spaces
    const at = this.#at
    this.#seen.set(first.seen, at * inputs)
    this.#next.set(last.next, at * inputs)
    if (typeof first.action === 'number') this.#actions[at] = first.action
    else this.#actions.set(first.action, at * this.#width)
    this.#rewards[at] = reward
    this.#discounts[at] = last.terminated ? 0 : discount
    if (choices > 0 && (last.nextAllowed !== null || this.#masks !== null)) {
      this.#masks ??= new Uint8Array(this.capacity * choices).fill(1)
      for (let k = 0; k < choices; k++) this.#masks[at * choices + k] = last.nextAllowed === null || last.nextAllowed[k] === true ? 1 : 0
    }
    this.prioritise(at, null)
    this.#at = (at + 1) % this.capacity
    this.count = Math.min(this.capacity, this.count + 1)
  }

  /** Sets the priority of a transition by its error; null while the error is unknown: the greatest priority. */
  prioritise(at: number, error: number | null): void {
    if (this.#tree === null) return
    const priority = error === null ? this.#greatest : pow(Math.abs(error) + 1e-6, 0.6)
    this.#greatest = Math.max(this.#greatest, priority)
    let node = this.#leaves + at
    this.#tree[node] = priority
    for (node = node >> 1; node >= 1; node >>= 1) this.#tree[node] = this.#tree[2 * node]! + this.#tree[2 * node + 1]!
  }

  /** One that is kept; `weight` mends that surprising ones come more often, wholly where `mend` is 1. */
  draw(draws: Stream, mend: number): { at: number; weight: number } {
    if (this.#tree === null) return { at: Math.floor(uniform(draws) * this.count), weight: 1 }
    let left = uniform(draws) * this.#tree[1]!
    let node = 1
    while (node < this.#leaves) {
      const below = this.#tree[2 * node]!
      if (left < below || this.#tree[2 * node + 1] === 0) node *= 2
      else {
        left -= below
        node = 2 * node + 1
      }
    }
    const at = Math.min(this.count - 1, node - this.#leaves)
    return { at, weight: pow((this.count * this.#tree[node]!) / this.#tree[1]!, -mend) }
  }

  seen(at: number): Float32Array {
    return this.#seen.subarray(at * this.#spaces.inputs, (at + 1) * this.#spaces.inputs)
  }

  next(at: number): Float32Array {
    return this.#next.subarray(at * this.#spaces.inputs, (at + 1) * this.#spaces.inputs)
  }

  action(at: number): Float32Array {
    return this.#actions.subarray(at * this.#width, (at + 1) * this.#width)
  }

  reward(at: number): number {
    return this.#rewards[at]!
  }

  /** What the value of what comes next is multiplied by: 0 where nothing does. */
  discount(at: number): number {
    return this.#discounts[at]!
  }

  allowedNext(at: number): readonly boolean[] | null {
    const { choices } = this.#spaces
    const masks = this.#masks
    return masks && Array.from({ length: choices }, (_, k) => masks[at * choices + k] === 1)
  }

  save(): State {
    const { count } = this
    return {
      count,
      at: this.#at,
      greatest: this.#greatest,
      seen: this.#seen.slice(0, count * this.#spaces.inputs),
      next: this.#next.slice(0, count * this.#spaces.inputs),
      actions: this.#actions.slice(0, count * this.#width),
      rewards: this.#rewards.slice(0, count),
      discounts: this.#discounts.slice(0, count),
      masks: this.#masks && this.#masks.slice(0, count * this.#spaces.choices),
      priorities: this.#tree && this.#tree.slice(this.#leaves, this.#leaves + count),
      waiting: Array.from(this.#waiting, ([key, list]) => [
        key,
        ...list.map(one => ({ ...one, first: { ...one.first } as unknown as State })),
      ]),
    }
  }

  load(saved: State): void {
    const state = recordOf(saved)
    this.count = Number(state['count'])
    this.#at = Number(state['at'])
    this.#greatest = Number(state['greatest'])
    this.#seen.set(state['seen'] as Float32Array)
    this.#next.set(state['next'] as Float32Array)
    this.#actions.set(state['actions'] as Float32Array)
    this.#rewards.set(state['rewards'] as Float32Array)
    this.#discounts.set(state['discounts'] as Float32Array)
    const { masks, priorities } = state
    this.#masks = masks ? new Uint8Array(this.capacity * this.#spaces.choices).fill(1) : null
    this.#masks?.set(masks as Uint8Array)
    if (this.#tree && priorities) {
      this.#tree.fill(0)
      this.#tree.set(priorities as Float64Array, this.#leaves)
      for (let node = this.#leaves - 1; node >= 1; node--) this.#tree[node] = this.#tree[2 * node]! + this.#tree[2 * node + 1]!
    }
    this.#waiting.clear()
    for (const [key, ...list] of state['waiting'] as unknown as readonly [string, ...Waiting[]][])
      this.#waiting.set(
        key,
        list.map(one => ({ ...one })),
      )
  }
}
