// The language a page begins in: the one chosen on this device, else the browser's. Apart from what can be said in it, because it is asked for first.
import { recall } from '../ui/remember.ts'

export type Locale = 'en-US' | 'zh-CN'

const isLocale = (text: string | null | undefined): text is Locale => text === 'en-US' || text === 'zh-CN'

export function firstLocale(): Locale {
  const stored = recall('locale')
  if (isLocale(stored)) return stored
  const wanted = typeof navigator === 'undefined' ? [] : (navigator.languages ?? [])
  for (const name of wanted) {
    if (name.startsWith('zh')) return 'zh-CN'
    if (name.startsWith('en')) return 'en-US'
  }
  return 'en-US'
}
