// The output of a Transaction step has the types of the interface: in formulas, in what editors offer, and when the interface changes.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadChain } from '../../../sim-engine/chain.ts'
import { scopeAt } from '../../../client/panels/code/scope.ts'
import { createChecker } from '../../../sim-engine/check.ts'
import { completionsAt, hoverAt } from '../../../sim-engine/language.ts'
import { compute, element, end, log, model, process, scenario, start, variable } from '../../help/models.ts'
import type { Built, Entry, Fields, Part } from '../../help/models.ts'
import { checkOf, codesOf, logOf, runOf } from '../../help/runs.ts'
import { english } from '../../../model-schema/words.ts'

beforeAll(() => loadChain())

const artifact = readFileSync(new URL('../../../model-schema/samples/contracts/Token.json', import.meta.url), 'utf8')
const uint = (name: string): object => ({ name, type: 'uint256' })
const order = { name: '', type: 'tuple', components: [uint('amount'), { name: 'owner', type: 'address' }, { name: 'kind', type: 'uint8' }] }
const method = (name: string, outputs: readonly object[]): object => ({
  type: 'function',
  name,
  inputs: [],
  outputs,
  stateMutability: 'nonpayable',
})
const abi = JSON.stringify([method('order', [order]), method('reserves', [uint('one'), uint('other')]), method('spin', [])])

const chain = (fields: Fields = {}): Part => element('blockchain', 'net', fields)
const token = element('contract', 'token', { artifact, arguments: '[net.account("treasury"), units("10", 18)]' })
const desk = element('contract', 'desk', { abi, address: '', deployed: false })
const send = (fields: Fields): Part => element('transaction', 't', { account: 'net.account("treasury")', ...fields })
const pay = (fields: Fields = {}): Part =>
  send({ interface: 'token', method: 'transfer', arguments: '[net.account("b"), units("1", 18)]', ...fields })
const ask = (name: string): Part => send({ interface: 'desk', method: name, contract: '"0x0000000000000000000000000000000000000001"' })
const world = (...entries: readonly Entry[]): Built =>
  model(scenario({ totalTicks: 1 }), variable('seen', 'None'), chain(), token, desk, process('P', start(), ...entries, end()))

/** What is wrong with a formula after a step. */
const mistakes = (step: Part, formula: string): string[] =>
  checkOf(world(step, log(formula))).problems.map(({ message }) => english(message))

describe('types of what a transaction gives', () => {
  test('a key that is not there is a mistake, with the nearest one', () => {
    for (const key of ['status', 'value', 'hash', 'gas', 'fee', 'block', 'index', 'events', 'error'])
      expect([key, mistakes(pay(), `t.output["${key}"]`)]).toEqual([key, []])
    expect(mistakes(pay(), 't.output["vlaue"]')).toEqual([expect.stringContaining('no "vlaue"; did you mean "value"?')])
    expect(mistakes(pay(), 't.output["events"][0]["name"]')).toEqual([expect.stringContaining('no "name"')])
    expect(mistakes(pay({ does: 'read', method: 'balanceOf', arguments: '[net.account("b")]' }), 't.output["gas"]')).toEqual([
      expect.stringContaining('no "gas"'),
    ])
    expect(mistakes(ask('order'), 't.output["value"]["price"]')).toEqual([expect.stringContaining('no "price"')])
  })

  test('wide whole numbers are Integers, others numbers; texts and what is not returned cannot be calculated with', () => {
    expect(mistakes(ask('order'), 't.output["value"]["amount"] * integer(2)')).toEqual([])
    expect(mistakes(ask('order'), 't.output["value"]["amount"] / 2')).not.toEqual([])
    expect(mistakes(ask('order'), 't.output["value"]["kind"] * 0.5')).toEqual([])
    expect(mistakes(ask('order'), 't.output["value"]["owner"] - 2')).not.toEqual([])
    expect(mistakes(ask('reserves'), 't.output["value"][1] // integer(3) + t.output["fee"]')).toEqual([])
    expect(mistakes(ask('reserves'), 't.output["value"][2]')).toEqual([expect.stringContaining('2 items')])
    expect(mistakes(ask('spin'), 't.output["value"] + 1')).not.toEqual([])
    expect(mistakes(pay(), 't.output["status"] - 1')).not.toEqual([])
  })

  test('where the step goes on after an error, value and block may be None', () => {
    for (const otherwise of ['branch', 'continue'])
      expect(mistakes({ ...pay({ otherwise }) }, '[t.output["value"] + 1, t.output["block"] is None]')).toEqual([])
    expect(mistakes(pay({ otherwise: 'continue' }), 't.output["vlaue"]')).not.toEqual([])
  })

  test('a step that was not passed gives None; a copy takes other keys', () => {
    expect(logOf(world(log('t.output is None'), pay(), log('t.output is None')))).toEqual(['True', 'False'])
    const { summary } = runOf(world(log('t.output["value"]'), pay()))
    expect(summary.result).toMatchObject({ end: 'failed', problem: { code: 10014 } })
    const more = compute('o = t.output\no["mine"] = 3\nseen = o["mine"] + o["gas"]')
    expect(codesOf(world(pay(), more))).toEqual([])
    expect(logOf(world(pay(), more, log('seen > 3')))).toEqual(['True'])
  })

  test('formulas are looked at again when the interface or the step changes', () => {
    const checker = createChecker()
    const read = (step: Part, kind: string): number => {
      const text = abi.replace('"uint8"', JSON.stringify(kind))
      const built = model(
        scenario({ totalTicks: 1 }),
        chain(),
        token,
        element('contract', 'desk', { abi: text, address: '', deployed: false }),
        process('P', start(), step, log('t.output["value"]["kind"] - 1'), end()),
      )
      return checker.check(built.model, built.model.scenarios[0]!).problems.length
    }
    expect([read(ask('order'), 'uint8'), read(ask('order'), 'string'), read(ask('order'), 'uint8')]).toEqual([0, 1, 0])
    expect([read({ ...ask('order'), fields: { ...ask('order').fields, otherwise: 'continue' } }, 'string')]).toEqual([0])
  })

  test('Integers of an output are exact in variables and views', () => {
    const steps = [pay(), compute('seen = t.output["fee"] + units("1", 18)'), log('[seen, t.output["value"]]')]
    expect(logOf(world(...steps))).toEqual(['[1000000000000000000, True]'])
  })
})

describe('editors', () => {
  const built = world(ask('order'), log('t.output["value"]'))
  const logged = built.model.elements.get('P-log')?.id ?? [...built.model.elements.values()].find(({ kind }) => kind === 'log')!.id
  const at = (marked: string): [string, number] => [marked.replace('|', ''), marked.indexOf('|')]
  const offered = (marked: string): string[] =>
    completionsAt(...at(marked), 'expression', scopeAt(built.model, logged)).items.map(({ label, detail }) => `${label} ${detail}`)

  test.each([['t.output["|'], ['t.output["va|'], ['t.output["|"]'], ["1 + t.output['va|lue'] + 2"], ['t.output["|]']])(
    'keys are offered with their types at %s',
    marked => {
      expect(offered(marked)).toEqual(
        expect.arrayContaining(['status text', 'gas number', 'fee integer', 'value dict of text to any', 'error text']),
      )
    },
  )

  test('components of a tuple too; nothing in other texts', () => {
    expect(offered('t.output["value"]["|"]')).toEqual(['amount integer', 'owner text', 'kind number'])
    expect(offered('["|"]')).toEqual([])
    expect(offered('"[\'|"')).toEqual([])
  })

  test('the type of a value is told where the pointer rests', () => {
    const text = 't.output["value"]["amount"]'
    expect(hoverAt(text, text.length - 1, 'expression', scopeAt(built.model, logged))?.type).toBe('integer')
  })
})
