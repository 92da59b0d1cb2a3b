// How a chart is drawn: its type, and the settings that matter for it, drawn from the metamodel.
import { Trans, useLingui } from '@lingui/react/macro'
import { ColorPicker, Input } from 'antd'
import { useState } from 'react'
import { kindOf } from '../../../model-schema/kinds.ts'
import { setField } from '../../../model-schema/edit.ts'
import type { Field } from '../../../model-schema/kinds/kind.ts'
import type { Element } from '../../../model-schema/model.ts'
import { timeField, type Metric, type Plot, type PlotType } from '../../../model-schema/plot.ts'
import { tell } from '../../dashboards/scope.ts'
import { useWords } from '../../i18n/locale.ts'
import { Control } from '../../panels/fields/Control.tsx'
import { FieldRows, Help, pressByKey } from '../../panels/fields/FieldRows.tsx'
import { appears, isBlock } from '../../panels/visible.ts'
import type { Data } from '../shelf/columns.ts'
import { suggested } from '../shelf/suggest.ts'
import { withMetric } from './moves.ts'
import { fieldNamed, usePlot } from './scope.ts'
import { TypeIcon } from './typeIcons.tsx'

/** The type an automatic chart is drawn as. For a run its fields suffice: its rows are not read. */
export function drawnType(plot: Plot, data: Data): PlotType {
  if (plot.type !== 'auto') return plot.type
  if (plot.source !== 'model') return suggested(plot, data, false)
  if (plot.over === 'latest') return plot.dimension === '' ? 'histogram' : 'bar'
  return plot.dimension === '' ? 'value' : 'line'
}

/** Types that only a run can show. */
const ofRuns: ReadonlySet<string> = new Set(['world', 'network'])

const across: readonly PlotType[] = ['line', 'area', 'bar', 'stacked', 'bands', 'scatter', 'pareto', 'histogram', 'box', 'violin', 'heat']

/** Which settings matter for which types; those that are not here matter for all. */
const only: Readonly<Record<string, readonly PlotType[]>> = {
  dimensionBins: ['line', 'area', 'bar', 'stacked', 'bands', 'box', 'violin', 'heat', 'table'],
  bins: ['histogram'],
  band: ['bands'],
  sort: ['bar', 'stacked', 'pie', 'box', 'violin', 'heat', 'table'],
  top: ['bar', 'stacked', 'pie', 'box', 'violin', 'heat', 'table'],
  xLabel: across,
  yLabel: across,
  xScale: ['line', 'area', 'scatter', 'pareto', 'bands'],
  yScale: ['line', 'bar', 'scatter', 'pareto', 'bands', 'box', 'violin', 'histogram'],
  yMin: [...across, 'gauge'],
  yMax: [...across, 'gauge'],
  legend: ['line', 'area', 'bar', 'stacked', 'bands', 'scatter', 'pareto', 'histogram', 'box', 'violin', 'heat', 'pie', 'parallel'],
}

const dataFields = ['over', 'window', 'dimensionBins', 'bins', 'band', 'sort', 'top', 'view']
const looks = ['xLabel', 'yLabel', 'xScale', 'yScale', 'yMin', 'yMax', 'format', 'decimals', 'unit', 'legend']

/** `drawn`: the type an automatic chart is drawn as. */
export function Settings({ drawn, root }: { drawn: PlotType; root: Element | null }) {
  const { t } = useLingui()
  const { element, plot } = usePlot()
  const fieldsOf = (ids: readonly string[]): Field[] =>
    ids.flatMap(id => {
      const field = kindOf('plot')?.fields.find(one => one.id === id)
      const shown =
        field &&
        !(id === 'dimensionBins' && (plot.dimension === '' || plot.dimension === timeField)) &&
        (only[id]?.includes(drawn) ?? true) &&
        appears({ ...field, when: id === 'bins' || id === 'band' ? {} : (field.when ?? {}) }, element.fields)
      return field && shown ? [field] : []
    })
  return (
    <FieldRows>
      <section className="h-inspector p-settings" aria-label={t`Settings`}>
        <Types drawn={drawn} />
        <div className="h-section">
          {fieldsOf(['name', ...dataFields]).map(field => (
            <Row key={field.id} field={field} element={element} />
          ))}
        </div>
        {plot.metrics.length > 0 && (
          <details className="h-section d-fold">
            <summary>
              <Trans>Names and colours</Trans>
            </summary>
            {plot.metrics.map((metric, at) => (
              <MetricLook key={`${metric.field} ${at}`} metric={metric} at={at} />
            ))}
          </details>
        )}
        <details className="h-section d-fold" open>
          <summary>
            <Trans>Axes and numbers</Trans>
          </summary>
          {fieldsOf(looks).map(field => (
            <Row key={field.id} field={field} element={element} />
          ))}
        </details>
        {root && (
          <details className="h-section d-fold">
            <summary>
              <Trans>Watermark</Trans>
            </summary>
            {(kindOf(root.kind)?.fields ?? [])
              .filter(field => field.id.startsWith('watermark') && appears(field, root.fields))
              .map(field => (
                <Row key={field.id} field={field} element={root} />
              ))}
          </details>
        )}
      </section>
    </FieldRows>
  )
}

function Types({ drawn }: { drawn: PlotType }) {
  const { t } = useLingui()
  const words = useWords()
  const { plot, change, disabled } = usePlot()
  const type = kindOf('plot')?.fields.find(({ id }) => id === 'type')?.type
  if (type?.as !== 'choice') return null
  const options = Object.entries(type.options).filter(([id]) => plot.source === 'model' || !ofRuns.has(id))
  return (
    <div className="p-types" role="group" aria-label={t`Type`}>
      {options.map(([id, label]) => (
        <button
          key={id}
          type="button"
          aria-pressed={plot.type === id}
          data-drawn={(plot.type === 'auto' && id === drawn) || undefined}
          disabled={disabled}
          title={words(label)}
          onClick={() => change({ type: id, view: 'chart' })}
        >
          <TypeIcon type={id} />
          <span>{words(label)}</span>
        </button>
      ))}
    </div>
  )
}

function Row({ field, element }: { field: Field; element: Element }) {
  const words = useWords()
  const { session, disabled } = usePlot()
  const id = `field-${element.id}-${field.id}`
  const title = words(field.label)
  const blank = field.id === 'watermarkText' && String(element.fields[field.id] ?? '').trim() === ''
  return (
    <div className="h-field" data-block={isBlock(field) || undefined} data-problem={blank ? 'error' : undefined} onKeyDown={pressByKey}>
      <span className="h-field-label">
        <label htmlFor={id}>{title}</label>
        <Help title={title} text={words(field.help)} />
      </span>
      <div className="h-field-value">
        <Control
          id={id}
          field={field}
          element={element}
          elements={[element.id]}
          value={element.fields[field.id]}
          disabled={disabled}
          set={next => void tell(setField(session.doc, element.id, field.id, next))}
        />
        {blank && (
          <p className="h-problem" data-severity="error" role="alert">
            <Trans>A watermark needs a text. Until then none is shown.</Trans>
          </p>
        )}
      </div>
    </div>
  )
}

function MetricLook({ metric, at }: { metric: Metric; at: number }) {
  const { t } = useLingui()
  const { plot, fields, change, disabled } = usePlot()
  const { label } = fieldNamed(fields, metric.field)
  const [draft, setDraft] = useState<string | null>(null)
  const write = (): void => {
    if (draft !== null && draft !== metric.label) change(withMetric(plot, at, { label: draft }))
    setDraft(null)
  }
  return (
    <div className="p-look">
      <ColorPicker
        size="small"
        disabled={disabled}
        disabledAlpha
        allowClear
        value={metric.color === '' ? null : metric.color}
        aria-label={t`Colour of ${label}`}
        onChangeComplete={color => change(withMetric(plot, at, { color: color.cleared ? '' : color.toHexString().slice(0, 7) }))}
        onClear={() => change(withMetric(plot, at, { color: '' }))}
      />
      <Input
        size="small"
        disabled={disabled}
        aria-label={t`Name of ${label}`}
        placeholder={label}
        maxLength={128}
        value={draft ?? metric.label}
        onChange={event => setDraft(event.target.value)}
        onBlur={write}
        onPressEnter={write}
      />
    </div>
  )
}
