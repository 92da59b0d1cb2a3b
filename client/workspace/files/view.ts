// The view of lists: cards or rows, order, kind, tags, search. Remembered on this device, except for search and filters.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { recall, remember } from '../../ui/remember.ts'
import { comesFirst } from './kinds.tsx'
import type { ShownFile } from '../usePlace.ts'
import { unreachable } from '../../../model-schema/unreachable.ts'

type Layout = 'cards' | 'rows'
export type Order = 'opened' | 'updated' | 'created' | 'name' | 'kind'
type View = {
  layout: Layout
  order: Order
  search: string
  /** Only this kind; empty for all. */
  kind: string
  /** Only what has a tag of each set in here. */
  tags: readonly { id: string; set: string }[]
}

export const view = createStore<View>(() => ({
  layout: recall('layout') === 'rows' ? 'rows' : 'cards',
  order: orderOf(recall('order')),
  search: '',
  kind: '',
  tags: [],
}))

export function useView(): View {
  return useStore(view)
}

export function setLayout(layout: Layout): void {
  remember('layout', layout)
  view.setState({ layout })
}

export function setOrder(order: Order): void {
  remember('order', order)
  view.setState({ order })
}

type Looks = Pick<View, 'order' | 'search'> & Partial<Pick<View, 'kind' | 'tags'>>

/**
 * The files to show, in order, folders first: those with every word searched for in name, remark or tags (or which `found` names,
 * where the server looked inside), of the kind, with one of the wanted tags of each set.
 */
export function arranged(
  files: readonly ShownFile[],
  { order, search, kind = '', tags = [] }: Looks,
  language: string,
  found: ReadonlySet<string> = new Set(),
): ShownFile[] {
  const words = wordsOf(search)
  const compare = new Intl.Collator(language, { numeric: true, sensitivity: 'base' }).compare
  const newest = (a: string, b: string): number => (a < b ? 1 : a > b ? -1 : 0)
  const sets = Map.groupBy(tags, tag => tag.set)
  const fits = (file: ShownFile): boolean =>
    (kind === '' || file.kind === kind) &&
    [...sets.values()].every(wanted => wanted.some(tag => file.tags.some(own => own.id === tag.id))) &&
    (words.length === 0 || found.has(file.id) || holdsWords(file, words))
  const first = (file: ShownFile): number => (comesFirst(file.kind) ? 0 : 1)
  return files.filter(fits).sort((a, b) => {
    const rank = first(a) - first(b)
    if (rank !== 0) return rank
    switch (order) {
      case 'name':
        return compare(a.name, b.name)
      case 'kind':
        return compare(a.kind, b.kind) || compare(a.name, b.name)
      case 'created':
        return newest(a.createdAt, b.createdAt) || compare(a.name, b.name)
      case 'updated':
        return newest(a.updatedAt, b.updatedAt) || compare(a.name, b.name)
      case 'opened':
        return newest(a.openedAt ?? a.updatedAt, b.openedAt ?? b.updatedAt) || compare(a.name, b.name)
      default:
        return unreachable(order)
    }
  })
}

function wordsOf(search: string): string[] {
  return search
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
}

function holdsWords(file: ShownFile, words: readonly string[]): boolean {
  const text = `${file.name}\n${file.remark}\n${file.tags.map(tag => tag.name).join('\n')}`.toLowerCase()
  return words.every(word => text.includes(word))
}

function orderOf(text: string | null): Order {
  return text === 'updated' || text === 'created' || text === 'name' || text === 'kind' ? text : 'opened'
}
