// Texts that people read. The code holds the English message, in the ICU message format; a catalogue for each language (languages/*.po)
// holds its translation. A text stays a value until it is shown, so that it can be stored, sent and shown in any language.
import { setupI18n, type I18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'

/** What fills a placeholder. A list is shown as the language writes it. */
export type Value = string | number | Words | readonly Value[]

type Message = {
  /** In English. */
  readonly text: string
  /** The context of the text, if one English text has several translations. */
  readonly context?: string | undefined
  /** Of type `Value` where they are given; a message may also come from a store or a server. */
  readonly values?: Readonly<Record<string, unknown>> | undefined
}

/** A text in several languages, by their first letters (`en`, `zh`): given by operators, or stored by an earlier version. */
type Translated = { readonly en: string; readonly [language: string]: string }

/** A text shown to people, in whichever language they read. */
export type Words = Message | { readonly verbatim: string } | Translated

/** Whether a value that may be something else is a text. */
export const isWords = (value: unknown): value is Words =>
  typeof value === 'object' &&
  value !== null &&
  (('text' in value && typeof value.text === 'string' && Object.keys(value).every(key => ['text', 'context', 'values'].includes(key))) ||
    ('verbatim' in value && typeof value.verbatim === 'string') ||
    ('en' in value && typeof value.en === 'string'))

/** A message; `values` fill its placeholders. `npm run extract` finds each call, so the text is written out in it. */
export function say(text: string, values?: Readonly<Record<string, Value>>): Words {
  return values === undefined ? { text } : { text, values }
}

/** A message that has a translation of its own in this context. */
export function sayIn(context: string, text: string, values?: Readonly<Record<string, Value>>): Words {
  return values === undefined ? { text, context } : { text, context, values }
}

/** The same message with other values. */
export const filled = (words: Words, values: Readonly<Record<string, Value>>): Words =>
  'text' in words && typeof words.text === 'string' && Object.keys(values).length > 0 ? ({ ...words, values } as Message) : words

/** A text that is the same in every language: a name that a user chose, an id. */
export const verbatim = (text: string): Words => ({ verbatim: text })

/** An error with a message for the user, in their language. */
export class Told extends Error {
  override readonly name: string = 'Told'
  readonly words: Words

  constructor(words: Words) {
    super(english(words))
    this.words = words
  }
}

/** The message of an error: translated if possible, else its own text. */
export const toldBy = (error: unknown): Words =>
  error instanceof Told ? error.words : verbatim(error instanceof Error ? error.message : String(error))

/** Compiles a message that no build has compiled; each once. */
export const compile = createMemo(compileMessage)

/** English needs no catalogue: it is in the code. */
const source = setupI18n({ locale: 'en-US', messages: { 'en-US': {} } }).setMessagesCompiler(compile)

export function english(words: Words): string
export function english(words: Words | undefined): string | undefined
export function english(words: Words | undefined): string | undefined {
  return words && textOf(words, source)
}

const listFormats = new Map<string, Intl.ListFormat>()

/** Names one after the other as a language writes them: `a, b, c`, or `a、b、c`. */
export function listed(items: readonly string[], language: string): string {
  let format = listFormats.get(language)
  if (!format) listFormats.set(language, (format = new Intl.ListFormat(language, { type: 'conjunction', style: 'narrow' })))
  return format.format(items)
}

/** The text in the language of `i18n`; in English where its catalogue has no translation, and before a language is chosen. */
export function textOf(words: Words, given: I18n): string {
  const i18n = given.locale === '' ? source : given
  if ('verbatim' in words) return words.verbatim
  if ('en' in words) return words[i18n.locale.split('-')[0]!] || words.en
  const { text, context, values = {} } = words
  if (text === '') return ''
  const filled = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, filling(value, i18n)]))
  return i18n._(i18n === source ? '' : idOf(context === undefined ? text : `${text}${unit}${context}`), filled, { message: text })
}

function filling(value: unknown, i18n: I18n): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value
  if (Array.isArray(value))
    return listed(
      value.map(one => String(filling(one, i18n))),
      i18n.locale,
    )
  return typeof value === 'object' && value !== null ? textOf(value as Words, i18n) : ''
}

/** Parts one after the other. */
export const joined = (parts: readonly Value[]): Words => ({
  text: parts.map((_, at) => `{${at}}`).join(''),
  values: Object.fromEntries(parts.map((part, at) => [String(at), part])),
})

/** Names one after the other. */
export const list = (items: readonly Value[]): Words => joined([items])

/** Several that one may choose from. */
export const alternatives = (values: readonly Value[]): Words =>
  values.length < 2 ? joined(values) : say('{one} or {others}', { one: values[0]!, others: alternatives(values.slice(1)) })

const unit = '\u001f'
const idOf = createMemo(key => generateMessageId(...(key.split(unit) as [string, string?])))

function createMemo<Result>(make: (key: string) => Result): (key: string) => Result {
  const known = new Map<string, Result>()
  return key => {
    let result = known.get(key)
    if (result === undefined) known.set(key, (result = make(key)))
    return result
  }
}
