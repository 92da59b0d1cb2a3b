// What the inspector recognises in formulas: draws with their densities, lists and dicts that are written out.
import { describe, expect, it } from 'vitest'
import { distributions, plotOf } from '../../../client/panels/assist/distributions.ts'
import { collectionIn, collectionText, drawIn, drawText, keyFaults, plainNumber } from '../../../client/panels/assist/reading.ts'
import { numbersIn, strangersIn, variablesOf, withBlock, withValue } from '../../../client/panels/assist/individuals.ts'
import { newDocument, readModel } from '../../../model-schema/document.ts'
import { place } from '../../../model-schema/edit.ts'
import { rows } from '../../../sim-engine/language.ts'
import { english } from '../../../model-schema/words.ts'

const nothing = (): null => null

describe('distributions', () => {
  it.each(distributions.map(one => [one.name, one] as const))('%s takes the parameters of the language', (name, one) => {
    const row = rows.find(other => other.signature.name === name)
    expect(row?.signature.params.map(param => param.name)).toEqual(one.parameters.map(parameter => parameter.id))
  })

  it.each(distributions.map(one => [one.name, one] as const))(
    '%s has a density that sums to one, with its mean and deviation',
    (name, one) => {
      const shape = one.shape(...one.parameters.map(parameter => parameter.initial))
      if (!shape) throw new Error('impossible')
      // Further out than is shown: tails count.
      const far = Math.max(shape.to, (shape.mean ?? 0) + 40 * (shape.sd ?? 1)) * (name === 'pareto' ? 200 : 1)
      const to =
        Number.isInteger(shape.to) &&
        (name === 'beta' || name === 'triangular' || name === 'uniform' || name === 'binomial' || name === 'randint')
          ? shape.to
          : far
      const from = name === 'normal' ? -40 : Math.min(shape.from, name === 'poisson' ? 0 : shape.from)
      let [sum, first, second] = [0, 0, 0]
      const add = (x: number, weight: number): void => {
        const y = shape.at(x) * weight
        sum += y
        first += y * x
        second += y * x * x
      }
      if (shape.discrete)
        for (let x = Math.max(0, Math.floor(from)); x <= Math.min(Math.ceil(to), 5000); x++)
          add(x, x < shape.from && name === 'randint' ? 0 : 1)
      else {
        const steps = 400_000
        const h = (to - from) / steps
        for (let i = 0; i < steps; i++) add(from + (i + 0.5) * h, h)
      }
      expect(sum).toBeCloseTo(1, 2)
      if (shape.mean !== null) expect(first).toBeCloseTo(shape.mean, 1)
      if (shape.sd !== null && name !== 'pareto') expect(Math.sqrt(second - first ** 2)).toBeCloseTo(shape.sd, 1)
    },
  )

  it('are drawn within the picture, also where they grow without bound', () => {
    for (const one of distributions) {
      const shape = one.shape(...one.parameters.map(parameter => parameter.initial))
      if (!shape) throw new Error(one.name)
      const { points } = plotOf(shape)
      expect(points.length, one.name).toBeGreaterThan(1)
      for (const [x, y] of points) expect(x >= shape.from && x <= shape.to && y >= 0 && y <= 1, `${one.name} ${x} ${y}`).toBe(true)
    }
    const steep = distributions.find(one => one.name === 'gamma')?.shape(0.2, 1)
    expect(steep && plotOf(steep).points.filter(([, y]) => y > 0.02).length).toBeGreaterThan(10)
  })

  it('refuse parameters that are impossible together', () => {
    const shape = (name: string, ...values: number[]) => distributions.find(one => one.name === name)?.shape(...values)
    expect([
      shape('uniform', 2, 1),
      shape('normal', 0, 0),
      shape('triangular', 3, 2, 1),
      shape('exponential', -1),
      shape('erlang', 1.5, 1),
    ]).toEqual([null, null, null, null, null])
  })
})

describe('draws in formulas', () => {
  it('are read with literals, names that are known, named arguments and defaults', () => {
    const known = (name: string): number | null => (name === 'pace' ? 4 : null)
    const values = (text: string) => drawIn(text, known)?.values
    expect(values('normal(5, -2)')).toEqual([5, -2])
    expect(values('exponential(pace / 2)')).toEqual([2])
    expect(values('normal(std=3)')).toEqual([0, 3])
    expect(values('max(0, 2 * normal(unknown, 1))')).toEqual([null, 1])
    expect(values('randint(6)')).toEqual([0, 6])
    expect(drawIn('a + b', known)).toBeNull()
    expect(drawIn('normal(', known)).toBeNull()
    expect(drawIn('normals(1, 2)', known)).toBeNull()
  })

  it('are written anew only when they are nothing but numbers', () => {
    expect(drawIn('triangular(1, 2, 4)', nothing)?.plain).toBe(true)
    for (const text of ['1 + normal(5, 2)', 'normal(x, 2)', 'normal(5)', 'normal(2 + 3, 1)'])
      expect(drawIn(text, nothing)?.plain, text).toBe(false)
    const draw = drawIn('triangular(1, 2, 4)', nothing)
    expect(draw && drawText(draw.distribution, [1, -2, 4.5])).toBe('triangular(1, -2, 4.5)')
    expect([plainNumber(' -3.5 '), plainNumber('3 + 1'), plainNumber('')]).toEqual([-3.5, null, null])
  })
})

describe('collections in formulas', () => {
  it.each([
    ['[]', '[]'],
    ['[1, 2 + x, "a, b"]', '[1, 2 + x, "a, b"]'],
    ['{"a": 1, "b c": f(1, 2)}', '{"a": 1, "b c": f(1, 2)}'],
    ["{'quote\"': [1, 2], 3: 4}", '{"quote\\"": [1, 2], 3: 4}'],
    ['{1, 2}', '{1, 2}'],
  ])('%s is read and written back', (text, written) => {
    const found = collectionIn(text)
    expect(found && collectionText(found)).toBe(written)
  })

  it('that would not come back the same, or are none, stay text', () => {
    for (const text of ['range(3)', '[x for x in y]', '[1, ', '', '5', '(1, 2)']) expect(collectionIn(text), text).toBeNull()
    const found = collectionIn('[(1 + 2) * 3, (4)]')
    if (found) expect(collectionIn(collectionText(found))?.items.length).toBe(2)
  })

  it('have keys that are there and differ', () => {
    const item = (key: string, quoted = true) => ({ key, quoted, value: '1' })
    expect(keyFaults({ is: 'dict', items: [item('a'), item(' '), item('a'), item('1'), item('1', false)] })).toEqual([
      null,
      'empty',
      'duplicate',
      null,
      null,
    ])
    expect(keyFaults({ is: 'list', items: [item(''), item('')] })).toEqual([null, null])
  })
})

describe('the table of individuals', () => {
  const doc = newDocument('Individuals')
  const [main = ''] = readModel(doc).scenarios
  const put = (spec: Parameters<typeof place>[1]): string => {
    const id = place(doc, spec)
    if (typeof id !== 'string') throw new Error(english(id.words))
    return id
  }
  const animal = put({ kind: 'agent', parent: main, at: [0, 0] })
  const wolf = put({ kind: 'agent', parent: main, at: [200, 0], values: { inherits: animal } })
  put({ kind: 'variable', parent: animal, at: [0, 0], values: { name: 'age' } })
  put({ kind: 'variable', parent: animal, at: [0, 60], values: { name: 'shared', owner: 'observer' } })
  put({ kind: 'variable', parent: wolf, at: [0, 0], values: { name: 'fur colour' } })
  const row = (number: number, property: string, value: string) => ({ row: number, property, value })

  it('has a column for each variable of an individual, inherited ones too', () => {
    const agent = readModel(doc).elements.get(wolf)
    expect(agent && variablesOf(readModel(doc), agent)).toEqual(['fur colour', 'age'])
  })

  it('sets, replaces and takes away single values; what it does not know stays', () => {
    const rows = [row(3, 'age', '2'), row(0, 'lost', '1')]
    const set = withValue(rows, 1, 'fur colour', ' "grey" ')
    expect(set).toEqual([...rows, row(1, 'fur colour', '"grey"')])
    expect(withValue(set, 3, 'age', '4')[0]).toEqual(row(3, 'age', '4'))
    expect(withValue(set, 1, 'fur_colour', '')).toEqual(rows)
    expect(numbersIn(set)).toEqual([0, 1, 3])
    expect(strangersIn(set, ['fur colour', 'age'])).toEqual([1])
  })

  it('takes a block of a spreadsheet', () => {
    expect(withBlock([row(0, 'age', '9')], ['fur colour', 'age'], 0, 'fur colour', '"red"\t1\r\n"grey"\t2\tbeyond\n')).toEqual([
      row(0, 'age', '1'),
      row(0, 'fur colour', '"red"'),
      row(1, 'fur colour', '"grey"'),
      row(1, 'age', '2'),
    ])
  })
})
