// What is left to say when a run has ended: the same for the page and the command line.
import type { Plain, RunResult, Summary } from '../messages.ts'
import { nothingMeasured, problemSaying } from '../problems.ts'
import type { Problem } from '../problems.ts'
import type { Container } from '../world/container.ts'
import type { Program } from '../compile.ts'
import type { Built } from './build.ts'
import { plain } from './statistics.ts'
import type { StatisticsOf } from './statistics.ts'
import { waitingTokens } from './waiting.ts'
import { say } from '../../model-schema/words.ts'

/** What a summary is made of. */
type Summarised = {
  readonly program: Program
  readonly result: RunResult | null
  readonly seed: number
  readonly tick: number
  readonly time: number
  readonly isWarmingUp: boolean
  readonly inner: { built: Built; statistics: StatisticsOf }
  value(id: string): Plain
  hash(): string
}

export function summaryOf(run: Summarised): Summary {
  const { parts } = run.program.checked
  const { built, statistics } = run.inner
  const { world, kernel, clockwork } = built
  const tokens = new Map<number, number>()
  for (let t = 0; t < kernel.tokens.top; t++) {
    const pc = kernel.tokens.pc[t]!
    if (pc >= 0 && pc % 8 !== 7) tokens.set(pc >> 3, (tokens.get(pc >> 3) ?? 0) + 1)
  }
  const named = <T>(entries: readonly (readonly [string, T])[]): Record<string, T> => Object.fromEntries(entries)
  return {
    result: run.result ?? { end: 'limited', ticks: run.tick },
    seed: run.seed,
    ticks: run.tick,
    time: run.time,
    statistics: named(
      parts.statistics.map(
        part => [part.entity ? `${part.entity.name}.${part.name}` : part.name, plain(statistics.value(part.index))] as const,
      ),
    ),
    publics: named(
      parts.shared
        .filter(variable => variable.public)
        .map(variable => [variable.entity ? `${variable.entity.name}.${variable.name}` : variable.name, run.value(variable.id)] as const),
    ),
    containers: named(
      parts.containers
        .filter(part => part.level !== 'individual')
        .flatMap(part => {
          const [container] = clockwork.containersOf(part.index)
          return container ? [[part.entity ? `${part.entity.name}.${part.name}` : part.name, figuresOf(run, container)] as const] : []
        }),
    ),
    populations: named(
      parts.entities
        .filter(entity => entity.form !== 'observer')
        // As formulas count them: heirs are of the population they inherit from.
        .map(
          entity => [entity.name, [entity, ...entity.derived].reduce((sum, one) => sum + world.population(one.index).count, 0)] as const,
        ),
    ),
    waiting: waitingTokens(run.program, built),
    tokensLeft: [...tokens]
      .sort(([a], [b]) => a - b)
      .flatMap(([index, count]) => {
        const step = parts.steps[index]
        return step ? [{ process: step.process.name, step: step.name || step.id, count }] : []
      }),
    ...warningsOf(run),
    hash: run.hash(),
  }
}

function warningsOf({ program, result, isWarmingUp, inner }: Summarised): Pick<Summary, 'warnings'> {
  const { scenario, statistics, containers, steps } = program.checked.parts
  const warnings: Problem[] = []
  if (result !== null && isWarmingUp && statistics.length + containers.length > 0) warnings.push(nothingMeasured(scenario.id))
  for (const [step, count] of result === null ? [] : inner.built.kernel.joins.stuck())
    warnings.push(
      problemSaying(
        10046,
        { id: steps[step]?.id ?? scenario.id },
        say('Join can never complete: {count} tokens wait here, and no other of their instances is left.', { count }),
        undefined,
        'warning',
      ),
    )
  return warnings.length > 0 ? { warnings } : {}
}

/** Of a container; none over time where the run has not come to the end of its warm-up. */
function figuresOf({ isWarmingUp, time }: Summarised, container: Container): Record<string, Plain> {
  const figures = containerFigures(container, time)
  if (!isWarmingUp) return figures
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, momentary.has(name) ? value : null]))
}

const momentary: ReadonlySet<string> = new Set(['level', 'inUse', 'capacity', 'queue'])

/** Figures of a container, time-weighted where they are levels. */
function containerFigures(container: Container, time: number): Record<string, Plain> {
  const finite = (value: number): Plain => (Number.isFinite(value) ? value : null)
  const { levels, uses, queues, waits } = container
  const keys = container.keys()
  const byKey = (read: (key: string) => number): Plain => Object.fromEntries(keys.map(key => [key, finite(read(key))]))
  const keyed = container.plan.contents === 'keyed'
  return {
    level: keyed ? byKey(key => container.level(key)) : finite(container.level()),
    inUse: keyed ? byKey(key => container.inUse(key)) : finite(container.inUse()),
    capacity: keyed ? byKey(key => container.capacity(key)) : finite(container.capacity()),
    utilization: finite(container.utilization(time)),
    meanLevel: finite(levels.mean(time)),
    minLevel: finite(levels.min),
    maxLevel: finite(levels.max),
    meanInUse: finite(uses.mean(time)),
    maxInUse: finite(uses.max),
    queue: container.queueLength,
    meanQueue: finite(queues.mean(time)),
    maxQueue: finite(queues.max),
    waited: waits.count,
    meanWait: finite(waits.mean),
    maxWait: finite(waits.max),
    sdWait: finite(waits.std),
    served: container.served,
    gaveUp: container.gaveUp,
    preemptions: container.preemptions,
  }
}
