// The reference in the app: what a search leaves, and that every address others lead to is there.
import { english } from '../../model-schema/words.ts'
import { chinese } from '../help/languages.ts'
import { describe, expect, it } from 'vitest'
import { blocksOf } from '../../client/reference/Markdown.tsx'
import { referenceOfElement, referenceOfFunction, referenceOfProblem } from '../../client/reference/link.ts'
import { countOf, matching } from '../../client/reference/search.ts'
import { kinds } from '../../model-schema/kinds.ts'
import { referenceOf } from '../../sim-engine/docs.ts'
import type { Chapter } from '../../sim-engine/docs.ts'
import { rows } from '../../sim-engine/formula/library/library.ts'
import { catalogue } from '../../sim-engine/problems.ts'

const entriesOf = (chapters: readonly Chapter[]) => chapters.flatMap(chapter => chapter.parts.flatMap(part => part.entries))
const idsOf = (chapters: readonly Chapter[]): string[] =>
  chapters.flatMap(({ id, parts }) => [id, ...parts.flatMap(part => [part.id, ...part.entries.map(entry => entry.id)])])

describe.each(['en', 'zh'] as const)('the reference in %s', language => {
  const chapters = referenceOf(language === 'en' ? english : chinese)

  it('has a place for every link of the app, each only once', () => {
    const ids = idsOf(chapters)
    expect(new Set(ids).size).toBe(ids.length)
    const links = [
      ...rows.map(row => referenceOfFunction(row.signature.name)),
      ...kinds.map(kind => referenceOfElement(kind.id)),
      ...Object.keys(catalogue).map(code => referenceOfProblem(Number(code))),
    ]
    const known = new Set(ids.map(id => `/docs#${id}`))
    expect(links.filter(link => !known.has(link))).toEqual([])
  })

  it('is shown whole for a blank search, and for none of its words not at all', () => {
    expect(matching(chapters, '  ')).toBe(chapters)
    expect(matching(chapters, 'zzzqqq')).toEqual([])
    expect(countOf(matching(chapters, 'zzzqqq'))).toBe(0)
  })

  it('is found by name, the thing itself first in its part', () => {
    for (const name of ['neighbors', 'exponential', 'sorted']) {
      const parts = matching(chapters, name).flatMap(chapter => chapter.parts)
      const own = parts.find(part => part.entries.some(entry => entry.id === `function-${name}`))
      expect(own?.entries[0]?.id).toBe(`function-${name}`)
      expect(parts.flatMap(part => part.entries).length).toBeLessThan(entriesOf(chapters).length / 4)
    }
    expect(entriesOf(matching(chapters, '9013')).map(({ id }) => id)).toContain('problem-9013')
  })

  it('is found by all words, whatever their order and case', () => {
    const one = matching(chapters, 'POISSON mean')
    expect(entriesOf(one).map(({ id }) => id)).toContain('function-poisson')
    expect(idsOf(one)).toEqual(idsOf(matching(chapters, 'mean poisson')))
    for (const { title, text } of entriesOf(one)) expect(`${title}\n${text}`.toLowerCase()).toMatch(/poisson/)
  })

  it('is made of blocks that can be shown: no mark is left over in its texts', () => {
    const texts = chapters.flatMap(({ text, parts }) => [text, ...parts.flatMap(part => [part.text, ...part.entries.map(one => one.text)])])
    const left: string[] = []
    for (const block of texts.flatMap(blocksOf)) if (block.is === 'text' && /```|^\||^\s*- /.test(block.text)) left.push(block.text)
    expect(left).toEqual([])
  })
})

it('fields are named as they are written in a file', () => {
  const entry = entriesOf(referenceOf(english)).find(({ id }) => id === 'element-statistic')
  expect(entry?.text).toContain('`kind_` Over time')
})
