// Reads the next document while the page is still loading: the databases of this device answer slowly the first time.
import type { Model } from '../../model-schema/model.ts'
import { diskName, type Device, type DocRow } from '../local/device.ts'
import { Sketch } from './sketch.ts'

type Ahead = {
  readonly device: Device
  readonly at: number
  readonly row: Promise<DocRow | null>
  readonly sketch: Promise<{ readonly sketch: Sketch; readonly kept: Model | null } | null>
}

/** Milliseconds: what was read longer ago is read again. */
const fresh = 3000

let ahead: (Ahead & { readonly key: string }) | null = null

const keyOf = (user: string, docId: string): string => `${user}/${docId}`

/**
 * Begins to read the document that is opened next, as far as it can be shown before it is read; settles when that is done. Failures are
 * reported to the code that opens it.
 */
export async function readAhead(device: Device, user: string, docId: string): Promise<void> {
  const row = rowOf(device, user, docId)
  const sketch = row.then(async found => {
    if (found === null) return null
    const kept = new Sketch(diskName(user, docId, found.epoch))
    return { sketch: kept, kept: await kept.read() }
  })
  ahead = { key: keyOf(user, docId), device, at: performance.now(), row, sketch }
  await sketch.catch(() => undefined)
}

/** What was read of a document just now, once; null when nothing was. */
export function takeAhead(device: Device, user: string, docId: string): Ahead | null {
  const taken = ahead
  if (taken === null || taken.device !== device || taken.key !== keyOf(user, docId)) return null
  ahead = null
  return performance.now() - taken.at < fresh ? taken : null
}

/** The row of a document on this device; null when it isn't here. */
export const rowOf = async (device: Device, user: string, docId: string): Promise<DocRow | null> =>
  (await device.docs.get([user, docId])) ?? null
