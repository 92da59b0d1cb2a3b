// Two scenarios side by side: settings, initial values, and what else differs.
import { SwapOutlined } from '@ant-design/icons'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button, Modal, Select, Switch, Tooltip } from 'antd'
import { useMemo, useState } from 'react'
import type { Element, Id } from '../../../model-schema/model.ts'
import { iconOf } from '../../canvas/icons.ts'
import { valueText } from '../../history/values.ts'
import { useWords } from '../../i18n/locale.ts'
import { KindIcon } from '../../panels/KindIcon.tsx'
import { pathTo, titleOf, wireTitleOf } from '../grammar.ts'
import { compareScenarios, isBeginning, type ScenarioDifference, type FieldDifference } from '../scenarios.ts'
import { useEditor, useModel, useView } from '../useEditor.ts'

/** Lines shown at once: scenarios that have nothing in common differ in everything. */
const maxDifferencesShown = 300

export function CompareScenarios({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const words = useWords()
  const editor = useEditor()
  const model = useModel(now => now)
  const here = useView(view => view.scenario)
  const [first, setFirst] = useState<Id>(here)
  const [second, setSecond] = useState<Id>(() => model.scenarios.find(id => id !== here) ?? here)
  const [beginnings, setBeginnings] = useState(false)
  const { settings, elements } = useMemo(() => compareScenarios(model, first, second), [model, first, second])
  const shown = beginnings ? elements.filter(isBeginning) : elements
  const nameOf = (id: Id): string => {
    const element = model.elements.get(id)
    return element ? titleOf(element, words) : t`Deleted scenario`
  }
  const choice = (label: string, value: Id, choose: (id: Id) => void) => (
    <Select
      aria-label={label}
      value={value}
      onChange={choose}
      options={model.scenarios.map(id => ({ value: id, label: nameOf(id) }))}
      popupMatchSelectWidth={false}
    />
  )
  const go = (id: Id): void => {
    onClose()
    editor.reveal(id)
  }
  return (
    <Modal open onCancel={onClose} footer={null} width={860} title={t`Compare scenarios`}>
      <div className="h-compare-head">
        {choice(t`One scenario`, first, setFirst)}
        <Tooltip title={t`Swap`}>
          <Button
            type="text"
            icon={<SwapOutlined aria-hidden />}
            aria-label={t`Swap`}
            onClick={() => {
              setFirst(second)
              setSecond(first)
            }}
          />
        </Tooltip>
        {choice(t`The other scenario`, second, setSecond)}
        <label>
          <Switch size="small" checked={beginnings} onChange={setBeginnings} /> <Trans>Only initial values</Trans>
        </label>
      </div>
      {settings.length + shown.length === 0 ? (
        <p className="h-compare-none">
          <Trans>These scenarios do not differ.</Trans>
        </p>
      ) : (
        <div className="h-compare" tabIndex={0} role="region" aria-label={t`What differs`}>
          <table>
            <thead>
              <tr>
                <th scope="col">
                  <span className="h-hidden">
                    <Trans>What</Trans>
                  </span>
                </th>
                <th scope="col">{nameOf(first)}</th>
                <th scope="col">{nameOf(second)}</th>
              </tr>
            </thead>
            {settings.length > 0 && (
              <tbody>
                <tr>
                  <th colSpan={3} scope="rowgroup">
                    <Trans>Settings of the run</Trans>
                  </th>
                </tr>
                {settings.map(difference => (
                  <Line key={difference.field.id} difference={difference} />
                ))}
              </tbody>
            )}
            {shown.slice(0, maxDifferencesShown).map(difference => (
              <Part key={difference.key} difference={difference} show={go} />
            ))}
          </table>
          {shown.length > maxDifferencesShown && (
            <p className="h-compare-none">
              <Plural value={shown.length - maxDifferencesShown} one="and # more element" other="and # more elements" />
            </p>
          )}
        </div>
      )}
    </Modal>
  )
}

function Part({ difference: { one, other, fields }, show }: { difference: ScenarioDifference; show(id: Id): void }) {
  const words = useWords()
  const model = useModel(now => now)
  const element = one ?? other
  if (!element) return null
  const place = pathTo(model, element.id)
    .slice(1, -1)
    .map(outer => titleOf(outer, words))
    .join(' › ')
  const there = (side: Element | null) =>
    side ? (
      <button type="button" className="h-link" onClick={() => show(side.id)}>
        <Trans>Show</Trans>
      </button>
    ) : (
      <span className="h-muted">
        <Trans>is not there</Trans>
      </span>
    )
  return (
    <tbody>
      <tr>
        <th scope="rowgroup">
          <KindIcon name={iconOf(element.kind, element.fields)} size={14} /> {wireTitleOf(model, element, words)}
          {place !== '' && <small>{place}</small>}
        </th>
        <td>{there(one)}</td>
        <td>{there(other)}</td>
      </tr>
      {fields.map(difference => (
        <Line key={difference.field.id} difference={difference} />
      ))}
    </tbody>
  )
}

function Line({ difference: { field, one, other } }: { difference: FieldDifference }) {
  const { t } = useLingui()
  const words = useWords()
  const model = useModel(now => now)
  const speech = { words, yes: t`on`, no: t`off`, picture: t`a picture`, gone: t`something that is gone` }
  const isCode = field.type.as === 'formula' || field.type.as === 'rows'
  const text = (value: typeof one) => valueText(field, value, model, speech)
  return (
    <tr>
      <th scope="row">{words(field.label)}</th>
      {[text(one), text(other)].map((said, i) => (
        // The two sides have no identity but their place.
        <td key={i === 0 ? 'one' : 'other'} className={isCode ? 'h-compare-code' : undefined}>
          {said === '' ? <span className="h-muted">–</span> : said}
        </td>
      ))}
    </tr>
  )
}
