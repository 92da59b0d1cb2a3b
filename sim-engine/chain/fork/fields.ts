// What the fields of a fork mean, and what is wrong with them.
import type { Element } from '../../../model-schema/model.ts'
import { parseTime } from '../../run/calendar.ts'
import { forkAt } from '../evm/rules.ts'
import { howToRecord, readRecording } from './recording.ts'
import type { RecordingText } from './recording.ts'
import { say, type Words } from '../../../model-schema/words.ts'

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Seconds until the next block of the real chain. */
export const blockSeconds = { ethereum: 12, bsc: 3 } as const
export const chainIdOf = ({ fields }: Element): bigint => (fields['chain'] === 'bsc' ? 56n : 1n)

/** Whether a chain continues from a block of a real one: it names a node, or where one is known under a name. */
export const isForkOf = ({ fields }: Element): boolean => textIn(fields['node']).trim() !== ''

const recordings = new WeakMap<Element, RecordingText | null>()
/** The recording of a fork; null where its text is invalid. Read once for each state of the element. */
export function recordingOf(element: Element): RecordingText | null {
  let known = recordings.get(element)
  if (known === undefined) recordings.set(element, (known = readRecording(textIn(element.fields['recording']))))
  return known
}

const looksLikeName = /^[a-z][a-z0-9-]{0,39}$/
/** Parts of an address that look like a key: long runs of letters and digits. */
const looksLikeKey = /[A-Za-z0-9_-]{20,}/

/** What is wrong with the name or address of a node; null where nothing is. */
export function nodeFault(node: string): Words | null {
  if (looksLikeName.test(node)) return null
  const url = URL.parse(node)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return say('the node is neither a name such as mainnet nor an address with https')
  if (url.username !== '' || url.password !== '' || url.search !== '' || looksLikeKey.test(url.pathname))
    return say(
      'the address holds a key or password, which everybody who opens the model would read: write a name such as mainnet, and give the address where it is recorded',
    )
  return null
}

/** What is wrong with the fields of a fork, but for its node. */
export function forkFaults(element: Element, add: (field: string, words: Words) => void): void {
  const { fields } = element
  const start = typeof fields['startBlock'] === 'number' ? fields['startBlock'] : 0
  if (start === 0) return add('startBlock', say('a fork needs the block that it goes on from'))
  if (textIn(fields['recording']).trim() === '') return add('recording', say('the fork is not recorded; {howToRecord}', { howToRecord }))
  const found = recordingOf(element)
  if (found === null) return add('recording', say('this is no recording; {howToRecord}', { howToRecord }))
  const { chainId, block } = found.recording
  if (chainId !== chainIdOf(element))
    return add(
      'recording',
      say('the recording is of chain {chainId}, this is {element}', { chainId: String(chainId), element: String(chainIdOf(element)) }),
    )
  if (block.number !== BigInt(start))
    return add('recording', say('the recording is of block {number}; {howToRecord}', { number: String(block.number), howToRecord }))
  if (forkAt(chainId, block.timestamp) === undefined)
    add('startBlock', say('the rules of blocks before London (Ethereum) and Shanghai (BSC) are not available'))
  const time = textIn(fields['timestamp']).trim()
  const parsed = time === '' ? null : parseTime(time)
  if (parsed !== null && parsed / 1000 <= block.timestamp) add('timestamp', say('the time is not after that of the start block'))
}
