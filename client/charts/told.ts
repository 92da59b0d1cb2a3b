// What a chart on a model's canvas shows, as text for screen readers.
import type { Plain } from '../../sim-engine/messages.ts'
import { formatReadout } from './format.ts'

type Told = { readonly label: string; readonly value: Plain | undefined }

/** Most values in one text; the others are left out. */
const mostTold = 12

/** Names with their newest values, in the words of a language: "susceptible 533, infected 128, recovered 1,339". */
export function told(parts: readonly Told[], locale: string): string {
  const list = parts.slice(0, mostTold).map(({ label, value }) => `${label} ${formatReadout(value, locale)}`.trim())
  if (parts.length > mostTold) list.push('…')
  return list.join(locale.startsWith('zh') ? '，' : ', ')
}

/** Bars and bins: what each series comes to at each name. */
export function barsTold(
  labels: readonly string[],
  names: readonly string[],
  columns: readonly ArrayLike<number | null | undefined>[],
): Told[] {
  const several = columns.length > 1
  return names.flatMap((name, at) =>
    columns.flatMap((column, series): Told[] => {
      const value = column[at]
      const label = labels[series] ?? ''
      return value === null || value === undefined ? [] : [{ label: several && label !== name ? `${name}, ${label}`.trim() : name, value }]
    }),
  )
}
