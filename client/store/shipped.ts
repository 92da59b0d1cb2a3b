// The shipped samples in the store are published in every language at once; here in the language of the page alone.
import { samples, type Sample } from '../../model-schema/samples.ts'
import { useWords } from '../i18n/locale.ts'
import { richOf } from './lines.ts'

/** The shipped sample that a publication is. */
export const sampleOf = (app: { id: string }): Sample | undefined => samples.find(({ id }) => `sample-${id}` === app.id)

type Said = { id: string; name: string; summary: string; description?: string }

/** A publication with name, summary and description in the language of the page, where it is a shipped sample. */
export function useShipped<T extends Said>(app: T): T {
  const words = useWords()
  const sample = sampleOf(app)
  if (sample === undefined) return app
  const { title, note, reference } = sample
  const description = app.description === undefined ? {} : { description: richOf(`${words(note)}\n${words(reference)}`) }
  return { ...app, name: words(title), summary: words(note), ...description }
}
