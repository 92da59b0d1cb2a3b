// Single faults put into models that have none: what people do wrong, or leave half done.
import type * as Y from 'yjs'
import { modelOf } from '../../model-schema/document.ts'
import { layoutOf } from '../../model-schema/document/layout.ts'
import { remove, rename, setField, setText } from '../../model-schema/edit.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Element, Id } from '../../model-schema/model.ts'
import type { Chance } from './random.ts'

type Fault = (doc: Y.Doc, element: Element, random: Chance) => void

const texts = (element: Element): string[] =>
  (kindOf(element.kind)?.fields ?? []).flatMap(({ id, type }) =>
    type.as === 'formula' && typeof element.fields[id] === 'string' && element.fields[id] !== '' ? [id] : [],
  )
const text = (element: Element, field: string): string => String(element.fields[field])
const isStep = (element: Element): boolean => element.parent !== null && kindOf(element.kind)?.family === 'flow' && !element.ends

/** Faults by name, each with the elements it can be put into. */
export const faults: Readonly<Record<string, { fits(element: Element): boolean; put: Fault }>> = {
  'a flow removed': { fits: ({ kind }) => kind === 'flow', put: (doc, { id }) => void remove(doc, [id]) },
  'a step removed': { fits: element => isStep(element) && element.kind !== 'process', put: (doc, { id }) => void remove(doc, [id]) },
  'a data element removed': {
    fits: ({ kind }) => kind === 'container' || kind === 'message',
    put: (doc, { id }) => void remove(doc, [id]),
  },
  'a formula emptied': {
    fits: element => texts(element).length > 0,
    put: (doc, element, random) => void setText(doc, element.id, random.pick(texts(element)), ''),
  },
  'a letter of a name left out': {
    fits: element => texts(element).some(field => /[A-Za-z_]{4,}/.test(text(element, field))),
    put(doc, element, random) {
      const field = random.pick(texts(element).filter(one => /[A-Za-z_]{4,}/.test(text(element, one))))
      const words = [...text(element, field).matchAll(/[A-Za-z_]{4,}/g)]
      const word = random.pick(words)
      const at = word.index + 1 + random.below(word[0].length - 2)
      setText(doc, element.id, field, text(element, field).slice(0, at) + text(element, field).slice(at + 1))
    },
  },
  'a bracket left out': {
    fits: element => texts(element).some(field => /[()[\]]/.test(text(element, field))),
    put(doc, element, random) {
      const field = random.pick(texts(element).filter(one => /[()[\]]/.test(text(element, one))))
      const { index } = random.pick([...text(element, field).matchAll(/[()[\]]/g)])
      setText(doc, element.id, field, text(element, field).slice(0, index) + text(element, field).slice(index + 1))
    },
  },
  'a name used twice': {
    fits: ({ kind, parent }) =>
      parent !== null && kindOf(kind)?.fields.some(({ id, type }) => id === 'name' && type.as === 'name') === true,
    put(doc, element, random) {
      const others = (modelOf(doc).elements.get(element.parent ?? '')?.children ?? []).filter(
        id => id !== element.id && modelOf(doc).elements.get(id)?.kind === element.kind,
      )
      const other = others.length > 0 ? modelOf(doc).elements.get(random.pick(others)) : undefined
      if (other) rename(doc, element.id, String(other.fields['name']))
    },
  },
  'a boundary event torn off': { fits: ({ kind }) => kind === 'boundary', put: (doc, { id }) => void setField(doc, id, 'host', null) },
  'a reference cleared': {
    fits: element =>
      (kindOf(element.kind)?.fields ?? []).some(({ id, type }) => type.as === 'ref' && typeof element.fields[id] === 'string'),
    put(doc, element, random) {
      const refs = (kindOf(element.kind)?.fields ?? []).filter(
        ({ id, type }) => type.as === 'ref' && typeof element.fields[id] === 'string',
      )
      setField(doc, element.id, random.pick(refs).id, null)
    },
  },
  'a condition emptied': {
    fits: ({ kind, fields }) => kind === 'flow' && fields['condition'] !== '',
    put: (doc, { id }) => void setText(doc, id, 'condition', ''),
  },
  'a probability spoilt': {
    fits: ({ kind, fields }) => kind === 'flow' && fields['weight'] !== '',
    put: (doc, { id }) => void setText(doc, id, 'weight', '0.9'),
  },
  'a start made passive': {
    fits: ({ kind, fields }) => kind === 'start' && fields['active'] === true,
    put: (doc, { id }) => void setField(doc, id, 'active', false),
  },
  'an end of a connector lost': {
    fits: ({ ends }) => ends !== null,
    put(doc, { id, ends }, random) {
      const side = random.chance(0.5) ? 'from' : 'to'
      if (ends)
        doc.transact(
          () =>
            layoutOf(doc).conn.set(id, {
              from: { ...ends.from },
              to: { ...ends.to },
              [side]: { id: null, x: ends[side].x, y: ends[side].y },
            }),
          'local',
        )
    },
  },
}

/** Puts one fault of this name in; false when the model has no place for it. */
export function putFault(doc: Y.Doc, name: string, random: Chance): Id | null {
  const fault = faults[name]
  const fits = [...modelOf(doc).elements.values()].filter(element => fault?.fits(element))
  if (!fault || fits.length === 0) return null
  const element = random.pick(fits)
  fault.put(doc, element, random)
  return element.id
}
