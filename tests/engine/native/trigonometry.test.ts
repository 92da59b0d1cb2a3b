// Sines, cosines and angles of rows as WebAssembly are those of the kernel, to the bit.
import { describe, expect, it } from 'vitest'
import { atan2, cos, sin } from '../../../sim-engine/kernel/math.ts'
import { stream, uniform53 } from '../../../sim-engine/kernel/random.ts'
import { lower } from '../../../sim-engine/native/lower.ts'
import { trigonometry } from '../../../sim-engine/native/trigonometry.ts'
import { cosine, sine } from '../../../sim-engine/world/geometry.ts'

const imports: Readonly<Record<string, number>> = { sinFar$: 1, cosFar$: 1, atan2Far$: 2, raise$: 3 }
const names = ['sin$', 'cos$', 'sine$', 'cosine$', 'atan2$'] as const

function functions(): { of: Record<string, (x: number, y: number) => number>; far: () => number } {
  const doors = names.map(name => `\nfunction ${name}of(){r=${name}(${name === 'atan2$' ? 'x,y,0,0' : 'x'});}`)
  const lowered = lower(
    `${trigonometry}${doors.join('')}`,
    names.map(name => `${name}of`),
    {
      path: path =>
        path === 'Infinity' ? { is: 'constant', value: Infinity } : /^[xyr]$/.test(path) ? { is: 'number', of: 'f64' } : undefined,
      call: path => {
        const taken = imports[path]
        return taken === undefined
          ? undefined
          : { is: 'import', parameters: Array.from({ length: taken }, () => 'f64'), result: path === 'raise$' ? null : 'f64', moves: false }
      },
    },
  )
  if ('refused' in lowered) throw new Error(lowered.refused)
  let far = 0
  const counted =
    (f: (...given: number[]) => number) =>
    (...given: number[]): number => {
      far++
      return f(...given)
    }
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(lowered.bytes), {
    host: {
      memory: new WebAssembly.Memory({ initial: 1 }),
      sinFar$: counted(x => sin(x!)),
      cosFar$: counted(x => cos(x!)),
      atan2Far$: counted((y, x) => atan2(y!, x!)),
      raise$: () => undefined,
    },
  })
  const global = (name: string): WebAssembly.Global => {
    const found = exports[name]
    if (!(found instanceof WebAssembly.Global)) throw new Error(name)
    return found
  }
  const [first, second, result] = [global('x'), global('y'), global('r')]
  const of: Record<string, (x: number, y: number) => number> = {}
  for (const name of names) {
    const door = exports[`${name}of`]
    if (typeof door !== 'function') throw new Error(name)
    of[name] = (x, y) => {
      first.value = x
      second.value = y
      door()
      return Number(result.value)
    }
  }
  return { of, far: () => far }
}

const kernel: Record<(typeof names)[number], (x: number, y: number) => number> = {
  sin$: sin,
  cos$: cos,
  sine$: sine,
  cosine$: cosine,
  atan2$: atan2,
}

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
