// The shipped samples in Chinese: each text that people read is translated, and nothing that formulas say changes: runs are the same to the bit.
import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { modelOfFile, parseFile, type HoloFile } from '../../../model-schema/file.ts'
import { localised, namesSaid, textsIn, type Translations } from '../../../model-schema/localised.ts'
import { formulaName, kindOf } from '../../../model-schema/kinds.ts'
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
const international = new Set(['%', 'k', 'R0', 'Cash', 'Gold', 'Erlang-2', '12 ln 2 − 8'])

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

  it('keep the names that experiments say', () => {
    expect(sampleExperiments.flatMap(({ id }) => [...namesSaid(fileOf(`experiments/${id}`))])).toContain('busy')
    for (const { id, model } of sampleExperiments) {
      const said = namesSaid(fileOf(`experiments/${id}`))
      const file = fileOf(model)
      const translated = localised(file, chineseOf(model), said)
      expect(runOf(translated)).toEqual(runOf(file))
      for (const [key, element] of Object.entries(file.elements)) {
        const isNamed = kindOf(element.kind)?.fields.some(field => field.id === 'name' && field.type.as === 'name') === true
        const name = element['name']
        if (isNamed && typeof name === 'string' && said.has(formulaName(name)))
          expect(translated.elements[key]?.['name'], `${id}: ${name}`).toBe(name)
      }
    }
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
