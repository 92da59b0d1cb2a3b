// Names one after the other, in the interface language.
import { i18n } from '@lingui/core'
import { listed } from '../../model-schema/words.ts'

/** Names one after the other, as the language now writes them. */
export const listNow = (items: readonly string[]): string => listed(items, i18n.locale || 'en-US')
