// NSGA-III (Deb and Jain 2014): the last front is filled by niches around reference directions, after normalising by ideal point and intercepts.
import { below, type Stream } from '../../kernel/random.ts'
import { directions } from './directions.ts'
import { children, even, first, knownPoints } from './genetic.ts'
import { fronts, dominance, nondominated } from './ranking.ts'
import { generations, solutionsOf, type Algorithm, type Solution } from './search.ts'

export const nsga3: Algorithm = function* (space, settings, random) {
  const references = directions(space.objectives, settings.populationSize)
  const size = even(Math.max(4, references.length))
  let parents = yield* first(space, size, random)
  const niching = new Niching(references)
  const known = knownPoints(space, settings, parents)
  for (let g = 1; g < generations(settings, size); g++) {
    const now = parents
    // Parents are picked at random unless one is better outright: niches alone keep the spread.
    const points = children(space, settings, now, (a, b) => dominance(now[a]!, now[b]!) < 0, random, size, known)
    parents = niching.choose([...now, ...solutionsOf(points, yield points)], size, random)
  }
  return nondominated(parents)
}

class Niching {
  readonly #references: readonly (readonly number[])[]
  readonly #count: number
  readonly #ideal: number[]
  #extremes: (readonly number[])[] = []

  constructor(references: readonly (readonly number[])[]) {
    this.#references = references
    this.#count = references[0]!.length
    this.#ideal = Array.from({ length: this.#count }, () => Infinity)
  }

  choose(all: readonly Solution[], size: number, random: Stream): Solution[] {
    const chosen: number[] = []
    let last: number[] = []
    for (const front of fronts(all)) {
      if (chosen.length + front.length > size) {
        last = front
        break
      }
      chosen.push(...front)
      if (chosen.length === size) break
    }
    const pick = (i: number): Solution => all[i]!
    if (last.length === 0) return chosen.map(pick)
    const candidates = [...chosen, ...last]
    // Of infeasible ones no objective counts: the violation alone has put them in order.
    if (candidates.some(i => all[i]!.violation > 0)) return [...chosen, ...last.slice(0, size - chosen.length)].map(pick)
    const near = this.#associate(candidates.map(i => all[i]!.objectives))
    const held = new Int32Array(this.#references.length)
    for (let i = 0; i < chosen.length; i++) held[near[i]!.reference]!++
    const left = new Map<number, { index: number; distance: number }[]>()
    last.forEach((index, i) => {
      const { reference, distance } = near[chosen.length + i]!
      left.set(reference, [...(left.get(reference) ?? []), { index, distance }])
    })
    while (chosen.length < size) {
      let fewest = Infinity
      for (const reference of left.keys()) fewest = Math.min(fewest, held[reference]!)
      const open = [...left.keys()].filter(reference => held[reference] === fewest)
      const reference = open[below(random, open.length)]!
      const members = left.get(reference)!
      const at =
        held[reference] === 0
          ? members.reduce((best, member, i) => (member.distance < members[best]!.distance ? i : best), 0)
          : below(random, members.length)
      const [member] = members.splice(at, 1)
      chosen.push(member!.index)
      held[reference]!++
      if (members.length === 0) left.delete(reference)
    }
    return chosen.map(pick)
  }

  /** The direction nearest to each, and how far from it. */
  #associate(objectives: readonly (readonly number[])[]): { reference: number; distance: number }[] {
    for (const values of objectives) for (let k = 0; k < this.#count; k++) this.#ideal[k] = Math.min(this.#ideal[k]!, values[k]!)
    const shifted = objectives.map(values => values.map((value, k) => value - this.#ideal[k]!))
    const scale = this.#intercepts(objectives, shifted)
    return shifted.map(values => {
      let reference = 0
      let distance = Infinity
      this.#references.forEach((direction, r) => {
        let along = 0
        let length = 0
        for (let k = 0; k < this.#count; k++) {
          along += (values[k]! / scale[k]!) * direction[k]!
          length += direction[k]! * direction[k]!
        }
        let away = 0
        for (let k = 0; k < this.#count; k++) {
          const difference = values[k]! / scale[k]! - (along / length) * direction[k]!
          away += difference * difference
        }
        if (away < distance) {
          reference = r
          distance = away
        }
      })
      return { reference, distance }
    })
  }

  /** Where the plane through the extreme points meets each axis; the front's extent where there is no such plane. */
  #intercepts(objectives: readonly (readonly number[])[], shifted: readonly (readonly number[])[]): number[] {
    const extremes: (readonly number[])[] = []
    for (let axis = 0; axis < this.#count; axis++) {
      let best: readonly number[] = objectives[0]!
      let least = Infinity
      for (const values of [...this.#extremes, ...objectives]) {
        let worst = 0
        for (let k = 0; k < this.#count; k++) worst = Math.max(worst, (values[k]! - this.#ideal[k]!) / (k === axis ? 1 : 1e-6))
        if (worst < least) {
          least = worst
          best = values
        }
      }
      extremes.push(best)
    }
    this.#extremes = extremes
    const solved = solve(extremes.map(values => values.map((value, k) => value - this.#ideal[k]!)))
    return Array.from({ length: this.#count }, (_, k) => {
      const intercept = solved === null ? 0 : 1 / solved[k]!
      if (intercept > 1e-6 && intercept < Infinity) return intercept
      let extent = 0
      for (const values of shifted) if (values[k]! < Infinity) extent = Math.max(extent, values[k]!)
      return extent > 0 ? extent : 1
    })
  }
}

/** x with rows x = 1 (Gauss with pivoting), or null when there is none. */
function solve(rows: readonly (readonly number[])[]): number[] | null {
  const n = rows.length
  const m = rows.map(row => [...row, 1])
  for (let k = 0; k < n; k++) {
    let pivot = k
    for (let i = k + 1; i < n; i++) if (Math.abs(m[i]![k]!) > Math.abs(m[pivot]![k]!)) pivot = i
    const row = m[pivot]!
    if (!(Math.abs(row[k]!) > 1e-10)) return null
    m[pivot] = m[k]!
    m[k] = row
    for (let i = 0; i < n; i++) {
      if (i === k) continue
      const factor = m[i]![k]! / row[k]!
      for (let j = k; j <= n; j++) m[i]![j]! -= factor * row[j]!
    }
  }
  return m.map((row, k) => row[n]! / row[k]!)
}
