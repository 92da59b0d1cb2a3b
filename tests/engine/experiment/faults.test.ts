// What was once misleading: which failures are reported, when runs are enough, how many there were, what a budget pays for.
import { describe, expect, it } from 'vitest'
import {
  conduct,
  createPool,
  isPlanned,
  plannedRuns,
  reportOf,
  warningsOf,
  type Evaluator,
  type Job,
  type Prepared,
  type Sample,
} from '../../../sim-engine/experiment.ts'
import { meanInterval } from '../../../sim-engine/experiment/aggregate.ts'
import { front, intervals, scores } from '../../../sim-engine/experiment/trust/conclusions.ts'
import { automatic } from '../../../sim-engine/experiment/optimise.ts'
import { allocation, selectBest } from '../../../sim-engine/experiment/trust/selection.ts'
import { reportText } from '../../../sim-engine/experiment/report.ts'
import { bits, shuffle, stream, uniform53 } from '../../../sim-engine/kernel/random.ts'
import { conducted, functionModel, memory, modelFrom, preparation, prepared } from '../../help/experiments.ts'
import { english, say, verbatim } from '../../../model-schema/words.ts'

const model = functionModel({ x: 1, y: 2, shape: 'round' })
const seed = Number(process.env['SEED'] ?? 1)

/** Answers all jobs at once, by their descriptions, in a random order. */
const answering = (sampleOf: (job: Job) => Sample, random = stream(seed, 0, 'order')): Evaluator & { made: number[] } => {
  const made: number[] = []
  return {
    made,
    evaluate(jobs, done) {
      const all = [...jobs]
      shuffle(random, all)
      for (const job of all) {
        made.push(job.run)
        done(job.run, sampleOf(job))
      }
      return Promise.resolve()
    },
    close() {},
  }
}
const success = (...values: number[]): Sample => ({ end: 'success', ticks: 1, values, problem: null })
const problem = (text: string): Sample['problem'] => ({
  code: 10018,
  severity: 'error',
  at: { id: 'r' },
  message: verbatim(text),
  fix: say(''),
})
const failure = (text: string): Sample => ({ end: 'failed', ticks: 1, values: [NaN], problem: problem(text) })
const response = { r: { kind: 'response', name: 'Output', expression: 'x' } }
const monteCarlo = (fields: object): Prepared => prepared(model, { type: 'monteCarlo', ...fields }, response)

describe('failures', () => {
  it('are those of the lowest runs in their order, however runs come in, and whether they were made now or before', async () => {
    const of = monteCarlo({ replications: 600, maxRuns: 600 })
    const sampleOf = ({ run }: Job): Sample => (run % 3 === 1 ? failure(`run ${run}`) : success(run))
    const reports = await Promise.all(
      [1, 2, 3].map(async k => {
        const journal = memory()
        // A third of them is known from before, added in another order.
        const before = Array.from({ length: 600 }, (_, run) => run).filter(run => (run + k) % 4 < 2)
        shuffle(stream(seed, k, 'before'), before)
        for (const run of before) journal.samples.set(run, sampleOf({ run, alternative: 0, inputs: {}, seed: 0 }))
        return reportOf(of, await conducted(of, journal, answering(sampleOf, stream(seed, k, 'order'))))
      }),
    )
    expect(reports[0]!.failures.map(({ run, message }) => [run, message])).toEqual(
      Array.from({ length: 10 }, (_, i) => [3 * i + 1, `run ${3 * i + 1}`]),
    )
    expect(reports[0]!.failed).toBe(200)
    expect(reports[1]).toEqual(reports[0])
    expect(reports[2]).toEqual(reports[0])
  })

  it('bias what is told of the others: the report says so, as text and as data', async () => {
    const of = monteCarlo({ replications: 40, maxRuns: 40 })
    const sampleOf = ({ run }: Job): Sample => (run % 4 === 0 ? failure('broke') : success(run))
    const report = reportOf(of, await conducted(of, memory(), answering(sampleOf)))
    expect(report.warnings.map(({ code }) => code)).toEqual(['failed-runs'])
    expect(reportText(report)).toContain('10 of 40 runs failed and are in no mean or interval')
    const none = reportOf(
      of,
      await conducted(
        of,
        memory(),
        answering(({ run }) => success(run)),
      ),
    )
    expect(none.warnings).toEqual([])
  })

  it('are left out of what a search knows of a point, and reported; a point without a run that succeeded is the worst there is', async () => {
    const of = prepared(
      model,
      { type: 'optimization', algorithm: 'ga', replications: 4, resampling: 0, confirmations: 0, maxRuns: 160 },
      {
        a: { kind: 'decision', variable: 'x', domain: 'discrete', min: 0, max: 9, step: 1 },
        o: { kind: 'objective', name: 'Cost', expression: 'x' },
      },
    )
    // At 0 and 1 all runs fail, at 2 all but one; elsewhere none does. Replication i of a point has the same seed everywhere.
    const seeds = new Map<number, number>()
    const sampleOf = ({ seed, inputs }: Job): Sample => {
      if (!seeds.has(seed)) seeds.set(seed, seeds.size)
      const x = Object.values(inputs)[0] as number
      return x < 2 || (x === 2 && seeds.get(seed) !== 0) ? failure('broke') : success(x + 0.1 * seeds.get(seed)!)
    }
    const results = await conducted(of, memory(), answering(sampleOf))
    const worth = new Map(scores(of, results).map(({ point, objectives }) => [results.points[point]!.settings[0], objectives[0]]))
    expect([worth.get(0), worth.get(1), worth.get(2)]).toEqual([Infinity, Infinity, 2])
    expect(front(of, results).map(({ point }) => results.points[point]!.settings[0])).toEqual([2])
    const [warning] = reportOf(of, results).warnings
    expect(warning?.code).toBe('failed-runs')
    expect(warning?.message).toMatch(
      /^11 of \d+ runs failed and are left out\. 1 points are estimated .+; 2 points without a run that succeeded count as the worst/,
    )
  })

  it('of an alternative whose runs all fail leave it out of the selection of the best and of the runs to come', () => {
    const values = [
      [NaN, NaN, NaN, NaN],
      [5, 6, 7, 6],
      [5, 6.5, 7.5, 6],
    ]
    expect(selectBest(values, 'min', 0).best).toBe(1)
    expect(selectBest(values, 'min', 0).probability).toBeGreaterThan(0.5)
    const more = allocation(values, 'min', 0.999, 0, 40)!
    expect(more[0]).toBe(0)
    expect(Math.min(more[1]!, more[2]!)).toBeGreaterThan(0)
  })

  it('a measured value beyond all numbers is one', async () => {
    const of = prepared(
      functionModel({ x: 1e308 }),
      { type: 'monteCarlo', replications: 3, maxRuns: 3 },
      { r: { kind: 'response', name: 'Huge', expression: 'x * 10' } },
    )
    const results = await conducted(of)
    expect([results.failed, english(results.failures[0]?.problem.message)]).toEqual([3, 'Result is not a finite number.'])
    // In a constraint on inputs it forbids the point, as a division by zero does: the others go on.
    for (const expression of ['x * 1e308 * 10', '1 / (x - 1)']) {
      const forbids = { c: { kind: 'constraint', stage: 'inputs', expression, relation: 'le', bound: 1 } }
      const study = prepared(
        model,
        { type: 'exploration', design: 'table', table: 'x\n0\n1' },
        { a: { kind: 'decision', variable: 'x', min: 0, max: 9 }, ...response, ...forbids },
      )
      expect([expression, (await conducted(study)).known]).toEqual([expression, 1])
    }
  })
})

describe('warnings', () => {
  it('tell of skewed values that are few, of values that are alike, and of a single run', async () => {
    const random = stream(seed, 0, 'skewed')
    const skewed = monteCarlo({ replications: 30, maxRuns: 30 })
    const codes = async (of: Prepared, sampleOf: (job: Job) => Sample): Promise<string[]> =>
      warningsOf(of, await conducted(of, memory(), answering(sampleOf))).map(({ code }) => code)
    expect(await codes(skewed, () => success((-Math.log(1 - uniform53(random))) ** 3))).toEqual(['skewed'])
    expect(await codes(skewed, () => success(uniform53(random)))).toEqual([])
    expect(await codes(monteCarlo({ until: 'interval', maxRuns: 300 }), () => success(7))).toEqual(['alike'])
    expect(await codes(monteCarlo({ replications: 1, maxRuns: 1 }), () => success(7))).toEqual(['single-run'])
  })
})

describe('runs until an interval is narrow', () => {
  const rare = (chance: number, k: number) => {
    const random = stream(seed, k, 'rare')
    return answering(() => success(uniform53(random) < chance ? 1 : 0))
  }

  it('are not over because a rare event was not seen', async () => {
    for (let k = 0; k < 20; k++) {
      const of = monteCarlo({ until: 'interval', halfWidth: 0.05, maxRuns: 3000, seed: k })
      const results = await conducted(of, memory(), rare(0.001, k))
      // To 5 % of one in a thousand it takes over a million.
      expect(results.known, `SEED=${seed}, ${k}`).toBe(3000)
      const { low, high } = intervals(of, results)[0]![0]!
      expect(high).toBeGreaterThan(0.001)
      expect(low).toBeLessThan(0.002)
    }
  })

  it('are over at a half-width in units of the response, too', async () => {
    const of = monteCarlo({ until: 'interval', halfWidth: 0.05, absoluteHalfWidth: 0.02, maxRuns: 3000 })
    const results = await conducted(of, memory(), rare(0.001, 0))
    expect(results.known).toBeLessThan(400)
    expect(results.known).toBeGreaterThanOrEqual(90)
  })

  it('that all give one value are believed from a hundred on', async () => {
    const of = monteCarlo({ until: 'interval', maxRuns: 3000 })
    const results = await conducted(
      of,
      memory(),
      answering(() => success(5)),
    )
    expect(results.known).toBeGreaterThanOrEqual(100)
    expect(results.known).toBeLessThan(200)
  })

  it('the interval of a probability is that of Wilson, which covers it as often as it says', () => {
    // Wilson 1927, by the formula of Newcombe 1998: 0 of 20 and 15 of 50.
    expect(
      meanInterval(
        Array.from({ length: 20 }, () => 0),
        0.95,
      ),
    ).toMatchObject({ low: 0, high: expect.closeTo(0.1611, 4) })
    const some = Array.from({ length: 50 }, (_, i) => (i < 15 ? 1 : 0))
    expect(meanInterval(some, 0.95)).toMatchObject({ low: expect.closeTo(0.191, 3), high: expect.closeTo(0.4375, 3) })
    const random = stream(seed, 0, 'wilson')
    let covered = 0
    for (let k = 0; k < 2000; k++) {
      const { low, high } = meanInterval(
        Array.from({ length: 60 }, () => (uniform53(random) < 0.06 ? 1 : 0)),
        0.95,
      )
      if (low <= 0.06 && 0.06 <= high) covered++
    }
    // .9595 by adding up the binomial distribution; three standard errors of 2,000.
    expect(Math.abs(covered / 2000 - 0.9595), `SEED=${seed}`).toBeLessThan(0.0135)
  })
})

describe('the budget of a search', () => {
  const whole = (variable: string, max: number) => ({ kind: 'decision', variable, domain: 'discrete', min: 0, max, step: 1 })
  const aim = { o: { kind: 'objective', name: 'f', expression: '(x - 7) ** 2 + (y - 20) ** 2' } }

  it.each(['ga', 'nsga2', 'spea2', 'tpe', 'random', 'nsga3', 'gp'])(
    'is spent on runs by %s: points asked for before cost nothing and are replaced',
    async algorithm => {
      const maxRuns = algorithm === 'gp' ? 60 : 300
      const of = prepared(
        model,
        { type: 'optimization', algorithm, maxRuns, populationSize: 50 },
        { a: whole('x', 30), b: whole('y', 30), ...aim },
      )
      const results = await conducted(of)
      expect(results.known).toBe(maxRuns)
      expect(results.rows).toBe(maxRuns)
      expect(results.points).toHaveLength(maxRuns)
    },
  )

  it('is not spent on points that constraints on inputs forbid', async () => {
    const half = { c: { kind: 'constraint', stage: 'inputs', expression: 'x', relation: 'ge', bound: 16 } }
    for (const algorithm of ['tpe', 'ga', 'cmaes', 'random']) {
      const of = prepared(
        model,
        { type: 'optimization', algorithm, maxRuns: 200, populationSize: 30 },
        { a: whole('x', 30), b: whole('y', 30), ...aim, ...half },
      )
      const results = await conducted(of)
      expect([algorithm, results.known]).toEqual([algorithm, 200])
      expect(results.points.length).toBeGreaterThan(200)
    }
  })

  it('is left over where there are no more points, and the search ends', async () => {
    for (const algorithm of ['ga', 'tpe', 'de', 'random', 'cmaes']) {
      const of = prepared(
        model,
        { type: 'optimization', algorithm, maxRuns: 5000, populationSize: 20, maxIterations: 100_000 },
        { a: whole('x', 8), b: whole('y', 8), ...aim },
      )
      const results = await conducted(of)
      expect(results.known, algorithm).toBeLessThanOrEqual(81)
      expect(front(of, results)[0]!.objectives[0], algorithm).toBe(144)
    }
  })

  it('runs that were only asked for are not counted as made', async () => {
    const of = prepared(model, { type: 'optimization', algorithm: 'ga', maxRuns: 600, populationSize: 250 }, { a: whole('x', 1e6), ...aim })
    expect(reportOf(of, await conducted(of)).runs).toBe(600)
    const stop = new AbortController()
    const evaluator: Evaluator = {
      evaluate(jobs, done) {
        for (const { run } of jobs) {
          if (run >= 137) break
          done(run, success(1))
        }
        stop.abort()
        return Promise.reject(new Error('stopped'))
      },
      close() {},
    }
    const study = monteCarlo({ replications: 2000, maxRuns: 2000 })
    const { results, ended } = await conduct({ prepared: study, evaluator, journal: memory(), signal: stop.signal })
    expect([ended, reportOf(study, results).runs]).toEqual(['stopped', 137])
  })

  it('auto takes CMA-ES for whole numbers, NSGA-II for two objectives, a genetic algorithm for choices', () => {
    const integer = { as: 'integer', low: 0, high: 9 } as const
    const real = { as: 'real', low: 0, high: 1 } as const
    const choice = { as: 'choice', count: 4 } as const
    expect(automatic({ domains: [integer, integer], objectives: 1 }, 5000)).toBe('cmaes')
    expect(automatic({ domains: [integer, real], objectives: 1 }, 5000)).toBe('cmaes')
    expect(automatic({ domains: [integer, choice], objectives: 1 }, 5000)).toBe('ga')
    expect(automatic({ domains: [real, real], objectives: 2 }, 5000)).toBe('nsga2')
    expect(automatic({ domains: [real, choice], objectives: 2 }, 5000)).toBe('nsga2')
    expect(automatic({ domains: [real], objectives: 3 }, 5000)).toBe('nsga3')
    expect(automatic({ domains: [integer, real], objectives: 1 }, 400)).toBe('tpe')
    expect(automatic({ domains: [real], objectives: 1 }, 5000, true)).toBe('ga')
  })
})

describe('nothing waits where nothing has to', () => {
  it('a design known beforehand is one evaluation, and any worker gets on while another is at a long run', async () => {
    const of = monteCarlo({ replications: 3000, maxRuns: 3000 })
    expect([isPlanned(of), plannedRuns(of)]).toEqual([true, 3000])
    // Two workers in this thread; the first never answers its first chunk until the other has done all the rest.
    let chunks = 0
    let clock = 0
    let held: (() => void) | null = null
    let answered = 0
    const pool = createPool(
      of.runnable,
      2,
      () => {
        let heard: (message: Parameters<Parameters<ReturnType<Parameters<typeof createPool>[2]>['listen']>[0]>[0]) => void = () => {}
        return {
          listen: to => void (heard = to),
          send(message) {
            if (message.do === 'prepare') return void queueMicrotask(() => heard({ is: 'ready' }))
            const samples = message.jobs.map(({ run }) => [run, success(run)] as const)
            const answer = (): void => heard({ is: 'done', samples })
            answered += samples.length
            if (chunks++ === 0) held = answer
            else queueMicrotask(answer)
            if (answered === 3000) queueMicrotask(() => held?.())
          },
          end() {},
        }
      },
      () => (clock += 1),
    )
    const results = await conducted(of, memory(), pool)
    pool.close()
    expect(results.known).toBe(3000)
  })

  it('the numbers and seeds of runs are those they always were', async () => {
    const of = prepared(
      model,
      { type: 'monteCarlo', replications: 700, maxRuns: 5000 },
      { ...response, a: { kind: 'alternative', name: 'A' }, b: { kind: 'alternative', name: 'B' } },
    )
    const results = await conducted(
      of,
      memory(),
      answering(({ run }) => success(run)),
    )
    // Blocks of 512 replications, alternative by alternative.
    expect([0, 511, 512, 1023, 1024, 1211, 1212].map(run => [results.pointOf(run), results.replicationOf(run)])).toEqual([
      [0, 0],
      [0, 511],
      [1, 0],
      [1, 511],
      [0, 512],
      [0, 699],
      [1, 512],
    ])
    expect(results.seedOf(512)).toBe(bits(stream(1, 0, 'replication')))
  })
})

describe('the table of an exploration', () => {
  const explore = (table: string, parts = {}) =>
    preparation(
      modelFrom({
        main: { kind: 'scenario', name: 'Main', totalTicks: 0 },
        v: { kind: 'variable', parent: 'main', name: 'Order quantity', public: true, initial: '1' },
        w: { kind: 'variable', parent: 'main', name: 'w', public: true, initial: '1' },
      }),
      { type: 'exploration', design: 'table', table },
      {
        a: { kind: 'decision', variable: 'v', min: 0, max: 9 },
        b: { kind: 'decision', variable: 'w', min: 0, max: 9 },
        r: { kind: 'response', expression: 'w' },
        ...parts,
      },
    )
  const told = (table: string): string[] =>
    explore(table).problems.map(({ at, severity, words }) => `${severity} ${at.field} ${english(words)}`)

  it('refuses a column that no decision variable is called, and one that is there twice', () => {
    expect(told('Order_quantity, weight\n1, 2')).toEqual([
      'error table The table has a column "weight", which no decision variable is called; there are Order_quantity, w.',
    ])
    expect(told('w,w\n1,2')).toEqual(['error table Two columns of the table set "w".'])
    expect(told('w,\n1,2')).toEqual(['error table A column of the table has no name.'])
    expect(told('w\n')).toEqual(['error table The table has no line that is a point.'])
  })

  it('knows variables by their names as people and formulas write them, and by their ids', async () => {
    for (const head of ['Order quantity,w', 'Order_quantity,w', '"Order quantity",w', 'v,w']) {
      const made = explore(`${head}\n3,4`)
      if (!made.ok) throw new Error(head)
      const results = await conducted(made.prepared)
      expect(results.points.map(({ settings }) => settings)).toEqual([[3, 4]])
    }
  })

  it('names the lines that are left out', () => {
    expect(told('w\n1\nmany\n\n77\n2')).toEqual([
      "warning table Left out, as a value is missing or outside its variable's domain: lines 3, 5 of the table.",
    ])
  })
})
