// What the editor calls shelves, groups of fields and choices of the metamodel, in the language of the page.
import { useLingui } from '@lingui/react/macro'
import { kindOf } from '../../../model-schema/kinds.ts'
import type { Plot } from '../../../model-schema/plot.ts'
import { useWords } from '../../i18n/locale.ts'
import type { ShelfId } from './moves.ts'
import type { FieldGroup } from './offers.ts'

export function useShelfNames(): Record<ShelfId, string> {
  const { t } = useLingui()
  return { dimension: t`Dimension`, metrics: t`Metrics`, colorBy: t`Colour`, facetBy: t`Facet`, filters: t`Filters` }
}

export function useSourceNames(): Record<Plot['source'], string> {
  const { t } = useLingui()
  return { model: t`Run of a model`, experiment: t`Results of an experiment`, table: t`Table` }
}

export function useGroupNames(): Record<FieldGroup, string> {
  const { t } = useLingui()
  return {
    time: t`Time`,
    statistic: t`Statistics`,
    population: t`Populations`,
    container: t`Containers`,
    variable: t`Variables`,
    individual: t`Of each individual`,
    columns: t`Columns`,
    own: t`Formulas of one’s own`,
  }
}

/** What may be chosen in a column of a table field. */
export function useOptions(row: string, column: string): { value: string; label: string }[] {
  const words = useWords()
  const type = kindOf('plot')?.fields.find(({ id }) => id === row)?.type
  const inner = type?.as === 'rows' ? type.columns.find(({ id }) => id === column)?.type : undefined
  return inner?.as === 'choice' ? Object.entries(inner.options).map(([value, label]) => ({ value, label: words(label) })) : []
}
