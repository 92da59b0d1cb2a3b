// The catalogues as Node reads them, without a build: a file `LOCALE.po` of this folder is a language.
import { readdirSync, readFileSync } from 'node:fs'
import { setupI18n } from '@lingui/core'
import { formatter } from '@lingui/format-po'
import { compile, english, isWords, textOf, type Words } from '../words.ts'

const folder = new URL('./', import.meta.url)

/** Every language, by the name of its catalogue (BCP 47). */
export const locales: readonly string[] = readdirSync(folder)
  .filter(name => name.endsWith('.po'))
  .map(name => name.slice(0, -'.po'.length))
  .toSorted()

const read = (locale: string): string => readFileSync(new URL(`${locale}.po`, folder), 'utf8')

/** The name of each language in itself: from its catalogue, or from its locale code. */
export function languageNames(): Readonly<Record<string, string>> {
  const nameOf = (locale: string): string =>
    /^"X-Language-Name: (.*)\\n"$/m.exec(read(locale))?.[1] ?? new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale
  return Object.fromEntries(locales.map(locale => [locale, nameOf(locale)]))
}

const speakers = new Map<string, (words: Words) => string>()

/** Gives texts in a language, by the name of its catalogue or its first letters; undefined where there is no such catalogue. */
export function speakerOf(name: string): ((words: Words) => string) | undefined {
  const locale = locales.find(one => one === name) ?? locales.find(one => one.split('-')[0] === name.split('-')[0])
  if (locale === undefined) return undefined
  const known = speakers.get(locale)
  if (known) return known
  const messages = Object.entries(formatter().parse(read(locale), { locale, sourceLocale: 'en-US', filename: `${locale}.po` }))
  const translated = Object.fromEntries(messages.flatMap(([id, { translation }]) => (translation ? [[id, translation]] : [])))
  const i18n = setupI18n({ locale, messages: { [locale]: translated } }).setMessagesCompiler(compile)
  const speak = (words: Words): string => textOf(words, i18n)
  speakers.set(locale, speak)
  return speak
}

/** The same for a locale that may be unknown or gone: then English. */
export const speakTo = (locale: string | null | undefined): ((words: Words) => string) => speakerOf(locale ?? 'en') ?? english

/** Fields that hold what a model computed, named as its author named it: nothing in them is a text of ours, whatever it looks like. */
const dataFields: ReadonlySet<string> = new Set([
  'publics',
  'statistics',
  'containers',
  'populations',
  'inputs',
  'settings',
  'variables',
  'values',
  'actor',
  'output',
])

/** A replacer for `JSON.stringify`: texts in every language, by their first letters, as programs read them; data stay as they are. */
export function inLanguages(): (this: unknown, key: string, value: unknown) => unknown {
  const data = new WeakSet<object>()
  return function (key, value) {
    if (typeof value !== 'object' || value === null) return value
    if (dataFields.has(key) || (typeof this === 'object' && this !== null && data.has(this))) {
      data.add(value)
      return value
    }
    return isWords(value) ? Object.fromEntries(locales.map(locale => [locale.split('-')[0], speakTo(locale)(value)])) : value
  }
}
