// Checking again after an edit, in a model of some 5,000 elements: 95 of 100 edits take no longer than `value`. The
// baseline is checking the same model from scratch. `type`: one more line in a program; `edit`: that, names, copies, deletions, moves.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Element, End, Model } from '../../model-schema/model.ts'
import { check } from '../../sim-engine/check.ts'
import type { ToEngine } from '../../sim-engine/messages.ts'
import { editBetween } from '../../sim-engine/model-edit.ts'
import { renaming } from '../../sim-engine/references.ts'
import { edited, setField } from '../help/edits.ts'
import { largeModel } from '../help/large.ts'
import { chance } from '../help/random.ts'
import type { Chance } from '../help/random.ts'
import type { Figure } from './figure.ts'
import { median, worked } from './figure.ts'

const WARM = 40
const EDITS = 200

/** What people do between two checks: mostly formulas; names are changed where they are used, too. */
function anEdit(model: Model, scenario: string, n: number, random: Chance): Model {
  const elements = [...model.elements.values()]
  switch (n % 5) {
    case 0: {
      const computes = elements.filter(element => element.kind === 'compute')
      const one = random.pick(computes)
      return setField(model, one, 'program', `${String(one.fields['program'])}\nk${n % 7} = ${n}`)
    }
    case 1: {
      const one = random.pick(elements.filter(element => element.kind === 'variable'))
      const name = `name${n}`
      let now = setField(model, one, 'name', name)
      for (const { id, field, value } of renaming(model, scenario, one.id, name).rewrites)
        now = setField(now, now.elements.get(id)!, field, value)
      return now
    }
    case 2:
      return edited(model, 'move', random)
    case 3: {
      // What the last edit but one added, and now and then something that is in use.
      const added = elements.findLast(({ id, parent }) => id.includes('~') && !parent?.includes('~'))
      return random.chance(0.8) && added ? without(model, added.id) : edited(model, 'formula', random)
    }
    default:
      return copied(
        model,
        random.pick(elements.filter(element => ['variable', 'compute', 'process', 'statistic'].includes(element.kind))).id,
        random,
      )
  }
}

function without(model: Model, id: string): Model {
  const parent = model.elements.get(model.elements.get(id)?.parent ?? '')
  const elements = new Map(model.elements)
  for (const one of inside(model, id)) elements.delete(one.id)
  if (parent) elements.set(parent.id, { ...parent, children: parent.children.filter(child => child !== id) })
  return { ...model, elements }
}

/** The element and its contents. */
function inside(model: Model, id: string): Element[] {
  const one = model.elements.get(id)
  return one ? [one, ...one.children.flatMap(child => inside(model, child))] : []
}

/** A copy of the element and its contents, next to it; connectors inside join the copies. */
function copied(model: Model, id: string, random: Chance): Model {
  const mark = random.below(1e6)
  const name = `copy${random.below(1e6)}`
  const all = inside(model, id)
  const ids = new Map(all.map(one => [one.id, `${one.id}~${mark}`]))
  const copyOf = (one: string): string => ids.get(one) ?? one
  const end = (one: End): End => ({ ...one, id: one.id === null ? null : copyOf(one.id) })
  const elements = new Map(model.elements)
  for (const one of all) {
    const fields = one.id === id ? { ...one.fields, name } : one.fields
    const ends = one.ends && { from: end(one.ends.from), to: end(one.ends.to) }
    const parent = one.parent === null ? null : copyOf(one.parent)
    elements.set(copyOf(one.id), { ...one, id: copyOf(one.id), parent, ends, fields, children: one.children.map(copyOf) })
  }
  const parent = model.elements.get(all[0]?.parent ?? '')
  if (parent) elements.set(parent.id, { ...parent, children: [...parent.children, copyOf(id)] })
  return { ...model, elements }
}

export async function* checkFigures(wanted: (name: string) => boolean): AsyncGenerator<Figure> {
  const [all, typing] = ['check/edit-5000', 'check/type-5000']
  if (!wanted(all) && !wanted(typing)) return
  const { model: first } = largeModel(48)
  const [scenario = ''] = first.scenarios
  const random = chance(1)
  // As in a page: edits are made here, and sent to a worker that does nothing but check.
  const worker = new Worker(new URL('checker.ts', import.meta.url))
  const tell = async (message: ToEngine): Promise<number> => {
    worker.postMessage(message, [])
    const [time]: number[] = await once(worker, 'message')
    return time ?? NaN
  }
  let model = first
  await tell({ do: 'check', check: 0, model, scenario })
  const times: number[] = []
  const typed: number[] = []
  for (let n = 0; n < WARM + EDITS; n++) {
    const now = anEdit(model, scenario, n, random)
    const time = await tell({ do: 'checkEdit', check: n, edit: editBetween(model, now), scenario })
    model = now
    if (n < WARM) continue
    times.push(time)
    if (n % 5 === 0) typed.push(time)
  }
  await worker.terminate()
  const whole = median([1, 2, 3, 4, 5].map(() => worked(() => check(first, scenario))))
  const figure = (name: string, of: readonly number[]): Figure => {
    const value = of.toSorted((a, b) => a - b)[Math.floor(of.length * 0.95)] ?? NaN
    const note = `${first.elements.size} elements; mean ${(of.reduce((sum, time) => sum + time, 0) / of.length).toFixed(1)} ms`
    return { name, value, unit: 'ms', baseline: whole, ratio: value / whole, note }
  }
  if (wanted(all)) yield figure(all, times)
  if (wanted(typing)) yield figure(typing, typed)
}
