// Requests to addresses that people or operators have entered. Only to public hosts, unless the operator lists a host; the address that was checked is the
// one connected to, so a name that resolves differently the second time gains nothing. Redirects are not followed.
import { lookup as systemLookup } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP } from 'node:net'

// A list each: rules for IPv6 that cover the mapped range would hold for all of IPv4.
const closed4 = new BlockList()
const closed6 = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  closed4.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  closed6.addSubnet(net, bits, 'ipv6')

/** Whether an address is of the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  // Addresses of IPv4 in the clothes of IPv6 are refused with their whole range.
  if (family === 0) return false
  return family === 4 ? !closed4.check(address) : !closed6.check(address, 'ipv6')
}

type Resolve = (host: string) => Promise<readonly { address: string; family: number }[]>

export type OutboundRules = {
  /** Hosts with ports (`127.0.0.1:11434`) that may be called though they are not public, also without TLS. */
  readonly allowed: ReadonlySet<string>
  readonly resolve?: Resolve
  /** Milliseconds to the answer's head, and between two pieces of its body. */
  readonly headMs?: number
  readonly quietMs?: number
  /** Milliseconds of a whole answer, and its bytes. */
  readonly wholeMs?: number
  readonly maxBytes?: number
}

/** Of a short answer: milliseconds to its head, between two pieces, in all; bytes. */
export const shortAnswer = { headMs: 10_000, quietMs: 10_000, wholeMs: 30_000, maxBytes: 8 << 20 } as const

export class OutboundRefused extends Error {}
export class OutboundFailed extends Error {}

const resolveHost: Resolve = host =>
  new Promise((done, fail) => systemLookup(host, { all: true, verbatim: true }, (error, found) => (error ? fail(error) : done(found))))

/** Why an address may not be called whatever it resolves to; null when it may be tried. */
export function refusalOf(text: string, rules: OutboundRules): string | null {
  const url = URL.parse(text)
  if (!url) return 'not an address'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'only https'
  if (url.username !== '' || url.password !== '') return 'no user name or password in an address'
  if (isListed(url, rules)) return null
  if (url.protocol !== 'https:') return 'only https, but for hosts the operator lists'
  if (url.port !== '' && url.port !== '443') return 'only port 443, but for hosts the operator lists'
  const host = bare(url.hostname)
  if (isIP(host) !== 0 && !isPublicAddress(host)) return 'a private address'
  return null
}

const bare = (host: string): string => host.replace(/^\[|\]$/g, '').replace(/\.$/, '')

const isListed = (url: URL, { allowed }: OutboundRules): boolean =>
  allowed.has(`${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`)

/** The addresses a host may be reached at. Throws OutboundRefused when one of them is private: a name with both is not to be trusted. */
async function addressesOf(url: URL, rules: OutboundRules): Promise<{ address: string; family: number }> {
  const host = bare(url.hostname)
  const family = isIP(host)
  let found: readonly { address: string; family: number }[]
  try {
    found = family === 0 ? await (rules.resolve ?? resolveHost)(host) : [{ address: host, family }]
  } catch (error) {
    throw new OutboundFailed(`the name ${host} cannot be resolved`, { cause: error })
  }
  const [first] = found
  if (!first) throw new OutboundFailed(`the name ${host} cannot be resolved`)
  if (!isListed(url, rules) && !found.every(({ address }) => isPublicAddress(address)))
    throw new OutboundRefused('it leads to a private address')
  return first
}

type Outgoing = { readonly headers: Readonly<Record<string, string>>; readonly body: string; readonly signal: AbortSignal }
type Incoming = { readonly status: number; readonly headers: IncomingMessage['headers']; readonly body: AsyncIterable<Uint8Array> }

/** Posts to an address within the rules. Throws OutboundRefused for what they forbid, OutboundFailed for what does not answer. */
export async function post(text: string, { headers, body, signal }: Outgoing, rules: OutboundRules): Promise<Incoming> {
  const why = refusalOf(text, rules)
  if (why !== null) throw new OutboundRefused(why)
  const url = new URL(text)
  const { address, family } = await addressesOf(url, rules)
  const { headMs = 30_000, quietMs = 60_000, wholeMs = 600_000, maxBytes = 8 << 20 } = rules
  const whole = AbortSignal.any([signal, AbortSignal.timeout(wholeMs)])
  const incoming = await new Promise<IncomingMessage>((done, fail) => {
    const ask = url.protocol === 'https:' ? httpsRequest : httpRequest
    const outgoing = ask(
      url,
      {
        method: 'POST',
        agent: false,
        signal: whole,
        // Compressed answers are not asked for: how long they would be is not known.
        headers: { ...headers, 'accept-encoding': 'identity', 'content-length': String(Buffer.byteLength(body)) },
        lookup: (_host, options, reached) => {
          if (typeof options === 'object' && options.all === true) reached(null, [{ address, family }])
          else reached(null, address, family)
        },
      },
      done,
    )
    outgoing.setTimeout(headMs, () => outgoing.destroy(new OutboundFailed(`no answer within ${headMs / 1000} s`)))
    outgoing.on('error', error =>
      fail(error instanceof OutboundFailed ? error : new OutboundFailed(signal.aborted ? 'stopped' : codeOf(error), { cause: error })),
    )
    outgoing.end(body)
  })
  incoming.socket.setTimeout(quietMs, () => incoming.destroy(new OutboundFailed(`nothing more for ${quietMs / 1000} s`)))
  const { statusCode: status = 0, headers: got } = incoming
  if (status >= 300 && status < 400) {
    incoming.destroy()
    throw new OutboundRefused('it leads to another address; redirects are not followed')
  }
  if (got['content-encoding'] !== undefined && got['content-encoding'] !== 'identity') {
    incoming.destroy()
    throw new OutboundFailed('a compressed answer that was not asked for')
  }
  return { status, headers: got, body: bounded(incoming, maxBytes, signal) }
}

/** Posts, and gives the whole answer as text, with the seconds that it asks to wait. */
export async function postText(
  text: string,
  outgoing: Outgoing,
  rules: OutboundRules,
): Promise<{ status: number; text: string; retryAfter: number | null }> {
  const answer = await post(text, outgoing, rules)
  const parts: Uint8Array[] = []
  for await (const part of answer.body) parts.push(part)
  const after = Number(answer.headers['retry-after'])
  return {
    status: answer.status,
    text: Buffer.concat(parts).toString('utf8'),
    retryAfter: Number.isFinite(after) && after >= 0 ? after : null,
  }
}

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : error.message)

async function* bounded(incoming: IncomingMessage, maxBytes: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let size = 0
  try {
    for await (const chunk of incoming) {
      if (!(chunk instanceof Uint8Array)) continue
      size += chunk.length
      if (size > maxBytes) throw new OutboundFailed(`more than ${maxBytes} bytes`)
      yield chunk
    }
  } catch (error) {
    if (error instanceof OutboundFailed) throw error
    throw new OutboundFailed(signal.aborted ? 'stopped' : error instanceof Error ? codeOf(error) : String(error), { cause: error })
  } finally {
    incoming.destroy()
  }
}
