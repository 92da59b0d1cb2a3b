// The tables a page can join, loaded into their worker as they are wanted, and the view of them that is shown.
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { DataTable } from '../../../model-schema/experiment.ts'
import { complain } from '../../ui/toast.ts'
import type { Desk } from '../tables/desk.ts'
import type { Format } from '../tables/formats.ts'
import { keptTables, type KeptTable } from '../tables/kept.ts'
import { isOwn, TableLoader } from '../tables/loader.ts'
import type { Cell, FieldInfo, TableShape } from '../tables/protocol.ts'
import { namesBeside, type Filter, type ViewRequest } from '../tables/view.ts'
import { useConducting, useExperiment } from '../scope.ts'
import type { Sort } from './Grid.tsx'
import type { Shown } from './shown.ts'

/** Rows fetched at a time. */
const chunk = 200

export type Viewed = {
  shape: (TableShape & { all: FieldInfo[] }) | null
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
  const [shapes, setShapes] = useState<ReadonlyMap<string, TableShape>>(new Map())
  const loader = useMemo(
    () => new TableLoader({ user, docId, conductor, tell: (name, shape) => setShapes(known => new Map(known).set(name, shape)) }),
    [user, docId, conductor],
  )
  useEffect(() => () => loader.close(), [loader])
  const [files, setFiles] = useState<readonly KeptTable[]>([])
  const refresh = useCallback(() => keptTables(user, docId).then(setFiles), [user, docId])
  useEffect(() => void refresh().catch(complain), [refresh])

  const { serial, shape, fault } = useView({ loader, shown, table, sort, filter, files })
  const fieldsOf = (name: string): string[] => shapes.get(name)?.fields.map(field => field.name) ?? []
  return {
    shape,
    fault,
    ...usePages(loader.desk, serial),
    fieldsOf,
    fieldsBefore: join =>
      (table?.joins ?? [])
        .slice(0, join)
        .reduce((names, { table: name }) => [...names, ...namesBeside(names, name, fieldsOf(name))], fieldsOf(table?.main ?? '')),
    files,
    async bring(file) {
      await loader.bring(file)
      await refresh()
    },
    async forget(name) {
      await loader.forget(name)
      await refresh()
    },
    write: format => loader.desk.ask({ do: 'write', format }),
  }
}

type Made = { serial: number; shape: Viewed['shape']; fault: unknown }

/** The worker's view of the table with its current definition, order and filter; `serial` counts the views. */
function useView(of: {
  loader: TableLoader
  shown: Shown | null
  table: DataTable | null
  sort: Sort | null
  filter: Filter | null
  files: readonly KeptTable[]
}): Made {
  const { loader, shown, table, sort, filter, files } = of
  const [view, setView] = useState<Made>({ serial: 0, shape: null, fault: null })
  const running = useConducting(state => state.status === 'running')
  // While rows keep coming they are taken over as they grow by half: copying and joining them each time would take all there is.
  const stamp = shown === null ? '' : running ? `grown ${Math.floor(2 * Math.log2(shown.results.rows + 1))}` : `${shown.version}`
  const usesOwn = table !== null && [table.main, ...table.joins.map(one => one.table)].some(isOwn)
  const asked = JSON.stringify([table, sort, filter, files.map(({ name }) => name), usesOwn ? stamp : ''])
  useEffect(() => {
    if (table === null) return undefined
    let live = true
    const next = (shape: Viewed['shape'], fault: unknown): void => setView(({ serial }) => ({ serial: serial + 1, shape, fault }))
    const wish: ViewRequest = {
      main: table.main,
      joins: table.joins.filter(one => one.table !== '' && one.mainField !== '' && one.relatedField !== ''),
      fields: table.fields,
      sort: sort && { field: sort.column, down: sort.down },
      filter,
    }
    const work = async (): Promise<void> => {
      for (const name of new Set([table.main, ...table.joins.map(one => one.table)]))
        if (name !== '' && live) await loader.ensure(name, shown, stamp)
      if (!live) return
      const shape = await loader.desk.ask({ do: 'wish', wish })
      if (live) next(shape, null)
    }
    work().catch((error: unknown) => live && next(null, error))
    return () => {
      live = false
    }
    // By what is asked, in words.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [loader, asked])
  return view
}

/** The cells of the view of this number, fetched as they are wanted. */
function usePages(desk: Desk, serial: number): Pick<Viewed, 'cell' | 'want'> {
  const [, redraw] = useState(0)
  // Another view, other pages.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const pages = useMemo(() => new Map<number, Cell[][] | null>(), [desk, serial])
  const want = useCallback(
    (from: number, to: number) => {
      for (let k = Math.floor(from / chunk); k * chunk < to; k++) {
        if (pages.has(k)) continue
        pages.set(k, null)
        desk.ask({ do: 'page', from: k * chunk, to: (k + 1) * chunk }).then(
          cells => {
            pages.set(k, cells)
            redraw(n => n + 1)
          },
          () => pages.delete(k),
        )
      }
    },
    [desk, pages],
  )
  return { want, cell: (row, column) => pages.get(Math.floor(row / chunk))?.[row % chunk]?.[column] }
}
