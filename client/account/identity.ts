// The user of the page: a visitor, a user with an account, or the local user of this device. Remembered, so that the app opens without a
// network; the server is asked in the background and decides.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { ApiError, api, server } from '../api.ts'
import type { Me } from '../api.ts'
import { DEVICE_USER } from '../local/place.ts'
import type { Place } from '../local/place.ts'
import { forgetAll, recall, remember, storageKey } from '../ui/remember.ts'
import { readJson } from '../validate.ts'
import * as z from '../zod.ts'

type Identity = { me: Me | null; onDevice: boolean }

const meSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  team: z.string(),
  avatar: z.exactOptional(z.catch(z.nullable(z.string()), null)),
}) satisfies z.ZodMiniType<Me>

/** `me` when signed in; `onDevice` when working without an account was chosen. */
export const identity = createStore<Identity>(() => ({ me: rememberedMe(), onDevice: recall('on-device') === 'yes' }))

export function useIdentity(): Identity {
  return useStore(identity)
}

export function accountPlace(me: Me): Place {
  return { user: { id: me.id, name: me.name, avatar: me.avatar ?? null }, team: me.team, local: false }
}

/** Fetches the signed-in user from the server. Without an answer the remembered one stays. */
export async function refreshIdentity(): Promise<void> {
  try {
    setMe(await api.me())
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

/** Follows sign-ins and sign-outs of other tabs. Call once. */
export function followTabs(): void {
  window.addEventListener('storage', event => {
    if (event.key === storageKey('me')) identity.setState({ me: rememberedMe() })
    if (event.key === storageKey('on-device')) identity.setState({ onDevice: recall('on-device') === 'yes' })
  })
}

/** Returns whether the user is signed in; otherwise a code of the second factor is required. */
export async function signIn(email: string, password: string): Promise<boolean> {
  const { secondFactor } = await (await server.accounts.login.$post({ json: { email, password } })).json()
  if (!secondFactor) setMe(await api.me())
  return !secondFactor
}

/** The second step, within ten minutes of the first: a code of the app, or a recovery code. */
export async function signInWith(second: { code: string } | { recovery: string }): Promise<void> {
  await server.accounts.login.code.$post({ json: second })
  setMe(await api.me())
}

export function continueOnDevice(): void {
  remember('on-device', 'yes')
  identity.setState({ onDevice: true })
}

// The database of this device is loaded on demand: sign-in pages and links must not wait for it.

/** How many documents hold edits that the server has not confirmed. */
export async function unsentCount(user: string): Promise<number> {
  const { device } = await import('../local/device.ts')
  const dirty = await device.dirty.where('user').equals(user).toArray()
  return new Set(dirty.map(row => row.id)).size
}

/** Signs out and removes this person's documents from the device. Works without a network too. */
export async function signOut(): Promise<void> {
  const { me } = identity.getState()
  try {
    await api.signOut()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // The cookie dies on the server's clock; here the person is gone at once.
    console.warn('signed out on this device only', error)
  }
  if (me !== null) await forgetPerson(me.id)
  setMe(null)
}

/** After the account was deleted: nothing of it stays on this device. */
export async function forgetAccount(): Promise<void> {
  const { me } = identity.getState()
  if (me !== null) await forgetPerson(me.id)
  setMe(null)
}

/** Leaves the device workspace; its files stay for the next time. */
export function leaveDevice(): void {
  remember('on-device', null)
  identity.setState({ onDevice: false })
}

async function forgetPerson(user: string): Promise<void> {
  if (user === DEVICE_USER) return
  // Settings that lists store outside of the database: workspaces, tags.
  forgetAll(/^(spaces$|tags\.)/)
  const { device } = await import('../local/device.ts')
  const { forgetDocument } = await import('../local/files.ts')
  const docs = await device.docs.where('user').equals(user).toArray()
  for (const { id } of docs) await forgetDocument(user, id)
  const { clearShelf } = await import('../local/shelf.ts')
  await clearShelf(user)
  await device.transaction('rw', device.files, device.outbox, device.dirty, device.talks, async () => {
    await device.talks.where('user').equals(user).delete()
    await device.files.where('user').equals(user).delete()
    await device.outbox.where('user').equals(user).delete()
    await device.dirty.where('user').equals(user).delete()
  })
}

function setMe(me: Me | null): void {
  remember('me', me === null ? null : JSON.stringify(me))
  identity.setState({ me })
}

/** Null also where another program wrote it: the server will identify the user. */
function rememberedMe(): Me | null {
  const text = recall('me')
  return text === null ? null : readJson(meSchema, text)
}
