// Files that a proposal suggests besides changes of the model: new experiments, charts and dashboards about it, or changes of those there are. A draft names
// no model: when a person accepts it, it is linked to the model that holds the proposal.
import { digestOf } from './experiment.ts'
import { parseFile, type HoloElement, type HoloFile } from './file.ts'
import { isId } from './ids.ts'
import { isJson, isRecord } from './integrity/values.ts'
import { DOCUMENT } from './business/limits.ts'
import type { Id, Model } from './model.ts'
import type { Delta } from './proposals.ts'

export const draftKinds = ['experiment', 'chart', 'dashboard'] as const
export type DraftKind = (typeof draftKinds)[number]

/** What the file of a draft is made of. */
export const rootKindOf = { experiment: 'experiment', chart: 'chartFile', dashboard: 'dashboard' } as const satisfies Record<
  DraftKind,
  string
>

export type FileDraft = {
  /** Also the id of the file, when it is a new one: taken in twice, it is still one file. */
  readonly id: Id
  readonly kind: DraftKind
  readonly name: string
  readonly content:
    | { readonly is: 'new'; readonly elements: Readonly<Record<Id, HoloElement>> }
    | { readonly is: 'change'; readonly of: string; readonly deltas: readonly Delta[] }
}

/** Files of one proposal, and elements of a new one. */
export const DRAFTS = { files: 4, elements: 500 } as const

/** A draft from untrusted plain data; null if it is malformed. `isDelta` checks a change. */
export function readDraft(value: unknown, isDelta: (one: unknown) => one is Delta): FileDraft | null {
  if (!isRecord(value) || !isId(value.id) || typeof value.name !== 'string' || !isRecord(value.content)) return null
  const { id, name, content } = value
  const kind = draftKinds.find(one => one === value.kind)
  if (!kind || name.trim() === '' || name.length > DOCUMENT.nameLength) return null
  if (content.is === 'change') {
    const { of, deltas } = content
    if (typeof of !== 'string' || of === '' || of.length > 1000 || !Array.isArray(deltas) || !deltas.every(isDelta)) return null
    return { id, kind, name, content: { is: 'change', of, deltas } }
  }
  if (content.is !== 'new' || !isRecord(content.elements) || !isJson(content.elements)) return null
  if (Object.keys(content.elements).length > DRAFTS.elements) return null
  const file = fileFrom(name, content.elements)
  const roots = file && Object.values(file.elements).filter(({ parent, kind: is }) => parent === undefined && is === rootKindOf[kind])
  return file && roots?.length === 1 ? { id, kind, name, content: { is: 'new', elements: file.elements } } : null
}

/** The file that elements make up; null when they make up none. */
function fileFrom(title: string, elements: unknown): HoloFile | null {
  const read = parseFile(JSON.stringify({ format: 'holo', version: 1, title, elements }))
  return 'file' in read ? read.file : null
}

/** Fields that bind a file to a model, or hold its stored runs: set when a draft is accepted, never by its author. */
export const boundFields: ReadonlySet<string> = new Set(['modelFile', 'linked', 'kept', 'stored'])

/** The new file of a draft, about the model of this id or path. */
export function fileOfDraft({ name, content }: FileDraft, modelFile: string, model: Model): HoloFile | null {
  if (content.is !== 'new') return null
  const bound = Object.entries(content.elements).map(([id, element]): [Id, HoloElement] => [
    id,
    element.kind === 'experiment'
      ? { ...element, name, modelFile, linked: digestOf(model) }
      : element.kind === 'association'
        ? { ...element, modelFile }
        : element.parent === undefined
          ? { ...element, name }
          : element,
  ])
  return fileFrom(name, Object.fromEntries(bound))
}
