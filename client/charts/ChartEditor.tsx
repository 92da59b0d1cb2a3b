// The editor of charts made from fields: fields and their source at the left, shelves over the chart in the middle, settings at the right. On narrow screens
// the sides are drawers. A chart file that holds a chart of formulas is opened as a dashboard of one card.
import { FullscreenOutlined, SettingOutlined, UnorderedListOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Drawer, Tooltip } from 'antd'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import { dashboardOf, everyItem, type Item } from '../../model-schema/dashboard.ts'
import { isRefusal, place, setField, together } from '../../model-schema/edit.ts'
import { plotOf, type Plot } from '../../model-schema/plot.ts'
import { FileCopilot } from '../copilot/files/FileCopilot.tsx'
import { BlankForViewers, BoardScopeOf, Stage } from '../dashboards/Board.tsx'
import { reveal } from '../dashboards/CardBody.tsx'
import { useBoardCover } from '../dashboards/outputs.tsx'
import { DashboardEditor } from '../dashboards/DashboardEditor.tsx'
import { addAssociation } from '../dashboards/edits.ts'
import { ModelPicker, ScenarioPicker } from '../dashboards/pickers.tsx'
import { RunLine } from '../dashboards/runs/RunLine.tsx'
import type { AssociationRun } from '../dashboards/runs/runs.ts'
import { modelOf, tell, useBoard } from '../dashboards/scope.ts'
import { useMedia } from '../ui/useMedia.ts'
import { noteModels } from '../local/files.ts'
import { FieldRows } from '../panels/fields/FieldRows.tsx'
import type { EditorProps } from '../routes/editors.tsx'
import type { Run } from '../run/run.ts'
import { useRunLimits } from '../billing/planOfFile.ts'
import { openSession } from '../session.ts'
import { DocumentBar } from '../ui/documentbar/DocumentBar.tsx'
import { Drawing } from '../ui/Drawing.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { complain } from '../ui/toast.ts'
import { useUndoKeys } from '../ui/documentbar/undoKeys.ts'
import { FieldList } from './editor/FieldList.tsx'
import { ImportTable } from './editor/ImportTable.tsx'
import { useSourceNames } from './editor/names.ts'
import { PlotScopeOf } from './editor/PlotScopeOf.tsx'
import { drawnType, Settings } from './editor/Settings.tsx'
import { Shelves } from './editor/Shelves.tsx'
import { Source } from './editor/Source.tsx'
import '../editor/editor.css'
import '../panels/panels.css'
import '../run/bar/bar.css'
import './editor/editor.css'

export function ChartEditor(props: EditorProps) {
  const { t } = useLingui()
  const { session } = props
  const other = useStore(session.model, ({ model }) => {
    const [first] = everyItem(dashboardOf(model)?.items ?? []).filter(({ layout }) => layout === null)
    return first !== undefined && first.element.kind !== 'plot'
  })
  const { target } = session
  const { writable } = useStore(session.access)
  const limits = useRunLimits(session)
  const openModel = useCallback((docId: string) => openSession({ docId, local: target.local, user: target.user }), [target])
  if (other) return <DashboardEditor {...props} />
  return (
    <BoardScopeOf
      session={session}
      openModel={openModel}
      limits={limits}
      live
      editing={writable}
      otherwise={
        <EmptyState
          title={t`No chart in this file`}
          text={t`The file holds something else, or was emptied by somebody. Undo, or go back to an earlier version.`}
        />
      }
    >
      <Page {...props} writable={writable} />
    </BoardScopeOf>
  )
}

type PageProps = EditorProps & { writable: boolean }

function Page({ session, title, teamCode, onRename, backTo, share, writable }: PageProps) {
  const { dashboard, runs } = useBoard()
  const wide = useMedia('(min-width: 901px)')
  const [fresh, setFresh] = useState(false)
  useUndoKeys(session)
  const card = everyItem(dashboard.items).find(({ element }) => element.kind === 'plot') ?? null
  const run = runs.get(card?.association?.id ?? '')
  useNotedModel(session, teamCode, card?.association?.modelFile ?? '', writable)
  const modelFile = modelOf(dashboard, card?.association?.modelFile)
  const bar = (
    <DocumentBar
      session={session}
      title={title}
      onRename={onRename}
      backTo={backTo}
      share={share}
      narrow={!wide}
      tools={<FileCopilot session={session} kind="chart" name={title} modelFile={modelFile} reveal={reveal} />}
    />
  )
  if (!card)
    return (
      <div className="h-editor d-editor">
        {bar}
        <main className="p-begin">{writable ? <Begin chosen={() => setFresh(true)} /> : <BlankForViewers />}</main>
      </div>
    )
  const open = run?.state === 'open' ? run : null
  return (
    <div className="h-editor d-editor" data-mode={writable ? 'edit' : 'use'}>
      {bar}
      {open && <Restarted run={open.run} />}
      <Editing
        key={card.element.id}
        session={session}
        card={card}
        run={run}
        writable={writable}
        wide={wide}
        fresh={fresh}
        setFresh={setFresh}
      />
    </div>
  )
}

/** Notes which model the file is about, so that it is not deleted under it. */
function useNotedModel({ docId, target }: PageProps['session'], team: string, model: string, writable: boolean): void {
  useEffect(() => {
    if (writable) noteModels({ user: target.user, team, local: target.local }, docId, model === '' ? [] : [model]).catch(complain)
  }, [docId, target, team, writable, model])
}

/** Shows a field put on a shelf at once: the run starts again and advances to its previous time. */
function Restarted({ run }: { run: Run }) {
  const stale = useStore(run, state => state.stale)
  useEffect(() => {
    if (!stale) return
    const { status, frame } = run.getState()
    run.reset()
    if (status === 'playing') run.play()
    else if (frame && frame.tick > 0) run.seek(frame.tick)
  }, [stale, run])
  return null
}

type EditingProps = {
  session: PageProps['session']
  card: Item
  run: AssociationRun | undefined
  writable: boolean
  wide: boolean
  fresh: boolean
  setFresh(fresh: boolean): void
}

function Editing({ session, card, run, writable, wide, fresh, setFresh }: EditingProps) {
  const { t } = useLingui()
  const { file, dashboard } = useBoard()
  const [drawer, setDrawer] = useState<'fields' | 'settings' | null>(null)
  const stage = useRef<HTMLDivElement>(null)
  useBoardCover(stage)
  const phone = useMedia('(max-width: 700px)')
  const { element } = card
  const model = useModelOf(run)
  const root = file.elements.get(dashboard.id) ?? null
  const fullScreen = (): void => {
    const go = document.fullscreenElement ? document.exitFullscreen() : stage.current?.requestFullscreen()
    go?.catch(complain)
  }
  return (
    <PlotScopeOf session={session} element={element} of={model} disabled={!writable} fresh={fresh}>
      {({ data }) => {
        const fields = (
          <FieldRows>
            <Source
              data={data}
              chosen={() => setFresh(true)}
              model={<ModelOf card={card} run={run} disabled={!writable} chosen={() => setFresh(true)} />}
            />
            <FieldList chosen={() => setDrawer(null)} />
          </FieldRows>
        )
        const settings = <Settings drawn={drawnType(plotOf(element), data)} root={root} />
        const narrowTools = writable && !wide && (
          <>
            <Button type="text" icon={<UnorderedListOutlined aria-hidden />} aria-label={t`Fields`} onClick={() => setDrawer('fields')} />
            <Button type="text" icon={<SettingOutlined aria-hidden />} aria-label={t`Settings`} onClick={() => setDrawer('settings')} />
          </>
        )
        return (
          <>
            <div className="h-columns d-columns" ref={stage}>
              {writable && wide && (
                <aside className="d-left" aria-label={t`Fields`}>
                  {fields}
                </aside>
              )}
              <div className="d-middle">
                <RunLine
                  trailing={
                    <span className="d-trailing">
                      {narrowTools}
                      <Tooltip title={t`Full screen`}>
                        <Button type="text" icon={<FullscreenOutlined aria-hidden />} aria-label={t`Full screen`} onClick={fullScreen} />
                      </Tooltip>
                    </span>
                  }
                />
                {writable && <Shelves />}
                <Stage narrow={phone} otherwise={null} />
              </div>
              {writable && wide && (
                <aside className="d-right" aria-label={t`Settings`}>
                  {settings}
                </aside>
              )}
            </div>
            {writable && !wide && (
              <>
                <Drawer
                  title={<Trans>Fields</Trans>}
                  placement="bottom"
                  size="70vh"
                  open={drawer === 'fields'}
                  onClose={() => setDrawer(null)}
                >
                  {fields}
                </Drawer>
                <Drawer
                  title={<Trans>Settings</Trans>}
                  placement="bottom"
                  size="70vh"
                  open={drawer === 'settings'}
                  onClose={() => setDrawer(null)}
                >
                  {settings}
                </Drawer>
              </>
            )}
          </>
        )
      }}
    </PlotScopeOf>
  )
}

const none = (): void => undefined

/** The model of an association's run and the scenario that is run, followed as it is edited. */
function useModelOf(run: AssociationRun | undefined) {
  const store = run?.state === 'open' ? run.model : null
  const scenario = run?.state === 'open' ? run.run.scenario : ''
  const model = useSyncExternalStore(
    useCallback(changed => store?.subscribe(changed) ?? none, [store]),
    () => store?.getState().model ?? null,
  )
  return useMemo(() => (model && store ? { model, scenario } : null), [model, store, scenario])
}

function ModelOf({ card, run, disabled, chosen }: { card: Item; run: AssociationRun | undefined; disabled: boolean; chosen(): void }) {
  const { session } = useBoard()
  const { association } = card
  if (!association) return null
  const set = (field: string, value: string): void => void tell(setField(session.doc, association.id, field, value))
  const model = run?.state === 'open' ? run.model.getState().model : null
  return (
    <>
      <ModelPicker
        value={association.modelFile}
        disabled={disabled}
        choose={({ id, name }) => {
          together(session.doc, () => {
            set('modelFile', id)
            set('modelScenario', '')
            set('begin', 'play')
            set('name', name)
          })
          chosen()
        }}
      />
      {model && model.scenarios.length > 1 && (
        <ScenarioPicker value={association.modelScenario} model={model} disabled={disabled} choose={next => set('modelScenario', next)} />
      )}
    </>
  )
}

/** An empty chart: where do its numbers come from? */
function Begin({ chosen }: { chosen(): void }) {
  const { t } = useLingui()
  const { session, dashboard } = useBoard()
  const names = useSourceNames()
  const [importing, setImporting] = useState(false)
  const begin = (source: Plot['source'], model: { id: string; name: string } | null, lines: readonly string[] = []): void => {
    const table = lines.length > 0 && { table: lines.map(line => ({ line })) }
    const done = together(session.doc, () => {
      const association = dashboard.associations[0]?.id ?? addAssociation(session.doc, dashboard, model?.id ?? '', model?.name ?? '')
      if (isRefusal(association)) return association
      if (model) {
        for (const [field, value] of [
          ['modelFile', model.id],
          ['begin', 'play'],
        ] as const) {
          const refused = setField(session.doc, association, field, value)
          if (refused) return refused
        }
      }
      return place(session.doc, { kind: 'plot', parent: association, at: [0, 0], size: [12, 8], values: { source, ...table } })
    })
    if (tell(done)) chosen()
  }
  return (
    <EmptyState
      drawing={<Drawing of="chart" />}
      title={t`What should this chart show?`}
      text={t`Choose where its fields come from; it can be changed later.`}
      action={
        <div className="p-sources">
          <div className="p-choice">
            <strong>{names.model}</strong>
            <ModelPicker value="" choose={model => begin('model', model)} />
          </div>
          <div className="p-choice">
            <strong>{names.experiment}</strong>
            <Button block onClick={() => begin('experiment', null)}>
              <Trans>Choose an experiment</Trans>
            </Button>
          </div>
          <div className="p-choice">
            <strong>{names.table}</strong>
            <Button block onClick={() => setImporting(true)}>
              <Trans>Paste or import</Trans>
            </Button>
            <ImportTable open={importing} close={() => setImporting(false)} take={lines => begin('table', null, lines)} />
          </div>
        </div>
      }
    />
  )
}
