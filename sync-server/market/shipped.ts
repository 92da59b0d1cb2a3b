// Copies of the shipped samples in other languages, for those who read them: the publication itself is in English.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { speakerOf } from '../../model-schema/languages/catalogues.ts'
import type { HoloFile } from '../../model-schema/file.ts'
import { localised, type Translations } from '../../model-schema/samples/localised.ts'
import { samples } from '../../model-schema/samples.ts'

const folder = new URL('../../model-schema/samples/', import.meta.url)
const prefix = 'sample-'

/** The publication of a sample has this id. */
export const publicationOf = (sample: string): string => prefix + sample

/** What a copy of a publication is called and says in a language; null for what is no shipped sample, or is not translated. */
export async function translatedCopy(
  app: string,
  language: string,
): Promise<{ name: string; translate: (file: HoloFile) => HoloFile } | null> {
  const sample = samples.find(({ id }) => publicationOf(id) === app)
  const speak = speakerOf(language)
  if (sample === undefined || speak === undefined) return null
  const path = new URL(`${language}/${sample.id}.json`, folder)
  if (!existsSync(path)) return null
  const translations: Translations = JSON.parse(await readFile(path, 'utf8'))
  return { name: speak(sample.title), translate: file => localised(file, translations) }
}
