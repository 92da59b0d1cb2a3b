// The first language of a page: the one chosen on this device, else the browser's. Separate from the texts, because it is needed first.
import { recall } from '../ui/remember.ts'

/** A language, as its catalogue is called: `zh-CN`. */
export type Locale = string

/** Every interface language, each named in itself. The build reads the folder of catalogues (vite.config.ts). */
export const locales: Readonly<Record<Locale, string>> = JSON.parse(String(import.meta.env['VITE_LANGUAGES']))

export const isLocale = (text: string | null | undefined): text is Locale => text != null && Object.hasOwn(locales, text)

export function firstLocale(): Locale {
  const stored = recall('locale')
  if (isLocale(stored)) return stored
  const wanted = typeof navigator === 'undefined' ? [] : (navigator.languages ?? [])
  const all = Object.keys(locales)
  for (const name of wanted) {
    const found = all.find(one => one === name) ?? all.find(one => one.split('-')[0] === name.split('-')[0])
    if (found !== undefined) return found
  }
  return 'en-US'
}
