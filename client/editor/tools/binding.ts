// Data let go over a chart, a value or a control: it is shown there, or set by it, and stays where it was.
import { isRefusal, setField, type Refusal } from '../../../model-schema/edit.ts'
import { formulaName } from '../../../model-schema/kinds.ts'
import type { Json } from '../../../model-schema/kinds/kind.ts'
import type { Element, Id } from '../../../model-schema/model.ts'
import { bind } from '../../panels/bind.ts'
import type { Editor } from '../editor.ts'
import type { Point } from '../geometry/geometry.ts'

/** The chart or control under the pointer that takes this element; null where it would only be moved. */
export function takerUnder(editor: Editor, id: Id, at: Point): Id | null {
  const data = editor.model.elements.get(id)
  if (!data || measureOf(data) === null) return null
  const taker = editor.scene.boxAt(at, ({ element }) => element.id !== id && takes(element, data))
  return taker?.element.locked ? null : (taker?.id ?? null)
}

const takes = (taker: Element, data: Element): boolean =>
  taker.kind === 'chart' || (taker.kind === 'controller' && taker.fields['type'] !== 'button' && data.kind === 'variable')

/** What a chart shows of an element: a value, a queue or an amount, how many there are. */
function measureOf({ kind, fields }: Element): string | null {
  const name = typeof fields['name'] === 'string' ? formulaName(fields['name']) : ''
  if (name === '') return null
  if (kind === 'variable' || kind === 'statistic') return name
  if (kind === 'container') return fields['reusable'] === true ? `${name}.queue` : `${name}.level`
  return kind === 'agent' || kind === 'link' ? `${name}.count` : null
}

/** Shows the element in the chart, or has the control set it. Part of a gesture. */
export function give(editor: Editor, id: Id, taker: Id): Refusal | null {
  const [data, view] = [editor.model.elements.get(id), editor.model.elements.get(taker)]
  const value = data ? measureOf(data) : null
  if (!data || !view || value === null) return null
  if (view.kind === 'controller') {
    bind(editor, taker, id)
    return null
  }
  const { series } = view.fields
  const rows = (Array.isArray(series) ? series : []).filter(row => valueOf(row) !== '')
  if (rows.some(row => valueOf(row) === value)) return null
  const made = setField(editor.doc, taker, 'series', [...rows, { label: String(data.fields['name']), value, color: '' }])
  return isRefusal(made) ? made : null
}

const valueOf = (row: Json): string =>
  typeof row === 'object' && row !== null && !Array.isArray(row) && typeof row['value'] === 'string' ? row['value'].trim() : ''
