// The properties of the selection - a card, a run, or the dashboard itself - drawn from the metamodel. Names in a card's formulas are
// resolved in the model of its run.
import { CopyOutlined, DeleteOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Select, Tooltip } from 'antd'
import { useEffect, useMemo, type ReactNode } from 'react'
import { isRefusal, remove, setField, setText, together } from '../../model-schema/edit.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Field, Json } from '../../model-schema/kinds/kind.ts'
import { everyItem, type Item } from '../../model-schema/dashboard.ts'
import type { Element } from '../../model-schema/model.ts'
import { quietHost } from '../editor/quietHost.ts'
import { Editor } from '../editor/editor.ts'
import { EditorContext, type EditorScope } from '../editor/useEditor.ts'
import { PlotProperties } from '../charts/PlotProperties.tsx'
import { useWords } from '../i18n/locale.ts'
import type { Problem } from '../../sim-engine/problems.ts'
import { Control } from '../panels/fields/Control.tsx'
import { FieldRows, Help, pressByKey } from '../panels/fields/FieldRows.tsx'
import { ProblemLine } from '../panels/ProblemLine.tsx'
import { ProblemsContext, useFieldProblems } from '../panels/problems.ts'
import { isBlock, sections, shownFields, type Shown } from '../panels/visible.ts'
import { textField } from '../run/fields.ts'
import { useTitle } from './containers/Containers.tsx'
import { duplicateCard, intoContainer, ontoPage, removeAssociation, toRun } from './edits.ts'
import { InteractionsField, ValueInput } from './InteractionsField.tsx'
import { KeepRun } from './runs/KeepRun.tsx'
import { publicVariables, rangeOf } from './offers.ts'
import { ModelPicker, PublicPicker, ScenarioPicker } from './pickers.tsx'
import { cardsOf, tell, useBoard } from './scope.ts'
import { ChooseStored } from './runs/StoredRun.tsx'
import { defined } from '../ui/defined.ts'
import '../panels/panels.css'

export function Properties() {
  const { session, file, dashboard, runs, selected, editing } = useBoard()
  const element = file.elements.get(selected ?? '') ?? file.elements.get(dashboard.id)
  const placed = cardsOf(dashboard).find(item => item.element.id === element?.id)
  const run = runs.get(placed?.association?.id ?? '')
  // With only one run, all cards belong to it: there is no choice to offer.
  const isOffered = ({ id }: Field, item: Item | undefined): boolean => {
    if (id === 'run' && item) return dashboard.associations.length > 1 || !item.association
    // The file's own name is above the page; a saved or chosen run is no readable text.
    return id !== 'kept' && id !== 'stored' && !(id === 'name' && element?.id === dashboard.id)
  }
  const problems = run?.state === 'open' ? run.faults.get(element?.id ?? '') : undefined
  if (!element) return null
  return (
    <Fields model={run?.state === 'open' ? run.model : session.model} stand={run?.state === 'open' ? run.run.scenario : undefined}>
      <ProblemsContext value={problems ?? noProblems}>
        <FieldRows>
          <section className="h-inspector d-properties" key={element.id}>
            <Head element={element} />
            {placed && <Place item={placed} />}
            {element.kind === 'plot' && (
              <PlotProperties
                session={session}
                element={element}
                of={run?.state === 'open' ? { model: run.model.getState().model, scenario: run.run.scenario } : null}
                disabled={!editing}
              />
            )}
            {sections(shownFields(element.kind === 'plot' ? [] : [element], file).filter(({ field }) => isOffered(field, placed))).map(
              ({ id, shown }) => (
                <Part key={id} id={id}>
                  {shown.map(one => (
                    <Row key={one.field.id} {...one} element={element} />
                  ))}
                </Part>
              ),
            )}
          </section>
        </FieldRows>
      </ProblemsContext>
    </Fields>
  )
}

const noProblems: readonly Problem[] = []

/** Lets the fields of the model editor be used here: they write into the dashboard and look names up in `model`. */
function Fields({ model, stand, children }: Pick<EditorScope, 'model' | 'stand'> & { children: ReactNode }) {
  const { session } = useBoard()
  const editor = useMemo(
    () => new Editor({ doc: session.doc, model: session.model, undo: session.undo, writable: () => session.writable }),
    [session],
  )
  useEffect(() => () => editor.close(), [editor])
  const scope = useMemo<EditorScope>(() => ({ editor, host: quietHost, model, stand }), [editor, model, stand])
  return <EditorContext value={scope}>{children}</EditorContext>
}

function Head({ element }: { element: Element }) {
  const { t } = useLingui()
  const words = useWords()
  const { session, dashboard, select, editing } = useBoard()
  const kind = kindOf(element.kind)
  const label = kind ? words(kind.label) : element.kind
  const title = (element.id === dashboard.id ? '' : textField(element, 'name')) || label
  const association = dashboard.associations.find(({ id }) => id === element.id)
  const isRoot = element.id === dashboard.id
  const drop = (): void => {
    select(null)
    tell(association ? removeAssociation(session.doc, association) : remove(session.doc, [element.id]))
  }
  const copy = (): void => {
    const made = duplicateCard(session.doc, dashboard, element)
    if (made !== null && tell(made) && !isRefusal(made)) select(made)
  }
  return (
    <header className="h-inspector-head">
      <div>
        <h2>
          {title}
          {title !== label && <small>{label}</small>}
        </h2>
        {kind && <Help title={label} text={words(kind.help)} />}
        {editing && !isRoot && !association && (
          <Tooltip title={t`Duplicate (Ctrl+D)`}>
            <Button type="text" icon={<CopyOutlined aria-hidden />} aria-label={t`Duplicate`} onClick={copy} />
          </Tooltip>
        )}
        {editing && !isRoot && (
          <Tooltip title={association ? t`Remove this run and its cards` : t`Delete (Del)`}>
            <Button type="text" icon={<DeleteOutlined aria-hidden />} aria-label={t`Delete`} onClick={drop} />
          </Tooltip>
        )}
      </div>
    </header>
  )
}

/** The place of a card: on the page, or in a container. */
function Place({ item }: { item: Item }) {
  const { t } = useLingui()
  const { session, dashboard, editing } = useBoard()
  const titleOf = useTitle()
  const { id } = item.element
  const inside = new Set(everyItem([item]).map(({ element }) => element.id))
  const containers = cardsOf(dashboard).filter(({ element, layout }) => layout !== null && !inside.has(element.id))
  const holder = containers.find(({ items }) => items.some(({ element }) => element.id === id))
  if (dashboard.is === 'chart' || item.layout === 'panel' || containers.length === 0) return null
  const choose = (next: string): void =>
    void tell(next === '' ? ontoPage(session.doc, dashboard, item) : intoContainer(session.doc, item, next))
  return (
    <div className="h-section">
      <div className="h-field">
        <span className="h-field-label">
          <label htmlFor={`place-${id}`}>
            <Trans>Stands in</Trans>
          </label>
        </span>
        <Select
          id={`place-${id}`}
          className="h-wide"
          disabled={!editing}
          value={holder?.element.id ?? ''}
          options={[{ value: '', label: t`The page` }, ...containers.map(one => ({ value: one.element.id, label: titleOf(one) }))]}
          onChange={choose}
        />
      </div>
    </div>
  )
}

function Part({ id, children }: { id: string; children: ReactNode }) {
  const title: Partial<Record<string, ReactNode>> = {
    appearance: <Trans>Appearance</Trans>,
    advanced: <Trans>Advanced</Trans>,
    timing: <Trans>Timing</Trans>,
    changes: <Trans>Interactions</Trans>,
  }
  const shown = title[id]
  if (shown === undefined) return <div className="h-section">{children}</div>
  return (
    <details className="h-section d-fold" open={id === 'appearance' || id === 'changes'}>
      <summary>{shown}</summary>
      {children}
    </details>
  )
}

function Row({ field, value, element }: Shown & { element: Element }) {
  const words = useWords()
  const { session, editing } = useBoard()
  const problems = useProblemsUnder(element, field)
  const id = `field-${element.id}-${field.id}`
  const set = (next: Json): void => {
    tell(
      field.type.as === 'formula'
        ? setText(session.doc, element.id, field.id, String(next ?? ''))
        : setField(session.doc, element.id, field.id, next),
    )
  }
  const blank = field.id === 'watermarkText' && String(value ?? '').trim() === ''
  return (
    <div
      className="h-field"
      data-block={isBlock(field) || undefined}
      data-problem={blank ? 'error' : problems[0]?.severity}
      onKeyDown={pressByKey}
    >
      {field.id !== 'interactions' && (
        <span className="h-field-label">
          <label htmlFor={id}>{words(field.label)}</label>
          <Help title={words(field.label)} text={words(field.help)} />
        </span>
      )}
      <div className="h-field-value">
        <RowControl id={id} field={field} element={element} value={value} disabled={!editing} set={set} />
        {field.id === 'source' && element.kind === 'association' && (
          <>
            <KeepRun id={element.id} />
            <ChooseStored id={element.id} />
          </>
        )}
        {blank && (
          <p className="h-problem" data-severity="error" role="alert">
            <Trans>A watermark needs a text. Until then none is shown.</Trans>
          </p>
        )}
        {problems.map(problem => (
          <ProblemLine key={`${problem.code} ${problem.at.field ?? ''} ${problem.at.from ?? 0}`} problem={problem} />
        ))}
      </div>
    </div>
  )
}

/** Problems of the field and of the cells of its rows. */
function useProblemsUnder(element: Element, field: Field) {
  const own = useFieldProblems(element.id, field.id)
  const { runs, dashboard } = useBoard()
  const association = cardsOf(dashboard).find(item => item.element.id === element.id)?.association
  const run = runs.get(association?.id ?? '')
  const cells = run?.state === 'open' ? (run.faults.get(element.id) ?? []).filter(({ at }) => at.field?.startsWith(`${field.id}/`)) : []
  return [...own, ...cells]
}

type ControlOf = { id: string; field: Field; element: Element; value: Json | undefined; disabled: boolean; set(value: Json): void }

function RowControl({ id, field, element, value, disabled, set }: ControlOf) {
  const { t } = useLingui()
  const words = useWords()
  const { session, runs, dashboard } = useBoard()
  const item = cardsOf(dashboard).find(one => one.element.id === element.id)
  const run = runs.get(item?.association?.id ?? element.id)
  const target = run?.state === 'open' ? { model: run.model.getState().model, scenario: run.run.scenario } : null
  if (element.kind === 'association' && field.id === 'modelFile')
    return <ModelPicker id={id} value={String(value ?? '')} disabled={disabled} choose={model => set(model.id)} />
  if (element.kind === 'association' && field.id === 'modelScenario')
    return <ScenarioPicker id={id} value={String(value ?? '')} model={target?.model ?? null} disabled={disabled} choose={set} />
  if (field.id === 'run' && item)
    return (
      <Select
        id={id}
        className="h-wide"
        disabled={disabled}
        status={item.association ? '' : 'error'}
        {...defined({ value: item.association?.id })}
        placeholder={t`Choose a run`}
        options={dashboard.associations.map(one => ({ value: one.id, label: one.name || t`Run` }))}
        onChange={(next: string) => tell(toRun(session.doc, dashboard, item, next))}
      />
    )
  if (field.id === 'interactions' && element.kind === 'controller')
    return <InteractionsField element={element} field={field} disabled={disabled} set={set} />
  if (field.id === 'initial' && element.kind === 'controller')
    return <ValueInput id={id} element={element} label={words(field.label)} value={String(value ?? '')} disabled={disabled} set={set} />
  const control = <Control id={id} field={field} element={element} elements={[element.id]} value={value} disabled={disabled} set={set} />
  if (element.kind === 'controller' && field.id === 'target' && target) {
    // A control sets public variables only; a new one brings a range that suits it.
    const variables = publicVariables(target.model, target.scenario)
    return (
      <PublicPicker
        id={id}
        value={typeof value === 'string' ? value : null}
        options={variables.map(one => ({ value: one.id, label: one.name }))}
        disabled={disabled}
        choose={variable => {
          const initial = variables.find(one => one.id === variable)?.initial ?? ''
          together(session.doc, () => {
            set(variable)
            for (const [name, next] of Object.entries(rangeOf(textField(element, 'type'), initial)))
              tell(setField(session.doc, element.id, name, next))
          })
        }}
      />
    )
  }
  return control
}
