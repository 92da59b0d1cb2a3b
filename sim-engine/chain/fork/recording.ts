// A recording: what runs have read of a real chain at the end of a block. It is a text field of the model, so it is part of the model's
// hash, and runs with a recording send no requests. Reading and checking it takes no cryptography; recorded-state.ts compares its digest.
import { say, type Words } from '../../../model-schema/words.ts'

export type RecordedBlock = {
  readonly number: bigint
  readonly hash: bigint
  readonly stateRoot: bigint
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly baseFee: bigint
  readonly gasUsed: bigint
  readonly gasLimit: bigint
}

/** An account: its code by the hash of it. */
export type RecordedAccount = { readonly nonce: bigint; readonly balance: bigint; readonly codeHash: bigint }

export type Recording = {
  readonly chainId: bigint
  readonly block: RecordedBlock
  /** Whether everything was compared with the header's state root. */
  readonly isVerified: boolean
  /** Accounts by address; null for addresses at which there is none. */
  readonly accounts: ReadonlyMap<bigint, RecordedAccount | null>
  readonly codes: ReadonlyMap<bigint, Uint8Array>
  readonly slots: ReadonlyMap<bigint, ReadonlyMap<bigint, bigint>>
  /** Hashes of earlier blocks by number. */
  readonly hashes: ReadonlyMap<bigint, bigint>
}

export type RecordingText = { readonly recording: Recording; readonly digest: string; readonly content: string }

const FORMAT = 'holarchy-recording-1'

const hex = (value: bigint): string => `0x${value.toString(16)}`
const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)
const sorted = <V>(map: ReadonlyMap<bigint, V>): [bigint, V][] => [...map].sort(([a], [b]) => ascending(a, b))
const digits = (bytes: Uint8Array): string => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')

/** The content of a recording in the one order that its digest is of. */
export function contentOf({ chainId, block, isVerified, accounts, codes, slots, hashes }: Recording): string {
  const { number, hash, stateRoot, timestamp, baseFee, gasUsed, gasLimit } = block
  return JSON.stringify({
    format: FORMAT,
    chainId: hex(chainId),
    block: {
      number: hex(number),
      hash: hex(hash),
      stateRoot: hex(stateRoot),
      timestamp,
      baseFee: hex(baseFee),
      gasUsed: hex(gasUsed),
      gasLimit: hex(gasLimit),
    },
    verified: isVerified,
    accounts: sorted(accounts).map(([address, one]) => [
      hex(address),
      ...(one === null ? [] : [hex(one.nonce), hex(one.balance), hex(one.codeHash)]),
    ]),
    codes: sorted(codes).map(([hash, code]) => [hex(hash), digits(code)]),
    slots: sorted(slots).map(([address, values]) => [hex(address), ...sorted(values).flatMap(([key, value]) => [hex(key), hex(value)])]),
    hashes: sorted(hashes).map(([number, hash]) => [hex(number), hex(hash)]),
  })
}

/** The text of a recording with its digest behind the content. */
export const textOfRecording = (content: string, digest: string): string => `{"content":${content},"sha256":"${digest}"}`

class Unreadable extends Error {}

const record = (value: unknown): Readonly<Record<string, unknown>> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Unreadable()
  return value as Readonly<Record<string, unknown>>
}
const list = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) throw new Unreadable()
  return value
}
function word(value: unknown, bits = 256): bigint {
  if (typeof value !== 'string' || !/^0x[\da-f]{1,64}$/.test(value)) throw new Unreadable()
  const read = BigInt(value)
  if (read >> BigInt(bits) !== 0n) throw new Unreadable()
  return read
}
function bytesOf(value: unknown): Uint8Array {
  if (typeof value !== 'string' || !/^(?:[\da-f]{2})*$/.test(value)) throw new Unreadable()
  return Uint8Array.from({ length: value.length / 2 }, (_, at) => Number.parseInt(value.slice(2 * at, 2 * at + 2), 16))
}
function seconds(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw new Unreadable()
  return value
}

function accountOf(row: readonly unknown[]): RecordedAccount | null {
  if (row.length === 1) return null
  if (row.length !== 4) throw new Unreadable()
  return { nonce: word(row[1], 64), balance: word(row[2]), codeHash: word(row[3]) }
}

function slotsOf(row: readonly unknown[]): Map<bigint, bigint> {
  if (row.length % 2 !== 1) throw new Unreadable()
  const values = new Map<bigint, bigint>()
  for (let at = 1; at < row.length; at += 2) values.set(word(row[at]), word(row[at + 1]))
  return values
}

function recordingOf(content: Readonly<Record<string, unknown>>): Recording {
  if (content['format'] !== FORMAT) throw new Unreadable()
  const block = record(content['block'])
  const rows = (field: string): (readonly unknown[])[] => list(content[field]).map(list)
  return {
    chainId: word(content['chainId'], 64),
    block: {
      number: word(block['number'], 53),
      hash: word(block['hash']),
      stateRoot: word(block['stateRoot']),
      timestamp: seconds(block['timestamp']),
      baseFee: word(block['baseFee']),
      gasUsed: word(block['gasUsed'], 64),
      gasLimit: word(block['gasLimit'], 64),
    },
    isVerified: content['verified'] === true,
    accounts: new Map(rows('accounts').map(row => [word(row[0], 160), accountOf(row)])),
    codes: new Map(rows('codes').map(row => [word(row[0]), bytesOf(row[1])])),
    slots: new Map(rows('slots').map(row => [word(row[0], 160), slotsOf(row)])),
    hashes: new Map(rows('hashes').map(row => [word(row[0], 53), word(row[1])])),
  }
}

/** Reads the text of a recording; null where it is invalid. The digest is compared where a run begins. */
export function readRecording(text: string): RecordingText | null {
  try {
    const whole = record(JSON.parse(text))
    const digest = whole['sha256']
    if (typeof digest !== 'string') return null
    const recording = recordingOf(record(whole['content']))
    return { recording, digest, content: contentOf(recording) }
  } catch {
    return null
  }
}

/** How a recording is made: said wherever one is missing. */
export const howToRecord: Words = say('record it with: holarchy chain record FILE --endpoint URL')
