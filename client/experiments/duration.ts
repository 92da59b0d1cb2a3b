// Lengths of time as people say them.
import { useLingui } from '@lingui/react/macro'
import { formatNumber } from '../charts/format.ts'
import { useLocale } from '../i18n/locale.ts'

/** Seconds, with the unit that fits. */
export function useDuration(): (seconds: number) => string {
  const { t } = useLingui()
  const language = useLocale()
  return seconds => {
    const shown = (value: number, digits = 2): string => formatNumber(Number(value.toPrecision(digits)), language)
    if (!Number.isFinite(seconds)) return '–'
    if (seconds < 1) return t`${shown(seconds * 1000)} ms`
    if (seconds < 90) return t`${shown(seconds)} s`
    if (seconds < 5400) return t`${shown(seconds / 60)} min`
    if (seconds < 129_600) return t`${shown(seconds / 3600)} h`
    return t`${shown(seconds / 86_400)} days`
  }
}
