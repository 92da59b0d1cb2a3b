// The copilot in the editor of an experiment, a chart or a dashboard: a button in the bar, and the panel at the right (from below on narrow screens). What
// is proposed is for this file: taken in or turned down change by change, each acceptance a step that can be undone here.
import { RobotOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Badge, Button, Drawer, Tooltip } from 'antd'
import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { PageLoading } from '../../ui/loading/PageLoading.tsx'
import { importedPart } from '../../ui/loading/updates.ts'
import { useMedia } from '../../ui/useMedia.ts'
import { useProposals } from '../proposals/review.ts'
import type { FilePanelProps } from './FilePanel.tsx'
import { openedBeside, opensBeside } from './handed.ts'
import './files.css'

const FilePanel = importedPart(
  () => import('./FilePanel.tsx'),
  module => module.FilePanel,
)

export function FileCopilot(props: FilePanelProps) {
  const { t } = useLingui()
  const { session } = props
  const [isOpen, setOpen] = useState(() => opensBeside(session.docId))
  useEffect(() => openedBeside(session.docId), [session])
  const { proposals } = useProposals(session)
  const narrow = useMedia('(max-width: 900px)')
  useKey(() => setOpen(!isOpen))
  const count = proposals.length
  return (
    <>
      <Tooltip title={t`Copilot`}>
        <Button
          type="text"
          icon={
            <Badge dot={count > 0} offset={[-1, 2]} color="var(--h-accent)">
              <RobotOutlined aria-hidden />
            </Badge>
          }
          aria-label={count > 0 ? t`Copilot, ${count} proposals` : t`Copilot`}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </Tooltip>
      <Drawer
        title={t`Copilot`}
        placement={narrow ? 'bottom' : 'right'}
        size={narrow ? '80vh' : 340}
        // The file stays usable next to it.
        mask={narrow}
        rootClassName={narrow ? '' : 'h-below-bar'}
        open={isOpen}
        onClose={() => setOpen(false)}
        styles={{ body: { padding: 0 } }}
        destroyOnHidden
      >
        <Suspense fallback={<PageLoading />}>
          <FilePanel {...props} />
        </Suspense>
      </Drawer>
    </>
  )
}

/** The key that opens the copilot in a model, here. */
function useKey(press: () => void): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'i' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    // In a text it makes letters italic.
    if (event.defaultPrevented || (event.target instanceof HTMLElement && event.target.isContentEditable)) return
    event.preventDefault()
    press()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => pressed(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
