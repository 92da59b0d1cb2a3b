// Lowers one tick of cells whose changes are known from tables (`compile/leaps.ts`) to a function over the column, the two lists and the tables.
import type { Leaps } from '../compile/quiet.ts'
import * as ir from '../ir.ts'
import type { Expr, Fn, Stmt, Type } from '../ir.ts'

/** What a rule says of each state, with what follows of it: whether a cell in it goes on, and what a touched one becomes and whether it goes on then. */
export type LeapTables = Leaps & { readonly goes: readonly number[]; readonly into: readonly number[]; readonly enters: readonly number[] }

/**
 * Arrays it works on, in the order in which their addresses follow the number of goers: the column and the tables as bytes, `steps` i32, `first` u16
 * (`Near`), both lists i32.
 */
export const leapArrays = [
  'now',
  'steps',
  'first',
  'next',
  'sure',
  'touchy',
  'touches',
  'goes',
  'into',
  'enters',
  'goers',
  'listed',
] as const

const int = (name: string): Expr => ir.get(name, 'i32')
const add = (a: Expr, b: Expr): Expr => ir.binary('add', a, b)
const scaled = (index: Expr, shift: number): Expr => ir.binary('shl', index, ir.i32(shift))
const byte = (array: string, index: Expr): Expr => ir.load('u8', add(int(array), index))
const word = (array: string, index: Expr): Expr => ir.load('i32', add(int(array), scaled(index, 2)))
const putByte = (array: string, index: Expr, value: Expr): Stmt => ir.store('u8', add(int(array), index), 0, value)
const putWord = (array: string, index: Expr, value: Expr): Stmt => ir.store('i32', add(int(array), scaled(index, 2)), 0, value)
/** The states that have the flag. */
export const statesOf = (flags: readonly number[]): number[] => flags.flatMap((flag, state) => (flag ? [state] : []))

/** `body` for each value of `i` from what it is to below `end`. */
const counted = (i: string, end: Expr, body: readonly Stmt[]): Stmt => ({
  kind: 'loop',
  label: i,
  body: [ir.when(ir.not(ir.binary('lt', int(i), end)), [{ kind: 'break', label: i }]), ...body, ir.set(i, add(int(i), ir.i32(1)))],
})

/** 0 or 1 by a state: a comparison where it is one alone, otherwise from the table. */
function flag(table: keyof LeapTables, flags: readonly number[], state: Expr): Expr {
  const [one, another] = statesOf(flags)
  return one !== undefined && another === undefined ? ir.binary('eq', state, ir.i32(one)) : byte(table, state)
}

/** `leap(m, addresses)`: goes through `m` listed goers, changes the column, fills `goers`; gives their number. */
export function leapFn(tables: LeapTables): Fn {
  const locals = ['n', 'k', 'c', 'a', 'b', 'f', 'd', 's', 't', 'j', 'e', ...Array.from({ length: 8 }, (_, k) => `s${k}`)]
  return {
    name: 'leap',
    params: ['m', ...leapArrays].map(name => [name, 'i32'] as const),
    result: 'i32',
    locals: new Map(locals.map(name => [name, 'i32' satisfies Type])),
    body: [wide(tables, 4, [wide(tables, 8, [visits(tables, general(tables))])]), { kind: 'return', value: int('n') }],
    isExported: true,
  }
}

/** Where most cells have `width` neighbours, their distances are read once; a cell at a border looks its own up. */
function wide(tables: LeapTables, width: number, otherwise: readonly Stmt[]): Stmt {
  const each = Array.from({ length: width }, (_, k) => k)
  const known = each.map(k => ir.set(`s${k}`, word('steps', ir.i32(k + 1))))
  const around = [
    ir.when(
      ir.not(int('f')),
      each.flatMap(k => touch(tables, int(`s${k}`))),
      general(tables),
    ),
  ]
  return ir.when(ir.binary('eq', word('steps', ir.i32(0)), ir.i32(width)), [...known, visits(tables, around)], otherwise)
}

/** All neighbours of a cell whose distances begin at `f`. */
const general = (tables: LeapTables): Stmt[] => [
  ir.set('j', add(int('f'), ir.i32(1))),
  ir.set('e', add(int('j'), word('steps', int('f')))),
  counted('j', int('e'), touch(tables, word('steps', int('j')))),
]

/** All goers, one after another: `c` in state `a`. */
function visits({ next, sure, touches, goes }: LeapTables, around: readonly Stmt[]): Stmt {
  const goers = statesOf(goes)
  const [only, another] = goers
  // Where there is one state of them it needn't be looked at.
  const one = another === undefined ? only : undefined
  const state = one === undefined ? int('a') : ir.i32(one)
  const where = (name: 'sure' | 'touches', flags: readonly number[], what: readonly Stmt[]): readonly Stmt[] => {
    if (goers.every(goer => !flags[goer])) return []
    return goers.every(goer => flags[goer]) ? what : [ir.when(flag(name, flags, state), what)]
  }
  const after = one === undefined ? byte('next', state) : ir.i32(next[one] ?? 0)
  const stays = goers.some(goer => sure[goer] && goes[next[goer] ?? 0])
  const goOn = stays
    ? [
        ir.set('b', after),
        putByte('now', int('c'), int('b')),
        putWord('goers', int('n'), int('c')),
        ir.set('n', add(int('n'), flag('goes', goes, int('b')))),
      ]
    : [putByte('now', int('c'), after)]
  return counted('k', int('m'), [
    ir.set('c', word('listed', int('k'))),
    ...(one === undefined ? [ir.set('a', byte('now', int('c')))] : []),
    ...where('sure', sure, goOn),
    ...where('touches', touches, [ir.set('f', ir.load('u16', add(int('first'), scaled(int('c'), 1)))), ...around]),
  ])
}

/** The neighbour at this distance, if it is touchy. */
function touch({ next, touchy, enters }: LeapTables, step: Expr): Stmt[] {
  const [one, another] = statesOf(touchy)
  const isOne = one !== undefined && another === undefined
  const by = isOne ? (next[one] ?? 0) - one : 0
  const changed = isOne ? add(int('s'), by === 1 ? int('t') : ir.binary('mul', int('t'), ir.i32(by))) : byte('into', int('s'))
  return [
    ir.set('d', add(int('c'), step)),
    ir.set('s', byte('now', int('d'))),
    ...(isOne ? [ir.set('t', ir.binary('eq', int('s'), ir.i32(one)))] : []),
    putByte('now', int('d'), changed),
    ...(enters.includes(1)
      ? [putWord('goers', int('n'), int('d')), ir.set('n', add(int('n'), isOne ? int('t') : byte('enters', int('s'))))]
      : []),
  ]
}
