// The guarded access to nodes of real chains: a page that makes a recording asks here, by a node's name. Editors of the file may ask; the
// allowed calls are in `calls.ts`; the address and its key stay here. Answers are checked by the page against the block's hash and state root.
import { Hono } from 'hono'
import { z } from 'zod'
import { OutboundFailed, OutboundRefused, postText, shortAnswer } from '../../sim-engine/outbound.ts'
import { Buckets } from '../bucket.ts'
import { Refusal, body, id, params, query, signedIn } from '../http.ts'
import type { SignedIn } from '../http.ts'
import type { Parts } from '../parts.ts'
import { onFile, permit } from '../permissions.ts'
import { nodeCalls } from './calls.ts'
import { nodeName, type ChainNodes } from './nodes.ts'

/** Requests that one person may make at once, and without a pause; afterwards one every four seconds. */
const requestLimits = { atOnce: 4, requests: 20_000 } as const
const requestsPerSecond = 0.25

export function chainRoutes({ db, chainNodes: { nodes, rules } }: Parts & { chainNodes: ChainNodes }) {
  const budget = new Buckets(requestsPerSecond, requestLimits.requests)
  const underWay = new Map<string, number>()

  /** Counts a request of a person while it is under way. */
  async function counted<T>(userId: string, ask: () => Promise<T>): Promise<T> {
    const now = underWay.get(userId) ?? 0
    if (now >= requestLimits.atOnce || !budget.take(userId, Date.now())) throw new Refusal('too-many-requests')
    underWay.set(userId, now + 1)
    try {
      return await ask()
    } finally {
      const left = (underWay.get(userId) ?? 1) - 1
      if (left === 0) underWay.delete(userId)
      else underWay.set(userId, left)
    }
  }

  return new Hono<SignedIn>()
    .use(signedIn)
    .get('/nodes', query(z.object({ file: id })), async c => {
      permit(await onFile(db, c.get('actor').userId, c.req.valid('query').file), 'edit')
      return c.json({ nodes: nodes.map(({ name, chain }) => ({ name, chain })) })
    })
    .post('/nodes/:name/calls', params(z.object({ name: nodeName })), body(z.strictObject({ file: id, calls: nodeCalls })), async c => {
      const { userId } = c.get('actor')
      const { file, calls } = c.req.valid('json')
      permit(await onFile(db, userId, file), 'edit')
      const node = nodes.find(({ name }) => name === c.req.valid('param').name)
      if (node === undefined) throw new Refusal('not-found', 'this server has no node of that name')
      return counted(userId, async () => {
        try {
          const outgoing = {
            headers: { ...node.headers, 'content-type': 'application/json' },
            body: JSON.stringify(calls),
            signal: c.req.raw.signal,
          }
          return c.json(await postText(node.url, outgoing, { ...shortAnswer, ...rules }))
        } catch (error) {
          if (error instanceof OutboundRefused) throw new Refusal('address-refused', error.message)
          if (error instanceof OutboundFailed) throw new Refusal('node-failed', error.message)
          throw error
        }
      })
    })
}
