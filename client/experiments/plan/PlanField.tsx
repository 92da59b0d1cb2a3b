// One field of the plan: its label with help, the control of its type, what is wrong with it. Drawn from the metamodel.
import { useLingui } from '@lingui/react/macro'
import { Button, Input, Select } from 'antd'
import { lazy, Suspense, type ReactNode } from 'react'
import { setField } from '../../../model-schema/edit.ts'
import { kindOf } from '../../../model-schema/kinds.ts'
import type { Field, Json } from '../../../model-schema/kinds/kind.ts'
import type { Element } from '../../../model-schema/model.ts'
import { useWords } from '../../i18n/locale.ts'
import { BooleanControl, ChoiceControl, NumberControl, TextControl } from '../../panels/fields/plain.tsx'
import { Help, pressByKey } from '../../panels/fields/FieldRows.tsx'
import { appears, isBlock } from '../../panels/visible.ts'
import { rangeFor, variableCalled } from '../explore.ts'
import { tell, useConducting, useExperiment, write } from '../scope.ts'
import { problemsAt, toneOf } from './problems.ts'
import { SeriesTable } from './SeriesTable.tsx'
import { candidatesOf, makeInput, publicOf, scenarioName } from '../linked.ts'
import { Remove } from './Remove.tsx'
import { english } from '../../../model-schema/words.ts'

const CodeField = lazy(() => import('../../panels/code/CodeField.tsx'))
const MeasureButton = lazy(() => import('../../panels/measures/MeasureButton.tsx'))

/**
 * A field of an element, if its kind has it and the other fields let it be shown. `blank`: what the empty field means, shown
 * in place of its help.
 */
export function PlanField({ element, field: name, blank }: { element: Element; field: string; blank?: string | undefined }) {
  const field = kindOf(element.kind)?.fields.find(one => one.id === name)
  if (!field || !appears(field, element.fields)) return null
  return <Row element={element} field={field} blank={blank} />
}

function Row({ element, field, blank }: { element: Element; field: Field; blank: string | undefined }) {
  const words = useWords()
  const scope = useExperiment()
  const preparation = useConducting(state => state.preparation)
  const problems = problemsAt(preparation?.problems ?? [], element.id, field.id)
  const id = `field-${element.id}-${field.id}`
  return (
    <div
      className="h-field x-field"
      id={`place-${element.id}-${field.id}`}
      data-block={isBlock(field) || undefined}
      data-problem={problems[0] && toneOf(problems[0])}
      onKeyDown={pressByKey}
    >
      <span className="h-field-label" title={words(field.label)}>
        <label htmlFor={id}>{words(field.label)}</label>
        <Help title={words(field.label)} text={words(field.help)} placement="right" />
      </span>
      <div className="h-field-value">
        <PlanControl id={id} element={element} field={field} blank={blank} set={value => write(scope, element.id, field, value)} />
      </div>
      {problems.map(problem => (
        <p className="h-problem" data-severity={toneOf(problem)} role="note" key={`${problem.at.from ?? 0} ${english(problem.words)}`}>
          {words(problem.words)}
        </p>
      ))}
    </div>
  )
}

type ControlProps = { id: string; element: Element; field: Field; blank: string | undefined; set: (value: Json) => void }

function PlanControl({ id, element, field, blank, set }: ControlProps): ReactNode {
  const scope = useExperiment()
  const { session, writable, scenario, model } = scope
  const common = {
    id,
    field,
    element,
    elements: [element.id],
    value: element.fields[field.id] ?? field.initial,
    disabled: !writable,
    blank,
    set,
  }
  if (element.kind === 'decision' && field.id === 'variable') {
    const choose = (name: Json): void => {
      set(name)
      // A range that is not set yet gets a default that suits the variable.
      const variable = model && scenario ? variableCalled(model, scenario, String(name)) : undefined
      if (!model || !variable || element.fields['min'] !== 0 || element.fields['max'] !== 1) return
      for (const [end, value] of Object.entries(rangeFor(model, variable))) tell(setField(session.doc, element.id, end, value))
    }
    return <VariableControl {...common} set={choose} text={String(common.value ?? '')} />
  }
  if (element.kind === 'alternative' && field.id === 'modelScenario')
    return <ScenarioControl {...common} text={String(common.value ?? '')} />
  const measure = (formula: string, label: string): void => {
    set(formula)
    if (element.fields['name'] === '') tell(setField(session.doc, element.id, 'name', label))
  }
  switch (field.type.as) {
    case 'number':
      return <NumberControl {...common} />
    case 'boolean':
      return <BooleanControl {...common} />
    case 'choice':
      return <ChoiceControl {...common} />
    case 'formula':
      return (
        <Suspense fallback={<pre className="h-code">{String(common.value ?? '') || ' '}</pre>}>
          {writable && scenario && element.kind !== 'decision' && (
            <MeasureButton owner={element.id} field={field.id} from={scenario} onPick={(formula, label) => measure(formula, label)} />
          )}
          <CodeField
            key={`${element.id}/${field.id}/${writable}`}
            id={id}
            doc={session.doc}
            undo={session.undo}
            session={session}
            element={element.id}
            owner={scenario ?? ''}
            field={field}
            long={false}
            text={String(common.value ?? '')}
            shared={writable}
            disabled={!writable}
            mixed={false}
            set={set}
          />
        </Suspense>
      )
    case 'rows':
      return field.id === 'data' ? <SeriesTable {...common} /> : <ValuesControl {...common} />
    default:
      return <TextControl {...common} />
  }
}

type Common = { id: string; text: string; disabled: boolean; set: (value: Json) => void }

/** The variables of the scenario by name, with what they are now. One that was no input yet becomes one. */
function VariableControl({ id, text, disabled, set, label }: Common & { label?: string }) {
  const { t } = useLingui()
  const { publics, model, linked, scenario } = useExperiment()
  const others = candidatesOf(linked, scenario)
  const known = publicOf(publics, text)
  return (
    <Select
      id={id}
      className="h-wide"
      showSearch={{ optionFilterProp: 'value' }}
      {...(text === '' ? {} : { value: known?.name ?? text })}
      placeholder={t`Choose a variable`}
      aria-label={label}
      disabled={disabled}
      {...(known || text === '' || model === null ? {} : { status: 'error' as const })}
      notFoundContent={model === null ? t`Link a model first.` : t`The model has no variable yet. Add one in the model editor.`}
      onChange={(next: string) => {
        const other = others.find(({ name }) => name === next)
        if (other) makeInput(linked, other.id)
        set(next)
      }}
      options={[...publics, ...others].map(({ name, initial }) => ({
        value: name,
        label: (
          <span className="x-option">
            <bdi>{name}</bdi>
            {initial !== '' && <small className="h-num">{initial}</small>}
          </span>
        ),
      }))}
    />
  )
}

function ScenarioControl({ id, text, disabled, set }: Common) {
  const { t } = useLingui()
  const { model } = useExperiment()
  return (
    <Select
      id={id}
      className="h-wide"
      value={text}
      disabled={disabled}
      onChange={set}
      options={[
        { value: '', label: t`As the experiment` },
        ...(model?.scenarios ?? []).map(scenario => ({ value: scenario, label: model ? scenarioName(model, scenario) : scenario })),
      ]}
    />
  )
}

/** Variables that have another value in an alternative: one line each. */
function ValuesControl({ id, value, disabled, set }: { id: string; value: Json; disabled: boolean; set: (value: Json) => void }) {
  const { t } = useLingui()
  const rows = Array.isArray(value)
    ? value.flatMap(row =>
        typeof row === 'object' && row !== null && !Array.isArray(row)
          ? [{ variable: String(row['variable'] ?? ''), value: String(row['value'] ?? '') }]
          : [],
      )
    : []
  const change = (index: number, patch: Partial<(typeof rows)[number]>): void =>
    set(rows.map((row, i) => (i === index ? { ...row, ...patch } : row)))
  return (
    <div className="x-values" id={id}>
      {rows.map((row, index) => (
        // A record has no identity of its own: its place is its key.
        // eslint-disable-next-line react/no-array-index-key
        <div className="x-value" key={index}>
          <VariableControl
            id={`${id}-${index}`}
            label={t`Variable`}
            text={row.variable}
            disabled={disabled}
            set={next => change(index, { variable: String(next) })}
          />
          <Input
            // What others write shows at once; what is typed is written when it is left.
            key={row.value}
            defaultValue={row.value}
            aria-label={t`Value`}
            disabled={disabled}
            onBlur={event => event.target.value !== row.value && change(index, { value: event.target.value })}
            onPressEnter={event => event.currentTarget.blur()}
          />
          {!disabled && <Remove label={t`Remove`} remove={() => set(rows.filter((_, i) => i !== index))} />}
        </div>
      ))}
      {!disabled && (
        <Button size="small" type="dashed" block onClick={() => set([...rows, { variable: '', value: '' }])}>
          {t`Set a variable`}
        </Button>
      )}
    </div>
  )
}
