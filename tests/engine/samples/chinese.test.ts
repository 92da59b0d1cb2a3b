// The shipped samples in Chinese: each text that people read is translated, names included; formulas say the new names, and runs are the same to the bit.
import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { modelOfFile, parseFile, type HoloFile } from '../../../model-schema/file.ts'
import { localised, namesIn, textsIn, type Translations } from '../../../model-schema/samples/localised.ts'
import { formulaName } from '../../../model-schema/kinds.ts'
import { sampleExperiments, samples } from '../../../model-schema/samples.ts'
import { loadChain } from '../../../sim-engine/chain.ts'
import { check } from '../../../sim-engine/check.ts'
import { compile } from '../../../sim-engine/compile.ts'
import { start } from '../../../sim-engine/run.ts'
import { english } from '../../../model-schema/words.ts'

await loadChain()

const folder = new URL('../../../model-schema/samples/', import.meta.url)
const fileOf = (path: string): HoloFile => {
  const parsed = parseFile(readFileSync(new URL(`${path}.holo`, folder), 'utf8'))
  if (!('file' in parsed)) throw new Error(`${path}: ${english(parsed.problems[0]?.words)}`)
  return parsed.file
}
const chineseOf = (path: string): Translations => JSON.parse(readFileSync(new URL(`zh/${path}.json`, folder), 'utf8'))
const shipped = [...samples.map(({ id }) => id), ...sampleExperiments.map(({ id }) => `experiments/${id}`)]

/** What is the same in both languages: signs, formulas, and names of tokens. */
const international = new Set(['%', 'k', 'v', 'R0', 'Cash', 'Gold', 'Erlang-2', '12 ln 2 − 8'])

/** What a run holds after a few steps. */
function runOf(file: HoloFile): unknown {
  const model = modelOfFile(file)
  const { checked, problems } = check(model, model.scenarios[0] ?? '')
  expect(problems.map(one => `${one.at.id} ${english(one.message)}`)).toEqual([])
  const run = start(compile(checked!), { seed: 7, ticks: 3 })
  while (run.advance()) continue
  return run.snapshot().state
}

describe('samples in Chinese', () => {
  it.each(shipped)('%s: each text has a translation, and each translation a text', path => {
    const texts = textsIn(fileOf(path))
    const chinese = chineseOf(path)
    expect(Object.keys(chinese).sort()).toEqual(texts.toSorted())
    for (const text of texts) {
      if (international.has(text)) expect(chinese[text]).toBe(text)
      else expect(chinese[text], text).toMatch(/\p{Script=Han}/u)
      // A note in two languages at once would be read twice.
      expect(text).not.toMatch(/\p{Script=Han}/u)
    }
  })

  it('are no others than the shipped ones', () => {
    const there = readdirSync(new URL('zh/', folder), { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.json'))
    expect(there.toSorted()).toEqual(shipped.map(path => `${path}.json`).toSorted())
  })

  it.each(samples.map(({ id }) => id))('%s: runs as in English', id => {
    const file = fileOf(id)
    const translated = localised(file, chineseOf(id))
    expect(translated).not.toEqual(file)
    expect(runOf(translated)).toEqual(runOf(file))
  })

  it('have experiments that say their names', () => {
    for (const { id, model } of sampleExperiments) {
      const file = fileOf(model)
      const names = namesIn(file, chineseOf(model))
      const experiment = localised(fileOf(`experiments/${id}`), chineseOf(`experiments/${id}`), names)
      const translated = modelOfFile(localised(file, chineseOf(model)))
      const there = new Set([...translated.elements.values()].map(element => element.fields['name']))
      for (const element of Object.values(experiment.elements))
        if (typeof element['variable'] === 'string') expect(there, `${id}: ${element['variable']}`).toContain(element['variable'])
      const linked = new Map(Object.entries(experiment.elements).map(([key, element]) => [key, JSON.stringify(element)]))
      for (const [said, name] of names)
        if (said !== formulaName(name) && /^[A-Z]/.test(said))
          for (const [key, text] of linked) expect(text, `${id}: ${key}`).not.toMatch(new RegExp(`"(expression|variable)":"${said}`))
    }
  })

  it('say the new names in formulas and tables, and leave texts and other members alone', () => {
    const file = fileOf('wolf-sheep')
    const formula = (expression: string) => {
      const elements = { ...file.elements, extra: { kind: 'statistic', parent: 'scenario1', name: 'extra', expression } }
      return localised({ ...file, elements }, { Sheep: '羊 只', energy: '能量', sheep: '羊' }).elements['extra']?.['expression']
    }
    expect(formula('mean([s.energy for s in Sheep])')).toBe('mean([s.能量 for s in 羊_只])')
    expect(formula("\"Sheep\" if sheep > Sheep.count else 'it\\'s Sheep'")).toBe("\"Sheep\" if 羊 > 羊_只.count else 'it\\'s Sheep'")
    expect(formula('x.sheep + sheepish')).toBe('x.sheep + sheepish')
  })

  it('leave files that are not translated as they are, and bad values alone', () => {
    const file = fileOf('clinic')
    expect(localised(file, {})).toEqual(file)
    const odd: HoloFile = {
      ...file,
      elements: {
        s: { kind: 'scenario', name: 3 },
        c: { kind: 'chart', series: [null, { label: 4 }], name: ['a'] },
        u: { kind: 'unheard' },
      },
    }
    expect(localised(odd, { a: 'b' })).toEqual(odd)
    expect(textsIn(odd)).toEqual([])
  })
})
