// An area that takes `.holo` files dropped on it.
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { DragEvent, ReactNode } from 'react'
import type { Actions } from './useActions.tsx'
import style from '../workspace.module.css'

export function DropFiles({ actions, children }: { actions: Actions; children: ReactNode }) {
  const [depth, setDepth] = useState(0)
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files')
  return (
    <div
      className={style['drop']}
      onDragEnter={event => hasFiles(event) && setDepth(depth + 1)}
      onDragLeave={event => hasFiles(event) && setDepth(Math.max(0, depth - 1))}
      onDragOver={event => hasFiles(event) && event.preventDefault()}
      onDrop={event => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setDepth(0)
        actions.upload([...event.dataTransfer.files])
      }}
    >
      {children}
      {depth > 0 ? (
        <div className={style['dropHint']} aria-hidden="true">
          <Trans>Drop .holo files to add them</Trans>
        </div>
      ) : null}
    </div>
  )
}
