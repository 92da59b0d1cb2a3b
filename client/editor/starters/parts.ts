// Elements as plain data that a person can put on a canvas in one go: skeletons of whole models, and presets of the palette. Names come in both
// languages; a formula says the part it means as `@key`, and gets the name that part has in this model.
import { paste, type Clip, type Refusal } from '../../../model-schema/edit.ts'
import { formulaName, kindOf } from '../../../model-schema/kinds.ts'
import type { Json } from '../../../model-schema/kinds/kind.ts'
import type { Id, Model } from '../../../model-schema/model.ts'
import type { Editor } from '../editor.ts'
import { freeAmong, namesOn } from '../grammar.ts'
import { isWords, type Words } from '../../../model-schema/words.ts'

/** A value of a field; texts that people read come in both languages, at any depth. */
type Value = Json | Words | readonly Value[] | { readonly [key: string]: Value }

type Part = {
  readonly kind: string
  readonly name?: Words
  /** Upper left corner on its canvas. Connectors have none. */
  readonly at?: readonly [number, number]
  readonly size?: readonly [number, number]
  /** The part that contains it. Absent: the canvas itself. */
  readonly in?: string
  readonly from?: string
  readonly to?: string
  readonly values?: { readonly [field: string]: Value }
}

/** Parts by the key that other parts and their formulas know them by. */
export type StarterParts = { readonly [key: string]: Part }

type Speak = (words: Words) => string

/** Steps in a row inside a process, each joined to the next. The keys of the flows are those of the steps they leave, with `_next`. */
export function chain(process: string, steps: readonly (readonly [key: string, step: Omit<Part, 'in' | 'at'>])[], y = 120): StarterParts {
  const parts: Record<string, Part> = {}
  let x = 40
  steps.forEach(([key, step], i) => {
    const [w, h] = kindOf(step.kind)?.size ?? [120, 72]
    parts[key] = { ...step, in: process, at: [x, y - h / 2] }
    x += w + 64
    const next = steps[i + 1]
    if (next) parts[`${key}_next`] = { kind: 'flow', in: process, from: key, to: next[0] }
  })
  return parts
}

/** The parts as a clip, named so that nothing on the canvas is called the same. */
function clipOfParts(parts: StarterParts, model: Model, canvas: Id, words: Speak): Clip {
  const names = namesOf(parts, model, canvas, words)
  const said = (value: Value): unknown => {
    if (typeof value === 'string')
      return value.replace(/@(\w+)/g, (whole, key: string) => (names.has(key) ? formulaName(names.get(key) ?? '') : whole))
    if (value === null || typeof value !== 'object') return value
    if (isList(value)) return value.map(said)
    if (isWords(value)) return words(value)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, said(inner)]))
  }
  const elements: Clip['elements'] = {}
  for (const [key, { kind, at, size, from, to, values = {}, ...part }] of Object.entries(parts)) {
    const [w, h] = size ?? kindOf(kind)?.size ?? [120, 72]
    elements[key] = {
      ...Object.fromEntries(Object.entries(values).map(([field, value]) => [field, said(value)])),
      kind,
      ...(part.in === undefined ? {} : { parent: part.in }),
      ...(at ? { geo: [at[0], at[1], w, h] as const } : {}),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(names.has(key) ? { name: names.get(key) ?? '' } : {}),
    }
  }
  return { format: 'holo-clip', version: 1, roots: Object.keys(parts).filter(key => parts[key]?.in === undefined), elements }
}

function namesOf(parts: StarterParts, model: Model, canvas: Id, words: Speak): Map<string, string> {
  const taken = namesOn(model, canvas)
  const names = new Map<string, string>()
  for (const [key, { name: title, in: inside }] of Object.entries(parts)) {
    if (!title) continue
    const wanted = words(title)
    const name = inside === undefined ? freeAmong(taken, wanted) : wanted
    if (inside === undefined) taken.add(name)
    names.set(key, name)
  }
  return names
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value)

/**
 * Puts the parts on a canvas with the corner of their outline there. Returns those on the canvas itself, in the order of the parts. Part of
 * a gesture.
 */
export function putParts(editor: Editor, parts: StarterParts, canvas: Id, at: readonly [number, number], words: Speak): Id[] | Refusal {
  const clip = clipOfParts(parts, editor.model, canvas, words)
  const geos = clip.roots.map(id => clip.elements[id]?.geo).filter(geo => geo !== undefined)
  const right = Math.max(0, ...geos.map(([x, , w]) => x + w))
  const bottom = Math.max(0, ...geos.map(([, y, , h]) => y + h))
  const left = Math.min(right, ...geos.map(([x]) => x))
  const top = Math.min(bottom, ...geos.map(([, y]) => y))
  return paste(editor.doc, clip, canvas, [at[0] + (right - left) / 2, at[1] + (bottom - top) / 2])
}
