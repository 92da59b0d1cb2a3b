// A model on a fork, as people make one: `holarchy chain record` records it through anvil, it runs without a node, and then anvil repeats what
// the run did, in the same blocks. Receipts, base fees and accounts are equal.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { modelOfFile, parseFile, printFile } from '../../model-schema/file.ts'
import { readInterface } from '../../sim-engine/chain/abi.ts'
import type { Interface } from '../../sim-engine/chain/abi.ts'
import { loadChain } from '../../sim-engine/chain.ts'
import { addressText } from '../../sim-engine/chain/accounts.ts'
import { Codec } from '../../sim-engine/chain/codec.ts'
import { Hashes } from '../../sim-engine/chain/evm/hashes.ts'
import { EvmMachine } from '../../sim-engine/chain/evm/machine.ts'
import type { Deed } from '../../sim-engine/chain/evm/machine.ts'
import type { Fork } from '../../sim-engine/chain/evm/rules.ts'
import type { Ledger } from '../../sim-engine/chain/ledger.ts'
import { check } from '../../sim-engine/check.ts'
import { chainCommand } from '../../sim-engine/command/chain-command.ts'
import { compile } from '../../sim-engine/compile.ts'
import { start as startRun } from '../../sim-engine/run.ts'
import { agents, element, end, every, model, process as processOf, scenario, start } from '../help/models.ts'
import type { Fields, Part } from '../help/models.ts'
import type { Anvil, Call } from './anvil-node.ts'
import { accountsOf, addressHex, blockAt, differences, hex, mine, ourOutcome, stateDifferences, toPlace } from './comparison.ts'
import type { Sent } from './transactions.ts'

const artifact = readFileSync(new URL('../../model-schema/samples/contracts/Token.json', import.meta.url), 'utf8')
const whale = 0xbe0eb53f46cd790cd13851d5eff43d12404d33e8n
const ether = 10n ** 18n
const free = { method: 'anvil_setNextBlockBaseFeePerGas', params: ['0x0'] }

/** Holders are paid by a holder of the real chain, pay on, ask for too much, give money away, and deploy a token of their own. */
const modelOn = (token: bigint, block: bigint, chain: Fields) => {
  const send = (name: string, fields: Fields): Part => element('transaction', name, { otherwise: 'continue', ...fields })
  const pay = (name: string, args: string, fields: Fields = {}): Part =>
    send(name, { interface: 'token', method: 'transfer', arguments: args, ...fields })
  return model(
    scenario({ totalTicks: 12 }),
    element('blockchain', 'net', { node: 'mainnet', startBlock: Number(block), gasPrice: 2, tickSeconds: 12, ...chain }),
    element('contract', 'token', { artifact, address: addressText(token), deployed: false }),
    agents(
      'Holder',
      { initialNumber: '3', chain: 'net', balance: '10 ** 18' },
      processOf(
        'P',
        start(every(1)),
        pay('pay', '[self.account, units("1", 18)]', { account: `"${addressText(whale)}"` }),
        pay('on', `["${addressText(whale)}", units("0.25", 18)]`),
        pay('much', `["${addressText(whale)}", units("1000", 18)]`),
        send('gift', { does: 'transfer', recipient: `"${addressText(whale + 1n)}"`, value: '10 ** 15' }),
        send('make', { does: 'deploy', interface: 'token', arguments: '[self.account, 500]' }),
        pay('own', `["${addressText(whale)}", 7]`, { contract: 'make.output["value"]' }),
        end(),
      ),
    ),
  )
}

type Ran = { readonly ledger: Ledger; readonly machine: EvmMachine; readonly deeds: readonly Deed[] }

/** Runs the model of a file, which needs no node any more. */
function runOf(path: string): Ran {
  const parsed = parseFile(readFileSync(path, 'utf8'))
  if (!('file' in parsed)) throw new Error('the recorded file cannot be read')
  const read = modelOfFile(parsed.file)
  const checked = check(read, read.scenarios[0]!)
  if (!checked.ok) throw new Error(`the recorded model has problems: ${checked.problems.map(({ code }) => code).join()}`)
  const deeds: Deed[] = []
  let found: Ledger | undefined
  const made = (ledger: Ledger) => {
    found = ledger
    if (ledger.machine instanceof EvmMachine) ledger.machine.witness = deed => void deeds.push(deed)
  }
  const run = startRun(compile(checked.checked), {}, { made })
  run.advance({})
  if (run.result?.end === 'failed') throw new Error(`the recorded model fails: ${JSON.stringify(run.result.problem)}`)
  return { ledger: found!, machine: found!.machine as EvmMachine, deeds }
}

/** Makes anvil do what the run did, block by block, and compares. */
async function repeat(anvil: Anvil, { ledger, machine, deeds }: Ran): Promise<string[]> {
  const found: string[] = []
  const before = await accountsOf(anvil)
  const credits = new Map<bigint, bigint>()
  for (const deed of deeds) if (deed.is === 'credit') credits.set(deed.address, (credits.get(deed.address) ?? 0n) + deed.amount)
  await anvil.all([...credits].map(([address, amount]) => ({ method: 'anvil_setBalance', params: [addressHex(address), hex(amount)] })))
  const sent = deeds.filter(deed => deed.is === 'transaction')
  for (const { number, timestamp, baseFee } of ledger.blocks) {
    const here = sent.filter(({ block }) => block.number === BigInt(number))
    const settings: Call[] = [
      { method: 'evm_setNextBlockTimestamp', params: [timestamp] },
      { method: 'evm_setBlockGasLimit', params: [hex(ledger.plan.gasLimit)] },
      ...(here[0] === undefined ? [] : [{ method: 'anvil_setCoinbase', params: [addressHex(here[0].block.coinbase)] }]),
      ...(ledger.plan.baseFee === null ? [free] : []),
    ]
    const list: Sent[] = here.map(({ transaction, method }) => ({ ...transaction, name: method }))
    const { block, receipts } = await mine(anvil, list, settings)
    const where = `model, block ${number}`
    found.push(
      ...differences(where, { number: String(number), fee: baseFee }, { number: String(block.number), fee: String(block.baseFee) }),
      ...receipts.flatMap((theirs, k) => differences(`${where}, ${here[k]!.method}`, ourOutcome(here[k]!.receipt), theirs)),
    )
  }
  return [...found, ...stateDifferences(machine.state, before, await accountsOf(anvil))]
}

async function compareModel(anvil: Anvil, token: bigint, path: string, what: string, chain: Fields): Promise<string[]> {
  const { number } = await blockAt(anvil, 'latest')
  writeFileSync(path, printFile(modelOn(token, number, chain).file))
  let said = ''
  const output = { out: (text: string) => void (said += text), err: (text: string) => void (said += text) }
  const code = await chainCommand(['record', path, '--endpoint', anvil.url], output, new AbortController().signal)
  if (code !== 0 || !said.includes('verified against the state root')) return [`${what}: not recorded: ${said}`]
  const ran = runOf(path)
  // Accounts of the other model have the same addresses.
  const mark = await anvil.ask('evm_snapshot')
  const found = await repeat(anvil, ran)
  await anvil.ask('evm_revert', mark)
  const outcomes = ran.deeds.filter(deed => deed.is === 'transaction').map(({ receipt }) => receipt.status)
  const failed = outcomes.filter(status => status === 'failed').length
  const fees = ran.ledger.blocks.map(({ baseFee }) => Number(baseFee))
  console.log(
    `  model, ${what}: ${outcomes.length} transactions (${failed} failed), ${fees.length} blocks, ` +
      `base fees ${Math.min(...fees)} to ${Math.max(...fees)}, ${found.length} differences`,
  )
  return found.map(one => `${what}: ${one}`)
}

/** Models with transactions in blocks of their own that wait for blocks with a base fee. */
export async function compareModels(anvil: Anvil, rules: Fork): Promise<string[]> {
  await loadChain()
  const face = readInterface({ artifact, abi: '', code: '' }) as Interface
  const data = new Codec(face).creation([addressText(whale), 10n ** 24n], () => undefined)
  const deploy = { name: 'token', from: whale, to: undefined, nonce: 0n, value: 0n, data, gasLimit: 5_000_000n }
  await anvil.all(toPlace({ address: whale, balance: 1000n * ether, code: new Uint8Array(0), slots: [] }))
  await mine(anvil, [{ ...deploy, maxFee: 0n, tip: 0n, accessList: [] }], [free])
  // The base fee that the models go on from.
  await mine(anvil, [], [{ method: 'anvil_setNextBlockBaseFeePerGas', params: [hex(1000n)] }])
  const token = new Hashes().createdAddress(whale, 0n)
  const folder = mkdtempSync(join(tmpdir(), 'holarchy-anvil-model-'))
  const path = join(folder, 'fork.holo')
  try {
    // Blocks so small that the base fee rises, and transactions wait.
    const waiting = { rules, blocks: 'interval', blockTime: '1', feeMarket: 'eip1559', gasLimit: 2_500_000 }
    return [
      ...(await compareModel(anvil, token, path, 'blocks by time', waiting)),
      ...(await compareModel(anvil, token, path, 'a block each', { rules })),
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}
