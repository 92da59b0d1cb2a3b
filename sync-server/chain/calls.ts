// What may be asked of a node: only reading, each call with parameters of its own form. What is sent is rebuilt from what was parsed here.
import { z } from 'zod'

const address = z.string().regex(/^0x[\da-f]{40}$/)
/** A block's number, up to 2^53. */
const block = z.string().regex(/^0x(?:0|[1-9a-f][\da-f]{0,13})$/)
const word = z.string().regex(/^0x[\da-f]{64}$/)
const quantity = z.string().regex(/^0x(?:0|[1-9a-f][\da-f]{0,63})$/)

/** Slots of one proof, and calls of one request. */
const callLimits = { slots: 1000, calls: 50 } as const

const call = <M extends string, P extends z.ZodType>(method: M, params: P) =>
  z.strictObject({
    jsonrpc: z.literal('2.0'),
    id: z
      .number()
      .int()
      .min(0)
      .max(callLimits.calls - 1),
    method: z.literal(method),
    params,
  })

const oneCall = z.discriminatedUnion('method', [
  call('eth_chainId', z.tuple([])),
  call('eth_getBlockByNumber', z.tuple([block, z.literal(false)])),
  call('eth_getProof', z.tuple([address, z.array(word).max(callLimits.slots), block])),
  call('eth_getCode', z.tuple([address, block])),
  call('eth_getBalance', z.tuple([address, block])),
  call('eth_getTransactionCount', z.tuple([address, block])),
  call('eth_getStorageAt', z.tuple([address, quantity, block])),
])

/** The body of a request to a node: one call, or several. */
export const nodeCalls = z.union([oneCall, z.array(oneCall).min(1).max(callLimits.calls)])
