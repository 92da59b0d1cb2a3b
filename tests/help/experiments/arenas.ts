// Hand-coded environments as arenas: the published ones, for tests and benches of learning. Rules: Barto, Sutton and Anderson 1983 as Gymnasium has it
// (CartPole), and Gymnasium's Pendulum-v1, MountainCarContinuous-v0 and Acrobot-v1 (Sutton 1996).
import type { Arena } from '../../../sim-engine/experiment/learn/arena.ts'
import { stream, uniform, type Stream } from '../../../sim-engine/kernel/random.ts'
import * as math from '../../../sim-engine/kernel/math.ts'
import type { DecisionPoint } from '../../../sim-engine/run/decisions.ts'

export type Rules = {
  choices: number
  actions: number
  most: number
  begin(draws: Stream): number[]
  /** Changes the state; the reward, and whether it is over by the rules. */
  step(state: number[], action: number | readonly number[], draws: Stream): { reward: number; over: boolean }
  see(state: readonly number[]): number[]
}

export function arenaOf(rules: Rules): Arena {
  const point = {
    step: 0,
    choices: rules.choices,
    actions: Array.from({ length: rules.actions }, () => ({ low: -1, high: 1, whole: rules.choices > 0 })),
  } as unknown as DecisionPoint
  let state: number[] = []
  let draws: Stream = stream(0, 0, 'arena')
  let made = 0
  let before: { reward: number; over: boolean } | null = null
  return {
    begin(seed) {
      draws = stream(seed, 0, 'arena')
      state = rules.begin(draws)
      made = 0
      before = null
    },
    go(decider, enough) {
      for (;;) {
        const seen = rules.see(state)
        const [reward, done] = [before?.reward ?? null, before?.over ?? false]
        if (!done && made >= rules.most) {
          decider.ended({ point, owner: -1, seen, reward: reward ?? 0, terminated: false, time: made })
          return 'over'
        }
        const action = decider.decide({ point, owner: -1, seen, reward, done, allowed: null, time: made })
        if (done) return 'over'
        before = rules.step(state, action!, draws)
        made++
        if (enough()) return 'more'
      }
    },
    save: () => ({ state: [...state], draws: draws.slice(), made, reward: before?.reward ?? null, over: before?.over ?? false }),
    load(saved) {
      const {
        state: kept,
        draws: words,
        made: count,
        reward,
        over,
      } = saved as unknown as { state: number[]; draws: Int32Array; made: number; reward: number | null; over: boolean }
      state = [...kept]
      draws = words.slice()
      made = count
      before = reward === null ? null : { reward, over }
    },
  }
}

const around = (draws: Stream, reach: number): number => (2 * uniform(draws) - 1) * reach

export const cartPole = (most = 500): Rules => ({
  choices: 2,
  actions: 1,
  most,
  begin: draws => Array.from({ length: 4 }, () => around(draws, 0.05)),
  step(state, action) {
    const [x, v, angle, turn] = state as [number, number, number, number]
    const force = action === 1 ? 10 : -10
    const [c, s] = [math.cos(angle), math.sin(angle)]
    const part = (force + 0.05 * turn * turn * s) / 1.1
    const bend = (9.8 * s - c * part) / (0.5 * (4 / 3 - (0.1 * c * c) / 1.1))
    const push = part - (0.05 * bend * c) / 1.1
    state[0] = x + 0.02 * v
    state[1] = v + 0.02 * push
    state[2] = angle + 0.02 * turn
    state[3] = turn + 0.02 * bend
    return { reward: 1, over: Math.abs(state[0]) > 2.4 || Math.abs(state[2]) > 0.20943951023931953 }
  },
  see: ([x, v, angle, turn]) => [x! / 2.4, v! / 3, angle! / 0.21, turn! / 3],
})

export const pendulum: Rules = {
  choices: 0,
  actions: 1,
  most: 200,
  begin: draws => [around(draws, Math.PI), around(draws, 1)],
  step(state, action) {
    const [angle, turn] = state as [number, number]
    const torque = 2 * Math.min(1, Math.max(-1, (action as readonly number[])[0]!))
    const even = angle - 2 * Math.PI * Math.floor((angle + Math.PI) / (2 * Math.PI))
    const cost = even * even + 0.1 * turn * turn + 0.001 * torque * torque
    const next = Math.min(8, Math.max(-8, turn + (15 * math.sin(angle) + 3 * torque) * 0.05))
    state[0] = angle + next * 0.05
    state[1] = next
    return { reward: -cost, over: false }
  },
  see: ([angle, turn]) => [math.cos(angle!), math.sin(angle!), turn! / 8],
}

export const mountainCar: Rules = {
  choices: 0,
  actions: 1,
  most: 999,
  begin: draws => [-0.5 + around(draws, 0.1), 0],
  step(state, action) {
    const [x, v] = state as [number, number]
    const force = Math.min(1, Math.max(-1, (action as readonly number[])[0]!))
    let speed = Math.min(0.07, Math.max(-0.07, v + force * 0.0015 - 0.0025 * math.cos(3 * x)))
    const place = Math.min(0.6, Math.max(-1.2, x + speed))
    if (place === -1.2 && speed < 0) speed = 0
    state[0] = place
    state[1] = speed
    const over = place >= 0.45 && speed >= 0
    return { reward: (over ? 100 : 0) - 0.1 * force * force, over }
  },
  see: ([x, v]) => [(x! + 0.3) / 0.9, v! / 0.07],
}

/** Angles of the two links, from hanging down, and their speeds. */
type Links = readonly [first: number, second: number, firstSpeed: number, secondSpeed: number]

/** Speeds and accelerations of the links at a torque on the joint between them. */
function linkMotion([first, second, firstSpeed, secondSpeed]: Links, torque: number): Links {
  const gravity = 9.8
  const inner = math.cos(second)
  const d1 = 0.25 + 1 + 0.25 + inner + 2
  const d2 = 0.25 + 0.5 * inner + 1
  const phi2 = 0.5 * gravity * math.cos(first + second - Math.PI / 2)
  const phi1 =
    -0.5 * secondSpeed * secondSpeed * math.sin(second) -
    secondSpeed * firstSpeed * math.sin(second) +
    1.5 * gravity * math.cos(first - Math.PI / 2) +
    phi2
  const secondPush = (torque + (d2 / d1) * phi1 - 0.5 * firstSpeed * firstSpeed * math.sin(second) - phi2) / (0.25 + 1 - (d2 * d2) / d1)
  return [firstSpeed, secondSpeed, -(d2 * secondPush + phi1) / d1, secondPush]
}

const moved = (from: Links, by: Links, time: number): Links => [
  from[0] + time * by[0],
  from[1] + time * by[1],
  from[2] + time * by[2],
  from[3] + time * by[3],
]

const turned = (angle: number): number => angle - 2 * Math.PI * Math.floor((angle + Math.PI) / (2 * Math.PI))

export const acrobot: Rules = {
  choices: 3,
  actions: 1,
  most: 500,
  begin: draws => Array.from({ length: 4 }, () => around(draws, 0.1)),
  step(state, action) {
    const from = [state[0]!, state[1]!, state[2]!, state[3]!] as const
    const torque = (action as number) - 1
    // Runge and Kutta's fourth-order rule over 0.2 s.
    const a = linkMotion(from, torque)
    const b = linkMotion(moved(from, a, 0.1), torque)
    const c = linkMotion(moved(from, b, 0.1), torque)
    const d = linkMotion(moved(from, c, 0.2), torque)
    const next = from.map((value, k) => value + (0.2 / 6) * (a[k]! + 2 * b[k]! + 2 * c[k]! + d[k]!))
    state[0] = turned(next[0]!)
    state[1] = turned(next[1]!)
    state[2] = Math.min(4 * Math.PI, Math.max(-4 * Math.PI, next[2]!))
    state[3] = Math.min(9 * Math.PI, Math.max(-9 * Math.PI, next[3]!))
    const over = -math.cos(state[0]) - math.cos(state[1] + state[0]) > 1
    return { reward: over ? 0 : -1, over }
  },
  see: ([first, second, firstSpeed, secondSpeed]) => [
    math.cos(first!),
    math.sin(first!),
    math.cos(second!),
    math.sin(second!),
    firstSpeed! / (4 * Math.PI),
    secondSpeed! / (9 * Math.PI),
  ],
}

/**
 * Two watchers, each of which sees a number of its own from -1 to 1, a new one each time, and says whether it is low, in the middle or high. The
 * reward is the same for both: 1 for each that is right, and `common` times the product of the two numbers, which no action changes. It hides
 * from an independent value what one's own action brought; a value of what both see can separate it.
 */
export function twoWatchers(common = 6, most = 32): () => Arena {
  const point = { step: 0, choices: 3, actions: [{ low: 0, high: 2, whole: true }] } as unknown as DecisionPoint
  const right = (seen: number): number => (seen < -1 / 3 ? 0 : seen < 1 / 3 ? 1 : 2)
  return () => {
    let draws: Stream = stream(0, 0, 'arena')
    let numbers: number[] = []
    let made = 0
    let reward: number | null = null
    const draw = (): void => void (numbers = [around(draws, 1), around(draws, 1)])
    return {
      begin(seed) {
        draws = stream(seed, 0, 'arena')
        draw()
        made = 0
        reward = null
      },
      go(decider, enough) {
        for (;;) {
          const seen = (owner: number): number[] => [numbers[owner]!]
          if (made >= most) {
            for (const owner of [0, 1]) decider.ended({ point, owner, seen: seen(owner), reward: reward!, terminated: false, time: made })
            return 'over'
          }
          const chosen = [0, 1].map(owner =>
            decider.decide({ point, owner, seen: seen(owner), reward, done: false, allowed: null, time: made }),
          )
          reward = common * numbers[0]! * numbers[1]!
          for (const owner of [0, 1]) reward += chosen[owner] === right(numbers[owner]!) ? 1 : 0
          draw()
          made++
          if (enough()) return 'more'
        }
      },
      save: () => ({ draws: draws.slice(), numbers: [...numbers], made, reward }),
      load(saved) {
        const kept = saved as unknown as { draws: Int32Array; numbers: number[]; made: number; reward: number | null }
        draws = kept.draws.slice()
        numbers = [...kept.numbers]
        made = kept.made
        reward = kept.reward
      },
    }
  }
}
