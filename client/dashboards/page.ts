// The state of the page that no run holds: values of unbound controls, buttons that are on, containers that are open. And the actions that
// reach runs: a control sets its variable, in one run or in all; its effects on other controls follow.
import { createStore, type StoreApi } from 'zustand/vanilla'
import { everyItem, type Dashboard, type Item } from '../../model-schema/dashboard.ts'
import { formulaName } from '../../model-schema/kinds.ts'
import type { Id } from '../../model-schema/model.ts'
import type { Plain } from '../../sim-engine/messages.ts'
import { publicValue } from '../run/ControllerCard.tsx'
import { flagField, idField, textField } from '../run/fields.ts'
import type { Run } from '../run/run.ts'
import { firstValue, holds, interactionsOf, isButton, isControl, standings, valueFor, type Standing } from './interactions.ts'
import { publicVariables } from './offers.ts'
import type { AssociationRun } from './runs/runs.ts'

type PageState = {
  readonly values: ReadonlyMap<Id, Plain>
  /** Buttons that are on. */
  readonly on: ReadonlySet<Id>
  /** Containers that a person opened or closed. */
  readonly opened: ReadonlyMap<Id, boolean>
  /** The slide seen of each container. */
  readonly slides: ReadonlyMap<Id, Id>
  /** A picture is being taken: what is out of sight is drawn as well. */
  readonly pictured: boolean
}

export type Page = StoreApi<PageState> & {
  /** The dashboard and runs of the page; initial values of controls are set where they have not been. */
  show(dashboard: Dashboard, runs: ReadonlyMap<Id, AssociationRun>): void
  /** The value of a control; of a button, whether it is on. */
  valueOf(item: Item): Plain | undefined
  change(item: Item, value: Plain): void
  press(item: Item): void
  open(container: Id, open: boolean): void
  slide(container: Id, chosen: Id): void
  standings(): ReadonlyMap<Id, Standing>
}

/** A control that sets another that sets it again comes to rest. */
const longestChain = 16

/** A run that is being loaded takes no more inputs: what comes then comes after it. */
function whenLoaded(run: Run, act: () => void): void {
  if (run.getState().status !== 'loading') return act()
  const stop = run.subscribe(({ status }) => {
    if (status === 'loading') return
    stop()
    act()
  })
}

export function createPage(): Page {
  const store = createStore<PageState>(() => ({ values: new Map(), on: new Set(), opened: new Map(), slides: new Map(), pictured: false }))
  let dashboard: Pick<Dashboard, 'items' | 'associations'> = { items: [], associations: [] }
  let runs: ReadonlyMap<Id, AssociationRun> = new Map()
  /** The first values that each run was given, by control. */
  const given = new WeakMap<Run, Map<Id, string>>()

  /** The runs that a control is about, each with its variable there; in a run of an experiment it sets nothing. */
  function boundTo({ element, association }: Item): { run: Run; variable: Id; isFixed: boolean }[] {
    const target = idField(element, 'target')
    const own = runs.get(association?.id ?? '')
    if (target === null || isButton(element) || own?.state !== 'open') return []
    const found = [{ run: own.run, variable: target, isFixed: own.stored !== null }]
    if (!flagField(element, 'everyRun')) return found
    const variable = own.model.getState().model.elements.get(target)
    const name = variable ? formulaName(textField(variable, 'name')) : ''
    for (const other of runs.values()) {
      if (other.state !== 'open' || other === own || name === '') continue
      const twin = publicVariables(other.model.getState().model, other.run.scenario).find(one => formulaName(one.name) === name)
      if (twin) found.push({ run: other.run, variable: twin.id, isFixed: other.stored !== null })
    }
    return found
  }

  function valueOf(item: Item): Plain | undefined {
    const { element } = item
    if (isButton(element)) return store.getState().on.has(element.id)
    const [bound] = boundTo(item)
    if (bound) return publicValue(bound.run.getState(), bound.variable)
    return store.getState().values.get(element.id) ?? firstValue(element)
  }

  function change(item: Item, value: Plain, depth = 0): void {
    const bound = boundTo(item)
    for (const { run, variable, isFixed } of bound) if (!isFixed) run.setInput(variable, value)
    if (bound.length === 0) store.setState(({ values }) => ({ values: new Map(values).set(item.element.id, value) }))
    follow(item, value, depth)
  }

  /** Sets what this control sets in others. */
  function follow(item: Item, value: Plain | undefined, depth: number): void {
    if (depth >= longestChain) return
    for (const one of interactionsOf(item.element)) {
      if (one.act !== 'set' || !(isButton(item.element) || holds(one, value))) continue
      const other = everyItem(dashboard.items).find(({ element }) => element.id === one.card)
      const next = other && isControl(other.element) ? valueFor(other.element, one.to) : undefined
      if (other && next !== undefined && JSON.stringify(valueOf(other)) !== JSON.stringify(next)) change(other, next, depth + 1)
    }
  }

  function begin(item: Item): void {
    const { element } = item
    const written = textField(element, 'initial')
    for (const { run, variable, isFixed } of boundTo(item)) {
      if (isFixed) continue
      const before = given.get(run) ?? new Map<Id, string>()
      given.set(run, before)
      if ((before.get(element.id) ?? '') === written) continue
      before.set(element.id, written)
      const value = valueFor(element, written)
      whenLoaded(run, () => {
        const now = run.getState().inputs[variable]
        if (value === undefined) run.clearInput(variable)
        else if (JSON.stringify(now) !== JSON.stringify(value)) run.setInput(variable, value)
      })
    }
  }

  return {
    ...store,
    show(nextDashboard, nextRuns) {
      dashboard = nextDashboard
      runs = nextRuns
      for (const item of everyItem(dashboard.items)) if (isControl(item.element)) begin(item)
    },
    valueOf,
    change: (item, value) => change(item, value),
    press(item) {
      const { id } = item.element
      const run = runs.get(item.association?.id ?? '')
      if (idField(item.element, 'process') !== null && run?.state === 'open' && run.stored === null) run.run.press(id)
      store.setState(({ on }) => ({ on: on.has(id) ? new Set([...on].filter(one => one !== id)) : new Set([...on, id]) }))
      follow(item, undefined, 0)
    },
    open: (container, open) => store.setState(({ opened }) => ({ opened: new Map(opened).set(container, open) })),
    slide: (container, chosen) => store.setState(({ slides }) => ({ slides: new Map(slides).set(container, chosen) })),
    standings: () => standings(dashboard, valueOf),
  }
}
