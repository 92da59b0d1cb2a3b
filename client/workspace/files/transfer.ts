// Files in and out of the browser.
import { t } from '@lingui/core/macro'
import { parseFile, printFile } from '../../../model-schema/file.ts'
import { DOCUMENT } from '../../../model-schema/business/limits.ts'
import type { FileRow } from '../../local/device.ts'
import { createFile, readFile } from '../../local/files.ts'
import type { Place } from '../../local/place.ts'
import { wordsNow } from '../../i18n/locale.ts'
import { complain, notify, say } from '../../ui/toast.ts'

/** Makes a model of each `.holo` file; says which could not be read, and why. Returns those made. */
export async function uploadFiles(place: Place, files: readonly File[], parent: string | null = null): Promise<FileRow[]> {
  const made: FileRow[] = []
  for (const file of files) {
    const row = await uploadFile(place, file, parent)
    if (row !== null) made.push(row)
  }
  if (made.length > 0) say(made.length === 1 ? t`“${made[0]!.name}” was added.` : t`${made.length} models were added.`)
  return made
}

async function uploadFile(place: Place, file: File, parent: string | null): Promise<FileRow | null> {
  const name = file.name
  const stem = name.replace(/\.(holo|json)$/i, '')
  if (!/\.(holo|json)$/i.test(name)) return refuse(name, t`This is not a .holo file.`)
  // A character takes at most four bytes.
  if (file.size > DOCUMENT.fileLength * 4) return refuse(name, t`The file is larger than ${DOCUMENT.fileLength / 2 ** 20} MB.`)
  try {
    const parsed = parseFile(await file.text())
    if ('file' in parsed) return await createFile(place, (parsed.file.title ?? '').trim() || stem, parsed.file, { parent })
    const shown = parsed.problems.slice(0, 3).map(({ path, words }) => `${path === '' ? '' : `${path}: `}${wordsNow(words)}`)
    const more = parsed.problems.length - shown.length
    return refuse(name, [...shown, ...(more > 0 ? [t`… and ${more} more`] : [])].join('\n'))
  } catch (error) {
    complain(error)
    return null
  }
}

function refuse(name: string, why: string): null {
  notify('error', t`“${name}” could not be opened`, why, { stay: true })
  return null
}

/** Gives the person the model as a `.holo` file. */
export async function downloadFile(place: Place, { id, name }: { id: string; name: string }): Promise<void> {
  const file = await readFile(place, id)
  const address = URL.createObjectURL(new Blob([printFile({ ...file, title: name })], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '_')}.holo`
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
