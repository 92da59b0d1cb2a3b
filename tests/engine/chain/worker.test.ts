// The engine behind its port: the chain's code comes with the first model that needs it, messages wait for it in their order, and a chain is
// shown as it is where the run stands, also after going back.
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
  bench.tell({ do: 'chain', ask: { chain: 'net', storageOf: null } }, { do: 'step' }, { do: 'step' }, { do: 'step' })
  expect(bench.said).toEqual([])
  // Files are read on other threads: the event loop goes on until the code is there.
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
