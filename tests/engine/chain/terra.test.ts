// Models with a Terra chain: real contracts of CosmWasm (a CW20 token of OraiDEX), messages, queries, coins, gas, snapshots.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadChain } from '../../../sim-engine/chain.ts'
import { App, GasMeter } from '../../../sim-engine/chain/cosmwasm/app.ts'
import { addressText, classicAddress, numberOfText, predictableAddress } from '../../../sim-engine/chain/cosmwasm/address.ts'
import { codeOf, TerraState } from '../../../sim-engine/chain/cosmwasm/state.ts'
import { metered } from '../../../sim-engine/chain/cosmwasm/module.ts'
import { english } from '../../../model-schema/words.ts'
import { compile } from '../../../sim-engine/compile.ts'
import { start as startRun } from '../../../sim-engine/run.ts'
import { agents, element, end, log, message, model, process, scenario, start, variable } from '../../help/models.ts'
import type { Built, Entry, Fields, Part } from '../../help/models.ts'
import { checkOf, codesOf, logOf, runOf } from '../../help/runs.ts'
import { contractModule } from '../../help/chain/wasm.ts'

beforeAll(() => loadChain())

const require = createRequire(import.meta.url)
const wasm = (name: string): Buffer => readFileSync(require.resolve(`@oraichain/oraidex-contracts-build/data/${name}.wasm`))
const packed = (bytes: Uint8Array): string => gzipSync(bytes).toString('base64')
const tokenModule = wasm('oraiswap-token')

const ann = addressText(new Uint8Array(20).fill(1))
const bob = addressText(new Uint8Array(20).fill(2))
const block = { height: 7, time: 1_700_000_000_000_000_000n, chainId: 'phoenix-1', index: 0 }
const fresh = () => ({ gas: new GasMeter(50_000_000), depth: 0 })

function appWith(...modules: readonly Uint8Array[]): App {
  const state = new TerraState()
  for (const bytes of modules) state.store(codeOf(bytes))
  return new App(state, () => block)
}

const own = { admin: null, label: 'a contract', salt: null }
const begin = (app: App, code: number, init: object): string =>
  app.instantiate(ann, { ...own, code }, JSON.stringify(init), [], fresh()).address
const tokenOf = { name: 'Token', symbol: 'TOK', decimals: 6, initial_balances: [{ address: ann, amount: '1000' }] }
const balanceIn = (app: App, token: string, address: string): unknown => app.ask(token, JSON.stringify({ balance: { address } }), 3_000_000)
const say = (app: App, sender: string, at: string, content: object, where = fresh()) =>
  app.execute(sender, at, JSON.stringify(content), [], where)

describe('CosmWasm: a contract that others wrote', () => {
  test('addresses: the first contract of code 1 has the one that wasmd gives it', () => {
    expect(classicAddress(1, 1)).toBe('terra14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9ssrc8au')
    expect(predictableAddress(new Uint8Array(32), ann, new Uint8Array([1]))).not.toBe(
      predictableAddress(new Uint8Array(32), ann, new Uint8Array([2])),
    )
  })

  test('token: transfers move what they say, tell of it, and cost the same gas each time', () => {
    const app = appWith(tokenModule)
    const token = begin(app, 1, tokenOf)
    const spent = [1, 2].map(() => {
      const where = fresh()
      const { events } = say(app, ann, token, { transfer: { recipient: bob, amount: '5' } }, where)
      expect(events.at(-1)).toEqual({
        type: 'wasm',
        attributes: Object.entries({ _contract_address: token, action: 'transfer', from: ann, to: bob, amount: '5' }).map(
          ([key, value]) => ({ key, value }),
        ),
      })
      return 50_000_000 - where.gas.left
    })
    // The first creates a balance; the second reads one more number.
    expect(spent[0]).toBeGreaterThan(60_000)
    expect(spent[1]! - spent[0]!).toBeLessThan(2_000)
    expect(balanceIn(app, token, bob)).toEqual({ balance: '10' })
    expect(balanceIn(app, token, ann)).toEqual({ balance: '990' })
    expect(app.ask(token, JSON.stringify({ all_accounts: {} }), 3_000_000)).toEqual({ accounts: [bob, ann].toSorted() })
  })

  test('token: what is refused leaves nothing behind', () => {
    const app = appWith(tokenModule)
    const token = begin(app, 1, tokenOf)
    const before = [...app.state.contracts.get(token)!.store.keys].map(key => [key, String(app.state.contracts.get(token)!.store.get(key))])
    const { mark } = app.state
    expect(() => say(app, bob, token, { transfer: { recipient: ann, amount: '1' } })).toThrow(/Cannot Sub with 0 and 1/)
    expect(() => say(app, ann, token, { fly: {} })).toThrow(/unknown variant `fly`/)
    expect(() => say(app, ann, bob, { transfer: {} })).toThrow('no such contract')
    expect(() => say(app, ann, token, { transfer: { recipient: bob, amount: '1' } }, { gas: new GasMeter(66_000), depth: 0 })).toThrow(
      'out of gas',
    )
    app.state.undo(mark)
    expect(
      [...app.state.contracts.get(token)!.store.keys].map(key => [key, String(app.state.contracts.get(token)!.store.get(key))]),
    ).toEqual(before)
  })

  test('coins: a contract that is sent to has them; nobody sends what nobody has', () => {
    const app = appWith(tokenModule)
    app.state.credit(ann, 'uluna', 100n)
    const send = (amount: string) =>
      app.message(ann, { bank: { send: { to_address: bob, amount: [{ denom: 'uluna', amount }] } } }, fresh())
    send('30')
    expect(app.state.coins(bob)).toEqual([{ denom: 'uluna', amount: '30' }])
    expect(() => send('71')).toThrow('insufficient funds')
    expect(() => send('-1')).toThrow('invalid amount')
    expect(app.state.supply.get('uluna')).toBe(100n)
  })
})

describe('CosmWasm: modules that no contract may be', () => {
  const renamed = (from: string, to: string): Uint8Array => {
    const bytes = Buffer.from(tokenModule)
    bytes.write(to, bytes.indexOf(from), 'latin1')
    return bytes
  }
  test.each([
    ['something else', new Uint8Array([1, 2, 3]), 'this is no WebAssembly module'],
    ['cut', tokenModule.subarray(0, tokenModule.length / 2), 'the module is cut'],
    ['floating point', wasm('oraiswap-smartrouter'), 'floating point'],
    ['another function of the host', renamed('db_read', 'db_rude'), 'the module imports env.db_rude, which CosmWasm does not have'],
    ['another version', renamed('interface_version_8', 'interface_version_7'), 'another version of CosmWasm'],
    ['no entry point', renamed('instantiate', 'instantiato'), 'does not export instantiate'],
    ['too large', new Uint8Array(4 * 1024 * 1024), 'more than 3145728 bytes'],
    ['start function', contractModule({ execute: [], start: true }), 'start function'],
    ['vectors', contractModule({ execute: [0xfd, 0x0c] }), 'the instruction 0xfd is not allowed'],
    ['a number of 64 bits with a fraction', contractModule({ execute: [0x44, 0, 0, 0, 0, 0, 0, 0, 0, 0x1a] }), 'floating point'],
  ])('%s', (_name, bytes, why) => {
    expect(() => metered(bytes)).toThrow(why)
  })
})

describe('CosmWasm: contracts that do not want to end', () => {
  const app = (code: readonly number[]) => {
    const made = appWith(contractModule({ execute: code }))
    return { made, at: begin(made, 1, {}) }
  }
  const gasOf = (code: readonly number[], why: string): number => {
    const { made, at } = app(code)
    const where = fresh()
    expect(() => say(made, ann, at, {}, where)).toThrow(why)
    return where.gas.left
  }

  test('an endless loop ends, however much gas there is', () => {
    // loop br 0 end. Gas is left: a transaction may not take more than 5e8 instructions.
    expect(gasOf([0x03, 0x40, 0x0c, 0, 0x0b], 'out of gas')).toBeGreaterThan(0)
  })

  test('a function that calls itself ends at the same depth on every machine', () => {
    // call execute with its own arguments
    const code = [0x20, 0, 0x20, 1, 0x20, 2, 0x10, contractModule.executeIndex, 0x1a]
    expect(gasOf(code, 'nest too deep')).toBe(gasOf(code, 'nest too deep'))
  })

  test('memory ends at 32 MiB: growing gives -1, as it does without spare pages', () => {
    // i32.const 600 memory.grow; i32.const -1 i32.ne if unreachable end; memory.size i32.const 1 i32.ne if unreachable end; unreachable
    const code = [
      0x41, 0xd8, 0x04, 0x40, 0, 0x41, 0x7f, 0x47, 0x04, 0x40, 0x03, 0x40, 0x0c, 0, 0x0b, 0x0b, 0x3f, 0, 0x41, 1, 0x47, 0x04, 0x40, 0x03,
      0x40, 0x0c, 0, 0x0b, 0x0b, 0,
    ]
    expect(gasOf(code, 'the contract broke off: unreachable')).toBeGreaterThan(0)
  })

  test('what a call leaves in memory the next does not see', () => {
    // load 8 bytes at 4000; if not 0: unreachable; store 1 there; grow by 9 pages; unreachable at last by `fails`
    const code = [
      0x41, 0xa0, 0x1f, 0x29, 3, 0, 0x50, 0x45, 0x04, 0x40, 0x03, 0x40, 0x0c, 0, 0x0b, 0x0b, 0x41, 0xa0, 0x1f, 0x42, 1, 0x37, 3, 0, 0x41, 9,
      0x40, 0, 0x1a, 0,
    ]
    const { made, at } = app(code)
    for (let k = 0; k < 3; k++) expect(() => say(made, ann, at, {})).toThrow('the contract broke off: unreachable')
  })
})

describe('CosmWasm: messages of contracts to others', () => {
  const second = classicAddress(2, 2)
  const call = (more: object) => ({
    messages: [{ id: 7, msg: { wasm: { execute: { contract_addr: second, msg: btoa('{}'), funds: [] } } }, ...more }],
  })
  const pair = (more: object, execute: readonly number[]): { app: App; first: string } => {
    const app = appWith(
      contractModule({ execute: [], response: call(more) }),
      contractModule({ execute, response: { attributes: [{ key: 'did', value: 'it' }] } }),
    )
    const first = begin(app, 1, {})
    expect(begin(app, 2, {})).toBe(second)
    return { app, first }
  }
  const types = (events: readonly { type: string; attributes: readonly { value: string }[] }[], first: string) =>
    events.map(({ type, attributes }) => `${type} ${attributes[0]!.value === first ? 1 : 2}`)
  const loop = [0x03, 0x40, 0x0c, 0, 0x0b]

  test('are executed in their order; `reply` hears of success where it asks for it', () => {
    const silent = pair({ reply_on: 'never', gas_limit: null }, [])
    expect(types(say(silent.app, ann, silent.first, {}).events, silent.first)).toEqual(['execute 1', 'execute 2', 'wasm 2'])
    const heard = pair({ reply_on: 'success', gas_limit: null }, [])
    expect(types(say(heard.app, ann, heard.first, {}).events, heard.first)).toEqual(['execute 1', 'execute 2', 'wasm 2', 'reply 1'])
  })

  const sends = (msg: object): Uint8Array =>
    contractModule({ execute: [], response: { messages: [{ id: 1, msg: { wasm: msg }, reply_on: 'never', gas_limit: null }] } })

  test('migrate a contract to other code where they are its admin; its address and admin stay', () => {
    const migrate = { migrate: { contract_addr: second, new_code_id: 3, msg: btoa('{}') } }
    const made = (admin: string | null): { app: App; first: string } => {
      const app = appWith(sends(migrate), contractModule({ execute: [0] }), contractModule({ execute: [] }))
      const first = begin(app, 1, {})
      expect(app.instantiate(ann, { ...own, code: 2, admin }, '{}', [], fresh()).address).toBe(second)
      return { app, first }
    }
    const { app, first } = made(classicAddress(1, 1))
    expect(() => say(app, ann, second, {})).toThrow('unreachable')
    expect(types(say(app, ann, first, {}).events, first)).toEqual(['execute 1', 'migrate 2'])
    expect(app.contract(second)).toMatchObject({ code: 3, admin: first })
    expect(types(say(app, ann, second, {}).events, first)).toEqual(['execute 2'])
    const stranger = made(null)
    expect(() => say(stranger.app, ann, stranger.first, {})).toThrow('can not migrate: unauthorized')
    expect(stranger.app.contract(second)).toMatchObject({ code: 2 })
  })

  test('instantiate a contract at an address that is known before, once', () => {
    const salt = new Uint8Array([1, 2, 3])
    const wish = { admin: null, code_id: 2, label: 'made', msg: btoa('{}'), funds: [], salt: btoa(String.fromCharCode(...salt)) }
    const app = appWith(sends({ instantiate2: wish }), contractModule({ execute: [] }))
    const first = begin(app, 1, {})
    const at = predictableAddress(app.state.codes[1]!.checksum, first, salt)
    expect(say(app, ann, first, {}).events.map(({ type }) => type)).toEqual(['execute', 'instantiate'])
    expect(app.contract(at)).toMatchObject({ code: 2, creator: first, label: 'made' })
    expect(() => say(app, ann, first, {})).toThrow('contract account already exists')
  })

  test('that fail take the whole with them, unless `reply` hears of errors', () => {
    const fatal = pair({ reply_on: 'success', gas_limit: null }, [0])
    expect(() => say(fatal.app, ann, fatal.first, {})).toThrow('the contract broke off: unreachable')
    const mended = pair({ reply_on: 'error', gas_limit: null }, [0])
    expect(types(say(mended.app, ann, mended.first, {}).events, mended.first)).toEqual(['execute 1', 'reply 1'])
  })

  test('are noted with their callers, kinds and ends where calls are looked at', () => {
    const noted = ({ app, first }: { app: App; first: string }): unknown[] => {
      app.calls = []
      try {
        say(app, ann, first, { go: {} })
      } catch {
        // What is noted says it.
      }
      const places = new Map([first, second].map((address, k) => [numberOfText(address), k + 1]))
      return app.calls.map(({ depth, kind, to, end, output }) => [depth, kind, places.get(to), end, Buffer.from(output).toString()])
    }
    expect(noted(pair({ reply_on: 'success', gas_limit: null }, []))).toEqual([
      [0, 'execute', 1, 'returned', ''],
      [1, 'execute', 2, 'returned', ''],
      [1, 'reply', 1, 'returned', ''],
    ])
    const broken = 'the contract broke off: unreachable'
    expect(noted(pair({ reply_on: 'never', gas_limit: null }, [0]))).toEqual([
      [0, 'execute', 1, 'reverted', expect.stringContaining(broken)],
      [1, 'execute', 2, 'reverted', expect.stringContaining(broken)],
    ])
    const { app, first } = pair({ reply_on: 'never', gas_limit: 100_000 }, loop)
    noted({ app, first })
    expect(app.calls!.map(({ end }) => end)).toEqual(['reverted', 'out of gas'])
    expect(app.calls![1]!.gasUsed).toBeGreaterThanOrEqual(100_000)
    expect(app.calls![0]!.gasUsed).toBeGreaterThan(app.calls![1]!.gasUsed)
    app.state.credit(ann, 'uluna', 100n)
    app.calls = []
    app.message(ann, { bank: { send: { to_address: bob, amount: [{ denom: 'uluna', amount: '30' }] } } }, fresh())
    expect(app.calls).toMatchObject([{ kind: 'send', from: numberOfText(ann), to: numberOfText(bob), value: 30n }])
  })

  test('that do not end use up their own limit of gas, and instructions of the whole', () => {
    const limited = pair({ reply_on: 'error', gas_limit: 100_000 }, loop)
    const where = fresh()
    say(limited.app, ann, limited.first, {}, where)
    // Three calls, and what the loop was given.
    expect(50_000_000 - where.gas.left).toBeGreaterThanOrEqual(2 * 60_000 + 100_000)
    const unlimited = pair({ reply_on: 'error', gas_limit: 40_000_000 }, loop)
    const whole = fresh()
    expect(() => say(unlimited.app, ann, unlimited.first, {}, whole)).toThrow('out of gas')
    expect(whole.gas.compute).toBeLessThanOrEqual(0)
  })
})

// --- in models

const code = packed(tokenModule)
const chain = (fields: Fields = {}): Part =>
  element('blockchain', 'net', { chain: 'terra', accounts: [{ name: 'bank', balance: '1000000' }], ...fields })
const initial =
  '[{"name": "Token", "symbol": "TOK", "decimals": 6, "initial_balances": [{"address": net.account("bank"), "amount": "1000"}]}]'
const token = (fields: Fields = {}): Part => element('contract', 'token', { code, arguments: initial, ...fields })
const holders = (fields: Fields, ...children: readonly Entry[]): Part =>
  agents('Holder', { initialNumber: '2', chain: 'net', ...fields }, ...children)
const send = (name: string, fields: Fields = {}): Part => element('transaction', name, { account: 'net.account("bank")', ...fields })
const pays = (name: string, amount: string, more: Fields = {}): Part =>
  send(name, { interface: 'token', method: 'transfer', arguments: `[{"recipient": ${first}, "amount": ${amount}}]`, ...more })
const first = 'Holder.individuals[0]'
const held = `token.query({"balance": {"address": ${first}.account}})["balance"]`
const world = (...parts: readonly Part[]): Built => model(scenario({ totalTicks: 4 }), ...parts)
const failure = (built: Built): string => {
  const { result } = runOf(built).summary
  return result.end === 'failed'
    ? `${result.problem.at.id} ${result.problem.at.field} ${result.problem.code} ${english(result.problem.message)}`
    : result.end
}

describe('a model with a Terra chain', () => {
  test('sends messages, reads answers, pays fees in uluna', () => {
    const steps = [
      start(),
      pays('pay', 'integer(5)'),
      log(`[${held}, pay.output["status"], pay.output["gas"] > 60000, len(pay.output["events"])]`),
      log(
        '[pay.output["events"][0]["event"], pay.output["events"][0]["values"]["amount"], pay.output["events"][0]["contract"] == token.address]',
      ),
      log('net.balance(net.account("bank")) + 2 * integer(pay.output["gas"]) == integer("1000000")'),
      send('coins', { does: 'transfer', recipient: first, value: '1000' }),
      log(`net.balance(${first})`),
      end(),
    ]
    expect(logOf(world(chain({ gasPrice: 2 }), token(), holders({}), process('P', ...steps)))).toEqual([
      "['5', 'success', True, 1]",
      "['wasm', '5', True]",
      'True',
      '1000',
    ])
  })

  test('a refused message goes where the step says, with the contract’s reason; nothing but the fee is gone', () => {
    const refused = pays('pay', '"2000"', { otherwise: 'continue' })
    expect(
      logOf(world(chain(), token(), holders({}), process('P', start(), refused, log('pay.output["error"]'), log(held), end()))),
    ).toEqual(['Overflow: Cannot Sub with 1000 and 2000', '0'])
    expect(failure(world(chain(), token(), holders({}), process('P', start(), pays('pay', '"2000"'), end())))).toContain('pay method 10067')
    expect(failure(world(chain(), token(), holders({}), process('P', start(), pays('pay', '9007199254740993.0'), end())))).toContain(
      '10067',
    )
  })

  test('deploys contracts, throws signals of their events, waits for blocks', () => {
    const built = world(
      chain({ blocks: 'interval', blockTime: '2' }),
      token(),
      holders({}),
      message('moved', { contract: 'token', event: 'wasm' }),
      variable('seen', '0'),
      process(
        'P',
        start(),
        pays('pay', '"3"'),
        log('[net.block_number, pay.output["block"]]'),
        send('more', { does: 'deploy', interface: 'token', arguments: initial }),
        log('more.output["value"] != token.address'),
        end(),
      ),
    )
    expect(codesOf(built)).toEqual([])
    expect(logOf(built)).toEqual(['[1, 1]', 'True'])
  })

  test('goes back to the same state, and on to the same', () => {
    const built = world(
      chain(),
      token(),
      holders({}),
      process('P', start({ trigger: 'timer', every: '1' }), pays('pay', '"7"'), log(held), end()),
    )
    const checked = checkOf(built)
    if (!checked.ok) throw new Error(JSON.stringify(codesOf(built)))
    const program = compile(checked.checked)
    const one = startRun(program, { seed: 7 })
    one.advance({ until: 1.5 })
    const before = one.world.hash()
    const state = structuredClone(one.snapshot())
    one.advance()
    const other = startRun(program, { seed: 7 })
    other.restore(state)
    expect(other.world.hash()).toBe(before)
    other.advance()
    expect(other.summary().hash).toBe(one.summary().hash)
    expect(one.summary().hash).not.toBe(before)
  })

  test.each<[string, Fields, Fields, string]>([
    ['a node', { node: 'mainnet' }, {}, '9033 net node'],
    ['no code', {}, { code: '' }, '9033 token code'],
    ['code that is no module', {}, { code: 'hello' }, '9033 token code'],
    ['two messages', {}, { arguments: '[{}, {}]' }, '8002 token arguments'],
    ['an address', {}, { address: `0x${'1'.repeat(40)}` }, '9033 token address'],
  ])('the checker says what is wrong: %s', (_name, ofChain, ofToken, code) => {
    expect(codesOf(world(chain(ofChain), token(ofToken), holders({}), process('P', start(), end())))).toEqual([code])
  })

  test('a module with floating point, a damaged one and one that unpacks to gigabytes are refused at their field', () => {
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024)).toString('base64')
    for (const [bad, why] of [
      [packed(wasm('oraiswap-smartrouter')), 'floating point'],
      [code.slice(0, 4000), 'damaged'],
      [bomb, 'more than 3145728 bytes'],
    ] as const)
      expect(failure(world(chain(), token({ code: bad }), holders({})))).toMatch(new RegExp(`token code 10067 .*${why}`))
  })

  test('a fork is refused at its node', () => {
    expect(codesOf(world(chain({ node: 'columbus' }), token(), holders({})))).toContain('9033 net node')
  })
})
