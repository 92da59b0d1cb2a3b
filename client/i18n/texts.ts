// The texts of the interface come in two parts (split.ts): those of the first screens with the language, the rest when a part of the app is loaded that
// shows any of them.
import { i18n } from '@lingui/core'
import type { Messages } from '@lingui/core'
import { firstLocale, type Locale } from './first.ts'

type Catalogue = { messages: Messages }
const catalogues: Readonly<Record<Locale, { first: () => Promise<Catalogue>; more: () => Promise<Catalogue> }>> = {
  'en-US': { first: () => import('./en-US.po?first'), more: () => import('./en-US.po?more') },
  'zh-CN': { first: () => import('./zh-CN.po?first'), more: () => import('./zh-CN.po?more') },
}

/** The language whose texts are wanted. */
let wanted = firstLocale()
/** The rest of its texts, once anything has asked for them. */
let rest: Promise<void> | null = null

async function load(name: Locale, part: 'first' | 'more'): Promise<void> {
  const { messages } = await catalogues[name][part]()
  i18n.load(name, messages)
}

/** Loads what a page may say in a language: the texts of the first screens, and the rest when they were ever asked for. */
export async function loadTexts(name: Locale): Promise<void> {
  wanted = name
  if (rest !== null) rest = load(name, 'more')
  await Promise.all([load(name, 'first'), rest])
  // Asked for meanwhile.
  await rest
}

/** All texts of the language now. What could not be fetched is fetched again by the next who asks. */
export function allTexts(): Promise<void> {
  const mine = (rest ??= load(wanted, 'more'))
  mine.catch(() => {
    if (rest === mine) rest = null
  })
  return mine
}

/** A part of the app, when its texts are here, too. The build writes this around the imports that need it. */
export async function withTexts<T>(part: Promise<T>): Promise<T> {
  const [module] = await Promise.all([part, allTexts()])
  return module
}
