// Gives the run of one scenario to everything below: bar, world view, charts, controllers, panels.
import { createContext, use, useEffect, useMemo, useState, type ReactNode, useRef } from 'react'
import { useStore, type StoreApi } from 'zustand'
import type { Id, Model } from '../../model-schema/model.ts'
import type { Problem } from '../../sim-engine/problems.ts'
import { keepDebugging } from '../local/debugging.ts'
import { spawnEngine, type Transport } from './engine.ts'
import { handedRun } from './handed.ts'
import { createRun, type Run, type RunParts, type RunView } from './run.ts'

const RunContext = createContext<Run | null>(null)

type Props = {
  /** Any session will do: only its model is read. */
  session: {
    readonly model: StoreApi<{ model: Model }>
    readonly docId?: string
    readonly target?: { readonly user: { readonly id: string } }
  }
  scenario: Id
  limits?: RunParts['limits'] | undefined
  spawn?: () => Transport
  /** The engine is not started yet: the page has more urgent things to show. */
  held?: boolean
  children: ReactNode
}

/** One engine per scenario shown: another scenario (or session) ends this run and starts its own. */
export function RunProvider({ session, scenario, limits, spawn = spawnEngine, held = false, children }: Props) {
  const run = useMemo(() => {
    const made = createRun({ model: session.model, scenario, spawn, limits })
    const handed = handedRun()
    if (handed?.scenario === scenario) {
      made.setSeed(handed.seed)
      made.setTicks(handed.ticks)
      for (const [variable, value] of Object.entries(handed.inputs)) made.setInput(variable, value)
    }
    return made
  }, [session.model, scenario, spawn, limits])
  // A request made before the run can be played is remembered.
  const asked = useRef(false)
  useEffect(() => {
    if (!held) {
      const stop = run.open()
      if (asked.current) run.play()
      asked.current = false
      return stop
    }
    const listen = (event: KeyboardEvent): void => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) asked.current = true
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [run, held])
  const { docId, target } = session
  const user = target?.user.id
  useEffect(() => (docId === undefined || user === undefined ? undefined : keepDebugging(run, user, docId)), [run, user, docId])
  return <RunContext value={run}>{children}</RunContext>
}

/** The run around this component, if it is inside an editor that runs models. */
export const useRunIfAny = (): Run | null => use(RunContext)

/** Gives another run - a what-if - to everything below. */
export const RunScope = ({ run, children }: { run: Run; children: ReactNode }) => <RunContext value={run}>{children}</RunContext>

/** The run around this component. It keeps its identity while it lives: read it with `useRunView`, or subscribe. */
export function useRun(): Run {
  const run = use(RunContext)
  if (!run) throw new Error('useRun is used outside RunProvider')
  return run
}

/** A part of the run's view; the component draws again only when that part changes. */
export function useRunView<T>(pick: (view: RunView) => T): T {
  return useStore(useRun(), pick)
}

/** Errors and warnings of the model as it is now. */
export function useProblems(): readonly Problem[] {
  return useRunView(view => view.problems)
}

/** Draws the component again after changes of the run, at most every `ms`: for what changes in place, or too often to read. */
export function useSeldom(ms: number): RunView {
  const run = useRun()
  const [, redraw] = useState(0)
  useEffect(() => seldom(run, ms, () => redraw(count => count + 1)), [run, ms])
  return run.getState()
}

/** Calls `act` after changes, at most every `ms`, and always after the last. Returns its end. */
export function seldom(run: Run, ms: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null
  const stop = run.subscribe(() => {
    timer ??= setTimeout(() => {
      timer = null
      act()
    }, ms)
  })
  return () => {
    stop()
    if (timer !== null) clearTimeout(timer)
  }
}
