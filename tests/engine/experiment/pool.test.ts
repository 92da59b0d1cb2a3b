// How well a pool keeps its workers busy, by a clock of its own: messages take their time, runs theirs.
import { describe, expect, it } from 'vitest'
import { createPool, type Hands, type Job, type Runnable, type Sample } from '../../../sim-engine/experiment.ts'

const runnable: Runnable = { alternatives: [], measures: [], before: null, ticks: null, stepLimit: null }
const sample: Sample = { end: 'success', ticks: 0, values: [], problem: null }
const jobs = (count: number): Job[] => Array.from({ length: count }, (_, run) => ({ run, alternative: 0, inputs: {}, seed: run }))

/** All in milliseconds: how long a message is on its way, and each run takes. What the workers did of what they could have. */
async function busy({
  workers,
  runs,
  way,
  cost,
}: {
  workers: number
  runs: number
  way: number
  cost: (run: number) => number
}): Promise<number> {
  let time = 0
  let worked = 0
  const events: { at: number; happen(): void }[] = []
  const later = (at: number, happen: () => void): void => {
    const place = events.findIndex(event => event.at > at)
    events.splice(place < 0 ? events.length : place, 0, { at, happen })
  }
  const hire = (): Hands => {
    let heard: Parameters<Hands['listen']>[0] = () => {}
    let free = 0
    return {
      send(message) {
        const begin = Math.max(time + way, free)
        const own = message.do === 'run' ? message.jobs.reduce((sum, { run }) => sum + cost(run), 0) : 0
        worked += own
        free = begin + own
        later(free + way, () =>
          heard(
            message.do === 'prepare' ? { is: 'ready' } : { is: 'done', samples: message.jobs.map(({ run }) => [run, sample] as const) },
          ),
        )
      },
      listen: listener => void (heard = listener),
      end() {},
    }
  }
  const pool = createPool(runnable, workers, hire, () => time)
  const told = new Set<number>()
  const done = pool.evaluate(jobs(runs), run => told.add(run), new AbortController().signal)
  for (let next = events.shift(); next; next = events.shift()) {
    time = next.at
    next.happen()
  }
  await done
  expect(told.size).toBe(runs)
  // What it says they have worked: all they did, and little more than that for messages on their way.
  expect(pool.worked()).toBeGreaterThanOrEqual(worked - 1e-6)
  expect(pool.worked()).toBeLessThanOrEqual(workers * (time - 2 * way) + 1e-6)
  return worked / (workers * (time - 2 * way))
}

describe('a pool', () => {
  it.each([
    ['a tenth of a millisecond', 0.1, 20_000, 0.95],
    ['a millisecond', 1, 2000, 0.95],
    ['ten milliseconds', 10, 400, 0.95],
    ['a hundred milliseconds', 100, 100, 0.94],
  ])('keeps two and eight workers busy with runs of %s', async (_, cost, runs, least) => {
    expect(await busy({ workers: 2, runs, way: 1, cost: () => cost })).toBeGreaterThan(least)
    expect(await busy({ workers: 8, runs: 4 * runs, way: 1, cost: () => cost })).toBeGreaterThan(least)
  })

  it('counts the time of all its workers, of those that are cut off as well, and none for those that wait', async () => {
    let time = 0
    const heard: Parameters<Hands['listen']>[0][] = []
    const hire = (): Hands => ({ send() {}, listen: listener => void heard.push(listener), end() {} })
    const pool = createPool(runnable, 2, hire, () => time)
    const stop = new AbortController()
    const over = pool.evaluate(jobs(3), () => {}, stop.signal)
    for (const hear of heard) hear({ is: 'ready' })
    time = 100
    expect(pool.worked()).toBe(200)
    heard[0]!({ is: 'done', samples: [[0, sample]] })
    time = 150
    expect(pool.worked()).toBe(300)
    heard[0]!({ is: 'done', samples: [[2, sample]] })
    // The first has nothing left to do.
    time = 250
    expect(pool.worked()).toBe(400)
    stop.abort()
    await expect(over).rejects.toThrow()
    time = 1000
    expect(pool.worked()).toBe(400)
    pool.close()
    expect(pool.worked()).toBe(400)
  })

  it('keeps no run waiting behind a long one', async () => {
    // One run of 2 s among short ones: the others are done meanwhile.
    const cost = (run: number): number => (run === 40 ? 2000 : 60)
    expect(await busy({ workers: 2, runs: 100, way: 1, cost })).toBeGreaterThan(0.95)
  })
})
