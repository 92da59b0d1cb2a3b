// A node of a real chain on this machine, for recordings: it serves a state by JSON-RPC over HTTP, with proofs, and misbehaves on request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addressBytes, fromHex, toHex, wordBytes } from '../../../sim-engine/chain/evm/word.ts'
import type { State } from '../../../sim-engine/chain/evm/state.ts'
import { headerHash } from '../../../sim-engine/chain/fork/proof.ts'
import { rlpNumber } from '../../../sim-engine/chain/fork/rlp.ts'
import { secureProof, secureRoot, stateEntries, stateRoot, storageEntries } from './trie.ts'

export type Call = { id: number; method: string; params: readonly unknown[] }

/** What a node does otherwise: answers a call by itself, or the whole request. */
export type Mischief = {
  call?: (call: Call, honest: unknown) => unknown
  request?: (response: ServerResponse, calls: readonly Call[], nth: number) => boolean
}

export type ChainNode = { url: string; heard: Call[]; requests: () => number; mischief: Mischief; stop(): Promise<void> }

const quantity = (value: bigint): string => `0x${value.toString(16)}`
const zeros = (bytes: number): string => `0x${'00'.repeat(bytes)}`

/** The header of a block over a state, as nodes write it. */
export function headerOf(state: State, number: bigint, timestamp: bigint) {
  const fields = {
    parentHash: zeros(32),
    sha3Uncles: zeros(32),
    miner: zeros(20),
    stateRoot: toHex(stateRoot(state)),
    transactionsRoot: zeros(32),
    receiptsRoot: zeros(32),
    logsBloom: zeros(256),
    difficulty: '0x0',
    number: quantity(number),
    gasLimit: quantity(30_000_000n),
    gasUsed: quantity(15_000_000n),
    timestamp: quantity(timestamp),
    extraData: '0x686f6c61',
    mixHash: zeros(32),
    nonce: zeros(8),
    baseFeePerGas: quantity(7n),
    withdrawalsRoot: zeros(32),
    blobGasUsed: '0x0',
    excessBlobGas: '0x0',
    parentBeaconBlockRoot: zeros(32),
  }
  const numbers = new Set(['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas', 'blobGasUsed', 'excessBlobGas'])
  const encoded = Object.entries(fields).map(([name, text]) => (numbers.has(name) ? rlpNumber(BigInt(text)) : fromHex(text)!))
  return { ...fields, hash: toHex(headerHash(encoded)) }
}

function honestly(state: State, block: bigint, timestamp: bigint, { method, params }: Call): unknown {
  const account = typeof params[0] === 'string' && params[0].length === 42 ? state.accounts.get(BigInt(params[0])) : undefined
  switch (method) {
    case 'eth_chainId':
      return '0x1'
    case 'eth_getBlockByNumber': {
      const number = BigInt(String(params[0]))
      return number > block ? null : headerOf(state, number, timestamp - 12n * (block - number))
    }
    case 'eth_getCode':
      return toHex(account?.code.bytes ?? new Uint8Array(0))
    case 'eth_getBalance':
      return quantity(account?.balance ?? 0n)
    case 'eth_getTransactionCount':
      return quantity(account?.nonce ?? 0n)
    case 'eth_getStorageAt':
      return toHex(wordBytes(account?.slots.get(BigInt(String(params[1])))?.value ?? 0n))
    case 'eth_getProof': {
      const storage = account ? storageEntries(account) : []
      return {
        address: params[0],
        nonce: quantity(account?.nonce ?? 0n),
        balance: quantity(account?.balance ?? 0n),
        storageHash: toHex(secureRoot(storage)),
        codeHash: toHex(wordBytes(account?.code.hash ?? BigInt('0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'))),
        accountProof: secureProof(stateEntries(state), addressBytes(BigInt(String(params[0])))).map(toHex),
        storageProof: (params[1] as string[]).map(key => ({
          key,
          value: quantity(account?.slots.get(BigInt(key))?.value ?? 0n),
          proof: secureProof(storage, wordBytes(BigInt(key))).map(toHex),
        })),
      }
    }
    default:
      throw new Error(`the node was asked for ${method}`)
  }
}

export async function chainNode(state: State, block: bigint, timestamp: bigint, onPort = 0): Promise<ChainNode> {
  let requests = 0
  const node = { heard: new Array<Call>(), mischief: {} as Mischief }
  const answer = (call: Call): unknown => {
    node.heard.push(call)
    const honest = { jsonrpc: '2.0', id: call.id, result: honestly(state, block, timestamp, call) }
    return node.mischief.call?.(call, honest) ?? honest
  }
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const asked = JSON.parse(Buffer.concat(parts).toString()) as Call | Call[]
    requests++
    if (node.mischief.request?.(response, [asked].flat(), requests)) return
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked)))
  }
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>(done => void server.listen(onPort, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return Object.assign(node, {
    url: `http://127.0.0.1:${port}/`,
    requests: () => requests,
    stop: () =>
      new Promise<void>(done => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  })
}
