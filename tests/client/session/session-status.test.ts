import { describe, expect, test } from 'vitest'
import { SCHEMA } from '../../../model-schema/integrity.ts'
import { firstStatus, statusAfter, type Status, type StatusEvent } from '../../../client/session/status.ts'

const after = (first: Status, ...events: StatusEvent[]): Status => events.reduce(statusAfter, first)
const noticeOf = ({ lamps }: Status) => lamps.notice?.code

describe('status of a session', () => {
  test('a document of this device alone has no server', () => {
    expect(firstStatus(true)).toEqual({
      lamps: { device: 'saving', server: 'none', others: 0 },
      access: { role: 'owner', writable: false },
    })
  })

  test('a remembered role lets nobody write before the content is here', () => {
    const sketch = after(firstStatus(false), { is: 'known role', role: 'editor', readable: false })
    expect(sketch.access).toEqual({ role: 'editor', writable: false })
    expect(after(sketch, { is: 'known role', role: 'editor', readable: true }).access.writable).toBe(true)
    expect(after(sketch, { is: 'known role', role: 'viewer', readable: true }).access.writable).toBe(false)
  })

  test('a notice of the disk goes when it saves again, another one stays', () => {
    const failed = after(firstStatus(false), { is: 'disk', state: 'failed' })
    expect(noticeOf(failed)).toBe('disk-failed')
    expect(noticeOf(after(failed, { is: 'disk', state: 'saving' }))).toBe('disk-failed')
    expect(noticeOf(after(failed, { is: 'disk', state: 'saved' }))).toBeUndefined()
    const damaged = after(firstStatus(false), { is: 'disk damaged' }, { is: 'disk', state: 'saved' })
    expect(noticeOf(damaged)).toBe('disk-damaged')
  })

  test('a full server is told until it has saved', () => {
    const full = after(firstStatus(false), { is: 'line', state: 'saving' }, { is: 'quota' })
    expect(noticeOf(full)).toBe('server-full')
    expect(noticeOf(after(full, { is: 'line', state: 'saved' }))).toBeUndefined()
    expect(noticeOf(after(firstStatus(false), { is: 'line', state: 'saved' }, { is: 'quota' }))).toBeUndefined()
  })

  test('an ended line and an older page write no more', () => {
    const writer = after(firstStatus(false), { is: 'role', role: 'editor' })
    expect(writer.access.writable).toBe(true)
    expect(after(writer, { is: 'ended', code: 'no-access' })).toMatchObject({
      lamps: { notice: { code: 'no-access' } },
      access: { writable: false },
    })
    expect(after(writer, { is: 'min writer', format: SCHEMA })).toEqual(writer)
    expect(after(writer, { is: 'min writer', format: SCHEMA + 1 })).toMatchObject({
      lamps: { notice: { code: 'upgrade' } },
      access: { writable: false },
    })
  })

  test('edits that were refused are told, whatever the role became', () => {
    expect(after(firstStatus(false), { is: 'role', role: 'viewer', refused: true })).toMatchObject({
      lamps: { notice: { code: 'read-only-edits' } },
      access: { role: 'viewer', writable: false },
    })
  })

  test('a copy of the server that cannot be had: refused with its reason, or offline', () => {
    expect(after(firstStatus(false), { is: 'state refused', code: 'no-access' }).lamps).toMatchObject({
      server: 'refused',
      notice: { code: 'no-access' },
    })
    expect(noticeOf(after(firstStatus(false), { is: 'state refused', code: null }))).toBeUndefined()
    expect(after(firstStatus(false), { is: 'state unreachable' }).lamps.server).toBe('offline')
  })
})
