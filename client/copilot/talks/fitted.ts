// The part of a conversation that is stored with its file: as much as fits, without the parts that concern only its author.
import { shortened, TURN } from '../../../sim-engine/copilot/doors/dialogue.ts'
import { TALKS } from '../../../sync-server/protocol.ts'
import type { Kept, Turn } from '../turns.ts'

/** Characters that are kept of what a tool was given, or gave. */
const KEPT_RESULT = 6000
/** Messages that are kept at most. */
const MOST_MESSAGES = 400
/** Bytes for the envelope of the turns and messages. */
const ROOM = 2000

/** The part of a conversation that is sent: without suggestions and descriptions of the document, and at most the storable size. */
export function fitted({ turns, messages }: Pick<Kept, 'turns' | 'messages'>) {
  let told = turns.map(plain)
  let sent = shortened(messages, TURN.messageLength)
  for (let length: number = TURN.messageLength; bytesOf(sent) > TALKS.bytes / 2 && length > 1000; length /= 2)
    sent = shortened(messages, length)
  if (sent.length > MOST_MESSAGES || bytesOf(sent) > TALKS.bytes / 2) sent = []
  while (told.length > 1 && bytesOf({ told, sent }) > TALKS.bytes - ROOM) told = told.slice(1)
  return { turns: told, messages: sent }
}

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length
const clipped = (text: string): string => (text.length > KEPT_RESULT ? `${text.slice(0, KEPT_RESULT)}…` : text)

/** A turn in its stored form; one in progress counts as ended. */
function plain(turn: Turn) {
  if (turn.is === 'guide') {
    const { question: _, ...told } = turn
    return {
      ...told,
      answer: turn.answer && { lines: turn.answer.lines, proposal: null, next: [] },
      ended: turn.answer ? turn.ended : (turn.ended ?? stopped),
    }
  }
  const { told: _, ...rest } = turn
  const parts = rest.parts.map(part =>
    part.is === 'text' ? part : { ...part, given: clipped(part.given), result: part.result === null ? null : clipped(part.result) },
  )
  return { ...rest, parts, end: rest.end ?? { why: 'cut' as const, detail: '' } }
}
const stopped = 'stopped' as const
