// Precompiles on elliptic curves: BLS12-381 (EIP-2537) against the reference machine, and which of them are loaded before a run.
import { readFileSync, readdirSync } from 'node:fs'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { Address } from '@ethereumjs/util'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { loadChain } from '../../../sim-engine/chain.ts'
import { curvesOfCode } from '../../../sim-engine/chain/evm/protocol/curves.ts'
import { precompileAt } from '../../../sim-engine/chain/evm/protocol/precompiles.ts'
import { rulesOf } from '../../../sim-engine/chain/evm/rules.ts'
import { addressBytes, fromHex, toBytes, toHex } from '../../../sim-engine/chain/evm/word.ts'
import { TestChain } from '../../help/chain/evm.ts'
import { chance } from '../../help/random.ts'

beforeAll(() => loadChain())

const { G1, G2, fields } = bls12_381
const join = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap(part => [...part]))
const field = (value: bigint): Uint8Array => toBytes(value, 64)
const random = chance(7)
const big = (below: bigint): bigint =>
  Array.from({ length: 12 }, () => BigInt(random.below(2 ** 32))).reduce((sum, part) => (sum << 32n) | part, 0n) % below
const g1 = (scalar: bigint): Uint8Array => {
  const { x, y } = G1.Point.BASE.multiply(scalar).toAffine()
  return join(field(x), field(y))
}
const g2 = (scalar: bigint): Uint8Array => {
  const { x, y } = G2.Point.BASE.multiply(scalar).toAffine()
  return join(field(x.c0), field(x.c1), field(y.c0), field(y.c1))
}
const someG1 = () => g1(1n + big(1000n))
const someG2 = () => g2(1n + big(1000n))
const scalar = () => toBytes(big(1n << 256n), 32)
/** A point of the curve that is not in its group: x = 4 is the first. */
const outside = join(field(4n), field(fields.Fp.sqrt(68n)))
const infinity = new Uint8Array(128)

const attempt = (address: number, input: Uint8Array): { output: string; gas: number } => {
  const precompile = precompileAt(rulesOf.prague, BigInt(address))!
  const gas = precompile.gas(input, rulesOf.prague)
  try {
    return { output: toHex(precompile.run(input)), gas }
  } catch (error) {
    expect(error).toMatchObject({ reason: 'precompile failed' })
    return { output: 'failed', gas }
  }
}

describe('BLS12-381', () => {
  const inputs: readonly (readonly [number, string, Uint8Array])[] = [
    [11, 'a sum', join(someG1(), someG1())],
    [11, 'a sum outside the group', join(outside, someG1())],
    [11, 'a sum with infinity', join(infinity, infinity)],
    [11, 'no point of the curve', join(field(1n), field(1n), someG1())],
    [11, 'a coordinate of the field’s size', join(field(fields.Fp.ORDER), field(0n), someG1())],
    [11, 'a byte too many', join(someG1(), someG1(), Uint8Array.of(0))],
    [12, 'one product', join(someG1(), scalar())],
    [12, 'three products', join(someG1(), scalar(), infinity, scalar(), someG1(), scalar())],
    [12, 'a product outside the group', join(outside, scalar())],
    [12, 'nothing', new Uint8Array(0)],
    [13, 'a sum of the other group', join(someG2(), someG2())],
    [13, 'a coordinate that is too large', join(someG2(), field(fields.Fp.ORDER), field(0n), field(0n), field(0n))],
    [14, 'two products of the other group', join(someG2(), scalar(), someG2(), scalar())],
    [15, 'a pairing that is not 1', join(someG1(), someG2())],
    [15, 'a pairing outside the group', join(outside, someG2())],
    [15, 'half a pair', join(someG1(), someG2()).subarray(0, 300)],
    [16, 'a field element mapped', field(big(fields.Fp.ORDER))],
    [16, 'a number above the field', field(fields.Fp.ORDER)],
    [17, 'two field elements mapped', join(field(big(fields.Fp.ORDER)), field(big(fields.Fp.ORDER)))],
  ]

  it('gives what the reference machine gives, for the same gas', async () => {
    const common = new Common({ chain: Mainnet, hardfork: Hardfork.Prague })
    const reference = await createEVM({ common })
    for (const [address, what, input] of inputs) {
      const { execResult } = await reference.runCall({
        to: new Address(addressBytes(BigInt(address))),
        data: input,
        gasLimit: 10_000_000n,
        skipBalance: true,
      })
      const failed = execResult.exceptionError !== undefined
      const ours = attempt(address, input)
      expect([what, ours.output]).toEqual([what, failed ? 'failed' : toHex(execResult.returnValue)])
      if (!failed) expect([what, ours.gas]).toEqual([what, Number(execResult.executionGasUsed)])
    }
  })

  it('pairings are bilinear: e(aP, bQ) e(-abP, Q) = 1', () => {
    const [a, b] = [1234n, 98_765n]
    const product = join(g1(a), g2(b), g1(fields.Fr.ORDER - a * b), g2(1n))
    expect(attempt(15, product).output).toBe(toHex(toBytes(1n, 32)))
  })

  it('sums of products are linear, and are cheaper together', () => {
    const [a, b] = [77n, 1000n]
    const sum = attempt(12, join(g1(1n), toBytes(a, 32), g1(2n), toBytes(b, 32)))
    expect(sum.output).toBe(toHex(g1(a + 2n * b)))
    expect(sum.gas).toBe(22_776)
  })

  it('are there from Prague on, and cost all gas where they fail', () => {
    expect(precompileAt(rulesOf.cancun, 11n)).toBe(undefined)
    const receipt = new TestChain('prague').send({ to: 11n, gasLimit: 100_000n })
    expect([receipt.end, receipt.gasUsed]).toEqual(['precompile failed', 100_000])
  })
})

const contracts = new URL('../../../model-schema/samples/contracts/', import.meta.url)
/** The contracts of the samples, as they are created. */
const shippedContracts = () =>
  readdirSync(contracts)
    .filter(name => name.endsWith('.json'))
    .map(name => ({
      name,
      bytecode: (JSON.parse(readFileSync(new URL(name, contracts), 'utf8')) as { bytecode: string }).bytecode,
    }))

const code = (digits: string): Uint8Array => fromHex(digits)!

describe('parts of the machine that are loaded apart', () => {
  it('code that calls an address of a precompile needs its part; other code needs none', () => {
    expect(curvesOfCode(code('60016002015f5260205ff3'))).toEqual([])
    // The address is there, but nothing is called; it is called, but the bytes are the data of a push.
    expect(curvesOfCode(code('6008'))).toEqual([])
    expect(curvesOfCode(code('61600863000000fa'))).toEqual([])
    expect(curvesOfCode(code('5f5f5f5f60015afa'))).toEqual(['secp256k1'])
    expect(curvesOfCode(code('5f5f5f5f6101005afa'))).toEqual(['p256'])
    expect(curvesOfCode(code('5f5f5f5f60055afa'))).toEqual(['powers'])
    for (const address of ['02', '03']) expect(curvesOfCode(code(`5f5f5f5f60${address}5afa`))).toEqual(['digests'])
    for (const address of ['06', '08']) expect(curvesOfCode(code(`5f5f5f5f60${address}5afa`))).toEqual(['bn254'])
    for (const address of ['0a', '0b', '11']) expect(curvesOfCode(code(`5f5f5f5f60${address}5afa`))).toEqual(['bls12'])
  })

  it('an address of a precompile that is no call’s is none, as in most contracts', () => {
    // 1 is the length of the call's input, and the address that is called comes from the input.
    expect(curvesOfCode(code('5f5f60015f5f355afa'))).toEqual([])
    for (const { name, bytecode } of shippedContracts()) expect([name, curvesOfCode(code(bytecode))]).toEqual([name, []])
  })

  it('an address is followed through masks, functions and what is copied out of the code', () => {
    // 8 masked by 2^160 - 1, made as compilers make it.
    expect(curvesOfCode(code('5f5f5f5f6008600160a01b60019003165afa'))).toEqual(['bn254'])
    // A function at 15 gives the address back to 11.
    expect(curvesOfCode(code('5f5f5f5f600b6008600f565b5afa005b9056'))).toEqual(['bn254'])
    // The creation of a contract with code that calls address 6.
    expect(curvesOfCode(code('60098060095f395ff35f5f5f5f60065afa00'))).toEqual(['bn254'])
  })

  it('code that leads nobody knows where, or too far, is taken to call what it pushes', () => {
    expect(curvesOfCode(code('5f3556005b5f5f5f5f60015afa'))).toEqual(['secp256k1'])
    // Each part puts 1 or 6 on the stack, as the input says: so many stacks that not all are looked at.
    const hex = (value: number): string => value.toString(16).padStart(4, '0')
    const part = (from: number): string => `5f3561${hex(from + 12)}57600161${hex(from + 15)}565b60065b`
    const choices = '5b'.repeat(32) + Array.from({ length: 40 }, (_, k) => part(32 + 16 * k)).join('')
    expect(curvesOfCode(code(choices))).toEqual(['secp256k1', 'bn254'])
    expect(curvesOfCode(code(choices.slice(0, 2 * 64)))).toEqual([])
  })

  it('a call that nothing showed takes back its transaction and says what is missing; the next run has it', async () => {
    vi.resetModules()
    const door = await import('../../../sim-engine/chain.ts')
    const { State } = await import('../../../sim-engine/chain/evm/state.ts')
    const { EvmMachine } = await import('../../../sim-engine/chain/evm/machine.ts')
    const { Ledger } = await import('../../../sim-engine/chain/ledger.ts')
    await door.loadChain([])
    const plan = {
      id: 'net',
      isFork: false,
      chainId: 1n,
      rules: 'cancun',
      start: 0n,
      first: 1n,
      startsAt: 1_700_000_000,
      tickSeconds: 1,
      gasPrice: 0n,
      gasLimit: 30_000_000n,
      isInstant: true,
      finality: 1,
      ordering: 'fee',
      baseFee: null,
    } as const
    const evm = new EvmMachine({ rules: plan.rules, chainId: plan.chainId, coinbase: 1n, hashOf: () => 0n }, null)
    const ledger = new Ledger(plan, { time: () => 0, seed: () => 0, below: () => 0 }, () => evm)
    expect(evm.state).toBeInstanceOf(State)
    ledger.credit(5n, 100n)
    const send = () => ledger.sendNow({ from: 5n, to: 8n, value: 7n, data: new Uint8Array(0), gas: null, maxFee: 0n, tip: 0n, method: 'x' })
    expect(send).toThrow(expect.objectContaining({ code: 10067 }))
    expect([ledger.balanceOf(5n), ledger.balanceOf(8n), ledger.nonceOf(5n)]).toEqual([100n, 0n, 0n])
    await door.loadChain(['bn254'])
    expect(send().status).toBe('success')
    expect([ledger.balanceOf(5n), ledger.balanceOf(8n)]).toEqual([93n, 7n])
  })
})
