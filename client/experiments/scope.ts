// The context of every part of the experiment editor: the document, the experiment read from it, its model, and its conductor.
import { createContext, use, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { Refusal } from '../../model-schema/edit.ts'
import { setField, setText } from '../../model-schema/edit.ts'
import type { Experiment } from '../../model-schema/experiment.ts'
import type { Field, Json } from '../../model-schema/kinds/kind.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { wordsNow } from '../i18n/locale.ts'
import type { Session } from '../session.ts'
import { warn } from '../ui/toast.ts'
import type { Conducting } from './conduct/conducting.ts'
import type { Conductor } from './conduct/conductor.ts'
import type { Limits } from './limits.ts'
import type { Linked, Public } from './linked.ts'

export type ExperimentScope = {
  session: Session
  conductor: Conductor
  experiment: Experiment
  /** The experiment's own element, and all of its file. */
  root: Element
  file: Model
  linked: Linked
  /** The linked model; null while it is not here. */
  model: Model | null
  /** The scenario of it that is run. */
  scenario: Id | null
  publics: readonly Public[]
  writable: boolean
  teamCode: string
  /** The limits of the payer's plan. */
  limits: Limits
}

export const ScopeContext = createContext<ExperimentScope | null>(null)

export function useExperiment(): ExperimentScope {
  const scope = use(ScopeContext)
  if (!scope) throw new Error('useExperiment is used outside ScopeContext')
  return scope
}

export function useConducting<T>(pick: (state: Conducting) => T): T {
  return useStore(useExperiment().conductor.store, pick)
}

/** Says why an edit was refused; true when it was not. */
export function tell(refused: Refusal | Id | null): boolean {
  if (refused === null || typeof refused === 'string') return true
  warn(wordsNow(refused.words))
  return false
}

/** Writes a field of the experiment. */
export function write({ session }: Pick<ExperimentScope, 'session'>, id: Id, field: Field, value: Json): void {
  tell(field.type.as === 'formula' ? setText(session.doc, id, field.id, String(value ?? '')) : setField(session.doc, id, field.id, value))
}

/** The state of the conductor for growing results, read no more often than it can be drawn. */
export function useLook(): Conducting {
  const { conductor } = useExperiment()
  const [look, setLook] = useState(() => conductor.store.getState())
  const drawn = useRef({ since: 0, took: 0 })
  useEffect(() => {
    if (drawn.current.since === 0) return
    drawn.current = { since: 0, took: performance.now() - drawn.current.since }
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let seen = conductor.store.getState()
    const now = (): void => {
      timer = undefined
      seen = conductor.store.getState()
      drawn.current.since = performance.now()
      setLook(seen)
    }
    now()
    const stop = conductor.store.subscribe(state => {
      // The end, and another table, at once; what only grew, seldom.
      if (state.status !== seen.status || state.entry?.id !== seen.entry?.id) {
        clearTimeout(timer)
        return now()
      }
      // Drawing takes a sixth of the time at most, however much there is.
      timer ??= setTimeout(now, Math.max(400, 5 * drawn.current.took))
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [conductor])
  return look
}
