// Verify with the reference machine: the transactions of a run are executed once more by @ethereumjs/vm, and their results, and the accounts and
// storage at the end, are compared.
import { addressText } from '../accounts.ts'
import { EvmMachine } from '../evm/machine.ts'
import type { Deed } from '../evm/machine.ts'
import type { LedgerPlan } from '../ledger.ts'
import type { RecordedBase } from '../fork/recorded-state.ts'
import type { ChainOptions } from '../run.ts'
import { toHex } from '../evm/word.ts'
import { ReferenceMachine } from './machine.ts'
import type { ReferenceReceipt } from './machine.ts'

/** What is different first: at a transaction of a block, or in the accounts at the end. */
export type Difference = {
  readonly block: number | null
  readonly method: string
  /** What is compared: status, gas, output, logs, created, or an account's nonce, balance, code, slot. */
  readonly what: string
  readonly ours: string
  readonly theirs: string
}

export type Verdict = {
  readonly chain: string
  readonly transactions: number
  readonly accounts: number
  readonly slots: number
  readonly difference: Difference | null
}

/** Of a run: what changes its chains' accounts, to be done once more by the reference machine. */
export class Verification {
  readonly #witnesses: { readonly machine: EvmMachine; readonly plan: LedgerPlan; readonly name: string; readonly deeds: Deed[] }[] = []
  readonly #most: number
  #transactions = 0

  /** Wants about `most` transactions at most. */
  constructor(most: number) {
    this.#most = most
  }

  /** What the run is to be started with. */
  get options(): ChainOptions {
    return {
      made: ({ machine, plan }, name) => {
        // The reference knows Ethereum alone.
        if (!(machine instanceof EvmMachine)) return
        const deeds: Deed[] = []
        this.#witnesses.push({ machine, plan, name, deeds })
        machine.witness = deed => {
          deeds.push(deed)
          if (deed.is === 'transaction') this.#transactions++
        }
      },
    }
  }

  /** Whether the run has made as many transactions as are wanted. */
  get isFull(): boolean {
    return this.#transactions >= this.#most
  }

  /** Executes them again; `told` is called with the number done, and stops it by throwing. */
  async finish(told: (done: number, of: number) => Promise<void> | void = () => undefined): Promise<readonly Verdict[]> {
    const verdicts: Verdict[] = []
    let before = 0
    for (const { machine, plan, name, deeds } of this.#witnesses) {
      machine.witness = null
      verdicts.push(await verify(name, machine, plan, deeds, done => told(before + done, this.#transactions)))
      before += verdicts.at(-1)!.transactions
    }
    return verdicts
  }
}

type TransactionDeed = Extract<Deed, { is: 'transaction' }>

const logsText = (logs: readonly { address: bigint; topics: readonly bigint[]; data: Uint8Array }[]): string =>
  JSON.stringify(
    logs.map(({ address, topics, data }) => [addressText(address), topics.map(topic => `0x${topic.toString(16)}`), toHex(data)]),
  )

function differenceOf({ receipt, block, method }: TransactionDeed, theirs: ReferenceReceipt): Difference | null {
  const differs = (what: string, ours: unknown, other: unknown): Difference | null =>
    String(ours) === String(other)
      ? null
      : { block: Number(block.number), method, what, ours: shortened(String(ours)), theirs: shortened(String(other)) }
  if (receipt.status === 'invalid' || theirs.status === 'invalid') {
    const reason = (one: typeof receipt | ReferenceReceipt): string => (one.status === 'invalid' ? ` (${one.reason})` : '')
    // Both refuse it, each in its own words.
    if (receipt.status === theirs.status) return null
    return differs('status', `${receipt.status}${reason(receipt)}`, `${theirs.status}${reason(theirs)}`)
  }
  return (
    differs('status', receipt.status, theirs.status) ??
    differs('gas', receipt.gasUsed, theirs.gasUsed) ??
    differs('output', toHex(receipt.output), toHex(theirs.output)) ??
    differs('logs', logsText(receipt.logs), logsText(theirs.logs)) ??
    differs('created', addressOrNone(receipt.created), addressOrNone(theirs.created))
  )
}

const addressOrNone = (address: bigint | undefined): string => (address === undefined ? 'none' : addressText(address))
const shortened = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

/** Executes the deeds again and compares. */
async function verify(
  name: string,
  machine: EvmMachine,
  { rules, chainId }: LedgerPlan,
  deeds: readonly Deed[],
  told: (done: number) => Promise<void> | void,
): Promise<Verdict> {
  const { base } = machine
  const reference = await ReferenceMachine.make(rules, chainId)
  if (base !== null) await putBase(reference, base)
  let done = 0
  const verdict = { chain: name, accounts: 0, slots: 0 }
  for (const deed of deeds) {
    if (deed.is === 'credit') {
      if (deed.amount > 0n) await reference.credit(deed.address, deed.amount)
      continue
    }
    if (deed.is === 'code') {
      await reference.put(deed.address, 0n, deed.code, 1n)
      continue
    }
    if (deed.is === 'slot') {
      await reference.store(deed.address, deed.key, deed.value)
      continue
    }
    const difference = differenceOf(deed, await reference.execute(deed.transaction, deed.block))
    done++
    if (difference !== null) return { ...verdict, transactions: done, difference }
    if (done % 16 === 0) await told(done)
  }
  const found = await compareState(machine, reference, base !== null)
  return { ...verdict, ...found, transactions: done }
}

async function putBase(reference: ReferenceMachine, { recording }: RecordedBase): Promise<void> {
  for (const [address, account] of recording.accounts) {
    if (account === null) continue
    await reference.put(address, account.balance, recording.codes.get(account.codeHash) ?? new Uint8Array(0), account.nonce)
  }
  for (const [address, slots] of recording.slots) for (const [key, value] of slots) await reference.store(address, key, value)
}

async function compareState(
  { state }: EvmMachine,
  reference: ReferenceMachine,
  isFork: boolean,
): Promise<{ accounts: number; slots: number; difference: Difference | null }> {
  let accounts = 0
  let slots = 0
  for (const account of state.accounts.values()) {
    if (!account.exists) continue
    accounts++
    const theirs = await reference.account(account.address)
    const at = addressText(account.address)
    const ours = { nonce: account.nonce, balance: account.balance, code: toHex(account.code.bytes) }
    const compared: [string, unknown, unknown][] = [
      [`nonce of ${at}`, ours.nonce, theirs?.nonce ?? 0n],
      [`balance of ${at}`, ours.balance, theirs?.balance ?? 0n],
      [`code of ${at}`, ours.code, theirs?.code ?? '0x'],
    ]
    let filled = 0
    for (const [key, value] of state.slotsOf(account)) {
      slots++
      if (value !== 0n) filled++
      compared.push([`slot 0x${key.toString(16)} of ${at}`, value, await reference.slot(account.address, key)])
    }
    if (!isFork) compared.push([`number of slots of ${at}`, filled, reference.slotCount(account.address)])
    const wrong = compared.find(([, one, other]) => one !== other)
    if (wrong === undefined) continue
    const [what, one, other] = wrong
    return {
      accounts,
      slots,
      difference: { block: null, method: '', what, ours: shortened(String(one)), theirs: shortened(String(other)) },
    }
  }
  return { accounts, slots, difference: null }
}
