// What an element is and does, in sentences made from the metamodel, the course of its process and who names it.
import { kindOf } from '../../model-schema/kinds.ts'
import type { Words } from '../../model-schema/kinds/kind.ts'
import { sameJson } from '../../model-schema/integrity.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { referencesTo } from '../references.ts'
import { line, nameOf, type Line } from './questions.ts'

/** An element explained; of a process its course, of a scenario what is in it. */
export function explained(model: Model, id: Id): Line[] {
  const element = model.elements.get(id)
  if (!element) return [line('This element is gone.', '该元素已不存在。')]
  const label = labelOf(element)
  const kind = kindOf(element.kind)
  const lines: Line[] = [
    line(`"${nameOf(element)}" is: ${label.en}. ${kind?.help.en ?? ''}`, `“${nameOf(element)}”是${label.zh}。${kind?.help.zh ?? ''}`, id),
  ]
  for (const field of kind?.fields ?? []) {
    const value = element.fields[field.id]
    if (
      field.id === 'name' ||
      value === undefined ||
      sameJson(value, field.initial) ||
      field.type.as === 'image' ||
      field.type.as === 'rich'
    )
      continue
    const cites = [...idsIn(value)].filter(one => model.elements.has(one))
    const shown = (language: 'en' | 'zh'): string =>
      spoken(model, field.type.as === 'choice' && typeof value === 'string' ? (field.type.options[value]?.[language] ?? value) : value)
    lines.push(line(`${field.label.en}: ${shown('en')}`, `${field.label.zh}：${shown('zh')}`, ...cites))
  }
  if (element.ends)
    lines.push(
      line(
        `It leads from "${nameOf(model.elements.get(element.ends.from.id ?? ''))}" to "${nameOf(model.elements.get(element.ends.to.id ?? ''))}".`,
        `它从“${nameOf(model.elements.get(element.ends.from.id ?? ''))}”通向“${nameOf(model.elements.get(element.ends.to.id ?? ''))}”。`,
        ...[element.ends.from.id, element.ends.to.id].filter(end => end !== null),
      ),
    )
  if (kind?.opens === 'process') lines.push(...courseOf(model, element))
  else if (kind?.opens) lines.push(...insideOf(model, element))
  else lines.push(...usersOf(model, element))
  return lines
}

const labelOf = (element: Element): Words => kindOf(element.kind)?.label ?? { en: element.kind, zh: element.kind }

function* idsIn(value: unknown): Iterable<Id> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) yield* idsIn(item)
}

/** A value with ids said as names. */
function spoken(model: Model, value: unknown): string {
  if (typeof value === 'string') {
    const named = model.elements.get(value)
    return named ? nameOf(named) : value.length > 300 ? `${value.slice(0, 300)}…` : value
  }
  if (Array.isArray(value))
    return value
      .slice(0, 8)
      .map(item => spoken(model, item))
      .join('; ')
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .filter(([, item]) => item !== '' && item !== null)
      .map(([key, item]) => `${key} ${spoken(model, item)}`)
      .join(', ')
  return String(value)
}

/** The steps of a process in the order in which tokens reach them. */
function courseOf(model: Model, process: Element): Line[] {
  const inside = process.children.flatMap(id => model.elements.get(id) ?? [])
  const flows = inside.filter(one => one.kind === 'flow' && one.ends)
  const after = (id: Id): Id[] => flows.flatMap(flow => (flow.ends?.from.id === id && flow.ends.to.id !== null ? [flow.ends.to.id] : []))
  const starts = inside.filter(one => one.kind === 'start' || (one.kind === 'boundary' && !flows.some(flow => flow.ends?.to.id === one.id)))
  const seen: Id[] = []
  const waiting = starts.map(({ id }) => id)
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    if (seen.includes(id)) continue
    seen.push(id)
    waiting.push(...after(id))
  }
  return seen.slice(0, 40).map((id, i) => {
    const step = model.elements.get(id)
    const next = after(id).map(one => nameOf(model.elements.get(one)))
    const label = step ? labelOf(step) : { en: '', zh: '' }
    const main = step ? mainOf(model, step) : ''
    return line(
      `${i + 1}. ${nameOf(step)} (${label.en})${main === '' ? '' : `: ${main}`}${next.length > 0 ? ` → ${next.join(', ')}` : ''}`,
      `${i + 1}. ${nameOf(step)}（${label.zh}）${main === '' ? '' : `：${main}`}${next.length > 0 ? ` → ${next.join('、')}` : ''}`,
      id,
    )
  })
}

/** The field that says most of what a step does. */
function mainOf(model: Model, step: Element): string {
  for (const field of ['program', 'duration', 'items', 'every', 'condition', 'process', 'population', 'delay', 'range', 'value']) {
    const value = step.fields[field]
    const initial = kindOf(step.kind)?.fields.find(one => one.id === field)?.initial
    if (value !== undefined && value !== null && value !== '' && !sameJson(value, initial ?? null))
      return spoken(model, value).slice(0, 160)
  }
  return ''
}

function insideOf(model: Model, element: Element): Line[] {
  const byKind = Map.groupBy(
    element.children.flatMap(id => model.elements.get(id) ?? []).filter(one => !one.ends),
    one => one.kind,
  )
  return [...byKind].map(([kind, list]) => {
    const label = kindOf(kind)?.label ?? { en: kind, zh: kind }
    const names = list.slice(0, 12).map(nameOf)
    return line(
      `${label.en} (${list.length}): ${names.join(', ')}`,
      `${label.zh}（${list.length}）：${names.join('、')}`,
      ...list.slice(0, 12).map(({ id }) => id),
    )
  })
}

function usersOf(model: Model, element: Element): Line[] {
  const found = model.scenarios.flatMap(scenario => referencesTo(model, scenario, element.id))
  const readers = [...new Set(found.filter(({ writes }) => !writes).map(({ id }) => id))]
  const writers = [...new Set(found.filter(({ writes }) => writes).map(({ id }) => id))]
  const names = (ids: readonly Id[]): string =>
    ids
      .slice(0, 10)
      .map(id => `"${nameOf(model.elements.get(id))}"`)
      .join(', ')
  const lines: Line[] = []
  if (writers.length > 0) lines.push(line(`Written by ${names(writers)}.`, `由 ${names(writers)} 写入。`, ...writers.slice(0, 10)))
  if (readers.length > 0) lines.push(line(`Read by ${names(readers)}.`, `被 ${names(readers)} 读取。`, ...readers.slice(0, 10)))
  return lines
}
