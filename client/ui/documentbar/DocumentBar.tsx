// The line above an open document, whatever it is: the way back, the title, where each edit is, and on the right who is here,
// undoing, sharing, appearance. What one kind of document has more comes in by the props.
import { ArrowLeftOutlined, EllipsisOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Button, Dropdown, Input, Tag, Tooltip, type MenuProps } from 'antd'
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { locales, setLocale, useLocale } from '../../i18n/locale.ts'
import type { Peer, Session } from '../../session.ts'
import { Avatar } from '../Avatar.tsx'
import { Lamps } from './Lamp.tsx'
import { useHelp } from '../help/help.tsx'
import { isToBeNamed, nameNext } from '../naming.ts'
import { setMode, theme, type Mode } from '../theme.ts'
import './documentbar.css'

type Items = NonNullable<MenuProps['items']>

/** The action of a click on a person, and its label. */
export type PersonAction = { label: string; pressed?: boolean; act: () => void }

type Props = {
  session: Session
  title: string
  /** Absent when the person may not rename. */
  onRename?: ((title: string) => void) | undefined
  backTo: string
  /** On a phone: undoing goes into the menu. */
  narrow: boolean
  /** Between the two sides. */
  middle?: ReactNode
  /** Between the people and sharing. */
  tools?: ReactNode
  share?: ReactNode
  /** Keys that undo and redo, to be shown. */
  keys?: { undo: string; redo: string }
  person?: ((peer: Peer) => PersonAction) | undefined
  /** Before help and the appearance; asked for each time the menu opens. */
  menu?: () => Items
  /** Starts a tutorial here; without it, in a new model. */
  learn?: (lesson: string) => void
}

export function DocumentBar({ session, title, onRename, backTo, narrow, middle, tools, share, keys, person, menu, learn }: Props) {
  const { t } = useLingui()
  const { writable } = useStore(session.access)
  return (
    <header className="h-topbar" data-middle={middle === undefined ? undefined : ''} data-narrow={narrow ? '' : undefined}>
      <div className="h-topbar-side">
        <Tooltip title={t`Back to the workspace`}>
          <Link to={backTo} className="h-back" aria-label={t`Back to the workspace`}>
            <ArrowLeftOutlined aria-hidden />
          </Link>
        </Tooltip>
        <Title id={session.docId} title={title} onRename={onRename} />
        <Lamps lamps={session.lamps} />
        {!writable && <Tag>{t`View only`}</Tag>}
      </div>
      {middle}
      <div className="h-topbar-side h-topbar-end">
        {!narrow && writable && <UndoRedo session={session} keys={keys} />}
        <People session={session} person={person} />
        {tools}
        {share}
        <Menu session={session} undoing={narrow && writable} menu={menu} learn={learn} />
      </div>
    </header>
  )
}

function Title({ id, title, onRename }: Pick<Props, 'title' | 'onRename'> & { id: string }) {
  const { t } = useLingui()
  const [editing, setEditing] = useState(isToBeNamed(id))
  useEffect(() => nameNext(null), [])
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

function useCan({ undo }: Session): { undo: boolean; redo: boolean } {
  const can = useSyncExternalStore(undo.watch, () => `${undo.canUndo()} ${undo.canRedo()}`)
  return { undo: can.startsWith('true'), redo: can.endsWith('true') }
}

function UndoRedo({ session, keys }: { session: Session; keys: Props['keys'] }) {
  const { t } = useLingui()
  const can = useCan(session)
  const one = (label: string, key: string | undefined, icon: ReactNode, on: boolean, act: () => void): ReactNode => (
    <Tooltip title={key === undefined ? label : `${label} (${key})`}>
      <Button type="text" icon={icon} aria-label={label} disabled={!on} onClick={act} />
    </Tooltip>
  )
  return (
    <>
      {one(t`Undo`, keys?.undo, <Arrow d="M6 3 2.500 6.500 6 10M2.500 6.500h6.500a4 4 0 0 1 0 8H6.500" />, can.undo, session.undo.undo)}
      {one(t`Redo`, keys?.redo, <Arrow d="M10 3l3.500 3.500L10 10M13.500 6.500H7a4 4 0 0 0 0 8h2.500" />, can.redo, session.undo.redo)}
    </>
  )
}

function Arrow({ d }: { d: string }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={d} />
    </svg>
  )
}

/** The others. */
function People({ session, person }: Pick<Props, 'session' | 'person'>) {
  const { t } = useLingui()
  const peers = useStore(session.peers, state => state.peers)
  const others = peers.filter(peer => !peer.self)
  if (others.length === 0) return null
  return (
    <ul className="h-people" aria-label={t`Who is here`}>
      {others.slice(0, 4).map(peer => (
        <li key={peer.client}>
          <Person peer={peer} action={person?.(peer)} />
        </li>
      ))}
      {others.length > 4 && <li className="h-num">+{others.length - 4}</li>}
    </ul>
  )
}

function Person({ peer, action }: { peer: Peer; action: PersonAction | undefined }) {
  const avatar = <Avatar id={peer.userId} name={peer.name} image={peer.avatar} size={28} />
  return (
    <Tooltip title={action?.label ?? peer.name}>
      {action ? (
        <button type="button" aria-pressed={action.pressed} aria-label={action.label} onClick={action.act}>
          {avatar}
        </button>
      ) : (
        <span role="img" aria-label={peer.name}>
          {avatar}
        </span>
      )}
    </Tooltip>
  )
}

const modeIds: readonly Mode[] = ['system', 'light', 'dark']

type MenuOwn = { session: Session; undoing: boolean; menu: Props['menu']; learn: Props['learn'] }

function Menu({ session, undoing, menu, learn }: MenuOwn) {
  const { t } = useLingui()
  const help = useHelp(learn)
  // Rendered again when it opens: the permitted actions may have changed.
  const [, setOpen] = useState(false)
  const language = useLocale()
  const can = useCan(session)
  const mode = useStore(theme, state => state.mode)
  const modes: Record<Mode, string> = { system: t`As the system`, light: t`Light`, dark: t`Dark` }
  const items: Items = [
    ...(undoing
      ? [
          { key: 'bar undo', label: t`Undo`, disabled: !can.undo, onClick: () => void session.undo.undo() },
          { key: 'bar redo', label: t`Redo`, disabled: !can.redo, onClick: () => void session.undo.redo() },
          { type: 'divider' as const, key: 'line undo' },
        ]
      : []),
    ...(menu ? [...menu(), { type: 'divider' as const, key: 'line own' }] : []),
    { key: 'help', label: t`Help`, children: help.items },
    {
      key: 'theme',
      label: t`Appearance`,
      children: modeIds.map(id => ({ key: `mode ${id}`, label: modes[id], onClick: () => setMode(id) })),
    },
    {
      key: 'language',
      label: t`Language`,
      children: Object.entries(locales).map(([id, label]) => ({ key: `locale ${id}`, label, onClick: () => void setLocale(id) })),
    },
  ]
  return (
    <>
      <Dropdown
        trigger={['click']}
        placement="bottomRight"
        onOpenChange={setOpen}
        menu={{ items, selectedKeys: [`mode ${mode}`, `locale ${language}`] }}
      >
        <Button type="text" icon={<EllipsisOutlined aria-hidden />} aria-label={t`Menu`} />
      </Dropdown>
      {help.dialogs}
    </>
  )
}
