// Chains and contracts of a model, once references are resolved; what their fields mean, and what is wrong with them.
import type { Element, Id } from '../../model-schema/model.ts'
import { calendarOf, parseTime } from '../run/calendar.ts'
import type { EntityPart } from '../check/parts.ts'
import { readInterface } from './abi.ts'
import type { Interface, InterfaceFault } from './abi.ts'
import { curvesOfCode } from './evm/protocol/curves.ts'
import type { CurvePart } from './evm/protocol/curves.ts'
import { forkAt, rulesOf } from './evm/rules.ts'
import type { Fork } from './evm/rules.ts'
import { fromHex } from './evm/word.ts'
import { nextBaseFee } from './fees.ts'
import { blockSeconds, chainIdOf, forkFaults, nodeFault, recordingOf } from './fork/fields.ts'
import type { RecordedBlock } from './fork/recording.ts'
import type { LedgerPlan } from './ledger.ts'
import { say, type Words } from '../../model-schema/words.ts'

export type ChainPart = { id: Id; name: string; element: Element; index: number; isFork: boolean }

export type ContractPart = {
  id: Id
  name: string
  element: Element
  index: number
  /** Number of its chain; -1 where none is chosen and there is not exactly one. */
  chain: number
  /** Whether that is a Terra chain: its code is a module of CosmWasm, and it needs no interface. */
  isTerra: boolean
}

/** Whether an element is a Terra chain. */
export const isTerra = ({ kind, fields }: Element): boolean => kind === 'blockchain' && fields['chain'] === 'terra'

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
type Read = Interface | InterfaceFault
const read = new WeakMap<Element, Read>()
/** The same by the texts: an element that was only moved or renamed keeps its interface. */
const readTexts = new Map<string, Map<string, Map<string, Read>>>()
/** Texts remembered; beyond them they are read again. */
const mostTexts = 64

/** The address at which a contract of a fork is; undefined for those that the model creates. */
export const addressFieldOf = ({ fields }: Element): bigint | undefined => {
  const text = textIn(fields['address']).trim()
  return /^0x[\da-fA-F]{40}$/.test(text) ? BigInt(text) : undefined
}

/** The interface of a contract element, or what is wrong with it; read once for each state of its texts. */
export function interfaceOf({ element }: { element: Element }): Read {
  let known = read.get(element)
  if (!known) read.set(element, (known = interfaceOfTexts(element)))
  return known
}

function interfaceOfTexts({ fields }: Element): Read {
  const [artifact, abi, code] = [textIn(fields['artifact']), textIn(fields['abi']), textIn(fields['code'])]
  if (readTexts.size > mostTexts) readTexts.clear()
  const byAbi = readTexts.get(artifact) ?? new Map<string, Map<string, Read>>()
  const byCode = byAbi.get(abi) ?? new Map<string, Read>()
  const known = byCode.get(code) ?? readInterface({ artifact, abi, code })
  readTexts.set(artifact, byAbi.set(abi, byCode.set(code, known)))
  return known
}

const none: Interface = { items: [], code: '' }

/** The same where nothing is wrong; an interface without entries otherwise. */
export function faceOf(contract: { element: Element }): Interface {
  const found = interfaceOf(contract)
  return 'fault' in found ? none : found
}

const curvesByElement = new WeakMap<Element, readonly CurvePart[]>()

/** The cryptography that the code of a contract, or the codes of a fork, may call; found once for each state of the element. */
export function curvesOfElement(element: Element): readonly CurvePart[] {
  if (element.kind !== 'contract' && element.kind !== 'blockchain') return []
  let known = curvesByElement.get(element)
  if (!known) {
    const codes =
      element.kind === 'contract' ? [fromHex(faceOf({ element }).code)!] : [...(recordingOf(element)?.recording.codes.values() ?? [])]
    curvesByElement.set(element, (known = [...new Set(codes.flatMap(curvesOfCode))]))
  }
  return known
}

/** What is wrong with the code of a contract on Terra, as far as its text shows; `null` where nothing is. */
export function terraCodeFault({ fields }: Element): Words | null {
  const code = textIn(fields['code']).trim()
  if (code === '') return say('there is no code: put in the .wasm file as base64, plain or compressed by gzip')
  return /^(?:AGFzbQ|H4sI)[A-Za-z0-9+/\s]*={0,2}$/.test(code)
    ? null
    : say('this is no base64 of a WebAssembly module, plain or compressed by gzip')
}

/** The contracts of a chain that have code, by which their codes are numbered from 1 on Terra. */
export const terraCodesOf = (contracts: readonly ContractPart[], chain: number): readonly ContractPart[] =>
  contracts.filter(part => part.chain === chain && textIn(part.element.fields['code']).trim() !== '')

/** The chain that a field chooses: the only one where it is blank, -1 where there is none or no choice. */
export function chosenChain(chains: readonly ChainPart[], chosen: unknown): number {
  if (typeof chosen === 'string' && chosen !== '') return chains.findIndex(({ id }) => id === chosen)
  return chains.length === 1 ? 0 : -1
}

const numberIn = (value: unknown, otherwise: number): number => (typeof value === 'number' && Number.isFinite(value) ? value : otherwise)
const whole = (value: unknown, otherwise: number): bigint => BigInt(Math.max(0, Math.trunc(numberIn(value, otherwise))))

/** Least gas limit of a block: one transfer. */
const leastGasLimit = 21_000
const mostGasLimit = 1_000_000_000
/** Seconds since 1970 at 2024-01-01, the start of runs without a calendar. */
const standardStart = 1_704_067_200

/** What is wrong with a chain's own fields, by field. */
export function chainFaults(element: Element): readonly { field: string; words: Words }[] {
  const { fields } = element
  const faults: { field: string; words: Words }[] = []
  const add = (field: string, words: Words): void => void faults.push({ field, words })
  const node = textIn(fields['node']).trim()
  if (isTerra(element) && node !== '') add('node', say('forks of Terra are not available: clear the node for a local chain'))
  if (isTerra(element) && fields['blocks'] === 'interval' && fields['feeMarket'] === 'eip1559')
    add('feeMarket', say('Terra has no base fee'))
  const badNode = node === '' ? null : nodeFault(node)
  if (badNode) faults.push({ field: 'node', words: badNode })
  else if (node !== '' && !isTerra(element)) forkFaults(element, add)
  const start = numberIn(fields['startBlock'], 0)
  const first = numberIn(fields['blockNumber'], 0)
  if (first !== 0 && first <= start) add('blockNumber', say('the first new block comes behind the start block'))
  const time = textIn(fields['timestamp']).trim()
  const parsed = time === '' ? 0 : parseTime(time)
  if (parsed === null) add('timestamp', say('write date and time as 2025-01-01 12:00'))
  else if (parsed < 0) add('timestamp', say('the time is before 1970'))
  const limit = numberIn(fields['gasLimit'], 30_000_000)
  if (limit < leastGasLimit || limit > mostGasLimit)
    add('gasLimit', say('the gas limit lies between {leastGasLimit} and {mostGasLimit}', { leastGasLimit, mostGasLimit }))
  return faults
}

/** The hard fork that a field chooses; undefined for the one that follows from the chain. */
const rulesIn = (chosen: unknown): Fork | undefined =>
  typeof chosen === 'string' && chosen !== 'auto' && Object.hasOwn(rulesOf, chosen) ? (chosen as Fork) : undefined

/** What a chain without faults is to the ledger. */
export function ledgerPlan({ id, element, isFork }: ChainPart, scenario: Element): LedgerPlan {
  const { fields } = element
  const calendar = calendarOf(scenario)
  const time = textIn(fields['timestamp']).trim()
  const written = time === '' ? null : parseTime(time)
  const block = isFork ? (recordingOf(element)?.recording.block ?? null) : null
  const startMs =
    written ?? (block ? (block.timestamp + blockSeconds[fields['chain'] === 'bsc' ? 'bsc' : 'ethereum']) * 1000 : calendar?.epoch.ms)
  const start = whole(fields['startBlock'], 0)
  const first = whole(fields['blockNumber'], 0)
  const isInstant = fields['blocks'] !== 'interval'
  const { ordering } = fields
  return {
    id,
    isFork,
    chainId: chainIdOf(element),
    rules: rulesIn(fields['rules']) ?? (block ? forkAt(chainIdOf(element), block.timestamp) : undefined) ?? 'cancun',
    start,
    first: first === 0n ? start + 1n : first,
    startsAt: startMs === undefined ? standardStart : Math.floor(startMs / 1000),
    tickSeconds: numberIn(fields['tickSeconds'], calendar ? calendar.epoch.msPerTick / 1000 : 1),
    gasPrice: whole(fields['gasPrice'], 0),
    gasLimit: whole(fields['gasLimit'], 30_000_000),
    isInstant,
    finality: numberIn(fields['finality'], 12),
    ordering: ordering === 'arrival' || ordering === 'random' ? ordering : 'fee',
    baseFee: !isInstant && fields['feeMarket'] === 'eip1559' ? firstBaseFee(block, fields['baseFee']) : null,
  }
}

/** Base fee of the first block: of a fork the one behind its start block. */
const firstBaseFee = (block: RecordedBlock | null, written: unknown): bigint =>
  block ? nextBaseFee(block.baseFee, block.gasUsed, block.gasLimit) : whole(written, 1_000_000_000)

/** Number of the chain on which a population has accounts; -1 for none. */
export function chainOf({ chains }: { readonly chains: readonly ChainPart[] }, entity: EntityPart): number {
  for (let at: EntityPart | null = entity; at; at = at.base) {
    const { chain } = at.element.fields
    if (typeof chain === 'string' && chain !== '') return chosenChain(chains, chain)
  }
  return -1
}
