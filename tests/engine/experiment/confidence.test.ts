// The page that says how far to trust an experiment, and the look at the warm-up of its runs.
import { chinese } from '../../help/languages.ts'
import { describe, expect, it } from 'vitest'
import { createLocal, createRunner, keyOf } from '../../../sim-engine/experiment.ts'
import { confidenceMarkdown, confidencePage } from '../../../sim-engine/experiment/trust/confidence.ts'
import { coursesOf, warmUpsOf, welch } from '../../../sim-engine/experiment/trust/warm-up.ts'
import { conducted, functionModel, modelFrom, preparation, prepared } from '../../help/experiments.ts'
import { english } from '../../../model-schema/words.ts'

/** A level that begins at 50 and falls to 0 by a tenth a tick, with noise. */
const elements: Parameters<typeof modelFrom>[0] = {
  main: { kind: 'scenario', name: 'Main', totalTicks: 400, warmUp: 7 },
  level: { kind: 'variable', parent: 'main', name: 'level', initial: '50' },
  p: { kind: 'process', name: 'P' },
  p1: { kind: 'start', parent: 'p', trigger: 'timer' },
  p2: { kind: 'compute', parent: 'p', program: 'level = 0.9 * level + normal(0, 1)' },
  p3: { kind: 'end', parent: 'p' },
  f1: { kind: 'flow', parent: 'p', from: 'p1', to: 'p2' },
  f2: { kind: 'flow', parent: 'p', from: 'p2', to: 'p3' },
}
const falling = modelFrom(elements)
const response = { r: { kind: 'response', name: 'Level', expression: 'level' } }
const hire = (runnable: Parameters<typeof createRunner>[0]) => createLocal(createRunner(runnable))

const jobs = (count: number) => Array.from({ length: count }, (_, run) => ({ run, alternative: 0, inputs: {}, seed: run + 1 }))

describe('the look at the warm-up', () => {
  it('averages runs over their time, smooths them, and suggests where to cut', async () => {
    const of = prepared(falling, { type: 'monteCarlo', replications: 2 }, response)
    const courses = (await coursesOf(of, jobs(10), hire, new AbortController().signal))!
    expect(courses.times.slice(0, 3)).toEqual([1, 2, 3])
    expect(courses.measures.map(({ label, runs }) => [label, runs.length])).toEqual([['Level', 10]])
    const { mean, smooth, suggested } = welch(courses.times, courses.measures[0]!.runs, 5)
    // The mean is that of the runs, the smoothed curve a moving average of it, of fewer at the ends.
    const own = (t: number): number => courses.measures[0]!.runs.reduce((sum, run) => sum + run[t]!, 0) / 10
    const average = (from: number, to: number): number => mean.slice(from, to).reduce((sum, value) => sum + value, 0) / (to - from)
    expect(mean[17]).toBeCloseTo(own(17), 10)
    expect(smooth[17]).toBeCloseTo(average(12, 23), 10)
    expect(smooth[2]).toBeCloseTo(average(0, 5), 10)
    expect(smooth[0]).toBe(mean[0])
    // 50 x .9 ^ t is 1.2 after 35 ticks; of ten runs the noise has a standard deviation of .7.
    expect(suggested).toBeGreaterThanOrEqual(20)
    expect(suggested).toBeLessThanOrEqual(100)
  })

  it('sees statistics of the model that are sampled at the end, over the whole course', async () => {
    const counting = modelFrom({
      ...elements,
      p2: { kind: 'compute', parent: 'p', program: 'level += 1' },
      held: { kind: 'statistic', parent: 'main', name: 'held', expression: 'level', aggregate: 'mean', sample: 'end' },
    })
    const of = prepared(counting, { type: 'monteCarlo' }, { r: { kind: 'response', name: 'Held', expression: 'held' } })
    const courses = (await coursesOf(of, jobs(2), hire, new AbortController().signal))!
    const [run] = courses.measures[0]!.runs
    // A level that rises by 1 a tick.
    expect(run!.at(-1)! - run![0]!).toBe(courses.times.at(-1)! - courses.times[0]!)
  })

  it('knows the warm-up that is left out now: of the model, or what the experiment has in its place', () => {
    expect(warmUpsOf(prepared(falling, { type: 'monteCarlo' }, response).runnable)).toEqual([7])
    expect(warmUpsOf(prepared(falling, { type: 'monteCarlo', warmUpTicks: 12 }, response).runnable)).toEqual([12])
  })

  it('says that there is none where runs fail or are short', async () => {
    const signal = new AbortController().signal
    const brief = prepared(falling, { type: 'monteCarlo', ticks: 19 }, response)
    expect(await coursesOf(brief, jobs(3), hire, signal)).toBe(null)
    const failing = prepared(falling, { type: 'monteCarlo' }, { r: { kind: 'response', name: 'Bad', expression: '1 / (level - level)' } })
    expect(await coursesOf(failing, jobs(3), hire, signal)).toBe(null)
  })
})

describe("an experiment's own warm-up", () => {
  const held = { kind: 'statistic', parent: 'main', name: 'held', expression: 'level', aggregate: 'mean', sample: 'tick' }
  // From so high a level on, what seven ticks leave of the start is far above the noise.
  const model = modelFrom({ ...elements, level: { ...elements['level']!, initial: '5000' }, held })
  const study = (fields: object) =>
    prepared(model, { type: 'monteCarlo', replications: 3, ...fields }, { r: { kind: 'response', expression: 'held' } })

  it('replaces that of the scenario, and changes what the runs are kept as', async () => {
    const [blank, same, long] = [study({}), study({ warmUpTicks: 7 }), study({ warmUpTicks: 100 })]
    const values = async (of: typeof blank) => [...(await conducted(of)).valuesAt(0, 0)]
    expect(await values(same)).toEqual(await values(blank))
    const [early, late] = [await values(blank), await values(long)]
    early.forEach((value, k) => expect(Math.abs(value)).toBeGreaterThan(Math.abs(late[k]!)))
    expect(keyOf(long)).not.toBe(keyOf(blank))
  })

  it('is refused where it takes the whole run', () => {
    const made = preparation(model, { type: 'monteCarlo', ticks: 50, warmUpTicks: 50 }, { r: { kind: 'response', expression: 'held' } })
    expect(made.problems.map(({ at }) => at.field)).toEqual(['warmUpTicks'])
  })
})

describe('the confidence page', () => {
  const parts = {
    a: { kind: 'alternative', name: 'base' },
    b: { kind: 'alternative', name: 'a | b', values: [{ variable: 'x', value: '2' }] },
    r: { kind: 'response', name: 'Value', expression: 'x + random()' },
  }
  const of = prepared(functionModel({ x: 1 }), { type: 'monteCarlo', replications: 40 }, parts)

  it('has each mean with its own and the joint interval, the runs that show 5 %, and what they mean', async () => {
    const page = confidencePage(of, await conducted(of))!
    expect(page.rows.map(({ alternative, measure }) => [alternative, measure])).toEqual([
      ['base', 'Value'],
      ['a | b', 'Value'],
    ])
    for (const { own, joint, relativeHalfWidth, runsToSee5Percent } of page.rows) {
      expect(joint!.low).toBeLessThan(own.low)
      expect(joint!.high).toBeGreaterThan(own.high)
      expect(relativeHalfWidth).toBeCloseTo((own.high - own.low) / 2 / own.mean, 12)
      // Lachin 1981: 2 (1.96 + .8416)^2 (s / d)^2, and one.
      expect(runsToSee5Percent).toBe(Math.ceil((2 * 2.801585 ** 2 * own.std ** 2) / (0.05 * own.mean) ** 2) + 1)
    }
    const said = page.statements.map(words => english(words)).join('\n')
    expect(said).toContain('80 runs were made, 0 failed')
    expect(said).toContain('Looked at together, 2 intervals')
    expect(said).toContain('No warm-up is left out.')
    for (const words of page.statements) expect(chinese(words)).toMatch(/\p{Script=Han}/u)
    const text = confidenceMarkdown('Study', page, english)
    expect(text).toMatch(/^# Study: how far to trust it\n\n\| Alternative \|/)
    // A name cannot end a cell.
    expect(text).toContain('| a \\| b | Value | 40 |')
    expect(text.split('\n').filter(line => line.startsWith('- ')).length).toBe(page.statements.length)
  })

  it('has the warnings, and is of Monte Carlo experiments with runs alone', async () => {
    const single = prepared(functionModel({ x: 1 }), { type: 'monteCarlo', replications: 1 }, { r: parts.r })
    const page = confidencePage(single, await conducted(single))!
    expect(english(page.warnings[0]!)).toContain('a single run says nothing')
    expect(page.rows[0]).toMatchObject({ joint: null, relativeHalfWidth: null, runsToSee5Percent: null })
    expect(confidenceMarkdown('Study', page, chinese)).toContain('## 警告')
  })
})
