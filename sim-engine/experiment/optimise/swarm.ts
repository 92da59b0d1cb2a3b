// Particle swarms: SMPSO (Nebro, Durillo, Garcia-Nieto, Coello Coello, Luna, Alba 2009), with a speed bounded by a constriction, and OMOPSO
// (Reyes Sierra and Coello Coello 2005).
import { pow } from '../../kernel/math.ts'
import { uniform53, type Stream } from '../../kernel/random.ts'
import { first } from './genetic.ts'
import { fit, generations, highOf, lowOf, solutionsOf, type Algorithm, type Point, type Solution, type Space } from './search.ts'
import { CrowdingArchive, dominance } from './ranking.ts'
import { extent, mutate } from './variation.ts'

type Style = {
  leaders: number
  /** The velocity of a particle from its way to its own best and to a leader. */
  velocity(now: number, toOwn: number, toLeader: number, k: number): number
  /** What a bound does to the velocity. */
  bounce: number
  mutate(point: Point, i: number, generation: number): void
}

export const smpso: Algorithm = function* (space, settings, random) {
  let r1 = 0
  let r2 = 0
  let c1 = 0
  let c2 = 0
  let squeeze = 1
  return yield* swarm(space, settings, random, {
    leaders: settings.archiveSize,
    bounce: -1,
    velocity(now, toOwn, toLeader, k) {
      if (k === 0) {
        r1 = uniform53(random)
        r2 = uniform53(random)
        c1 = 1.5 + uniform53(random)
        c2 = 1.5 + uniform53(random)
        const rho = c1 + c2
        squeeze = rho <= 4 ? 1 : 2 / (2 - rho - Math.sqrt(rho * rho - 4 * rho))
      }
      const most = extent(space, k) / 2
      const speed = squeeze * (0.1 * now + c1 * r1 * toOwn + c2 * r2 * toLeader)
      return Math.max(-most, Math.min(most, speed))
    },
    mutate(point, i) {
      if (i % 6 === 0) mutate(space, point, settings.mutationDistributionIndex, random)
    },
  })
}

export const omopso: Algorithm = function* (space, settings, random) {
  let factors: readonly [number, number, number] = [0, 0, 0]
  return yield* swarm(space, settings, random, {
    leaders: settings.archiveSize,
    bounce: -1,
    velocity(now, toOwn, toLeader, k) {
      if (k === 0)
        factors = [
          0.1 + 0.4 * uniform53(random),
          (1.5 + 0.5 * uniform53(random)) * uniform53(random),
          (1.5 + 0.5 * uniform53(random)) * uniform53(random),
        ]
      return factors[0] * now + factors[1] * toOwn + factors[2] * toLeader
    },
    mutate(point, i, generation) {
      if (i % 3 === 0)
        nonUniform(
          space,
          point,
          settings.perturbationIndex,
          Math.min(1, generation / generations(settings, settings.populationSize)),
          random,
        )
      else if (i % 3 === 1) uniformly(space, point, settings.perturbationIndex, random)
    },
  })
}

function* swarm(space: Space, settings: Parameters<Algorithm>[1], random: Stream, style: Style): ReturnType<Algorithm> {
  const size = Math.max(4, settings.populationSize)
  const particles = yield* first(space, size, random)
  const best: Solution[] = [...particles]
  const velocities = particles.map(({ point }) => new Float64Array(point.length))
  const leaders = new CrowdingArchive<Solution>(style.leaders)
  for (const particle of particles) leaders.add(particle)
  for (let g = 1; g < generations(settings, size); g++) {
    const points = particles.map(({ point }, i) => {
      const leader = leaders.leader(random).point
      const own = best[i]!.point
      const speed = velocities[i]!
      const next = point.slice()
      for (let k = 0; k < next.length; k++) {
        speed[k] = style.velocity(speed[k]!, own[k]! - point[k]!, leader[k]! - point[k]!, k)
        const domain = space.domains[k]!
        const wanted = point[k]! + speed[k]!
        if (wanted < lowOf(domain) || wanted > highOf(domain)) speed[k]! *= style.bounce
        next[k] = fit(domain, wanted)
      }
      style.mutate(next, i, g)
      return next
    })
    solutionsOf(points, yield points).forEach((particle, i) => {
      particles[i] = particle
      leaders.add(particle)
      if (dominance(particle, best[i]!) !== 1) best[i] = particle
    })
  }
  return leaders.members
}

function uniformly(space: Space, point: Point, perturbation: number, random: Stream): void {
  for (let k = 0; k < point.length; k++)
    if (uniform53(random) < 1 / point.length)
      point[k] = fit(space.domains[k]!, point[k]! + (uniform53(random) - 0.5) * perturbation * Math.max(1, extent(space, k)))
}

/** Steps that become smaller during the search; `done` is the share of it that is over. */
function nonUniform(space: Space, point: Point, perturbation: number, done: number, random: Stream): void {
  for (let k = 0; k < point.length; k++) {
    if (uniform53(random) >= 1 / point.length) continue
    const domain = space.domains[k]!
    const room = uniform53(random) < 0.5 ? highOf(domain) - point[k]! : lowOf(domain) - point[k]!
    point[k] = fit(domain, point[k]! + room * (1 - pow(uniform53(random), pow(1 - done, perturbation))))
  }
}
