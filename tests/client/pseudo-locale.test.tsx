// A language that is made up: every message of the catalogue between ⟦ and ⟧. Whatever is shown outside of these would stay English in a new language.
import { I18nProvider } from '@lingui/react'
import { i18n, setupI18n } from '@lingui/core'
import { renderToString } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chaptersOf } from '../../client/reference/chapters.ts'
import { commands } from '../../client/editor/commands.ts'
import { starters } from '../../client/editor/starters/models.ts'
import { presetsOn } from '../../client/editor/starters/presets.ts'
import { synonyms } from '../../client/editor/starters/vocabulary.ts'
import { locale, wordsNow } from '../../client/i18n/locale.ts'
import { lessons } from '../../client/tutorials/lessons.ts'
import { runCommands } from '../../client/run/bar/commands.ts'
import { LanguageMenu, ThemeMenu } from '../../client/ui/Choices.tsx'
import { assetLabels } from '../../model-schema/business/coins.ts'
import { featureLabels, quantityLabels } from '../../model-schema/business/plans.ts'
import { refusals } from '../../model-schema/business/subscription.ts'
import { kinds } from '../../model-schema/kinds.ts'
import { messages as english } from '../../model-schema/languages/en-US.po'
import { roleLabels } from '../../model-schema/roles.ts'
import { sampleExperiments, samples } from '../../model-schema/samples.ts'
import { compile, isWords, say, textOf, verbatim, type Words } from '../../model-schema/words.ts'
import { constants, rows } from '../../sim-engine/formula/library/library.ts'
import { methods } from '../../sim-engine/formula/library/methods.ts'
import { typeWords } from '../../sim-engine/formula/type-words.ts'
import { catalogue, problem, reserved, type ProblemCode } from '../../sim-engine/problems.ts'
import { compute, end, model, process, scenario, start } from '../help/models.ts'
import { checkOf } from '../help/runs.ts'

/** The message between marks: `"a" {b}` becomes `⟦"a" {b}⟧`. */
const marked = (message: unknown): unknown[] => ['⟦', ...(Array.isArray(message) ? message : [message]), '⟧']
const messages = Object.fromEntries(Object.entries(english).map(([id, message]) => [id, marked(message)])) as typeof english
const pseudo = setupI18n({ locale: 'en-XA', messages: { 'en-XA': messages } }).setMessagesCompiler(compile)
const speak = (words: Words): string => textOf(words, pseudo)

/** What of a text no catalogue translates: letters outside of marks. Code is the same in every language. */
function untranslated(text: string): string {
  let left = text.replaceAll(/```[\s\S]*?```|`[^`]*`|\]\([^)]*\)/g, ' ')
  for (let before = ''; before !== left;) {
    before = left
    left = left.replaceAll(/⟦[^⟦⟧]*⟧/g, ' ')
  }
  return [...left.matchAll(/\p{L}{2,}/gu)].map(([word]) => word).join(' ')
}

/** Every text in a value, with the way to it. */
function* textsIn(value: unknown, path: string, seen = new Set<unknown>()): Generator<[string, Words]> {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  if (isWords(value)) yield [path, value]
  else for (const [key, one] of Object.entries(value)) yield* textsIn(one, `${path}.${key}`, seen)
}

describe('a pseudo-locale', () => {
  it('marks what it translates, and nothing else', () => {
    expect(speak(say('Agent'))).toBe('⟦Agent⟧')
    expect(untranslated(speak(say('{title}: {text}', { title: say('Agent'), text: say('Agent') })))).toBe('')
    expect(untranslated(speak(verbatim('Wolf')))).toBe('Wolf')
    expect(untranslated(speak(say('No catalogue has this.')))).toBe('No catalogue has this')
  })

  it.each(
    Object.entries({
      metamodel: kinds,
      functions: [rows, methods, [...constants.values()]],
      problems: [catalogue, reserved],
      samples: [samples, sampleExperiments],
      business: [roleLabels, assetLabels, featureLabels, quantityLabels, refusals],
      editor: [commands, runCommands, starters, synonyms, ...(['root', 'entity', 'process'] as const).map(presetsOn)],
      tutorials: lessons,
    }),
  )('covers every text of the %s', (name, table) => {
    const all = [...textsIn(table, name)]
    expect(all.length).toBeGreaterThan(20)
    const left = all
      .filter(([, words]) => !('verbatim' in words))
      .map(([path, words]) => `${path}: ${untranslated(speak(words))}`)
      .filter(line => !line.endsWith(': '))
    expect(left).toEqual([])
  })

  it('covers the reference and the help, chapter by chapter', () => {
    const names = new Set(['Holarchy', 'None', 'True', 'False'])
    const left = chaptersOf(speak).flatMap(chapter =>
      [chapter, ...chapter.parts, ...chapter.parts.flatMap(part => part.entries)].flatMap(({ id, title, text }) =>
        untranslated(`${title}\n${text}`)
          .split(' ')
          .filter(word => word !== '' && !names.has(word))
          .map(word => `${id}: ${word}`),
      ),
    )
    expect(left).toEqual([])
  })

  it('covers messages that are filled in, whatever fills them', () => {
    const types = [
      'number',
      'list of list of number',
      'dict of text to list of number',
      'tuple (number, text)',
      'items of bool',
      'population as L',
    ]
    for (const type of types) expect(untranslated(speak(typeWords(type))), type).toBe('')
    for (const code of Object.keys(catalogue)) {
      const { message, fix } = problem(Number(code) as ProblemCode, { id: 'x' }, [say('Agent'), 3])
      expect(untranslated(`${speak(message)} ${speak(fix)}`), code).toBe('')
    }
    const programs = ['y = 1 +', 'x = [1][0', 'sqrt(1, 2)', 'a = "x" + 1', 'for i in 3:\n  pass', 'x = math.sin(1)', 'import x', 'lambda']
    for (const program of programs) {
      const found = checkOf(model(scenario(), process('P', start(), compute(program), end()))).problems
      expect(found.length, program).toBeGreaterThan(0)
      for (const { message, fix } of found) {
        // Names and what was typed stay.
        const rest = untranslated(`${speak(message)} ${speak(fix)}`)
        expect(rest, program).toBe('')
      }
    }
  })
})

describe('the pages in a pseudo-locale', () => {
  beforeAll(() => {
    i18n.load('en-XA', messages)
    i18n.activate('en-XA')
    locale.setState({ locale: 'en-XA' })
  })
  afterAll(() => {
    i18n.activate('en-US')
    locale.setState({ locale: 'en-US' })
  })

  it('show texts of macros and texts that come as data from the one catalogue', () => {
    expect(wordsNow(say('Agent'))).toBe('⟦Agent⟧')
    const page = renderToString(
      <I18nProvider i18n={i18n}>
        <LanguageMenu />
        <ThemeMenu />
      </I18nProvider>,
    )
    const labels = [...page.matchAll(/aria-label="([^"]*)"/g)].map(match => match[1]!).filter(label => label.includes('⟦'))
    expect(labels.length).toBeGreaterThanOrEqual(2)
  })
})
