// Transactions that wait for blocks: when their steps go on, and how they leave the pool without being in a block.
import { beforeAll, describe, expect, test } from 'vitest'
import { loadChain } from '../../../sim-engine/chain.ts'
import { compile } from '../../../sim-engine/compile.ts'
import { start as startRun } from '../../../sim-engine/run.ts'
import { agents, delay, element, end, log, model, process, scenario, start } from '../../help/models.ts'
import type { Built, Fields, Part } from '../../help/models.ts'
import { checkOf, codesOf, logOf } from '../../help/runs.ts'

beforeAll(() => loadChain())

const pay = (name: string, value: string, more: Fields = {}): Part =>
  element('transaction', name, {
    does: 'transfer',
    account: 'net.account("a")',
    recipient: 'net.account("b")',
    value,
    otherwise: 'continue',
    ...more,
  })
const outcome = (name: string): Part => log(`[time, "${name}", ${name}.output["status"], ${name}.output["block"], ${name}.output["error"]]`)
const held = log('[time, net.balance(net.account("b")), net.waiting]')
const world = (chain: Fields, ...processes: readonly (readonly Part[])[]): Built =>
  model(
    scenario({ totalTicks: 40 }),
    element('blockchain', 'net', {
      blocks: 'interval',
      blockTime: '5',
      gasPrice: 10,
      finality: 2,
      accounts: [
        { name: 'a', balance: '10 ** 9' },
        { name: 'b', balance: '0' },
      ],
      ...chain,
    }),
    agents('Nobody', { initialNumber: '0' }),
    ...processes.map((steps, k) => process(`P${k}`, start(), ...steps, end())),
  )

describe('a transaction step goes on', () => {
  test('when it is sent, in a block, or final', () => {
    expect(
      logOf(
        world({}, [
          pay('one', '1', { until: 'sent' }),
          outcome('one'),
          pay('two', '2'),
          outcome('two'),
          pay('three', '4', { until: 'final' }),
          outcome('three'),
          held,
        ]),
      ),
    ).toEqual([
      "[0, 'one', 'sent', None, '']",
      "[5, 'two', 'success', 1, '']",
      // In block 2 at tick 10, with two blocks on top at tick 20.
      "[20, 'three', 'success', 2, '']",
      '[20, 7, 0]',
    ])
  })

  test('with nothing on top at once, where a block is final by itself', () => {
    expect(logOf(world({ finality: 0 }, [pay('one', '1', { until: 'final' }), outcome('one')]))).toEqual(["[5, 'one', 'success', 1, '']"])
  })

  test('also from a snapshot between the block and its finality', () => {
    const built = world(
      {},
      [pay('one', '1', { until: 'final' }), outcome('one')],
      [delay(2), pay('two', '1', { timeout: '1' }), outcome('two')],
    )
    const checked = checkOf(built)
    if (!checked.ok) throw new Error('problems')
    const program = compile(checked.checked)
    const straight = startRun(program, {})
    straight.advance({})
    for (const until of [2, 7]) {
      const first = startRun(program, {})
      first.advance({ until })
      const second = startRun(program, {})
      second.restore(first.snapshot())
      second.advance({})
      expect(second.summary().hash).toBe(straight.summary().hash)
    }
    expect(straight.takeOutput().map(({ text }) => text)).toEqual([
      "[3, 'two', 'dropped', None, 'no block included it in time']",
      "[15, 'one', 'success', 1, '']",
    ])
  })
})

describe('a waiting transaction', () => {
  test('is dropped in time; later ones of its sender move up and are executed', () => {
    expect(
      logOf(world({}, [pay('first', '1', { timeout: '3' }), outcome('first')], [pay('second', '2'), outcome('second'), held])),
    ).toEqual(["[3, 'first', 'dropped', None, 'no block included it in time']", "[5, 'second', 'success', 1, '']", '[5, 2, 0]'])
  })

  test('is in a block before its time is over: nothing happens then', () => {
    expect(logOf(world({}, [pay('first', '1', { timeout: '8' }), outcome('first'), delay(20), held]))).toEqual([
      "[5, 'first', 'success', 1, '']",
      '[25, 1, 0]',
    ])
  })

  test('is replaced for a tenth more, with the same nonce; a transfer of 0 cancels it', () => {
    const bump = (value: string, fee: string, more: Fields = {}): Part => pay('next', value, { replaces: true, fee, tip: fee, ...more })
    expect(logOf(world({}, [pay('first', '1'), outcome('first')], [delay(1), bump('5', '11'), outcome('next'), held]))).toEqual([
      "[1, 'first', 'replaced', None, 'another transaction took its place']",
      "[5, 'next', 'success', 1, '']",
      '[5, 5, 0]',
    ])
    expect(logOf(world({}, [pay('first', '1'), outcome('first')], [delay(1), bump('5', '10'), outcome('next')]))).toEqual([
      "[1, 'next', 'refused', None, 'fee and tip not a tenth above the transaction to replace']",
      "[5, 'first', 'success', 1, '']",
    ])
    expect(
      logOf(world({}, [pay('first', '1'), outcome('first')], [delay(1), bump('0', '20', { recipient: 'net.account("a")' }), held])),
    ).toEqual(["[1, 'first', 'replaced', None, 'another transaction took its place']", '[5, 0, 0]'])
    expect(logOf(world({}, [bump('5', '11'), outcome('next')]))).toEqual([
      "[0, 'next', 'refused', None, 'there is no waiting transaction to replace']",
    ])
  })

  test('a hundred of one sender are executed in their order', () => {
    const many = Array.from({ length: 100 }, (_, k) => [pay(`t${k}`, String(k), { until: 'sent' })])
    expect(logOf(world({ ordering: 'random' }, ...many, [delay(6), held]))).toEqual([`[6, ${(99 * 100) / 2}, 0]`])
  })
})

test('waiting to be final, and replacing, need blocks by the clock', () => {
  expect(codesOf(world({ blocks: 'instant' }, [pay('x', '1', { until: 'final', replaces: true })]))).toEqual([
    '9033 P0-x until',
    '9033 P0-x replaces',
  ])
})
