// The interface language: chosen once, remembered on this device, switched live. Our own messages, antd's, and dates
// (dayjs) always change together.
import { i18n } from '@lingui/core'
import type { Locale as AntdLocale } from 'antd/es/locale'
import dayjs from 'dayjs'
import relativeTime from 'dayjs/plugin/relativeTime'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { remember } from '../ui/remember.ts'
import { firstLocale, type Locale } from './first.ts'
import { loadLibraries, loadTexts } from './texts.ts'
import { textOf, type Words } from '../../model-schema/words.ts'

dayjs.extend(relativeTime)

export { isLocale, locales, type Locale } from './first.ts'

type Speak = (words: Words) => string

/** A text in the language now, for texts that come as data (metamodel, samples, problems). */
export const wordsNow: Speak = words => textOf(words, i18n)

/**
 * The current language. `antd` holds the texts of antd's own components; null for English, their default. `words` is `wordsNow`, another
 * function whenever the language or its texts change.
 */
export const locale = createStore<{ locale: Locale; antd: AntdLocale | null; words: Speak }>(() => ({
  locale: firstLocale(),
  antd: null,
  words: wordsNow,
}))
i18n.on('change', () => locale.setState({ words: words => wordsNow(words) }))

/** Loads a language and switches everything to it; settles when it is shown. */
export async function setLocale(next: Locale): Promise<void> {
  const [libraries] = await Promise.all([loadLibraries(next), loadTexts(next)])
  i18n.activate(next)
  dayjs.locale(libraries.dayjs)
  remember('locale', next)
  if (typeof document !== 'undefined') {
    document.documentElement.lang = next
    document.documentElement.dir = directionOf(next)
  }
  locale.setState({ locale: next, antd: libraries.antd })
}

/** Which way a language is written. */
export function directionOf(name: string): 'ltr' | 'rtl' {
  return ['he', 'ar', 'fa', 'ku'].includes(name.split('-')[0] ?? '') ? 'rtl' : 'ltr'
}

/** `wordsNow`; the component is drawn again when the language or its texts change. The same function until then, for what is remembered by it. */
export const useWords = (): Speak => useStore(locale, state => state.words)

/** The language now, as a hook. */
export function useLocale(): Locale {
  return useStore(locale, state => state.locale)
}
