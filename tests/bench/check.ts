// Checking again after an edit, in a model of some 5,000 elements: 95 of 100 edits take no longer than `value`. The
// baseline is checking the same model from scratch.
import type { Model } from '../../model-schema/model.ts'
import { check, createChecker } from '../../sim-engine/check.ts'
import { renaming } from '../../sim-engine/references.ts'
import { edited, setField } from '../help/edits.ts'
import { largeModel } from '../help/large.ts'
import { chance } from '../help/random.ts'
import type { Chance } from '../help/random.ts'
import type { Figure } from './figure.ts'
import { median } from './figure.ts'

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
      const added = elements.findLast(element => element.id.includes('~'))
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
  elements.delete(id)
  if (parent) elements.set(parent.id, { ...parent, children: parent.children.filter(child => child !== id) })
  return { ...model, elements }
}

function copied(model: Model, id: string, random: Chance): Model {
  const one = model.elements.get(id)!
  const parent = model.elements.get(one.parent ?? '')!
  const made = { ...one, id: `${id}~${random.below(1e6)}`, fields: { ...one.fields, name: `copy${random.below(1e6)}` } }
  const elements = new Map(model.elements).set(made.id, made).set(parent.id, { ...parent, children: [...parent.children, made.id] })
  return { ...model, elements }
}

/** Milliseconds of this thread's work: what others do on the machine meanwhile does not count. */
function worked(act: () => void): number {
  const before = process.threadCpuUsage()
  act()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

export function* checkFigures(wanted: (name: string) => boolean): Generator<Figure> {
  const name = 'check/edit-5000'
  if (!wanted(name)) return
  const { model: first } = largeModel(48)
  const [scenario = ''] = first.scenarios
  const random = chance(1)
  const checker = createChecker()
  let model = first
  checker.check(model, scenario)
  const times: number[] = []
  for (let n = 0; n < WARM + EDITS; n++) {
    model = anEdit(model, scenario, n, random)
    const time = worked(() => checker.check(model, scenario))
    if (n >= WARM) times.push(time)
  }
  const whole = [1, 2, 3, 4, 5].map(() => worked(() => check(first, scenario)))
  times.sort((a, b) => a - b)
  const value = times[Math.floor(times.length * 0.95)] ?? NaN
  const note = `${first.elements.size} elements; median ${median(times).toFixed(1)} ms`
  yield { name, value, unit: 'ms', baseline: median(whole), ratio: value / median(whole), note }
}
