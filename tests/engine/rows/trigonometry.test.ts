// Sines, cosines and angles of rows as WebAssembly are those of the kernel, to the bit.
import { describe, expect, it } from 'vitest'
import { emitWasm } from '../../../sim-engine/backends/wasm.ts'
import { atan2, cos, sin } from '../../../sim-engine/kernel/math.ts'
import { stream, uniform53 } from '../../../sim-engine/kernel/random.ts'
import { runtimeFunctions } from '../../../sim-engine/run/fast/process-module.ts'
import { cosine, sine } from '../../../sim-engine/world/geometry.ts'

const names = ['sin', 'cos', 'sine', 'cosine', 'atan2'] as const
const angles: ReadonlySet<string> = new Set([...names, 'sinNear', 'cosNear', 'atanOf', 'fullTurn'])

function functions(): { of: Record<string, (x: number, y: number) => number>; far: () => number } {
  const fns = runtimeFunctions()
    .filter(({ name }) => angles.has(name))
    .map(fn => [fn.name, { ...fn, isExported: names.some(name => name === fn.name) }] as const)
  const f64 = 'f64' as const
  const imports = [
    { name: 'sinFar', params: [f64], result: f64 },
    { name: 'cosFar', params: [f64], result: f64 },
    { name: 'atan2Far', params: [f64, f64], result: f64 },
  ]
  let far = 0
  const counted =
    (f: (...given: number[]) => number) =>
    (...given: number[]): number => {
      far++
      return f(...given)
    }
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(emitWasm({ fns: new Map(fns), imports })), {
    host: {
      memory: new WebAssembly.Memory({ initial: 1 }),
      sinFar: counted(x => sin(x!)),
      cosFar: counted(x => cos(x!)),
      atan2Far: counted((y, x) => atan2(y!, x!)),
    },
  })
  const of: Record<string, (x: number, y: number) => number> = {}
  for (const name of names) {
    const found = exports[name]
    if (typeof found !== 'function') throw new Error(name)
    of[name] = (x, y) => Number(name === 'atan2' ? found(x, y) : found(x))
  }
  return { of, far: () => far }
}

const kernel: Record<(typeof names)[number], (x: number, y: number) => number> = { sin, cos, sine, cosine, atan2 }

describe('trigonometry as WebAssembly', () => {
  it('is that of the kernel, for numbers of all sizes, near multiples of quarter turns, and odd ones', () => {
    const { of, far } = functions()
    const s = stream(1, 0, 'angles')
    const random = (): number => uniform53(s)
    const odd = [0, -0, NaN, 1, -1, 0.5, 0.2999999523162842, 0.7812504768371582, 90, 180, 270, 360, Infinity, -Infinity, 5e-324]
    const draw = (): number => {
      const sign = random() < 0.5 ? -1 : 1
      switch (Math.floor(random() * 8)) {
        case 0:
          return sign * random() * 7
        case 1:
          return sign * random() * 1e3
        case 2:
          return sign * 10 ** (random() * 40 - 20)
        case 3:
          return sign * Math.floor(random() * 20) * (Math.PI / 4) * (1 + (random() - 0.5) * 1e-12)
        case 4:
          return odd[Math.floor(random() * odd.length)]!
        case 5:
          return sign * Math.floor(random() * 8) * (Math.PI / 2)
        case 6:
          return sign * 0.3 * (1 + (random() - 0.5) * 1e-6)
        default:
          return sign * random() * 360
      }
    }
    for (let k = 0; k < 200_000; k++) {
      const [x, y] = [draw(), draw()]
      for (const name of names) {
        const [theirs, ours] = [kernel[name](x, y), of[name]!(x, y)]
        if (!Object.is(ours, theirs)) expect([name, x, y, ours]).toEqual([name, x, y, theirs])
      }
    }
    const before = far()
    // Usual angles need no help.
    for (let k = 0; k < 10_000; k++) for (const name of names) of[name]!(0.1 + random() * 6, 0.1 + random())
    expect(far() - before).toBeLessThan(50)
  })
})
