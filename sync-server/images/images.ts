// Uploaded images: covers, icons, avatars. Kept by the hash of their bytes, so that a copy of a file shares its cover and a
// browser never asks twice for the same.
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { sql } from 'kysely'
import { IMAGE } from '../../model-schema/business/limits.ts'
import type { Db } from '../db/database.ts'
import { Refusal, tooLarge } from '../http.ts'

/** Paths with images as bodies; their size is checked by `imageLimit`. */
export const IMAGE_PATH = /\/(cover|icon|avatar)$/

export const imageLimit = bodyLimit({ maxSize: IMAGE.maxBytes, onError: tooLarge })

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const JPEG = Buffer.from('ffd8ff', 'hex')

/** The type by the bytes themselves, whatever the sender says; null when it is not a supported one. */
function imageType(bytes: Uint8Array): 'image/jpeg' | 'image/png' | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 8))
  if (bytes.byteLength < 24) return null
  if (head.equals(PNG)) return 'image/png'
  return head.subarray(0, 3).equals(JPEG) ? 'image/jpeg' : null
}

/** Keeps the image in the request's body; answers its id. Throws `image-invalid`. */
export const takeImage = async (db: Db, c: Context): Promise<string> => keepImage(db, Buffer.from(await c.req.arrayBuffer()))

/** Keeps an image; answers its id. Throws `image-invalid`. */
export async function keepImage(db: Db, bytes: Buffer<ArrayBuffer>): Promise<string> {
  const type = imageType(bytes)
  if (type === null) throw new Refusal('image-invalid')
  const id = createHash('sha256').update(bytes).digest('base64url').slice(0, 32)
  await db
    .insertInto('image')
    .values({ id, type, bytes })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return id
}

/** Answers with an image, or 304 when the browser has it. The caller has checked permissions. */
export async function sendImage(c: Context, db: Db, imageId: string | null | undefined): Promise<Response> {
  if (imageId === null || imageId === undefined) throw new Refusal('not-found')
  const etag = `"${imageId}"`
  c.header('etag', etag)
  c.header('cache-control', 'private, no-cache')
  c.header('vary', 'cookie')
  if (c.req.header('if-none-match') === etag) return c.body(null, 304)
  const image = await db.selectFrom('image').select(['type', 'bytes']).where('id', '=', imageId).executeTakeFirst()
  if (image === undefined) throw new Refusal('not-found')
  c.header('content-type', image.type)
  c.header('content-security-policy', "default-src 'none'")
  return c.body(Uint8Array.from(image.bytes).buffer)
}

/** Forgets images that nothing shows any more. */
export async function sweepImages(db: Db): Promise<void> {
  await sql`delete from image i where i.at < now() - interval '1 hour'
    and not exists (select 1 from file where cover = i.id) and not exists (select 1 from workspace where icon = i.id)
    and not exists (select 1 from "user" where image = i.id)
    and not exists (select 1 from market_version where cover = i.id)`.execute(db)
}
