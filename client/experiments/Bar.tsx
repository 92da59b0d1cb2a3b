// The line above everything: the way back, the title, where each edit is, who is here, undoing, sharing, appearance.
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

type Props = {
  session: Session
  title: string
  onRename?: ((title: string) => void) | undefined
  backTo: string
  share?: ReactNode
  narrow: boolean
}

export function Bar({ session, title, onRename, backTo, share, narrow }: Props) {
  const { t } = useLingui()
  const { writable } = useStore(session.access)
  return (
    <header className="h-topbar x-topbar">
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
        {!narrow && <UndoRedo session={session} />}
        <People session={session} />
        {share}
        <Menu session={session} narrow={narrow} />
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
      aria-label={t`Title of the experiment`}
      defaultValue={title}
      maxLength={128}
      onFocus={event => event.target.select()}
      onBlur={event => done(event.target.value)}
      onPressEnter={event => event.currentTarget.blur()}
      onKeyDown={event => event.key === 'Escape' && setEditing(false)}
    />
  )
}

const useCan = (session: Session): { undo: boolean; redo: boolean } => {
  const can = useSyncExternalStore(session.undo.watch, () => `${session.undo.canUndo()} ${session.undo.canRedo()}`)
  return { undo: can.startsWith('true'), redo: can.endsWith('true') }
}

function UndoRedo({ session }: { session: Session }) {
  const { t } = useLingui()
  const can = useCan(session)
  return (
    <>
      <Tooltip title={t`Undo`}>
        <Button type="text" icon={<UndoOutlined />} aria-label={t`Undo`} disabled={!can.undo} onClick={() => session.undo.undo()} />
      </Tooltip>
      <Tooltip title={t`Redo`}>
        <Button type="text" icon={<RedoOutlined />} aria-label={t`Redo`} disabled={!can.redo} onClick={() => session.undo.redo()} />
      </Tooltip>
    </>
  )
}

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
            <span role="img" aria-label={peer.name}>
              <Avatar id={peer.userId} name={peer.name} size={28} />
            </span>
          </Tooltip>
        </li>
      ))}
      {others.length > 4 && <li className="h-num">+{others.length - 4}</li>}
    </ul>
  )
}

const modeIds: readonly Mode[] = ['system', 'light', 'dark']
const localeIds: readonly Locale[] = ['en-US', 'zh-CN']

function Menu({ session, narrow }: { session: Session; narrow: boolean }) {
  const { t } = useLingui()
  const language = useLocale()
  const can = useCan(session)
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
