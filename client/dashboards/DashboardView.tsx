// A dashboard or chart to be used and nothing else: what an embedded page shows.
import { FullscreenOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import type { RunParts } from '../run/run.ts'
import type { Session } from '../session.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { complain } from '../ui/toast.ts'
import { BlankForViewers, BoardScopeOf, Stage, type Part } from './Board.tsx'
import { RunLine } from './runs/RunLine.tsx'
import type { OpenModel } from './runs/runs.ts'
import { useMedia } from '../ui/useMedia.ts'
import '../editor/editor.css'

type Props = {
  session: Session
  title: string | null
  controls: boolean
  part: Part
  openModel(modelFile: string): OpenModel
  limits?: RunParts['limits']
}

export function DashboardView({ session, title, controls, part, openModel, limits }: Props) {
  const { t } = useLingui()
  return (
    <BoardScopeOf
      session={session}
      openModel={openModel}
      limits={limits}
      live
      beginAll={!controls}
      editing={false}
      otherwise={<EmptyState title={title ?? ''} text={t`There is nothing on this page yet.`} />}
    >
      <div className="h-editor d-editor" data-mode="use">
        {title === null ? null : <h1 className="d-title">{title}</h1>}
        <Page controls={controls} part={part} />
      </div>
    </BoardScopeOf>
  )
}

function Page({ controls, part }: { controls: boolean; part: Part }) {
  const { t } = useLingui()
  const phone = useMedia('(max-width: 700px)')
  const fullScreen = (): void =>
    void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(complain)
  return (
    <div className="d-middle">
      {controls && (
        <RunLine
          trailing={
            document.fullscreenEnabled && (
              <span className="d-trailing">
                <Button type="text" icon={<FullscreenOutlined aria-hidden />} aria-label={t`Full screen`} onClick={fullScreen} />
              </span>
            )
          }
        />
      )}
      <Stage narrow={phone} part={part} otherwise={<BlankForViewers />} />
    </div>
  )
}
