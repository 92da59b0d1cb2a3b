// Where an element is used: in formulas by its name, in fields that refer to elements.
import { describe, expect, it } from 'vitest'
import { referencesTo } from '../../client/run/references.ts'
import { agents, call, chart, compute, end, every, model, passive, process, start, statistic, variable } from '../help/models.ts'

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

  it('of a process: who calls it', () => {
    expect(found('Rest')).toContain(`${built.id('rest')} process refers`)
  })

  it('of nothing: none', () => {
    expect(referencesTo(built.model, 'nobody')).toEqual([])
    expect(found('compare')).toEqual([])
  })
})
