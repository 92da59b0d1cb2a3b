// The data folder of a server with an embedded database: where it is, and the secret in it.
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** When `HOLARCHY_DATA` says nothing. */
export const defaultFolder = fileURLToPath(new URL('../../.data', import.meta.url))

export const secretFile = (folder: string): string => join(folder, 'secret')

/** The folder's secret; made when there is none. */
export async function secretIn(folder: string): Promise<string> {
  const file = secretFile(folder)
  await mkdir(folder, { recursive: true })
  // Written only when it is not there; a second process reads what the first wrote.
  await writeFile(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  })
  return (await readFile(file, 'utf8')).trim()
}
