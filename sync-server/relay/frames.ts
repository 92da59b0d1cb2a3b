// The bytes of our websocket messages: one message per frame, as the stock y-websocket client reads only the first of a frame.
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { MESSAGE, SYNC } from '../protocol.ts'
import type { Control, Drain, Hello, RoleNotice } from '../protocol.ts'

export type Frame = Uint8Array

/** One client's line in an awareness update; `state` is JSON text, "null" when the client is gone. */
export type AwarenessLine = { client: number; clock: number; state: string }

/** What a client may say. */
type Incoming =
  | { type: 'step1'; vector: Uint8Array }
  | { type: 'step2' | 'update'; update: Uint8Array }
  | { type: 'awareness'; lines: AwarenessLine[] }
  | { type: 'query' }
  | { type: 'mark'; n: number }
  /** A message that only the server may send, or one of a later version: ignored. */
  | { type: 'unknown' }

/** Reads a client's frame. Throws when it is not a message. */
export function readFrame(frame: Frame): Incoming {
  const decoder = decoding.createDecoder(frame)
  const type = decoding.readVarUint(decoder)
  switch (type) {
    case MESSAGE.sync: {
      const step = decoding.readVarUint(decoder)
      const body = decoding.readVarUint8Array(decoder)
      if (step === SYNC.step1) return { type: 'step1', vector: body }
      if (step === SYNC.step2) return { type: 'step2', update: body }
      if (step === SYNC.update) return { type: 'update', update: body }
      throw new RangeError(`sync message ${step} is not one of 0, 1, 2`)
    }
    case MESSAGE.awareness:
      return { type: 'awareness', lines: readAwareness(decoding.readVarUint8Array(decoder)) }
    case MESSAGE.queryAwareness:
      return { type: 'query' }
    case MESSAGE.mark:
      return { type: 'mark', n: decoding.readVarUint(decoder) }
    default:
      return { type: 'unknown' }
  }
}

function readAwareness(update: Uint8Array): AwarenessLine[] {
  const decoder = decoding.createDecoder(update)
  const count = decoding.readVarUint(decoder)
  if (count > 1000) throw new RangeError(`${count} awareness states in one message`)
  const lines: AwarenessLine[] = []
  for (let i = 0; i < count; i++) {
    const client = decoding.readVarUint(decoder)
    const clock = decoding.readVarUint(decoder)
    lines.push({ client, clock, state: decoding.readVarString(decoder) })
  }
  return lines
}

export function step1Frame(vector: Uint8Array): Frame {
  return syncFrame(SYNC.step1, vector)
}

export function step2Frame(update: Uint8Array): Frame {
  return syncFrame(SYNC.step2, update)
}

export function updateFrame(update: Uint8Array): Frame {
  return syncFrame(SYNC.update, update)
}

function syncFrame(step: number, body: Uint8Array): Frame {
  return encoding.encode(encoder => {
    encoding.writeVarUint(encoder, MESSAGE.sync)
    encoding.writeVarUint(encoder, step)
    encoding.writeVarUint8Array(encoder, body)
  })
}

export function awarenessFrame(lines: readonly AwarenessLine[]): Frame {
  const body = encoding.encode(encoder => {
    encoding.writeVarUint(encoder, lines.length)
    for (const { client, clock, state } of lines) {
      encoding.writeVarUint(encoder, client)
      encoding.writeVarUint(encoder, clock)
      encoding.writeVarString(encoder, state)
    }
  })
  return encoding.encode(encoder => {
    encoding.writeVarUint(encoder, MESSAGE.awareness)
    encoding.writeVarUint8Array(encoder, body)
  })
}

export function ackFrame(n: number): Frame {
  return encoding.encode(encoder => {
    encoding.writeVarUint(encoder, MESSAGE.mark)
    encoding.writeVarUint(encoder, n)
  })
}

/** Asks for a new ticket. */
export const tokenFrame: Frame = encoding.encode(encoder => encoding.writeVarUint(encoder, MESSAGE.token))

/** The ticket in the answer; null when the frame is something else. */
export function readToken(frame: Frame): string | null {
  if (frame[0] !== MESSAGE.token) return null
  const decoder = decoding.createDecoder(frame)
  decoding.readVarUint(decoder)
  try {
    return decoding.readVarString(decoder)
  } catch {
    return ''
  }
}

export const tickFrame: Frame = encoding.encode(encoder => encoding.writeVarUint(encoder, MESSAGE.tick))

export function noticeFrame(type: 'hello', body: Hello): Frame
export function noticeFrame(type: 'role', body: RoleNotice): Frame
export function noticeFrame(type: 'drain', body: Drain): Frame
export function noticeFrame(type: 'control', body: Control): Frame
export function noticeFrame(type: 'hello' | 'role' | 'drain' | 'control', body: object): Frame {
  return encoding.encode(encoder => {
    encoding.writeVarUint(encoder, MESSAGE[type])
    encoding.writeVarString(encoder, JSON.stringify(body))
  })
}
