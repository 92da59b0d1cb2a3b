// Edits that the database had not stored when the page was left. A write that waits behind another transaction ends with its page;
// localStorage is written before the call returns. What is kept here becomes a row when the document is opened or read again.
import { fromBase64, toBase64 } from 'lib0/buffer'
import * as Y from 'yjs'
import { newId } from '../../model-schema/ids.ts'
import { storageKey } from '../ui/remember.ts'

/** Two pages of one document do not overwrite each other. */
const page = newId()
const prefixOf = (name: string): string => storageKey(`unstored:${name}:`)

/** Stores updates of a document, replacing this page's earlier ones; without updates: deletes them. */
export function keepUnstored(name: string, updates: readonly Uint8Array[]): void {
  const key = `${prefixOf(name)}${page}`
  try {
    if (updates.length === 0) globalThis.localStorage?.removeItem(key)
    else globalThis.localStorage?.setItem(key, toBase64(Y.mergeUpdates([...updates])))
  } catch (error) {
    console.warn('edits of the last moment are not kept', error) // storage forbidden or full
  }
}

/** The updates of a document stored by a page. */
type Unstored = {
  readonly update: Uint8Array
  /** Forgets it, unless the page has kept more since. */
  forget(): void
}

/** The updates of a document stored by pages; deletes those that are no Yjs updates. */
export function unstoredOf(name: string): Unstored[] {
  return keysOf(name).flatMap(key => {
    const text = globalThis.localStorage.getItem(key) ?? ''
    const forget = (): void => {
      if (globalThis.localStorage.getItem(key) === text) globalThis.localStorage.removeItem(key)
    }
    try {
      const update = fromBase64(text)
      Y.applyUpdate(new Y.Doc(), update)
      return [{ update, forget }]
    } catch (error) {
      console.warn('edits of the last moment cannot be read', error)
      forget()
      return []
    }
  })
}

/** Forgets all that pages kept of a document. */
export function forgetUnstored(name: string): void {
  for (const key of keysOf(name)) globalThis.localStorage.removeItem(key)
}

function keysOf(name: string): string[] {
  try {
    return Object.keys(globalThis.localStorage ?? {}).filter(key => key.startsWith(prefixOf(name)))
  } catch {
    return [] // storage forbidden: nothing was kept
  }
}
