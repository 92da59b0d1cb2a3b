// Forks of a real chain: recorded once through a node, replayed without one. The node is on this machine and misbehaves as each test says.
import type { EvmMachine } from '../../../sim-engine/chain/evm/machine.ts'
import type { ServerResponse } from 'node:http'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadChain } from '../../../sim-engine/chain.ts'
import { addressText } from '../../../sim-engine/chain/accounts.ts'
import { Codec } from '../../../sim-engine/chain/codec.ts'
import { readInterface } from '../../../sim-engine/chain/abi.ts'
import type { Interface } from '../../../sim-engine/chain/abi.ts'
import { rulesOf } from '../../../sim-engine/chain/evm/rules.ts'
import { execute } from '../../../sim-engine/chain/evm/transaction.ts'
import { Vm } from '../../../sim-engine/chain/evm/vm.ts'
import { addressBytes, fromHex, toHex, wordBytes } from '../../../sim-engine/chain/evm/word.ts'
import { digestOf } from '../../../sim-engine/chain/fork/recorded-state.ts'
import { provedValue } from '../../../sim-engine/chain/fork/proof.ts'
import { serveRecording } from '../../../sim-engine/chain/fork/serve.ts'
import type { FromRecorder } from '../../../sim-engine/chain/fork/serve.ts'
import { contentOf, readRecording, textOfRecording } from '../../../sim-engine/chain/fork/recording.ts'
import { fromRlp, rlp, rlpNumber } from '../../../sim-engine/chain/fork/rlp.ts'
import type { Rlp } from '../../../sim-engine/chain/fork/rlp.ts'
import { chainCommand } from '../../../sim-engine/command/chain-command.ts'
import { compile } from '../../../sim-engine/compile.ts'
import { start as startRun } from '../../../sim-engine/run.ts'
import type { Model } from '../../../model-schema/model.ts'
import { parseFile, modelOfFile, printFile } from '../../../model-schema/file.ts'
import { check } from '../../../sim-engine/check.ts'
import { agents, element, end, log, model, process as processOf, scenario, start, every } from '../../help/models.ts'
import type { Fields } from '../../help/models.ts'
import { chainNode } from '../../help/chain/chain-node.ts'
import type { ChainNode } from '../../help/chain/chain-node.ts'
import { chance } from '../../help/random.ts'
import { blockAt, blockNumber, realChain, timestamp, whale } from '../../help/chain/real-chain.ts'
import { secureProof, secureRoot } from '../../help/chain/trie.ts'
import { english } from '../../../model-schema/words.ts'

const artifact = readFileSync(new URL('../../../model-schema/samples/contracts/Token.json', import.meta.url), 'utf8')
const face = readInterface({ artifact, abi: '', code: '' }) as Interface
const real = realChain()
const folder = mkdtempSync(join(tmpdir(), 'holarchy-fork-'))
const path = join(folder, 'fork.holo')
let node: ChainNode
beforeAll(() => loadChain())
beforeEach(async () => {
  node = await chainNode(real.state, blockNumber, timestamp)
  writeFileSync(path, printFile(forked().file))
})
afterEach(() => node.stop())
afterAll(() => rmSync(folder, { recursive: true }))

const forked = (chain: Fields = {}) =>
  model(
    scenario({ totalTicks: 4 }),
    element('blockchain', 'net', { node: 'mainnet', startBlock: Number(blockNumber), ...chain }),
    element('contract', 'token', { abi: JSON.stringify(JSON.parse(artifact).abi), address: addressText(real.token) }),
    agents(
      'Holder',
      { initialNumber: '2', chain: 'net', balance: '10 ** 18' },
      processOf(
        'P',
        start(every(1)),
        element('transaction', 'pay', {
          account: `"${addressText(whale)}"`,
          interface: 'token',
          method: 'transfer',
          arguments: '[self.account, units("1", 18)]',
        }),
        log('[token.balanceOf(self.account), pay.output["gas"], net.block_number]'),
        end(),
      ),
    ),
  )

const patient = { headMs: 60_000, quietMs: 60_000, wholeMs: 120_000, maxBytes: 1_000_000 }
/** Bounds of a request, in milliseconds and bytes. */
let limits = patient
beforeEach(() => (limits = patient))

async function chain(...args: string[]): Promise<{ code: number; out: string; err: string; waits: number[] }> {
  const said = { out: '', err: '', waits: new Array<number>() }
  const output = { out: (text: string) => void (said.out += text), err: (text: string) => void (said.err += text) }
  const wait = async (ms: number) => void said.waits.push(ms)
  const code = await chainCommand(args, output, new AbortController().signal, { limits, wait })
  return { code, ...said }
}
const record = (...more: string[]) => chain('record', path, '--endpoint', node.url, ...more)

const fieldsOfNet = (): Record<string, unknown> => {
  const { file } = parseFile(readFileSync(path, 'utf8')) as { file: { elements: Record<string, Record<string, unknown>> } }
  return Object.values(file.elements).find(({ kind }) => kind === 'blockchain')!
}

function replay(options: { seed?: number; ticks?: number } = {}) {
  const parsed = parseFile(readFileSync(path, 'utf8'))
  if (!('file' in parsed)) throw new Error('the file is none')
  const read = modelOfFile(parsed.file)
  const checked = check(read, read.scenarios[0]!)
  if (!checked.ok) return { problems: checked.problems.map(one => `${one.code} ${one.at.field}`) }
  const run = startRun(compile(checked.checked), options)
  run.advance({})
  return { run, result: run.result!, lines: run.takeOutput().map(({ text }) => text) }
}

/** Writes another recording into the model. */
function rewrite(change: (text: string) => string): void {
  const parsed = parseFile(readFileSync(path, 'utf8'))
  if (!('file' in parsed)) throw new Error('the file is none')
  const net = Object.values(parsed.file.elements).find(({ kind }) => kind === 'blockchain')! as unknown as Record<string, string>
  net['recording'] = change(net['recording']!)
  writeFileSync(path, printFile(parsed.file))
}

describe('a fork', () => {
  it('is recorded with proofs, then runs without a node; a second recording is the same', async () => {
    const first = await record()
    expect(first).toMatchObject({ code: 0, err: '', waits: [] })
    expect(first.out).toMatch(/^net: chain 1, block 20000000: \d+ accounts, 1 codes, \d+ slots, verified/)
    const text = fieldsOfNet()['recording']
    const asked = node.requests()
    expect(asked).toBeLessThan(20)
    const ran = replay()
    expect(ran.result!.end).not.toBe('failed')
    expect(ran.lines).toHaveLength(8)
    expect(ran.lines!.at(-1)).toMatch(/^\[4000000000000000000, \d+, 20000008\]$/)
    expect(node.requests()).toBe(asked)
    await record()
    expect(fieldsOfNet()['recording']).toBe(text)
    expect((await chain('show', path)).out).toBe(first.out.replace(/ \(\d+ requests\)/, ''))
  })

  it('has the gas, the balances and the state that the real chain would have', async () => {
    await record('--ticks', '1')
    const { state, token } = realChain()
    const block = blockAt(blockNumber + 1n)
    const vm = new Vm(state, rulesOf.cancun, block)
    const { run } = replay({ ticks: 1 })
    const ledger = run!.inner.built.clockwork.chains!.ledgers[0]!
    const codec = new Codec(face)
    for (const [k, one] of ledger.transactions.entries()) {
      const holder = run!.inner.built.clockwork.chains!.addressOfIndividual(0, 0, run!.inner.built.world.population(0).handles[k]!)
      const data = codec.method('transfer', 2).encode([addressText(holder), 10n ** 18n], () => undefined)
      const there = execute(vm, {
        from: whale,
        to: token,
        nonce: BigInt(1 + k),
        value: 0n,
        data,
        gasLimit: 1_000_000n,
        maxFee: 0n,
        tip: 0n,
        accessList: [],
      })
      expect(there).toMatchObject({ status: 'success', gasUsed: one.gas })
    }
    const [ours, theirs] = [(ledger.machine as EvmMachine).state, state].map(one =>
      [...one.accounts.get(token)!.slots].map(([key, { value }]) => `${key} ${value}`).toSorted(),
    )
    for (const slot of ours!) expect(theirs).toContain(slot)
  })

  it('goes back and on to the same state; what was only read is not part of it', async () => {
    await record()
    const { run } = replay({ ticks: 2 })
    const there = run!.snapshot()
    const again = replay({ ticks: 4 }).run!
    const other = replay({ ticks: 4 }).run!
    other.restore(there)
    other.advance({})
    expect(other.snapshot()).toEqual(again.snapshot())
    const { state } = again.inner.built.clockwork.chains!.ledgers[0]!.save() as { state: { accounts: [string][] } }
    const written = state.accounts.map(([address]) => BigInt(`0x${address}`))
    const recorded = [...readRecording(String(fieldsOfNet()['recording']))!.recording.accounts.keys()]
    expect(written.filter(address => recorded.includes(address)).toSorted()).toEqual([whale, real.token].toSorted())
  })

  it('without proofs of the node: the same state, and the recording says that it is not verified', async () => {
    await record()
    const verified = readRecording(String(fieldsOfNet()['recording']))!.recording
    node.mischief = {
      call: ({ id, method }) =>
        method === 'eth_getProof' ? { id, error: { code: -32601, message: 'the method eth_getProof does not exist' } } : undefined,
    }
    expect((await record()).out).toContain('not verified')
    const plain = readRecording(String(fieldsOfNet()['recording']))!.recording
    expect(contentOf({ ...plain, isVerified: true })).toBe(contentOf(verified))
  })

  it('takes a node that answers one call at a time, and one that is busy for a while', async () => {
    node.mischief = {
      request: (response, calls, nth) => {
        if (calls.length > 1) response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no batches' } }))
        else if (nth % 5 === 0) response.writeHead(429, { 'retry-after': '2' }).end()
        return response.writableEnded
      },
    }
    const { code, waits } = await record()
    expect(code).toBe(0)
    expect(new Set(waits)).toEqual(new Set([2000]))
  })

  it('names what is not recorded, and how to record it', async () => {
    await record('--ticks', '1')
    rewrite(text => {
      const { recording } = readRecording(text)!
      const slots = new Map([...recording.slots].map(([address, values]) => [address, new Map([...values].slice(1))]))
      const content = contentOf({ ...recording, slots })
      return textOfRecording(content, digestOf(content))
    })
    const { result } = replay()
    expect(result).toMatchObject({ end: 'failed', problem: { code: 9033 } })
    expect(result!.end === 'failed' && english(result!.problem.message)).toMatch(
      /not recorded: slot 0x[\da-f]+ of 0x[\dA-Fa-f]{40}; record it with: holarchy chain record/,
    )
  })
})

describe('a recording that was tampered with is refused', () => {
  it.each<[string, (text: string) => string, 'check' | 'run']>([
    ['a balance', text => text.replace('0x3635c9adc5dea00000', '0x3635c9adc5dea00001'), 'run'],
    ['the digest', text => text.replace(/"sha256":"./, '"sha256":"g'), 'run'],
    ['cut short', text => text.slice(0, -20), 'check'],
    ['another format', text => text.replace('holarchy-recording-1', 'holarchy-recording-9'), 'check'],
    ['another chain', text => text.replace('"chainId":"0x1"', '"chainId":"0x2"'), 'check'],
    ['another block', text => text.replace(/"number":"0x\w+"/, '"number":"0x9"'), 'check'],
    ['nested without end', () => '['.repeat(300_000), 'check'],
    [
      'a code, with a new digest',
      text => {
        const { recording } = readRecording(text)!
        const content = contentOf({ ...recording, codes: new Map([...recording.codes].map(([hash]) => [hash, Uint8Array.of(0xfe)])) })
        return textOfRecording(content, digestOf(content))
      },
      'run',
    ],
  ])('%s', async (_, change, where) => {
    await record('--ticks', '1')
    const before = String(fieldsOfNet()['recording'])
    rewrite(change)
    expect(fieldsOfNet()['recording']).not.toBe(before)
    if (where === 'check') expect(replay().problems).toEqual(['9033 recording'])
    else expect(replay().result).toMatchObject({ end: 'failed', problem: { code: 9033, at: { field: 'recording' } } })
  })
})

/** Parts of a node's answer that tests change. */
type Proof = { parentHash: string; storageProof: object[] }

/** Answers a whole request in its own way. */
const instead = (answer: (response: ServerResponse) => unknown) => ({
  request: (response: ServerResponse) => {
    answer(response)
    return true
  },
})

describe('a node that cannot be trusted: nothing is kept of it', () => {
  const lying = (method: string, change: (result: Proof) => unknown) => (call: { method: string }, honest: unknown) =>
    call.method === method ? { ...(honest as object), result: change((honest as { result: Proof }).result) } : undefined
  let headers = 0
  beforeEach(() => (headers = 0))
  it.each<[string, ChainNode['mischief'], RegExp]>([
    ['hangs', { request: () => true }, /no answer within/],
    ['drips', instead(response => response.writeHead(200).write('[')), /nothing more for|stopped|timeout|aborted/i],
    ['is of another chain', { call: lying('eth_chainId', () => '0x38') }, /of chain 56, the model’s is 1/],
    [
      'lies about a balance',
      { call: lying('eth_getProof', one => ({ ...one, balance: '0x1' })) },
      /proof of 0x\w+ does not lead to the block’s state root/,
    ],
    [
      'lies about a slot',
      {
        call: lying('eth_getProof', one => ({ ...one, storageProof: one.storageProof.map((slot: object) => ({ ...slot, value: '0x7' })) })),
      },
      /proof of slot 0x\w+ of/,
    ],
    ['lies about code', { call: lying('eth_getCode', () => '0x00') }, /code of 0x\w+ is not what its hash is of/],
    ['hides an account', { call: lying('eth_getProof', one => ({ ...one, accountProof: [] })) }, /does not lead/],
    [
      'lies about the header',
      { call: lying('eth_getBlockByNumber', one => ({ ...one, stateRoot: one.parentHash })) },
      /not what its hash is of/,
    ],
    ['has reorganised the chain', { call: lying('eth_getBlockByNumber', one => (++headers > 1 ? null : one)) }, /has no block/],
    [
      'has pruned the state',
      {
        call: ({ id, method }) =>
          method === 'eth_getProof' ? { id, error: { code: -32000, message: 'missing trie node abc' } } : undefined,
      },
      /does not keep the state of this block any more/,
    ],
    ['throttles without end', instead(response => response.writeHead(429).end()), /busy \(status 429\) after 6 tries/],
    [
      'redirects to a private address',
      instead(response => response.writeHead(307, { location: 'http://169.254.169.254/latest' }).end()),
      /redirects are not followed/,
    ],
    ['sends too much', instead(response => response.end('x'.repeat(2_000_000))), /more than 1000000 bytes/],
    ['sends no JSON', instead(response => response.end('<html>')), /something else than JSON/],
    ['sends numbers that are too large', { call: lying('eth_getProof', one => ({ ...one, nonce: `0x${'f'.repeat(64)}` })) }, /too large/],
    [
      'leaves out answers',
      {
        // Without proofs an account takes three calls at once.
        call: ({ id, method }) => (method === 'eth_getProof' ? { id, error: { code: -32601, message: 'method not found' } } : undefined),
        request: (response, calls) => calls.length > 1 && response.end('[]').writableEnded,
      },
      /left out an answer/,
    ],
  ])('%s', async (what, mischief, message) => {
    // Only of nodes that never end an answer the end of patience is waited for.
    if (what === 'hangs' || what === 'drips') limits = { ...patient, headMs: 300, quietMs: 300, wholeMs: 600 }
    const before = readFileSync(path, 'utf8')
    node.mischief = mischief
    const { code, err } = await record()
    expect(err).toMatch(message)
    expect(err).toContain('nothing was recorded')
    expect(code).toBe(1)
    expect(readFileSync(path, 'utf8')).toBe(before)
  })

  it('a model without a fork, or a node without an address, is wrong usage', async () => {
    await expect(chain('record', path)).rejects.toThrow(/HOLARCHY_ENDPOINT_MAINNET/)
    await expect(chain('record', path, '--endpoint', 'ftp://x')).rejects.toThrow(/give the node’s address|give the node's address/)
    writeFileSync(path, printFile(forked({ node: '' }).file))
    await expect(record()).rejects.toThrow(/no blockchain environment with a node/)
  })
})

describe('a page', () => {
  const begin = (post: (body: string) => Promise<Answer>) =>
    new Promise<FromRecorder>(done => {
      const { model: read } = forked()
      const hear = serveRecording(
        message => {
          if (message.is !== 'ask') return done(message)
          void post(message.body).then(answer => hear({ do: 'answer', answer }))
        },
        async () => undefined,
      )
      hear({ do: 'record', wish: { model: read, scenario: read.scenarios[0]!, chain: idOfNet(read), block: Number(blockNumber), runs: 1 } })
    })
  type Answer = { status: number; text: string; retryAfter: number | null }
  const idOfNet = (read: Model): string => [...read.elements.values()].find(({ kind }) => kind === 'blockchain')!.id
  const passed = async (body: string): Promise<Answer> => {
    const answer = await fetch(node.url, { method: 'POST', body })
    return { status: answer.status, text: await answer.text(), retryAfter: null }
  }

  it('makes the recording that the command line makes, through whoever passes its requests on', async () => {
    await record()
    const made = await begin(passed)
    expect(made).toMatchObject({ is: 'recorded', problem: null, text: fieldsOfNet()['recording'] })
  })

  it('is told in its language why there is none', async () => {
    const failed = await begin(async () => ({ status: 500, text: '', retryAfter: null }))
    expect(failed).toMatchObject({ is: 'failed', words: { text: 'the node answered with status {status}', values: { status: 500 } } })
  })
})

describe('proofs and their encoding', () => {
  it('RLP: what is written is read; what is no encoding is none (2,000 random values)', () => {
    const random = chance(11)
    const value = (depth: number): Rlp =>
      depth > 0 && random.below(2) === 0
        ? Array.from({ length: random.below(5) }, () => value(depth - 1))
        : Uint8Array.from({ length: random.below(4) === 0 ? random.below(90) : random.below(3) }, () => random.below(256))
    for (let k = 0; k < 2_000; k++) {
      const one = value(4)
      const bytes = rlp(one)
      expect(fromRlp(bytes)).toEqual(one)
      expect(fromRlp(bytes.subarray(0, -1))).toBe(null)
    }
    expect(fromRlp(fromHex('c0'.repeat(20))!)).toBe(null)
    expect(fromRlp(fromHex('bfffffffffffffffff')!)).toBe(null)
  })

  it('a proof gives the value or that there is none; with any byte changed it gives nothing (tries of 1 to 80 keys)', () => {
    const random = chance(3)
    for (const size of [1, 2, 3, 17, 80]) {
      const entries = Array.from({ length: size }, (_, k): [Uint8Array, Uint8Array] => [
        wordBytes(BigInt(k)),
        rlp(rlpNumber(BigInt(1 + random.below(1e6)))),
      ])
      const root = secureRoot(entries)
      for (let k = 0; k < size + 10; k++) {
        const key = wordBytes(BigInt(k))
        const proof = secureProof(entries, key)
        expect(toHex(provedValue(root, key, proof) ?? new Uint8Array(0))).toBe(toHex(entries[k]?.[1] ?? new Uint8Array(0)))
        const broken = proof.map(bytes => bytes.slice())
        const bytes = broken[random.below(broken.length)]!
        bytes[random.below(bytes.length)]! ^= 1 + random.below(255)
        expect(provedValue(root, key, broken)).toBe(undefined)
        expect(provedValue(root, key, proof.slice(0, -1))).toBe(undefined)
      }
    }
    expect(provedValue(secureRoot([]), addressBytes(1n), [])).toBe(null)
  })
})
