// The sample models that come with the app: what the gallery shows is a table, the models themselves are files that are loaded
// when one is opened. Opening makes a copy.
import { parseFile } from '../../../model-schema/file.ts'
import { localised, namesIn, type Names, type Translations } from '../../../model-schema/samples/localised.ts'
import type { Model } from '../../../model-schema/model.ts'
import { samples } from '../../../model-schema/samples.ts'
import type { Sample } from '../../../model-schema/samples.ts'
import { device, type FileRow } from '../../local/device.ts'
import { createFile } from '../../local/files.ts'
import type { Place } from '../../local/place.ts'
import { locale, wordsNow } from '../../i18n/locale.ts'
import { english } from '../../../model-schema/words.ts'

const texts = import.meta.glob<string>('../../../model-schema/samples/*.holo', { query: '?raw', import: 'default' })
const pathOf = (id: string): string => `../../../model-schema/samples/${id}.holo`
const translations = import.meta.glob<Translations>('../../../model-schema/samples/*/*.json', { import: 'default' })

/** The samples of this build, in the order a newcomer should meet them. */
export const gallery: readonly Sample[] = samples.filter(sample => texts[pathOf(sample.id)] !== undefined)

/** Samples with a title or note, in English or the current language, that contains every word of the search. */
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

/** The translations of a shipped sample into the language of the page; null in its own language. */
async function translationsOf(id: string): Promise<Translations | null> {
  const load = translations[`../../../model-schema/samples/${languageNow()}/${id}.json`]
  return load === undefined ? null : load()
}

/** The first letters of the language of the page. */
export const languageNow = (): string => locale.getState().locale.split('-')[0] ?? ''

/** The names that elements of a sample have in the language of the page, as far as `model` has them: it may be a copy made in another language. */
export async function translatedNames(id: string, model: Model): Promise<Names> {
  const [load, said] = [texts[pathOf(id)], await translationsOf(id)]
  if (load === undefined || said === null) return new Map()
  const parsed = parseFile(await load())
  if (!('file' in parsed)) return new Map()
  const there = new Set([...model.elements.values()].map(element => element.fields['name']))
  return new Map([...namesIn(parsed.file, said)].filter(([, name]) => there.has(name)))
}

/** A copy of a sample in the user's workspace, in the language of the page. */
export async function openSample(place: Place, sample: Sample): Promise<FileRow> {
  const load = texts[pathOf(sample.id)]
  if (load === undefined) throw new RangeError(`no sample ${sample.id}`)
  const parsed = parseFile(await load())
  if (!('file' in parsed)) throw new Error(`sample ${sample.id}: ${english(parsed.problems[0]?.words) ?? 'unreadable'}`)
  const name = wordsNow(sample.title)
  const said = await translationsOf(sample.id)
  const file = said === null ? parsed.file : localised(parsed.file, said)
  const row = await createFile(place, name, { ...file, title: name })
  await device.files.update([row.user, row.id], { sample: sample.id })
  return row
}
