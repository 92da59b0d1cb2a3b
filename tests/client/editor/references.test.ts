// Where an element is used: in formulas by its name, in fields that refer to elements.
import { describe, expect, it } from 'vitest'
import { referencesTo } from '../../../client/run/references.ts'
import { agents, call, chart, compute, end, every, model, passive, process, start, statistic, variable } from '../../help/models.ts'

describe('references', () => {
  const built = model(
    variable('total', 0),
    variable('total2', 'total + 1'),
    statistic('Mean', 'total * 2'),
    chart('Chart', ['1', 'total']),
    agents(
      'Ant',
      process(
        'Walk',
        start(every(1)),
        compute('total += 1', 'add'),
        compute('x_total = total == 3', 'compare'),
        compute('totals = 1', 'other'),
        call('Rest', {}, 'rest'),
        end(),
      ),
      process('Rest', start(passive), end()),
    ),
  )
  const found = (name: string): string[] =>
    referencesTo(built.model, built.id(name)).map(({ element, field, how }) => `${element} ${field} ${how}`)

  it('of a variable: who reads it and who writes it, whole names only', () => {
    expect(found('total').sort()).toEqual(
      [
        `${built.id('total2')} initial reads`,
        `${built.id('Mean')} expression reads`,
        `${built.id('Chart')} series/1/value reads`,
        `${built.id('add')} program writes`,
        `${built.id('compare')} program reads`,
      ].sort(),
    )
  })

  it('by what names mean: a local of the same name is none, and each place is told', () => {
    const scoped = model(
      variable('n', 0),
      variable('out', 0),
      agents('Ant', variable('n', 1), process('Walk', start(every(1)), compute('x = n\nout = n + x', 'own'), end())),
      process('Main', start(every(1)), compute('out = n\nn += 1', 'outer'), end()),
      statistic('Sum', 'sum(a.n for a in Ant)'),
    )
    const places = (id: string): string[] =>
      referencesTo(scoped.model, id).map(({ element, how, line, text }) => `${element} ${how} ${line} ${text}`)
    expect(places(scoped.id('Ant.n')).sort()).toEqual(
      [
        `${scoped.id('own')} reads 0 x = n`,
        `${scoped.id('own')} reads 1 out = n + x`,
        `${scoped.id('Sum')} reads 0 sum(a.n for a in Ant)`,
      ].sort(),
    )
    const outer = [...scoped.model.elements.values()].find(
      one => one.kind === 'variable' && one.fields['name'] === 'n' && one.id !== scoped.id('Ant.n'),
    )
    expect(places(outer?.id ?? '').sort()).toEqual(
      [`${scoped.id('outer')} reads 0 out = n`, `${scoped.id('outer')} writes 1 n += 1`].sort(),
    )
  })

  it('of a process: who calls it', () => {
    expect(found('Rest')).toContain(`${built.id('rest')} process refers`)
  })

  it('of nothing: none', () => {
    expect(referencesTo(built.model, 'nobody')).toEqual([])
    expect(found('compare')).toEqual([])
  })
})
