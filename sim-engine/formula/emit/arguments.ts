// Arguments of library functions -> JavaScript, by the shapes of their parameters.
import type { Expr, Span } from '../ast.ts'
import type { Emitter } from './expressions.ts'
import type { SignatureParam } from '../library/signature.ts'
import { jsText } from '../literals.ts'
import type { CallPlan } from '../plan.ts'
import { any } from '../types.ts'

export type RowPlan = CallPlan & { is: 'row' }

/** One argument as one or two JavaScript arguments, by the shape of its parameter. */
export function argument(e: Emitter, param: SignatureParam, given: Expr | null, plan: RowPlan | null): string {
  const { shape, initial } = param
  if (!given || (initial === 'None' && given.is === 'constant' && given.value === null)) {
    if (initial === 'self') return e.asker()
    if (initial === 'own') return population(e, plan?.populations.get('P') ?? null)
    if (initial === 'cell') return cellPair(e)
    if (initial === 'None' && shape.is === 'population') return population(e, plan?.populations.get(shape.name) ?? null)
    if (initial === undefined || initial === 'None') return shape.is === 'entity' ? 'null, -1' : 'null'
    if (initial === 'True' || initial === 'False') return initial.toLowerCase()
    return initial.startsWith('"') ? jsText(initial.slice(1, -1)) : initial
  }
  switch (shape.is) {
    case 'plain':
      if (shape.type.is === 'bool') return e.test(given)
      return shape.type.is === 'any' ? e.boxed(given) : e.as(given, shape.type)
    case 'items':
      return shape.of.is === 'plain' && shape.of.type.is === 'number' ? e.numbers(given) : e.items(given)
    case 'list':
      return e.as(given, { is: 'list', of: any })
    case 'set':
      return e.as(given, { is: 'set', of: any })
    case 'dict':
      return e.as(given, { is: 'dict', key: any, value: any })
    case 'population': {
      const type = e.typeOf(given)
      return type.is === 'observer' && type.of !== null ? e.target.population(type.of) : `F.someone(${e.boxed(given)}, ${e.at(given)})`
    }
    case 'entity':
      return e.pair(given)
    default:
      return e.boxed(given)
  }
}

const population = (e: Emitter, id: string | null): string => (id === null ? 'null' : e.target.population(id))

function cellPair(e: Emitter): string {
  const cell = e.f.scope.find('cell')
  if (cell?.type.is === 'entity' && cell.type.of !== null) return `${e.target.population(cell.type.of)}, ${cell.read(e.target.self)}`
  return e.asker()
}

/** A call of the world, and its arguments alone. */
export function worldCall(e: Emitter, plan: RowPlan, at: Span): { js: string; args: string[] } {
  const { name, params } = plan.row.signature
  const args = params.map((param, k) => argument(e, param, plan.args[k] ?? null, plan))
  const cells = plan.populations.get('Cells')
  const ofCells = cells === undefined ? [] : [population(e, cells)]
  return { args, js: `W.${name}(${[...args, e.at(at), ...ofCells].join(', ')})` }
}
