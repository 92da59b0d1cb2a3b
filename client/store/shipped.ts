// The shipped samples in the store are published in English; here in the language of the page.
import { samples, type Sample } from '../../model-schema/samples.ts'
import { useLocale, useWords } from '../i18n/locale.ts'
import { richOf } from './lines.ts'

/** The shipped sample that a publication is. */
export const sampleOf = (app: { id: string }): Sample | undefined => samples.find(({ id }) => `sample-${id}` === app.id)

type Said = { id: string; name: string; summary: string; description?: string }

/** A publication with name, summary and description in the language of the page, where it is a shipped sample. */
export function useShipped<T extends Said>(app: T): T {
  const locale = useLocale()
  const words = useWords()
  const sample = locale.split('-')[0] === 'en' ? undefined : sampleOf(app)
  if (sample === undefined) return app
  const { title, note, reference } = sample
  const description = app.description === undefined ? {} : { description: richOf(`${words(note)}\n${words(reference)}`) }
  return { ...app, name: words(title), summary: words(note), ...description }
}
