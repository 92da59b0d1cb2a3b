// What every part of a dashboard's page is given: the document, the dashboard read from it, its runs, and what is selected.
import { createContext, use } from 'react'
import { everyItem, type Dashboard, type Item } from '../../model-schema/dashboard.ts'
import type { Id, Model } from '../../model-schema/model.ts'
import type { Refusal } from '../../model-schema/edit.ts'
import { wordsNow } from '../i18n/locale.ts'
import type { Session } from '../session.ts'
import { warn } from '../ui/toast.ts'
import type { Carry } from './containers/carry.ts'
import type { Standing } from './interactions.ts'
import { spotOf, type Spot } from './layout.ts'
import type { Page } from './page.ts'
import type { AssociationRun } from './runs/runs.ts'

export type BoardScope = {
  readonly session: Session
  readonly file: Model
  readonly dashboard: Dashboard
  readonly runs: ReadonlyMap<Id, AssociationRun>
  /** What a person has set on the page. */
  readonly page: Page
  /** The card that a pointer takes out of its container. */
  readonly carry: Carry
  /** Cards that are hidden or disabled now. */
  readonly standings: ReadonlyMap<Id, Standing>
  /** Cards can be moved and changed now. */
  readonly editing: boolean
  readonly selected: Id | null
  select(id: Id | null): void
}

export const BoardContext = createContext<BoardScope | null>(null)

export function useBoard(): BoardScope {
  const scope = use(BoardContext)
  if (!scope) throw new Error('useBoard is used outside BoardContext')
  return scope
}

/** The id of the model of a page: the given one, else that of its first run; blank if there is none. */
export const modelOf = ({ associations }: Dashboard, said = ''): string =>
  said || (associations.find(({ modelFile }) => modelFile !== '')?.modelFile ?? '')

/** The ids of the other models of a page. */
export const othersOf = (dashboard: Dashboard): readonly string[] =>
  [...new Set(dashboard.associations.map(({ modelFile }) => modelFile))].filter(id => id !== '' && id !== modelOf(dashboard))

/** All on the page, also what is in containers. */
export const cardsOf = ({ items }: Dashboard): Item[] => everyItem(items)

/** The items on the grid: all outside of containers except panels, which are docked to the edges. */
export const onGrid = ({ items }: Dashboard): Item[] => items.filter(({ layout }) => layout !== 'panel')

/** The positions of cards on the grid, from the document; they may overlap. */
export const spotsOf = (dashboard: Dashboard): Spot[] =>
  onGrid(dashboard).map(({ element }) => spotOf(element.id, element.geo, dashboard.columns))

/** The container of an element, or the element if it is a container; null for an item outside of containers. */
export function containerOf({ items }: Dashboard, id: Id | null): Item | null {
  const within = (item: Item): Item | null => {
    if (item.layout === null) return null
    if (item.element.id === id || item.items.some(({ element, layout }) => layout === null && element.id === id)) return item
    for (const inner of item.items) {
      const found = within(inner)
      if (found) return found
    }
    return null
  }
  for (const item of items) {
    const found = within(item)
    if (found) return found
  }
  return null
}

/** Says why an edit was refused; true when it was not. */
export function tell(refused: Refusal | Id | null): boolean {
  if (refused === null || typeof refused === 'string') return true
  warn(wordsNow(refused.words))
  return false
}

/** Colours that distinguish associations, in their order. */
const marks = ['#3257d6', '#c2570c', '#0f8a5f', '#a23b8c', '#8a6d00', '#1b7fa6'] as const
export const markOf = ({ associations }: Dashboard, id: Id): string =>
  marks[
    Math.max(
      0,
      associations.findIndex(one => one.id === id),
    ) % marks.length
  ] ?? marks[0]
