// Loads the tables of a page into their worker, each when it is first wanted.
import type { Results } from '../../../sim-engine/experiment.ts'
import type { Conductor } from '../conduct/conductor.ts'
import type { Shown } from '../results/shown.ts'
import { createDesk } from './desk.ts'
import { forgetTable, formatOf, keepTable, keptTables, largestFile } from './kept.ts'
import type { TableShape } from './protocol.ts'
import { pointsTable, runsTable } from './sources.ts'
import { TableError } from './table.ts'

/** Whether a table is of the results that are shown. */
export const isOwn = (name: string): boolean => name === 'runs' || name === 'points'

type Parts = {
  user: string
  docId: string
  conductor: Conductor
  /** Called with the shape of each table that was loaded. */
  tell(name: string, shape: TableShape): void
}

export class TableLoader {
  readonly desk = createDesk()
  readonly #parts: Parts
  /** What the worker holds, by what it was made of. */
  readonly #held = new Map<string, { results: Results | null; stamp: string }>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** `stamp`: the version of the results that are shown. */
  async ensure(name: string, shown: Shown | null, stamp: string): Promise<void> {
    if (isOwn(name)) return this.#ensureOwn(name, shown, stamp)
    if (this.#held.has(name)) return
    if (name.startsWith('history:')) await this.#putEntry(name)
    else await this.#readKept(name)
    this.#held.set(name, fixed)
  }

  async bring(file: File): Promise<void> {
    const format = formatOf(file.name)
    if (format === null) throw new TableError('unreadable', file.name)
    if (file.size > largestFile) throw new TableError('too-large', file.name)
    const name = `file:${file.name}`
    // Parsed before it is stored: an invalid file is not stored.
    this.#parts.tell(name, await this.desk.ask({ do: 'read', name, bytes: await file.arrayBuffer(), format }))
    this.#held.set(name, fixed)
    const { user, docId } = this.#parts
    await keepTable({ user, docId, name: file.name, format, bytes: file })
  }

  async forget(name: string): Promise<void> {
    const { user, docId } = this.#parts
    await forgetTable({ user, docId, name })
    this.#held.delete(`file:${name}`)
    await this.desk.ask({ do: 'drop', name: `file:${name}` })
  }

  close(): void {
    this.desk.close()
  }

  async #ensureOwn(name: string, shown: Shown | null, stamp: string): Promise<void> {
    if (shown === null) throw new TableError('no-table', name)
    const { prepared, results } = shown
    const before = this.#held.get(name)
    if (before?.results === results && before.stamp === stamp) return
    const table = name === 'runs' ? runsTable(prepared, results) : pointsTable(prepared, results)
    this.#parts.tell(name, await this.desk.ask({ do: 'put', name, table }))
    this.#held.set(name, { results, stamp })
  }

  async #putEntry(name: string): Promise<void> {
    const { conductor, tell } = this.#parts
    const entry = conductor.store.getState().history.find(({ id }) => id === name.slice('history:'.length))
    const found = entry && (await conductor.read(entry))
    if (!found) throw new TableError('no-table', name)
    tell(name, await this.desk.ask({ do: 'put', name, table: runsTable(found.prepared, found.results) }))
  }

  async #readKept(name: string): Promise<void> {
    const { user, docId, tell } = this.#parts
    const file = (await keptTables(user, docId)).find(one => `file:${one.name}` === name)
    if (!file) throw new TableError('no-table', name)
    tell(name, await this.desk.ask({ do: 'read', name, bytes: await file.bytes.arrayBuffer(), format: file.format }))
  }
}

/** Of what never changes. */
const fixed = { results: null, stamp: '' }
