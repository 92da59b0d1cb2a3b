// The state below a fork: what its recording says of accounts, storage and earlier blocks. What it does not say is an error that names it;
// while a recording is made, it is listed instead, the transaction reads zeros, and the run stops after this transaction.
import { keccakWord } from '../evm/keccak.ts'
import { sha256 } from '@noble/hashes/sha2.js'
import { RunError } from '../../problems.ts'
import { addressText, isOwnAddress } from '../accounts.ts'
import { Code, noCode } from '../evm/code.ts'
import type { Base, BaseAccount } from '../evm/state.ts'
import { toHex } from '../evm/word.ts'
import { howToRecord } from './recording.ts'
import type { Recording, RecordingText } from './recording.ts'
import { say, type Words } from '../../../model-schema/words.ts'

/** Something of the chain that a run has asked for: an account, a slot of one, or the hash of an earlier block. */
export type Wanted =
  | { readonly is: 'account'; readonly address: bigint }
  | { readonly is: 'slot'; readonly address: bigint; readonly key: bigint }
  | { readonly is: 'hash'; readonly number: bigint }

export const wantedText = (wanted: Wanted): string =>
  wanted.is === 'hash'
    ? `the hash of block ${wanted.number}`
    : wanted.is === 'account'
      ? `account ${addressText(wanted.address)}`
      : `slot 0x${wanted.key.toString(16)} of ${addressText(wanted.address)}`

/** Hash of empty code. */
export const noCodeHash = keccakWord(new Uint8Array(0))
const absent: BaseAccount = { exists: false, nonce: 0n, balance: 0n, code: noCode }
const encoder = new TextEncoder()

/** SHA-256 of a recording's content, in hexadecimal digits. */
export const digestOf = (content: string): string => toHex(sha256(encoder.encode(content))).slice(2)

const broken = (words: Words): never => {
  throw new RunError(9033, [say('{words}; {howToRecord}', { words, howToRecord })])
}

export class RecordedBase implements Base {
  readonly recording: Recording
  /** What was read, so that a recording keeps nothing else; null while replaying. */
  readonly read: { wanted: Map<string, Wanted>; missed: Map<string, Wanted> } | null
  readonly #codes = new Map<bigint, Code>()

  /** Throws 9033 where the content is not what the digest is of, or a code is not what its hash is of. */
  constructor({ recording, digest, content }: RecordingText, isRecording = false) {
    if (digestOf(content) !== digest) broken(say('the recording was changed: its digest is of something else'))
    this.recording = recording
    this.read = isRecording ? { wanted: new Map(), missed: new Map() } : null
    for (const [hash, bytes] of recording.codes) {
      if (keccakWord(bytes) !== hash) broken(say('a code in the recording is not what its hash is of'))
      this.#codes.set(hash, new Code(bytes))
    }
  }

  #ask(wanted: Wanted, isThere: boolean): boolean {
    if (this.read) {
      const text = wantedText(wanted)
      this.read.wanted.set(text, wanted)
      if (!isThere) this.read.missed.set(text, wanted)
      return isThere
    }
    if (!isThere) broken(say('not recorded: {wanted}', { wanted: wantedText(wanted) }))
    return isThere
  }

  account(address: bigint): BaseAccount {
    if (isOwnAddress(address)) return absent
    const found = this.recording.accounts.get(address)
    const code = !found || found.codeHash === noCodeHash ? noCode : this.#codes.get(found.codeHash)
    if (!this.#ask({ is: 'account', address }, found !== undefined && code !== undefined) || !found) return absent
    return { exists: true, nonce: found.nonce, balance: found.balance, code: code! }
  }

  /** Whether it is recorded that there is a contract; nothing is asked for. */
  hasCode(address: bigint): boolean {
    const hash = this.recording.accounts.get(address)?.codeHash
    return hash !== undefined && hash !== noCodeHash
  }

  slot(address: bigint, key: bigint): bigint {
    // An account without code has no storage.
    const account = this.recording.accounts.get(address)
    if (isOwnAddress(address) || account === null || account?.codeHash === noCodeHash) return 0n
    const value = this.recording.slots.get(address)?.get(key)
    this.#ask({ is: 'slot', address, key }, value !== undefined)
    return value ?? 0n
  }

  hashOf(number: bigint): bigint {
    const { block, hashes } = this.recording
    const hash = number === block.number ? block.hash : hashes.get(number)
    if (number !== block.number) this.#ask({ is: 'hash', number }, hash !== undefined)
    return hash ?? 0n
  }

  /** Stops the run behind a transaction or a view that has read something that is not there yet. */
  settle(): void {
    const first = this.read?.missed.values().next().value
    if (first !== undefined) broken(say('not recorded: {first}', { first: wantedText(first) }))
  }
}
