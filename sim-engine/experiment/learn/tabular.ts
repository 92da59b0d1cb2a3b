// Tables of values, one row for each observation that came: Q-learning (Watkins 1989) and SARSA (Rummery and Niranjan 1994).
import { pow } from '../../kernel/math.ts'
import { below, uniform } from '../../kernel/random.ts'
import { recordOf, type State } from '../../kernel/snapshot.ts'
import { bestAllowed, limits } from '../../learn/net/shape.ts'
import { discountOf, type LearnedPolicy, type Learner, type Spaces } from './learner.ts'
import type { Transition } from './place.ts'
import type { Settings } from './settings.ts'

export function tabular(settings: Settings, { inputs, choices }: Spaces, places: number): Learner {
  const table = new Map<string, Float64Array>()
  let exploration = settings.explorationStart
  let told: (readonly [place: number, one: Transition])[] = []
  /** SARSA: what waits for the action after, by place and decider. */
  const waiting = new Map<string, Transition>()
  const none = new Float64Array(choices)
  const rowOf = (seen: readonly number[]): Float64Array => table.get(seen.join()) ?? none

  function move(one: Transition, next: number): number {
    const key = one.seen.join()
    let row = table.get(key)
    if (!row) table.set(key, (row = new Float64Array(choices)))
    const goal = one.reward * settings.rewardScale + discountOf(settings, one.elapsed, pow) * next
    const action = one.action as number
    const error = goal - row[action]!
    row[action]! += settings.alpha * error
    return error
  }

  function learnFrom(place: number, one: Transition): number {
    if (settings.algorithm === 'qlearning') {
      const row = rowOf(one.next)
      const action = bestAllowed(row, one.nextAllowed)
      return move(one, one.terminated || action < 0 ? 0 : row[action]!)
    }
    const key = `${place} ${one.decider}`
    const before = waiting.get(key)
    let error = before ? move(before, rowOf(one.seen)[one.action as number]!) : 0
    waiting.delete(key)
    if (one.terminated) error = move(one, 0)
    else if (one.last) error = move(one, Math.max(...rowOf(one.next)))
    else waiting.set(key, one)
    return error
  }

  return {
    round: { transitions: Math.max(1, Math.floor(settings.rollout / places)) },
    act: () => (seen, allowed, chance) => {
      if (uniform(chance) < exploration) {
        const possible = allowed?.flatMap((is, k) => (is ? [k] : []))
        return { action: possible ? possible[below(chance, possible.length)]! : below(chance, choices), likelihood: 0 }
      }
      return { action: bestAllowed(rowOf(seen), allowed), likelihood: 0 }
    },
    best: (seen, allowed) => ({ action: bestAllowed(rowOf(seen), allowed), likelihood: 0 }),
    tell(place, transition) {
      told.push([place, transition])
    },
    learn(part) {
      const gone = settings.explorationShare > 0 ? Math.min(1, part / settings.explorationShare) : 1
      exploration = settings.explorationStart + gone * (settings.explorationEnd - settings.explorationStart)
      let off = 0
      for (const [place, one] of told) off += Math.abs(learnFrom(place, one))
      const made = told.length
      told = []
      return { loss: made === 0 ? 0 : off / made, states: table.size, exploration }
    },
    save: () => ({
      table: Array.from(table, ([key, row]) => [key, row.slice()]),
      waiting: Array.from(waiting, ([key, one]) => [key, { ...one } as unknown as State]),
      exploration,
    }),
    load(saved: State) {
      const state = recordOf(saved)
      table.clear()
      for (const [key, row] of state['table'] as unknown as readonly (readonly [string, Float64Array])[]) table.set(key, row.slice())
      waiting.clear()
      for (const [key, one] of state['waiting'] as unknown as readonly (readonly [string, Transition])[]) waiting.set(key, one)
      exploration = Number(state['exploration'])
    },
    policy: () => (inputs === 1 && table.size > 0 && table.size <= limits.width ? asNetwork(table, choices) : null),
  }
}

/** A table of one observation as a network: between neighbouring observations its outputs go in straight lines from 1 (best) or 0 to 1 or 0. */
function asNetwork(table: ReadonlyMap<string, Float64Array>, choices: number): LearnedPolicy {
  const points = Array.from(table, ([key, row]) => ({ x: Number(key), best: bestAllowed(row, null) })).toSorted((a, b) => a.x - b.x)
  const size = Math.max(1, points.length - 1)
  const weights = new Float32Array(2 * size + (size + 1) * choices)
  weights.fill(1, 0, size)
  points.slice(0, size).forEach(({ x }, k) => (weights[size + k] = -x))
  const at = (point: number, action: number): number => (points[point]!.best === action ? 1 : 0)
  for (let action = 0; action < choices; action++) {
    let before = 0
    for (let k = 0; k + 1 < points.length; k++) {
      const slope = (at(k + 1, action) - at(k, action)) / (points[k + 1]!.x - points[k]!.x)
      weights[2 * size + k * choices + action] = slope - before
      before = slope
    }
    weights[2 * size + size * choices + action] = at(0, action)
  }
  return {
    shape: {
      inputs: 1,
      layers: [
        { size, activation: 'relu' },
        { size: choices, activation: 'linear' },
      ],
    },
    weights,
  }
}
