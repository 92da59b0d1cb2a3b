// Reading a block's state from a node by JSON-RPC. What it answers is checked: the header against its hash, accounts and slots against the
// state root where the node gives proofs, codes against their hashes. A node that changes its mind, throttles without end or has pruned the
// block is an error with its reason; nothing of it is kept.
import { keccakWord } from '../evm/keccak.ts'
import { EngineFault } from '../../kernel/fault.ts'
import { addressText } from '../accounts.ts'
import { addressBytes, fromBytes, fromHex, toBytes, toHex, wordBytes } from '../evm/word.ts'
import { noCodeHash } from './recorded-state.ts'
import type { Wanted } from './recorded-state.ts'
import { headerHash, isAccountLeaf, isSlotLeaf, provedValue } from './proof.ts'
import type { RecordedAccount, RecordedBlock } from './recording.ts'
import { rlpNumber } from './rlp.ts'
import { say, Told, type Words } from '../../../model-schema/words.ts'

/** What is wrong with a node's answers. */
export class NodeFault extends Told {}

/** Posts a body to the node; gives the status of the answer, its text, and how many seconds it asks to wait. */
export type Post = (body: string) => Promise<{ status: number; text: string; retryAfter: number | null }>

type NodeOptions = { readonly post: Post; readonly wait: (ms: number) => Promise<void>; readonly mostRequests?: number }

type Request = { readonly method: string; readonly params: readonly unknown[] }
type Answer = { readonly result: unknown } | { readonly fault: string; readonly code: number }

/** Calls in one request, tries of one request, milliseconds before the second try (doubled each time), and requests of one recording. */
const limits = { batch: 50, tries: 6, firstWaitMs: 500, mostWaitMs: 10_000, requests: 20_000 } as const

/** Only these are ever asked: nothing that sends, signs or administers. */
const allowed: ReadonlySet<string> = new Set([
  'eth_chainId',
  'eth_getBlockByNumber',
  'eth_getProof',
  'eth_getCode',
  'eth_getBalance',
  'eth_getTransactionCount',
  'eth_getStorageAt',
])

const hex = (value: bigint): string => `0x${value.toString(16)}`
const addressHex = (address: bigint): string => toHex(addressBytes(address))

/** What nodes say of a state that they do not keep any more. */
const prunedWords =
  /missing trie node|pruned|state (?:is )?not available|historical state|header not found|block not found|unknown block|archive/i

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new NodeFault(say('the node gave something else than an object'))
  return value as Readonly<Record<string, unknown>>
}

/** A number as nodes write it. */
function quantity(value: unknown, bits = 256): bigint {
  if (typeof value !== 'string' || !/^0x[\da-fA-F]{1,64}$/.test(value))
    throw new NodeFault(say('the node gave something else than a number'))
  const read = BigInt(value)
  if (read >> BigInt(bits) !== 0n) throw new NodeFault(say('the node gave a number that is too large'))
  return read
}

/** Most bytes of one value: a header's extra data, a node of a trie, a code under any rules so far. */
const mostBytes = 100_000

function dataOf(value: unknown): Uint8Array {
  const bytes = typeof value === 'string' && value.startsWith('0x') && value.length <= 2 * mostBytes + 2 ? fromHex(value) : undefined
  if (bytes === undefined) throw new NodeFault(say('the node gave something else than bytes'))
  return bytes
}

const proofOf = (value: unknown): Uint8Array[] => {
  if (!Array.isArray(value) || value.length > 65) throw new NodeFault(say('the node gave no proof'))
  return value.map(dataOf)
}

/** Fields of a header in the order of its encoding; those that are numbers, and the later ones that older blocks do not have. */
const headerFields = (
  'parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom difficulty number gasLimit gasUsed timestamp extraData mixHash nonce ' +
  'baseFeePerGas withdrawalsRoot blobGasUsed excessBlobGas parentBeaconBlockRoot requestsHash'
).split(' ')
const numberFields = new Set('difficulty number gasLimit gasUsed timestamp baseFeePerGas blobGasUsed excessBlobGas'.split(' '))

export type Fetched = {
  readonly accounts: Map<bigint, RecordedAccount | null>
  readonly codes: Map<bigint, Uint8Array>
  readonly slots: Map<bigint, Map<bigint, bigint>>
  readonly hashes: Map<bigint, bigint>
}

export class NodeReader {
  readonly #options: NodeOptions
  /** Requests made so far. */
  requests = 0
  /** Whether everything so far came with a proof. */
  isVerified = true
  #proves = true
  #batches = true

  constructor(options: NodeOptions) {
    this.#options = options
  }

  async #post(body: string): Promise<string> {
    const { post, wait, mostRequests = limits.requests } = this.#options
    for (let attempt = 1; ; attempt++) {
      if (++this.requests > mostRequests) throw new NodeFault(say('more than {mostRequests} requests', { mostRequests }))
      const { status, text, retryAfter } = await post(body)
      if (status === 200) return text
      const isBusy = status === 429 || status === 502 || status === 503 || status === 504
      if (!isBusy) throw new NodeFault(say('the node answered with status {status}', { status }))
      if (attempt === limits.tries)
        throw new NodeFault(say('the node is busy (status {status}) after {attempt} tries', { status, attempt }))
      const pause = retryAfter === null ? limits.firstWaitMs * 2 ** (attempt - 1) : retryAfter * 1000
      await wait(Math.min(pause, limits.mostWaitMs))
    }
  }

  #answerOf(value: unknown): Answer {
    const answer = recordOf(value)
    if (answer['error'] === undefined || answer['error'] === null) return { result: answer['result'] }
    const error = recordOf(answer['error'])
    return { fault: String(error['message'] ?? 'no reason').slice(0, 200), code: Number(error['code'] ?? 0) }
  }

  static #parsed(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      throw new NodeFault(say('the node gave something else than JSON'))
    }
  }

  /** Answers in the order of the requests: together where the node takes several at once, else one by one. */
  async #ask(requests: readonly Request[]): Promise<Answer[]> {
    const bodies = requests.map(({ method, params }, id) => {
      if (!allowed.has(method)) throw new EngineFault(`chains: ${method} is not asked`)
      return { jsonrpc: '2.0', id, method, params }
    })
    const answers: Answer[] = []
    for (let from = 0; from < bodies.length; from += limits.batch) {
      const part = bodies.slice(from, from + limits.batch)
      let several: unknown
      if (part.length > 1 && this.#batches) {
        several = NodeReader.#parsed(await this.#post(JSON.stringify(part)))
        if (!Array.isArray(several)) this.#batches = false
      }
      if (Array.isArray(several)) {
        const byId = new Map(several.map(one => [recordOf(one)['id'], one]))
        for (const { id } of part) {
          if (!byId.has(id)) throw new NodeFault(say('the node left out an answer'))
          answers.push(this.#answerOf(byId.get(id)))
        }
      } else for (const body of part) answers.push(this.#answerOf(NodeReader.#parsed(await this.#post(JSON.stringify(body)))))
    }
    return answers
  }

  static #result(answer: Answer): unknown {
    if ('result' in answer) return answer.result
    if (prunedWords.test(answer.fault))
      throw new NodeFault(say('the node does not keep the state of this block any more: {fault}', { fault: answer.fault }))
    throw new NodeFault(say('the node refused: {fault}', { fault: answer.fault }))
  }

  async #one(method: string, ...params: readonly unknown[]): Promise<unknown> {
    return NodeReader.#result((await this.#ask([{ method, params }]))[0]!)
  }

  async chainId(): Promise<bigint> {
    return quantity(await this.#one('eth_chainId'), 64)
  }

  /** The header of a block, its fields checked against its hash. */
  async header(number: bigint): Promise<RecordedBlock> {
    const found = await this.#one('eth_getBlockByNumber', hex(number), false)
    if (found === null || found === undefined) throw new NodeFault(say('the node has no block {number}', { number: String(number) }))
    const header = recordOf(found)
    const present = headerFields.filter(field => header[field] !== undefined && header[field] !== null)
    const fields = present.map(field => (numberFields.has(field) ? rlpNumber(quantity(header[field])) : dataOf(header[field])))
    const hash = quantity(header['hash'])
    if (fromBytes(headerHash(fields)) !== hash) throw new NodeFault(say('the fields of the block’s header are not what its hash is of'))
    if (quantity(header['number']) !== number) throw new NodeFault(say('the node gave another block'))
    return {
      number,
      hash,
      stateRoot: quantity(header['stateRoot']),
      timestamp: Number(quantity(header['timestamp'], 53)),
      baseFee: header['baseFeePerGas'] === undefined ? 0n : quantity(header['baseFeePerGas']),
      gasUsed: quantity(header['gasUsed'], 64),
      gasLimit: quantity(header['gasLimit'], 64),
    }
  }

  /** Everything wanted at the end of a block. Codes that are known by their hash are not asked for. */
  async fetch(block: RecordedBlock, wanted: Iterable<Wanted>, known: ReadonlyMap<bigint, Uint8Array>): Promise<Fetched> {
    const fetched: Fetched = { accounts: new Map(), codes: new Map(), slots: new Map(), hashes: new Map() }
    const keys = new Map<bigint, bigint[]>()
    const numbers: bigint[] = []
    for (const one of wanted) {
      if (one.is === 'hash') numbers.push(one.number)
      else {
        const slots = keys.get(one.address) ?? []
        keys.set(one.address, slots)
        if (one.is === 'slot') slots.push(one.key)
      }
    }
    for (const number of numbers) fetched.hashes.set(number, (await this.header(number)).hash)
    const asked = [...keys].map(([address, slots]) => ({ address, slots }))
    if (this.#proves) await this.#withProofs(block, asked, fetched)
    if (!this.#proves) await this.#withoutProofs(block, asked, fetched)
    await this.#codes(block, fetched, known)
    return fetched
  }

  async #withProofs(block: RecordedBlock, asked: readonly AccountAsk[], fetched: Fetched): Promise<void> {
    const answers = await this.#ask(
      asked.map(({ address, slots }) => ({
        method: 'eth_getProof',
        params: [addressHex(address), slots.map(key => toHex(wordBytes(key))), hex(block.number)],
      })),
    )
    for (const [k, answer] of answers.entries()) {
      if ('fault' in answer && isUnsupported(answer)) {
        this.#proves = false
        this.isVerified = false
        return
      }
      takeProof(block, asked[k]!, recordOf(NodeReader.#result(answer)), fetched)
    }
  }

  async #withoutProofs(block: RecordedBlock, asked: readonly AccountAsk[], fetched: Fetched): Promise<void> {
    const at = hex(block.number)
    const answers = await this.#ask(
      asked.flatMap(({ address, slots }) => [
        ...['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'].map(method => ({ method, params: [addressHex(address), at] })),
        ...slots.map(key => ({ method: 'eth_getStorageAt', params: [addressHex(address), hex(key), at] })),
      ]),
    )
    let next = 0
    const result = (): unknown => NodeReader.#result(answers[next++]!)
    for (const { address, slots } of asked) {
      const [balance, nonce, code] = [quantity(result()), quantity(result(), 64), dataOf(result())]
      const codeHash = keccakWord(code)
      const isThere = balance !== 0n || nonce !== 0n || code.length > 0
      fetched.accounts.set(address, isThere ? { nonce, balance, codeHash } : null)
      if (code.length > 0) fetched.codes.set(codeHash, code)
      if (slots.length > 0) fetched.slots.set(address, new Map(slots.map(key => [key, quantity(result())])))
    }
  }

  /** Codes of accounts with a proven hash. */
  async #codes(block: RecordedBlock, { accounts, codes }: Fetched, known: ReadonlyMap<bigint, Uint8Array>): Promise<void> {
    const isMissing = (hash: bigint): boolean => hash !== noCodeHash && !codes.has(hash) && !known.has(hash)
    const missing = [...accounts].filter(([, one]) => one !== null && isMissing(one.codeHash))
    const answers = await this.#ask(
      missing.map(([address]) => ({ method: 'eth_getCode', params: [addressHex(address), hex(block.number)] })),
    )
    for (const [k, answer] of answers.entries()) {
      const [address, account] = missing[k]!
      const code = dataOf(NodeReader.#result(answer))
      if (keccakWord(code) !== account!.codeHash)
        throw new NodeFault(say('the code of {address} is not what its hash is of', { address: addressText(address) }))
      codes.set(account!.codeHash, code)
    }
  }
}

type AccountAsk = { readonly address: bigint; readonly slots: readonly bigint[] }

const isUnsupported = ({ fault, code }: { fault: string; code: number }): boolean =>
  code === -32601 ||
  /not (?:supported|available|found|allowed)|unsupported|does not exist/i.test(fault.replace(/.*eth_getProof/, 'eth_getProof'))
    ? !prunedWords.test(fault)
    : false

/** Takes an account and its slots, having compared them with the block's state root. */
function takeProof(block: RecordedBlock, { address, slots }: AccountAsk, given: Readonly<Record<string, unknown>>, fetched: Fetched): void {
  const lie = (what: Words | string): never => {
    throw new NodeFault(say('the node’s proof of {what} does not lead to the block’s state root', { what }))
  }
  const nonce = quantity(given['nonce'], 64)
  const balance = quantity(given['balance'])
  const storageRoot = dataOf(given['storageHash'])
  const codeHash = dataOf(given['codeHash'])
  const leaf = provedValue(toBytes(block.stateRoot, 32), addressBytes(address), proofOf(given['accountProof']))
  if (leaf === undefined) lie(addressText(address))
  if (leaf && !isAccountLeaf(leaf, { nonce, balance, storageRoot, codeHash })) lie(addressText(address))
  if (!leaf && (nonce !== 0n || balance !== 0n)) lie(addressText(address))
  fetched.accounts.set(address, leaf ? { nonce, balance, codeHash: fromBytes(codeHash) } : null)
  if (slots.length === 0) return
  const proofs = Array.isArray(given['storageProof']) ? given['storageProof'].map(recordOf) : []
  const values = new Map<bigint, bigint>()
  for (const [k, key] of slots.entries()) {
    const one = proofs[k]
    if (one === undefined || quantity(one['key']) !== key) throw new NodeFault(say('the node left out a slot'))
    const value = quantity(one['value'])
    const found = leaf ? provedValue(storageRoot, wordBytes(key), proofOf(one['proof'])) : null
    const isProved = found === null ? value === 0n : found !== undefined && isSlotLeaf(found, value)
    if (!isProved) lie(say('slot {key} of {address}', { key: hex(key), address: addressText(address) }))
    values.set(key, value)
  }
  fetched.slots.set(address, values)
}
