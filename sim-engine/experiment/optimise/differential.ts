// Differential evolution: best/1/bin with a weight drawn for each generation (Storn and Price 1997; dither after Karaboga and Okdem), and GDE3
// for several objectives (Kukkonen and Lampinen 2005).
import { shuffle, uniform53 } from '../../kernel/random.ts'
import { first } from './genetic.ts'
import {
  batches,
  bestOf,
  compareSingle,
  evaluated,
  generations,
  solutionsOf,
  spreadPoints,
  type Algorithm,
  type Solution,
} from './search.ts'
import { dominance, nondominated, surviving } from './ranking.ts'
import { differential, other, twoOthers } from './variation.ts'

export const de: Algorithm = function* (space, settings, random) {
  const size = Math.max(5, settings.populationSize)
  const start = spreadPoints(space, size, random)
  let members: readonly Solution[] = solutionsOf(start, yield start)
  for (let g = 1; g < generations(settings, size); g++) {
    const now = members
    const best = now.reduce((a, b) => (compareSingle(b, a) < 0 ? b : a))
    const weight = settings.differentialRatio + uniform53(random) * (1 - Math.min(1, settings.differentialRatio))
    const points = now.map(({ point }, i) => {
      const [a, b] = twoOthers(random, size, i)
      return differential(space, [point, best.point, now[a]!.point, now[b]!.point], weight, 0.9, random)
    })
    const { made, kept } = yield* evaluated(points, now, settings)
    members = kept.map((member, i) => (compareSingle(made[i]!, member) <= 0 ? made[i]! : member))
  }
  return bestOf(members)
}

export const gde3: Algorithm = function* (space, settings, random) {
  const size = Math.max(5, settings.populationSize)
  let members = yield* first(space, size, random)
  for (const count of batches(space, settings, size, 4)) {
    const now = members
    const turn = now.map((_, i) => i)
    // A partial generation takes its members in random order.
    if (count < size) shuffle(random, turn)
    turn.length = count
    const points = turn.map(i => {
      const [a, b] = twoOthers(random, size, i)
      const base = other(random, size, [i, a, b])
      return differential(space, [now[i]!.point, now[base]!.point, now[a]!.point, now[b]!.point], settings.differentialRatio, 0.5, random)
    })
    const { made, kept } = yield* evaluated(points, now, settings)
    const next = kept.slice()
    made.forEach((child, k) => {
      const i = turn[k]!
      const order = dominance(child, kept[i]!)
      if (order < 0) next[i] = child
      else if (order === 0) next.push(child)
    })
    members = surviving(next, size).chosen
  }
  return nondominated(members)
}
