// Our machine against the kept reference, @ethereumjs/vm, on random programs: equal status, gas, output, logs, balances and storage.
import { beforeAll, describe, expect, it } from 'vitest'
import { Code } from '../../../sim-engine/chain/evm/code.ts'
import { curveParts, loadCurves } from '../../../sim-engine/chain/evm/protocol/curves.ts'
import { rulesOf } from '../../../sim-engine/chain/evm/rules.ts'
import { State } from '../../../sim-engine/chain/evm/state.ts'
import { execute } from '../../../sim-engine/chain/evm/transaction.ts'
import { Vm } from '../../../sim-engine/chain/evm/vm.ts'
import { toHex } from '../../../sim-engine/chain/evm/word.ts'
import { ReferenceMachine } from '../../../sim-engine/chain/reference/machine.ts'
import { randomCode } from '../../help/chain/bytecode.ts'
import { chance } from '../../help/random.ts'

beforeAll(() => loadCurves(curveParts))

// PROGRAMS=100000 runs more; SEED=... repeats one program.
const count = Number(process.env.PROGRAMS ?? 10_000)
const firstSeed = Number(process.env.SEED ?? 1)
const programs = process.env.SEED === undefined ? count : 1

const sender = 0x5e4de4n
const contracts = [0xaaaa01n, 0xaaaa02n, 0xaaaa03n]
const others = [0xbbbb01n, 0xbbbb02n]
const addresses = { contracts, others }
const funds = 10n ** 18n
const gasLimit = 300_000n
const coinbase = 0xc0ffeen

const block = {
  number: 20_000_000n,
  timestamp: 1_800_000_000n,
  gasLimit: 30_000_000n,
  coinbase,
  baseFee: 7n,
  difficulty: 0n,
  random: 0n,
  chainId: 1n,
  excessBlobGas: 0n,
  hashOf: () => 0n,
}

async function compare(seed: number, fork: 'shanghai' | 'cancun'): Promise<void> {
  const random = chance(seed)
  const state = new State()
  const reference = await ReferenceMachine.make(fork)
  state.begin()
  const codes: Uint8Array[] = []
  for (const address of [sender, ...contracts]) {
    const code = address === sender ? new Uint8Array(0) : randomCode(random, addresses)
    codes.push(code)
    const account = state.account(address)
    account.exists = true
    account.balance = funds
    account.code = new Code(code)
    await reference.put(address, funds, code)
    if (address === sender) continue
    state.slot(account, 1n).value = 5n
    await reference.store(address, 1n, 5n)
  }
  state.end()
  const vm = new Vm(state, rulesOf[fork], block)
  const data = Uint8Array.from({ length: random.below(70) }, () => random.below(256))
  const to = contracts[0]!
  const transaction = { from: sender, to, nonce: 0n, value: 3n, data, gasLimit, maxFee: 10n, tip: 0n, accessList: [] }
  const ours = execute(vm, transaction)
  const theirs = await reference.execute(transaction, block)
  if (ours.status === 'invalid' || theirs.status === 'invalid') throw new Error(`SEED=${seed}: invalid`)
  const code = codes.map(toHex).join(' ')
  const { status, gasUsed, output, logs } = ours
  expect({ status, gasUsed, output: toHex(output), logs, created: undefined }, `SEED=${seed} ${fork} ${code}`).toEqual({
    ...theirs,
    output: toHex(theirs.output),
  })
  for (const address of [sender, coinbase, ...contracts, ...others]) {
    const account = state.accounts.get(address)
    expect(account?.balance ?? 0n, `SEED=${seed} ${fork} balance of ${address.toString(16)} ${code}`).toBe(await reference.balance(address))
    // The reference's plain store keeps slots of accounts that are gone.
    if (account === undefined) continue
    for (let key = 0n; key < 4n; key++) {
      expect(account.slots.get(key)?.value ?? 0n, `SEED=${seed} ${fork} slot ${key} of ${address.toString(16)} ${code}`).toBe(
        await reference.slot(address, key),
      )
    }
  }
}

describe('EVM: random programs', () => {
  it(`give the same receipts and state as the reference machine (${programs} programs)`, { timeout: 600_000 }, async () => {
    for (let at = 0; at < programs; at++) await compare(firstSeed + at, at % 4 === 0 ? 'shanghai' : 'cancun')
  })
})
