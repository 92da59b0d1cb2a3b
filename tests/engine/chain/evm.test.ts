// The Ethereum machine: prices of every opcode, precompiles against published vectors, what a failure takes back, and hostile code.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { EvmMachine } from '../../../sim-engine/chain/evm/machine.ts'
import { rulesOf } from '../../../sim-engine/chain/evm/rules.ts'
import { opcodesOf } from '../../../sim-engine/chain/evm/opcodes.ts'
import { curveParts, loadCurves } from '../../../sim-engine/chain/evm/protocol/curves.ts'
import { power } from '../../../sim-engine/chain/evm/protocol/modexp.ts'
import { precompileAt } from '../../../sim-engine/chain/evm/protocol/precompiles.ts'
import { view } from '../../../sim-engine/chain/evm/transaction.ts'
import { fromBytes, fromHex, toHex } from '../../../sim-engine/chain/evm/word.ts'
import { chance } from '../../help/random.ts'
import { TestChain, callData, sender } from '../../help/chain/evm.ts'
import { callsWithoutEnd } from '../../help/chain/hostile.ts'
import { stateRoot } from '../../help/chain/trie.ts'

beforeAll(() => loadCurves(curveParts))

const hex = (text: string): Uint8Array => fromHex(text.replaceAll(/\s/g, ''))!
const noBytes = new Uint8Array(0)
const intrinsic = 21_000

/** Gas of the code beyond the transaction's own 21,000. */
const gasOf = (code: string): number => new TestChain().runCode(code).gasUsed - intrinsic

describe('EVM gas: prices of the Yellow Paper and of EIP-2929, 3529, 3860, 1153', () => {
  const cases: [string, string, number][] = [
    ['ADD of two pushes', '6001600201', 9],
    ['EXP with an exponent of two bytes', '61010060020a', 3 + 3 + 10 + 100],
    ['KECCAK256 of 33 bytes', '6021600020', 6 + 30 + 12 + 6],
    ['MSTORE at 0', '6001600052', 6 + 3 + 3],
    ['MSTORE at 992: 32 words and their square', '60016103e052', 6 + 3 + 96 + 2],
    ['cold and warm SLOAD', '600154600154', 3 + 2100 + 3 + 100],
    ['SSTORE of a new value', '6001600155', 6 + 2100 + 20_000],
    ['SSTORE twice', '60016001556002600155', 6 + 22_100 + 6 + 100],
    ['cold BALANCE', '61aaaa3150', 3 + 2600 + 2],
    ['TSTORE and TLOAD', '600160025d60025c', 6 + 100 + 3 + 100],
    ['LOG1 of 8 bytes', '6007600860 00a1', 9 + 3 + 375 + 375 + 64],
    ['CALL of a cold account without code', '600060006000600060006 1bbbb 61ffff f1', 7 * 3 + 2600],
    ['CREATE of nothing', '600060006000f0', 9 + 32_000],
    ['PUSH0', '5f', 2],
    ['MCOPY of 32 bytes', '6020600060005e', 9 + 3 + 3 + 3],
  ]
  it.each(cases)('%s', (_, code, gas) => expect(gasOf(code.replaceAll(' ', ''))).toBe(gas))

  it('refunds at most a fifth of the gas used when a slot is cleared', () => {
    const chain = new TestChain()
    chain.put(0xc0den, 0n, hex('5f5f55'))
    chain.state.begin()
    chain.state.slot(chain.state.account(0xc0den), 0n).value = 1n
    const spent = intrinsic + 4 + 2100 + 2900
    expect(chain.send({ to: 0xc0den }).gasUsed).toBe(spent - Math.min(4800, Math.floor(spent / 5)))
  })

  it('asks the intrinsic gas of calldata, creation and access lists', () => {
    const chain = new TestChain()
    expect(chain.send({ to: 0x99n, data: hex('0001') }).gasUsed).toBe(21_000 + 4 + 16)
    expect(chain.send({ to: 0x99n, accessList: [{ address: 1n, slots: [1n, 2n] }] }).gasUsed).toBe(21_000 + 2400 + 2 * 1900)
    expect(chain.send({ data: hex('00') }).gasUsed).toBe(53_000 + 4 + 2)
  })

  it('asks a floor for calldata from Prague on (EIP-7623)', () => {
    expect(new TestChain('prague').send({ to: 0x99n, data: new Uint8Array(100).fill(1) }).gasUsed).toBe(21_000 + 4000)
  })
})

describe('EVM opcodes: stack', () => {
  it('every opcode but INVALID halts on an empty stack exactly when it takes words', () => {
    for (const [code, { name, pops }] of opcodesOf(rulesOf.cancun).entries()) {
      if (name === 'INVALID' || pops === 0) continue
      const receipt = new TestChain().runCode(code.toString(16).padStart(2, '0'), undefined, 100_000n)
      expect([name, receipt.end, receipt.gasUsed]).toEqual([name, 'stack underflow', 100_000])
    }
  })

  it('opcodes of later forks are invalid', () => {
    const end = (fork: 'london' | 'shanghai' | 'cancun' | 'osaka', code: string) => new TestChain(fork).runCode(code).end
    expect([end('london', '5f'), end('shanghai', '5f')]).toEqual(['invalid opcode', 'returned'])
    expect([end('shanghai', '60005c'), end('cancun', '60005c')]).toEqual(['invalid opcode', 'returned'])
    expect([end('cancun', '60011e'), end('osaka', '60011e')]).toEqual(['invalid opcode', 'returned'])
  })

  it('CLZ counts leading zero bits (EIP-7939)', () => {
    const result = (word: string) => fromBytes(new TestChain('osaka').runCode(`${word}1e5f5260205ff3`).output)
    expect([result('5f'), result('6001'), result(`7f80${'00'.repeat(31)}`)]).toEqual([256n, 255n, 0n])
  })
})

describe('EVM precompiles: published vectors', () => {
  const run = (address: number, input: Uint8Array) => toHex(precompileAt(rulesOf.osaka, BigInt(address))!.run(input))
  const abc = new TextEncoder().encode('abc')

  it('hashes: SHA-256 and RIPEMD-160 of "abc" (FIPS 180-4; Dobbertin, Bosselaers, Preneel 1996), identity', () => {
    expect(run(2, abc)).toBe('0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(run(3, abc)).toBe(`0x${'0'.repeat(24)}8eb208f7e05d987a9b044a8e98c6b087f15a0bfc`)
    expect(run(4, abc)).toBe(toHex(abc))
  })

  it('ecrecover finds the signer, and nobody for a signature that is none (go-ethereum, TestPrecompiledEcrecover)', () => {
    const [hash, r, s] = [
      '38d18acb67d25c8bb9942764b62f18e17054f66a817bd4295423adf9ed98873e',
      '38d18acb67d25c8bb9942764b62f18e17054f66a817bd4295423adf9ed98873e',
      '789d1dd423d25f0772d2748d60f7e4b81bb14d086eba8e8e8efb6dcff8a4ae02',
    ]
    const v = (last: string) => `${'00'.repeat(31)}${last}`
    expect(run(1, hex(hash + v('1b') + r + s))).toBe('0x000000000000000000000000ceaccac640adf55b2028469bd36ba501f28b699d')
    expect(run(1, hex(hash + v('1d') + r + s))).toBe('0x')
  })

  it('modexp: 3 ** (2^256 - 2^32 - 978) modulo 2^256 - 2^32 - 977 is 1 (EIP-198)', () => {
    const word = (value: number) => value.toString(16).padStart(64, '0')
    const input = `${word(1)}${word(32)}${word(32)}03fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2efffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f`
    expect(run(5, hex(input))).toBe(`0x${word(1)}`)
    expect(precompileAt(rulesOf.cancun, 5n)!.gas(hex(input), rulesOf.cancun)).toBe(1360)
  })

  it('powers equal those by repeated products, with any digits of the exponent', () => {
    const random = chance(5)
    const number = (bits: number): bigint => BigInt(`0b1${Array.from({ length: random.below(bits) }, () => random.below(2)).join('')}`)
    for (let turn = 0; turn < 200; turn++) {
      const [base, exponent, modulus] = [number(300), random.pick([0n, 1n, 15n, 16n, 17n, 65_537n, number(12)]), number(200)]
      let expected = 1n % modulus
      for (let left = exponent; left > 0n; left--) expected = (expected * base) % modulus
      expect([base, exponent, modulus, power(base, exponent, modulus)]).toEqual([base, exponent, modulus, expected])
    }
  })

  it('bn254: P + P is 2 P, and e(P, Q) e(-P, Q) is 1 (EIP-196, 197)', () => {
    const g1 = `${'0'.repeat(63)}1${'0'.repeat(63)}2`
    expect(run(6, hex(g1 + g1))).toBe(run(7, hex(`${g1}${'0'.repeat(63)}2`)))
    const minus = `${'0'.repeat(63)}1${(21888242871839275222246405745257275088696311157297823662689037894645226208583n - 2n).toString(16).padStart(64, '0')}`
    const g2 = [
      '198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2',
      '1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed',
      '090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b',
      '12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa',
    ].join('')
    expect(run(8, hex(g1 + g2 + minus + g2))).toBe(`0x${'0'.repeat(63)}1`)
    expect(run(8, hex(g1 + g2))).toBe(`0x${'0'.repeat(64)}`)
  })

  it('blake2f: 12 rounds over the block "abc" give its BLAKE2b-512 (EIP-152, RFC 7693)', () => {
    const input = `0000000c48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b61626300${'00'.repeat(124)}0300000000000000000000000000000001`
    expect(run(9, hex(input))).toBe(`0x${createHash('blake2b512').update('abc').digest('hex')}`)
  })

  it('point evaluation proves a value, and refuses another value or hash (EIP-4844, vectors of consensus-spec-tests)', () => {
    const [hash, z, y] = [
      '01ad7666ef9d8f53b5adf54f029b13b6f171b1d0bd346a2ede315d3e243484ef',
      '73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000000',
      '0000000000000000000000000000000000000000000000000000000000000000',
    ]
    const commitment = '93efc82d2017e9c57834a1246463e64774e56183bb247c8fc9dd98c56817e878d97b05f5c8d900acf1fbbbca6f146556'
    const proof = '92c51ff81dd71dab71cefecd79e8274b4b7ba36a0f40e2dc086bc4061c7f63249877db23297212991fd63e07b7ebc348'
    const order = '73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001'
    expect(run(10, hex(hash + z + y + commitment + proof))).toBe(`0x${(4096).toString(16).padStart(64, '0')}${order}`)
    const refused = [
      hash + z + z + commitment + proof,
      `02${hash.slice(2)}${z}${y}${commitment}${proof}`,
      hash + order + y + commitment + proof,
      hash + z + y + commitment + `8${'0'.repeat(95)}`,
      `${hash}${z}${y}${commitment}${proof}00`,
    ]
    for (const input of refused) expect(() => run(10, hex(input)), input).toThrow(expect.objectContaining({ reason: 'precompile failed' }))
  })

  it('the system contracts of BSC fail by name', () => {
    expect(precompileAt(rulesOf.cancun, 0x65n)).toBe(undefined)
    expect(() => precompileAt(rulesOf.cancun, 0x65n, 56n)!.run(abc)).toThrow(expect.objectContaining({ reason: 'precompile not provided' }))
  })
})

describe('EVM transactions: what is undone, what is refused', () => {
  it('a revert and a failure keep nothing but the fee', () => {
    for (const ending of ['5f5ffd', 'fe', '600056', '5050']) {
      const chain = new TestChain()
      chain.put(0xc0den, 7n, hex(`60016001556001600a5d5f5fa0600160005260205ff0${ending}`))
      const before = toHex(stateRoot(chain.state))
      const receipt = chain.send({ to: 0xc0den, value: 1n })
      expect(receipt.status).toBe('failed')
      expect(receipt.logs).toEqual([])
      chain.state.account(sender).nonce = 0n
      expect(toHex(stateRoot(chain.state)), ending).toBe(before)
    }
  })

  it('names why a transaction is invalid and changes nothing', () => {
    const chain = new TestChain()
    const before = toHex(stateRoot(chain.state))
    const reasons = [{ nonce: 1n }, { gasLimit: 20_999n, to: 1n }, { gasLimit: 30_000_001n }, { value: 10n ** 25n }, { tip: 1n }].map(
      one => {
        const receipt = chain.attempt(one)
        return receipt.status === 'invalid' ? receipt.reason : receipt.status
      },
    )
    expect(reasons).toEqual([
      'nonce too high',
      'gas limit below the intrinsic gas',
      'gas limit above the block’s',
      'not enough funds',
      'tip above the fee',
    ])
    expect(toHex(stateRoot(chain.state))).toBe(before)
  })

  it('wei is neither made nor lost but by the base fee', () => {
    const chain = new TestChain()
    chain.vm.block = { ...chain.vm.block, baseFee: 7n }
    const total = () => [...chain.state.accounts.values()].reduce((sum, account) => sum + account.balance, 0n)
    const before = total()
    const receipt = chain.send({ to: 0x77n, value: 5n, maxFee: 10n, tip: 2n })
    expect(receipt.gasPrice).toBe(9n)
    expect(before - total()).toBe(7n * BigInt(receipt.gasUsed))
    expect(chain.state.account(0xc0ffeen).balance).toBe(2n * BigInt(receipt.gasUsed))
  })

  it('runs contracts compiled from Solidity: a swap follows x y = k with its fee', () => {
    const chain = new TestChain()
    const [a, b] = [chain.deploy('Token', 10n ** 30n), chain.deploy('Token', 10n ** 30n)]
    const pair = chain.deploy('Pair', a, b)
    for (const token of [a, b]) chain.call('Token', token, 'transfer(address,uint256)', pair, 10n ** 24n)
    chain.call('Pair', pair, 'sync()')
    const amount = 10n ** 21n
    chain.call('Token', a, 'transfer(address,uint256)', pair, amount)
    const out = fromBytes(chain.call('Pair', pair, 'swap(uint256,bool)', amount, 1n).output)
    expect(out).toBe((amount * 997n * 10n ** 24n) / (10n ** 24n * 1000n + amount * 997n))
    const refused = chain.send({ to: a, data: callData('Token', 'transfer(address,uint256)', 1n, 10n ** 31n) })
    expect(refused.end).toBe('reverted')
    expect(new TextDecoder().decode(refused.output)).toContain('not enough')
  })
})

describe('EVM hostile code: gas ends it', () => {
  it.each([
    ['an endless loop', '5b5f56', 'out of gas'],
    ['memory beyond all bounds', '6001633fffffff52', 'out of gas'],
    ['an offset of 2^256 - 1', `60017f${'ff'.repeat(32)}52`, 'out of gas'],
    ['a log of 4 GB', '63ffffffff5fa0', 'out of gas'],
    ['logs of 64 kB without end', '5b61ffff5fa05f56', 'out of gas'],
    ['copies of memory without end', '5b62ffffff5f5f5e5f56', 'out of gas'],
    ['more than 1,024 words', '5b5f600056', 'stack overflow'],
    ['a jump into the data of a push', '6004565b605b', 'invalid jump'],
  ])('%s', (_, code, end) => {
    const receipt = new TestChain().runCode(code)
    expect([receipt.end, receipt.gasUsed]).toEqual([end, 10_000_000])
  })

  it('calculation that takes long for its gas ends the run before it is too much, in transactions and views', () => {
    const tooMuch = (address: number, most: number): unknown =>
      expect.objectContaining({ code: 10067, params: [expect.objectContaining({ values: { address: String(address), most } })] })
    const chain = new TestChain()
    const evaluations = (count: number) => chain.runCode(callsWithoutEnd(10, noBytes, 50_000), undefined, BigInt(count * 50_500))
    expect(evaluations(370)).toMatchObject({ status: 'failed', end: 'out of gas' })
    expect(() => evaluations(380)).toThrow(tooMuch(10, 18_750_000))
    // A view has more gas than most transactions.
    const other = new TestChain()
    other.put(0xbadn, 0n, fromHex(callsWithoutEnd(6, noBytes, 150))!)
    expect(view(other.vm, sender, 0xbadn, noBytes, 40_000_000).end).toBe('out of gas')
    expect(() => view(other.vm, sender, 0xbadn, noBytes, 70_000_000)).toThrow(tooMuch(6, 30_000_000))
  })

  it('the creation of a contract before the run begins has the gas of a full block of Ethereum', () => {
    const machine = new EvmMachine({ rules: 'cancun', chainId: 1n, coinbase: 1n, hashOf: () => 0n }, null)
    expect(machine.mostGas).toBe(60_000_000n)
  })

  it('a contract that calls itself stops at 1,024 calls or as the gas runs out, without a deep stack', () => {
    const receipt = new TestChain().runCode('5f5f5f5f5f305af100', undefined, 30_000_000n)
    expect(receipt.end).toBe('returned')
  })
})
