// Our Ethereum machine against revm: node tests/nightly/anvil.ts [fork]. Transactions run on Foundry's anvil behind a block; a fork of that
// block is recorded through anvil as of any real node, and the same transactions run on the fork. Status, gas, fee, logs and output of each,
// and all accounts and slots at the end, are equal to the unit, else it says what differs and exits 1.
// Anvil is installed into a temporary folder; ANVIL=path takes one that is there. PROGRAMS=10000 runs more random programs, SEED=... other ones.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { curveParts, loadCurves } from '../../sim-engine/chain/evm/protocol/curves.ts'
import { rulesOf } from '../../sim-engine/chain/evm/rules.ts'
import type { Fork } from '../../sim-engine/chain/evm/rules.ts'
import { State } from '../../sim-engine/chain/evm/state.ts'
import { execute } from '../../sim-engine/chain/evm/transaction.ts'
import { Vm } from '../../sim-engine/chain/evm/vm.ts'
import { NodeReader } from '../../sim-engine/chain/fork/node.ts'
import type { RecordedBase } from '../../sim-engine/chain/fork/recorded-state.ts'
import { record } from '../../sim-engine/chain/fork/record.ts'
import { Anvil, installAnvil } from './anvil-node.ts'
import { accountsOf, addressHex, blockAt, differences, hex, mine, ourOutcome, refuses, stateDifferences, toPlace } from './comparison.ts'
import type { Mined, Outcome } from './comparison.ts'
import { compareModels } from './recorded-model.ts'
import { chainId, chosen, random } from './transactions.ts'
import type { Batch, Sent } from './transactions.ts'

const forks = ['shanghai', 'cancun', 'prague', 'osaka'] as const satisfies readonly Fork[]
const programs = Number(process.env['PROGRAMS'] ?? 400)
const firstSeed = Number(process.env['SEED'] ?? 1)
/** Random programs of one recording, which may not be longer than a model holds. */
const programsAtOnce = 80
const coinbase = 0xc0ffeen << 100n
const blockGas = 30_000_000n
/** Base fee of each block. */
const fee = [{ method: 'anvil_setNextBlockBaseFeePerGas', params: [hex(7n)] }]
/** Blocks before all else, so that each block of which a contract may ask the hash is there. */
const earlierBlocks = 300n

/** Transactions by blocks: as many as have room. */
function packed(sent: readonly Sent[]): Sent[][] {
  const blocks: Sent[][] = []
  let left = 0n
  for (const one of sent) {
    if (one.gasLimit > left) {
      blocks.push([])
      left = blockGas
    }
    blocks.at(-1)!.push(one)
    left -= one.gasLimit
  }
  return blocks
}

/** Our machine on a fork, after the transactions of the blocks. */
function replay(base: RecordedBase, fork: Fork, blocks: readonly Mined[]): { state: State; vm: Vm; outcomes: Outcome[][] } {
  const state = new State(base)
  const made = new Map(blocks.map(({ block }) => [block.number, block.hash]))
  const hashOf = (number: bigint): bigint => made.get(number) ?? base.hashOf(number)
  const vm = new Vm(state, rulesOf[fork], { ...blocks[0]!.block, hashOf })
  const outcomes = blocks.map(({ block, sent }) => {
    vm.block = { ...block, hashOf }
    return sent.map(transaction => ourOutcome(execute(vm, transaction)))
  })
  return { state, vm, outcomes }
}

type Tally = { transactions: number; failed: number; accounts: number; slots: number; refused: number; requests: number }

async function compareBatch(anvil: Anvil, fork: Fork, batch: Batch, tally: Tally): Promise<string[]> {
  await anvil.all(batch.placed.flatMap(toPlace))
  for (const sent of [[], ...packed(batch.before), []]) await mine(anvil, sent, fee)
  const { number } = await blockAt(anvil, 'latest')
  const before = await accountsOf(anvil)
  const blocks: Mined[] = []
  for (const sent of packed(batch.after)) blocks.push(await mine(anvil, sent, fee))
  const after = await accountsOf(anvil)

  const node = new NodeReader({ post: anvil.post, wait: async () => undefined })
  let last: ReturnType<typeof replay> | undefined
  const { recording } = await record(node, number, chainId, 1, base => void (last = replay(base, fork, blocks)))
  const { state, vm, outcomes } = last!
  const found = recording.isVerified ? [] : ['the recording is not verified against the state root']
  for (const [at, { sent, receipts, block }] of blocks.entries())
    for (const [k, theirs] of receipts.entries())
      found.push(...differences(`block ${block.number}, ${sent[k]!.name}`, outcomes[at]![k]!, theirs))
  found.push(...stateDifferences(state, before, after))

  for (const sent of batch.refused) {
    const ours = execute(vm, sent)
    const isRefused = await refuses(anvil, sent)
    if ((ours.status === 'invalid') !== isRefused)
      found.push(`${sent.name}: ${ourOutcome(ours).status}, anvil ${isRefused ? 'refuses' : 'takes'} it`)
  }
  tally.transactions += batch.after.length
  tally.failed += outcomes.flat().filter(({ status }) => status === 'failed').length
  tally.accounts += [...state.accounts.values()].filter(({ exists }) => exists).length
  for (const account of state.accounts.values()) tally.slots += [...state.slotsOf(account)].length
  tally.refused += batch.refused.length
  tally.requests += node.requests
  return found
}

async function compareFork(program: string, fork: Fork): Promise<string[]> {
  const options = ['--hardfork', fork, '--chain-id', String(chainId), '--timestamp', '1800000000', '--no-mining']
  const free = ['--auto-impersonate', '--disable-min-priority-fee', '--order', 'fifo', '--gas-limit', String(blockGas)]
  const strict = fork === 'osaka' ? ['--enable-tx-gas-limit'] : []
  const anvil = await Anvil.start(program, [...options, ...free, ...strict])
  try {
    await anvil.ask('anvil_setCoinbase', addressHex(coinbase))
    await anvil.ask('anvil_mine', hex(earlierBlocks))
    const tally: Tally = { transactions: 0, failed: 0, accounts: 0, slots: 0, refused: 0, requests: 0 }
    const found = await compareBatch(anvil, fork, chosen(fork), tally)
    for (let at = 0; at < programs; at += programsAtOnce)
      found.push(...(await compareBatch(anvil, fork, random(firstSeed + at, Math.min(programsAtOnce, programs - at)), tally)))
    const { transactions, failed, accounts, slots, refused, requests } = tally
    console.log(
      `${fork}: ${transactions} transactions (${failed} failed), ${refused} refused, ${accounts} accounts and ${slots} slots compared, ` +
        `${requests} requests of recordings, ${found.length} differences`,
    )
    found.push(...(await compareModels(anvil, fork)))
    return found.map(one => `${fork}: ${one}`)
  } finally {
    await anvil.stop()
  }
}

const wanted = forks.filter(fork => process.argv[2] === undefined || fork === process.argv[2])
const folder = mkdtempSync(join(tmpdir(), 'holarchy-anvil-'))
try {
  await loadCurves(curveParts)
  const program = process.env['ANVIL'] ?? installAnvil(folder)
  const found: string[] = []
  for (const fork of wanted) found.push(...(await compareFork(program, fork)))
  for (const one of found.slice(0, 50)) console.error(one)
  process.exitCode = found.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true })
}
