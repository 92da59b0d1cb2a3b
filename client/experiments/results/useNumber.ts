// Numbers and settings as the interface language writes them.
import type { Setting } from '../../../model-schema/experiment.ts'
import { formatNumber, formatValue } from '../../charts/format.ts'
import { useLocale } from '../../i18n/locale.ts'

export const useNumber = (): ((value: number) => string) => {
  const language = useLocale()
  return value => formatNumber(value, language)
}

/** Any setting: numbers in the interface language, truth values as formulas write them. */
export const useValue = (): ((value: Setting | undefined) => string) => {
  const language = useLocale()
  return value => formatValue(value, language)
}
