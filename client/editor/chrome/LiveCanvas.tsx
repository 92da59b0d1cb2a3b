// The canvas with what comes from elsewhere: the others' cursors, problems, and the numbers of the run.
import { Suspense, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { Id, Model } from '../../../model-schema/model.ts'
import { CanvasView } from '../../canvas/CanvasView.tsx'
import type { FrameTokens } from '../../canvas/tokens.ts'
import type { Other } from '../../canvas/paint/over.ts'
import { useModelProblems, worstByElement } from '../../panels/problems.ts'
import { useCoverage } from '../../panels/tests/coverage.ts'
import { useBreakpointMarks, usePausedAt } from '../../run/breakpoints.ts'
import { useHeat } from '../../run/heat.ts'
import { useRun, useSeldom } from '../../run/RunProvider.tsx'
import type { Run } from '../../run/run.ts'
import type { Session } from '../../session.ts'
import { framed } from '../../ui/framed.tsx'
import { importedPart } from '../../ui/loading/updates.ts'
import { viewOf } from '../geometry/camera.ts'
import { useEditor, useElement, useModelLater, useView } from '../useEditor.ts'
import { frameOf, useDrags } from './useDrags.ts'
import { liveValues } from './live.ts'

const Minimap = importedPart(
  () => import('../../canvas/Minimap.tsx'),
  module => module.Minimap,
)
const Floating = framed(async () => (await import('./Floating.tsx')).Floating)
const CommentPins = framed(async () => (await import('../../comments/CommentPins.tsx')).CommentPins)
const ProposalMarks = framed(async () => (await import('../../copilot/proposals/ProposalMarks.tsx')).ProposalMarks)
const HeatLegend = framed(async () => (await import('../../run/HeatLegend.tsx')).HeatLegend)
const ChartCard = framed(async () => (await import('../../charts/ChartCard.tsx')).ChartCard)
const ControllerCard = framed(async () => (await import('../../run/ControllerCard.tsx')).ControllerCard)
const WorldView = framed(async () => (await import('../../run/WorldView.tsx')).WorldView)

/** Numbers on the canvas change this often, in milliseconds. */
const pace = 120

/** `talk`: whether there may be comments on it; a published or embedded model has none. */
export function LiveCanvas({ session, talk = true }: { session: Session; talk?: boolean }) {
  const editor = useEditor()
  // Badges may follow what was edited; the canvas itself draws it at once.
  const model = useModelLater()
  const canvas = useView(view => view.canvas)
  const selection = useView(view => view.selection)
  const problems = useModelProblems()
  const { frame, status, pending, inputs } = useSeldom(pace)
  const peers = useStore(session.peers, state => state.peers)
  const others = useMemo(
    () =>
      peers
        .filter(peer => !peer.self && peer.canvas === canvas)
        .map(({ name, color, cursor, selection, drag }): Other => ({ name, color, cursor, selection, frame: drag ? frameOf(drag) : null })),
    [peers, canvas],
  )
  const counted = useMemo(() => worstByElement(problems, model), [problems, model])
  const worst = useSteady(counted, sameMap)
  const running = status === 'playing' || status === 'paused' || status === 'ended'
  const within = useMemo(() => (running && frame ? withInner(frame.tokens, model) : {}), [running, frame, model])
  const tokens = useSteady(within, sameCounts)
  const breakpoints = useBreakpointMarks()
  const here = usePausedAt()
  const heat = useSteady(useHeat(model), sameMap)
  const reached = useCoverage()
  const badges = useMemo(
    () => ({ problems: worst, tokens, breakpoints, here, heat, reached }),
    [worst, tokens, breakpoints, here, heat, reached],
  )
  const level = useMemo(() => {
    const containers = new Map((frame?.containers ?? []).map(container => [container.id, container]))
    return (id: Id) => containers.get(id) ?? null
  }, [frame])
  const live = useMemo(() => liveValues({ frame, status, pending, inputs }), [frame, status, pending, inputs])

  const run = useRun()
  const moves = useCallback((show: (before: FrameTokens, now: FrameTokens) => void) => followed(run, show), [run])

  useDrags(session)

  const painted = useDeferredValue(useView(view => view.painted))
  const { presence } = session
  useEffect(() => presence({ canvas, cursor: null }), [presence, canvas])
  useEffect(() => presence({ selection: [...selection] }), [presence, selection])
  useEffect(() => {
    const show = (): void => {
      const { camera, size } = editor.view.getState()
      const { x, y, w, h } = viewOf(camera, size)
      if (size.w > 0) presence({ view: [Math.round(x), Math.round(y), Math.round(w), Math.round(h)] })
    }
    show()
    return editor.view.subscribe((view, before) => {
      if (view.camera !== before.camera || view.size !== before.size) show()
    })
  }, [presence, editor])
  // The canvas takes the first focus, so that keys work at once.
  useEffect(() => document.querySelector<HTMLElement>('.h-canvas')?.focus({ preventScroll: true }), [])

  const point = useCallback((cursor: [number, number] | null) => presence({ cursor }), [presence])
  const hot = heat !== null
  // The same as long as nothing of it changed, so that an edit draws none of it again.
  const above = useMemo(
    () => (
      <>
        {hot && (
          <Suspense>
            <HeatLegend />
          </Suspense>
        )}
        {painted && (
          <>
            <Suspense>
              <Minimap />
            </Suspense>
            <Suspense>
              <Floating />
            </Suspense>
            {talk && (
              <>
                <Suspense>
                  <ProposalMarks session={session} />
                </Suspense>
                <Suspense>
                  <CommentPins session={session} />
                </Suspense>
              </>
            )}
          </>
        )}
      </>
    ),
    [hot, painted, talk, session],
  )

  return (
    <CanvasView others={others} badges={badges} level={level} live={live} moves={moves} Card={LiveCard} onCursor={point}>
      {above}
    </CanvasView>
  )
}

/** Tokens are shown travelling up to this many ticks a second, and when a frame leaves out no more ticks than this. */
const slow = 30
const mostLeftOut = 3

function followed(run: Run, show: (before: FrameTokens, now: FrameTokens) => void): () => void {
  return run.subscribe(({ frame, status, speed }, { frame: last }) => {
    if (!frame?.standing || !last?.standing || frame === last || frame.load !== last.load || frame.rewound) return
    if (status === 'playing' && (speed === null || speed > slow)) return
    if (frame.tick > last.tick && frame.tick - last.tick <= mostLeftOut) show(last.standing, frame.standing)
  })
}

/** A recomputed value is replaced by the previous one if both are equal. */
function useSteady<T>(now: T, same: (a: T, b: T) => boolean): T {
  const [kept, keep] = useState(now)
  if (kept === now || same(kept, now)) return kept
  keep(now)
  return now
}

const sameMap = (a: ReadonlyMap<Id, unknown> | null, b: ReadonlyMap<Id, unknown> | null): boolean =>
  a !== null && b !== null && a.size === b.size && [...b].every(([id, value]) => a.get(id) === value)

const sameCounts = (a: Readonly<Record<Id, number>>, b: Readonly<Record<Id, number>>): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(b).every(([id, count]) => a[id] === count)

/** The content of a chart, view or controller, on any canvas. */
export function LiveCard({ id, kind }: { id: Id; kind: string }) {
  const element = useElement(id)
  if (!element) return null
  const Content = kind === 'worldView' ? WorldView : kind === 'controller' ? ControllerCard : ChartCard
  return (
    <Suspense>
      <Content element={element} />
    </Suspense>
  )
}

/** Tokens inside a process or entity also count on its box. */
function withInner(tokens: Readonly<Record<Id, number>>, model: Model): Record<Id, number> {
  const all: Record<Id, number> = { ...tokens }
  for (const [id, count] of Object.entries(tokens)) {
    const seen = new Set<Id>([id])
    for (let at = model.elements.get(id)?.parent; at && !seen.has(at); at = model.elements.get(at)?.parent) {
      seen.add(at)
      all[at] = (all[at] ?? 0) + count
    }
  }
  return all
}
