// Model files and proposals outside a shared document: what the command line works on.
import type { Doc } from 'yjs'
import { fileOf, loadFile } from '../../model-schema/document.ts'
import { isRefusal } from '../../model-schema/edit.ts'
import { printFile, type HoloFile } from '../../model-schema/file.ts'
import type { Id } from '../../model-schema/model.ts'
import { accept, documentFrom, readProposal, type Proposal } from '../../model-schema/proposals.ts'
import { english } from '../../model-schema/words.ts'

/** An update that holds nothing. */
const nothing = Uint8Array.of(0, 0)

/** A file as a document without a past. */
export function documentOfFile(file: HoloFile): Doc {
  const doc = documentFrom(nothing)
  loadFile(doc, file)
  return doc
}

/** A proposal from JSON; null when it is none. */
export function proposalFrom(value: unknown): Proposal | null {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string' ? readProposal(value.id, value) : null
}

/** A file with all that it can take of these elements of a proposal: its text, how many elements were taken, and why others were not. */
export function takeInto(file: HoloFile, proposal: Proposal, ids: readonly Id[]): { text: string; taken: number; kept: string[] } {
  const doc = documentOfFile(file)
  const result = accept(doc, proposal, ids)
  const kept = isRefusal(result) ? [english(result.words)] : result.kept.map(({ id, why }) => `${id}: ${english(why)}`)
  return { text: printFile(fileOf(doc)), taken: isRefusal(result) ? 0 : result.taken.length + result.along.length, kept }
}
