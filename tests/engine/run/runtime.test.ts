// The runtime as it is lowered: what it draws is what the kernel draws, and what is committed is what the source says.
import { describe, expect, it } from 'vitest'
import { emitWasm } from '../../../sim-engine/backends/wasm.ts'
import type { Program } from '../../../sim-engine/ir.ts'
import { log } from '../../../sim-engine/kernel/math.ts'
import { normal, triangular } from '../../../sim-engine/formula/runtime/chance.ts'
import { below, stream, uniform, uniformOpen } from '../../../sim-engine/kernel/random.ts'
import { inline } from '../../../sim-engine/passes/inline.ts'
import { runtimeFunctions } from '../../../sim-engine/run/fast/process-module.ts'
import { processes } from '../../../sim-engine/runtime/generated.ts'
import { seeds } from '../../help/random.ts'
import { generated } from '../../../sim-engine/runtime/generate.ts'

/** Functions of the runtime that draw, as WebAssembly of their own. */
function lowered(wanted: readonly string[]): { draws: Record<string, (...given: number[]) => number>; memory: WebAssembly.Memory } {
  const program: Program = {
    fns: new Map(runtimeFunctions().map(fn => [fn.name, { ...fn, isExported: wanted.includes(fn.name) }])),
    imports: [
      { name: 'rareLog', params: ['f64'], result: 'f64' },
      { name: 'step', params: ['i32', 'i32'], result: 'i32' },
      { name: 'arrive', params: ['i32', 'i32'], result: 'i32' },
    ],
  }
  const memory = new WebAssembly.Memory({ initial: 1 })
  const none = (): number => 0
  const host = { memory, rareLog: (x: number) => -log(x), fail: none, hook: none, step: none, arrive: none }
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(emitWasm(inline(program, 150))), { host })
  return { draws: exports as Record<string, (...given: number[]) => number>, memory }
}

describe('runtime', () => {
  it('generated.ts: is what generate.ts makes of the sources', () => {
    expect(processes === generated(), 'run: node sim-engine/runtime/generate.ts').toBe(true)
  })

  it('chance: draws of the lowered runtime are those of the kernel, to the bit, and leave the stream where they do', () => {
    const { draws, memory } = lowered(['uniform', 'exponential', 'below', 'standardNormal', 'triangular'])
    const words = new Int32Array(memory.buffer, 64, 4)
    const s = stream(9, 0, 'e')
    words.set(s)
    let wrong = 0
    // So many that a few come next to a power of two, where the logarithm goes another way.
    for (let i = 0; i < 1_500_000; i++) {
      const mean = 0.25 + (i % 7)
      if (draws['exponential']!(64, mean) !== mean * -log(uniformOpen(s))) wrong++
      if (i % 5 === 0 && draws['uniform']!(64) !== uniform(s)) wrong++
    }
    for (let i = 0; i < 60_000; i++) {
      const n = i % 3 === 0 ? 1 + (i % 1000) : 1_048_576 - i
      if (draws['below']!(64, n) !== below(s, n)) wrong++
      if (draws['standardNormal']!(64) !== normal(s, 0, 1, 0, 0)) wrong++
      const [left, mode, right] = [-(i % 5), i % 3, 3 + (i % 7)] as const
      if (draws['triangular']!(64, left, mode, right) !== triangular(s, left, mode, right, 0, 0)) wrong++
    }
    expect(wrong).toBe(0)
    expect(words).toEqual(s)
  })

  it('chance: draws made ahead are those of the kernel whoever else draws from the stream, and wherever its words are put back', () => {
    const { draws, memory } = lowered(['uniform', 'exponentialAhead'])
    const words = new Int32Array(memory.buffer, 64, 4)
    seeds(200, random => {
      const s = stream(random.below(1e6), 0, 'e')
      // The record of the seed before is left as it is.
      words.set(s)
      const others = random.pick([0, 0.02, 0.3, 0.9])
      let kept = Int32Array.from(s)
      for (let i = 0; i < 400; i++) {
        const mean = 0.25 + (i % 7)
        expect(draws['exponentialAhead']!(64, 128, mean), `draw ${i}`).toBe(mean * -log(uniformOpen(s)))
        expect(words).toEqual(s)
        if (random.chance(others)) expect(draws['uniform']!(64)).toBe(uniform(s))
        if (random.chance(0.02)) kept = Int32Array.from(s)
        if (random.chance(0.02)) [words, s].forEach(each => each.set(kept))
      }
    })
  })

  it('choices: chosen individuals are put in the order of their birth, whatever order they come in', () => {
    const sort = runtimeFunctions().find(({ name }) => name === 'sortByBirth')
    const slot = runtimeFunctions().find(({ name }) => name === 'slotIn')
    if (!sort || !slot) throw new Error('the runtime has no sortByBirth')
    const program: Program = {
      fns: new Map([
        [slot.name, slot],
        [sort.name, { ...sort, isExported: true }],
      ]),
      imports: [],
    }
    seeds(40, random => {
      const memory = new WebAssembly.Memory({ initial: 4 })
      const { exports } = new WebAssembly.Instance(new WebAssembly.Module(emitWasm(program)), { host: { memory } })
      const sortByBirth = exports['sortByBirth'] as (list: number, n: number, ids: number) => void
      const n = random.below(random.pick([3, 40, 5000]))
      const [entries, ids] = [new Float64Array(memory.buffer, 64, n), new Float64Array(memory.buffer, 131_072, n)]
      new Int32Array(memory.buffer, 16, 1)[0] = 64
      const born = random.shuffle(Array.from({ length: n }, (_, k) => k + 1))
      ids.set(born)
      entries.set(random.shuffle(Array.from({ length: n }, (_, k) => k)))
      sortByBirth(16, n, 131_072)
      expect(Array.from(entries, handle => ids[handle])).toEqual(Array.from({ length: n }, (_, k) => k + 1))
    })
  })
})
