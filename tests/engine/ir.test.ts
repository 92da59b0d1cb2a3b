// The intermediate representation: the interpreter says what it means; both back ends, with and without passes, say the same to the byte.
import { describe, expect, it } from 'vitest'
import { emitJs } from '../../sim-engine/backends/js.ts'
import { emitWasm } from '../../sim-engine/backends/wasm.ts'
import * as ir from '../../sim-engine/ir.ts'
import type { BinaryOp, Expr, Fn, Mem, Program, Stmt, Type } from '../../sim-engine/ir.ts'
import { below, stream, uniform } from '../../sim-engine/kernel/random.ts'
import type { Stream } from '../../sim-engine/kernel/random.ts'
import { lowerModule } from '../../sim-engine/lower/typescript.ts'
import { convertIfs } from '../../sim-engine/passes/if-conversion.ts'
import { inline, mostAdded } from '../../sim-engine/passes/inline.ts'
import { specialise } from '../../sim-engine/passes/specialise.ts'
import { Failed, interpret } from '../help/interpret.ts'
import type { Host } from '../help/interpret.ts'

const bytes = 4096

type Outcome = { result: number | string; hooks: readonly number[]; memory: number }

/** Runs `main(3, 0.5)` of a program on a memory filled from the seed. */
function outcome(
  program: Program,
  seed: number,
  make: (program: Program, memory: WebAssembly.Memory, host: Host) => Record<string, unknown>,
): Outcome {
  const memory = new WebAssembly.Memory({ initial: 1 })
  const s = stream(seed, 0, 'memory')
  const floats = new Float64Array(memory.buffer, 0, bytes / 16)
  for (let k = 0; k < floats.length; k++) floats[k] = below(s, 3) === 0 ? below(s, 9) - 4 : uniform(s) * 20 - 10
  const hooks: number[] = []
  const host: Host = {
    fail(place) {
      throw new Failed(place!)
    },
    hook(place) {
      hooks.push(place!)
    },
  }
  let result: number | string
  try {
    const { main } = make(program, memory, host)
    result = (main as (a: number, b: number) => number)(3, 0.5)
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    result = error.message
  }
  return { result, hooks, memory: hashOf(new Uint8Array(memory.buffer, 0, bytes)) }
}

/** FNV-1a. */
const hashOf = (of: Uint8Array): number => of.reduce((hash, byte) => Math.imul(hash ^ byte, 16777619), 0x811c9dc5 | 0)

const byInterpreter = (program: Program, seed: number): Outcome => outcome(program, seed, interpret)
const byWasm = (program: Program, seed: number): Outcome =>
  outcome(
    program,
    seed,
    (one, memory, host) => new WebAssembly.Instance(new WebAssembly.Module(emitWasm(one)), { host: { memory, ...host } }).exports,
  )
const byJs = (program: Program, seed: number): Outcome =>
  // oxlint-disable-next-line no-new-func -- what the back end is for
  outcome(program, seed, (one, memory, host) => new Function('memory', 'host', emitJs(one))(memory, host) as Record<string, unknown>)

const intOps: readonly BinaryOp[] = [
  'add',
  'sub',
  'mul',
  'and',
  'or',
  'xor',
  'shl',
  'shr',
  'shru',
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'land',
  'lor',
]
const floatOps: readonly BinaryOp[] = ['add', 'sub', 'mul', 'div', 'min', 'max']
const comparisons: readonly BinaryOp[] = ['eq', 'ne', 'lt', 'le', 'gt', 'ge']
const mems: readonly Mem[] = ['u8', 'u16', 'i16', 'i32', 'f64']

/** Programs that always end: loops count, and functions call only those made before them. */
class Programs {
  readonly #s: Stream
  readonly #fns: Fn[] = []
  #labels = 0

  constructor(seed: number) {
    this.#s = stream(seed, 0, 'programs')
  }

  program(): Program {
    for (let k = 0; k < 3; k++) this.#fns.push(this.#fn(`f${k}`, this.#pick(['i32', 'f64', 'void'])))
    this.#fns.push({ ...this.#fn('main', 'f64'), isExported: true })
    return { fns: new Map(this.#fns.map(fn => [fn.name, fn])), imports: [] }
  }

  #pick<T>(of: readonly T[]): T {
    return of[below(this.#s, of.length)]!
  }

  #fn(name: string, result: Type): Fn {
    const params = [
      ['a', 'i32'],
      ['b', 'f64'],
    ] as const
    const locals = new Map<string, Type>([
      ['i', 'i32'],
      ['j', 'i32'],
      ['x', 'f64'],
      ['y', 'f64'],
    ])
    const body = this.#body(3, result)
    return {
      name,
      params,
      result,
      locals,
      body: [...body, { kind: 'return', value: result === 'void' ? null : this.#expr(result, 3) }],
      isExported: false,
    }
  }

  #body(depth: number, result: Type): Stmt[] {
    return Array.from({ length: 1 + below(this.#s, 4) }, () => this.#stmt(depth, result)).flat()
  }

  #stmt(depth: number, result: Type): Stmt[] {
    const kind = below(this.#s, depth > 0 ? 10 : 4)
    const label = `l${this.#labels++}`
    if (kind < 2) {
      const type = this.#pick(['i32', 'f64'] as const)
      return [ir.set(this.#pick(type === 'i32' ? ['j', 'a'] : ['x', 'y', 'b']), this.#expr(type, 3))]
    }
    if (kind < 4) {
      const mem = this.#pick(mems)
      return [ir.store(mem, this.#address(), 8 * below(this.#s, 16), this.#stored(mem))]
    }
    if (kind === 4) return [{ kind: 'hook', place: below(this.#s, 100) }]
    if (kind === 5)
      return [ir.when(this.#expr('i32', 2), this.#body(depth - 1, result), below(this.#s, 2) === 0 ? [] : this.#body(depth - 1, result))]
    if (kind === 6) {
      const name = `f${below(this.#s, 3)}`
      const fn = this.#fns.find(one => one.name === name)
      return fn ? [ir.run(ir.call(name, fn.result, this.#expr('i32', 2), this.#expr('f64', 2)))] : []
    }
    if (kind === 7) {
      const leave: Stmt = ir.when(this.#expr('i32', 2), [{ kind: 'break', label }])
      return [{ kind: 'block', label, body: [...this.#body(depth - 1, result), leave, ...this.#body(depth - 1, result)] }]
    }
    if (kind === 8) {
      const i = ir.get('i', 'i32')
      const more = ir.set('i', ir.binary('add', i, ir.i32(1)))
      const end: Stmt = ir.when(ir.binary('ge', i, ir.i32(3)), [{ kind: 'break', label }])
      const skip: Stmt = ir.when(this.#expr('i32', 2), [{ kind: 'continue', label }])
      return [
        ir.set('i', ir.i32(below(this.#s, 3))),
        { kind: 'loop', label, body: [end, more, ...this.#body(0, result), skip, ...this.#body(0, result)] },
      ]
    }
    const cases = [this.#body(depth - 1, result), this.#body(depth - 1, result)]
    return [{ kind: 'switch', of: ir.binary('and', this.#expr('i32', 2), ir.i32(3)), table: [1, -1, 0], cases }]
  }

  /** Not a number may have any bits: it is never stored, nor looked at bit by bit. */
  #stored(mem: Mem): Expr {
    return mem === 'f64' ? ir.check(this.#expr('f64', 3), 99) : this.#expr('i32', 3)
  }

  #words(more: (of: Type) => Expr): Expr {
    const op = this.#pick(['toI', 'high', 'low'] as const)
    return ir.unary(op, op === 'toI' ? more('f64') : ir.binary('mul', ir.unary('toF', more('i32')), ir.f64(0.37)))
  }

  #address(): Expr {
    return ir.binary('and', this.#expr('i32', 1), ir.i32(1016))
  }

  #expr(type: Type, depth: number): Expr {
    if (depth === 0)
      return type === 'i32'
        ? this.#pick([ir.i32(below(this.#s, 7) - 3), ir.get('a', 'i32'), ir.get('j', 'i32')])
        : this.#pick([ir.f64(uniform(this.#s) * 4 - 2), ir.get('b', 'f64'), ir.get('x', 'f64')])
    const kind = below(this.#s, 8)
    const more = (of: Type): Expr => this.#expr(of, depth - 1)
    if (kind === 0 && depth > 1) return ir.cond(more('i32'), more(type), more(type))
    if (kind === 0) return ir.select(more('i32'), this.#expr(type, 0), this.#expr(type, 0))
    if (kind === 1 && type === 'f64') return ir.check(more('f64'), below(this.#s, 50))
    if (kind === 1) return ir.binary(this.#pick(comparisons), more('f64'), more('f64'))
    if (kind === 2)
      return type === 'i32' ? ir.load(this.#pick(['u8', 'u16', 'i16', 'i32']), this.#address(), 8) : ir.load('f64', this.#address(), 16)
    if (kind === 3 && type === 'f64') return ir.unary(this.#pick(['neg', 'abs', 'floor', 'ceil'] as const), more('f64'))
    if (kind === 3) return ir.unary(this.#pick(['eqz', 'popcnt'] as const), more('i32'))
    if (kind === 4) return type === 'f64' ? ir.unary(this.#pick(['toF', 'toFu'] as const), more('i32')) : this.#words(more)
    const callee = this.#fns.find(fn => fn.result === type)
    if (kind === 5 && callee && depth === 3) return ir.call(callee.name, type, more('i32'), more('f64'))
    return ir.binary(this.#pick(type === 'i32' ? intOps : floatOps), more(type), more(type))
  }
}

describe('intermediate representation', () => {
  it('back ends and inlining: the same bytes, results, hooks and failures as the interpreter, on random programs', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const program = new Programs(seed).program()
      const meant = JSON.stringify(byInterpreter(program, seed))
      const same = (got: Outcome, how: string): void => {
        if (JSON.stringify(got) !== meant)
          expect.fail(`${how}, seed ${seed}: ${JSON.stringify(got)} instead of ${meant}\n${ir.showProgram(program)}`)
      }
      same(byJs(program, seed), 'JavaScript')
      same(byWasm(program, seed), 'WebAssembly')
      for (const limit of [0, 20, 200]) {
        const inlined = inline(program, limit)
        same(byInterpreter(inlined, seed), `inlined to ${limit}`)
        same(byWasm(inlined, seed), `WebAssembly, inlined to ${limit}`)
        if (limit === 20) same(byJs(inlined, seed), `JavaScript, inlined to ${limit}`)
      }
      const special = specialise(program, new Map())
      same(byInterpreter(special, seed), 'specialised')
      same(byJs(special, seed), 'JavaScript, specialised')
      same(byWasm(inline(special, 20), seed), 'WebAssembly, specialised and inlined')
      const chosen = convertIfs(inline(program, 20))
      same(byInterpreter(chosen, seed), 'inlined, its choices converted')
      same(byWasm(chosen, seed), 'WebAssembly, inlined, its choices converted')
    }
  })

  it('inlining: leaves no call of a small function, and no function that nothing calls', () => {
    const program = new Programs(7).program()
    expect([...inline(program, 1000).fns.keys()]).toEqual(['main'])
  })

  it('inlining: adds no more to a function than its bound, and what it leaves means the same', () => {
    const calls = Math.ceil(mostAdded / 10) + 5
    const source = `
      export function twice(x: f64): f64 {
        return x * 2 + x * 3 + x * 4 - 1
      }
      export function main(n: i32, by: f64): f64 {
        let sum = by
        ${'sum = twice(sum) / 16\n'.repeat(calls)}
        return sum
      }`
    const fns = new Map([...lowerModule(source, new Map())].map(([name, fn]) => [name, { ...fn, isExported: name === 'main' }]))
    const program = { fns, imports: [] }
    const inlined = inline(program, 200)
    const nodesOf = (fn: Fn): number => {
      let nodes = 0
      ir.visit(fn.body, { expr: () => void nodes++, stmt: () => void nodes++ })
      return nodes
    }
    const main = inlined.fns.get('main')!
    expect([...inlined.fns.keys()]).toEqual(['twice', 'main'])
    // Each call that became a body is a variable more.
    expect(nodesOf(main)).toBeLessThan(nodesOf(fns.get('main')!) + mostAdded + 4 * calls)
    expect(byWasm(inlined, 1)).toEqual(byWasm(program, 1))
  })

  it('specialising: constants decide and address, and what is known of the memory is a constant', () => {
    const source = `
      export function put(at: i32, isDouble: i32, by: f64): void {
        const factor = F64[(at + 8) >> 3]!
        if (isDouble !== 0) F64[at >> 3] = by * factor
        else F64[at >> 3] = by
      }
      export function main(n: i32, by: f64): f64 {
        put(16, 1, by)
        put(16, 0, by)
        put(n, 1, by)
        return by
      }`
    const fns = new Map([...lowerModule(source, new Map())].map(([name, fn]) => [name, { ...fn, isExported: name === 'main' }]))
    expect(ir.showProgram(inline(specialise({ fns, imports: [] }, new Map([[24, 2]])), 0))).toMatchInlineSnapshot(`
      "export fn main(n: i32, by: f64): f64
        put$00_by = by
        put$00_factor = 2.0
        f64[16] = (put$00_by * 2.0)
        put$11_by = by
        put$11_factor = 2.0
        f64[16] = put$11_by
        put$22_at = n
        put$22_by = by
        put$22_factor = f64[put$22_at + 8]
        f64[put$22_at] = (put$22_by * put$22_factor)
        return by
      "
    `)
  })

  it('if-conversion: what is read only where the test reads it, and cannot trap, is chosen without a branch', () => {
    const at = (word: number, row: string): Expr =>
      ir.load('i32', ir.binary('add', ir.load('i32', ir.i32(word)), ir.binary('shl', ir.get(row, 'i32'), ir.i32(2))))
    const kindOf = (test: Expr, yes: Expr, no: Expr): string => {
      const fn: Fn = {
        name: 'main',
        params: ['a', 'j'].map(name => [name, 'i32'] as const),
        result: 'i32',
        locals: new Map(),
        body: [{ kind: 'return', value: ir.cond(test, yes, no) }],
        isExported: true,
      }
      const [returned] = convertIfs({ fns: new Map([['main', fn]]), imports: [] }).fns.get('main')!.body
      return returned?.kind === 'return' ? returned.value!.kind : ''
    }
    const isSource = ir.binary('eq', at(16, 'j'), ir.get('a', 'i32'))
    expect(kindOf(isSource, at(24, 'j'), at(16, 'j'))).toBe('select')
    expect(kindOf(isSource, at(24, 'a'), at(16, 'j')), 'a row the test does not read').toBe('cond')
    expect(kindOf(ir.binary('land', ir.get('a', 'i32'), isSource), at(24, 'j'), ir.i32(0)), 'a row it reads sometimes').toBe('cond')
    expect(kindOf(isSource, ir.binary('div', ir.i32(9), ir.get('a', 'i32')), ir.i32(0)), 'may trap').toBe('cond')
    expect(kindOf(ir.call('next', 'i32'), ir.i32(1), ir.i32(2)), 'a test with effects').toBe('cond')
    expect(kindOf(isSource, ir.f64(1), ir.f64(2)), 'numbers of formulas').toBe('cond')
  })

  it('back ends: a function that has the name of another, or of one of the host, is refused', () => {
    const one: Fn = { name: 'one', params: [], result: 'void', locals: new Map(), body: [], isExported: true }
    const ofHost: ir.Import = { name: 'one', params: [], result: 'void' }
    expect(() => emitWasm({ fns: new Map([['one', one]]), imports: [ofHost] })).toThrow('two functions one')
    expect(() => emitWasm({ fns: new Map(), imports: [ofHost, ofHost] })).toThrow('two functions one')
    expect(() => emitWasm({ fns: new Map([['one', one]]), imports: [] })).not.toThrow()
  })

  it('printing: a program reads like the code it came from', () => {
    const source = `
      export function area(at: i32, by: f64): f64 {
        let sum = 0.0
        let k = 0
        while (k < 3) {
          sum = sum + F64[(at + k * 8) >> 3]! * by
          k = k + 1
        }
        if (sum > 10) return 10
        I32[(at + 24) >> 2] = k
        return sum
      }`
    const fns = lowerModule(source, new Map())
    expect(ir.showProgram({ fns, imports: [] })).toMatchInlineSnapshot(`
      "fn area(at: i32, by: f64): f64
        sum = 0.0
        k = 0
        loop loop0
          if eqz((k < 3))
            break loop0
          sum = (sum + (f64[(at + (k * 8))] * by))
          k = (k + 1)
        if (sum > 10.0)
          return 10.0
        i32[at + 24] = k
        return sum
      "
    `)
  })

  it('runtime subset: what is outside it is refused, with its text', () => {
    expect(() => lowerModule('export function f(a: i32): i32 { return a ?? 1 }', new Map())).toThrow(/f: operator.*a \?\? 1/)
    expect(() => lowerModule('export function f(a: i32): f64 { return a / 2 }', new Map())).toThrow(/quotient/)
    expect(() => lowerModule('export function f(a: f64): i32 { return a }', new Map())).toThrow(/f64 is not i32/)
  })
})
