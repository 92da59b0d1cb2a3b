// Asks the worker of tables, from the page.
import type { Answers, Ask, FromTables, ToTables } from './protocol.ts'
import { TableError, type Table } from './table.ts'

/** Its worker starts with the first question, and again with the next one after `close`. */
export type Desk = {
  ask<D extends Ask['do']>(ask: Extract<Ask, { do: D }>): Promise<Answers[D]>
  close(): void
}

export function createDesk(): Desk {
  let worker: Worker | null = null
  const open = new Map<number, { resolve(answer: never): void; reject(error: unknown): void }>()
  let last = 0
  const fail = (error: unknown): void => {
    for (const { reject } of open.values()) reject(error)
    open.clear()
  }
  const hired = (): Worker => {
    if (worker !== null) return worker
    const made = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'tables' })
    made.addEventListener('message', ({ data }: MessageEvent<FromTables>) => {
      const waiting = open.get(data.id)
      open.delete(data.id)
      if (!data.ok) waiting?.reject(data.fault === 'broken' ? new Error(data.about) : new TableError(data.fault, data.about))
      // Answers come to who asked: the worker answers each question in its kind.
      else waiting?.resolve(data.answer as never)
    })
    made.addEventListener('error', event => {
      event.preventDefault()
      fail(new Error(event.message || 'the worker of tables cannot start'))
    })
    worker = made
    return made
  }
  return {
    ask: ask =>
      new Promise((resolve, reject) => {
        const id = ++last
        open.set(id, { resolve, reject })
        const message: ToTables = { id, ask }
        hired().postMessage(message, buffersOf(ask))
      }),
    close() {
      worker?.terminate()
      worker = null
      fail(new Error('closed'))
    },
  }
}

/** Handed over instead of copied. */
function buffersOf(ask: Ask): ArrayBuffer[] {
  if (ask.do === 'read') return [ask.bytes]
  return ask.do === 'put' ? buffersIn(ask.table) : []
}

const buffersIn = ({ columns }: Table): ArrayBuffer[] =>
  columns.flatMap(column => {
    const { buffer } = column.kind === 'number' ? column.data : column.codes
    return buffer instanceof ArrayBuffer ? [buffer] : []
  })
