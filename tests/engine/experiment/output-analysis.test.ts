import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printFile } from '../../../model-schema/file.ts'
import { mainUntil } from '../../../sim-engine/cli.ts'
import { batchMeans, lag1, mser5, runsToSee } from '../../../sim-engine/experiment/trust/output-analysis.ts'
import { stream } from '../../../sim-engine/kernel/random.ts'
import { compute, end, every, model, process, scenario, start, statistic, variable } from '../../help/models.ts'
import * as series from '../../help/experiments/series.ts'

const autoregression = (seed: number, n: number, phi: number, first = 0): number[] =>
  series.autoregression(stream(seed, 0, 'noise'), n, phi, first)
const waits = (seed: number, n: number, load: number): number[] => series.waits(stream(seed, 0, 'queue'), n, load)

describe('MSER-5', () => {
  it('cuts where a step ends, in whole fives', () => {
    const values = Array.from({ length: 500 }, (_, i) => (i < 50 ? 10 : i % 2))
    expect(mser5(values)).toEqual({ cut: 50, isReliable: true })
  })

  it.each([
    ['an autoregression that begins high', () => autoregression(4, 400, 0.7, 30)],
    ['an autoregression without memory', () => autoregression(5, 400, 0)],
    ['one with much', () => autoregression(6, 400, 0.95, 20)],
    ['waits at a server of load .7', () => waits(7, 400, 0.7)],
    ['waits at a server of load .9', () => waits(8, 400, 0.9)],
  ])('is the cut of least standard error, tried one by one: %s', (_, make) => {
    const values = make()
    const means = Array.from({ length: 80 }, (_, k) => values.slice(5 * k, 5 * k + 5).reduce((a, b) => a + b) / 5)
    const error = (d: number): number => {
      const tail = means.slice(d)
      const mean = tail.reduce((a, b) => a + b) / tail.length
      return tail.reduce((sum, one) => sum + (one - mean) ** 2, 0) / tail.length ** 2
    }
    const best = means.slice(0, 76).reduce((least, _, d) => (error(d) < error(least) ? d : least), 0)
    expect(mser5(values)!.cut).toBe(5 * best)
  })

  it.each([
    ['a step', (t: number) => (t < 150 ? 8 : 0)],
    ['a line', (t: number) => Math.max(0, 8 * (1 - t / 150))],
    ['a decay', (t: number) => 8 * Math.exp(-t / 50)],
    ['an oscillation', (t: number) => (t < 150 ? 8 * Math.sin((Math.PI * t) / 25) : 0)],
  ] as const)('removes %s that is laid on an autoregression', (_, bias) => {
    // Shapes of bias as in Hoad, Robinson and Davies (2010, "Automating warm-up length estimation"), on noise of standard deviation 1.15.
    let squares = 0
    for (let seed = 1; seed <= 20; seed++) {
      const values = autoregression(seed, 2000, 0.5).map((value, t) => value + bias(t))
      const { cut, isReliable } = mser5(values)!
      expect(isReliable, `SEED=${seed}`).toBe(true)
      let left = 0
      for (let t = cut; t < values.length; t++) left += bias(t)
      squares += (left / (values.length - cut)) ** 2
      expect(cut, `SEED=${seed}`).toBeLessThan(1000)
    }
    // What bias is left is less than the standard error of the mean, 1 / (1 - .5) / sqrt(2000); without a cut it is .2 of the decay.
    expect(Math.sqrt(squares / 20)).toBeLessThan(0.0447)
  })

  it('cuts little where there is no warm-up, and does not trust itself where there is nothing else', () => {
    const cuts = Array.from({ length: 20 }, (_, seed) => mser5(autoregression(seed, 1000, 0))!.cut)
    expect(cuts.toSorted((a, b) => a - b)[10]).toBeLessThan(200)
    expect(mser5(Array.from({ length: 300 }, (_, i) => i * i))!.isReliable).toBe(false)
    expect(mser5([1, 2, 3])).toBe(null)
  })
})

describe('batch means', () => {
  it('covers the mean of an autoregression about as often as it says', () => {
    const covered = Array.from({ length: 300 }, (_, seed) => batchMeans(autoregression(seed + 1, 2000, 0.5), 0.95)!)
    const share = covered.filter(({ low, high }) => low <= 0 && high >= 0).length / covered.length
    // Three standard errors of a share of 300.
    expect(share).toBeGreaterThan(0.95 - 3 * Math.sqrt((0.95 * 0.05) / 300))
  })

  it('covers the mean wait of M/M/1 behind the warm-up', () => {
    const load = 0.5
    const found = Array.from({ length: 200 }, (_, seed) => {
      const all = waits(seed + 1, 8000, load)
      return batchMeans(all.slice(mser5(all)!.cut), 0.95)!
    })
    // Pollaczek and Khinchine, with a gap of 1 between arrivals on average.
    const wanted = load ** 2 / (1 - load)
    expect(found.filter(({ low, high }) => low <= wanted && high >= wanted).length / found.length).toBeGreaterThan(0.9)
  })

  it('says when neighbouring batches are correlated, and needs values', () => {
    expect(
      batchMeans(
        Array.from({ length: 200 }, (_, i) => i),
        0.95,
      ),
    ).toMatchObject({ batches: 10, isReliable: false })
    expect(batchMeans([1, 2, 3], 0.95)).toBe(null)
    expect(
      batchMeans(
        Array.from({ length: 100 }, () => 2),
        0.95,
      ),
    ).toMatchObject({ mean: 2, low: 2, high: 2, isReliable: true })
  })

  it('correlation of neighbours: that of a list worked out by hand', () => {
    expect(lag1([1, 2, 3, 4])).toBeCloseTo(0.25, 12)
    expect(lag1([3, 3, 3])).toBe(0)
  })
})

describe('power', () => {
  it('asks for as many runs as the tables say', () => {
    // Two groups, difference of half a standard deviation, 5 %, power .8: 63 or 64 of each (Cohen 1988, table 2.4.1).
    expect(runsToSee(0.5, 1, 0.95, 0.8)).toBe(64)
    expect(runsToSee(1, 1, 0.95, 0.8)).toBe(17)
    expect([runsToSee(0, 1, 0.95, 0.8), runsToSee(1, 0, 0.95, 0.8)]).toEqual([Infinity, 1])
  })
})

describe('holarchy steady', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'holarchy-steady-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  async function cli(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    const built = model(
      scenario({ totalTicks: 2000 }),
      variable('level', 50),
      process('P', start(every(1)), compute('level = 0.9 * level + normal(0, 1)'), end()),
      statistic('held', 'level'),
    )
    const path = join(folder, 'model.holo')
    writeFileSync(path, printFile(built.file))
    let [out, err] = ['', '']
    const output = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) }
    const code = await mainUntil(['steady', path, ...args], output, new AbortController().signal)
    return { code, out, err }
  }

  it('tells the warm-up and the mean of each statistic in the long term', async () => {
    const { code, out } = await cli('--json')
    const told = JSON.parse(out).statistics[0]
    expect([code, told.statistic, told.values]).toEqual([0, 'held', 1999])
    // 50 * 0.9 ** t is below the noise, of standard deviation 2.3, after some thirty ticks.
    expect(told.warmUp.cut).toBeGreaterThanOrEqual(20)
    expect(told.warmUp.cut).toBeLessThanOrEqual(200)
    expect(told.mean.low).toBeLessThan(0.5)
    expect(told.mean.high).toBeGreaterThan(-0.5)
    expect((await cli()).out).toMatch(/^held: warm-up \d+ ticks \(MSER-5\); mean -?[\d.]+, 95 % interval /)
  })

  it('says when a run is too short, and what it cannot take', async () => {
    expect((await cli('--ticks', '10')).out).toBe('held: 9 values are too few\n')
    const { code, err } = await cli('--confidence', '2')
    expect([code, err.includes('--confidence')]).toEqual([2, true])
  })
})
