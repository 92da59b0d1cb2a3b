// Conversations on this device: stored with their document, of one user, never sent anywhere by themselves.
import { device } from '../../local/device.ts'
import { TALK_LIMITS, type Kept } from '../turns.ts'

const of = (user: string, doc: string) => device.talks.where('[user+doc+at]').between([user, doc, 0], [user, doc, Infinity])

/** The talks about a document, newest first. */
export const talksOf = (user: string, doc: string): Promise<Kept[]> => of(user, doc).reverse().toArray()

export const lastTalk = (user: string, doc: string): Promise<Kept | undefined> => of(user, doc).last()

/** Stores the current state of a conversation; the oldest are deleted when there are too many. */
export async function keepTalk(talk: Kept): Promise<void> {
  await device.transaction('rw', device.talks, async () => {
    await device.talks.put(talk)
    const old = await of(talk.user, talk.doc).reverse().offset(TALK_LIMITS.talks).primaryKeys()
    await device.talks.bulkDelete(old)
  })
}

/** Deletes a talk about a document, or (`null`) all of them. */
export async function forgetTalks(user: string, doc: string, id: string | null): Promise<void> {
  await (id === null ? of(user, doc).delete() : device.talks.delete([user, doc, id]))
}
