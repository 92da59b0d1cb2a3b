// The sample models that come with the app: what the gallery shows is a table, the models themselves are files that are loaded
// when one is opened. Opening makes a copy.
import { parseFile, type HoloFile } from '../../../model-schema/file.ts'
import { localised, namesSaid, type Translations } from '../../../model-schema/localised.ts'
import { sampleExperiments, samples } from '../../../model-schema/samples.ts'
import type { Sample } from '../../../model-schema/samples.ts'
import type { FileRow } from '../../local/device.ts'
import { createFile } from '../../local/files.ts'
import type { Place } from '../../local/place.ts'
import { locale, wordsNow } from '../../i18n/locale.ts'
import { english } from '../../../model-schema/words.ts'

const texts = import.meta.glob<string>('../../../model-schema/samples/*.holo', { query: '?raw', import: 'default' })
const pathOf = (id: string): string => `../../../model-schema/samples/${id}.holo`
const experiments = import.meta.glob<string>('../../../model-schema/samples/experiments/*.holo', { query: '?raw', import: 'default' })
const translations = import.meta.glob<Translations>('../../../model-schema/samples/*/*.json', { import: 'default' })

/** The samples of this build, in the order a newcomer should meet them. */
export const gallery: readonly Sample[] = samples.filter(sample => texts[pathOf(sample.id)] !== undefined)

/** Samples whose title or note, in English or the language now, holds every word searched for. */
export function samplesFor(search: string): readonly Sample[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
  return gallery.filter(({ title, note }) => {
    const text = `${english(title)} ${wordsNow(title)} ${english(note)} ${wordsNow(note)}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
}

/** A shipped file in the language of the page. `from` loads its translations by the first letters of a language, `keep` the names of it that other files say. */
export async function inLanguage(
  file: HoloFile,
  from: (language: string) => (() => Promise<Translations>) | undefined,
  keep: () => Promise<string[]> = () => Promise.resolve([]),
): Promise<HoloFile> {
  const load = from(locale.getState().locale.split('-')[0] ?? '')
  return load === undefined ? file : localised(file, await load(), await keep())
}

/** The names that the shipped experiments of a sample say. */
async function saidOf(id: string): Promise<string[]> {
  const mine = sampleExperiments.filter(({ model }) => model === id)
  const files = await Promise.all(
    mine.map(experiment => experiments[`../../../model-schema/samples/experiments/${experiment.id}.holo`]?.() ?? ''),
  )
  return files.flatMap(text => {
    const parsed = parseFile(text)
    return 'file' in parsed ? [...namesSaid(parsed.file)] : []
  })
}

/** A copy of a sample in somebody's workspace, in the language of the page. */
export async function openSample(place: Place, sample: Sample): Promise<FileRow> {
  const load = texts[pathOf(sample.id)]
  if (load === undefined) throw new RangeError(`no sample ${sample.id}`)
  const parsed = parseFile(await load())
  if (!('file' in parsed)) throw new Error(`sample ${sample.id}: ${english(parsed.problems[0]?.words) ?? 'unreadable'}`)
  const name = wordsNow(sample.title)
  const file = await inLanguage(
    parsed.file,
    language => translations[`../../../model-schema/samples/${language}/${sample.id}.json`],
    () => saidOf(sample.id),
  )
  return createFile(place, name, { ...file, title: name })
}
