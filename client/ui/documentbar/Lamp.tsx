// The three lamps of a document: on this device, on the server, with others. Shape and words carry the state, not colour alone.
import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand/vanilla'
import type { Lamps as LampsState } from '../../session.ts'
import style from '../ui.module.css'
import { unreachable } from '../../../model-schema/unreachable.ts'

type Tone = 'idle' | 'ok' | 'busy' | 'warn' | 'bad'

/** One state as an icon with a text on demand; `label` is shown next to it when it matters to every user. */
export function Lamp({ tone, icon, words, label }: { tone: Tone; icon: ReactNode; words: string; label?: ReactNode }) {
  return (
    <Tooltip title={words}>
      <span className={style['lamp']} data-tone={tone} role="status" aria-label={words} tabIndex={0}>
        {icon}
        {label}
      </span>
    </Tooltip>
  )
}

/** The lamps of an open document. */
export function Lamps({ lamps }: { lamps: StoreApi<LampsState> }) {
  const { device, server, others } = useStore(lamps)
  const { t } = useLingui()
  const deviceWords = {
    saving: t`Saving on this device…`,
    saved: t`Saved on this device`,
    failed: t`Not saved on this device: only in memory`,
  }[device]
  const serverWords = {
    none: '',
    connecting: t`Connecting to the server…`,
    saving: t`Saving on the server…`,
    saved: t`Saved on the server`,
    offline: t`Server not reachable: changes are kept on this device and sent later`,
    refused: t`Not connected to the server`,
  }[server]
  const deviceTone: Tone = device === 'saved' ? 'ok' : device === 'saving' ? 'busy' : 'bad'
  const serverTone = ({ none: 'idle', connecting: 'busy', saving: 'busy', saved: 'ok', offline: 'warn', refused: 'bad' } as const)[server]
  return (
    <span className={style['lamps']} data-device={device} data-server={server} data-testid="lamps">
      <Lamp tone={deviceTone} icon={<DeviceIcon mark={deviceTone} />} words={deviceWords} />
      {server === 'none' ? null : (
        <Lamp
          tone={serverTone}
          icon={<CloudIcon mark={serverTone} />}
          words={serverWords}
          label={server === 'offline' ? t`Offline` : undefined}
        />
      )}
      {others === 0 ? null : (
        <Lamp
          tone="ok"
          icon={<PeopleIcon />}
          words={t`${plural(others, { one: '# other is here', other: '# others are here' })}`}
          label={<span className="h-num">{others}</span>}
        />
      )}
    </span>
  )
}

const stroke = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.5, strokeLinecap: 'round', strokeLinejoin: 'round' } as const

function DeviceIcon({ mark }: { mark: Tone }) {
  return (
    <svg width="18" height="16" viewBox="0 0 18 16" {...stroke} aria-hidden="true">
      <rect x="2" y="2" width="14" height="9" rx="1.5" />
      <path d="M1 14h16" />
      <Mark tone={mark} x={9} y={6.5} />
    </svg>
  )
}

function CloudIcon({ mark }: { mark: Tone }) {
  return (
    <svg width="18" height="16" viewBox="0 0 18 16" {...stroke} aria-hidden="true">
      <path d="M5 13.5a3.6 3.6 0 0 1-.4-7.2 4.6 4.6 0 0 1 8.9.6 3.3 3.3 0 0 1 .2 6.6z" />
      <Mark tone={mark} x={9} y={9} />
    </svg>
  )
}

function PeopleIcon() {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" {...stroke} aria-hidden="true">
      <circle cx="6" cy="5.5" r="2.5" />
      <path d="M1.5 13.5c.4-2.6 2.2-4 4.5-4s4.1 1.4 4.5 4M10.8 3.4a2.4 2.4 0 0 1 0 4.3M12.4 9.8c1.3.6 2 1.9 2.2 3.7" />
    </svg>
  )
}

function Mark({ tone, x, y }: { tone: Tone; x: number; y: number }) {
  switch (tone) {
    case 'ok':
      return <path d={`M${x - 2.2} ${y}l1.6 1.6 2.8-3`} />
    case 'busy':
      return <path d={`M${x - 2.5} ${y}h.01M${x} ${y}h.01M${x + 2.5} ${y}h.01`} strokeWidth={2} />
    case 'warn':
      return <path d={`M${x - 1.9} ${y}h3.8`} />
    case 'bad':
      return <path d={`M${x - 1.7} ${y - 1.7}l3.4 3.4m0-3.4l-3.4 3.4`} />
    case 'idle':
      return null
    default:
      return unreachable(tone)
  }
}
