// The tables a page can join, loaded into their worker as they are wanted, and the view of them that is shown.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { DataTable } from '../../../model-schema/experiment.ts'
import type { Results } from '../../../sim-engine/experiment.ts'
import { complain } from '../../ui/toast.ts'
import { createDesk } from '../tables/desk.ts'
import type { Format } from '../tables/formats.ts'
import { forgetTable, formatOf, keepTable, keptTables, largestFile, type KeptTable } from '../tables/kept.ts'
import type { Cell, FieldInfo, Shape } from '../tables/protocol.ts'
import { pointsTable, runsTable } from '../tables/sources.ts'
import { TableError } from '../tables/table.ts'
import { namesBeside, type Filter, type Wish } from '../tables/view.ts'
import { useConducting, useExperiment } from '../scope.ts'
import type { Sort } from './Grid.tsx'
import type { Shown } from './shown.ts'

/** Of what never changes. */
const fixed = { results: null, stamp: '' }

/** Rows fetched at a time. */
const chunk = 200

export type Viewed = {
  shape: (Shape & { all: FieldInfo[] }) | null
  fault: unknown
  /** What a cell shows; null until it is here. */
  cell: (row: number, column: number) => Cell | undefined
  want: (from: number, to: number) => void
  /** Fields there are before the join of this number. */
  fieldsBefore: (join: number) => string[]
  fieldsOf: (table: string) => string[]
  files: readonly KeptTable[]
  bring: (file: File) => Promise<void>
  forget: (name: string) => Promise<void>
  write: (format: Format) => Promise<Blob>
}

export function useTables(shown: Shown | null, table: DataTable | null, sort: Sort | null, filter: Filter | null): Viewed {
  const { conductor, session } = useExperiment()
  const user = session.target.user.id
  const { docId } = session
  const desk = useMemo(createDesk, [])
  useEffect(() => () => desk.close(), [desk])
  const [files, setFiles] = useState<readonly KeptTable[]>([])
  const [shapes, setShapes] = useState<ReadonlyMap<string, Shape>>(new Map())
  const [view, setView] = useState<{ serial: number; shape: Viewed['shape']; fault: unknown }>({ serial: 0, shape: null, fault: null })
  const [, redraw] = useState(0)
  /** What the worker holds, by what it was made of. */
  const held = useRef(new Map<string, { results: Results | null; stamp: string }>())
  const pages = useRef(new Map<number, Cell[][] | null>())

  const running = useConducting(state => state.status === 'running')
  // While rows keep coming they are taken over as they grow by half: copying and joining them each time would take all there is.
  const stamp = shown === null ? '' : running ? `grown ${Math.floor(2 * Math.log2(shown.results.rows + 1))}` : `${shown.version}`

  const refresh = useCallback(() => keptTables(user, docId).then(setFiles), [user, docId])
  useEffect(() => void refresh().catch(complain), [refresh])

  const ensure = async (name: string): Promise<void> => {
    const tell = (shape: Shape): void => setShapes(known => new Map(known).set(name, shape))
    if (name === 'runs' || name === 'points') {
      if (shown === null) throw new TableError('no-table', name)
      const before = held.current.get(name)
      if (before?.results === shown.results && before.stamp === stamp) return
      const made = name === 'runs' ? runsTable(shown.prepared, shown.results) : pointsTable(shown.prepared, shown.results)
      tell(await desk.ask({ do: 'put', name, table: made }))
      held.current.set(name, { results: shown.results, stamp })
      return
    }
    if (held.current.has(name)) return
    if (name.startsWith('history:')) {
      const entry = conductor.store.getState().history.find(({ id }) => id === name.slice('history:'.length))
      const found = entry && (await conductor.read(entry))
      if (!found) throw new TableError('no-table', name)
      tell(await desk.ask({ do: 'put', name, table: runsTable(found.prepared, found.results) }))
    } else {
      const file = (await keptTables(user, docId)).find(one => `file:${one.name}` === name)
      if (!file) throw new TableError('no-table', name)
      tell(await desk.ask({ do: 'read', name, bytes: await file.bytes.arrayBuffer(), format: file.format }))
    }
    held.current.set(name, fixed)
  }

  const main = table?.main ?? ''
  const usesOwn = table !== null && [main, ...table.joins.map(one => one.table)].some(name => name === 'runs' || name === 'points')
  const asked = JSON.stringify([table, sort, filter, files.map(({ name }) => name), usesOwn ? stamp : ''])
  useEffect(() => {
    if (table === null) return undefined
    let live = true
    const wish: Wish = {
      main: table.main,
      joins: table.joins.filter(one => one.table !== '' && one.mainField !== '' && one.relatedField !== ''),
      fields: table.fields,
      sort: sort && { field: sort.column, down: sort.down },
      filter,
    }
    const work = async (): Promise<void> => {
      for (const name of new Set([table.main, ...table.joins.map(one => one.table)])) if (name !== '' && live) await ensure(name)
      if (!live) return
      const shape = await desk.ask({ do: 'wish', wish })
      if (!live) return
      pages.current = new Map()
      setView(({ serial }) => ({ serial: serial + 1, shape, fault: null }))
    }
    work().catch((fault: unknown) => live && setView(({ serial }) => ({ serial: serial + 1, shape: null, fault })))
    return () => {
      live = false
    }
    // By what is asked, in words.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [desk, asked])

  const { serial, shape, fault } = view
  const want = useCallback(
    (from: number, to: number) => {
      const mine = pages.current
      for (let k = Math.floor(from / chunk); k * chunk < to; k++) {
        if (mine.has(k)) continue
        mine.set(k, null)
        desk.ask({ do: 'page', from: k * chunk, to: (k + 1) * chunk }).then(
          cells => {
            // Of a view that is gone meanwhile.
            if (pages.current !== mine) return
            mine.set(k, cells)
            redraw(n => n + 1)
          },
          () => mine.delete(k),
        )
      }
    },
    // Another view, other pages.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [desk, serial],
  )
  const fieldsOf = (name: string): string[] => shapes.get(name)?.fields.map(field => field.name) ?? []
  return {
    shape,
    fault,
    want,
    cell: (row, column) => pages.current.get(Math.floor(row / chunk))?.[row % chunk]?.[column],
    fieldsOf,
    fieldsBefore: join =>
      (table?.joins ?? [])
        .slice(0, join)
        .reduce((names, { table: name }) => [...names, ...namesBeside(names, name, fieldsOf(name))], fieldsOf(main)),
    files,
    async bring(file) {
      const format = formatOf(file.name)
      if (format === null) throw new TableError('unreadable', file.name)
      if (file.size > largestFile) throw new TableError('too-large', file.name)
      const name = `file:${file.name}`
      // Read before it is kept: what can't be read is not kept.
      const read = await desk.ask({ do: 'read', name, bytes: await file.arrayBuffer(), format })
      setShapes(known => new Map(known).set(name, read))
      held.current.set(name, fixed)
      await keepTable({ user, docId, name: file.name, format, bytes: file })
      await refresh()
    },
    async forget(name) {
      await forgetTable({ user, docId, name })
      held.current.delete(`file:${name}`)
      await desk.ask({ do: 'drop', name: `file:${name}` })
      await refresh()
    },
    write: format => desk.ask({ do: 'write', format }),
  }
}
