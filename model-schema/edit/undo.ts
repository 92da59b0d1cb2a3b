// Undo and redo of this user's own edits. Yjs's manager with what a canvas needs: values that others have set since don't block it
// (`ignoreRemoteMapChanges`: otherwise undoing a deletion after a concurrent edit restores an empty shell), steps that would change nothing
// visible are skipped, and the shared texts of an element stay when its creation is undone, so that redo finds what others typed.
import * as Y from 'yjs'
import { layoutOf, LOCAL } from '../document/layout.ts'
import { splitKey } from '../integrity/parse.ts'
import { UNDO_PAUSE_MS, UNDO_STEPS } from '../business/limits.ts'

export type Undo = {
  /** Takes back the last step that still shows; false when there is none. */
  undo(): boolean
  redo(): boolean
  canUndo(): boolean
  canRedo(): boolean
  /** What comes next is a new step. Between boundaries, edits less than half a second apart are one step. */
  boundary(): void
  /** From now on each edit is a step, however soon it follows another; what is typed into shared texts still runs together. Returns how to stop. */
  separate(): () => void
  /** Edits with this origin (an editor's text binding) count as this person's own. Returns how to stop. */
  track(origin: unknown): () => void
  /** Forgets all steps, and lets the document forget what they hold. */
  clear(): void
  /** Calls `changed` when a step came or went. Returns how to stop. */
  watch(changed: () => void): () => void
  destroy(): void
}

/** The undo of this person for one document. Steps start from now. */
export function createUndo(doc: Y.Doc): Undo {
  const layout = layoutOf(doc)
  const scope = [layout.kind, layout.geo, layout.tree, layout.conn, layout.style, layout.data, layout.text, layout.rich]
  const manager = new Y.UndoManager(scope, {
    trackedOrigins: new Set<unknown>([LOCAL]),
    captureTimeout: UNDO_PAUSE_MS,
    ignoreRemoteMapChanges: true,
    deleteFilter: item => !(item.content instanceof Y.ContentType && (item.parent === layout.text || item.parent === layout.rich)),
  })
  manager.on('stack-item-added', () => {
    if (manager.undoStack.length > UNDO_STEPS) forgetOldest(manager)
  })

  const step = (way: 'undo' | 'redo'): boolean => {
    manager.stopCapturing()
    const stack = (): Y.UndoManager['undoStack'] => (way === 'undo' ? manager.undoStack : manager.redoStack)
    while (stack().length > 0) {
      const shown = showsAfter(doc, layout.kind, () => manager[way]())
      if (shown) return true
    }
    return false
  }

  return {
    undo: () => step('undo'),
    redo: () => step('redo'),
    canUndo: () => manager.undoStack.length > 0,
    canRedo: () => manager.redoStack.length > 0,
    boundary: () => manager.stopCapturing(),
    separate() {
      const before = (transaction: Y.Transaction): void => {
        if (transaction.origin === LOCAL) manager.stopCapturing()
      }
      doc.on('beforeTransaction', before)
      return () => doc.off('beforeTransaction', before)
    },
    track(origin) {
      manager.addTrackedOrigin(origin)
      return () => manager.removeTrackedOrigin(origin)
    },
    clear: () => manager.clear(),
    watch(changed) {
      const events = ['stack-item-added', 'stack-item-popped', 'stack-cleared'] as const
      for (const event of events) manager.on(event, changed)
      return () => {
        for (const event of events) manager.off(event, changed)
      }
    },
    destroy: () => manager.destroy(),
  }
}

/** Whether `change` affected an element that exists, or added or removed one: otherwise its effect is invisible. */
function showsAfter(doc: Y.Doc, kinds: Y.Map<unknown>, change: () => void): boolean {
  let shows = false
  const look = (transaction: Y.Transaction): void => {
    for (const [type, keys] of transaction.changed) {
      const top = topOf(type)
      for (const key of top.key === null ? keys : [top.key]) {
        if (key === null) continue
        if (top.map === kinds || kinds.has(splitKey(key)?.id ?? key)) shows = true
      }
    }
  }
  doc.on('afterTransaction', look)
  change()
  doc.off('afterTransaction', look)
  return shows
}

function topOf(type: { _item: Y.Item | null }): { map: unknown; key: string | null } {
  let at = type
  let key: string | null = null
  while (at._item !== null) {
    key = at._item.parentSub
    const parent: unknown = at._item.parent
    if (!(parent instanceof Y.AbstractType)) return { map: null, key }
    at = parent
  }
  return { map: at, key }
}

/** `clear` frees what a step holds, but only knows all steps: so it is shown the oldest alone. */
function forgetOldest(manager: Y.UndoManager): void {
  const [oldest, ...rest] = manager.undoStack
  if (!oldest) return
  manager.undoStack = [oldest]
  manager.clear(true, false)
  manager.undoStack = rest
}
