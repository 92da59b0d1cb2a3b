// What can be put on a dashboard, for one of its runs: charts, views, controls; texts and images, which need no run. And the runs themselves.
import { PlusOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Select } from 'antd'
import { useState } from 'react'
import { setField } from '../../model-schema/edit.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Id } from '../../model-schema/model.ts'
import { iconOf } from '../canvas/icons.ts'
import { firstPlot } from '../charts/firstPlot.ts'
import { useWords } from '../i18n/locale.ts'
import { KindIcon } from '../panels/KindIcon.tsx'
import { addAssociation, addCard } from './edits.ts'
import { useTitle } from './containers/Containers.tsx'
import { reveal } from './CardBody.tsx'
import { controlFor, firstChart, firstControl, publicVariables, type Fields } from './offers.ts'
import { ModelPicker } from './pickers.tsx'
import { containerOf, markOf, tell, useBoard } from './scope.ts'
import { verbatim } from '../../model-schema/words.ts'

const chartTypes = ['line', 'area', 'bar', 'pie', 'scatter', 'histogram', 'box', 'heat', 'table', 'value'] as const
const controlTypes = ['slider', 'number', 'switch', 'select', 'text', 'longText', 'button'] as const
const layouts = ['row', 'column', 'collapse', 'slides', 'panel'] as const

/** `chosen` is called with the added element. */
export function AddPanel({ chosen }: { chosen?: () => void }) {
  const { t } = useLingui()
  const words = useWords()
  const { session, dashboard, runs, select, selected, editing } = useBoard()
  const [asked, setAsked] = useState<Id | null>(null)
  const { associations } = dashboard
  const association = associations.find(({ id }) => id === asked) ?? associations[0]
  const run = runs.get(association?.id ?? '')
  const ready = run?.state === 'open' ? { model: run.model.getState().model, scenario: run.run.scenario } : null

  const container = containerOf(dashboard, selected)
  const titleOf = useTitle()
  const into = container ? titleOf(container) : ''
  /** Charts, views and controls belong to the run; all else to the page. */
  const add = (kind: string, values: Fields): void => {
    // A chart file has one chart: what is chosen is how it is drawn.
    const [only] = dashboard.is === 'chart' ? associations.flatMap(({ cards }) => cards) : []
    if (only) {
      tell(setField(session.doc, only.id, 'type', values['type'] ?? 'line'))
      return select(only.id)
    }
    const isPanel = values['layout'] === 'panel'
    const ofRun = !(kind === 'plot' && values['source'] === 'table') && kind !== 'note' && kind !== 'image' && kind !== 'cardGroup'
    // Cards in a panel are shown for all runs.
    const fields =
      container?.layout === 'panel' && associations.length > 1 && values['target'] !== undefined ? { ...values, everyRun: true } : values
    const home = container && !isPanel ? container.element.id : ofRun ? (association?.id ?? dashboard.id) : dashboard.id
    const made = addCard(session.doc, dashboard, { parent: home, run: container && ofRun ? (association?.id ?? null) : null }, kind, fields)
    if (!tell(made) || typeof made !== 'string') return
    select(made)
    reveal(made)
    chosen?.()
  }
  const offer = (kind: string, values: Fields, label: string, act: () => void, off: boolean) => (
    <button key={`${kind} ${label}`} type="button" className="d-offer" disabled={off || !editing} onClick={act}>
      <KindIcon name={iconOf(kind, values)} size={18} />
      <span>{label}</span>
    </button>
  )
  const choices = (kind: string, field: string): ReadonlyMap<string, string> => {
    const type = kindOf(kind)?.fields.find(one => one.id === field)?.type
    return new Map(type?.as === 'choice' ? Object.entries(type.options).map(([value, label]) => [value, words(label)]) : [])
  }
  const charts = choices('chart', 'type')
  const controls = choices('controller', 'type')
  const arrangements = choices('cardGroup', 'layout')
  const label = (kind: string): string => words(kindOf(kind)?.label ?? verbatim(kind))
  const control = (type: string): Fields => {
    const found = ready ? firstControl(ready.model, ready.scenario, type, association?.cards ?? []) : { type }
    // What is bound to nothing has no name to borrow.
    return 'target' in found || 'process' in found ? found : { ...found, name: controls.get(type) ?? type }
  }
  const [firstPublic] = ready ? publicVariables(ready.model, ready.scenario) : []
  const usual = firstPublic ? controlFor(firstPublic.initial) : null

  return (
    <div className="d-add">
      <Runs />
      {container && (
        <p className="d-into">
          <span>
            <Trans>New cards go into {into}.</Trans>
          </span>
          <Button type="link" size="small" onClick={() => select(null)}>
            <Trans>Put them on the page</Trans>
          </Button>
        </p>
      )}
      {association && (
        <>
          {associations.length > 1 && (
            <label className="d-for">
              <Trans>New cards belong to</Trans>
              <Select
                size="small"
                className="h-wide"
                value={association.id}
                options={associations.map(one => ({ value: one.id, label: one.name || t`Run` }))}
                onChange={setAsked}
              />
            </label>
          )}
          <h3>
            <Trans>Charts</Trans>
          </h3>
          <div className="d-offers-grid">
            {dashboard.is === 'dashboard' && offer('plot', {}, label('plot'), () => add('plot', firstPlot(ready)), !ready)}
            {chartTypes.map(type =>
              offer(
                'chart',
                { type },
                charts.get(type) ?? type,
                () => add('chart', ready ? firstChart(ready.model, ready.scenario, type) : { type }),
                !ready,
              ),
            )}
          </div>
          {dashboard.is === 'dashboard' && (
            <>
              <h3>
                <Trans>Views</Trans>
              </h3>
              <div className="d-offers-grid">
                {['worldView', 'networkChart'].map(kind => offer(kind, {}, label(kind), () => add(kind, {}), !ready))}
              </div>
            </>
          )}
        </>
      )}
      {dashboard.is === 'dashboard' && (
        <>
          <h3>
            <Trans>Controls</Trans>
          </h3>
          <div className="d-offers-grid">
            {controlTypes
              .toSorted((a, b) => Number(b === usual) - Number(a === usual))
              .map(type => offer('controller', { type }, controls.get(type) ?? type, () => add('controller', control(type)), false))}
          </div>
          <h3>
            <Trans>Words and pictures</Trans>
          </h3>
          <div className="d-offers-grid">
            {offer('plot', { source: 'table' }, t`Chart of a table`, () => add('plot', firstPlot(null)), false)}
            {['note', 'image'].map(kind => offer(kind, {}, kind === 'note' ? t`Text` : label(kind), () => add(kind, {}), false))}
          </div>
          <h3>
            <Trans>Layout</Trans>
          </h3>
          <div className="d-offers-grid">
            {layouts.map(layout =>
              offer('cardGroup', { layout }, arrangements.get(layout) ?? layout, () => add('cardGroup', { layout }), false),
            )}
          </div>
        </>
      )}
    </div>
  )
}

/** The associations, each opened by a click; and a new one. */
function Runs() {
  const { t } = useLingui()
  const { session, dashboard, editing, selected, select } = useBoard()
  const [choosing, setChoosing] = useState(false)
  const { associations } = dashboard
  const most = dashboard.is === 'chart' ? 1 : 8
  return (
    <>
      <h3>
        <Trans>Model runs</Trans>
        {editing && associations.length > 0 && associations.length < most && (
          <Button
            type="text"
            size="small"
            icon={<PlusOutlined aria-hidden />}
            aria-label={t`Add a run`}
            onClick={() => setChoosing(!choosing)}
          />
        )}
      </h3>
      <ul className="d-runs">
        <li>
          <button type="button" aria-pressed={selected === null || selected === dashboard.id} onClick={() => select(null)}>
            <span>{dashboard.is === 'chart' ? t`Chart page` : t`Whole page`}</span>
          </button>
        </li>
        {associations.map(({ id, name }) => (
          <li key={id}>
            <button type="button" aria-pressed={selected === id} onClick={() => select(selected === id ? null : id)}>
              <i style={{ background: markOf(dashboard, id) }} />
              <span>{name || t`Run`}</span>
            </button>
          </li>
        ))}
      </ul>
      {editing && (choosing || associations.length === 0) && (
        <ModelPicker
          value=""
          choose={model => {
            setChoosing(false)
            const made = addAssociation(session.doc, dashboard, model.id, model.name)
            if (tell(made) && typeof made === 'string') select(made)
          }}
        />
      )}
    </>
  )
}
