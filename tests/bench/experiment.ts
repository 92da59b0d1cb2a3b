// Experiments: what they cost in addition to the model's own time, and how they spread over workers.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { modelOfFile, parseFile } from '../../model-schema/file.ts'
import type { Model } from '../../model-schema/model.ts'
import { conduct, createLocal, createRunner, seedOf, type Evaluator, type Journal, type Prepared } from '../../sim-engine/experiment.ts'
import { algorithms } from '../../sim-engine/experiment/optimise.ts'
import { hypervolume } from '../../sim-engine/experiment/optimise/indicators.ts'
import { createThreads } from '../../sim-engine/threads/node.ts'
import { functionModel, prepared } from '../help/experiments.ts'
import { syntheticParts } from '../help/experiments/journals.ts'
import { dtlz2, hartmann, normalised, search, zdt1, zdt2, zdt3, zdt6, type Problem } from '../help/experiments/searches.ts'
import { median, worked, type Figure } from './figure.ts'

const forgetful: Journal = { read: () => Promise.resolve(new Map()), write() {} }

async function elapsed(of: Prepared, evaluator: Evaluator): Promise<number> {
  const before = performance.now()
  await conduct({ prepared: of, evaluator, journal: forgetful, signal: new AbortController().signal })
  return performance.now() - before
}

function sampleModel(id: string): Model {
  const parsed = parseFile(readFileSync(new URL(`../../model-schema/samples/${id}.holo`, import.meta.url), 'utf8'))
  if ('problems' in parsed) throw new Error(`${id} cannot be read`)
  return modelOfFile(parsed.file)
}

export async function* experimentFigures(wanted: (name: string) => boolean): AsyncGenerator<Figure> {
  if (wanted('experiment/overhead')) {
    const runs = 5000
    const of = prepared(functionModel({ x: 1 }), { type: 'monteCarlo', replications: runs }, { r: { kind: 'response', expression: 'x' } })
    const runner = createRunner(of.runnable)
    const bare = median(
      [1, 2, 3].map(() =>
        worked(() => {
          for (let run = 0; run < runs; run++) runner({ run, alternative: 0, inputs: {}, seed: seedOf(1, run) })
        }),
      ),
    )
    const before = process.threadCpuUsage()
    await elapsed(of, createLocal(runner))
    const { user, system } = process.threadCpuUsage(before)
    const whole = (user + system) / 1000
    yield {
      name: 'experiment/overhead',
      value: (whole - bare) / runs,
      unit: 'ms a run',
      baseline: bare / runs,
      note: 'beside the run itself, which is the baseline',
    }
  }
  if (wanted('experiment/threads')) {
    const of = prepared(
      sampleModel('clinic'),
      { type: 'monteCarlo', replications: 400, ticks: 1000 },
      { r: { kind: 'response', expression: 'mean_wait' } },
    )
    /** Runs a second, and milliseconds that all threads together worked for one: others on the machine take away from the first alone. */
    const rate = async (threads: number): Promise<{ speed: number; work: number }> => {
      const evaluator = createThreads(of.runnable, threads, () => performance.now())
      // The first pass starts the workers and lets them compile.
      await elapsed(of, evaluator)
      const before = process.cpuUsage()
      const took = await elapsed(of, evaluator)
      const { user, system } = process.cpuUsage(before)
      evaluator.close()
      return { speed: (400 * 1000) / took, work: (user + system) / 1000 / 400 }
    }
    const one = await rate(1)
    const two = await rate(2)
    const note = 'clinic, 1,000 ticks; baseline: one thread'
    yield {
      name: 'experiment/threads-2',
      value: two.speed,
      unit: 'runs/s',
      baseline: one.speed,
      ratio: two.speed / one.speed,
      note,
    }
    yield {
      name: 'experiment/threads-2-work',
      value: two.work,
      unit: 'ms of all threads a run',
      baseline: one.work,
      ratio: two.work / one.work,
      note,
    }
  }
  const speed = (name: 'nsga2' | 'tpe' | 'gp', problem: Problem, evaluations: number): number =>
    median([1, 2, 3].map(seed => worked(() => search(algorithms[name], problem, { evaluations }, seed))))
  if (wanted('experiment/nsga2'))
    yield { name: 'experiment/nsga2-zdt1', value: speed('nsga2', zdt1, 25_000), unit: 'ms', note: '25,000 evaluations' }
  if (wanted('experiment/tpe'))
    yield { name: 'experiment/tpe', value: speed('tpe', hartmann, 100) / 90, unit: 'ms a suggestion', note: 'up to 100 points' }
  if (wanted('experiment/gp'))
    yield { name: 'experiment/gp', value: speed('gp', hartmann, 100) / 90, unit: 'ms a suggestion', note: 'up to 100 points' }
  if (wanted('experiment/fronts')) yield* fronts()
  for (const [name, runs] of [
    ['experiment/merge-1e6', 1_000_000],
    ['experiment/merge-1e7', 10_000_000],
  ] as const)
    if (wanted(name)) yield* merged(name, runs)
}

/** Reports at the end of a process what it took; `peak` in kB. On Linux its `maxRSS` is at least what its parent had, so the kernel is asked. */
const usage = `
  import { readFileSync } from 'node:fs'
  process.on('exit', () => {
    const taken = process.resourceUsage()
    const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : ''
    const peak = Number(/^VmHWM:\\s*(\\d+)/m.exec(status)?.[1] ?? taken.maxRSS)
    console.error(JSON.stringify({ ...taken, peak }))
  })`

/** Puts four slices of so many runs together, with the report and Parquet parts: seconds of processor, and the most memory the process had. */
function* merged(name: string, runs: number): Generator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'holarchy-merge-'))
  try {
    const { file, parts } = syntheticParts(folder, runs, 4)
    const cli = fileURLToPath(new URL('../../sim-engine/cli.ts', import.meta.url))
    const args = [
      '--import',
      `data:text/javascript,${encodeURIComponent(usage)}`,
      cli,
      'experiment',
      'merge',
      file,
      ...parts,
      '--json',
      '--parquet',
      join(folder, 'parts'),
    ]
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    const { userCPUTime, systemCPUTime, peak } = JSON.parse(stderr.trim().split('\n').at(-1)!)
    const note = `${runs} runs in four journals, one measure; report and Parquet parts`
    yield { name: `${name}-time`, value: (userCPUTime + systemCPUTime) / 1e6, unit: 's of processor', note }
    yield { name: `${name}-memory`, value: peak / 1000, unit: 'MB', note }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Medians of jMetal 4.3 (pymoo 0.6.2 for NSGA-III), 25,000 evaluations with default settings; 0: none published. */
const published = {
  nsga2: { ZDT1: 0.6593, ZDT2: 0.3262, ZDT3: 0.5147, ZDT6: 0.388, DTLZ2: 0.3775 },
  nsga3: { ZDT1: 0.6605, ZDT2: 0.3268, ZDT3: 0.513, ZDT6: 0, DTLZ2: 0.4133 },
  spea2: { ZDT1: 0.66, ZDT2: 0.3262, ZDT3: 0.5142, ZDT6: 0, DTLZ2: 0.4043 },
  mocell: { ZDT1: 0.6606, ZDT2: 0.3284, ZDT3: 0.5144, ZDT6: 0, DTLZ2: 0.3723 },
  gde3: { ZDT1: 0.6618, ZDT2: 0.3284, ZDT3: 0.5157, ZDT6: 0, DTLZ2: 0.3752 },
  smpso: { ZDT1: 0.6618, ZDT2: 0.3286, ZDT3: 0.5152, ZDT6: 0.4013, DTLZ2: 0.3445 },
  omopso: { ZDT1: 0.6611, ZDT2: 0.3282, ZDT3: 0.514, ZDT6: 0, DTLZ2: 0.3551 },
  paes: { ZDT1: 0.6576, ZDT2: 0.3239, ZDT3: 0.4844, ZDT6: 0, DTLZ2: 0.1988 },
  moead: { ZDT1: 0.6455, ZDT2: 0.3073, ZDT3: 0.433, ZDT6: 0, DTLZ2: 0 },
} as const

function* fronts(): Generator<Figure> {
  for (const problem of [zdt1, zdt2, zdt3, zdt6, dtlz2]) {
    for (const name of Object.keys(published) as (keyof typeof published)[]) {
      const volumes = Array.from({ length: 11 }, (_, seed) =>
        hypervolume(
          normalised(problem, search(algorithms[name], problem, { evaluations: 25_000 }, seed + 1)),
          problem.ideal.map(() => 1),
        ),
      )
      const value = median(volumes)
      const baseline = Object.entries(published[name]).find(([id]) => id === problem.name)?.[1] ?? 0
      const compared = baseline === 0 ? {} : { baseline, ratio: value / baseline }
      yield {
        name: `experiment/fronts-${name}-${problem.name.toLowerCase()}`,
        value,
        unit: 'hypervolume',
        ...compared,
        note: 'median of 11 seeds',
      }
    }
  }
}
