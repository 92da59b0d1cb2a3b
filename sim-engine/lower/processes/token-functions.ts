// Functions of a program that the runtime calls for a token or an instant.
import type { VariablePart } from '../../check/parts.ts'
import * as ir from '../../ir.ts'
import type { Expr, Fn, Stmt } from '../../ir.ts'
import * as rt from '../../runtime/processes.ts'
import type { ProcessMemory } from './memory.ts'
import { blank } from './starts.ts'

const doing = (name: string, ...args: Expr[]): Stmt => ir.run(ir.call(name, 'void', ...args))

const plainFn = (name: string, params: Fn['params'], body: readonly Stmt[]): Fn => {
  return { name, params, result: 'void', locals: new Map(), isExported: false, body }
}

/** A text ends with its token: what its slot holds is seen in snapshots. */
export function forget(memory: ProcessMemory): Fn {
  const words = memory.checked.parts.tokenColumns.filter(({ storage }) => storage === 'word')
  return plainFn(
    'forget',
    [['t', 'i32']],
    words.map(variable => blank(memory.tokenPlace(variable)!)),
  )
}

/** What leads out of a branch that ends goes to its original. */
export function copyOut(memory: ProcessMemory): Fn {
  const leadsOut = ({ direction, storage }: VariablePart): boolean => (direction === 'out' || direction === 'inout') && storage !== 'any'
  const [from, to] = [ir.get('from', 'i32'), ir.get('to', 'i32')]
  const cases: Stmt[][] = []
  const table = memory.checked.parts.processes.map(({ temporaries }) => {
    const copies = temporaries.filter(leadsOut).flatMap(variable => {
      const [source, target] = [memory.tokenPlace(variable, from), memory.tokenPlace(variable, to)]
      return source && target ? [ir.store(target.mem, target.address, 0, ir.load(source.mem, source.address, 0))] : []
    })
    return copies.length > 0 ? cases.push(copies) - 1 : -1
  })
  const params: Fn['params'] = [
    ['from', 'i32'],
    ['to', 'i32'],
  ]
  const process = ir.call('int', 'i32', ir.i32(rt.T_PROCESS), from)
  return plainFn('copyOut', params, cases.length > 0 ? [{ kind: 'switch', of: process, table, cases }] : [])
}

export function settleHere(memory: ProcessMemory): Fn {
  return plainFn(
    'settleHere',
    [],
    [...memory.populations.values()].map(record => doing('settlePopulation', ir.i32(record))),
  )
}
