// The selected change of a proposal, shared by the list and the canvas; and the current state of all proposals.
import { useEffect, useMemo, useState } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Id, Model } from '../../../model-schema/model.ts'
import { proposalsOf, standingsOf, watchProposals, type Proposal, type Standing } from '../../../model-schema/proposals.ts'
import type { Editor } from '../../editor/editor.ts'
import type { Session } from '../../session.ts'
import { boxOf, canvasOf } from './marks.ts'

/** `at`: the change looked at; null when none is. */
type Looking = { readonly proposal: Id | null; readonly at: Id | null }

const stores = new WeakMap<Session, StoreApi<Looking>>()

export function reviewOf(session: Session): StoreApi<Looking> {
  const store = stores.get(session) ?? createStore<Looking>(() => ({ proposal: null, at: null }))
  stores.set(session, store)
  return store
}

/** The open proposals, and a count that increases with every verdict. */
export function useProposals(session: Session): { proposals: readonly Proposal[]; verdicts: number } {
  const [now, setNow] = useState(() => ({ proposals: proposalsOf(session.doc), verdicts: 0 }))
  useEffect(
    () => watchProposals(session.doc, () => setNow(({ verdicts }) => ({ proposals: proposalsOf(session.doc), verdicts: verdicts + 1 }))),
    [session],
  )
  return now
}

export function useStandings(session: Session, proposal: Proposal, model: Model, verdicts: number): ReadonlyMap<Id, Standing> {
  return useMemo(
    () => standingsOf(session.doc, proposal),
    // The states follow from the model and the verdicts.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [session, proposal, model, verdicts],
  )
}

/** Shows where a change is, also of what is not there yet. */
export function showChange(editor: Editor, session: Session, proposal: Proposal, id: Id): void {
  reviewOf(session).setState({ proposal: proposal.id, at: id })
  const { model } = editor
  const delta = proposal.deltas.find(one => one.id === id)
  if (!delta) return
  if (model.elements.has(id)) return editor.reveal(id)
  const canvas = canvasOf(delta, model)
  // A change inside an element that is itself proposed can be shown only after that element was accepted.
  if (canvas === null || !model.elements.has(canvas)) return
  if (editor.view.getState().canvas !== canvas) editor.goTo(canvas)
  const box = boxOf(id, proposal, model)
  const { camera, size } = editor.view.getState()
  if (!box || size.w === 0) return
  const [x, y] = [(box.x - camera.x) * camera.zoom, (box.y - camera.y) * camera.zoom]
  const [w, h] = [box.w * camera.zoom, box.h * camera.zoom]
  if (x < 0 || y < 0 || x + w > size.w || y + h > size.h) editor.pan(x + w / 2 - size.w / 2, y + h / 2 - size.h / 2)
}
