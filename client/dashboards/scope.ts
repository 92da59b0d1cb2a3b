// What every part of a dashboard's page is given: the document, the dashboard read from it, its runs, and what is selected.
import { createContext, use, useSyncExternalStore } from 'react'
import type { Association, Dashboard } from '../../model-schema/dashboard.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import type { Refusal } from '../../model-schema/edit.ts'
import { locale, wordsIn } from '../i18n/locale.ts'
import type { Session } from '../session.ts'
import { warn } from '../ui/toast.ts'
import { spotOf, type Spot } from './layout.ts'
import type { AssociationRun } from './runs.ts'

export type BoardScope = {
  readonly session: Session
  readonly file: Model
  readonly dashboard: Dashboard
  readonly runs: ReadonlyMap<Id, AssociationRun>
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

/** A card on the grid, and the run it belongs to; notes and images belong to none. */
export type Placed = { readonly element: Element; readonly association: Association | null }

export function cardsOf({ associations, decorations }: Dashboard): Placed[] {
  return [
    ...associations.flatMap(association => association.cards.map(element => ({ element, association }))),
    ...decorations.map(element => ({ element, association: null })),
  ]
}

/** Where the document says that cards stand; they may overlap. */
export const spotsOf = (dashboard: Dashboard): Spot[] =>
  cardsOf(dashboard).map(({ element }) => spotOf(element.id, element.geo, dashboard.columns))

/** Says why an edit was refused; true when it was not. */
export function tell(refused: Refusal | Id | null): boolean {
  if (refused === null || typeof refused === 'string') return true
  warn(wordsIn(locale.getState().locale, refused.words))
  return false
}

/** Colours that tell associations apart, in their order. */
const marks = ['#3257d6', '#c2570c', '#0f8a5f', '#a23b8c', '#8a6d00', '#1b7fa6'] as const
export const markOf = ({ associations }: Dashboard, id: Id): string =>
  marks[
    Math.max(
      0,
      associations.findIndex(one => one.id === id),
    ) % marks.length
  ] ?? marks[0]

export function useWide(query: string): boolean {
  return useSyncExternalStore(
    changed => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => matchMedia(query).matches,
  )
}
