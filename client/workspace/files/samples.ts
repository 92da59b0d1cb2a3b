// The sample models that come with the app: what the gallery shows is a table, the models themselves are files that are loaded
// when one is opened. Opening makes a copy.
import { parseFile } from '../../../model-schema/file.ts'
import { samples } from '../../../model-schema/samples.ts'
import type { Sample } from '../../../model-schema/samples.ts'
import type { FileRow } from '../../local/device.ts'
import { createFile } from '../../local/files.ts'
import type { Place } from '../../local/place.ts'
import { locale, wordsIn } from '../../i18n/locale.ts'

const texts = import.meta.glob<string>('../../../model-schema/samples/*.holo', { query: '?raw', import: 'default' })
const pathOf = (id: string): string => `../../../model-schema/samples/${id}.holo`

/** The samples of this build, in the order a newcomer should meet them. */
export const gallery: readonly Sample[] = samples.filter(sample => texts[pathOf(sample.id)] !== undefined)

/** Samples whose title or note, in either language, holds every word searched for. */
export function samplesFor(search: string): readonly Sample[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
  return gallery.filter(({ title, note }) => {
    const text = `${title.en} ${title.zh} ${note.en} ${note.zh}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
}

/** A copy of a sample in somebody's workspace, named in the language of the page. */
export async function openSample(place: Place, sample: Sample): Promise<FileRow> {
  const load = texts[pathOf(sample.id)]
  if (load === undefined) throw new RangeError(`no sample ${sample.id}`)
  const parsed = parseFile(await load())
  if (!('file' in parsed)) throw new Error(`sample ${sample.id}: ${parsed.problems[0]?.words.en ?? 'unreadable'}`)
  const name = wordsIn(locale.getState().locale, sample.title)
  return createFile(place, name, { ...parsed.file, title: name })
}
