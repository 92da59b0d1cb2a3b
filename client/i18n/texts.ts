// The texts of the interface come in two parts (split.ts): those of the first screens with the language, the rest when a part of the app is loaded that
// shows any of them.
import { i18n } from '@lingui/core'
import type { Messages } from '@lingui/core'
import type { Locale as AntdLocale } from 'antd/es/locale'
import { compile } from '../../model-schema/words.ts'
import { firstLocale, type Locale } from './first.ts'

type Catalogue = { messages: Messages }
/** The texts of libraries: antd's own, null for its English default, and the name of the language for dayjs. */
type Libraries = { readonly antd: AntdLocale | null; readonly dayjs: string }

const parts = {
  first: import.meta.glob<Catalogue>('../../model-schema/languages/*.po', { query: '?first' }),
  more: import.meta.glob<Catalogue>('../../model-schema/languages/*.po', { query: '?more' }),
}
const libraries = import.meta.glob<Libraries>('../../model-schema/languages/*.po', { query: '?libraries' })
const pathOf = (name: Locale): string => `../../model-schema/languages/${name}.po`

/** The requested language of texts. */
let wanted = firstLocale()
/** The rest of its texts, once anything has asked for them. */
let rest: Promise<void> | null = null

// English messages of the metamodel and the engine are in the code, not in a compiled catalogue.
i18n.setMessagesCompiler(compile)
// Messages of the engine may arrive before the texts of the part that shows them.
i18n.on('missing', () => {
  if (i18n.locale !== 'en-US') allTexts().catch(() => undefined)
})

async function load(name: Locale, part: 'first' | 'more'): Promise<void> {
  const catalogue = await parts[part][pathOf(name)]?.()
  if (catalogue !== undefined) i18n.load(name, catalogue.messages)
}

/** Loads the texts of a language: those of the first screens, and the rest if they were ever requested. */
export async function loadTexts(name: Locale): Promise<void> {
  wanted = name
  if (rest !== null) rest = load(name, 'more')
  await Promise.all([load(name, 'first'), rest])
  // Requested in the meantime.
  await rest
}

export const loadLibraries = async (name: Locale): Promise<Libraries> => (await libraries[pathOf(name)]?.()) ?? { antd: null, dayjs: 'en' }

/** Loads all texts of the current language. After a failure the next call tries again. */
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
