// The editing scope of a chart of fields: its fields, shelves and settings around the view of it.
import { useLingui } from '@lingui/react/macro'
import { useEffect, useMemo, useRef, type ReactNode } from 'react'
import { setField, together } from '../../../model-schema/edit.ts'
import type { Element, Id, Model } from '../../../model-schema/model.ts'
import { fieldsOf, plotOf } from '../../../model-schema/plot.ts'
import { tell } from '../../dashboards/scope.ts'
import type { Session } from '../../session.ts'
import type { Data } from '../shelf/columns.ts'
import { useData } from '../shelf/useData.ts'
import { begun, isBlank, type Changes } from './moves.ts'
import { dataFields, firstFields, modelFields, ownFields } from './offers.ts'
import { PlotContext, type PlotScope } from './scope.ts'

type Props = {
  session: Session
  element: Element
  /** The model of the chart, as soon as it is open. */
  of: { model: Model; scenario: Id } | null
  disabled: boolean
  /** The source was chosen just now: the first fields are put on the shelves automatically. */
  fresh: boolean
  children(parts: { data: Data }): ReactNode
}

export function PlotScopeOf({ session, element, of, disabled, fresh, children }: Props) {
  const { t } = useLingui()
  const plot = useMemo(() => plotOf(element), [element])
  const { data } = useData(plot, null, session.target.user.id)
  const words = { time: t`Time`, key: t`Item` }
  const spoken = Object.values(words).join()
  const fields = useMemo(
    () => {
      const offered = plot.source !== 'model' ? dataFields(data) : of ? modelFields(of.model, of.scenario, words) : []
      return plot.source === 'model' && of ? [...offered, ...ownFields(fieldsOf(plot), offered)] : offered
    },
    // The words change with the language.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [plot, data, of, spoken],
  )
  const scope = useMemo<PlotScope>(
    () => ({
      session,
      element,
      plot,
      fields,
      data,
      disabled,
      change(changes: Changes) {
        const entries = Object.entries(changes)
        if (!disabled && entries.length > 0)
          together(session.doc, () => entries.forEach(([field, value]) => void tell(setField(session.doc, element.id, field, value))))
      },
    }),
    [session, element, plot, fields, data, disabled],
  )
  const filled = useRef(false)
  useEffect(() => {
    if (!fresh) filled.current = false
    if (!fresh || filled.current || fields.length === 0 || !isBlank(plot)) return
    const first = firstFields(plot.source, fields)
    if (first.metrics.length === 0 && first.dimension === '') return
    filled.current = true
    scope.change(begun(first))
  }, [fresh, fields, plot, scope])
  return <PlotContext value={scope}>{children({ data })}</PlotContext>
}
