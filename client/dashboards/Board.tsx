// A dashboard with its runs: what the editor, the use mode and embedded pages share.
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { dashboardOf, everyItem, type Dashboard, type Item } from '../../model-schema/dashboard.ts'
import type { Id } from '../../model-schema/model.ts'
import { spawnEngine } from '../run/engine.ts'
import type { RunParts } from '../run/run.ts'
import type { Session } from '../session.ts'
import { CardBody } from './CardBody.tsx'
import { createCarry } from './containers/carry.ts'
import { ItemBody, Panels, useTitle } from './containers/Containers.tsx'
import { Grid } from './Grid.tsx'
import { interactionsOf, isControl, type Standing } from './interactions.ts'
import { createPage, type Page } from './page.ts'
import { createRuns, type AssociationRun, type OpenModel, type Runs } from './runs/runs.ts'
import { BoardContext, useBoard, type BoardScope } from './scope.ts'
import { Watermark } from './Watermark.tsx'
import './dashboards.css'

const none: ReadonlyMap<Id, AssociationRun> = new Map()

type ScopeProps = {
  session: Session
  openModel(modelFile: string): OpenModel
  /** Runs that are to begin by themselves do. */
  live: boolean
  /** All runs begin by themselves: there is nothing to begin them with. */
  beginAll?: boolean
  limits?: RunParts['limits']
  editing: boolean
  children: ReactNode
  /** Shown when the file holds no dashboard. */
  otherwise: ReactNode
}

export function BoardScopeOf({ session, openModel, live, beginAll = false, limits, editing, children, otherwise }: ScopeProps) {
  const { model: file } = useStore(session.model)
  const dashboard = useMemo(() => dashboardOf(file), [file])
  const [page] = useState(createPage)
  const [carry] = useState(createCarry)
  const [made, setMade] = useState<Runs | null>(null)
  const [runs, setRuns] = useState(none)
  const [wanted, setWanted] = useState<Id | null>(null)
  useEffect(() => {
    const next = createRuns({ openModel, spawn: spawnEngine, live, beginAll, limits })
    setMade(next)
    const stop = next.subscribe(state => setRuns(state.runs))
    return () => {
      stop()
      setRuns(none)
      next.close()
    }
    // A run that goes on is not begun again because the mode changes.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [openModel])
  useEffect(() => {
    if (made && dashboard) made.show(dashboard)
  }, [made, dashboard])
  useEffect(() => {
    if (dashboard) page.show(dashboard, runs)
  }, [page, dashboard, runs])
  const standings = useStandings(page, dashboard, runs)
  const selected = wanted !== null && file.elements.has(wanted) ? wanted : null
  const scope = useMemo<BoardScope | null>(
    () => dashboard && { session, file, dashboard, runs, page, carry, standings, editing, selected, select: setWanted },
    [session, file, dashboard, runs, page, carry, standings, editing, selected],
  )
  const { presence } = session
  useEffect(() => presence({ selection: selected === null ? [] : [selected] }), [presence, selected])
  return scope === null ? otherwise : <BoardContext value={scope}>{children}</BoardContext>
}

/** Which cards are hidden or disabled, followed as far as anything depends on it. */
function useStandings(page: Page, dashboard: Dashboard | null, runs: ReadonlyMap<Id, AssociationRun>): ReadonlyMap<Id, Standing> {
  const followed = useMemo(() => {
    const controls = everyItem(dashboard?.items ?? []).filter(({ element }) => interactionsOf(element).length > 0)
    return new Set(controls.flatMap(({ association }) => association?.id ?? []))
  }, [dashboard])
  const subscribe = useCallback(
    (changed: () => void) => {
      const stops = [page.subscribe(changed)]
      for (const id of followed) {
        const run = runs.get(id)
        if (run?.state === 'open') stops.push(run.run.subscribe(changed))
      }
      return () => stops.forEach(stop => stop())
    },
    [page, runs, followed],
  )
  const text = useSyncExternalStore(subscribe, () => JSON.stringify([...page.standings()]))
  // The text is the key of the map: a new map only when something differs.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  return useMemo(() => page.standings(), [page, text])
}

/** What an embedded page shows: all, one card, or one card with the controls of its run. */
export type Part = { readonly show: 'full' | 'parameters' | 'chart'; readonly card: Id | null }

const all: Part = { show: 'full', card: null }

/** The page: panels at its edges, the cards between them; `otherwise` is there in the place of cards when there are none. */
export function Stage({ narrow, part = all, otherwise }: { narrow: boolean; part?: Part; otherwise: ReactNode }) {
  const { dashboard, select } = useBoard()
  const blank = useIsBlank()
  const whole = part.show === 'full' && dashboard.is === 'dashboard'
  return (
    <>
      <Announcer />
      <CarriedCard />
      {whole && <Panels side="top" narrow={narrow} />}
      <div className="d-across">
        {whole && !narrow && <Panels side="start" narrow={false} />}
        <main className="d-scroll" onPointerDown={event => event.target === event.currentTarget && select(null)}>
          {blank ? otherwise : part.show === 'full' ? <Surface narrow={narrow} /> : <OneCard part={part} narrow={narrow} />}
        </main>
        {whole && !narrow && <Panels side="end" narrow={false} />}
      </div>
    </>
  )
}

/** The cards, under the watermark; a chart file shows its first chart over all there is. */
function Surface({ narrow }: { narrow: boolean }) {
  const { dashboard, editing, select } = useBoard()
  const chart = dashboard.is === 'chart' ? everyItem(dashboard.items).find(({ association }) => association !== null) : undefined
  return (
    <div className="d-surface" data-is={dashboard.is}>
      {dashboard.is === 'dashboard' ? (
        <Grid narrow={narrow} />
      ) : chart ? (
        <div className="d-single" onPointerDown={() => editing && select(chart.element.id)}>
          <CardBody item={chart} />
        </div>
      ) : null}
      {dashboard.watermark && <Watermark mark={dashboard.watermark} />}
    </div>
  )
}

/** One card that fills the page, with the controls of its run if they are to be shown. */
function OneCard({ part, narrow }: { part: Part; narrow: boolean }) {
  const { dashboard, standings } = useBoard()
  const items = everyItem(dashboard.items)
  const card = items.find(({ element }) => element.id === part.card) ?? items.find(isShowable)
  if (!card) return <BlankForViewers />
  const controls =
    part.show === 'parameters'
      ? items.filter(
          ({ element, association }) =>
            isControl(element) &&
            association === card.association &&
            standings.get(element.id)?.shown !== false &&
            element.id !== part.card,
        )
      : []
  return (
    <div className="d-surface" data-is="chart">
      <div className="d-alone" data-narrow={narrow || undefined}>
        <div className="d-single">
          <ItemBody item={card} narrow={narrow} />
        </div>
        {controls.length > 0 && (
          <aside className="d-beside">
            {controls.map(item => (
              <div key={item.element.id} className="d-slot" data-kind="controller">
                <ItemBody item={item} narrow={narrow} />
              </div>
            ))}
          </aside>
        )}
      </div>
      {dashboard.watermark && <Watermark mark={dashboard.watermark} />}
    </div>
  )
}

const isShowable = ({ element, layout }: Item): boolean =>
  layout === null && element.kind !== 'controller' && element.kind !== 'note' && element.kind !== 'image'

/** Follows the pointer with the name of what it carries. */
function CarriedCard() {
  const carried = useStore(useBoard().carry, state => state.carried)
  return (
    carried && (
      <div className="d-carried" style={{ translate: `${carried.x}px ${carried.y}px` }} aria-hidden>
        {carried.title}
      </div>
    )
  )
}

/** Announces to screen readers that cards appeared and disappeared. */
function Announcer() {
  const { t } = useLingui()
  const { dashboard, standings, editing } = useBoard()
  const titleOf = useTitle()
  const before = useRef(standings)
  const [said, setSaid] = useState('')
  useEffect(() => {
    const was = before.current
    before.current = standings
    if (editing || was === standings) return
    const changed = everyItem(dashboard.items).flatMap(item => {
      const [then, now] = [was.get(item.element.id)?.shown !== false, standings.get(item.element.id)?.shown !== false]
      const title = titleOf(item)
      return then === now ? [] : [now ? t`${title} is shown` : t`${title} is hidden`]
    })
    if (changed.length > 0) setSaid(changed.join('. '))
  }, [standings, dashboard, editing, titleOf, t])
  return (
    <p className="d-said" role="status">
      {said}
    </p>
  )
}

/** Whether the dashboard is empty. */
const useIsBlank = (): boolean => useBoard().dashboard.items.length === 0

export const BlankForViewers = () => (
  <p className="d-blank h-muted">
    <Trans>There is nothing on this page yet.</Trans>
  </p>
)
