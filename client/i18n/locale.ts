// The interface language: chosen once, remembered on this device, switched live. Our own messages, antd's, and dates
// (dayjs) always change together.
import { i18n } from '@lingui/core'
import type { Locale as AntdLocale } from 'antd/es/locale'
import dayjs from 'dayjs'
import relativeTime from 'dayjs/plugin/relativeTime'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Words } from '../../model-schema/kinds/kind.ts'
import { remember } from '../ui/remember.ts'
import { firstLocale, type Locale } from './first.ts'
import { loadTexts } from './texts.ts'

dayjs.extend(relativeTime)

export type { Locale } from './first.ts'

/** Every interface language, each named in itself. */
export const locales: Readonly<Record<Locale, string>> = { 'en-US': 'English', 'zh-CN': '简体中文' }

/** The language now. `antd` is what antd's own components say in it; null for English, which they say of themselves. */
export const locale = createStore<{ locale: Locale; antd: AntdLocale | null }>(() => ({ locale: firstLocale(), antd: null }))

/** Loads a language and switches everything to it; settles when it is shown. */
export async function setLocale(next: Locale): Promise<void> {
  const [antd] = await Promise.all([next === 'zh-CN' ? chinese() : null, loadTexts(next)])
  i18n.activate(next)
  dayjs.locale(next === 'zh-CN' ? 'zh-cn' : 'en')
  remember('locale', next)
  if (typeof document !== 'undefined') {
    document.documentElement.lang = next
    document.documentElement.dir = directionOf(next)
  }
  locale.setState({ locale: next, antd })
}

/** Which way a language is written. */
export function directionOf(name: string): 'ltr' | 'rtl' {
  return ['he', 'ar', 'fa', 'ku'].includes(name.split('-')[0] ?? '') ? 'rtl' : 'ltr'
}

/** Picks the text of the language now, for texts that come as data (metamodel, samples, problems). */
export function wordsIn(name: Locale, words: Words): string {
  return name === 'zh-CN' ? words.zh || words.en : words.en || words.zh
}

/** `wordsIn` bound to the language now; the component is drawn again when it changes. */
export function useWords(): (words: Words) => string {
  const name = useStore(locale, state => state.locale)
  return words => wordsIn(name, words)
}

/** The language now, as a hook. */
export function useLocale(): Locale {
  return useStore(locale, state => state.locale)
}

/** Chinese of what is not ours: antd's own words and dates. */
async function chinese(): Promise<AntdLocale> {
  const [antd] = await Promise.all([import('antd/locale/zh_CN'), import('dayjs/locale/zh-cn')])
  return antd.default
}
