// What the columns of every table of runs are called.
import { useLingui } from '@lingui/react/macro'
import type { ColumnWords } from './results/columns.ts'

export function useColumnWords(): ColumnWords {
  const { t } = useLingui()
  return {
    run: t`Run`,
    point: t`Point`,
    replication: t`Replication`,
    seed: t`Seed`,
    alternative: t`Alternative`,
    ticks: t`Ticks`,
    end: t`End`,
  }
}
