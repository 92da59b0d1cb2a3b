// Dragging a card from one container of the page to another: the container under the pointer, and the position the card would get.
import { createStore, type StoreApi } from 'zustand/vanilla'
import { everyItem, type Item } from '../../../model-schema/dashboard.ts'
import type { Id } from '../../../model-schema/model.ts'
import { gap, rowHeight, spotOf, type Spot } from '../layout.ts'

/** Into a container before one of its cards (null: to the end), or onto the page. */
export type Target = { readonly into: Id; readonly before: Id | null } | { readonly spot: Spot }

/** The drop target of a drag, and the card that a pointer takes out of a container: the card stays there, its title follows the pointer. */
export type Carry = StoreApi<{
  readonly target: Target | null
  readonly carried: { readonly id: Id; readonly title: string; readonly x: number; readonly y: number } | null
}>

export const createCarry = (): Carry => createStore<ReturnType<Carry['getState']>>(() => nothingCarried)

export const nothingCarried = { target: null, carried: null } as const

export const intoOf = (target: Target | null): Id | null => (target && 'into' in target ? target.into : null)
export const beforeOf = (target: Target | null): Id | null => (target && 'into' in target ? target.before : null)
export const spotOn = (target: Target | null): Spot | null => (target && 'spot' in target ? target.spot : null)

/** Pixels that a pointer moves before a card follows it. */
export const dragSlackPx = 5

type Point = { readonly clientX: number; readonly clientY: number }

/** The innermost container under the pointer that is no part of what is moved, and the place in it. */
export function placeIn({ clientX, clientY }: Point, moved: Item): { into: Id; before: Id | null } | null {
  const own = new Set(everyItem([moved]).map(({ element }) => element.id))
  for (const part of document.elementsFromPoint(clientX, clientY)) {
    const holder = part.closest<HTMLElement>('[data-holder]')
    const into = holder?.dataset['holder']
    if (holder && into !== undefined && !own.has(into)) return { into, before: before(holder, { clientX, clientY }, moved.element.id) }
  }
  return null
}

/** The first card of a container that would come after one put here. Slides have one place: the end. */
function before(holder: HTMLElement, { clientX, clientY }: Point, moved: Id): Id | null {
  const section = holder.matches('.d-container') ? holder : holder.querySelector<HTMLElement>('.d-container')
  const inside = section?.querySelector<HTMLElement>(':scope > .d-inside')
  if (!section || !inside || section.dataset['layout'] === 'slides') return null
  const { display, flexDirection, direction } = getComputedStyle(inside)
  const isAcross = display === 'grid' || flexDirection === 'row'
  for (const slot of inside.querySelectorAll<HTMLElement>(':scope > .d-slot')) {
    const id = slot.dataset['slot']
    if (id === undefined || id === moved) continue
    const { left, right, top, bottom } = slot.getBoundingClientRect()
    const across = (left + right) / 2
    const isBefore = isAcross
      ? clientY < top || (clientY <= bottom && (direction === 'rtl' ? clientX > across : clientX < across))
      : clientY < (top + bottom) / 2
    if (isBefore) return id
  }
  return null
}

/** The cells of the page under the pointer, for a card that is held at the middle of its upper edge; null outside the page. */
export function spotAt({ clientX, clientY }: Point, { element }: Item, columns: number): Spot | null {
  const grid = document.querySelector<HTMLElement>('.d-grid')
  const onPage = document.elementsFromPoint(clientX, clientY).some(part => part.closest('.d-scroll'))
  if (!grid || !onPage) return null
  const { left, right, top, width } = grid.getBoundingClientRect()
  const cell = (width + gap) / columns
  const x = (getComputedStyle(grid).direction === 'rtl' ? right - clientX : clientX - left) / cell
  const { w, h } = spotOf(element.id, element.geo, columns)
  return spotOf(element.id, [Math.round(x - w / 2), Math.floor((clientY - top) / (rowHeight + gap)), w, h], columns)
}
