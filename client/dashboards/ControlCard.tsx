// A control on the page: bound to a variable or process of its run, or to nothing but other cards.
import { useStore } from 'zustand'
import { needsRun, type Item } from '../../model-schema/dashboard.ts'
import type { Plain } from '../../sim-engine/messages.ts'
import { ControlFace, publicValue } from '../run/ControllerCard.tsx'
import { idField, textField } from '../run/fields.ts'
import type { Run } from '../run/run.ts'
import { interactionsOf, isButton } from './interactions.ts'
import { useBoard } from './scope.ts'

/** `run` is the one it is bound to, null when it is bound to nothing; nothing is set in a `fixed` one. */
export function ControlCard({ item, run, fixed }: { item: Item; run: Run | null; fixed: boolean }) {
  return run && needsRun(item.element) ? <Bound item={item} run={run} fixed={fixed} /> : <Loose item={item} />
}

function Loose({ item }: { item: Item }) {
  const { page } = useBoard()
  // Lists are new with every look: as text they can be compared.
  const text = useStore(page, () => JSON.stringify(page.valueOf(item) ?? null))
  const value: Plain = JSON.parse(text)
  return <Face item={item} value={value} off={false} name="" unit="" />
}

function Bound({ item, run, fixed }: { item: Item; run: Run; fixed: boolean }) {
  const { element } = item
  const target = idField(element, 'target')
  const variable = useStore(run.model, ({ model }) => (target === null ? undefined : model.elements.get(target)))
  const value = useStore(run, view => (target === null ? undefined : publicValue(view, target)))
  const status = useStore(run, view => view.status)
  const isUp = status === 'ready' || status === 'playing' || status === 'paused'
  return (
    <Face
      item={item}
      value={value}
      off={fixed || (isButton(element) && !isUp)}
      name={variable ? textField(variable, 'name') : ''}
      unit={variable ? textField(variable, 'unit') : ''}
    />
  )
}

type FaceOf = { item: Item; value: Plain | undefined; off: boolean; name: string; unit: string }

function Face({ item, value, off, name, unit }: FaceOf) {
  const { page, standings } = useBoard()
  const { element } = item
  const isOn = useStore(page, ({ on }) => on.has(element.id))
  // A button that shows or hides is on until it is pressed again; one that only acts is not.
  const toggles = isButton(element) && interactionsOf(element).some(({ act, card }) => act !== 'set' && card !== '')
  return (
    <ControlFace
      element={element}
      name={name}
      unit={unit}
      value={value}
      off={off || standings.get(element.id)?.enabled === false}
      set={next => page.change(item, next)}
      press={() => page.press(item)}
      pressed={toggles ? isOn : undefined}
    />
  )
}
