// What the fields of a fork mean, and what is wrong with them.
import type { Element } from '../../../model-schema/model.ts'
import { say, type Words } from '../../../model-schema/kinds/kind.ts'
import { parseTime } from '../../run/calendar.ts'
import { forkAt } from '../evm/rules.ts'
import { howToRecord, readRecording } from './recording.ts'
import type { RecordingText } from './recording.ts'

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Seconds until the next block of the real chain. */
export const blockSeconds = { ethereum: 12, bsc: 3 } as const
export const chainIdOf = ({ fields }: Element): bigint => (fields['chain'] === 'bsc' ? 56n : 1n)

/** Whether a chain goes on from a block of a real one: it names a node, or where one is known under a name. */
export const isForkOf = ({ fields }: Element): boolean => textIn(fields['node']).trim() !== ''

const recordings = new WeakMap<Element, RecordingText | null>()
/** The recording of a fork; null where its text is none. Read once for each state of the element. */
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
    return say('the node is neither a name such as mainnet nor an address with https', '节点既不是 mainnet 这样的名称，也不是 https 地址')
  if (url.username !== '' || url.password !== '' || url.search !== '' || looksLikeKey.test(url.pathname))
    return say(
      'the address holds a key or password, which everybody who opens the model would read: write a name such as mainnet, and give the address where it is recorded',
      '该地址含有密钥或密码，打开模型的人都能看到：请填写 mainnet 这样的名称，录制时再提供地址',
    )
  return null
}

/** What is wrong with the fields of a fork, but for its node. */
export function forkFaults(element: Element, add: (field: string, en: string, zh: string) => void): void {
  const { fields } = element
  const start = typeof fields['startBlock'] === 'number' ? fields['startBlock'] : 0
  if (start === 0) return add('startBlock', 'a fork needs the block that it goes on from', '分叉需要填写起始区块')
  if (textIn(fields['recording']).trim() === '')
    return add('recording', `the fork is not recorded; ${howToRecord.en}`, `分叉尚未录制；${howToRecord.zh}`)
  const found = recordingOf(element)
  if (found === null) return add('recording', `this is no recording; ${howToRecord.en}`, `这不是录制内容；${howToRecord.zh}`)
  const { chainId, block } = found.recording
  if (chainId !== chainIdOf(element))
    return add(
      'recording',
      `the recording is of chain ${chainId}, this is ${chainIdOf(element)}`,
      `录制的是链 ${chainId}，此处是 ${chainIdOf(element)}`,
    )
  if (block.number !== BigInt(start))
    return add(
      'recording',
      `the recording is of block ${block.number}; ${howToRecord.en}`,
      `录制的是区块 ${block.number}；${howToRecord.zh}`,
    )
  if (forkAt(chainId, block.timestamp) === undefined)
    add(
      'startBlock',
      'the rules of blocks before London (Ethereum) and Shanghai (BSC) are not available',
      '不支持 London（Ethereum）或 Shanghai（BSC）之前区块的规则',
    )
  const time = textIn(fields['timestamp']).trim()
  const parsed = time === '' ? null : parseTime(time)
  if (parsed !== null && parsed / 1000 <= block.timestamp)
    add('timestamp', 'the time is not after that of the start block', '时间不晚于起始区块')
}
