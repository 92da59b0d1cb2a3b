// Models with a chain: accounts, contracts, transactions, views, blocks by the clock, events, snapshots.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadChain } from '../../../sim-engine/chain.ts'
import { nextBaseFee } from '../../../sim-engine/chain/fees.ts'
import { compile } from '../../../sim-engine/compile.ts'
import type { RunOptions } from '../../../sim-engine/messages.ts'
import { start as startRun } from '../../../sim-engine/run.ts'
import { Timeline } from '../../../sim-engine/debug/timeline.ts'
import {
  agents,
  compute,
  delay,
  element,
  end,
  log,
  message,
  model,
  otherwise,
  process,
  scenario,
  start,
  variable,
} from '../../help/models.ts'
import type { Built, Entry, Fields, Part } from '../../help/models.ts'
import { checkOf, codesOf, logOf, runOf } from '../../help/runs.ts'
import { english } from '../../../model-schema/words.ts'

beforeAll(() => loadChain())

const artifact = (name: string): string =>
  readFileSync(new URL(`../../../model-schema/samples/contracts/${name}.json`, import.meta.url), 'utf8')

const chain = (fields: Fields = {}): Part => element('blockchain', 'net', fields)
const token = (fields: Fields = {}): Part =>
  element('contract', 'token', { artifact: artifact('Token'), arguments: '[net.account("treasury"), units("1000000", 18)]', ...fields })
const send = (name: string, fields: Fields = {}): Part => element('transaction', name, fields)
const holders = (fields: Fields, ...children: readonly Entry[]): Part =>
  agents('Holder', { initialNumber: '2', chain: 'net', balance: 'units("10", 18)', ...fields }, ...children)
const fromTreasury = { account: 'net.account("treasury")' }
const pays = (name: string, amount: string, more: Fields = {}): Part =>
  send(name, { ...fromTreasury, interface: 'token', method: 'transfer', arguments: `[Holder.individuals[0], ${amount}]`, ...more })
const world = (...parts: readonly Part[]): Built => model(scenario({ totalTicks: 4 }), ...parts)
const first = 'Holder.individuals[0]'
const failure = (built: Built, options: RunOptions = {}): string => {
  const { result } = runOf(built, options).summary
  return result.end === 'failed'
    ? `${result.problem.at.id} ${result.problem.at.field} ${result.problem.code} ${english(result.problem.message)}`
    : result.end
}

describe('transaction step, a block for each transaction', () => {
  test('calls a contract; views read what came of it, exactly; its output has value and events', () => {
    const steps = [
      start(),
      pays('pay', 'units("1.5", 18)'),
      log(`[token.balanceOf(${first}.account), token.totalSupply(), pay.output["status"], pay.output["value"], net.block_number]`),
      log('pay.output["events"][0]["event"] + " " + str(pay.output["events"][0]["values"]["value"])'),
      end(),
    ]
    expect(logOf(world(chain(), token(), holders({}), process('P', ...steps)))).toEqual([
      "[1500000000000000000, 1000000000000000000000000, 'success', True, 1]",
      'Transfer 1500000000000000000',
    ])
  })

  test('transfers: fees are gas times price, and go to the coinbase; nothing else is lost', () => {
    const built = world(
      chain({ gasPrice: 7 }),
      holders(
        { initialNumber: '1' },
        process(
          'P',
          start(),
          send('pay', { does: 'transfer', recipient: 'net.account("b")', value: '1000' }),
          log(
            '[pay.output["gas"], pay.output["fee"], net.balance(self), net.balance(net.account("b")), net.balance(net.account("coinbase"))]',
          ),
          end(),
        ),
      ),
    )
    expect(logOf(built)).toEqual([`[21000, 147000, ${10n ** 19n - 148_000n}, 1000, 147000]`])
  })

  test('deploys: the output has the address, which takes calls from then on', () => {
    const built = world(
      chain(),
      token({ deployed: false }),
      holders({}),
      process(
        'P',
        start(),
        send('make', { does: 'deploy', ...fromTreasury, interface: 'token', arguments: '[net.account("treasury"), 500]' }),
        pays('pay', '200', { contract: 'make.output["value"]' }),
        log(`[token.balanceOf(${first}.account), token.address == make.output["value"], net.block_number]`),
        end(),
      ),
    )
    expect(logOf(built)).toEqual(['[200, True, 2]'])
  })

  test('simulates and reads without changing anything', () => {
    const built = world(
      chain(),
      token(),
      holders({}),
      process(
        'P',
        start(),
        pays('attempt', '200', { does: 'simulate' }),
        send('ask', { does: 'read', ...fromTreasury, interface: 'token', method: 'balanceOf', arguments: '[net.account("treasury")]' }),
        log('[attempt.output["value"], attempt.output["events"][0]["values"]["value"], ask.output["value"], net.block_number]'),
        log(`token.balanceOf(${first}.account)`),
        end(),
      ),
    )
    expect(logOf(built)).toEqual([`[True, 200, ${10n ** 24n}, 0]`, '0'])
  })

  test('reverts are decoded: an error of the contract, a require, a panic', () => {
    const refused = (arguments_: string, method = 'transfer', account = 'net.account("nobody")'): string =>
      failure(
        world(
          chain(),
          token(),
          holders({}),
          process('P', start(), send('t', { account, interface: 'token', method, arguments: arguments_ }), end()),
        ),
      )
    expect(refused(`[${first}, 5]`)).toMatch(/^P-t method 10067 .*InsufficientBalance\(0x[\da-f]{40}, 0, 5\)/i)
    expect(refused(`[${first}, 5]`, 'mint')).toMatch(/NotMinter\(0x[\da-f]{40}\)/i)
    expect(refused(`[${first}, 2 ** integer(255) - 1 + 2 ** integer(255)]`, 'mint', 'net.account("deployer")')).toContain('Panic(17)')
  })

  test('reverts of a contract that the called one calls are decoded by its own interface', () => {
    const quote = element('contract', 'quote', { artifact: artifact('Token'), arguments: '[net.account("treasury"), 1000]' })
    const pool = element('contract', 'pool', { artifact: artifact('Pool'), arguments: '[token.address, quote.address, 30]' })
    const treasury = { account: 'net.account("treasury")' }
    const fill = (name: string): Part =>
      send(`fill ${name}`, { ...treasury, interface: name, method: 'transfer', arguments: '[pool.address, 100]' })
    const sync = send('sync', { ...treasury, interface: 'pool', method: 'sync' })
    const swap = send('swap', { ...treasury, interface: 'pool', method: 'swap', arguments: '[True, 5, 0]' })
    const built = world(chain(), token(), quote, pool, holders({}), process('P', start(), fill('token'), fill('quote'), sync, swap, end()))
    expect(failure(built)).toMatch(/^P-swap method 10067 .*InsufficientAllowance\(0x[\da-f]{40}, 0, 5\)/i)
  })

  test('a failure takes the default branch, or goes on, as the step says; fees stay paid', () => {
    const steps = (otherwiseIs: string): Entry[] => [
      start(),
      send('t', { otherwise: otherwiseIs, interface: 'token', method: 'transfer', arguments: '[self, 5]' }),
      log('"normal " + t.output["status"]'),
      end(),
      { is: 'from', step: 't' },
      otherwise(),
      log('"default " + t.output["status"] + " " + str(t.output["fee"] > 0)'),
      end(),
    ]
    const built = (otherwiseIs: string): Built =>
      world(chain({ gasPrice: 1 }), token(), holders({ initialNumber: '1' }, process('P', ...steps(otherwiseIs))))
    expect(logOf(built('branch'))).toEqual(['default reverted True'])
  })

  test('10067 for a sender without funds, an address without a contract, arguments that do not decode', () => {
    const one = (fields: Fields): string =>
      failure(world(chain(), token(), holders({}), process('P', start(), send('t', { ...fromTreasury, ...fields }), end())))
    expect(one({ does: 'transfer', recipient: first, value: '1' })).toBe('P-t method 10067 Blockchain call failed: not enough funds.')
    expect(one({ interface: 'token', method: 'transfer', contract: 'net.account("x")', arguments: `[${first}, 1]` })).toContain(
      'there is no contract at 0x',
    )
    expect(one({ interface: 'token', method: 'transfer', arguments: `[${first}, -1]` })).toMatch(/^P-t method 10016 .*uint256/)
    expect(one({ interface: 'token', method: 'transfer', arguments: '["0x12", 1]' })).toMatch(/^P-t method 10016 .*address/)
    for (const huge of ['2 ** integer(256)', '2 ** 60', '0.5'])
      expect(one({ interface: 'token', method: 'transfer', arguments: `[${first}, ${huge}]` })).toMatch(/^P-t method 10016 /)
    expect(one({ does: 'transfer', recipient: first, value: '2 ** integer(256)' })).toMatch(/not enough funds/)
  })

  test('an endless loop ends by gas', () => {
    // JUMPDEST PUSH1 0 JUMP, returned by creation code.
    const code = '0x635b6000566000526004601cf3'
    const abi = JSON.stringify([{ type: 'function', name: 'spin', inputs: [], outputs: [], stateMutability: 'nonpayable' }])
    const built = world(
      chain(),
      element('contract', 'loop', { abi, code }),
      process('P', start(), send('t', { ...fromTreasury, interface: 'loop', method: 'spin' }), end()),
    )
    expect(failure(built)).toBe('P-t method 10067 Blockchain call failed: out of gas.')
  })
})

describe('blocks by the clock', () => {
  const pooled = (fields: Fields = {}): Part => chain({ blocks: 'interval', blockTime: '2', ...fields })

  test('a transaction waits for the next block; the best tip comes first', () => {
    const bid = (tip: string): Entry[] => [
      start(),
      send('pay', { does: 'transfer', recipient: 'net.account("b")', value: '1', tip }),
      log('[id, time, pay.output["block"], pay.output["index"]]'),
      end(),
    ]
    const built = world(pooled(), holders({ initialNumber: '3' }, process('P', ...bid('id'))))
    expect(logOf(built)).toEqual(['[3, 2, 1, 0]', '[2, 2, 1, 1]', '[1, 2, 1, 2]'])
  })

  test('a block holds what its gas allows; the rest waits for the next one', () => {
    const built = world(
      pooled({ gasLimit: 60_000, ordering: 'arrival' }),
      holders(
        { initialNumber: '3' },
        process(
          'P',
          start(),
          send('pay', { does: 'transfer', recipient: 'net.account("b")', value: '1', gas: '21000' }),
          log('[time, pay.output["block"]]'),
          end(),
        ),
      ),
    )
    expect(logOf(built)).toEqual(['[2, 1]', '[2, 1]', '[4, 2]'])
  })

  test('nonces of one sender keep their order', () => {
    const built = world(
      pooled(),
      token(),
      holders({}),
      process('P', start(), pays('a', '1', { tip: '1' }), end()),
      process('Q', start(), pays('b', '2', { tip: '9' }), log('[b.output["index"], 1 if b.output["hash"] != "" else 0]'), end()),
      element('blockchain', 'other'),
    )
    expect(codesOf(built).join()).toContain('9033')
  })

  test('EIP-1559: full blocks raise the base fee by an eighth, rounded down, empty ones lower it', () => {
    let fee = 1_000_000_000n
    for (let block = 0; block < 100; block++) fee = nextBaseFee(fee, 30_000_000n, 30_000_000n)
    expect(fee).toBe(130_392_389_456_690n)
    expect(nextBaseFee(fee, 15_000_000n, 30_000_000n)).toBe(fee)
    const built = world(
      pooled({ blockTime: '1', feeMarket: 'eip1559', baseFee: 800 }),
      process('P', start(), delay('2.5'), log('net.base_fee'), end()),
    )
    expect(logOf(built)).toEqual(['613'])
  })

  test('views see the state of now, and the block’s time follows the run', () => {
    const built = world(
      pooled({ timestamp: '2025-01-01 00:00', tickSeconds: 3600 }),
      process('P', start(), log('net.timestamp'), delay('3'), log('[net.timestamp - 1735689600, net.block_number]'), end()),
    )
    expect(logOf(built)).toEqual(['1735689600', '[10800, 1]'])
  })
})

describe('events', () => {
  test('a contract’s event throws the signal that names it, with its arguments', () => {
    const built = world(
      chain(),
      token(),
      message('paid', { kind: 'signal', contract: 'token', event: 'Transfer' }),
      holders({}),
      process('Hear', start({ trigger: 'message', message: 'paid' }), variable('value', 'integer(0)'), log('value'), end()),
      process('P', start(), delay('1'), pays('pay', '7'), delay('1'), pays('again', '8'), end()),
    )
    expect(logOf(built)).toEqual(['7', '8'])
  })
})

describe('snapshots', () => {
  const busy = (): Built =>
    world(
      chain({ blocks: 'interval', blockTime: '0.7', gasPrice: 3, feeMarket: 'eip1559', ordering: 'random' }),
      token({ arguments: '[net.account("deployer"), 0]' }),
      holders(
        { initialNumber: '5' },
        process(
          'P',
          start({ trigger: 'timer', every: '0.3' }),
          send('pay', {
            interface: 'token',
            method: 'approve',
            arguments: '[net.account("x"), 10 * id + tick]',
            tip: 'int(uniform(1, 9))',
          }),
          compute('world.n += pay.output["index"]'),
          end(),
        ),
      ),
      variable('n', 0),
    )

  test('going back and on again gives the same state, blocks and pool included', () => {
    const checked = checkOf(busy())
    if (!checked.ok) throw new Error(JSON.stringify(codesOf(busy())))
    const program = compile(checked.checked)
    const straight = startRun(program, { seed: 5 })
    straight.advance()
    const { hash } = straight.summary()
    let now = 0
    const timeline = new Timeline(program, { seed: 5 }, () => (now += 40))
    while (!timeline.run.result) timeline.leap(Infinity)
    expect(timeline.run.summary().hash).toBe(hash)
    for (const time of [1, 3, 0.5, 2.2]) {
      timeline.seek({ time })
      timeline.work(() => false)
    }
    while (!timeline.run.result) timeline.leap(Infinity)
    expect(timeline.run.summary().hash).toBe(hash)
  })

  test('a snapshot restored into another run goes on to the same hash; views before it change nothing', () => {
    const checked = checkOf(busy())
    if (!checked.ok) throw new Error('problems')
    const program = compile(checked.checked)
    const one = startRun(program, { seed: 7 })
    one.advance({ until: 1.5 })
    const chains = one.inner.built.clockwork.chains!
    const before = one.world.hash()
    chains.view(0, 'totalSupply()', [])
    chains.view(0, 'balanceOf(address)', [chains.named(0, 'stranger')])
    expect(one.world.hash()).toBe(before)
    const state = structuredClone(one.snapshot())
    one.advance()
    const other = startRun(program, { seed: 7 })
    other.restore(state)
    expect(other.world.hash()).toBe(before)
    other.advance()
    expect(other.summary().hash).toBe(one.summary().hash)
  })
})

describe('the hard fork of a chain', () => {
  // Creation code that returns a contract of one byte: MCOPY of nothing, CLZ or PUSH0 before that, which earlier forks do not know.
  const made = (rules: string, opcodes: string): string => {
    const deploy = send('d', { account: 'net.account("a")', does: 'deploy', interface: 'probe', otherwise: 'continue' })
    const built = world(
      chain({ rules, accounts: [{ name: 'a', balance: '10 ** 18' }] }),
      element('contract', 'probe', { abi: '[]', code: `${opcodes}600160005360016000f3`, deployed: false }),
      holders({ initialNumber: '0' }),
      process('P', start(), deploy, log('d.output["status"]'), end()),
    )
    return logOf(built).at(-1) ?? ''
  }
  test.each([
    ['shanghai', '5f50', 'success'],
    ['shanghai', '6000600060005e', 'reverted'],
    ['cancun', '6000600060005e', 'success'],
    ['auto', '6000600060005e', 'success'],
    ['auto', '60001e50', 'reverted'],
    ['prague', '60001e50', 'reverted'],
    ['osaka', '60001e50', 'success'],
  ])('%s: %s is a %s', (rules, opcodes, status) => expect(made(rules, opcodes)).toContain(status))
})

describe('found while typing', () => {
  const wrong = (...parts: readonly Part[]): string[] => codesOf(world(...parts, process('P', start(), log('1'), end())))
  test('fields of a chain that cannot be', () => {
    expect(wrong(chain({ node: 'no where' }))).toEqual(['9033 net node'])
    expect(wrong(chain({ node: 'wss://rpc.example.org' }))).toEqual(['9033 net node'])
    expect(wrong(chain({ node: 'https://me:secret@rpc.example.org' }))).toEqual(['9033 net node'])
    expect(wrong(chain({ node: 'https://rpc.example.org/v3/0123456789abcdef0123456789abcdef' }))).toEqual(['9033 net node'])
    expect(wrong(chain({ node: 'mainnet' }))).toEqual(['9033 net startBlock'])
    expect(wrong(chain({ node: 'https://rpc.example.org', startBlock: 9 }))).toEqual(['9033 net recording'])
    expect(wrong(chain({ node: 'mainnet', startBlock: 9, recording: '{}' }))).toEqual(['9033 net recording'])
    expect(wrong(chain({ chain: 'terra', node: 'mainnet' }))).toEqual(['9033 net node'])
    expect(wrong(chain({ startBlock: 9, blockNumber: 3 }))).toEqual(['9033 net blockNumber'])
    expect(wrong(chain({ timestamp: 'soon' }))).toEqual(['9033 net timestamp'])
    expect(wrong(chain({ timestamp: '1969-12-31' }))).toEqual(['9033 net timestamp'])
    expect(wrong(chain({ gasLimit: 20_000 }))).toEqual(['9033 net gasLimit'])
    expect(wrong(chain({ accounts: [{ name: 'a' }, { name: 'a' }] }))).toEqual(['9033 net accounts/1/name'])
  })

  test('artifacts, ABIs and bytecode that are none', () => {
    const contract = (fields: Fields): string[] => wrong(chain(), element('contract', 'c', fields))
    expect(contract({})).toEqual(['9033 c abi'])
    for (const text of [
      '{',
      '[]',
      '7',
      '{"abi":7}',
      '{"bytecode":"0x00"}',
      '{"abi":[{"type":"function","name":"f","inputs":[{"type":"uint7"}]}]}',
      '{"abi":[{"type":"nonsense"}]}',
      '{"abi":[],"bytecode":"0xzz"}',
      '{"abi":[],"bytecode":"0x6"}',
      '{"abi":[],"bytecode":"0x60__$abc$__"}',
    ])
      expect(contract({ artifact: text }), text).toEqual(['9033 c artifact'])
    expect(contract({ artifact: '{"abi":[]}' })).toEqual(['9033 c artifact'])
    expect(contract({ abi: '[]', code: `0x${'00'.repeat(49_153)}` })).toEqual(['9033 c code'])
    expect(contract({ artifact: '['.repeat(300_000) })).toEqual(['9033 c artifact'])
    expect(contract({ artifact: artifact('Token') })).toEqual(['8002 c arguments'])
    const deep = `{"type":"function","name":"f","inputs":[${'{"type":"tuple","components":['.repeat(40)}${']}'.repeat(40)}]}`
    expect(contract({ abi: `[${deep}]`, deployed: false })).toEqual(['9033 c abi'])
  })

  test('steps that fit no contract', () => {
    const step = (fields: Fields): string[] =>
      codesOf(
        world(chain(), token(), holders({}), process('P', start(), send('t', { ...fromTreasury, interface: 'token', ...fields }), end())),
      )
    expect(step({ method: 'fly' })).toEqual(['9033 P-t method'])
    expect(step({ method: 'transfer' })).toEqual(['8002 P-t arguments'])
    expect(step({ method: 'transfer', arguments: '[1]' })).toEqual(['8002 P-t arguments'])
    expect(step({ method: 'transfer', arguments: `[1, 2]` })).toEqual(['8002 P-t arguments'])
    expect(step({ method: 'transfer', arguments: `[${first}, "2"]` })).toEqual(['8002 P-t arguments'])
    expect(step({ does: 'read', method: 'mint', arguments: `[${first}, 1]` })).toEqual(['9033 P-t method'])
    expect(step({ account: '', method: 'transfer', arguments: `[${first}, 1]` })).toEqual(['9033 P-t account'])
    expect(step({ interface: null })).toEqual(['9033 P-t interface'])
    expect(
      codesOf(
        world(chain(), token(), message('m', { kind: 'signal', contract: 'token', event: 'Nope' }), process('P', start(), log('1'), end())),
      ),
    ).toEqual(['9033 m event'])
  })
})
