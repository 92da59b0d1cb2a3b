// Help in the app: questions first, commands last; the controls in an answer have the names that the app shows, in both languages.
import { chinese } from '../help/languages.ts'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { commands } from '../../client/editor/commands.ts'
import { presetsOn } from '../../client/editor/starters/presets.ts'
import { starters } from '../../client/editor/starters/models.ts'
import { beginLesson, chaptersOf } from '../../client/reference/chapters.ts'
import { groups } from '../../client/reference/tasks.ts'
import { lessonHash, lessonOf } from '../../client/tutorials/address.ts'
import { lessons } from '../../client/tutorials/lessons.ts'
import { kinds } from '../../model-schema/kinds.ts'
import { referenceOf } from '../../sim-engine/docs.ts'
import { english } from '../../model-schema/words.ts'

const tasks = groups.flatMap(group => group.tasks)
const textsOf = (language: 'en-US' | 'zh-CN'): string[] =>
  [...readFileSync(new URL(`../../model-schema/languages/${language}.po`, import.meta.url), 'utf8').matchAll(/^msgstr "(.*)"$/gm)].map(
    match => match[1]!,
  )

/** All labels of the app. */
const labels = {
  en: new Set(textsOf('en-US')),
  zh: new Set(textsOf('zh-CN')),
}
for (const words of [
  ...commands.map(({ words }) => words),
  ...(['root', 'entity', 'process'] as const).flatMap(canvas => presetsOn(canvas).map(({ label }) => label)),
  ...starters.map(({ label }) => label),
  ...kinds.flatMap(({ label, fields }) => [
    label,
    ...fields.flatMap(field => [field.label, ...Object.values(field.there ?? {}).map(one => one.label)]),
  ]),
]) {
  labels.en.add(english(words))
  labels.zh.add(chinese(words))
}

const speak = { en: english, zh: chinese }
const said = (text: string): string[] => [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(match => match[1]!)

describe('how to do things', () => {
  it('names only what the app has, and the same number of it in both languages', () => {
    for (const { id, answer } of tasks) {
      for (const language of ['en', 'zh'] as const)
        for (const label of said(speak[language](answer))) expect(labels[language].has(label), `${id}: ${label}`).toBe(true)
      expect(said(chinese(answer)).length, id).toBe(said(english(answer)).length)
    }
    expect(tasks.flatMap(({ answer }) => said(english(answer))).length).toBeGreaterThan(tasks.length)
  })

  it('asks questions, and answers them briefly', () => {
    expect(tasks.length).toBeGreaterThanOrEqual(20)
    for (const { question, answer } of tasks) {
      expect(english(question)).toMatch(/^How do I .*\?$/)
      expect(chinese(question)).toMatch(/^如何.*？$/)
      expect(english(answer).length).toBeLessThan(420)
      expect(chinese(answer)).toMatch(/[\u3400-\u9fff]/)
    }
  })
})

describe.each(['en', 'zh'] as const)('help in %s', language => {
  const chapters = chaptersOf(speak[language])
  const ids = chapters.map(({ id }) => id)

  it('begins with tutorials and tasks, ends with files and commands, and leaves nothing of the reference out', () => {
    expect(ids.slice(0, 3)).toEqual(['tutorials', 'how-to', 'overview'])
    expect(ids.slice(-3)).toEqual(['example', 'file-format', 'command-line'])
    expect(ids.slice(2).toSorted()).toEqual(
      referenceOf(speak[language])
        .map(({ id }) => id)
        .toSorted(),
    )
  })

  it('has each address once, and those that menus lead to', () => {
    const all = chapters.flatMap(({ id, parts }) => [id, ...parts.flatMap(part => [part.id, ...part.entries.map(entry => entry.id)])])
    expect(new Set(all).size).toBe(all.length)
    for (const place of ['how-to', 'formulas', 'elements']) expect(all).toContain(place)
    for (const { id } of lessons) expect(chapters[0]?.text).toContain(`](${beginLesson(id)})`)
  })
})

describe('the address of a tutorial', () => {
  it('is read back, and nothing else is taken for one', () => {
    for (const { id } of lessons) expect(lessonOf(`#${lessonHash(id)}`)).toBe(id)
    for (const bad of ['', '#', '#lesson-', '#lesson-<b>', '#lesson-A', `#lesson-${'a'.repeat(60)}`, '#other'])
      expect(lessonOf(bad)).toBeNull()
  })
})
