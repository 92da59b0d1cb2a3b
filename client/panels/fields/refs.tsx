// Controls that point at other elements: one, or several. Elements are found by name and told apart by their place.
import { AimOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Button, Select, Tooltip } from 'antd'
import { kindOf } from '../../../model-schema/kinds.ts'
import type { Id, Model } from '../../../model-schema/model.ts'
import { iconOf } from '../../canvas/icons.ts'
import { pathTo, scenarioOf, titleOf } from '../../editor/grammar.ts'
import { useEditor, useModelLater } from '../../editor/useEditor.ts'
import { useWords } from '../../i18n/locale.ts'
import { KindIcon } from '../KindIcon.tsx'
import { blankOf } from '../visible.ts'
import type { ControlProps } from './control.ts'
import { verbatim, type Words } from '../../../model-schema/words.ts'

type Option = { readonly value: Id; readonly name: string; readonly place: string; readonly label: string; readonly icon: string }

export function RefControl({ id, field, value, disabled, set, element, elements }: ControlProps) {
  const { t } = useLingui()
  const words = useWords()
  const editor = useEditor()
  const model = useModelLater()
  if (field.type.as !== 'ref') return null
  const options = optionsFor(model, elements[0] ?? element.id, field.type.to, words)
  const chosen = typeof value === 'string' ? value : undefined
  const known = chosen === undefined || options.some(option => option.value === chosen)
  return (
    <span className="h-ref">
      <Select
        id={id}
        className="h-wide"
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        disabled={disabled}
        status={known ? '' : 'error'}
        value={known ? chosen : t`No longer there`}
        placeholder={
          value === undefined
            ? t`Different values`
            : blankOf(field.help, words) || wanted(field.type.to, words, options.length, t`Nothing to choose: add one first`)
        }
        options={[...options]}
        optionRender={optionLine}
        labelRender={label => options.find(option => option.value === label.value)?.name ?? label.label}
        onChange={next => set(next ?? null)}
      />
      {chosen !== undefined && known && (
        <Tooltip title={t`Go to it`}>
          <Button type="text" size="small" icon={<AimOutlined />} aria-label={t`Go to it`} onClick={() => editor.reveal(chosen)} />
        </Tooltip>
      )}
    </span>
  )
}

export function RefsControl({ id, field, value, disabled, set, element, elements }: ControlProps) {
  const { t } = useLingui()
  const words = useWords()
  const model = useModelLater()
  if (field.type.as !== 'refs') return null
  const options = optionsFor(model, elements[0] ?? element.id, field.type.to, words)
  const chosen = Array.isArray(value) ? value.filter(one => typeof one === 'string') : []
  return (
    <Select
      id={id}
      className="h-wide"
      mode="multiple"
      showSearch={{ optionFilterProp: 'label' }}
      disabled={disabled}
      value={chosen}
      placeholder={value === undefined ? t`Different values` : blankOf(field.help, words) || t`All`}
      options={[...options]}
      optionRender={optionLine}
      onChange={next => set(next)}
    />
  )
}

function optionLine({ data: option }: { data: Option }) {
  return (
    <span className="h-option">
      <KindIcon name={option.icon} />
      <span>{option.name}</span>
      {option.place !== '' && <small>{option.place}</small>}
    </span>
  )
}

/** Elements of these kinds in the scenario, with where they stand. */
export function optionsFor(model: Model, from: Id, kinds: readonly string[], words: (words: Words) => string): readonly Option[] {
  const scenario = scenarioOf(model, from)
  const options: Option[] = []
  const walk = (id: Id): void => {
    for (const child of model.elements.get(id)?.children ?? []) {
      const element = model.elements.get(child)
      if (!element) continue
      if (kinds.includes(element.kind)) {
        const place = pathTo(model, child)
          .slice(1, -1)
          .map(outer => titleOf(outer, words))
          .join(' › ')
        const name = titleOf(element, words)
        options.push({
          value: child,
          name,
          place,
          label: place === '' ? name : `${name} ${place}`,
          icon: iconOf(element.kind, element.fields),
        })
      }
      walk(child)
    }
  }
  if (scenario) walk(scenario)
  return options
}

function wanted(kinds: readonly string[], words: (words: Words) => string, count: number, none: string): string {
  if (count === 0) return none
  return kinds.length > 3 ? '…' : kinds.map(kind => words(kindOf(kind)?.label ?? verbatim(kind))).join(' / ')
}
