// Whatever is written into a model: it is checked, and when it passes, compiled and run, without an exception, without a
// hang, and without reaching anything outside the model. `FUZZ=100000 vitest run tests/engine/fuzz.test.ts` for the full
// count; a failure names its seed (`SEED=…`).
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Model } from '../../model-schema/model.ts'
import { check } from '../../sim-engine/check.ts'
import { compile } from '../../sim-engine/compile.ts'
import { start } from '../../sim-engine/run.ts'
import { edited, editKinds, setField } from '../help/edits.ts'
import { smallModels } from '../help/small.ts'
import { seeds } from '../help/random.ts'
import type { Chance } from '../help/random.ts'
import { english } from '../../model-schema/words.ts'

const count = Number(process.env['FUZZ'] ?? 2000)

const cases = (name: string): string => readFileSync(new URL(`../cases/formula/${name}.txt`, import.meta.url), 'utf8')
const known = [
  ...cases('expressions')
    .split('\n')
    .filter(line => line.includes(' => '))
    .map(line => line.slice(0, line.lastIndexOf(' => '))),
  ...cases('programs')
    .split('\n---\n')
    .slice(1)
    .map(block => block.slice(0, block.lastIndexOf('\n=> '))),
]

/** Pieces of formulas: the language, names of the models, and what an attacker would try. */
const pieces =
  '( ) [ ] { } " \' , . : = == += -= * / // % ** + - < > <= 0 1 -1 1e308 0.5 2**2000 1/0 None True False not and or in is if else elif for while x y n total friend items table names self actor world tick time now A B C L S Box Order A.count A.individuals B.individuals neighbors(2) moore() cell cell_at(0,0) agents_on(cell) relatives(L) nearest(A) create(A) create(A,3) die(self) die(friend) range(5) range(10**9) [0]*10**8 "a"*10**8 random() uniform(0,1) choice([]) choice(A) exponential(-1) sqrt(-1) log(0) float("nan") float("inf") inf nan sum( len( max( sorted( list( zip( f(x) f(f) lambda:x lambda a:a+1 constructor __proto__ prototype this globalThis window process require import eval Function fetch Date Math performance setTimeout postMessage W F K X arguments ${x} `x` */ /* // <!-- \\ \\u0041 \u2028 \u0000 😀 ； x.constructor x["constructor"] "".__proto__ x.__class__ self.__dict__ table["__proto__"] f"{x}" f"{x.constructor}" f"${x}"'.split(
    ' ',
  )
const lines = ['\n', '\n    ', ': ', ' ', ' ', ' ', ', ', ' = ', ' if ', ' else ', ' for a in ']

/** A formula in an unusual style. */
function text(random: Chance): string {
  if (random.chance(0.3)) return Array.from({ length: 1 + random.below(9) }, () => random.pick(pieces) + random.pick(lines)).join('')
  if (random.chance(0.1)) return nested(random)
  let one = random.pick(known)
  for (let n = random.below(4); n > 0; n--) {
    const from = random.below(one.length + 1)
    const to = Math.min(one.length, from + random.below(6))
    one = one.slice(0, from) + (random.chance(0.7) ? random.pick(pieces) : random.text(5)) + one.slice(to)
  }
  return one
}

function nested(random: Chance): string {
  const depth = 1 + random.below(300)
  const [open, close] = random.pick([
    ['(', ')'],
    ['[', ']'],
    ['-', ''],
    ['not ', ''],
    ['abs(', ')'],
    ['x if x else ', ''],
    ['[a for a in ', ']'],
    ['{1: ', '}'],
    ['f"{', '}"'],
  ] as const)
  return `${random.chance(0.5) ? 'x = ' : ''}${open.repeat(depth)}x${close.repeat(depth)}`
}

function withText(model: Model, random: Chance): Model {
  const spots = [...model.elements.values()].flatMap(element =>
    (kindOf(element.kind)?.fields ?? []).flatMap(field => (field.type.as === 'formula' ? [{ element, field: field.id }] : [])),
  )
  const { element, field } = random.pick(spots)
  return setField(model, element, field, text(random))
}

// What generated code must never touch while it runs.
const touched: string[] = []
type Trap = { readonly of: object; readonly name: string }
const traps: readonly Trap[] = [
  { of: Date, name: 'now' },
  { of: Math, name: 'random' },
  { of: performance, name: 'now' },
  { of: globalThis, name: 'fetch' },
  { of: globalThis, name: 'setTimeout' },
  { of: globalThis, name: 'eval' },
]

/** Runs `act` with the world outside mined. */
function sealed<T>(act: () => T): T {
  const before = traps.map(({ of, name }) => Object.getOwnPropertyDescriptor(of, name))
  for (const { of, name } of traps)
    Object.defineProperty(of, name, {
      configurable: true,
      writable: true,
      value: () => {
        touched.push(name)
        return 0
      },
    })
  try {
    return act()
  } finally {
    traps.forEach(({ of, name }, i) => {
      const old = before[i]
      if (old) Object.defineProperty(of, name, old)
      else Reflect.deleteProperty(of, name)
    })
  }
}

/** Own names of what a formula might reach and change. */
const surroundings = (): string =>
  [globalThis, Object.prototype, Array.prototype, Function.prototype, String.prototype, Number.prototype, Map.prototype, Math]
    .map(one => Reflect.ownKeys(one).map(String).join(' '))
    .join('\n')
const atFirst = surroundings()

const forbidden =
  /\b(globalThis|window|process|require|import|eval|Function|constructor|__proto__|prototype|fetch|Date|performance|setTimeout|postMessage|arguments|document|XMLHttpRequest|WebSocket|async|await|yield|with)\b/
/** Generated code without what is in quotes, and without the one such word the compiler itself writes. */
const bareCode = (source: string): string => source.replace(/"(?:[^"\\]|\\.)*"/g, '""').replaceAll('new now.constructor(', 'new (')

const seen = { failed: 0, ran: 0, refused: 0, slowest: 0, slowestSeed: -1 }

function took(ms: number, seed: number): void {
  if (ms > seen.slowest) Object.assign(seen, { slowest: ms, slowestSeed: seed })
}

function endure(model: Model, seed: number): void {
  const scenario = model.scenarios[0] ?? ''
  const began = performance.now()
  const { checked, problems } = check(model, scenario)
  for (const { at, message } of problems) {
    expect(english(message)).not.toMatch(/undefined|\[object/)
    expect(typeof at.id).toBe('string')
    expect((at.from ?? 0) <= (at.to ?? at.from ?? 0)).toBe(true)
  }
  if (!checked) {
    seen.refused++
    took(performance.now() - began, seed)
    return
  }
  const program = compile(checked)
  expect(forbidden.exec(bareCode(program.source))?.[0]).toBeUndefined()
  const summary = sealed(() => {
    const run = start(program, { seed: 1, ticks: 3 })
    while (run.advance()) continue
    return run.summary()
  })
  seen.ran++
  if (summary.result.end === 'failed') {
    seen.failed++
    const { code, message } = summary.result.problem
    expect(code, english(message)).toBeGreaterThan(10006)
    expect(english(message)).not.toMatch(/undefined|\[object/)
  }
  took(performance.now() - began, seed)
}

describe(`${count} models and formulas`, () => {
  const timeout = 120_000 + count * 200
  it('any text where a formula stands', { timeout }, () => {
    seeds(Math.ceil(count * 0.8), random => endure(withText(random.pick(smallModels)(), random), random.seed))
  })
  it('any edits, texts among them', { timeout }, () => {
    seeds(
      Math.ceil(count * 0.2),
      random => {
        let model = random.pick(smallModels)()
        for (let n = 1 + random.below(6); n > 0; n--)
          model = random.chance(0.3) ? withText(model, random) : edited(model, random.pick(editKinds), random)
        endure(model, random.seed)
      },
      1_000_000,
    )
  })
})

it('found before: a for-each over a range without end is refused, not filled into the memory', () => {
  const [, desk] = smallModels
  const model = desk?.()
  const names = [...(model?.elements.values() ?? [])].find(element => element.fields['name'] === 'names')
  if (!model || !names) throw new Error('the model has no list of names')
  const { checked } = check(setField(model, names, 'initial', 'range(10**9)'), model.scenarios[0] ?? '')
  const run = checked && start(compile(checked), { seed: 1, ticks: 9 })
  while (run?.advance()) continue
  expect(run?.summary().result).toMatchObject({ end: 'failed', problem: { code: 10034 } })
})

it('found before: a space kept in a variable is part of the state like any other value', () => {
  const [herd] = smallModels
  const model = herd?.()
  const y = model?.elements.get('A-y')
  if (!model || !y) throw new Error('the model has no A.y')
  const kept = setField(setField(model, y, 'initial', 'S'), model.elements.get('A-Live-compute1') ?? y, 'program', 'y = S')
  const { checked } = check(kept, model.scenarios[0] ?? '')
  const run = checked && start(compile(checked), { seed: 1, ticks: 2 })
  while (run?.advance()) continue
  expect(run?.hash() ?? '').toMatch(/^[0-9a-f]*$/)
})

it('touched nothing outside, and did run', () => {
  expect(touched).toEqual([])
  expect(surroundings()).toBe(atFirst)
  expect(seen.ran).toBeGreaterThan(count / 20)
  expect(seen.failed).toBeGreaterThan(0)
})

afterAll(() => {
  if (process.env['FUZZ']) console.log(JSON.stringify(seen))
})
