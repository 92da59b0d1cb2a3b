// The editor of dashboards and charts: what can be added at the left, the page in the middle, properties at the right; or the page alone, to be used. On
// narrow screens the sides are drawers.
import { AppstoreAddOutlined, EditOutlined, FullscreenOutlined, PlayCircleOutlined, SettingOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Drawer, Segmented, Tooltip } from 'antd'
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { dashboardOf } from '../../model-schema/dashboard.ts'
import { noteModels } from '../local/files.ts'
import { FileCopilot } from '../copilot/files/FileCopilot.tsx'
import { useRunLimits } from '../billing/planOfFile.ts'
import { openSession, type Peer, type Session } from '../session.ts'
import { DocumentBar, type PersonAction } from '../ui/documentbar/DocumentBar.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { complain } from '../ui/toast.ts'
import { useUndoKeys } from '../ui/documentbar/undoKeys.ts'
import { AddPanel } from './AddPanel.tsx'
import { Beginning } from './Beginning.tsx'
import { BlankForViewers, BoardScopeOf, Stage } from './Board.tsx'
import { reveal } from './CardBody.tsx'
import { useBoardCover, useOutputs } from './outputs.tsx'
import { Properties } from './Properties.tsx'
import { RunLine } from './runs/RunLine.tsx'
import { modelOf, othersOf, useBoard } from './scope.ts'
import { useMedia } from '../ui/useMedia.ts'
import '../editor/editor.css'
import '../run/bar/bar.css'

type Props = {
  session: Session
  title: string
  teamCode: string
  /** Absent when the person may not rename. */
  onRename?: ((title: string) => void) | undefined
  backTo: string
  /** A button that shares the file. */
  share?: ReactNode
}

type Mode = 'edit' | 'use'

export function DashboardEditor(props: Props) {
  const { t } = useLingui()
  const { session } = props
  const { writable } = useStore(session.access)
  const wide = useMedia('(min-width: 901px)')
  // A phone opens in use mode; the user can switch.
  const [asked, setMode] = useState<Mode>(wide ? 'edit' : 'use')
  const mode: Mode = writable ? asked : 'use'
  const { target } = session
  useNotedModels(session, props.teamCode, writable)
  const limits = useRunLimits(session)
  const openModel = useCallback((docId: string) => openSession({ docId, local: target.local, user: target.user }), [target])
  return (
    <BoardScopeOf
      session={session}
      openModel={openModel}
      limits={limits}
      live={mode === 'use'}
      editing={mode === 'edit'}
      otherwise={
        <EmptyState
          title={t`No dashboard in this file`}
          text={t`The file holds something else, or was emptied by somebody. Undo, or go back to an earlier version.`}
        />
      }
    >
      <Page {...props} mode={mode} setMode={setMode} writable={writable} wide={wide} />
    </BoardScopeOf>
  )
}

/** Notes which models the file is about, so that they are not deleted under it. */
function useNotedModels(session: Session, team: string, writable: boolean): void {
  const { docId, target } = session
  const models = useStore(session.model, ({ model }) => {
    const associations = dashboardOf(model)?.associations ?? []
    return [...new Set(associations.map(({ modelFile }) => modelFile).filter(id => id !== ''))].toSorted().join(' ')
  })
  useEffect(() => {
    if (writable)
      noteModels({ user: target.user, team, local: target.local }, docId, models === '' ? [] : models.split(' ')).catch(complain)
  }, [docId, target, team, writable, models])
}

type PageProps = Props & { mode: Mode; setMode(mode: Mode): void; writable: boolean; wide: boolean }

function Page({ session, title, teamCode, onRename, backTo, share, mode, setMode, writable, wide }: PageProps) {
  const { t } = useLingui()
  const { selected, select, dashboard } = useBoard()
  const phone = useMedia('(max-width: 700px)')
  const [drawer, setDrawer] = useState<'add' | 'properties' | null>(null)
  const stage = useRef<HTMLDivElement>(null)
  useUndoKeys(session)
  useBoardCover(stage)
  const outputs = useOutputs({ title, team: teamCode, host: stage })
  const editing = mode === 'edit'
  const choose = (next: Mode): void => {
    setMode(next)
    setDrawer(null)
    if (next === 'use') select(null)
  }
  const fullScreen = (): void => {
    const go = document.fullscreenElement ? document.exitFullscreen() : stage.current?.requestFullscreen()
    go?.catch(complain)
  }
  const show = (id: string): void => {
    if (editing) select(id)
    reveal(id)
  }
  const modes = writable && (
    <Segmented
      value={mode}
      onChange={choose}
      aria-label={t`Mode`}
      options={[
        { value: 'edit', icon: <EditOutlined aria-hidden />, label: wide ? t`Edit` : undefined, title: t`Edit` },
        { value: 'use', icon: <PlayCircleOutlined aria-hidden />, label: wide ? t`Use` : undefined, title: t`Use` },
      ]}
    />
  )
  return (
    <div className="h-editor d-editor" data-mode={mode}>
      <DocumentBar
        session={session}
        title={title}
        onRename={onRename}
        backTo={backTo}
        share={share}
        narrow={!wide}
        tools={
          <>
            <FileCopilot
              session={session}
              kind="dashboard"
              name={title}
              modelFile={modelOf(dashboard)}
              otherFiles={othersOf(dashboard)}
              reveal={show}
            />
            {modes}
          </>
        }
        person={person}
        menu={outputs}
      />
      <div className="h-columns d-columns" ref={stage}>
        {editing && wide && (
          <aside className="d-left" aria-label={t`Add`}>
            <AddPanel />
          </aside>
        )}
        <div className="d-middle">
          <RunLine
            trailing={
              <span className="d-trailing">
                {editing && !wide && (
                  <>
                    <Button type="text" icon={<AppstoreAddOutlined aria-hidden />} aria-label={t`Add`} onClick={() => setDrawer('add')} />
                    <Button
                      type="text"
                      icon={<SettingOutlined aria-hidden />}
                      aria-label={t`Properties`}
                      onClick={() => setDrawer('properties')}
                    />
                  </>
                )}
                <Tooltip title={t`Full screen`}>
                  <Button type="text" icon={<FullscreenOutlined aria-hidden />} aria-label={t`Full screen`} onClick={fullScreen} />
                </Tooltip>
              </span>
            }
          />
          <Stage narrow={phone} otherwise={writable ? <Beginning /> : <BlankForViewers />} />
        </div>
        {editing && wide && (
          <aside className="d-right" aria-label={t`Properties`}>
            <Properties key={selected ?? dashboard.id} />
          </aside>
        )}
      </div>
      {editing && !wide && (
        <>
          <Drawer title={<Trans>Add</Trans>} placement="bottom" size="70vh" open={drawer === 'add'} onClose={() => setDrawer(null)}>
            <AddPanel chosen={() => setDrawer(null)} />
          </Drawer>
          <Drawer
            title={<Trans>Properties</Trans>}
            placement="bottom"
            size="70vh"
            open={drawer === 'properties'}
            onClose={() => setDrawer(null)}
          >
            <Properties key={selected ?? dashboard.id} />
          </Drawer>
        </>
      )}
    </div>
  )
}

/** A click on a person goes to the card they have selected. */
const person = ({ name, selection: [card] }: Peer): PersonAction => ({ label: name, act: () => card !== undefined && reveal(card) })
