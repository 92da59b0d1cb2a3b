// Makes a recording: runs the model, fetches what the run has asked for and did not find, and runs again from the start, until a run finds
// everything. Runs are deterministic, so that what was done is done again exactly. Only what the last runs have read is kept.
import { RECORDING } from '../../../model-schema/business/limits.ts'
import { say } from '../../../model-schema/words.ts'
import { digestOf, RecordedBase, wantedText } from './recorded-state.ts'
import type { Wanted } from './recorded-state.ts'
import { NodeFault } from './node.ts'
import type { Fetched, NodeReader } from './node.ts'
import { contentOf, readRecording, textOfRecording } from './recording.ts'
import type { Recording, RecordedBlock } from './recording.ts'

/** Rounds of fetching before a model is taken to ask for ever more. */
const mostRounds = 2_000

/** A recording of a block in which nothing has been read yet. */
const blankRecording = (chainId: bigint, block: RecordedBlock): Recording => ({
  chainId,
  block,
  isVerified: true,
  accounts: new Map(),
  codes: new Map(),
  slots: new Map(),
  hashes: new Map(),
})

function recordingText(recording: Recording): string {
  const content = contentOf(recording)
  return textOfRecording(content, digestOf(content))
}

const baseOf = (recording: Recording): RecordedBase => new RecordedBase(readRecording(recordingText(recording))!, true)

function joined(recording: Recording, { accounts, codes, slots, hashes }: Fetched, isVerified: boolean): Recording {
  const all = new Map(recording.slots)
  for (const [address, values] of slots) all.set(address, new Map([...(all.get(address) ?? []), ...values]))
  return {
    ...recording,
    isVerified,
    accounts: new Map([...recording.accounts, ...accounts]),
    codes: new Map([...recording.codes, ...codes]),
    slots: all,
    hashes: new Map([...recording.hashes, ...hashes]),
  }
}

/** The recording with nothing but what was read. */
function trimmed(recording: Recording, read: Iterable<Wanted>): Recording {
  const accounts: [bigint, Recording['accounts'] extends ReadonlyMap<bigint, infer V> ? V : never][] = []
  const slots = new Map<bigint, Map<bigint, bigint>>()
  const hashes = new Map<bigint, bigint>()
  for (const wanted of read) {
    if (wanted.is === 'hash') hashes.set(wanted.number, recording.hashes.get(wanted.number)!)
    else if (wanted.is === 'account') accounts.push([wanted.address, recording.accounts.get(wanted.address)!])
    else {
      const known = slots.get(wanted.address) ?? new Map<bigint, bigint>()
      slots.set(wanted.address, known.set(wanted.key, recording.slots.get(wanted.address)!.get(wanted.key)!))
    }
  }
  const hashesOfCode = new Set(accounts.map(([, one]) => one?.codeHash))
  const codes = new Map([...recording.codes].filter(([hash]) => hashesOfCode.has(hash)))
  return { ...recording, accounts: new Map(accounts), codes, slots, hashes }
}

/** Makes the runs that are to be recorded, each with its forks' bases: the text of a recording is in the model of the run. */
type MakeRun = (base: RecordedBase, text: string, run: number) => void

export type Recorded = { readonly recording: Recording; readonly text: string; readonly rounds: number }

/**
 * Records what `runs` runs read of the chain at the end of a block.
 * Throws NodeFault where the node does not give it, or it is more than a model may hold.
 */
export async function record(node: NodeReader, number: bigint, chainId: bigint, runs: number, make: MakeRun): Promise<Recorded> {
  const told = await node.chainId()
  if (told !== chainId)
    throw new NodeFault(say('the node is of chain {told}, the model’s is {chainId}', { told: String(told), chainId: String(chainId) }))
  const block = await node.header(number)
  let recording = blankRecording(chainId, block)
  const read = new Map<string, Wanted>()
  let rounds = 0
  for (let run = 0; run < runs; run++) {
    for (;;) {
      const base = baseOf(recording)
      make(base, recordingText(recording), run)
      const { wanted, missed } = base.read!
      if (missed.size === 0) {
        for (const [text, one] of wanted) read.set(text, one)
        break
      }
      if (++rounds > mostRounds)
        throw new NodeFault(
          say('after {mostRounds} rounds the run still asks for more, last for {wanted}', {
            mostRounds,
            wanted: wantedText([...missed.values()].at(-1)!),
          }),
        )
      // A slot is fetched together with its account, which the run has read before it.
      recording = joined(recording, await node.fetch(block, missed.values(), recording.codes), node.isVerified)
      if (contentOf(recording).length > 4 * RECORDING.length)
        throw new NodeFault(say('the runs read more than a recording holds ({length} characters)', { length: RECORDING.length }))
    }
  }
  if ((await node.header(number)).hash !== block.hash)
    throw new NodeFault(say('block {number} is another one now: the chain was reorganised', { number: String(number) }))
  const kept = trimmed(recording, read.values())
  const text = recordingText(kept)
  if (text.length > RECORDING.length)
    throw new NodeFault(
      say('the recording has {length} characters; at most {most} fit into a model', { length: text.length, most: RECORDING.length }),
    )
  return { recording: kept, text, rounds }
}
