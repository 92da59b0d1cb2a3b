// Controls that refer to one or several other elements. Elements are found by name; their place distinguishes equal names.
import { AimOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Button, Select, Tooltip } from 'antd'
import { place } from '../../../model-schema/edit.ts'
import { kindOf } from '../../../model-schema/kinds.ts'
import type { Id, Model } from '../../../model-schema/model.ts'
import { iconOf } from '../../canvas/icons.ts'
import { pathTo, scenarioOf, titleOf } from '../../editor/grammar.ts'
import { freeSpot } from '../../editor/geometry/room.ts'
import type { Editor } from '../../editor/editor.ts'
import { useModelLater, useScope } from '../../editor/useEditor.ts'
import { useWords } from '../../i18n/locale.ts'
import { KindIcon } from '../KindIcon.tsx'
import { blankOf } from '../visible.ts'
import type { ControlProps } from './control.ts'
import { verbatim, type Words } from '../../../model-schema/words.ts'

type Option = { readonly value: Id; readonly name: string; readonly place: string; readonly label: string; readonly icon: string }

export function RefControl({ id, field, value, disabled, set, element, elements }: ControlProps) {
  const { t } = useLingui()
  const words = useWords()
  const { editor, stand } = useScope()
  const model = useModelLater()
  if (field.type.as !== 'ref') return null
  const options = optionsFor(model, elements[0] ?? element.id, field.type.to, words)
  const chosen = typeof value === 'string' ? value : undefined
  const known = chosen === undefined || options.some(option => option.value === chosen)
  // If the reference takes one kind that can be placed next to the element, a new one can be added at once.
  const [only, other] = field.type.to
  const kind = only === undefined || other !== undefined || stand !== undefined ? undefined : kindOf(only)
  const made = kind?.on.includes('root') === true ? words(kind.label).toLocaleLowerCase() : ''
  const making: Option[] =
    made === '' ? [] : [{ value: anew, name: t`New ${made}`, place: '', label: t`New ${made}`, icon: iconOf(only ?? '', {}) }]
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
            : blankOf(field.help, words) || wanted(field.type.to, words, options.length + making.length, t`None yet`)
        }
        options={[...options, ...making]}
        optionRender={optionLine}
        labelRender={label => options.find(option => option.value === label.value)?.name ?? label.label}
        onChange={next =>
          next === anew && kind
            ? editor.gesture(() => set(putBeside(editor, element.id, kind.id, kind.size) ?? chosen ?? null))
            : set(next ?? null)
        }
      />
      {chosen !== undefined && known && (
        <Tooltip title={t`Go to it`}>
          <Button
            type="text"
            size="small"
            icon={<AimOutlined aria-hidden />}
            aria-label={t`Go to it`}
            onClick={() => editor.reveal(chosen)}
          />
        </Tooltip>
      )}
    </span>
  )
}

/** Chosen to make what is missing. */
const anew = '+'

/** Puts an element of a kind on the canvas of the scenario, below the referring one if that is on the same canvas. */
function putBeside(editor: Editor, from: Id, kind: string, [w, h]: readonly [number, number]): Id | null {
  const { model, scene } = editor
  const parent = scenarioOf(model, from)
  if (parent === null) return null
  const beside = editor.view.getState().canvas === parent ? scene.box(from) : undefined
  const lowest = Math.max(0, ...(model.elements.get(parent)?.children ?? []).map(id => bottomOf(model, id)))
  const spot = beside ? freeSpot(scene, { x: beside.x, y: beside.y + beside.h + 16, w, h }) : { x: 0, y: lowest + 32 }
  return editor.tell(place(editor.doc, { kind, parent, at: [spot.x, spot.y] }))
}

function bottomOf(model: Model, id: Id): number {
  const [, y, , h] = model.elements.get(id)?.geo ?? [0, 0, 0, 0]
  return y + h
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

/** Elements of these kinds in the scenario, each with its place. */
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
