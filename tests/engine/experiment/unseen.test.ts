// The law of what runs leave out: the outcome is the same with and without.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { modelOfFile, parseFile } from '../../../model-schema/file.ts'
import { formulaName } from '../../../model-schema/kinds.ts'
import type { Model } from '../../../model-schema/model.ts'
import { loadChain } from '../../../sim-engine/chain.ts'
import { check, type CheckedModel } from '../../../sim-engine/check.ts'
import { compile } from '../../../sim-engine/compile.ts'
import { createRunner } from '../../../sim-engine/experiment.ts'
import type { Runnable, Sample } from '../../../sim-engine/experiment/protocol.ts'
import { withoutUnseen } from '../../../sim-engine/experiment/trust/unseen.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import { start as startRun } from '../../../sim-engine/run.ts'
import { prepared } from '../../help/experiments.ts'
import {
  agents,
  compute,
  element,
  end,
  func,
  model,
  process,
  scenario,
  start,
  variable,
  type Fields,
  type Part,
} from '../../help/models.ts'
import { english } from '../../../model-schema/words.ts'

await loadChain()

const samples = new URL('../../../model-schema/samples/', import.meta.url)
const names = readdirSync(samples).filter(name => name.endsWith('.holo'))

function sample(name: string): Model {
  const parsed = parseFile(readFileSync(new URL(name, samples), 'utf8'))
  if ('problems' in parsed) throw new Error(`${name} cannot be read`)
  return modelOfFile(parsed.file)
}

function checkedOf({ alternatives }: Runnable): CheckedModel {
  const { model, scenario } = alternatives[0]!
  const checked = check(model, scenario)
  if (!checked.ok) throw new Error(english(checked.problems[0]!.message))
  return checked.checked
}

/** The same run with all charts and statistics. */
function whole(runnable: Runnable, seed: number): Omit<Sample, 'values'> & { values: unknown[] } {
  const run = startRun(compile(checkedOf(runnable)), { seed, ...(runnable.ticks === null ? {} : { ticks: runnable.ticks }) })
  run.advance()
  const { result } = run
  if (result?.end === 'failed') return { end: 'failed', ticks: run.tick, values: [], problem: result.problem }
  const values = runnable.measures.map(({ id }) => run.measure(id))
  return { end: result!.end, ticks: run.tick, values, problem: null }
}

function agree(runnable: Runnable, seeds: readonly number[]): Sample['end'][] {
  const runner = createRunner(runnable)
  return seeds.map(seed => {
    const { end, ticks, values, problem } = runner({ run: 0, alternative: 0, inputs: {}, seed })
    const all = whole(runnable, seed)
    expect({ end, ticks, problem }).toEqual({ end: all.end, ticks: all.ticks, problem: all.problem })
    if (end !== 'failed')
      expect(values.map(value => (Number.isNaN(value) ? null : value))).toEqual(
        all.values.map(value => (typeof value === 'boolean' ? Number(value) : value)),
      )
    return end
  })
}

const leftOut = (checked: CheckedModel, asked: readonly string[] = []): string[] => {
  const { parts } = withoutUnseen(checked, new Set(asked))
  const charts = checked.parts.charts.filter(chart => !parts.charts.includes(chart)).map(({ fields }) => String(fields['name']))
  return [...charts, ...checked.parts.statistics.filter((one, k) => parts.statistics[k] !== one).map(({ name }) => name)]
}

/** A counter from 3 down to 0 and on, a few individuals with a number and a truth each, and what is looked at. */
const watched = (...looks: readonly Part[]): Model =>
  model(
    scenario({ totalTicks: 6 }),
    variable('left', 3, { public: true }),
    process('Down', start({ trigger: 'timer', every: '1' }), compute('left = left - 1'), end()),
    agents('Being', { initialNumber: '4' }, variable('size', 'uniform(0, 9)'), variable('happy', 'random() < 0.7')),
    ...looks,
  ).model

const study = (of: Model, expression = 'left'): Runnable =>
  prepared(of, { type: 'monteCarlo', replications: 1 }, { r: { kind: 'response', expression } }).runnable

const chart = (name: string, value: string, type = 'line'): Part =>
  element('chart', name, { type, series: [{ label: name, value, color: '' }] })
const statistic = (name: string, expression: string, more: Fields = {}): Part =>
  element('statistic', name, { expression, aggregate: 'last', sample: 'tick', ...more })

describe('what nobody sees', () => {
  it.each(names)('%s has the same outcome without it', name => {
    const shipped = sample(name)
    const [of] = [...shipped.elements.values()].filter(({ kind }) => kind === 'statistic')
    const expression = of ? formulaName(String(of.fields['name'])) : 'tick'
    const { runnable } = prepared(
      shipped,
      { type: 'monteCarlo', replications: 1, ticks: 25 },
      { r: { kind: 'response', expression }, t: { kind: 'response', expression: 'time' } },
    )
    agree(runnable, [1, 2])
  })

  it('is left out where it cannot matter, but for what is asked for and what that reads', () => {
    const of = watched(
      chart('A', '2 * left + Being.count'),
      chart('B', 'total / 2'),
      statistic('total', 'sum(b.size for b in Being if b.happy)'),
      statistic('twice', 'total'),
      statistic('share', 'total / max(1, left)', { aggregate: 'mean' }),
    )
    expect(leftOut(checkedOf(study(of)))).toEqual(['A', 'B', 'total', 'twice', 'share'])
    expect(leftOut(checkedOf(study(of, 'twice')))).toEqual(['A', 'B', 'share'])
    expect(leftOut(checkedOf(study(of)), ['share'])).toEqual(['A', 'B', 'twice'])
    for (const expression of ['left', 'total', 'twice', 'share']) expect(agree(study(of, expression), [1, 2, 3])).not.toContain('failed')
  })

  it.each([
    ['a division', '1 / left'],
    ['an empty mean', 'mean(b.size for b in Being if b.size > 100)'],
    ['a root', 'sqrt(left)'],
    ['a position', '[1, 2, 3][left]'],
    ['a statistic that is no number', 'nothing + 1'],
  ])('%s that fails on the way ends the run with and without', (_, value) => {
    const nothing = statistic('nothing', 'None')
    const failing = watched(chart('A', value), nothing)
    expect(leftOut(checkedOf(study(failing)))).not.toContain('A')
    expect(agree(study(failing), [1, 2])).toEqual(['failed', 'failed'])
    const sampled = watched(statistic('A', value), nothing)
    expect(leftOut(checkedOf(study(sampled)))).not.toContain('A')
    expect(agree(study(sampled), [1, 2])).toEqual(['failed', 'failed'])
  })

  it('keeps what draws, what calls a function of the model, and samples that are events', () => {
    const of = watched(
      chart('A', 'random()'),
      chart('B', 'one()'),
      statistic('beat', 'left', { sample: 'interval', interval: '0.5' }),
      func('one', [], 'return 1'),
    )
    expect(leftOut(checkedOf(study(of)))).toEqual([])
    agree(study(of), [1, 2])
  })

  it('a chart of latest values is worked out for nobody', () => {
    const of = watched(chart('A', '1 / (left - left)', 'value'))
    expect(leftOut(checkedOf(study(of)))).toEqual(['A'])
    expect(agree(study(of), [1])).toEqual(['success'])
  })

  it('holds for formulas of any shape', () => {
    const random = stream(11, 0, 'formulas')
    const pick = <T>(all: readonly T[]): T => all[below(random, all.length)]!
    const leaf = (): string => pick(['left', '2', '0', 'tick', 'time', 'Being.count', 'first', 'second', '-1.5'])
    const formula = (depth: number): string => {
      if (depth === 0) return leaf()
      const one = (): string => formula(depth - 1)
      return pick([
        () => `(${one()} ${pick(['+', '-', '*', '/', '//', '%'])} ${one()})`,
        () => `${pick(['max', 'min'])}(1, ${one()})`,
        () => `(${one()} / max(${pick(['0', '1'])}, ${one()}))`,
        () => `(${one()} if ${one()} > ${one()} else ${one()})`,
        () => `${pick(['sum', 'mean', 'max'])}(b.size * ${one()} for b in Being if b.happy)`,
        () => `len([b for b in Being if b.size > ${one()}])`,
        () => `sum(1 for b in Being if not b.happy or b.size == ${one()})`,
        () => `${pick(['abs', 'sqrt', 'floor', 'exp', 'log'])}(${one()})`,
        leaf,
      ])()
    }
    const ends = new Map<string, number>()
    let left = 0
    for (let k = 0; k < 120; k++) {
      const of = watched(
        statistic('first', 'left * 2', { sample: pick(['tick', 'event', 'end']) }),
        statistic('second', pick(['first', 'None', 'Being.count', 'left > 1'])),
        chart('A', formula(1 + (k % 3)), pick(['line', 'scatter', 'area'])),
        statistic('third', formula(1 + (k % 3)), { aggregate: pick(['last', 'mean', 'max']), sample: pick(['tick', 'event']) }),
      )
      const runnable = study(of, pick(['left', 'second', 'sum(b.size for b in Being)']))
      left += leftOut(checkedOf(runnable)).length
      const [end] = agree(runnable, [k])
      ends.set(end!, (ends.get(end!) ?? 0) + 1)
    }
    // Of all sorts there were enough.
    expect(left).toBeGreaterThan(100)
    expect(ends.get('failed')).toBeGreaterThan(20)
    expect(ends.get('success')).toBeGreaterThan(20)
  })
})
