// New experiments that are linked from the start: of the open model, and the shipped samples, each with a copy of its model.
import { digestOf } from '../../model-schema/experiment.ts'
import { modelOfFile, parseFile, type HoloFile } from '../../model-schema/file.ts'
import { localised, type Translations } from '../../model-schema/samples/localised.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { sampleExperiments, samples, type SampleExperiment } from '../../model-schema/samples.ts'
import { wordsNow } from '../i18n/locale.ts'
import { device, type FileRow } from '../local/device.ts'
import { createFile, linkModel, readFile } from '../local/files.ts'
import type { Place } from '../local/place.ts'
import { explorationOf } from './explore.ts'
import { languageNow, openSample, translatedNames } from '../workspace/files/samples.ts'
import { english } from '../../model-schema/words.ts'

const texts = import.meta.glob<string>('../../model-schema/samples/experiments/*.holo', { query: '?raw', import: 'default' })
const pathOf = (id: string): string => `../../model-schema/samples/experiments/${id}.holo`
const translations = import.meta.glob<Translations>('../../model-schema/samples/*/experiments/*.json', { import: 'default' })

/** The sample experiments of this build. */
export const gallery: readonly SampleExperiment[] = sampleExperiments.filter(sample => texts[pathOf(sample.id)] !== undefined)

/** Adds an experiment with a model, in its folder; with `variable`, one that explores it. */
export async function beginExperiment(
  place: Place,
  name: string,
  of: { modelId: string; scenario: Id; model: Model },
  parent: string | null = null,
  explored: Element | null = null,
): Promise<FileRow> {
  const study = explored ? explorationOf(of.model, explored, 'experiment') : null
  const root = { kind: 'experiment', rank: 'a0', name, ...linkOf(of), ...study?.fields }
  const elements = { experiment: root, ...study?.elements }
  return linkedFile(place, name, { format: 'holo', version: 1, title: name, elements }, of.modelId, parent)
}

/** A sample experiment of one's own. Its model is copied, unless a model of that name is there. */
export async function openSampleExperiment(place: Place, sample: SampleExperiment): Promise<FileRow> {
  const load = texts[pathOf(sample.id)]
  if (load === undefined) throw new RangeError(`no sample experiment ${sample.id}`)
  const parsed = parseFile(await load())
  if (!('file' in parsed)) throw new Error(`sample experiment ${sample.id}: ${english(parsed.problems[0]?.words) ?? 'unreadable'}`)
  const modelId = await modelOf(place, sample)
  const model = modelOfFile(await readFile(place, modelId))
  const name = wordsNow(sample.title)
  const link = linkOf({ modelId, scenario: model.scenarios[0] ?? '', model })
  const said = await translations[`../../model-schema/samples/${languageNow()}/experiments/${sample.id}.json`]?.()
  const file = localised(parsed.file, said ?? {}, await translatedNames(sample.model, model))
  const elements = Object.fromEntries(
    Object.entries(file.elements).map(([id, element]) => [id, element.kind === 'experiment' ? { ...element, name, ...link } : element]),
  )
  return linkedFile(place, name, { ...file, title: name, elements }, modelId, null)
}

const linkOf = ({ modelId, scenario, model }: { modelId: string; scenario: Id; model: Model }) => ({
  modelFile: modelId,
  modelScenario: scenario,
  linked: digestOf(model),
})

async function linkedFile(place: Place, name: string, file: HoloFile, modelId: string, parent: string | null): Promise<FileRow> {
  const made = await createFile(place, name, file, { kind: 'experiment', parent })
  await linkModel(place, made.id, modelId)
  return made
}

async function modelOf(place: Place, { model }: SampleExperiment): Promise<string> {
  const sample = samples.find(({ id }) => id === model)
  if (sample === undefined) throw new RangeError(`no sample ${model}`)
  const names = [english(sample.title), wordsNow(sample.title)]
  const files = await device.files.where('user').equals(place.user.id).toArray()
  const there = files.find(
    file => file.kind === 'model' && file.team === place.team && file.trashedAt === null && names.includes(file.name),
  )
  return (there ?? (await openSample(place, sample))).id
}
