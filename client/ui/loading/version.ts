// The build of this page, against the one its server has now: a page that stays open is older than the server after an update.
import { readValue } from '../../validate.ts'
import * as z from '../../zod.ts'

/** A number that any two builds differ in; NaN where there is none (while developing). */
export const ownVersion = (): number => Number(import.meta.env['VITE_VERSION'])

const versionSchema = z.object({ version: z.number() })

/** The server's version number; null when it can't be had. */
export async function readVersion(): Promise<number | null> {
  try {
    const response = await fetch(`/version.json?t=${Date.now()}`, { cache: 'no-store' })
    if (!response.ok) return null
    return readValue(versionSchema, await response.json())?.version ?? null
  } catch {
    return null // no network: asked again later
  }
}

/** Whether a version of the server is another one than ours; 0 is a server without a build of its own (one that is being worked on). */
export const isOther = (own: number, version: number | null): boolean =>
  Number.isSafeInteger(own) && version !== null && version !== 0 && version !== own

const listeners = new Set<() => void>()

/** `listener` is called when something failed as the server has another build. Returns how to stop. */
export function whenOtherBuild(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Asks the server whether it has another build than this page; listeners that offer to reload are called. */
export async function hasOtherBuild(): Promise<boolean> {
  const other = isOther(ownVersion(), await readVersion())
  if (other) for (const listener of listeners) listener()
  return other
}
