// A checker that remembers says what one without memory says, whatever is edited, and compiles to the same program.
import { expect, it } from 'vitest'
import type { Model } from '../../../model-schema/model.ts'
import { check, createChecker } from '../../../sim-engine/check.ts'
import type { Checked } from '../../../sim-engine/check.ts'
import { compile } from '../../../sim-engine/compile.ts'
import { editBetween, withEdit } from '../../../sim-engine/model-edit.ts'
import { editKinds, edited } from '../../help/edits.ts'
import { largeModel } from '../../help/large.ts'
import {
  agents,
  ask,
  call,
  compute,
  create,
  end,
  every,
  func,
  model,
  passive,
  port,
  process,
  scenario,
  space,
  start,
  statistic,
  variable,
} from '../../help/models.ts'
import { seeds } from '../../help/random.ts'
import { sample } from '../../help/samples.ts'

/** All that a check finds out, in the order it says it. */
function findings(checked: Checked): unknown {
  if (!checked.ok) return checked.problems
  const { parts, formulas } = checked.checked
  const variables = [...parts.shared, ...parts.entities.flatMap(entity => entity.variables), ...parts.tokenColumns]
  return {
    problems: checked.problems,
    variables: variables.map(({ id, index, type, storage, initialKey }) => [id, index, type, storage, initialKey]),
    functions: parts.functions.map(({ id, result, effects, parameters }) => [id, result, effects, parameters]),
    formulas: [...formulas].map(([key, { text, inferred }]) => [key, text, inferred.type, inferred.result]),
  }
}

/** Heirs, defaults of parameters, values that cross calls both ways, and asks of populations with and without heirs. */
const inheritance = (): Model =>
  model(
    scenario({ totalTicks: 3, overrides: [{ variable: 'rate', value: '0.5' }] }),
    space('Land'),
    variable('rate', '1'),
    variable('out', '0'),
    variable('bag', '[]', { type: 'list' }),
    variable('seen', '{}', { type: 'dict' }),
    variable('who', 'None'),
    func('scaled', [], 'return v + w', {
      parameters: [
        { name: 'v', default: '1' },
        { name: 'w', default: 'rate' },
      ],
    }),
    func('noted', ['a'], 'out = a\nreturn scaled() + scaled(a)'),
    agents(
      'Base',
      { space: 'Land', initialNumber: '3' },
      variable('e', '1', { public: true }),
      func('times', ['x'], 'return x * e'),
      process(
        'Act',
        start(every(1)),
        variable('t', '0'),
        compute('t = times(e)\ne = noted(t)\nbag.append(e)'),
        ask('Base', 'e += 1', { filter: 'e > 2' }),
        end(),
      ),
      process('Give', start(passive), port('got', 'inout'), compute('got = e'), end()),
    ),
    agents(
      'Kid',
      { space: 'Land', inherits: 'Base', initialNumber: '2' },
      variable('k', 'times(2)'),
      process(
        'Take',
        start(every(2)),
        variable('got', '0'),
        call('Base.Give'),
        compute('k = got\nseen[str(k)] = got\nwho = self'),
        create('Kid', 1, { as: 'offspring' }),
        end(),
      ),
    ),
    statistic('mean', 'e', { over: 'Base', aggregate: 'mean' }),
  ).model

/** Variables that are fed back through functions: what they come to be waits for the functions, which wait for them. */
const feedback = (): Model =>
  model(
    scenario({ totalTicks: 3 }),
    func('growth', [], 'return r * n * (1 - n)', { parameters: [{ name: 'n' }, { name: 'r', default: '0.3' }] }),
    func('clamp', ['v', 'low', 'high'], 'if v < low:\n    return low\nif v > high:\n    return high\nreturn v'),
    func('same', ['a'], 'return a'),
    func('longer', ['word'], 'return word + "b"'),
    func('kept', ['items'], 'return items'),
    agents(
      'Plant',
      { initialNumber: '3' },
      variable('size', 'random()'),
      variable('label', '"a"'),
      variable('seen', '[]', { type: 'list' }),
      process(
        'Grow',
        start(every(1)),
        compute('size = clamp(size + growth(size), 0, 1)'),
        compute('step = size * 2\nsize += growth(step, 0.1) - growth(same(step))\nlabel = longer(label)'),
        compute('seen = kept(seen)\nseen.append(size)'),
        end(),
      ),
    ),
    statistic('mean', 'size', { over: 'Plant', aggregate: 'mean' }),
  ).model

const models: readonly (() => Model)[] = [
  inheritance,
  feedback,
  () => largeModel(3).model,
  ...(['wolf-sheep', 'clinic', 'sugarscape', 'token-pool', 'networks', 'inventory'] as const).map(name => () => sample(name).model),
]

it('after any sequence of edits', () => {
  seeds(40, random => {
    let model = models[random.seed % models.length]!()
    const [scenario] = model.scenarios
    if (scenario === undefined) throw new Error('no scenario')
    const checker = createChecker()
    checker.check(model, scenario)
    let good = model
    for (let step = 0; step < 14; step++) {
      const kind = random.pick(editKinds)
      const before = model
      model = edited(model, kind, random)
      // Now and then an edit is undone, or the model comes as a copy, as it does through a message.
      if (random.chance(0.2)) model = before
      const given = random.chance(0.2) ? structuredClone(model) : model
      const [again, fresh] = [checker.check(given, scenario), check(model, scenario)]
      expect(findings(again), `${kind} at step ${step}`).toEqual(findings(fresh))
      if (again.ok && fresh.ok && random.chance(0.3)) expect(compile(again.checked).source).toBe(compile(fresh.checked).source)
      // What went wrong is mostly taken back, by which what was deleted comes again.
      if (again.ok) good = model
      else if (random.chance(0.8)) {
        model = good
        checker.check(model, scenario)
      }
    }
  })
})

it('a variable that is fed back through functions has the type of what it begins with', () => {
  const alone = feedback()
  const found = check(alone, alone.scenarios[0] ?? '')
  if (!found.ok) throw new Error(JSON.stringify(found.problems))
  const { functions, entities } = found.checked.parts
  const type = (name: string) => entities[0]!.variables.find(one => one.name === name)?.type.is
  expect(['size', 'label'].map(type)).toEqual(['number', 'text'])
  expect(functions.slice(0, 2).map(({ name, result, parameters }) => [name, result.is, ...parameters.map(one => one.type.is)])).toEqual([
    ['growth', 'number', 'number', 'number'],
    ['clamp', 'number', 'number', 'number', 'number'],
  ])
})

it('a function that was deleted and comes back takes what it is given now', () => {
  const { model } = largeModel(2)
  const [scenario = ''] = model.scenarios
  const root = model.elements.get(scenario)!
  const checker = createChecker()
  checker.check(model, scenario)
  const without = new Map(model.elements).set(scenario, { ...root, children: root.children.filter(id => id !== 'clamp') })
  without.delete('clamp')
  checker.check({ ...model, elements: without }, scenario)
  const cost = model.elements.get('cost0')!
  const elements = new Map(model.elements).set('cost0', { ...cost, fields: { ...cost.fields, body: 'return clamp("a", "b", "c")' } })
  const [again, fresh] = [checker.check({ ...model, elements }, scenario), check({ ...model, elements }, scenario)]
  expect(findings(again)).toEqual(findings(fresh))
})

it('who is asked has heirs no more, and has them again', () => {
  const whole = inheritance()
  const [scenario = ''] = whole.scenarios
  const kid = whole.elements.get('Kid')!
  const alone = { ...whole, elements: new Map(whole.elements).set('Kid', { ...kid, fields: { ...kid.fields, inherits: 'Kid' } }) }
  const checker = createChecker()
  const sources = [whole, alone, whole].flatMap(now => {
    const found = checker.check(now, scenario)
    return found.ok ? [compile(found.checked).source] : []
  })
  expect(sources).toHaveLength(2)
  expect(sources[1]).toBe(sources[0])
})

it('variables are listed in the order they stand in', () => {
  const before = inheritance()
  const [scenario = ''] = before.scenarios
  const base = before.elements.get('Kid')!
  const checker = createChecker()
  checker.check(before, scenario)
  const first = before.elements.get('Base-e')!
  const extra = { ...first, id: 'extra', parent: 'Kid', fields: { ...first.fields, name: 'extra' } }
  for (const children of [
    ['extra', ...base.children],
    [...base.children, 'extra'],
  ]) {
    const now = { ...before, elements: new Map(before.elements).set('extra', extra).set('Kid', { ...base, children }) }
    const [again, fresh] = [checker.check(now, scenario), check(now, scenario)]
    if (!again.ok || !fresh.ok) throw new Error('refused')
    expect(compile(again.checked).source).toBe(compile(fresh.checked).source)
  }
})

it('a default of a parameter that becomes a text makes the parameter one', () => {
  const takes = (text: string): Model =>
    model(
      scenario(),
      func('keep', [], 'return v', { parameters: [{ name: 'v', default: text }] }),
      variable('kept', '0'),
      process('Keep', start(every(1)), compute('kept = keep()'), end()),
    ).model
  const checker = createChecker()
  for (const text of ['1', '"a"', '[1]', 'kept', '2']) {
    const now = takes(text)
    const [scenario = ''] = now.scenarios
    expect(findings(checker.check(now, scenario)), text).toEqual(findings(check(now, scenario)))
  }
})

it('the law covers every way to edit a model', () => {
  const { model } = largeModel(2)
  const done = new Set<string>()
  seeds(20, random => {
    for (const kind of editKinds) if (editBetween(model, edited(model, kind, random)).changed.length > 0) done.add(kind)
  })
  expect([...done].toSorted()).toEqual([...editKinds].toSorted())
})

it('an edit that is told is found as one that is not', () => {
  seeds(6, random => {
    let { model } = largeModel(2)
    const [scenario = ''] = model.scenarios
    const checker = createChecker()
    checker.check(model, scenario)
    for (let step = 0; step < 12; step++) {
      const now = edited(model, random.pick(editKinds), random)
      const edit = structuredClone(editBetween(model, now))
      model = withEdit(model, edit)
      expect(new Map(model.elements)).toEqual(new Map(now.elements))
      expect([model.elements.size, [...model.elements.keys()].length]).toEqual([now.elements.size, now.elements.size])
      expect(findings(checker.check(model, scenario, edit)), `step ${step}`).toEqual(findings(check(model, scenario)))
    }
  })
})

it('hundreds of edits laid over a model are those edits', () => {
  seeds(2, random => {
    let { model } = sample('clinic')
    let laid = model
    for (let step = 0; step < 400; step++) {
      const now = edited(model, random.pick(editKinds), random)
      const before = laid
      const were = new Map(before.elements)
      laid = withEdit(laid, editBetween(model, now))
      model = now
      expect(new Map(before.elements)).toEqual(were)
    }
    expect(new Map(laid.elements)).toEqual(model.elements)
    for (const [id, element] of model.elements) expect([laid.elements.has(id), laid.elements.get(id)]).toEqual([true, element])
    laid.elements.forEach((element, id) => expect(element).toBe(model.elements.get(id)))
    expect([...laid.elements.values()]).toHaveLength(model.elements.size)
    expect(laid.elements.get('nobody')).toBeUndefined()
  })
})

it('an edit in 5,000 elements infers little: a memory, not a second check', () => {
  const { model } = largeModel(48)
  const [scenario = ''] = model.scenarios
  expect(model.elements.size).toBeGreaterThan(5000)
  const checker = createChecker()
  const first = checker.check(model, scenario)
  if (!first.ok) throw new Error(JSON.stringify(first.problems))
  const known = new Set([...first.checked.formulas.values()].map(({ inferred }) => inferred))
  const elements = new Map(model.elements)
  const work = elements.get('Person7-Work-compute1')!
  elements.set(work.id, { ...work, fields: { ...work.fields, program: 'spent = worth() * 0.2' } })
  const parent = elements.get('Person9')!
  elements.set('fresh', {
    ...elements.get('Person9-wealth')!,
    id: 'fresh',
    fields: { ...elements.get('Person9-wealth')!.fields, name: 'fresh' },
  })
  elements.set('Person9', { ...parent, children: ['fresh', ...parent.children] })
  const second = checker.check({ ...model, elements }, scenario)
  if (!second.ok) throw new Error(JSON.stringify(second.problems))
  const made = [...second.checked.formulas.values()].filter(({ inferred }) => !known.has(inferred))
  expect(made.map(({ key }) => key).length).toBeLessThan(4)
})
