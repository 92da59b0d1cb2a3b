// Formats moments for people: to the second, which distinguishes entries of the history.
import { useLocale } from '../i18n/locale.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(language: string, brief: boolean): Intl.DateTimeFormat {
  const key = `${language} ${brief}`
  let format = formats.get(key)
  if (!format) {
    const day: Intl.DateTimeFormatOptions = brief
      ? { month: 'numeric', day: 'numeric' }
      : { year: 'numeric', month: 'short', day: 'numeric' }
    formats.set(key, (format = new Intl.DateTimeFormat(language, { ...day, hour: 'numeric', minute: '2-digit', second: '2-digit' })))
  }
  return format
}

/** `brief`: without the year, where there is little room. */
export const momentIn = (language: string, at: string, brief = false): string => formatOf(language, brief).format(new Date(at))

export function useMoment(brief = false): (at: string) => string {
  const language = useLocale()
  return at => momentIn(language, at, brief)
}
