// Functions that execute the code of one of several processes.
import * as ir from '../../ir.ts'
import type { Fn, Stmt } from '../../ir.ts'

/** Code of some processes, and its number by process; -1 for others. */
export type ByProcess = { table: number[]; bodies: Stmt[][] }

/** A function that executes the code of a process for a row; -1 of processes without. */
export const switchOver = (name: string, { table, bodies }: ByProcess, locals: Fn['locals']): Fn => ({
  name,
  params: [
    ['process', 'i32'],
    ['row', 'i32'],
  ],
  result: 'i32',
  locals: new Map([...locals, ['t', 'i32']]),
  isExported: false,
  body: [
    { kind: 'switch', of: ir.get('process', 'i32'), table, cases: bodies },
    { kind: 'return', value: ir.i32(-1) },
  ],
})
