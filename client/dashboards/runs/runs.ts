// The runs of a dashboard: one engine for each association, fed by its model - opened along with the dashboard, so that its edits are
// followed - with the association's cards on its canvas. A card that the checker refuses is left out, so that it does not stop the others,
// and tried again when it, or the model, has changed. An association may show a saved run instead, or replay one run of an experiment.
import { createStore, type StoreApi } from 'zustand/vanilla'
import { modelWithCards, type Association, type Dashboard } from '../../../model-schema/dashboard.ts'
import type { Element, Id, Model } from '../../../model-schema/model.ts'
import { elementOf } from '../../../model-schema/overlay.ts'
import type { Problem } from '../../../sim-engine/problems.ts'
import type { Transport } from '../../run/engine.ts'
import { idField, textField } from '../../run/fields.ts'
import { createRun, type Clock, type Run, type RunParts } from '../../run/run.ts'
import { isControl, valueFor } from '../interactions.ts'
import { keptRun, keptTransport, type Kept } from './kept.ts'
import { measures, storedRun, type Stored } from './stored.ts'

/** A model opened to be read; a session is one. */
export type OpenModel = { readonly model: StoreApi<{ model: Model }>; readonly ready: Promise<void>; close(): void }

export type AssociationRun =
  | { readonly state: 'none' | 'opening' | 'no-scenario' | 'nothing-kept' | 'nothing-stored' }
  | { readonly state: 'failed'; readonly error: unknown }
  | {
      readonly state: 'open'
      readonly run: Run
      /** The model with all cards, including those left out: fields resolve names in it. */
      readonly model: StoreApi<{ model: Model }>
      /** What is wrong with the cards that were left out. */
      readonly faults: ReadonlyMap<Id, readonly Problem[]>
      /** The run that is shown in the place of a live one. */
      readonly kept: Kept | null
      /** The run of an experiment that this one replays: its settings can't be changed. */
      readonly stored: Stored | null
    }

export type Runs = StoreApi<{ runs: ReadonlyMap<Id, AssociationRun> }> & {
  /** Runs what the dashboard says now. */
  show(dashboard: Dashboard): void
  close(): void
}

type RunsParts = {
  openModel(modelFile: string): OpenModel
  spawn(): Transport
  /** Runs that are to begin by themselves do. */
  live: boolean
  /** All are to: there is nothing to begin them with. */
  beginAll?: boolean
  limits?: RunParts['limits']
  clock?: Clock
}

export function createRuns(parts: RunsParts): Runs {
  const store = createStore<{ runs: ReadonlyMap<Id, AssociationRun> }>(() => ({ runs: new Map() }))
  const shelf = modelShelf(parts.openModel)
  const parties = new Map<Id, Party>()
  const tell = (id: Id, run: AssociationRun): void => store.setState(({ runs }) => ({ runs: new Map(runs).set(id, run) }))
  return {
    ...store,
    show({ associations }) {
      const kept = new Set(associations.map(({ id }) => id))
      for (const [id, party] of parties) {
        if (kept.has(id)) continue
        party.close()
        parties.delete(id)
        store.setState(({ runs }) => ({ runs: new Map([...runs].filter(([other]) => other !== id)) }))
      }
      for (const association of associations) {
        const before = parties.get(association.id)
        if (before?.modelFile === association.modelFile) before.show(association)
        else {
          before?.close()
          parties.set(
            association.id,
            beginParty(parts, shelf, association, run => tell(association.id, run)),
          )
        }
      }
    },
    close() {
      for (const party of parties.values()) party.close()
      parties.clear()
    },
  }
}

type Shelf = { take(modelFile: string): OpenModel }

/** Models that several associations are about are opened once. */
function modelShelf(open: RunsParts['openModel']): Shelf {
  const taken = new Map<string, { opened: OpenModel; users: number }>()
  return {
    take(modelFile) {
      let entry = taken.get(modelFile)
      if (!entry) taken.set(modelFile, (entry = { opened: open(modelFile), users: 0 }))
      const held = entry
      held.users++
      return {
        model: held.opened.model,
        ready: held.opened.ready,
        close() {
          if (--held.users > 0) return
          taken.delete(modelFile)
          held.opened.close()
        },
      }
    },
  }
}

type Party = { readonly modelFile: string; show(association: Association): void; close(): void }

/** One association: its model, then its run. */
function beginParty(parts: RunsParts, shelf: Shelf, first: Association, tell: (run: AssociationRun) => void): Party {
  const { modelFile } = first
  if (modelFile === '') {
    tell({ state: 'none' })
    return { modelFile, show: () => {}, close: () => {} }
  }
  let association = first
  let closed = false
  let began = false
  let linked: Model | null = null
  let failure: unknown = null
  let playing: Playing | null = null
  const opened = shelf.take(modelFile)

  const update = (): void => {
    if (closed || !linked) return
    if (linked === bareModel && !(association.source === 'kept' && keptRun(association.kept))) {
      playing?.close()
      playing = null
      return tell({ state: 'failed', error: failure })
    }
    const stored = association.source === 'stored' ? storedRun(association.stored) : null
    const modelScenario = linked === bareModel ? '' : (stored?.scenario ?? association.modelScenario)
    const made = modelWithCards({ ...association, modelScenario }, linked)
    if (!made) {
      playing?.close()
      playing = null
      return tell({ state: 'no-scenario' })
    }
    const source = association.source === 'live' ? null : association[association.source]
    if (playing?.scenario === made.scenario && playing.source === source) return playing.show(association, linked, made.model)
    playing?.close()
    playing = null
    const kept = association.source === 'kept' ? keptRun(association.kept) : null
    if (association.source === 'kept' && kept === null) return tell({ state: 'nothing-kept' })
    if (association.source === 'stored' && stored === null) return tell({ state: 'nothing-stored' })
    playing = beginPlaying(parts, association, linked, made, { text: source, kept, stored }, tell)
    if (parts.live && !began && (parts.beginAll === true || association.begin === 'play')) playing.run.play()
    began = true
  }

  tell({ state: 'opening' })
  let stop = (): void => {}
  opened.ready.then(
    () => {
      if (closed) return
      linked = opened.model.getState().model
      stop = opened.model.subscribe(({ model }) => {
        linked = model
        update()
      })
      update()
    },
    (error: unknown) => {
      if (closed) return
      // A saved run can be shown without its model.
      failure = error
      linked = bareModel
      update()
    },
  )
  return {
    modelFile,
    show(next) {
      association = next
      update()
    },
    close() {
      closed = true
      stop()
      playing?.close()
      opened.close()
    },
  }
}

/** In the place of a model that can't be had. */
const bareModel: Model = {
  schema: 0,
  elements: new Map([['kept', { ...elementOf('scenario', 'kept', '', {}), parent: null }]]),
  roots: ['kept'],
  scenarios: ['kept'],
  notes: [],
}

type Playing = {
  readonly scenario: Id
  /** The text of the run that is shown; null for a live one. */
  readonly source: string | null
  readonly run: Run
  show(association: Association, linked: Model, whole: Model): void
  close(): void
}

function beginPlaying(
  parts: RunsParts,
  first: Association,
  firstLinked: Model,
  made: { model: Model; scenario: Id },
  { text: source, kept, stored }: { text: string | null; kept: Kept | null; stored: Stored | null },
  tell: (run: AssociationRun) => void,
): Playing {
  const { scenario } = made
  let association = first
  let linked = firstLinked
  const measured = stored ? measures(stored) : []
  /** The cards of the page, and what the experiment measured. */
  const onCanvas = ({ cards }: Association): readonly Element[] => (stored ? [...cards, ...measured] : cards)
  const withCards = (cards: readonly Element[]): Model | null =>
    modelWithCards({ ...association, modelScenario: scenario, cards }, linked)?.model ?? null
  const whole = createStore<{ model: Model }>(() => ({ model: made.model }))
  const shown = createStore<{ model: Model }>(() => ({ model: withCards(onCanvas(first)) ?? made.model }))
  // The card, as it was when it was refused.
  let faults = new Map<Id, { card: Element; linked: Model; problems: readonly Problem[] }>()
  const run = createRun({
    model: shown,
    scenario,
    spawn: kept ? () => keptTransport(kept) : parts.spawn,
    speed: stored ? null : association.speed,
    ...(parts.limits === undefined ? {} : { limits: parts.limits }),
    ...(parts.clock === undefined ? {} : { clock: parts.clock }),
  })
  const seed = stored?.seed ?? association.seed
  if (seed !== null) run.setSeed(seed)
  if (stored) run.setTicks(stored.ticks)
  for (const [variable, value] of Object.entries(stored?.inputs ?? {})) run.setInput(variable, value)
  for (const card of source === null ? association.cards : []) {
    const value = isControl(card) ? valueFor(card, textField(card, 'initial')) : undefined
    const target = idField(card, 'target')
    if (target !== null && value !== undefined) run.setInput(target, value)
  }
  const say = (): void =>
    tell({ state: 'open', run, model: whole, faults: new Map([...faults].map(([id, { problems }]) => [id, problems])), kept, stored })
  const overlay = (): void => {
    const model = withCards(onCanvas(association).filter(({ id }) => !faults.has(id)))
    if (model) shown.setState({ model })
  }
  const stopFaults = run.subscribe(({ problems }, before) => {
    if (problems === before.problems) return
    const found = problems.filter(({ severity }) => severity === 'error')
    const refused = onCanvas(association).filter(({ id }) => !faults.has(id) && found.some(({ at }) => at.id === id))
    if (refused.length === 0) return
    faults = new Map(faults)
    for (const card of refused) faults.set(card.id, { card, linked, problems: found.filter(({ at }) => at.id === card.id) })
    overlay()
    say()
  })
  // A run of an experiment is there to be seen as it came out: it begins by itself, once.
  let hasPlayed = stored === null
  const stopBeginning = run.subscribe(({ status }) => {
    if (hasPlayed || status !== 'ready') return
    hasPlayed = true
    run.play()
  })
  say()
  const end = run.open()
  return {
    scenario,
    source,
    run,
    show(next, model, all) {
      const { seed: seedBefore, speed } = association
      association = next
      linked = model
      whole.setState({ model: all })
      const kept = [...faults].filter(
        ([id, fault]) => fault.linked === model && onCanvas(next).some(card => card.id === id && same(card, fault.card)),
      )
      if (kept.length < faults.size) {
        faults = new Map(kept)
        say()
      }
      overlay()
      if (stored) return
      if (next.seed !== seedBefore) run.setSeed(next.seed)
      if (next.speed !== speed) run.setSpeed(next.speed)
    },
    close() {
      stopFaults()
      stopBeginning()
      end()
    },
  }
}

/** Whether a card is unchanged except for its position. */
const same = (a: Element, b: Element): boolean => a.fields === b.fields || JSON.stringify(a.fields) === JSON.stringify(b.fields)
