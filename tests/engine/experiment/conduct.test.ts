// Experiments of every type through models, from what is wrong with a plan to what its results say. One file, as all share their small models.
import { describe, expect, it } from 'vitest'
import { formulaName } from '../../../model-schema/kinds.ts'
import { changesSince, digestOf } from '../../../model-schema/experiment.ts'
import {
  createRunner,
  createLocal,
  workOut,
  conduct,
  createPool,
  WorkersKeepEnding,
  csvLines,
  keyOf,
  plannedRuns,
  serveRuns,
  type Hands,
  type Journal,
  type Prepared,
  type Sample,
} from '../../../sim-engine/experiment.ts'
import {
  bestFit,
  differences,
  effects,
  front,
  frontVolume,
  indices,
  intervals,
  posterior,
  selection,
  unidentified,
  volumes,
} from '../../../sim-engine/experiment/trust/conclusions.ts'
import { allocation, selectBest } from '../../../sim-engine/experiment/trust/selection.ts'
import { bits, stream, uniform53 } from '../../../sim-engine/kernel/random.ts'
import { sample as sampleOf } from '../../help/samples.ts'
import { conducted, functionModel, memory, modelFrom, preparation, prepared, rowsOf } from '../../help/experiments.ts'
import { english } from '../../../model-schema/words.ts'

const plane = functionModel({ x: 1, y: 2, c: 0.5, on: true, shape: 'round' })
const draws = modelFrom({
  main: { kind: 'scenario', name: 'Main', totalTicks: 0 },
  shift: { kind: 'variable', parent: 'main', name: 'shift', public: true, initial: '0' },
  draw: { kind: 'variable', parent: 'main', name: 'draw', initial: 'normal(shift, 1)' },
})
const x = { kind: 'decision', variable: 'x', min: -3, max: 3 }
const y = { kind: 'decision', variable: 'y', min: -3, max: 3 }
const wordsOf = (made: ReturnType<typeof preparation>): string[] =>
  made.problems.map(({ at, words }) => `${at.id}.${at.field ?? ''} ${english(words)}`)

describe('preparing', () => {
  it('tells what was not said yet from what is wrong', () => {
    const unsaid = (made: ReturnType<typeof preparation>) => made.problems.map(({ isUnsaid }) => isUnsaid)
    expect(unsaid(preparation(null, {}, {}))).toEqual([true])
    expect(unsaid(preparation(plane, { name: '', modelScenario: 'Other', type: 'optimization' }, {}))).toEqual([true, true, false])
    const blank = { o: { kind: 'objective', expression: ' ' } }
    expect(unsaid(preparation(plane, { type: 'optimization' }, blank))[0]).toBe(true)
    const decisions = {
      o: { kind: 'objective', expression: 'x' },
      a: { kind: 'decision', variable: '' },
      b: { kind: 'decision', variable: 'z' },
    }
    const made = preparation(plane, { type: 'optimization' }, decisions)
    expect(['a', 'b'].map(id => made.problems.find(one => one.at.id === id)?.isUnsaid)).toEqual([true, false])
  })

  it('says what is missing or wrong, at the element and field', () => {
    expect(wordsOf(preparation(null, {}, {}))).toEqual(['study.modelFile A model must be linked first.'])
    expect(wordsOf(preparation(plane, { name: '', modelScenario: 'Other', type: 'optimization' }, {}))).toEqual([
      'study.name The experiment needs a name.',
      'study. An optimisation needs an objective.',
      'study.modelScenario The model has no scenario of this name.',
    ])
    const bad = preparation(
      plane,
      { type: 'optimization' },
      {
        o: { kind: 'objective', expression: 'x + nowhere' },
        a: { kind: 'decision', variable: 'z' },
      },
    )
    expect(bad.problems[0]).toMatchObject({ at: { id: 'o', field: 'expression', from: 4 }, inModel: false, severity: 'error' })
    const decisions = preparation(
      plane,
      { type: 'optimization' },
      {
        o: { kind: 'objective', expression: 'x' },
        a: { kind: 'decision', variable: 'z' },
        b: { kind: 'decision', variable: 'x', min: 2, max: 1 },
        c: { kind: 'decision', variable: 'x' },
        d: { kind: 'decision', variable: 'y', logarithmic: true, min: 0, max: 1 },
        e: { kind: 'decision', variable: 'on', domain: 'enum', values: '1, 2' },
        f: { kind: 'decision', variable: 'c', domain: 'variable', formula: 'x + missing' },
      },
    )
    expect(decisions.problems.map(({ at }) => `${at.id}.${at.field}`).sort()).toEqual([
      'a.variable',
      'b.max',
      'c.variable',
      'd.min',
      'e.values',
      'f.formula',
    ])
    expect(english(decisions.problems.find(({ at }) => at.id === 'a')?.words)).toContain('it has x, y, c, on, shape')
  })

  it('refuses a budget that pays for no point, rather than ending with nothing', () => {
    const aim = { a: x, p: { kind: 'objective', expression: 'x' } }
    const search = (maxRuns: number) => preparation(plane, { type: 'optimization', replications: 20, maxRuns }, aim)
    expect(wordsOf(search(19))).toEqual(['study.maxRuns Most runs is below the replications of one point.'])
    expect(search(20).ok).toBe(true)
    const recorded = { r: { kind: 'response', expression: 'x' } }
    const compared = { ...recorded, one: { kind: 'alternative', name: 'A' }, two: { kind: 'alternative', name: 'B' } }
    expect(wordsOf(preparation(plane, { type: 'monteCarlo', maxRuns: 1 }, compared))).toEqual([
      'study.maxRuns Most runs is below one run for each alternative.',
    ])
    expect(preparation(plane, { type: 'monteCarlo', replications: 20, maxRuns: 2 }, compared).ok).toBe(true)
    expect(preparation(plane, { type: 'exploration', design: 'live', replications: 20, maxRuns: 1 }, { a: x, ...recorded }).ok).toBe(true)
  })

  it('refuses more points than memory should hold, and a search of one objective for several', () => {
    const grid = (levels: number) =>
      preparation(
        plane,
        { type: 'exploration', design: 'factorial', levels },
        { a: x, b: y, c: { kind: 'decision', variable: 'c' }, r: { kind: 'response', expression: 'x' } },
      )
    expect(wordsOf(grid(101))).toEqual(['study.design The design has 1030301 points; at most 1000000 are run.'])
    expect(grid(100).ok).toBe(true)
    const both = { a: x, p: { kind: 'objective', expression: 'x' }, q: { kind: 'objective', expression: 'y' } }
    for (const algorithm of ['ga', 'de', 'cmaes'])
      expect(wordsOf(preparation(plane, { type: 'optimization', algorithm }, both))).toEqual([
        'study.algorithm This algorithm looks at one objective only.',
      ])
    for (const algorithm of ['auto', 'nsga2', 'moead']) expect(preparation(plane, { type: 'optimization', algorithm }, both).ok).toBe(true)
  })

  it.each(['factorial', 'fractional', 'latinHypercube', 'sobolSequence', 'table', 'morris', 'sobolIndices'])(
    'as many runs are planned as the %s design has',
    async design => {
      const of = prepared(
        plane,
        { type: 'exploration', design, samples: 24, levels: 4, paths: 5, replications: 2, table: 'x,y\n1,2\nbad,1\n2,1\n-1,0' },
        {
          a: x,
          b: { kind: 'decision', variable: 'y', domain: 'discrete', min: 0, max: 2 },
          c: { kind: 'decision', variable: 'shape', domain: 'enum', values: 'round, square' },
          r: { kind: 'response', expression: 'x' },
        },
      )
      let asked = 0
      const evaluator = createLocal(createRunner(of.runnable))
      const results = await conducted(of, memory(), evaluator)
      for (const point of results.trials) asked += results.runsOf(point).length
      expect(asked).toBeGreaterThan(0)
      expect(plannedRuns(of)).toBe(asked)
    },
  )

  it('counts the changes of a model since it was linked, moving elements aside', () => {
    const linked = digestOf(plane)
    expect(changesSince(linked, plane)).toBe(0)
    expect(changesSince('', plane)).toBe(0)
    expect(changesSince('not json', plane)).toBe(0)
    expect(changesSince(linked, functionModel({ x: 1, y: 3, c: 0.5, on: true }))).toBe(2)
  })

  it('tells formulas, fixed values, steps, lists and logarithms', async () => {
    const of = prepared(
      plane,
      { type: 'optimization' },
      {
        o: { kind: 'objective', expression: 'x + y' },
        a: { kind: 'decision', variable: 'x', domain: 'discrete', min: 0.1, max: 0.9, step: 0.1 },
        b: { kind: 'decision', variable: 'shape', domain: 'enum', values: 'round, "square"' },
        d: { kind: 'decision', variable: 'c', logarithmic: true, min: 0.01, max: 100 },
        e: { kind: 'decision', variable: 'y', domain: 'variable', formula: '10 * x' },
        f: { kind: 'decision', variable: 'on', domain: 'fixed', value: 'false' },
        g: { kind: 'constraint', stage: 'inputs', expression: 'x + y', relation: 'le', bound: 3.3 },
      },
    )
    const { space, inputsOf, runnable } = of
    const worker = createLocal(createRunner(runnable))
    const work = (point: Float64Array) => workOut(of, worker, [inputsOf(point).inputs], new AbortController().signal)
    expect(space.domains).toEqual([
      { as: 'integer', low: 0, high: 8 },
      { as: 'choice', count: 2 },
      { as: 'real', low: Math.log(0.01), high: Math.log(100) },
    ])
    const low = inputsOf(Float64Array.of(2, 1, 0))
    expect(low.settings).toEqual([0.3, 'square', 1])
    expect(low.inputs).toEqual({ x: 0.3, shape: 'square', c: 1, on: false })
    expect(await work(Float64Array.of(2, 1, 0))).toEqual([{ inputs: { x: 0.3, shape: 'square', c: 1, y: 3, on: false }, violation: 0 }])
    expect((await work(Float64Array.of(3, 0, 0)))[0]!.violation).toBeCloseTo(1.1 / 3.3, 12)
  })
})

describe('Monte Carlo', () => {
  const study = (fields: object) =>
    prepared(draws, { type: 'monteCarlo', ...fields }, { r: { kind: 'response', name: 'draw', expression: 'draw' } })

  it('makes so many runs, each with its own seed, and says what is known of the mean', async () => {
    const of = study({ replications: 400, seed: 7 })
    expect(plannedRuns(of)).toBe(400)
    const results = await conducted(of)
    expect(results.rows).toBe(400)
    expect(new Set(Array.from({ length: 400 }, (_, run) => results.seedOf(run))).size).toBe(400)
    expect(results.seedOf(3)).toBe(bits(stream(7, 3, 'replication')))
    const interval = intervals(of, results)[0]![0]!
    expect(interval.n).toBe(400)
    expect(interval.low).toBeLessThan(0)
    expect(interval.high).toBeGreaterThan(0)
    expect(interval.high - interval.low).toBeCloseTo((2 * 1.966) / 20, 1)
  })

  it('goes on until the interval is narrow, or there are no runs left', async () => {
    const narrow = prepared(
      draws,
      { type: 'monteCarlo', until: 'interval', halfWidth: 0.02 },
      { r: { kind: 'response', expression: '10 + draw' } },
    )
    const results = await conducted(narrow)
    const interval = intervals(narrow, results)[0]![0]!
    expect((interval.high - interval.low) / 2 / interval.mean).toBeLessThanOrEqual(0.02)
    expect(results.rows).toBeLessThan(400)
    const few = prepared(
      draws,
      { type: 'monteCarlo', until: 'interval', halfWidth: 0.000_1, maxRuns: 50 },
      { r: { kind: 'response', expression: 'draw' } },
    )
    expect((await conducted(few)).rows).toBe(50)
  })

  const alternatives = {
    a: { kind: 'alternative', name: 'base' },
    b: { kind: 'alternative', name: 'shifted', values: [{ variable: 'shift', value: '0.1' }] },
    c: { kind: 'alternative', name: 'far', values: [{ variable: 'shift', value: '0.5' }] },
    r: { kind: 'objective', name: 'draw', expression: 'draw', direction: 'max' },
  }

  it('compares alternatives with common random numbers: differences are exact where chance is the same', async () => {
    const of = prepared(draws, { type: 'monteCarlo', replications: 50 }, alternatives)
    const [shifted, far] = differences(of, await conducted(of))
    expect(shifted![0]!.mean).toBeCloseTo(0.1, 12)
    expect(far![0]!.mean).toBeCloseTo(0.5, 12)
    expect(shifted![0]!.std).toBeLessThan(1e-12)
  })

  it('selects the best with more runs for those that are hard to tell apart', async () => {
    const of = prepared(draws, { type: 'monteCarlo', selection: 'best', maxRuns: 3000 }, alternatives)
    const results = await conducted(of)
    expect(selection(of, results)).toMatchObject({ best: 2 })
    expect(selection(of, results)!.probability).toBeGreaterThanOrEqual(0.95)
    expect(results.rows).toBeLessThan(3000)
    const random = stream(1, 0, 'systems')
    const noisy = (mean: number, n: number): number[] => Array.from({ length: n }, () => mean + uniform53(random) - 0.5)
    const values = [noisy(0, 10), noisy(0.05, 10), noisy(3, 10)]
    const more = allocation(values, 'min', 0.999, 0, 30)!
    expect(more[2]!).toBeLessThan(more[0]! + more[1]!)
    expect(selectBest([noisy(0, 500), noisy(1, 500)], 'min', 0)).toEqual({ best: 0, probability: 1 })
  })
})

describe('exploration', () => {
  it("finds Sobol's indices and Morris effects through a model", async () => {
    const angles = functionModel({ a: 0, b: 0, c: 0 })
    const parts = {
      ...Object.fromEntries(['a', 'b', 'c'].map(name => [`d${name}`, { kind: 'decision', variable: name, min: -Math.PI, max: Math.PI }])),
      r: { kind: 'response', name: 'ishigami', expression: 'sin(a) + 7 * sin(b) ** 2 + 0.1 * c ** 4 * sin(a)' },
    }
    const sobol = prepared(angles, { type: 'exploration', design: 'sobolIndices', samples: 512, maxRuns: 100_000 }, parts)
    expect(plannedRuns(sobol)).toBe(512 * 5)
    const [found] = indices(sobol, await conducted(sobol))!
    ;[0.3139, 0.4424, 0].forEach((first, k) => expect(Math.abs(found![k]!.first - first)).toBeLessThan(0.06))
    const morris = prepared(angles, { type: 'exploration', design: 'morris', paths: 60 }, parts)
    const [effect] = effects(morris, await conducted(morris))!
    expect(effect![1]!.absolute).toBeCloseTo(7.875, 6)
  })

  it('runs the points of a table, leaving out lines that are none', async () => {
    const of = prepared(
      plane,
      { type: 'exploration', design: 'table', table: '"y", "x"\r\n1, 2\n9, 9\nred, 1\n-1, 0.5\n' },
      { x, y, r: { kind: 'response', name: 'sum', expression: 'x + 10 * y' } },
    )
    const results = await conducted(of)
    expect(Array.from(results.column(0).slice(0, results.rows))).toEqual([12, -9.5])
    expect([...csvLines(results, ['Study'])]).toEqual([
      'run,point,replication,seed,x,y,sum,ticks,end\n',
      `0,0,0,${results.seedOf(0)},2,1,12,0,success\n`,
      `1,1,0,${results.seedOf(1)},0.5,-1,-9.5,0,success\n`,
    ])
  })

  it('CSV: texts that spreadsheets would take for formulas begin with an apostrophe, numbers below zero do not', async () => {
    const of = prepared(
      plane,
      { type: 'exploration', design: 'table', table: 'x, y\n-1, 2\n' },
      { x, y, r: { kind: 'response', name: '=cmd|x', expression: 'x' }, q: { kind: 'response', name: '-a, b', expression: 'y' } },
    )
    const results = await conducted(of)
    const lines = [...csvLines(results, ['+one', '@two'])]
    expect(lines).toEqual([
      `run,point,replication,seed,alternative,x,y,'=cmd|x,"'-a, b",ticks,end\n`,
      `0,0,0,${results.seedOf(0)},'+one,-1,2,-1,2,0,success\n`,
    ])
  })

  it('a grid has every combination once', async () => {
    const of = prepared(
      plane,
      { type: 'exploration', design: 'factorial', levels: 3 },
      { x, y, r: { kind: 'response', expression: 'x * y' } },
    )
    expect((await conducted(of)).rows).toBe(9)
  })
})

describe('calibration', () => {
  const decay = modelFrom({
    main: { kind: 'scenario', name: 'Main', totalTicks: 10 },
    rate: { kind: 'variable', parent: 'main', name: 'rate', public: true, initial: '0.1' },
    idle: { kind: 'variable', parent: 'main', name: 'idle', public: true, initial: '0' },
    level: { kind: 'variable', parent: 'main', name: 'level', initial: '100' },
    p: { kind: 'process', parent: 'main', name: 'Decay' },
    s: { kind: 'start', parent: 'p', trigger: 'timer' },
    c: { kind: 'compute', parent: 'p', program: 'level *= 1 - rate' },
    e: { kind: 'end', parent: 'p' },
    f: { kind: 'flow', parent: 'p', from: 's', to: 'c' },
    g: { kind: 'flow', parent: 'p', from: 'c', to: 'e' },
  })
  const series = {
    d: {
      kind: 'dataSeries',
      name: 'level',
      expression: 'level',
      data: [0, 2, 4, 8].map(at => ({ at, value: 100 * 0.7 ** at, heldOut: at === 8 })),
    },
    q: { kind: 'decision', variable: 'rate', min: 0, max: 0.9 },
    i: { kind: 'decision', variable: 'idle', min: -5, max: 5 },
  }

  it('finds the rate that the data was made with, checks it on data held out, and says what the data does not tell', async () => {
    // The timer's first turn is at tick 1, so the level at time t has gone down t times.
    const of = prepared(decay, { type: 'calibration', algorithm: 'cmaes', maxRuns: 600 }, series)
    const results = await conducted(of)
    const fit = bestFit(of, results)!
    expect(results.points[fit.point]!.settings[0]).toBeCloseTo(0.3, 4)
    expect(fit.loss.heldOut).toBeLessThan(1e-4)
    expect(unidentified(of, results).map(({ variable }) => variable)).toEqual([1])
  })

  it('approximate Bayesian computation finds the posterior of a normal mean', async () => {
    // Twenty draws with mean 1 and a wide prior: mean 0.9995, standard deviation 0.22355. The mean of twenty draws is all the data says.
    const mean = modelFrom({
      main: { kind: 'scenario', name: 'Main', totalTicks: 0 },
      theta: { kind: 'variable', parent: 'main', name: 'theta', public: true, initial: '0' },
      average: { kind: 'variable', parent: 'main', name: 'average', initial: 'normal(theta, 1 / sqrt(20))' },
    })
    const of = prepared(
      mean,
      { type: 'calibration', fit: 'abc', accepted: 0.01, maxRuns: 40_000 },
      {
        d: { kind: 'dataSeries', expression: 'average', data: [{ at: 0, value: 1 }] },
        t: { kind: 'decision', variable: 'theta', min: -4, max: 6 },
      },
    )
    const [theta] = posterior(of, await conducted(of))!.variables
    expect(Math.abs(theta!.mean - 1)).toBeLessThan(0.05)
    expect(Math.abs(theta!.std - 0.2236)).toBeLessThan(0.03)
  })
})

describe('optimisation', () => {
  const parts = {
    x,
    y,
    o: { kind: 'objective', name: 'f', expression: '(x - 1) ** 2 + (y + 0.5) ** 2' },
  }

  it('finds the least value, within constraints on inputs that cost no run', async () => {
    const free = prepared(plane, { type: 'optimization', algorithm: 'cmaes', maxRuns: 800 }, parts)
    const [best] = front(free, await conducted(free))
    expect(best!.objectives[0]).toBeLessThan(1e-6)
    const bound = { kind: 'constraint', stage: 'inputs', expression: 'x + y', relation: 'ge', bound: 2 }
    const of = prepared(plane, { type: 'optimization', algorithm: 'de', populationSize: 30, maxRuns: 2000 }, { ...parts, g: bound })
    const results = await conducted(of)
    const [tight] = front(of, results)
    // The nearest point of the line x + y = 2 to (1, -0.5) is (1.75, 0.25).
    expect(tight!.objectives[0]).toBeCloseTo(2 * 0.75 ** 2, 2)
    expect(results.points.some(({ violation }) => violation > 0)).toBe(true)
    for (let run = 0; run < results.rows; run++) expect(results.points[results.pointOf(run)]!.violation).toBe(0)
  })

  it('several objectives, constraints on outputs, a failing corner: the front is feasible and the failures are listed with their seeds', async () => {
    const of = prepared(
      plane,
      { type: 'optimization', algorithm: 'nsga2', populationSize: 20, maxRuns: 1200 },
      {
        x: { ...x, min: 0 },
        y,
        o: { kind: 'objective', name: 'f', expression: 'x ** 2 + (1 / (x - y - 3) if x - y > 2.9 else 0)' },
        p: { kind: 'objective', name: 'g', expression: '(x - 2) ** 2 + y ** 2' },
        q: { kind: 'objective', name: 'h', expression: 'x + [0, 1][2 if x > 2.8 else 1]', direction: 'max' },
        c: { kind: 'constraint', stage: 'outputs', expression: 'x + y', relation: 'le', bound: 1.5 },
      },
    )
    const results = await conducted(of)
    expect(results.failed).toBeGreaterThan(0)
    expect(english(results.failures[0]!.problem.message)).not.toBe('')
    const best = front(of, results)
    expect(best.length).toBeGreaterThan(10)
    for (const { point, violation } of best) {
      const [a, b] = results.points[point]!.settings as [number, number]
      expect(violation).toBe(0)
      expect(a + b).toBeLessThanOrEqual(1.5 + 1e-9)
    }
    expect(frontVolume(of, results)).toBeGreaterThan(0.1)
    const grown = volumes(of, results, 12)
    expect(grown.map(({ volume }) => volume)).toEqual(grown.map(({ volume }) => volume).toSorted((a, b) => a - b))
    expect(grown).toHaveLength(12)
    expect(grown.at(-1)!.volume).toBe(frontVolume(of, results))
  })

  it('what chance made look good is run again, and falls back', async () => {
    // Worth nothing but chance, which differs by the place: the best of a hundred looks good, and is not.
    const lucky = modelFrom({
      main: { kind: 'scenario', name: 'Main', totalTicks: 0 },
      x: { kind: 'variable', parent: 'main', name: 'x', public: true, initial: '0' },
      draw: { kind: 'variable', parent: 'main', name: 'draw', initial: 'normal(0, 1) * cos(x) + normal(0, 1) * sin(x)' },
    })
    const parts = { v: { kind: 'decision', variable: 'x', min: 0, max: 6.28 }, o: { kind: 'objective', expression: 'draw' } }
    const fields = { type: 'optimization', algorithm: 'random', replications: 2, populationSize: 20, maxIterations: 5, maxRuns: 2000 }
    const plain = prepared(lucky, fields, parts)
    const [seeming] = front(plain, await conducted(plain))
    const of = prepared(lucky, { ...fields, confirmations: 100 }, parts)
    expect(plannedRuns(of)).toBe(100 * 2 + 10 * 100)
    const results = await conducted(of)
    expect(results.rows).toBe(plannedRuns(of))
    const [best] = front(of, results)
    expect(seeming!.objectives[0]).toBeLessThan(-0.5)
    expect(Math.abs(best!.objectives[0]!)).toBeLessThan(0.3)
    expect(results.runsOf(best!.point)).toHaveLength(102)
    expect(results.points.filter((_, point) => results.runsOf(point).length > 2)).toHaveLength(10)
  })

  it('has another journal with another budget where its runs would have other numbers', () => {
    const key = (fields: object) => keyOf(prepared(plane, { type: 'optimization', algorithm: 'de', ...fields }, parts))
    expect(key({ maxRuns: 100 })).toBe(key({ maxRuns: 200 }))
    expect(key({ maxRuns: 100, algorithm: 'auto' })).not.toBe(key({ maxRuns: 200, algorithm: 'auto' }))
    expect(key({ maxRuns: 100, confirmations: 5 })).not.toBe(key({ maxRuns: 200, confirmations: 5 }))
    const both = {
      r: { kind: 'response', expression: 'x' },
      one: { kind: 'alternative', name: 'A' },
      two: { kind: 'alternative', name: 'B' },
    }
    const compared = (maxRuns: number) => keyOf(prepared(plane, { type: 'monteCarlo', replications: 800, maxRuns }, both))
    // 500 of A, then 500 of B; or 512 of A, 512 of B, and so on.
    expect(compared(1000)).not.toBe(compared(2000))
    expect(compared(1600)).toBe(compared(2000))
    const series = { s: { kind: 'dataSeries', expression: 'x', data: [{ at: 0, value: 1 }] }, x }
    const fitted = (maxRuns: number) => keyOf(prepared(plane, { type: 'calibration', algorithm: 'de', maxRuns }, series))
    expect(fitted(100)).not.toBe(fitted(200))
  })

  it('the newsvendor orders the critical quantile', async () => {
    // Cost 3, price 10, demand uniform on 0 .. 100: order 70. Common random numbers over 400 days.
    const news = modelFrom({
      main: { kind: 'scenario', name: 'Main', totalTicks: 0 },
      q: { kind: 'variable', parent: 'main', name: 'order', public: true, initial: '10' },
      d: { kind: 'variable', parent: 'main', name: 'demand', initial: 'uniform(0, 100)' },
    })
    const of = prepared(
      news,
      { type: 'optimization', algorithm: 'gp', replications: 400, maxRuns: 16_000 },
      {
        v: { kind: 'decision', variable: 'order', min: 0, max: 100 },
        o: { kind: 'objective', expression: '10 * min(order, demand) - 3 * order', direction: 'max' },
      },
    )
    const results = await conducted(of)
    const [best] = front(of, results)
    expect(Math.abs(Number(results.points[best!.point]!.settings[0]) - 70)).toBeLessThan(5)
  })
})

describe('wherever and however often it is begun', () => {
  const parts = {
    a: { kind: 'decision', variable: 'shift', min: -1, max: 1 },
    o: { kind: 'objective', expression: '(draw - 0.3) ** 2' },
  }
  const study = (): Prepared =>
    prepared(draws, { type: 'optimization', algorithm: 'nsga2', populationSize: 12, replications: 3, maxRuns: 500 }, parts)

  /** A worker in this thread that answers later and may die over its work. */
  const hands = (dies: () => boolean): Hands => {
    let heard: Parameters<Hands['listen']>[0] = () => {}
    let gone = false
    const serve = serveRuns(message => queueMicrotask(() => !gone && heard(message)))
    return {
      listen: to => void (heard = to),
      send(message) {
        if (message.do === 'run' && dies()) {
          gone = true
          queueMicrotask(() => heard(null))
        } else serve(structuredClone(message))
      },
      end: () => void (gone = true),
    }
  }

  it('one, two or eight workers, some of which die: the same table, and no run twice', async () => {
    const of = study()
    const expected = rowsOf(await conducted(of))
    for (const [workers, every] of [
      [1, 0],
      [2, 7],
      [8, 5],
    ] as const) {
      let count = 0
      let clock = 0
      const pool = createPool(
        of.runnable,
        workers,
        () => hands(() => every > 0 && ++count % every === 0),
        () => (clock += 3),
      )
      const journal = memory()
      let written = 0
      const counting: Journal = { read: journal.read, write: samples => ((written += samples.length), journal.write(samples)) }
      expect(rowsOf(await conducted(of, counting, pool))).toEqual(expected)
      expect(written).toBe(expected.length)
      pool.close()
    }
  })

  it('stopped or killed anywhere, it goes on to the same table without losing or repeating a run', async () => {
    const of = study()
    const expected = rowsOf(await conducted(of))
    const journal = memory()
    let rounds = 0
    for (let ended = ''; ended !== 'finished'; rounds++) {
      const stop = new AbortController()
      const before = journal.samples.size
      const lived = 37 + 11 * rounds
      const once: Journal = {
        read: journal.read,
        write(samples) {
          for (const [run] of samples) expect(journal.samples.has(run), `run ${run} was made twice`).toBe(false)
          journal.write(samples)
          if (journal.samples.size - before >= lived) stop.abort(new Error('killed'))
        },
      }
      let clock = 0
      const pool = createPool(
        of.runnable,
        2,
        () => hands(() => false),
        () => (clock += 3),
      )
      const { results, ended: how } = await conduct({ prepared: study(), evaluator: pool, journal: once, signal: stop.signal })
      pool.close()
      ended = how
      if (how === 'finished') expect(rowsOf(results)).toEqual(expected)
    }
    expect(rounds).toBeGreaterThan(2)
  })

  it('a journal in another order, or with runs missing in the middle, gives the same table', async () => {
    const of = study()
    const full = memory()
    const expected = rowsOf(await conducted(of, full))
    const random = stream(9, 0, 'holes')
    const holes = new Map<number, Sample>([...full.samples].filter(() => uniform53(random) < 0.6).reverse())
    expect(rowsOf(await conducted(of, memory(holes)))).toEqual(expected)
  })

  it('workers that cannot work are told of, not waited for', async () => {
    const of = study()
    let clock = 0
    const pool = createPool(
      of.runnable,
      2,
      () => hands(() => true),
      () => (clock += 3),
    )
    await expect(conducted(of, memory(), pool)).rejects.toThrow(WorkersKeepEnding)
    const broken = createPool(
      { ...of.runnable, alternatives: [] },
      1,
      () => hands(() => false),
      () => (clock += 3),
    )
    await expect(conducted(of, memory(), broken)).rejects.toThrow('there is no alternative 0')
  })

  it('a shipped queueing model through an experiment gives what the run itself gives', async () => {
    const { model } = sampleOf('car-wash')
    const statistic = [...model.elements.values()].find(({ kind }) => kind === 'statistic')!
    const of = prepared(
      model,
      // Its warm-up is 500 ticks.
      { type: 'monteCarlo', replications: 3, ticks: 700 },
      { r: { kind: 'response', expression: formulaName(String(statistic.fields.name)) } },
    )
    const results = await conducted(of)
    expect(results.failed).toBe(0)
    expect(results.rows).toBe(3)
    expect(Array.from(results.column(0).slice(0, 3)).every(Number.isFinite)).toBe(true)
  })
})
