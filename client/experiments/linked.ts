// The model of an experiment: opened along with it for reading, so that its edits are followed, here and without a network; the variables
// that may be varied; and the one-time linking of an experiment to its model.
import { useEffect, useState } from 'react'
import { createStore, useStore, type StoreApi } from 'zustand'
import { together, setField } from '../../model-schema/edit.ts'
import { digestOf } from '../../model-schema/experiment.ts'
import { formulaName, kindOf } from '../../model-schema/kinds.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { openSession, SessionError, type Session } from '../session.ts'

export type Linked =
  | { state: 'none' }
  | { state: 'opening' }
  | { state: 'open'; model: StoreApi<{ model: Model }>; session: Session }
  | { state: 'failed'; code: SessionError['code'] }

const nothing: Linked = { state: 'none' }

/** The linked model as long as the experiment is shown. */
export function useLinked(session: Session, modelFile: string): Linked {
  const [linked, setLinked] = useState<{ of: string; linked: Linked }>({ of: '', linked: nothing })
  const { target } = session
  useEffect(() => {
    if (modelFile === '') return undefined
    const model = openSession({ docId: modelFile, local: target.local, user: target.user })
    let shown = true
    model.ready.then(
      () => shown && setLinked({ of: modelFile, linked: { state: 'open', model: model.model, session: model } }),
      (error: unknown) => {
        if (!(error instanceof SessionError)) console.error(error)
        const code = error instanceof SessionError ? error.code : 'refused'
        if (shown) setLinked({ of: modelFile, linked: { state: 'failed', code } })
      },
    )
    return () => {
      shown = false
      model.close()
    }
  }, [modelFile, target])
  if (modelFile === '') return nothing
  return linked.of === modelFile ? linked.linked : { state: 'opening' }
}

/** Other models of a file, as they are opened; those that cannot be opened are left out. */
export function useOthers(session: Session, files: readonly string[]): readonly Session[] {
  const [open, setOpen] = useState<readonly Session[]>([])
  const { target } = session
  const wanted = files.join(' ')
  useEffect(() => {
    const models = wanted === '' ? [] : wanted.split(' ').map(docId => openSession({ docId, local: target.local, user: target.user }))
    let shown = true
    for (const model of models)
      model.ready.then(
        () => shown && setOpen(before => models.filter(one => one === model || before.includes(one))),
        (error: unknown) => {
          if (!(error instanceof SessionError)) console.error(error)
        },
      )
    return () => {
      shown = false
      setOpen([])
      for (const model of models) model.close()
    }
  }, [wanted, target])
  return open
}

const empty: Model = { schema: 0, elements: new Map(), roots: [], scenarios: [], notes: [] }
const none: StoreApi<{ model: Model }> = createStore<{ model: Model }>(() => ({ model: empty }))

export const storeOf = (linked: Linked): StoreApi<{ model: Model }> => (linked.state === 'open' ? linked.model : none)

/** The linked model as it is now; null while it is not here. */
export function useLinkedModel(linked: Linked): Model | null {
  const { model } = useStore(storeOf(linked))
  return linked.state === 'open' ? model : null
}

export type Public = {
  id: Id
  /** As experiments write it. */ name: string
  /** Its current initial value, as written there. */ initial: string
}

/** Variables of the scenario that are no inputs yet: choosing one makes it an input of the model. Empty where the model may not be changed. */
export function candidatesOf(linked: Linked, scenario: Id | null): Public[] {
  if (linked.state !== 'open' || !linked.session.writable || scenario === null) return []
  const { model } = linked.model.getState()
  return (model.elements.get(scenario)?.children ?? [])
    .flatMap(id => model.elements.get(id) ?? [])
    .filter(({ kind, fields }) => kind === 'variable' && fields['public'] !== true)
    .flatMap(({ id, fields: { name, initial } }) =>
      typeof name === 'string' && name !== ''
        ? [{ id, name: formulaName(name), initial: typeof initial === 'string' ? initial.trim() : '' }]
        : [],
    )
}

/** Makes a variable of the linked model an input. */
export function makeInput(linked: Linked, id: Id): void {
  if (linked.state !== 'open') return
  const { doc } = linked.session
  together(doc, () => setField(doc, id, 'public', true))
}

/** The variables of a model that an experiment may set, in the order of its canvases. */
export function publicsOf(model: Model, scenario: Id): Public[] {
  const home = model.elements.get(scenario)
  if (!home) return []
  const inside = (element: Element): Element[] => element.children.flatMap(id => model.elements.get(id) ?? [])
  const isPublic = ({ kind, fields }: Element): boolean => kind === 'variable' && fields['public'] === true
  const shown = (element: Element, of: Element | null): Public => {
    const own = formulaName(String(element.fields['name'] ?? ''))
    const { initial } = element.fields
    return {
      id: element.id,
      name: of ? `${formulaName(String(of.fields['name'] ?? ''))}.${own}` : own,
      initial: typeof initial === 'string' ? initial.trim() : '',
    }
  }
  return inside(home).flatMap(element => {
    if (isPublic(element)) return [shown(element, null)]
    if (kindOf(element.kind)?.opens !== 'entity') return []
    return inside(element)
      .filter(one => isPublic(one) && one.fields['owner'] === 'observer')
      .map(one => shown(one, element))
  })
}

/** The variable an experiment means by what is written: its id or its name, however its words are joined. */
export function publicOf(publics: readonly Public[], written: string): Public | undefined {
  const wanted = written.split('.').map(formulaName).join('.')
  return publics.find(({ id }) => id === written) ?? publics.find(({ name }) => name === wanted)
}

/** The scenario that is run: by id, by name, or the first. */
export function scenarioOf(model: Model, written: string): Id | null {
  if (written === '') return model.scenarios[0] ?? null
  return model.scenarios.find(id => id === written || scenarioName(model, id) === written) ?? null
}

export const scenarioName = (model: Model, id: Id): string => String(model.elements.get(id)?.fields['name'] ?? '')

/** Writes the link of an experiment to its model. Not undoable: a link is permanent. */
export function writeLink(session: Pick<Session, 'doc'>, root: Id, modelFile: string, scenario: Id, model: Model): void {
  session.doc.transact(() => {
    setField(session.doc, root, 'modelFile', modelFile)
    setField(session.doc, root, 'modelScenario', scenario)
    setField(session.doc, root, 'linked', digestOf(model))
  }, 'linked')
}

/** Takes the model as it is now for what later changes are counted from. */
export function renewLink(session: Pick<Session, 'doc'>, root: Id, model: Model): void {
  together(session.doc, () => setField(session.doc, root, 'linked', digestOf(model)))
}
