// The functions generated code calls (parameter `F`): everything of the language that needs no world.
import { RunError } from '../../problems.ts'
import { geometry } from './geometry.ts'
import { methodOf } from '../library/methods.ts'
import type { Receiver } from '../library/methods.ts'
import * as chance from './chance.ts'
import * as collections from './collections.ts'
import * as dates from './dates.ts'
import * as integers from './integers.ts'
import * as numbers from './numbers.ts'
import * as operators from './operators.ts'
import { format, represent, show } from './show.ts'
import * as statistics from './statistics.ts'
import * as texts from './texts.ts'
import { FormulaDate, kindOf } from './values.ts'
import type { Population } from './values.ts'
import type { Entities, World } from './world.ts'

export type Runtime = {
  /** Remaining loop iterations and calls, `fuel[0]`; generated code counts it down, 10034 below zero. */
  readonly fuel: Float64Array
  /** Calls of function blocks under way. */
  depth: number
  /** What it is filled with. */
  tank: number
  /** Fills the fuel: before each activation of a formula or process. */
  refuel(): void
}

/** Iterations one activation may take: well under a second of simple ones. */
export const fullTank = 50_000_000
/** Nested calls of function blocks. */
const maxCallDepth = 2_000

const flat = {
  ...operators,
  ...numbers,
  ...integers,
  ...collections,
  ...texts,
  ...statistics,
  ...chance,
  ...dates,
  ...geometry,
  // `date` names the check of a value; the function of the language is makeDate there.
  show,
  represent,
  format,
  str: show,
  repr: represent,
}

/** A runtime of its own: fuel and call depth belong to one run. */
export function createRuntime(world: World): Runtime {
  // Methods sit on a prototype: engines keep large prototypes fast, large objects become dictionaries.
  const made: Runtime & Record<string, unknown> = Object.assign(Object.create(shared), {
    fuel: new Float64Array(1),
    depth: 0,
    tank: fullTank,
    world,
    refuel,
  })
  made.refuel()
  return made
  function refuel(): void {
    made.fuel[0] = made.tank
    made.depth = 0
  }
}

const shared: Record<string, unknown> = Object.assign(Object.create(null), flat, {
  date: dateOrCheck,
  spent(from: number, to: number): never {
    throw new RunError(10034, [], from, to)
  },
  enter(this: { depth: number }, from: number, to: number): void {
    if (++this.depth > maxCallDepth) throw new RunError(10034, [], from, to)
  },
  leave(this: { depth: number }): void {
    this.depth--
  },
  asserted(tip: string, from: number, to: number): never {
    throw new RunError(10035, [tip], from, to)
  },
  printed(values: readonly unknown[]): string {
    return values.map(show).join(' ')
  },
  /** A query's handles as a list of references. */
  refs(this: { world: World }, population: Population, handles: Entities): unknown[] {
    const made: unknown[] = []
    for (let i = 0; i < handles.length; i++) {
      const item = handles[i]
      made.push(typeof item === 'number' ? this.world.ref(population, item) : item)
    }
    return made
  },
  /** A property of a value of a type known only at run time. */
  get(this: { world: World }, of: unknown, name: string, from: number, to: number): unknown {
    if (of === null || of === undefined) throw new RunError(10014, [], from, to)
    if (of instanceof FormulaDate) {
      const part = dateParts[name]
      if (part) return part(of)
    }
    if (typeof of !== 'object') throw new RunError(10012, [kindOf(of)], from, to)
    return this.world.get(of, name, from, to)
  },
  /** A method of a value of a type known only at run time. */
  method,
})

const dateParts: Readonly<Record<string, (date: FormulaDate) => number>> = {
  year: dates.year,
  month: dates.month,
  day: dates.day,
  hour: dates.hour,
  minute: dates.minute,
  second: dates.second,
}

/** With two places: the check that a value is a date. With all parts: the language's date(). */
function dateOrCheck(first: unknown, ...rest: number[]): unknown {
  const [month = 1, day = 1, hour = 0, minute = 0, second = 0, from = 0, to = 0] = rest
  return rest.length > 2
    ? dates.makeDate(first, month, day, hour, minute, second, from, to)
    : operators.date(first, rest[0] ?? 0, rest[1] ?? 0)
}

const kinds: Readonly<Record<string, Receiver>> = { list: 'list', dict: 'dict', set: 'set', text: 'text', tuple: 'tuple', date: 'date' }

function method(receiver: unknown, name: string, given: readonly unknown[], from: number, to: number): unknown {
  if (receiver === null || receiver === undefined) throw new RunError(10014, [], from, to)
  const on = kinds[kindOf(receiver)]
  const found = on && methodOf(on, name)
  const run = found && shared[`${on}_${name}`]
  if (!found || typeof run !== 'function') throw new RunError(10031, [], from, to)
  const { params } = found.signature
  if (given.length > params.length) throw new RunError(10032, [], from, to)
  if (on === 'list' && name === 'sort') return run(receiver, null, false, from, to)
  if (on === 'dict' && name === 'pop' && given.length === 1)
    return collections.dict_take(operators.dict(receiver, from, to), given[0], from, to)
  const args = params.map((param, k) => {
    if (k < given.length) {
      const value = given[k]
      if (param.shape.is === 'items') return operators.items(value, from, to)
      if (param.shape.is === 'plain' && param.shape.type.is === 'number') return operators.number(value, from, to)
      if (param.shape.is === 'plain' && param.shape.type.is === 'text' && value !== null) return operators.text(value, from, to)
      if (param.shape.is === 'dict') return operators.dict(value, from, to)
      return value
    }
    if (param.initial === undefined) throw new RunError(10032, [], from, to)
    return param.initial === 'None' ? null : param.initial === '" "' ? ' ' : Number(param.initial)
  })
  const result: unknown = run(receiver, ...args, from, to)
  return result
}
