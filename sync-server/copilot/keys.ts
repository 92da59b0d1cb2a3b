// Keys of providers at rest: sealed with a key made of the server's secret and the row's id, so that neither a dump nor a row put elsewhere gives one away.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const keyOf = (secret: string, id: string): Buffer => Buffer.from(hkdfSync('sha256', secret, id, 'copilot-keys', 32))

/** A key sealed for a row: 12 bytes of nonce, 16 of the tag, the rest. */
export function sealed(secret: string, id: string, key: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, id), nonce)
  cipher.setAAD(Buffer.from(id))
  const body = Buffer.concat([cipher.update(key, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** The key of a row; null when it was sealed with another secret, for another row, or changed since. */
export function unsealed(secret: string, id: string, bytes: Buffer): string | null {
  if (bytes.length < 28) return null
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, id), bytes.subarray(0, 12))
  decipher.setAAD(Buffer.from(id))
  decipher.setAuthTag(bytes.subarray(12, 28))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  } catch (error) {
    if (error instanceof Error) return null
    throw error
  }
}
