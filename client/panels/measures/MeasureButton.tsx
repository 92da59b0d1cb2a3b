// The button that opens the list of measures, next to a formula or above a list of them.
import { FunctionOutlined, PlusOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Button, Popover } from 'antd'
import { useState } from 'react'
import { formulaName, kindOf } from '../../../model-schema/kinds.ts'
import type { Element, Id, Model } from '../../../model-schema/model.ts'
import { useScope, useView } from '../../editor/useEditor.ts'
import { MeasurePicker } from './MeasurePicker.tsx'
import { seriesMeasures } from './place.ts'

type Props = {
  /** The element that has the formula. */
  owner: Id
  field: string
  /** The scope of the formula; absent: that of its element. */
  from?: Id | undefined
  condition?: boolean
  /** Adds to a list instead of replacing one formula. */
  adds?: boolean
  onPick: (formula: string, label: string) => void
}

export default function MeasureButton({ owner, field, from, condition = false, adds = false, onPick }: Props) {
  const { t } = useLingui()
  const { editor, stand } = useScope()
  const asked = useView(({ focusField: place }) => (adds && place?.id === owner && place.field === seriesMeasures ? place : null))
  const [open, setOpen] = useState(false)
  const [answered, setAnswered] = useState<typeof asked>(null)
  if (asked !== answered) {
    setAnswered(asked)
    if (asked !== null) setOpen(true)
  }
  const label = adds ? t`Add a measure` : condition ? t`Choose a condition` : t`Choose what to measure`
  const pick = (formula: string, name: string): void => {
    setOpen(false)
    onPick(formula, name)
  }
  return (
    <Popover
      trigger="click"
      placement="leftTop"
      open={open}
      onOpenChange={setOpen}
      destroyOnHidden
      content={<MeasurePicker from={from ?? stand ?? standsFor(editor.model, owner, field)} condition={condition} onPick={pick} />}
    >
      {adds ? (
        <Button size="small" block icon={<PlusOutlined aria-hidden />}>
          {label}
        </Button>
      ) : (
        <Button
          size="small"
          type="text"
          className="h-field-tool"
          icon={<FunctionOutlined aria-hidden />}
          aria-label={label}
          title={label}
        />
      )}
    </Popover>
  )
}

/** From where a formula sees the model: a filter, and what is measured over a population, from inside one of its individuals. */
function standsFor(model: Model, owner: Id, field: string): Id {
  const element = model.elements.get(owner)
  if (!element) return owner
  const { over, range } = element.fields
  if (element.kind === 'statistic') return typeof over === 'string' ? over : (element.parent ?? owner)
  if (field === 'filter' && typeof range === 'string') {
    const chosen = [...model.elements.values()].find(one => isCalled(one, range.trim()))
    if (chosen) return chosen.id
  }
  return element.parent ?? owner
}

const isCalled = (element: Element, name: string): boolean =>
  kindOf(element.kind)?.opens === 'entity' && formulaName(String(element.fields['name'] ?? '')) === name
