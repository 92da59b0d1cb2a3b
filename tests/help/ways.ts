// Builds with processes as WebAssembly (plain) and in the general way (debug), compared by their states.
import { expect } from 'vitest'
import type { Model } from '../../model-schema/model.ts'
import { check } from '../../sim-engine/check.ts'
import { compile } from '../../sim-engine/compile.ts'
import type { Program } from '../../sim-engine/compile.ts'
import { start } from '../../sim-engine/run.ts'
import type { Run } from '../../sim-engine/run.ts'

/** Durations of all sorts; the model has `base` and `size`. */
export const times = ['exponential(1)', 'exponential(0.7)', 'randint(0, 3)', '1', '0', 'uniform(0, 2)', 'exponential(base)', '0.5 * size']

export function programOf(of: Model, debug: boolean): Program {
  const checked = check(of, of.scenarios[0] ?? '')
  if (!checked.ok) throw new Error(checked.problems.map(one => `${one.code} ${one.at.id} ${one.at.field}`).join())
  return compile(checked.checked, { debug })
}

/** All that a snapshot has; other contents of arrays do not count. */
export const stateOf = (run: Run): unknown => ({ state: run.snapshot().state, result: run.result, time: run.time, tick: run.tick })

/** Runs both builds up to each of the cuts and to the end, and the plain one from the middle on, by instants. */
export function compare(of: Model, seed: number, cuts: readonly number[]): void {
  const plain = programOf(of, false)
  const a = start(plain, { seed, nativeFrom: 0 })
  const b = start(programOf(of, true), { seed })
  for (const until of cuts) {
    a.advance({ until })
    b.advance({ until })
    expect(stateOf(a)).toEqual(stateOf(b))
  }
  // From the middle on, by instants.
  const c = start(plain, { seed, nativeFrom: 0 })
  c.advance({ until: cuts[0]! })
  // What has failed is not gone on with.
  if (c.result) return
  const d = start(plain, { seed: seed + 1, nativeFrom: 0 })
  d.restore(c.snapshot())
  while (d.advance({ instants: 7 }));
  a.advance()
  b.advance()
  expect(stateOf(a)).toEqual(stateOf(b))
  expect(stateOf(d)).toEqual(stateOf(a))
}
