// The cover of an open file follows its content: drawn a little after a change, stored on this device or sent to the server, at the latest
// on leaving.
import { api } from '../api.ts'
import { device } from '../local/device.ts'
import type { Session } from '../session.ts'

/** Milliseconds: until what is new has settled, and at least between two covers sent. */
const settles = 3000
const between = 30_000

type KeptCover = {
  /** Something that is seen has changed. */
  soon(): void
  close(): void
}

/**
 * `draw` returns null while there is nothing worth showing; `told`: called when the server has a new cover. Only a user who may change the
 * file updates its cover.
 */
export function keepCover(session: Session, draw: () => Promise<Blob | null>, told: () => Promise<unknown>): KeptCover {
  const { local, user, shareCode } = session.target
  let draws: ReturnType<typeof setTimeout> | undefined
  let sends: ReturnType<typeof setTimeout> | undefined
  let waiting: Blob | null = null
  let sent = false
  const send = async (): Promise<void> => {
    sends = undefined
    const picture = waiting
    waiting = null
    if (picture === null) return
    if (local) return void (await device.covers.put({ user: user.id, id: session.docId, picture }))
    await api.drawCover(session.docId, picture)
    await told()
  }
  // A failure to update a cover is only logged: it must not disturb the user.
  const quietly = (work: Promise<void>): void => void work.catch((error: unknown) => console.warn('cover', error))
  const make = async (): Promise<void> => {
    if (!session.writable || document.hidden) return
    waiting = (await draw()) ?? waiting
    if (waiting === null) return
    sends ??= setTimeout(() => quietly(send()), sent && !local ? between : 0)
    sent = true
  }
  return {
    soon() {
      if (shareCode !== undefined) return
      clearTimeout(draws)
      draws = setTimeout(() => quietly(make()), settles)
    },
    close() {
      clearTimeout(draws)
      clearTimeout(sends)
      quietly(send())
    },
  }
}

/** Width and height of a cover that is drawn of a part of the page. */
export const coverSize = { w: 960, h: 600 } as const

/** A drawing on the page as a cover, as large as fits, on `background`. */
export async function coverOfDrawing(drawing: HTMLCanvasElement, background: string): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = coverSize.w
  canvas.height = coverSize.h
  const context = canvas.getContext('2d')
  if (!context || drawing.width === 0 || drawing.height === 0) return null
  context.fillStyle = background
  context.fillRect(0, 0, canvas.width, canvas.height)
  const margin = 32
  const scale = Math.min((canvas.width - 2 * margin) / drawing.width, (canvas.height - 2 * margin) / drawing.height)
  const [w, h] = [drawing.width * scale, drawing.height * scale]
  context.drawImage(drawing, (canvas.width - w) / 2, (canvas.height - h) / 2, w, h)
  return new Promise(done => canvas.toBlob(done, 'image/jpeg', 0.9))
}
