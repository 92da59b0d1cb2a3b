// The chain's machine: transactions a second of processor time, compared with the reference machine in the same run; messages to a contract of
// CosmWasm.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { addressText } from '../../sim-engine/chain/cosmwasm/address.ts'
import { App, GasMeter } from '../../sim-engine/chain/cosmwasm/app.ts'
import { codeOf, TerraState } from '../../sim-engine/chain/cosmwasm/state.ts'
import { curveParts, loadCurves } from '../../sim-engine/chain/evm/protocol/curves.ts'
import { TestChain, callData, sender } from '../help/chain/evm.ts'
import { hostileHashes, hostilePrecompiles } from '../help/chain/hostile.ts'
import { ReferenceMachine } from '../../sim-engine/chain/reference/machine.ts'
import { median, worked } from './figure.ts'
import type { Figure } from './figure.ts'

const recipients = Array.from({ length: 100 }, (_, at) => 0x9990_0000n + BigInt(at))
const transfers = recipients.map(to => callData('Token', 'transfer(address,uint256)', to, 5n))

function market(): { chain: TestChain; token: bigint; pair: bigint } {
  const chain = new TestChain()
  const token = chain.deploy('Token', 10n ** 30n)
  const other = chain.deploy('Token', 10n ** 30n)
  const pair = chain.deploy('Pair', token, other)
  for (const one of [token, other]) chain.call('Token', one, 'transfer(address,uint256)', pair, 10n ** 24n)
  chain.call('Pair', pair, 'sync()')
  return { chain, token, pair }
}

/** Transactions a second of the reference machine on the state that our machine has, sent one after another. */
async function referenceRate(
  { chain }: ReturnType<typeof market>,
  to: bigint,
  dataOf: (at: number) => Uint8Array,
  count: number,
): Promise<number> {
  const reference = await ReferenceMachine.make('cancun')
  for (const { address, balance, code, slots } of chain.state.accounts.values()) {
    await reference.put(address, address === sender ? 10n ** 24n : balance, code.bytes)
    for (const [key, slot] of slots) await reference.store(address, key, slot.value)
  }
  const before = process.threadCpuUsage()
  for (let at = 0; at < count; at++) {
    const nonce = BigInt(at)
    const transaction = { from: sender, to, nonce, value: 0n, data: dataOf(at), gasLimit: 1_000_000n, maxFee: 10n, tip: 0n, accessList: [] }
    await reference.execute(transaction, { ...chain.vm.block, baseFee: 7n })
  }
  const { user, system } = process.threadCpuUsage(before)
  return (count / (user + system)) * 1e6
}

export async function* chainFigures(wanted: (name: string) => boolean): AsyncGenerator<Figure> {
  if (wanted('chain/transfers')) {
    const { chain, token } = market()
    const round = () => worked(() => Array.from({ length: 10_000 }, (_, at) => chain.send({ to: token, data: transfers[at % 100]! })))
    round()
    const value = 1e7 / median([round(), round(), round()])
    const made = market()
    const baseline = await referenceRate(made, made.token, at => transfers[at % 100]!, 1000)
    yield { name: 'chain/transfers', value, unit: '1/s', baseline, ratio: value / baseline, note: 'baseline: @ethereumjs/vm' }
  }
  if (wanted('chain/swaps')) {
    const { chain, pair } = market()
    const data = callData('Pair', 'swap(uint256,bool)', 10n ** 15n, 1n)
    const round = () => worked(() => Array.from({ length: 3000 }, () => chain.send({ to: pair, data })))
    round()
    const value = 3e6 / median([round(), round(), round()])
    const made = market()
    const baseline = await referenceRate(made, made.pair, () => data, 300)
    yield { name: 'chain/swaps', value, unit: '1/s', baseline, ratio: value / baseline, note: 'baseline: @ethereumjs/vm' }
  }
  if (wanted('chain/cosmwasm')) {
    const require = createRequire(import.meta.url)
    const state = new TerraState()
    state.store(codeOf(readFileSync(require.resolve('@oraichain/oraidex-contracts-build/data/oraiswap-token.wasm'))))
    const app = new App(state, () => ({ height: 7, time: 1_700_000_000_000_000_000n, chainId: 'phoenix-1', index: 0 }))
    const where = () => ({ gas: new GasMeter(50_000_000), depth: 0 })
    const from = addressText(new Uint8Array(20).fill(1))
    const begun = { name: 'Token', symbol: 'TOK', decimals: 6, initial_balances: [{ address: from, amount: '1000000000' }] }
    const token = app.instantiate(from, { admin: null, label: 'token', salt: null, code: 1 }, JSON.stringify(begun), [], where()).address
    const message = JSON.stringify({ transfer: { recipient: addressText(new Uint8Array(20).fill(2)), amount: '1' } })
    const round = () => worked(() => Array.from({ length: 3000 }, () => app.execute(from, token, message, [], where())))
    round()
    yield {
      name: 'chain/cosmwasm',
      value: 3e6 / median([round(), round(), round()]),
      unit: '1/s',
      note: 'transfers of a CW20 token of OraiDEX',
    }
  }
}

/** What a block's worth of gas makes the machine do at worst; a transaction of Osaka has 2^24 gas at most, and its time is that of 30 million. */
export async function* hostileFigures(wanted: (name: string) => boolean): AsyncGenerator<Figure> {
  await loadCurves(curveParts)
  const block = 30_000_000
  for (const { name, fork, code } of [...hostileHashes(), ...hostilePrecompiles()]) {
    const figure = `chain/hostile/${name} (${fork})`
    if (!wanted(figure)) continue
    const gas = fork === 'osaka' ? 2 ** 24 : block
    const chain = new TestChain(fork)
    const value = (worked(() => chain.runCode(code, undefined, BigInt(gas))) * block) / gas
    yield { name: figure, value, unit: 'ms', baseline: 2000, ratio: value / 2000, note: 'for 30 million gas; baseline: the target' }
  }
}
