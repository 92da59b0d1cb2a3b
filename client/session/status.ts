// The state of an open document, updated by events: where its edits are (lamps), and the user's permissions (access).
import { SCHEMA } from '../../model-schema/integrity.ts'
import { canWrite, type Role } from '../../sync-server/protocol.ts'
import type { Access, Lamps, NoticeCode } from '../session.ts'
import type { LineState } from './connection.ts'
import type { Ending } from './target.ts'
import { unreachable } from '../../model-schema/unreachable.ts'

export type Status = { readonly lamps: Lamps; readonly access: Access }

export type StatusEvent =
  | { is: 'others'; count: number }
  | { is: 'disk'; state: Lamps['device'] }
  | { is: 'disk damaged' }
  | { is: 'line'; state: LineState }
  /** The server ended the line. */
  | { is: 'ended'; code: Ending }
  /** The server said a role; `refused`: it took no edits of this page. */
  | { is: 'role'; role: Role; refused?: boolean }
  /** The role that this device remembers; `readable` once the content is here. */
  | { is: 'known role'; role: Role; readable: boolean }
  /** Pages older than this format may not write. */
  | { is: 'min writer'; format: number }
  | { is: 'quota' }
  /** The server's copy cannot be had. */
  | { is: 'state refused'; code: NoticeCode | null }
  | { is: 'state unreachable' }

export const firstStatus = (local: boolean): Status => ({
  lamps: { device: 'saving', server: local ? 'none' : 'connecting', others: 0 },
  access: { role: local ? 'owner' : 'viewer', writable: false },
})

const lampOf: Record<LineState, Lamps['server']> = {
  connecting: 'connecting',
  saving: 'saving',
  saved: 'saved',
  offline: 'offline',
  ended: 'refused',
}

export function statusAfter(now: Status, event: StatusEvent): Status {
  const { lamps, access } = now
  const lampsAre = (changes: Partial<Lamps>): Status => ({ ...now, lamps: { ...lamps, ...changes } })
  /** The notice is no longer true. */
  const without = (code: NoticeCode): Partial<Lamps> => (lamps.notice?.code === code ? { notice: undefined } : {})
  switch (event.is) {
    case 'others':
      return lampsAre({ others: event.count })
    case 'disk':
      if (event.state === 'failed') return lampsAre({ device: 'failed', notice: { code: 'disk-failed' } })
      return lampsAre({ device: event.state, ...(event.state === 'saved' ? without('disk-failed') : {}) })
    case 'disk damaged':
      return lampsAre({ notice: { code: 'disk-damaged' } })
    case 'line':
      return lampsAre({ server: lampOf[event.state], ...(event.state === 'saved' ? without('server-full') : {}) })
    case 'ended':
      return { lamps: { ...lamps, notice: { code: event.code } }, access: { ...access, writable: false } }
    case 'role':
      return {
        lamps: event.refused === true ? { ...lamps, notice: { code: 'read-only-edits' } } : lamps,
        access: { role: event.role, writable: canWrite(event.role) },
      }
    case 'known role':
      return { ...now, access: { role: event.role, writable: event.readable && canWrite(event.role) } }
    case 'min writer':
      if (event.format <= SCHEMA) return now
      return { lamps: { ...lamps, notice: { code: 'upgrade' } }, access: { ...access, writable: false } }
    case 'quota':
      return lamps.server === 'saved' ? now : lampsAre({ notice: { code: 'server-full' } })
    case 'state refused':
      return lampsAre({ server: 'refused', ...(event.code === null ? {} : { notice: { code: event.code } }) })
    case 'state unreachable':
      return lampsAre({ server: 'offline' })
    default:
      return unreachable(event)
  }
}
