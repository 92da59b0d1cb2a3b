// Random edits as people make them, through the doors of edit.ts, for the laws and the convergence fuzz.
import type * as Y from 'yjs'
import { modelOf, textOf } from '../../model-schema/document.ts'
import {
  addScenario,
  connect,
  copy,
  duplicate,
  duplicateScenario,
  group,
  insertStep,
  LOCAL,
  move,
  paste,
  place,
  reconnect,
  remove,
  removeScenario,
  rename,
  reorder,
  reparent,
  setBends,
  setField,
  setLocked,
  setText,
  setTint,
  ungroup,
} from '../../model-schema/edit.ts'
import { kindOf, kinds, kindsOn } from '../../model-schema/kinds.ts'
import type { Field, Json } from '../../model-schema/kinds/kind.ts'
import { canvasOf } from '../../model-schema/lawful.ts'
import type { Element, Id } from '../../model-schema/model.ts'
import type { Chance } from './random.ts'

/** Makes one random edit and says in one line what it was. */
export function randomEdit(doc: Y.Doc, random: Chance): string {
  const model = modelOf(doc)
  const all = [...model.elements.values()]
  const canvases = all.filter(element => canvasOf(element) !== null)
  const boxes = all.filter(element => !element.ends && element.parent !== null)
  const connectors = all.filter(element => element.ends)
  const makeId = (): Id => `e${random.below(2 ** 31).toString(36)}${random.below(2 ** 31).toString(36)}`
  const some = (from: readonly Element[], most: number): Id[] =>
    from.length === 0 ? [] : [...new Set(Array.from({ length: 1 + random.below(most) }, () => random.pick(from).id))]
  const point = (): [number, number] => [random.below(2000) - 500, random.below(2000) - 500]
  const told = (what: string, result: unknown): string =>
    `${what} -> ${typeof result === 'object' && result !== null && 'refused' in result ? 'refused' : JSON.stringify(result)}`

  switch (random.below(22)) {
    case 0:
    case 1:
    case 2:
    case 3: {
      const canvas = random.pick(canvases)
      const offered = kindsOn(canvasOf(canvas) ?? 'root').filter(kind => !kind.joins)
      const inner = offered.filter(kind => kind.opens)
      const kind = random.pick(inner.length > 0 && random.chance(0.3) ? inner : offered)
      const [x, y] = point()
      return told(`place ${kind.id} in ${canvas.id}`, place(doc, { kind: kind.id, parent: canvas.id, at: [x, y], id: makeId() }))
    }
    case 4:
    case 5: {
      const canvas = random.pick(canvases.filter(canvas => canvas.children.length > 1).concat(random.pick(canvases)))
      const ends = canvas.children.filter(id => !model.elements.get(id)?.ends)
      if (ends.length < 2) return 'connect nothing'
      const kind = random.chance(0.8) ? 'flow' : random.pick(kinds.filter(kind => kind.joins)).id
      const [from, to] = [random.pick(ends), random.pick(ends)]
      return told(`connect ${kind} ${from} ${to}`, connect(doc, { kind, from, to, id: makeId() }))
    }
    case 6:
    case 7: {
      const ids = some(boxes, 3)
      move(
        doc,
        ids.map(id => ({ id, geo: [...point(), 40 + random.below(100), 40] })),
      )
      return `move ${ids.join()}`
    }
    case 8:
    case 9: {
      const element = random.pick(all)
      const fields = kindOf(element.kind)?.fields ?? []
      if (fields.length === 0) return 'set nothing'
      const field = random.pick(fields)
      const value = randomValue(field, all, random)
      return told(`set ${element.id}.${field.id}`, setField(doc, element.id, field.id, value))
    }
    case 10: {
      const [id] = some(all, 1)
      const element = model.elements.get(id ?? '')
      const field = kindOf(element?.kind ?? '')?.fields.find(field => field.type.as === 'formula')
      if (!id || !field) return 'type nothing'
      const text = textOf(doc, id, field.id)
      // As an editor's binding does: into the shared text, by itself.
      if (text)
        doc.transact(
          () =>
            text.length > 0 && random.chance(0.3)
              ? text.delete(random.below(text.length), 1)
              : text.insert(random.below(text.length + 1), random.text(4).toWellFormed()),
          LOCAL,
        )
      else setText(doc, id, field.id, random.text(6))
      return `type in ${id}.${field.id}`
    }
    case 11: {
      const ids = some(boxes, 2)
      return told(`remove ${ids.join()}`, ids.length > 0 ? remove(doc, ids) : null)
    }
    case 12:
    case 18: {
      // Mostly into each other: two people doing so at once make a ring.
      const nesting = boxes.filter(element => canvasOf(element) === 'process')
      const [ids, canvas] =
        nesting.length > 1 && random.chance(0.7) ? [some(nesting, 1), random.pick(nesting).id] : [some(boxes, 2), random.pick(canvases).id]
      return told(`reparent ${ids.join()} to ${canvas}`, reparent(doc, ids, canvas))
    }
    case 13: {
      const canvas = random.pick(canvases)
      if (canvas.children.length === 0) return 'reorder nothing'
      const id = random.pick(canvas.children)
      const before = random.chance(0.3) ? null : random.pick(canvas.children)
      return told(`reorder ${id} before ${before}`, reorder(doc, id, before))
    }
    case 14: {
      if (connectors.length === 0) return 'reconnect nothing'
      const connector = random.pick(connectors)
      if (random.chance(0.4)) return told(`bend ${connector.id}`, setBends(doc, connector.id, [point()]))
      const other = boxes.length > 0 ? random.pick(boxes).id : ''
      return told(`reconnect ${connector.id} to ${other}`, reconnect(doc, connector.id, random.chance(0.5) ? 'from' : 'to', other))
    }
    case 15: {
      const ids = some(boxes, 3)
      if (model.elements.size > 150) return 'copy nothing'
      if (random.chance(0.5)) return told(`duplicate ${ids.join()}`, duplicate(doc, ids, [10, 10], makeId))
      const canvas = random.pick(canvases).id
      return told(`paste ${ids.join()} on ${canvas}`, paste(doc, JSON.stringify(copy(model, ids)), canvas, point(), makeId))
    }
    case 19: {
      const canvas = random.pick(canvases)
      const ids = canvas.children.length === 0 ? [] : Array.from({ length: 1 + random.below(4) }, () => random.pick(canvas.children))
      if (random.chance(0.65)) return told(`group ${ids.join()}`, group(doc, ids, makeId()))
      const groups = model.elements.get(ids[0] ?? '')?.groups ?? []
      // As a click takes it: the whole group, or what happens to be in hand.
      const members = canvas.children.filter(id => model.elements.get(id)?.groups?.includes(groups[0] ?? ''))
      return told(`ungroup ${members.join()}`, ungroup(doc, members.length > 0 ? members : ids))
    }
    case 20: {
      const ids = some(all, 2)
      if (random.chance(0.3)) {
        setTint(doc, ids, random.chance(0.7) ? '#12ab9f' : null)
        return `tint ${ids.join()}`
      }
      const on = random.chance(0.4)
      setLocked(doc, ids, on)
      return `${on ? 'lock' : 'unlock'} ${ids.join()}`
    }
    case 21: {
      const flows = connectors.filter(element => element.kind === 'flow')
      if (flows.length === 0) return 'insert nothing'
      const flow = random.pick(flows)
      const around = model.elements.get(flow.parent ?? '')?.children.filter(id => !model.elements.get(id)?.ends) ?? []
      if (around.length === 0) return 'insert nothing'
      const step = random.pick(around)
      return told(`insert ${step} into ${flow.id}`, insertStep(doc, flow.id, step, makeId()))
    }
    case 16: {
      const [id] = some(all, 1)
      return told(`rename ${id}`, rename(doc, id ?? '', random.text(6) + (random.chance(0.1) ? '\ude00' : '')))
    }
    default: {
      const scenario = random.pick(model.scenarios)
      const which = random.below(3)
      if (which === 0) return told('add scenario', addScenario(doc, undefined, makeId()))
      if (which === 1 && model.elements.size < 100)
        return told(`duplicate scenario ${scenario}`, duplicateScenario(doc, scenario, undefined, makeId))
      return told(`remove scenario ${scenario}`, removeScenario(doc, scenario))
    }
  }
}

/** A value that the field holds, most of the time. */
export function randomValue(field: Field, all: readonly Element[], random: Chance): Json {
  const { type } = field
  if (random.chance(0.05)) return random.pick<Json>([null, 7, 'odd', [], {}, true])
  switch (type.as) {
    case 'boolean':
      return random.chance(0.5)
    case 'number':
      return type.integer ? random.below(100) : random.next()
    case 'choice':
      return random.pick(Object.keys(type.options))
    case 'color':
      return '#12ab9f'
    case 'ref':
      return random.pick(all).id
    case 'refs':
      return [random.pick(all).id]
    case 'rows':
      return Array.from({ length: random.below(3) }, () =>
        Object.fromEntries(type.columns.map(column => [column.id, randomValue(column, all, random)])),
      )
    case 'rich':
      return random.chance(0.5)
        ? random.text(12)
        : {
            type: 'doc',
            content: [{ type: 'paragraph', content: [{ type: 'text', text: `x${random.text(3)}`, marks: [{ type: 'bold' }] }] }],
          }
    case 'data':
      return random.pick(['', 'AAAA', 'AACAPw=='])
    case 'image':
      return 'data:image/png;base64,AAAA'
    default:
      // Now and then half a character, as a careless program may hand it in.
      return random.text(10) + (random.chance(0.1) ? '\ud83d' : '')
  }
}
