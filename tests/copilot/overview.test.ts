// What matters and the overview: figures that are known beforehand, and sentences that rest on elements of the model.
import { chinese } from '../help/languages.ts'
import { loadChain } from '../../sim-engine/chain.ts'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { answer } from '../../sim-engine/copilot/guide.ts'
import { Branch } from '../../sim-engine/copilot/branch.ts'
import { screening, type Screening } from '../../sim-engine/copilot/matters.ts'
import { understood, type Line } from '../../sim-engine/copilot/questions.ts'
import { loadFile, modelOf } from '../../model-schema/document.ts'
import { setField } from '../../model-schema/edit.ts'
import { parseFile } from '../../model-schema/file.ts'
import { samples } from '../../model-schema/samples.ts'
import { english } from '../../model-schema/words.ts'
import { compute, end, every, model, process, resource, scenario, start, statistic, variable, type Entry } from '../help/models.ts'

await loadChain()

function documentOf(entries: readonly Entry[]): Y.Doc {
  const doc = new Y.Doc()
  loadFile(doc, model(scenario({ totalTicks: 20 }, ...entries)).file)
  return doc
}
function sample(id: string): Y.Doc {
  const parsed = parseFile(readFileSync(new URL(`../../model-schema/samples/${id}.holo`, import.meta.url), 'utf8'))
  if (!('file' in parsed)) throw new Error(id)
  const doc = new Y.Doc()
  loadFile(doc, parsed.file)
  return doc
}
const still = (): number => 0
const screened = (doc: Y.Doc): Screening => {
  const found = screening(new Branch(doc), {}, still)
  if (typeof found === 'string') throw new Error(found)
  return found
}
const said = (lines: readonly Line[]): string => lines.map(({ words }) => english(words)).join('\n')
function expectWords(doc: Y.Doc, lines: readonly Line[]): void {
  for (const { words, cites } of lines) {
    expect(english(words)).not.toMatch(/undefined|\[object|NaN|\{/)
    expect(chinese(words)).toMatch(/\p{Script=Han}/u)
    expect(cites.filter(id => !modelOf(doc).elements.has(id))).toEqual([])
  }
}

describe('what matters', () => {
  const linear = [
    variable('strong', 4, { public: true }),
    variable('weak', 4, { public: true, min: 0, max: 4.5 }),
    variable('idle', 10, { public: true }),
    variable('luck', 0),
    variable('out', 0),
    process('Work', start(every(1)), compute('out = 3 * strong - weak + 0 * idle\nluck = random()'), end()),
    statistic('result', 'out', { aggregate: 'last' }),
    statistic('chance', 'luck', { aggregate: 'last' }),
  ]

  it('is found with the effect of each input over its range, exactly where the model is linear', () => {
    const { measures, runs, paths, failed } = screened(documentOf(linear))
    expect([runs, paths, failed]).toEqual([50, 10, 0])
    const { base, effects } = measures.get('result')!
    expect(base).toBe(8)
    expect(effects.map(({ input, isSure }) => [input.name, input.low, input.high, isSure])).toEqual([
      ['strong', 3, 5, true],
      ['weak', 3, 4.5, true],
      ['idle', 7, 13, false],
    ])
    // Whole numbers are rounded: each step of two thirds of the range is one whole here.
    for (const [k, expected] of [
      [0, 3 * 1.5],
      [1, -1.5],
      [2, 0],
    ] as const)
      expect(effects[k]!.mean, effects[k]!.input.name).toBeCloseTo(expected, 1)
  })

  it('is told apart from chance', () => {
    const { effects } = screened(documentOf(linear)).measures.get('chance')!
    expect(effects.map(({ isSure }) => isSure)).toEqual([false, false, false])
  })

  it('is found among amounts of containers and among constants when there are no inputs', () => {
    const doc = documentOf([
      variable('rate', 8),
      variable('out', 0),
      resource('Desks', '4'),
      process('Work', start(every(1)), compute('out = rate + 10 * Desks.level'), end()),
      statistic('result', 'out', { aggregate: 'last' }),
    ])
    const before = JSON.stringify([...modelOf(doc).elements])
    const { effects } = screened(doc).measures.get('result')!
    expect(effects.map(({ input, isSure }) => [input.name, isSure])).toEqual([
      ['Desks', true],
      ['rate', true],
    ])
    expect(effects[0]!.input.id).toBe([...modelOf(doc).elements.values()].find(one => one.kind === 'container')!.id)
    expect(JSON.stringify([...modelOf(doc).elements])).toBe(before)
  })

  it('is said in both languages, for the measure that is asked, and the same each time', () => {
    const doc = documentOf(linear)
    const { lines, next } = answer(doc, { about: 'matters' }, 0)
    expectWords(doc, lines)
    expect(said(lines)).toContain('50 runs, seeds 1 to 10')
    expect(said(lines)).toMatch(/1\. strong, from 3 to 5: raises result by \d/)
    expect(said(lines)).toMatch(/2\. weak, from 3 to 4\.5: lowers result by \d/)
    expect(said(lines)).toContain('Less, or not to be told from chance: idle.')
    expect(next.map(({ ask }) => ask)).toContainEqual({ about: 'matters', measure: 'chance' })
    expect(said(answer(doc, { about: 'matters', measure: 'chance' }, 0).lines)).toContain('No input moves chance by more than chance does.')
    expect(answer(doc, { about: 'matters' }, 0).lines).toEqual(lines)
  })

  it('is refused in words without inputs, without measures, with errors, and when the runs take too long', () => {
    const bare = documentOf([variable('out', 0), process('Work', start(every(1)), compute('out += 1'), end())])
    expect(said(answer(bare, { about: 'matters' }, 0).lines)).toContain('no input whose value could be varied')
    const unmeasured = documentOf([variable('rate', 2, { public: true })])
    expect(said(answer(unmeasured, { about: 'matters' }, 0).lines)).toContain('add a statistic first')
    const wrong = documentOf([...linear, statistic('bad', 'nothing_there')])
    expect(said(answer(wrong, { about: 'matters' }, 0).lines)).toContain('mend them first')
    let time = 0
    expect(screening(new Branch(documentOf(linear)), {}, () => (time += 20_000))).toBe('too long')
    let later = 0
    const cut = screening(new Branch(documentOf(linear)), {}, () => (later += 1500))
    expect(cut).toMatchObject({ isCut: true, paths: 4, runs: 20 })
  })

  it('is what such words ask, in both languages', () => {
    const doc = sample('clinic')
    const of = (text: string) => understood(text, modelOf(doc), [])
    expect(of('What matters?')).toEqual({ about: 'matters' })
    expect(of('Which input matters most for mean wait?')).toEqual({ about: 'matters', measure: 'mean wait' })
    expect(of('什么最重要？')).toEqual({ about: 'matters' })
    expect(of('哪个输入影响最大')).toEqual({ about: 'matters' })
    expect(of('Overview (ODD)')).toEqual({ about: 'overview' })
    expect(of('describe the model')).toEqual({ about: 'overview' })
    expect(of('模型概述')).toEqual({ about: 'overview' })
  })
})

describe('the overview', () => {
  it('describes every sample under the seven headings of the protocol, in both languages, the same each time', () => {
    for (const { id } of samples) {
      const doc = sample(id)
      const { lines, next, proposal } = answer(doc, { about: 'overview' }, 0)
      expect(
        lines.filter(({ heading }) => heading).map(({ words }) => english(words)),
        id,
      ).toEqual([
        '1. Purpose',
        '2. Entities, state variables and scales',
        '3. Processes and their schedule',
        '4. Design concepts',
        '5. Initialization',
        '6. Input data',
        '7. Submodels',
      ])
      expectWords(doc, lines)
      expect(proposal).toBeNull()
      expect(next.length).toBeLessThanOrEqual(10)
      expect(answer(doc, { about: 'overview' }, 0).lines).toEqual(lines)
    }
  })

  it('says what a model has, where chance comes from, and what only people can say', () => {
    const told = said(answer(sample('wolf-sheep'), { about: 'overview' }, 0).lines)
    expect(told).toContain('A note says: “Predators, prey and pasture')
    expect(told).toContain('Agent “Wolf”: in “Meadow”.')
    expect(told).toContain('“Live” of “Wolf”')
    expect(told).toMatch(/Stochasticity: chance is drawn at .*Wander/)
    expect(told).toContain('Input “Regrowth” is 30.')
    expect(told).toContain('for people to write')
    expect(said(answer(sample('networks'), { about: 'overview' }, 0).lines)).toMatch(/chance is drawn at .*Acquaintance/)
    const plain = documentOf([variable('out', 0), process('Work', start(every(1)), compute('out += 1'), end())])
    expect(said(answer(plain, { about: 'overview' }, 0).lines)).toContain('nothing is drawn by chance')
    setField(plain, modelOf(plain).scenarios[0]!, 'name', `\u202e${'x'.repeat(200)}`)
    expect(said(answer(plain, { about: 'overview' }, 0).lines)).not.toContain('undefined')
  })
})
