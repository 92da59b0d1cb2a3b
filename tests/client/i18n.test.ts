// Both languages say everything: the catalogues hold what the sources say, every text has a Chinese one, and what is filled into a
// text is filled into its translation.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { directionOf, locale, setLocale, wordsNow } from '../../client/i18n/locale.ts'
import { messages as english } from '../../model-schema/languages/en-US.po'
import { messages as chinese } from '../../model-schema/languages/zh-CN.po'
import { allTexts } from '../../client/i18n/texts.ts'
import { alternatives, english as inEnglish, joined, say, verbatim } from '../../model-schema/words.ts'
import { chinese as inChinese } from '../help/languages.ts'
import { i18n } from '@lingui/core'

const root = fileURLToPath(new URL('../..', import.meta.url))
const lingui = fileURLToPath(import.meta.resolve('@lingui/cli').replace(/index\.js$/, 'lingui.js'))

/** Runs a check of the catalogues; its complaints, or nothing. */
async function complaints(...args: string[]): Promise<string> {
  try {
    await promisify(execFile)(process.execPath, [lingui, 'check', ...args, '--config', 'client/i18n/lingui.config.ts'], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' },
    })
    return ''
  } catch (error) {
    return error instanceof Error && 'stdout' in error
      ? String(error.stdout) + ('stderr' in error ? String(error.stderr) : '')
      : String(error)
  }
}

/** What is filled into a compiled message: names of values, and tags. */
function placeholders(message: unknown): string[] {
  const found = new Set<string>()
  const walk = (part: unknown): void => {
    if (typeof part === 'string') for (const tag of part.matchAll(/<\/?(\w+)\/?>/g)) found.add(`<${tag[1]}>`)
    else if (Array.isArray(part)) {
      const [name, kind, choices] = part
      if (typeof name === 'string') found.add(`{${name}}`)
      if (typeof kind === 'string' && choices !== null && typeof choices === 'object') {
        for (const [choice, text] of Object.entries(choices))
          if (choice !== 'offset') for (const piece of Array.isArray(text) ? text : [text]) walk(piece)
      }
    }
  }
  for (const part of Array.isArray(message) ? message : [message]) walk(part)
  return [...found].sort()
}

describe('catalogues', () => {
  // Reads every source once more: a minute and more where the machine has other work.
  it('hold exactly what the sources say (npm run extract)', async () => {
    expect(await complaints('sync')).toBe('')
  })

  it('have a Chinese text for every message', async () => {
    expect(await complaints('missing', '--mode', 'catalog')).toBe('')
    expect(Object.keys(chinese).sort()).toEqual(Object.keys(english).sort())
  })

  it('fill the same values and tags into both', () => {
    const rows = Object.entries(english).map(([id, message]) => ({
      id,
      english: placeholders(message),
      chinese: placeholders(chinese[id]),
    }))
    expect(rows.filter(row => row.chinese.some(one => !row.english.includes(one)))).toEqual([])
    // Chinese has no plural, and says these without the value.
    const without = ['domain: line', 'there ', 'population as ', 'it is no JSON: ']
    const differing = rows.filter(row => row.chinese.join() !== row.english.join()).map(({ id }) => JSON.stringify(english[id]))
    expect(differing.filter(message => !without.some(part => message.includes(part)))).toEqual([])
    expect(differing.length).toBe(without.length)
  })

  it('are Chinese where there are words', () => {
    const names = ['Ethereum', 'Terra', 'GAE lambda', 'Leaky ReLU', 'Sigmoid', 'tanh']
    // A translation without a single Chinese character is a name, a sign, or forgotten.
    const plain = Object.values(chinese)
      // Names of values are no words: `["label"]` inside a message, but not a message of one word.
      .map(message => JSON.stringify(message).replace(/(?<=[[,])\["\w+"\]/g, ''))
      .filter(
        text =>
          !/[\u3400-\u9fff]/.test(text) && /[a-z]{4,}/.test(text) && !names.some(name => text === `["${name}"]` || text === `"${name}"`),
      )
    expect(plain).toEqual([])
  })
})

describe('the language', () => {
  it('switches messages, antd and dates together, and is remembered by the page', async () => {
    await setLocale('zh-CN')
    expect(i18n.locale).toBe('zh-CN')
    expect(locale.getState().antd?.locale).toBe('zh-cn')
    const { default: dayjs } = await import('dayjs')
    expect(dayjs().locale()).toBe('zh-cn')
    await setLocale('en-US')
    expect(locale.getState().antd).toBeNull()
    expect(dayjs().locale()).toBe('en')
  })

  it('shows texts that come as data, also those of earlier versions', async () => {
    const agent = say('Agent')
    expect([inEnglish(agent), inChinese(agent)]).toEqual(['Agent', '智能体'])
    expect(inChinese({ en: 'Old', zh: '旧' })).toBe('旧')
    expect(inChinese({ en: 'Old', zh: '' })).toBe('Old')
    expect(inChinese(verbatim('Wolf'))).toBe('Wolf')
    expect(inChinese(say('No catalogue has this {n}.', { n: 3 }))).toBe('No catalogue has this 3.')
    await setLocale('zh-CN')
    await allTexts()
    expect(wordsNow(agent)).toBe('智能体')
    await setLocale('en-US')
    expect(wordsNow(agent)).toBe('Agent')
  })

  it('fills texts and lists into texts, each in the language', () => {
    const text = say('{title}: {text}', { title: say('Agent'), text: [say('Agent'), 2, verbatim('x')] })
    expect(inEnglish(text)).toBe('Agent: Agent, 2, x')
    expect(inChinese(text)).toBe('智能体：智能体、2、x')
    expect(structuredClone(text)).toEqual(text)
    expect(inEnglish(say("{n, plural, one {# line} other {# lines}} of '{'x'}'", { n: 2 }))).toBe('2 lines of {x}')
    expect(inEnglish(joined(['a', say('Agent'), 1]))).toBe('aAgent1')
    expect([[], ['a'], ['a', 'b', 'c']].map(values => inEnglish(alternatives(values)))).toEqual(['', 'a', 'a or b or c'])
  })

  it('is written from right to left where it is', () => {
    expect(['he', 'ar-EG', 'fa', 'ku'].map(directionOf)).toEqual(['rtl', 'rtl', 'rtl', 'rtl'])
    expect(['en-US', 'zh-CN'].map(directionOf)).toEqual(['ltr', 'ltr'])
  })
})
