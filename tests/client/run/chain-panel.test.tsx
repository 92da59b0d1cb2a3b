// The panel of a chain shows a Terra chain as readably as one of Ethereum: units of its coin, messages, events and what contracts store.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { setupI18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Shown, type Part } from '../../../client/run/panels/ChainTables.tsx'
import { messages as english } from '../../../model-schema/languages/en-US.po'
import { messages as chinese } from '../../../model-schema/languages/zh-CN.po'
import { compile } from '../../../model-schema/words.ts'
import type { ChainAsk, ChainView } from '../../../sim-engine/messages.ts'
import { agents, element, end, model, process, scenario, start } from '../../help/models.ts'
import type { Built } from '../../help/models.ts'
import { workerBench } from '../../help/worker.ts'

const modules = createRequire(import.meta.url)
const code = gzipSync(readFileSync(modules.resolve('@oraichain/oraidex-contracts-build/data/oraiswap-token.wasm'))).toString('base64')
const initial =
  '[{"name": "Münze", "symbol": "TOK", "decimals": 6, "initial_balances": [{"address": net.account("bank"), "amount": "1000"}]}]'
const pays = (name: string, amount: string) =>
  element('transaction', name, {
    account: 'net.account("bank")',
    interface: 'token',
    method: 'transfer',
    arguments: `[{"recipient": Holder.individuals[0], "amount": "${amount}"}]`,
    otherwise: 'continue',
  })
const trading = model(
  scenario({ totalTicks: 4 }),
  element('blockchain', 'net', { chain: 'terra', gasPrice: 2, accounts: [{ name: 'bank', balance: '10000000' }] }),
  element('contract', 'token', { code, arguments: initial }),
  agents('Holder', { initialNumber: '1', chain: 'net' }),
  process('P', start(), pays('pay', '5'), pays('more', '2000'), end()),
)

/** What is told of the chain after a step; `ask` takes the addresses from what was told before. */
async function toldOf(built: Built, ask: (view: ChainView) => Partial<ChainAsk>): Promise<ChainView> {
  const bench = workerBench()
  const first = { chain: 'net', storageOf: null, callsOf: null }
  bench.load(built.model)
  bench.tell({ do: 'chain', ask: first }, { do: 'step' })
  while (bench.all('loaded').length === 0) await new Promise(resolve => void setImmediate(resolve))
  bench.turn()
  bench.tell({ do: 'chain', ask: { ...first, ...ask(bench.last('chain').chain!) } })
  return bench.last('chain').chain!
}

const contractIn = (view: ChainView): string => view.accounts.find(({ label }) => label === 'token')!.address
const nothing = (): void => undefined

/** The texts of a part of the panel, in order. */
function textsOf(view: ChainView, part: Part, callsOf: ChainAsk['callsOf'] = null, locale: 'en-US' | 'zh-CN' = 'en-US'): string[] {
  const i18n = setupI18n({ locale, messages: { [locale]: locale === 'en-US' ? english : chinese } }).setMessagesCompiler(compile)
  const html = renderToString(
    <I18nProvider i18n={i18n}>
      <Shown
        view={view}
        part={part}
        locale={locale}
        callsOf={callsOf}
        onStorage={nothing}
        onCalls={nothing}
        onGo={nothing}
        onBranch={nothing}
      />
    </I18nProvider>,
  )
  return html
    .replaceAll('<!-- -->', '')
    .replaceAll('&quot;', '"')
    .split(/<[^>]*>/)
    .map(text => text.trim())
    .filter(text => text !== '')
}

it('amounts, fees and balances of a Terra chain are in uluna, and refusals say why', async () => {
  const view = await toldOf(trading, () => ({}))
  const shown = (['transactions', 'blocks', 'waiting', 'accounts'] as const).map(part => textsOf(view, part).join(' | '))
  expect(shown.join('\n')).not.toContain('wei')
  expect(shown[0]).toContain('Amount (uluna) | Gas | Fee (uluna)')
  expect(shown[0]).toContain('Reverted: Overflow: Cannot Sub with 995 and 2000')
  expect(shown[3]).toContain('Balance (uluna)')
  expect(textsOf(view, 'transactions', null, 'zh-CN').join(' | ')).toContain('金额 (uluna) | Gas | 费用 (uluna)')
})

it('a message shows its name, its content and the events that it led to', async () => {
  const callsOf = { block: 1, index: 0 }
  const view = await toldOf(trading, () => ({ callsOf }))
  expect(view.calls!.rows).toMatchObject([
    { depth: 0, kind: 'execute', from: 'bank', to: 'token', method: 'transfer', arguments: '{ "recipient": "Holder 1", "amount": "5" }' },
  ])
  const shown = textsOf(view, 'transactions', callsOf).join(' ')
  expect(shown).toContain('execute token .transfer ({ "recipient": "Holder 1", "amount": "5" })')
  expect(shown).toContain('token wasm action transfer from bank to Holder 1 amount 5')
})

it('what a contract stores shows as names and JSON; entries that are numbers as numbers, too', async () => {
  const view = await toldOf(trading, told => ({ storageOf: contractIn(told) }))
  const { slots, count } = view.storage!
  expect(slots).toHaveLength(count)
  expect(slots).toContainEqual({ key: 'balance / bank', value: '"995"' })
  expect(slots.find(({ key }) => key === 'token_info')!.value).toContain('{ "name": "Münze", "symbol": "TOK", "decimals": 6,')
  const shown = textsOf(view, 'storage').join(' | ')
  expect(shown).toContain(`token | ${count} entries | Key | Value | As a number`)
  expect(shown).toContain('balance / bank | "995" | 995')
  expect(textsOf(view, 'storage', null, 'zh-CN').join(' | ')).toContain(`token | ${count} 个条目 | 键 | 值 | 数值`)
})

it('a chain of Ethereum keeps wei, slots and base fees, and shows the events of a transaction', async () => {
  const artifact = readFileSync(new URL('../../../model-schema/samples/contracts/Token.json', import.meta.url), 'utf8')
  const built = model(
    scenario({ totalTicks: 4 }),
    element('blockchain', 'net', { accounts: [{ name: 'bank', balance: '5' }] }),
    element('contract', 'token', { artifact, arguments: '[net.account("bank"), 100]' }),
    agents('Holder', { initialNumber: '1', chain: 'net' }),
    process(
      'P',
      start(),
      element('transaction', 'pay', {
        account: 'net.account("bank")',
        interface: 'token',
        method: 'transfer',
        arguments: '[Holder.individuals[0], 5]',
      }),
      end(),
    ),
  )
  const callsOf = { block: 1, index: 0 }
  const view = await toldOf(built, told => ({ callsOf, storageOf: contractIn(told) }))
  expect(textsOf(view, 'blocks')).toContain('Base fee (wei)')
  expect(textsOf(view, 'transactions')).toContain('Fee (wei)')
  expect(textsOf(view, 'storage').join(' | ')).toMatch(/slots \| Slot \| Value \| As a number/)
  expect(view.calls!.events).toEqual([
    {
      contract: 'token',
      event: 'Transfer',
      values: [
        { name: 'from', value: 'bank' },
        { name: 'to', value: 'Holder 1' },
        { name: 'value', value: '5' },
      ],
    },
  ])
})
