// Where one is: the workspace, then folder by folder. Each crumb takes files that are dropped on it.
import { RightOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { FileRow } from '../../local/device.ts'
import type { Actions } from './useActions.tsx'
import { addressOf } from './address.ts'
import style from '../workspace.module.css'
import { dropOn, useDragged } from './drag.ts'

type Props = { root: string; team: string; address: string; path: readonly FileRow[]; actions: Actions }

export function Crumbs({ root, team, address, path, actions }: Props) {
  const { t } = useLingui()
  if (path.length === 0) return <h1>{root}</h1>
  const last = path.at(-1)
  return (
    <nav aria-label={t`Path`} className={style['crumbs']}>
      <ol>
        <Crumb target={{ team, parent: null }} actions={actions}>
          <Link to={address}>{root}</Link>
        </Crumb>
        {path.slice(0, -1).map(folder => (
          <Crumb key={folder.id} target={{ team, parent: folder.id, kind: folder.kind }} actions={actions}>
            <Link to={addressOf(folder)}>{folder.name}</Link>
          </Crumb>
        ))}
        <li>
          <h1 aria-current="page">{last?.name}</h1>
        </li>
      </ol>
    </nav>
  )
}

function Crumb({
  target,
  actions,
  children,
}: {
  target: { team: string; parent: string | null; kind?: string }
  actions: Actions
  children: ReactNode
}) {
  const [over, setOver] = useState(false)
  const dragged = useDragged()
  return (
    <li data-over={(over && dragged.length > 0) || undefined} {...dropOn(target, dragged, actions, setOver)}>
      {children}
      <RightOutlined aria-hidden />
    </li>
  )
}

/** The folders from the top to this one; empty when it is not known here. */
export function pathTo(files: readonly FileRow[], id: string | null): FileRow[] {
  const byId = new Map(files.map(file => [file.id, file]))
  const path: FileRow[] = []
  for (let at = id; at !== null && path.length < 100;) {
    const folder = byId.get(at)
    if (folder === undefined) break
    path.unshift(folder)
    at = folder.parent
  }
  return path
}
