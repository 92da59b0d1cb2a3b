// How lists are looked at: cards or rows, order, what is searched for. Remembered on this device, but for the search.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { recall, remember } from '../ui/remember.ts'
import type { ShownFile } from './usePlace.ts'

export type Layout = 'cards' | 'rows'
export type Order = 'opened' | 'updated' | 'created' | 'name'
export type View = { layout: Layout; order: Order; search: string }

export const view = createStore<View>(() => ({
  layout: recall('layout') === 'rows' ? 'rows' : 'cards',
  order: orderOf(recall('order')),
  search: '',
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

/** The files to show: those whose name holds every word searched for, in order. */
export function arranged(files: readonly ShownFile[], { order, search }: Pick<View, 'order' | 'search'>, language: string): ShownFile[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
  const compare = new Intl.Collator(language, { numeric: true, sensitivity: 'base' }).compare
  const newest = (a: string, b: string): number => (a < b ? 1 : a > b ? -1 : 0)
  return files
    .filter(file => words.every(word => file.name.toLowerCase().includes(word)))
    .sort((a, b) => {
      switch (order) {
        case 'name':
          return compare(a.name, b.name)
        case 'created':
          return newest(a.createdAt, b.createdAt) || compare(a.name, b.name)
        case 'updated':
          return newest(a.updatedAt, b.updatedAt) || compare(a.name, b.name)
        case 'opened':
          return newest(a.openedAt ?? a.updatedAt, b.openedAt ?? b.updatedAt) || compare(a.name, b.name)
      }
    })
}

function orderOf(text: string | null): Order {
  return text === 'updated' || text === 'created' || text === 'name' ? text : 'opened'
}
