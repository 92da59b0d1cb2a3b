// The meaning of a connector between a step and data: the container that the step requests or works on, the input that a value is for. A
// run reads the step's own fields; the line shows them, and drawing it is a short way to set them.
import { setField, type Refusal } from '../../../model-schema/edit.ts'
import { type Json } from '../../../model-schema/kinds/kind.ts'
import type { Element, Id, Model } from '../../../model-schema/model.ts'
import type { Editor } from '../editor.ts'
import { standsFor } from '../grammar.ts'
import { say, type Words } from '../../../model-schema/words.ts'

/** Sets the fields of the step that a new connector means; null when they were set before, or now. */
export function writeMeaning(editor: Editor, kind: string, from: Id, to: Id): Refusal | null {
  const { model } = editor
  const [source, target] = [model.elements.get(from), model.elements.get(to)]
  if (!source || !target) return null
  if (kind === 'containerConnector') return request(editor, source, standsFor(model, target))
  if (kind === 'stateConnector') return handIn(editor, standsFor(model, source), target)
  return null
}

/** Why this connector can't be drawn here: no field could hold its meaning. */
export function meaningless(model: Model, kind: string, from: Id, to: Id): Refusal | null {
  const [source, target] = [model.elements.get(from), model.elements.get(to)]
  if (!source || !target) return null
  if (kind === 'containerConnector' && standsFor(model, target)?.kind !== 'container')
    return refused(say('This reference stands for no container yet.'))
  if (kind !== 'stateConnector') return null
  if (standsFor(model, source)?.kind !== 'variable') return refused(say('This reference stands for no variable yet.'))
  return openInput(model, target) === null ? refused(say('The process that this step runs has no input left to be filled.')) : null
}

function request(editor: Editor, step: Element, container: Element | null): Refusal | null {
  if (!container) return null
  const field = step.kind === 'operate' ? 'items' : 'resources'
  const said = step.kind === 'operate' ? nameOf(container) : container.id
  const rows = rowsOf(step, field)
  if (rows.some(row => row['container'] === said)) return null
  // A row without a container is filled first.
  const blank = rows.findIndex(row => row['container'] === '' || row['container'] === null)
  const row: Row = { amount: '1', key: '', ...rows[blank], container: said }
  return setField(editor.doc, step.id, field, blank < 0 ? [...rows, row] : rows.with(blank, row))
}

function handIn(editor: Editor, data: Element | null, step: Element): Refusal | null {
  const port = openInput(editor.model, step)
  if (!data || port === null) return null
  const rows = rowsOf(step, 'inputs')
  if (rows.some(row => row['value'] === nameOf(data))) return null
  const blank = rows.findIndex(row => row['name'] === port || row['name'] === '')
  const row: Row = { name: port, value: nameOf(data) }
  return setField(editor.doc, step.id, 'inputs', blank < 0 ? [...rows, row] : rows.with(blank, row))
}

/** The first input of the process a step runs that it hands no value to. */
function openInput(model: Model, step: Element): string | null {
  const { process } = step.fields
  const run = typeof process === 'string' ? model.elements.get(process) : undefined
  const filled = new Set(
    rowsOf(step, 'inputs')
      .filter(row => row['value'] !== '')
      .map(row => row['name']),
  )
  for (const id of run?.children ?? []) {
    const port = model.elements.get(id)
    if (port?.kind === 'interface' && port.fields['direction'] !== 'out' && !filled.has(nameOf(port))) return nameOf(port)
  }
  return null
}

type Row = { [key: string]: Json }

const rowsOf = (element: Element, field: string): Row[] => {
  const rows = element.fields[field]
  return Array.isArray(rows) ? rows.filter(isRow) : []
}

const isRow = (value: Json): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

const nameOf = ({ fields: { name } }: Element): string => (typeof name === 'string' ? name : '')

const refused = (words: Words): Refusal => ({ refused: 'wrong-ends', words })
