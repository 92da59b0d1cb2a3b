// What a person holds in a list of files: those chosen, the one being renamed, the dialog that is open about some, and the way back
// from the last deed. One for the page, so that menus, keys, cards and dialogs agree.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { ShownFile } from '../usePlace.ts'

type Hand = {
  chosen: ReadonlySet<string>
  /** Where a range begins. */
  anchor: string | null
  renaming: string | null
  /** The file with details shown next to the list. */
  details: string | null
  moving: readonly ShownFile[] | null
  sharing: ShownFile | null
  tagging: readonly ShownFile[] | null
  permissions: ShownFile | null
  publishing: ShownFile | null
}

const empty: Hand = {
  chosen: new Set(),
  anchor: null,
  renaming: null,
  details: null,
  moving: null,
  sharing: null,
  tagging: null,
  permissions: null,
  publishing: null,
}

export const hand = createStore<Hand>(() => empty)
export const useHand = <T>(select: (hand: Hand) => T): T => useStore(hand, select)

/** Lets go of everything, on the way to another page. */
export const letGo = (): void => hand.setState(empty)

export function choose(ids: Iterable<string>): void {
  hand.setState({ chosen: new Set(ids) })
}

/** One more or one less; with `range` all from the last one to this, in the order of the list. */
export function toggle(id: string, list: readonly string[], range = false): void {
  const { chosen, anchor } = hand.getState()
  const next = new Set(chosen)
  const from = anchor === null ? -1 : list.indexOf(anchor)
  if (range && from >= 0) {
    const to = list.indexOf(id)
    for (const one of list.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(one)
  } else if (!next.delete(id)) next.add(id)
  hand.setState({ chosen: next, anchor: id })
}

let back: (() => Promise<void>) | null = null

/** Remembers how the last deed is undone. */
export function keepUndo(run: () => Promise<void>): void {
  back = run
}

/** Undoes the last deed, once; false when there is none. */
export async function undoLast(): Promise<boolean> {
  const run = back
  back = null
  if (run === null) return false
  await run()
  return true
}
