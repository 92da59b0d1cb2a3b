// Nodes of real chains that an operator provides for recordings: by name, with addresses that no page ever sees.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { OutboundRules } from '../../sim-engine/outbound.ts'

type Provided = {
  readonly name: string
  readonly chain: 'ethereum' | 'bsc'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export type ChainNodes = {
  readonly nodes: readonly Provided[]
  /** Hosts that may be called though they are private. */
  readonly rules: OutboundRules
}

export const noNodes: ChainNodes = { nodes: [], rules: { allowed: new Set() } }

/** As the field *Node* of a blockchain environment writes names. */
export const nodeName = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/)

const File = z.array(
  z
    .strictObject({
      name: nodeName,
      chain: z.enum(['ethereum', 'bsc']),
      /** The address itself, or the environment variable that holds it: addresses often hold keys. */
      url: z.url().optional(),
      urlFrom: z.string().optional(),
      headers: z.record(z.string(), z.string()).default({}),
    })
    .refine(({ url, urlFrom }) => (url === undefined) !== (urlFrom === undefined), 'either url or urlFrom'),
)

/** Reads the settings: `CHAIN_NODES` is the path of a JSON file. Throws Error, saying what is wrong. */
export function nodesBy(
  { CHAIN_NODES, variables }: { CHAIN_NODES?: string | undefined; variables: Readonly<Record<string, string | undefined>> },
  rules: OutboundRules,
): ChainNodes {
  if (CHAIN_NODES === undefined) return { nodes: [], rules }
  const read = File.safeParse(JSON.parse(readFileSync(CHAIN_NODES, 'utf8')))
  if (!read.success)
    throw new Error(`CHAIN_NODES: ${read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`)
  const nodes = read.data.map(({ url, urlFrom = '', ...one }) => {
    const address = url ?? variables[urlFrom]
    if (address === undefined || !URL.canParse(address)) throw new Error(`CHAIN_NODES: ${one.name}: ${urlFrom} holds no address`)
    return { ...one, url: address }
  })
  const twice = nodes.find(({ name }, k) => nodes.findIndex(one => one.name === name) !== k)
  if (twice) throw new Error(`CHAIN_NODES: ${twice.name} is there twice`)
  return { nodes, rules }
}
