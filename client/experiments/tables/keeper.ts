// Holds tables and one view of them, and answers what a page asks. Lives in a worker: a million rows are joined and sorted without the page noticing.
import { readTable, writeTable } from './formats.ts'
import type { Answers, Ask, FieldInfo, TableShape } from './protocol.ts'
import type { Table } from './table.ts'
import { arranged, cellOf, chosen, joined, type Field, type Joined } from './view.ts'
import { unreachable } from '../../../model-schema/unreachable.ts'

type Keeper = (ask: Ask) => Promise<Answers[Ask['do']]>

export function createKeeper(): Keeper {
  const tables = new Map<string, Table>()
  let known: { of: string; all: Joined } | null = null
  let shown: { fields: readonly Field[]; rows: Int32Array } = { fields: [], rows: new Int32Array(0) }

  const put = (name: string, table: Table): TableShape => {
    tables.set(name, table)
    known = null
    return { rows: table.rows, fields: table.columns.map(({ name: field, kind }) => ({ name: field, isText: kind === 'text' })) }
  }

  return async ask => {
    switch (ask.do) {
      case 'put':
        return put(ask.name, ask.table)
      case 'read':
        return put(ask.name, await readTable(ask.bytes, ask.format))
      case 'drop':
        tables.delete(ask.name)
        known = null
        return null
      case 'wish': {
        const { main, joins, fields, sort, filter } = ask.wish
        const of = JSON.stringify([main, joins])
        if (known?.of !== of) known = { of, all: joined(tables, { main, joins }) }
        const { all } = known
        shown = { fields: chosen(all, fields), rows: arranged(all, { sort, filter }) }
        return { rows: shown.rows.length, fields: shown.fields.map(infoOf), all: all.fields.map(infoOf) }
      }
      case 'page':
        return Array.from(shown.rows.subarray(ask.from, ask.to), row => shown.fields.map(field => cellOf(field, row)))
      case 'write':
        return writeTable(shown.fields, shown.rows, ask.format)
      default:
        return unreachable(ask)
    }
  }
}

const infoOf = ({ name, column }: Field): FieldInfo => ({ name, isText: column.kind === 'text' })
