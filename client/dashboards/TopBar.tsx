// The line above everything: the way back, the title, where each edit is, who is here, undoing, the mode, sharing, appearance.
import { ArrowLeftOutlined, EllipsisOutlined, RedoOutlined, UndoOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Button, Dropdown, Input, Tag, Tooltip, type MenuProps } from 'antd'
import { useState, useSyncExternalStore, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { locales, setLocale, useLocale, type Locale } from '../i18n/locale.ts'
import type { Session } from '../session.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Lamps } from '../ui/Lamp.tsx'
import { setMode, theme, type Mode } from '../ui/theme.ts'
import { reveal } from './Grid.tsx'

type Props = {
  session: Session
  title: string
  onRename?: ((title: string) => void) | undefined
  backTo: string
  share?: ReactNode
  narrow: boolean
  modes: ReactNode
}

export function TopBar({ session, title, onRename, backTo, share, narrow, modes }: Props) {
  const { t } = useLingui()
  const { writable } = useStore(session.access)
  const can = useCan(session)
  return (
    <header className="h-topbar d-topbar">
      <div className="h-topbar-side">
        <Tooltip title={t`Back to the workspace`}>
          <Link to={backTo} className="h-back" aria-label={t`Back to the workspace`}>
            <ArrowLeftOutlined />
          </Link>
        </Tooltip>
        <Title title={title} onRename={onRename} />
        <Lamps lamps={session.lamps} />
        {!writable && <Tag>{t`View only`}</Tag>}
      </div>
      <div className="h-topbar-side h-topbar-end">
        {!narrow && writable && (
          <>
            <Tooltip title={t`Undo`}>
              <Button type="text" icon={<UndoOutlined />} aria-label={t`Undo`} disabled={!can.undo} onClick={() => session.undo.undo()} />
            </Tooltip>
            <Tooltip title={t`Redo`}>
              <Button type="text" icon={<RedoOutlined />} aria-label={t`Redo`} disabled={!can.redo} onClick={() => session.undo.redo()} />
            </Tooltip>
          </>
        )}
        <People session={session} />
        {modes}
        {share}
        <Menu session={session} narrow={narrow && writable} can={can} />
      </div>
    </header>
  )
}

function Title({ title, onRename }: Pick<Props, 'title' | 'onRename'>) {
  const { t } = useLingui()
  const [editing, setEditing] = useState(false)
  if (!editing || !onRename)
    return (
      <h1 className="h-title" title={title}>
        {onRename ? (
          <button type="button" onClick={() => setEditing(true)} aria-label={t`Rename ${title}`}>
            {title}
          </button>
        ) : (
          title
        )}
      </h1>
    )
  const done = (text: string): void => {
    setEditing(false)
    if (text.trim() !== '' && text.trim() !== title) onRename(text.trim())
  }
  return (
    <Input
      autoFocus
      size="small"
      className="h-title-field"
      aria-label={t`Title`}
      defaultValue={title}
      maxLength={128}
      onFocus={event => event.target.select()}
      onBlur={event => done(event.target.value)}
      onPressEnter={event => event.currentTarget.blur()}
      onKeyDown={event => event.key === 'Escape' && setEditing(false)}
    />
  )
}

type Can = { undo: boolean; redo: boolean }

const useCan = (session: Session): Can => {
  const can = useSyncExternalStore(session.undo.watch, () => `${session.undo.canUndo()} ${session.undo.canRedo()}`)
  return { undo: can.startsWith('true'), redo: can.endsWith('true') }
}

/** Who is here; a click goes to the card somebody has selected. */
function People({ session }: { session: Session }) {
  const { t } = useLingui()
  const peers = useStore(session.peers, state => state.peers)
  const others = peers.filter(peer => !peer.self)
  if (others.length === 0) return null
  return (
    <ul className="h-people" aria-label={t`Who is here`}>
      {others.slice(0, 4).map(peer => (
        <li key={peer.client}>
          <Tooltip title={peer.name}>
            <button type="button" aria-label={peer.name} onClick={() => peer.selection[0] !== undefined && reveal(peer.selection[0])}>
              <Avatar id={peer.userId} name={peer.name} size={28} />
            </button>
          </Tooltip>
        </li>
      ))}
      {others.length > 4 && <li className="h-num">+{others.length - 4}</li>}
    </ul>
  )
}

const modeIds: readonly Mode[] = ['system', 'light', 'dark']
const localeIds: readonly Locale[] = ['en-US', 'zh-CN']

function Menu({ session, narrow, can }: { session: Session; narrow: boolean; can: Can }) {
  const { t } = useLingui()
  const language = useLocale()
  const mode = useStore(theme, state => state.mode)
  const modes: Record<Mode, string> = { system: t`As the system`, light: t`Light`, dark: t`Dark` }
  const items: MenuProps['items'] = [
    ...(narrow
      ? [
          { key: 'undo', label: t`Undo`, disabled: !can.undo, onClick: () => void session.undo.undo() },
          { key: 'redo', label: t`Redo`, disabled: !can.redo, onClick: () => void session.undo.redo() },
          { type: 'divider' as const, key: 'line undo' },
        ]
      : []),
    {
      key: 'theme',
      label: t`Appearance`,
      children: modeIds.map(id => ({ key: `mode ${id}`, label: modes[id], onClick: () => setMode(id) })),
    },
    {
      key: 'language',
      label: t`Language`,
      children: localeIds.map(id => ({ key: `locale ${id}`, label: locales[id], onClick: () => void setLocale(id) })),
    },
  ]
  return (
    <Dropdown trigger={['click']} placement="bottomRight" menu={{ items, selectedKeys: [`mode ${mode}`, `locale ${language}`] }}>
      <Button type="text" icon={<EllipsisOutlined />} aria-label={t`Menu`} />
    </Dropdown>
  )
}
