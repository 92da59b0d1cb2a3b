// The engine behind its port: the chain's code comes with the first model that needs it, messages wait for it in their order, and a chain is
// shown in its state at the current instant, also after going back.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { check } from '../../../sim-engine/check.ts'
import { compile } from '../../../sim-engine/compile.ts'
import { start as startRun } from '../../../sim-engine/run.ts'
import { agents, element, end, every, model, process, scenario, start } from '../../help/models.ts'
import { workerBench } from '../../help/worker.ts'

const paying = model(
  scenario({ totalTicks: 9 }),
  element('blockchain', 'net', { gasPrice: 2, accounts: [{ name: 'shop', balance: '5' }] }),
  agents(
    'Payer',
    { initialNumber: '1', chain: 'net', balance: '10 ** 9' },
    process(
      'Pay',
      start(every(1)),
      element('transaction', 'pay', { does: 'transfer', recipient: 'net.account("shop")', value: 'tick' }),
      end(),
    ),
  ),
)

test('a run without the chain’s code says what to do', () => {
  const checked = check(paying.model, paying.model.scenarios[0]!)
  if (!checked.ok) throw new Error('problems')
  expect(() => startRun(compile(checked.checked))).toThrow(
    expect.objectContaining({ code: 10067, message: expect.stringContaining('check the connection, then load the model again') }),
  )
})

test('loads the chain’s code first, then obeys; the chain goes back with the run', async () => {
  const bench = workerBench()
  bench.load(paying.model)
  bench.tell({ do: 'chain', ask: { chain: 'net', storageOf: null, callsOf: null } }, { do: 'step' }, { do: 'step' }, { do: 'step' })
  expect(bench.said).toEqual([])
  // Files are read on other threads: the event loop turns until the code is there.
  while (bench.said.length === 0) await new Promise(resolve => void setImmediate(resolve))
  bench.turn()
  expect(bench.last('loaded').loaded.chains).toEqual([{ id: 'net', name: 'net' }])
  const shown = () => bench.last('chain').chain!
  expect(shown().transactions.map(({ block, from, to, value, status, fee }) => [block, from, to, value, status, fee])).toEqual([
    [2, 'Payer 1', 'shop', '2', 'success', '42000'],
    [1, 'Payer 1', 'shop', '1', 'success', '42000'],
  ])
  expect(shown().accounts.map(({ label, balance }) => [label, balance])).toEqual([
    ['coinbase', '84000'],
    ['Payer 1', String(10 ** 9 - 3 - 84_000)],
    ['shop', '8'],
  ])
  bench.tell({ do: 'seek', tick: 1 })
  bench.turn()
  expect(shown()).toMatchObject({ number: 1, blocks: [{ number: 1, transactions: 1, gas: 21_000 }] })
  expect(shown().transactions).toHaveLength(1)
  bench.tell({ do: 'chain', ask: null }, { do: 'step' })
  bench.turn()
  const told = bench.all('chain').length
  bench.tell({ do: 'step' })
  expect(bench.all('chain')).toHaveLength(told)
})

test('calls of a transaction are told by name; the reference machine does the same transactions', async () => {
  const bench = workerBench()
  const artifact = readFileSync(new URL('../../../model-schema/samples/contracts/Token.json', import.meta.url), 'utf8')
  const token = { artifact, arguments: '[net.account("shop"), 100]', name: 'token' }
  const send = (amount: string) => ({
    interface: 'token',
    method: 'transfer',
    account: 'net.account("shop")',
    arguments: `["0x0000000000000000000000000000000000000077", ${amount}]`,
    otherwise: 'continue',
  })
  const trading = model(
    scenario({ totalTicks: 9 }),
    element('blockchain', 'net', { accounts: [{ name: 'shop', balance: '5' }] }),
    element('contract', 'token', token),
    process('P', start(), element('transaction', 'pay', send('7')), element('transaction', 'more', send('1000')), end()),
  )
  bench.load(trading.model)
  bench.tell({ do: 'chain', ask: { chain: 'net', storageOf: null, callsOf: { block: 2, index: 0 } } }, { do: 'step' })
  while (bench.all('loaded').length === 0) await new Promise(resolve => void setImmediate(resolve))
  bench.turn()
  const { calls } = bench.last('chain').chain!
  expect(calls).toMatchObject({ block: 2, index: 0 })
  expect(calls!.rows).toMatchObject([{ depth: 0, kind: 'CALL', from: 'shop', to: 'token', method: 'transfer', value: '0' }])
  expect(calls!.rows[0]!.arguments).toMatch(/0x0+77, .*1000/)
  expect(calls!.rows[0]!.error).not.toBe('')
  bench.tell({ do: 'verify', most: 100 })
  while (!bench.all('verified').some(({ state }) => state.is !== 'running')) {
    await new Promise(resolve => void setImmediate(resolve))
    bench.turn()
  }
  expect(bench.last('verified').state).toEqual({
    is: 'done',
    verdicts: [{ chain: 'net', transactions: 3, accounts: expect.any(Number), slots: expect.any(Number), difference: null }],
  })
})
