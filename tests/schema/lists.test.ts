// Lists of names in messages and next to them are written as the language writes them.
import { i18n } from '@lingui/core'
import { afterEach, expect, it } from 'vitest'
import { listNow } from '../../client/i18n/list.ts'
import { compile, english, list, listed, say, verbatim, textOf } from '../../model-schema/words.ts'

const names = ['Wolf', 'Sheep', 'Grass']
const before = i18n.locale
afterEach(() => i18n.activate(before || 'en-US'))

it('as the language does, in a message and by themselves', () => {
  expect(listed(names, 'en-US')).toBe('Wolf, Sheep, Grass')
  expect(listed(names, 'zh-CN')).toBe('Wolf、Sheep、Grass')
  expect(english(say('Used by {names}.', { names }))).toBe('Used by Wolf, Sheep, Grass.')
  i18n.setMessagesCompiler(compile)
  i18n.load('zh-CN', {})
  i18n.activate('zh-CN')
  expect(listNow(names)).toBe('Wolf、Sheep、Grass')
  expect(textOf(list([verbatim('Wolf'), 'Sheep']), i18n)).toBe('Wolf、Sheep')
})
