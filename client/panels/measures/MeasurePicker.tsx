// “What to show”: everything the model has to measure, by element, to be picked instead of written. The formula stays underneath, editable.
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Input, Select } from 'antd'
import { useMemo, useState } from 'react'
import type { Id } from '../../../model-schema/model.ts'
import { iconOf } from '../../canvas/icons.ts'
import { titleOf } from '../../editor/grammar.ts'
import { useModelLater } from '../../editor/useEditor.ts'
import { useWords, wordsNow } from '../../i18n/locale.ts'
import { KindIcon } from '../KindIcon.tsx'
import { compared, comparisons, countWhere, measuresFor, type MeasureGroup, type Measure, type Where } from './measures.ts'
import './measures.css'
import { english, type Words } from '../../../model-schema/words.ts'

type Props = {
  /** The scope of the formula: an element, or the canvas of one. */
  from: Id
  /** A truth is asked for: a number is compared first. */
  condition?: boolean
  /** What was picked, and what a person would call it. */
  onPick: (formula: string, label: string) => void
}

export function MeasurePicker({ from, condition = false, onPick }: Props) {
  const { t } = useLingui()
  const words = useWords()
  const model = useModelLater()
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<{ formula: string; label: string } | null>(null)
  const groups = useMemo(() => measuresFor(model, from), [model, from])
  const wanted = search.trim().toLowerCase()
  const shown = groups
    .map(group => ({ ...group, title: titleOf(group.element, words) }))
    .map(group => ({ ...group, measures: group.measures.filter(one => fits(wanted, group.title, one.label, one.formula)) }))
    .filter(group => group.measures.length > 0 || (group.where && wanted === ''))
  const pick = (group: MeasureGroup & { title: string }, measure: Measure): void => {
    const label = labelOf(group, words(measure.label), measure.key)
    if (condition && !measure.truth) setChosen({ formula: measure.formula, label })
    else onPick(measure.formula, label)
  }
  if (chosen)
    return (
      <div className="h-measures">
        <h3>{chosen.label}</h3>
        <Comparison onDone={(op, value) => onPick(compared(chosen.formula, op, value), chosen.label)} />
        <Button size="small" type="text" onClick={() => setChosen(null)}>
          <Trans>Choose something else</Trans>
        </Button>
      </div>
    )
  return (
    <div className="h-measures" role="group" aria-label={t`What to measure`}>
      <Input
        autoFocus
        allowClear
        placeholder={t`Find: queue, busy, how many…`}
        aria-label={t`Find a measure`}
        value={search}
        onChange={event => setSearch(event.target.value)}
        onKeyDown={event => {
          const [first] = shown
          if (event.key === 'Enter' && first?.measures[0]) pick(first, first.measures[0])
        }}
      />
      <div className="h-measures-list">
        {shown.map(group => (
          <section key={group.id} aria-label={group.title}>
            <h3>
              <KindIcon name={group.element.parent === null ? 'scenario' : iconOf(group.element.kind, group.element.fields)} size={14} />
              {group.title}
            </h3>
            <ul>
              {group.measures.map(measure => (
                <li key={measure.key}>
                  <button type="button" title={measure.formula} onClick={() => pick(group, measure)}>
                    {words(measure.label)}
                  </button>
                </li>
              ))}
              {group.where && wanted === '' && !condition && (
                <li>
                  <HowMany where={group.where} title={group.title} onPick={onPick} />
                </li>
              )}
            </ul>
          </section>
        ))}
        {shown.length === 0 && (
          <p className="h-muted">
            {wanted === '' ? (
              <Trans>Nothing to measure yet. Add agents, a resource, a stock or a variable.</Trans>
            ) : (
              t`Nothing measures “${search.trim()}”.`
            )}
          </p>
        )}
      </div>
    </div>
  )
}

const fits = (wanted: string, title: string, label: Words, formula: string): boolean =>
  wanted === '' || [title, english(label), wordsNow(label), formula].some(text => text.toLowerCase().includes(wanted))

/** What a series is called: the variable itself, or the measure of what. */
const labelOf = ({ title }: { title: string }, measure: string, key: string): string => (key === 'value' ? title : `${title}: ${measure}`)

/** “How many where …”, in three parts. */
function HowMany({ where, title, onPick }: { where: Where; title: string; onPick: Props['onPick'] }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const [name, setName] = useState(where.properties[0]?.name ?? '')
  const property = where.properties.find(one => one.name === name) ?? where.properties[0]
  if (!property) return null
  if (!open)
    return (
      <button type="button" onClick={() => setOpen(true)}>
        {t`How many where…`}
      </button>
    )
  return (
    <div className="h-measure-where">
      <Select
        size="small"
        aria-label={t`Property`}
        value={property.name}
        options={where.properties.map(one => ({ value: one.name, label: one.name }))}
        onChange={setName}
      />
      <Comparison
        key={property.name}
        is={property.is}
        values={property.values}
        onDone={(op, value) => onPick(countWhere(where.population, property, op, value), `${title}: ${compared(property.name, op, value)}`)}
      />
    </div>
  )
}

type ComparisonProps = { is?: 'number' | 'truth' | 'text'; values?: readonly string[]; onDone: (op: string, value: string) => void }

/** An operator and its right operand. */
function Comparison({ is = 'number', values = [], onDone }: ComparisonProps) {
  const { t } = useLingui()
  const words = useWords()
  const [op, setOp] = useState(is === 'number' ? 'more' : 'is')
  const [value, setValue] = useState(is === 'truth' ? 'True' : is === 'text' ? JSON.stringify(values[0] ?? '') : '0')
  const signs = Object.entries(comparisons).filter(([id]) => is === 'number' || id === 'is' || id === 'not')
  return (
    <>
      <Select
        size="small"
        aria-label={t`Comparison`}
        value={op}
        options={signs.map(([id, { label }]) => ({ value: id, label: words(label) }))}
        onChange={setOp}
      />
      {is === 'number' ? (
        <Input
          size="small"
          aria-label={t`Value`}
          value={value}
          onChange={event => setValue(event.target.value)}
          onPressEnter={() => onDone(op, value.trim() || '0')}
        />
      ) : (
        <Select
          size="small"
          aria-label={t`Value`}
          value={value}
          options={
            is === 'truth'
              ? [
                  { value: 'True', label: t`yes` },
                  { value: 'False', label: t`no` },
                ]
              : values.map(one => ({ value: JSON.stringify(one), label: one }))
          }
          onChange={setValue}
        />
      )}
      <Button size="small" type="primary" onClick={() => onDone(op, value.trim() || '0')}>
        <Trans>Use</Trans>
      </Button>
    </>
  )
}
