// `create()` of formulas: newborns as the population makes them, then the values that are given by name. What it does is what
// formula/emit/calls.ts and `born` of run/clockwork.ts say of it, in the same order.
import type { CallPlan, Setting } from '../formula/plan.ts'
import * as ir from '../ir.ts'
import type { Expr, Stmt } from '../ir.ts'
import type { FormulaLowering } from './formula.ts'
import { NotLowered } from './scope.ts'
import type { People, VariablePlace } from './scope.ts'
import { say } from '../../model-schema/words.ts'

type Row = CallPlan & { is: 'row' }

const real = (e: Expr): Expr => (e.type === 'i32' ? ir.unary('toF', e) : e)

/** One newborn, as its handle; with a number, so many, of whom no list is made. */
export function created(e: FormulaLowering, people: People, plan: Row): Expr | null {
  const [of, n] = plan.args
  const type = of ? e.typeOf(of) : undefined
  const entity = type?.is === 'observer' ? people.entity(type.of) : undefined
  if (!entity || entity.kind !== 'agent') return null
  const newborn = people.born(entity)
  const handle = ir.get(e.scope.local('child', people.handleType(entity)), people.handleType(entity)) as Expr & { kind: 'get' }
  const values = plan.extra.map(setting => {
    const place = people.first(entity, setting.symbol, newborn.one.slot)
    if (!place) throw new NotLowered(say('it changes how newborns look'))
    const kept = e.keep(valueOf(e, place, setting))
    return { set: kept.set, write: (place.targets ?? [place.address]).map(to => ir.store(place.mem, to, place.offset, kept.get)) }
  })
  const head = values.flatMap(({ set }) => set)
  const one: Stmt[] = [...newborn.body, ir.set(handle.name, newborn.one.handle), ...values.flatMap(({ write }) => write)]
  if (!n) return ir.seq([...head, ...one], handle)
  const count = e.keep(e.real(n))
  const fails = (is: Expr, code: 10023 | 10039): Stmt => ir.when(is, [{ kind: 'fail', place: e.scope.place(code, n) }])
  const [left, label] = [e.scope.local('left', 'f64'), e.scope.local('births', 'i32')]
  const rest = ir.get(left, 'f64')
  return ir.seq(
    [
      ...count.set,
      fails(ir.binary('ne', ir.binary('sub', ir.unary('floor', count.get), count.get), ir.f64(0)), 10023),
      fails(ir.binary('lt', count.get, ir.f64(0)), 10039),
      ...head,
      ir.set(left, count.get),
      {
        kind: 'loop',
        label,
        body: [
          ir.when(ir.not(ir.binary('gt', rest, ir.f64(0))), [{ kind: 'break', label }]),
          ...one,
          ir.set(left, ir.binary('sub', rest, ir.f64(1))),
        ],
      },
    ],
    ir.i32(0),
  )
}

/** A value as a place keeps it. */
function valueOf(e: FormulaLowering, { holds }: VariablePlace, { symbol, value }: Setting): Expr {
  if (holds === 'word' || holds === 'text') return e.texts.code(value, holds)
  if (holds === 'byte') return ir.unary('toI', e.real(value))
  if (holds === 'bool') return e.as(value, { is: 'bool' })
  if (holds === 'entity' || holds === 'slot') return real(e.as(value, symbol.type))
  return ir.check(e.real(value), e.scope.place(10015, value))
}
