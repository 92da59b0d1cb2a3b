// A dashboard with its runs: what the editor, the use mode and embedded pages share.
import { Trans } from '@lingui/react/macro'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { dashboardOf } from '../../model-schema/dashboard.ts'
import type { Id } from '../../model-schema/model.ts'
import { spawnEngine } from '../run/engine.ts'
import type { Session } from '../session.ts'
import { CardBody } from './CardBody.tsx'
import { Grid } from './Grid.tsx'
import { createRuns, type AssociationRun, type OpenModel, type Runs } from './runs.ts'
import { BoardContext, useBoard, type BoardScope } from './scope.ts'
import { Watermark } from './Watermark.tsx'
import './dashboards.css'

const none: ReadonlyMap<Id, AssociationRun> = new Map()

type ScopeProps = {
  session: Session
  openModel(modelFile: string): OpenModel
  /** Runs that are to begin by themselves do. */
  live: boolean
  editing: boolean
  children: ReactNode
  /** What stands there when the file holds no dashboard. */
  otherwise: ReactNode
}

export function BoardScopeOf({ session, openModel, live, editing, children, otherwise }: ScopeProps) {
  const { model: file } = useStore(session.model)
  const dashboard = useMemo(() => dashboardOf(file), [file])
  const [made, setMade] = useState<Runs | null>(null)
  const [runs, setRuns] = useState(none)
  const [wanted, setWanted] = useState<Id | null>(null)
  useEffect(() => {
    const next = createRuns({ openModel, spawn: spawnEngine, live })
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
  const selected = wanted !== null && file.elements.has(wanted) ? wanted : null
  const scope = useMemo<BoardScope | null>(
    () => dashboard && { session, file, dashboard, runs, editing, selected, select: setWanted },
    [session, file, dashboard, runs, editing, selected],
  )
  const { presence } = session
  useEffect(() => presence({ selection: selected === null ? [] : [selected] }), [presence, selected])
  return scope === null ? otherwise : <BoardContext value={scope}>{children}</BoardContext>
}

/** The cards, under the watermark; a chart file shows its first chart over all there is. */
export function Surface({ narrow }: { narrow: boolean }) {
  const { dashboard, editing, select } = useBoard()
  const chart =
    dashboard.is === 'chart' ? dashboard.associations.flatMap(one => one.cards.map(element => ({ element, association: one })))[0] : null
  return (
    <div className="d-surface" data-is={dashboard.is}>
      {dashboard.is === 'dashboard' ? (
        <Grid narrow={narrow} />
      ) : chart ? (
        <div className="d-single" onPointerDown={() => editing && select(chart.element.id)}>
          <CardBody placed={chart} />
        </div>
      ) : null}
      {dashboard.watermark && <Watermark mark={dashboard.watermark} />}
    </div>
  )
}

/** Whether there is anything to look at. */
export function useIsBlank(): boolean {
  const { associations, decorations } = useBoard().dashboard
  return decorations.length === 0 && associations.every(({ cards }) => cards.length === 0)
}

export const BlankForViewers = () => (
  <p className="d-blank h-muted">
    <Trans>There is nothing on this page yet.</Trans>
  </p>
)
