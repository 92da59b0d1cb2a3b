// The line above everything: the way back, the title, the run, and on the right who is here and what can be done with
// the whole file.
import { ArrowLeftOutlined, EllipsisOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Button, Dropdown, Input, Tag, Tooltip, type MenuProps } from 'antd'
import { useState, useSyncExternalStore, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { locales, setLocale, useLocale, useWords, type Locale } from '../../i18n/locale.ts'
import { RunBar } from '../../run/RunBar.tsx'
import { DocumentButtons } from '../../panels/DocumentButtons.tsx'
import type { Session } from '../../session.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Lamps } from '../../ui/Lamp.tsx'
import { setMode, theme, type Mode } from '../../ui/theme.ts'
import { command, keyText, run, type CommandId } from '../commands.ts'
import { isMac } from '../keyboard.ts'
import { useEditor, useScope, useView } from '../useEditor.ts'
import { itemsOf } from './ContextMenu.tsx'
import { useFollow } from './useFollow.ts'
import { useReports } from './useReports.tsx'

type Props = {
  session: Session
  title: string
  onRename?: ((title: string) => void) | undefined
  backTo: string
  share?: ReactNode
  narrow: boolean
  onProblems: () => void
}

export function TopBar({ session, title, onRename, backTo, share, narrow, onProblems }: Props) {
  const { t } = useLingui()
  const editor = useEditor()
  const { writable } = useStore(session.access)
  useReports()
  return (
    <header className="h-topbar">
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
      {!narrow && <RunBar onShow={(id, field) => editor.reveal(id, field)} onProblems={onProblems} />}
      <div className="h-topbar-side h-topbar-end">
        {!narrow && <UndoRedo session={session} />}
        <People session={session} />
        {!narrow && <DocumentButtons session={session} />}
        {share}
        <MainMenu />
      </div>
    </header>
  )
}

function Title({ title, onRename }: { title: string; onRename?: ((title: string) => void) | undefined }) {
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
      aria-label={t`Title of the model`}
      defaultValue={title}
      maxLength={128}
      onFocus={event => event.target.select()}
      onBlur={event => done(event.target.value)}
      onPressEnter={event => event.currentTarget.blur()}
      onKeyDown={event => event.key === 'Escape' && setEditing(false)}
    />
  )
}

function UndoRedo({ session }: { session: Session }) {
  const scope = useScope()
  const words = useWords()
  const can = useSyncExternalStore(session.undo.watch, () => `${session.undo.canUndo()} ${session.undo.canRedo()}`)
  const one = (id: CommandId, icon: ReactNode, on: boolean): ReactNode => {
    const label = words(command(id).words)
    return (
      <Tooltip title={`${label} (${keyText(command(id).keys[0] ?? '', isMac)})`}>
        <Button type="text" icon={icon} aria-label={label} disabled={!on} onClick={() => run(id, scope)} />
      </Tooltip>
    )
  }
  return (
    <>
      {one('undo', <Arrow d="M6 3 2.500 6.500 6 10M2.500 6.500h6.500a4 4 0 0 1 0 8H6.500" />, can.startsWith('true'))}
      {one('redo', <Arrow d="M10 3l3.500 3.500L10 10M13.500 6.500H7a4 4 0 0 0 0 8h2.500" />, can.endsWith('true'))}
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

/** The others; a click follows them, another lets go. */
function People({ session }: { session: Session }) {
  const { t } = useLingui()
  const editor = useEditor()
  const peers = useStore(session.peers, state => state.peers)
  const following = useView(view => view.following)
  useFollow(session)
  const others = peers.filter(peer => !peer.self)
  if (others.length === 0) return null
  return (
    <ul className="h-people" aria-label={t`Who is here`}>
      {others.slice(0, 4).map(peer => {
        const on = peer.client === following
        const { name } = peer
        const label = on ? t`Stop following ${name}` : t`Follow ${name}`
        return (
          <li key={peer.client}>
            <Tooltip title={label}>
              <button
                type="button"
                aria-pressed={on}
                aria-label={label}
                onClick={() => editor.view.setState({ following: on ? null : peer.client })}
              >
                <Avatar id={peer.userId} name={peer.name} size={28} />
              </button>
            </Tooltip>
          </li>
        )
      })}
      {others.length > 4 && <li className="h-num">+{others.length - 4}</li>}
    </ul>
  )
}

const groups: readonly (readonly CommandId[])[] = [
  ['comment', 'history'],
  ['experiment'],
  ['find', 'replace'],
  ['download', 'exportPng', 'exportJpeg', 'exportSvg', 'setCover'],
  ['fullScreen', 'toggleLeft', 'toggleRight', 'toggleBottom'],
  ['shortcuts'],
]

function MainMenu() {
  const { t } = useLingui()
  const scope = useScope()
  const words = useWords()
  const language = useLocale()
  const mode = useStore(theme, state => state.mode)
  const modes: Record<Mode, string> = { system: t`As the system`, light: t`Light`, dark: t`Dark` }
  const items: MenuProps['items'] = [
    ...itemsOf(groups, scope, words),
    { type: 'divider', key: 'line language' },
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

const modeIds: readonly Mode[] = ['system', 'light', 'dark']
const localeIds: readonly Locale[] = ['en-US', 'zh-CN']
