// Copies of the shipped samples in Chinese, for those who read it: the publication itself is in English.
import { readFile } from 'node:fs/promises'
import { parseFile, type HoloFile } from '../../model-schema/file.ts'
import { localised, namesSaid, type Translations } from '../../model-schema/localised.ts'
import { sampleExperiments, samples } from '../../model-schema/samples.ts'

const folder = new URL('../../model-schema/samples/', import.meta.url)
const prefix = 'sample-'

/** The publication of a sample has this id. */
export const publicationOf = (sample: string): string => prefix + sample

/** What a copy of a publication is called and says in Chinese; null for publications that are no shipped samples. */
export async function chineseCopy(app: string): Promise<{ name: string; translate: (file: HoloFile) => HoloFile } | null> {
  const sample = samples.find(({ id }) => publicationOf(id) === app)
  if (sample === undefined) return null
  const translations: Translations = JSON.parse(await readFile(new URL(`zh/${sample.id}.json`, folder), 'utf8'))
  const keep = new Set<string>()
  for (const { id } of sampleExperiments.filter(({ model }) => model === sample.id)) {
    const parsed = parseFile(await readFile(new URL(`experiments/${id}.holo`, folder), 'utf8'))
    if ('file' in parsed) for (const name of namesSaid(parsed.file)) keep.add(name)
  }
  return { name: sample.title.zh, translate: file => localised(file, translations, keep) }
}
