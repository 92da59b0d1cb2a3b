// Files about the model that tools draft besides its fork: experiments, charts and dashboards, new ones or changes of those there are. They are
// edited like the model, on forks, and are checked against the fork of the model; they leave only with a proposal, and name no model until they
// are accepted.
import type { Doc } from 'yjs'
import { fileOf, loadFile } from '../../model-schema/document.ts'
import { boundFields, DRAFTS, rootKindOf, type DraftKind, type FileDraft } from '../../model-schema/file-drafts.ts'
import type { HoloElement, HoloFile } from '../../model-schema/file.ts'
import { newId } from '../../model-schema/ids.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Json } from '../../model-schema/kinds/kind.ts'
import type { Id, Model } from '../../model-schema/model.ts'
import { deltasOf, documentFrom } from '../../model-schema/proposals.ts'
import { english } from '../../model-schema/words.ts'
import { Branch, type EditCall } from './branch.ts'
import { faultsIn } from './plans/faults.ts'
import { fieldsOf, listed } from './results.ts'
import type { Refused, Taken } from './tools.ts'

/** A file about the model that is there already. `file`: what it holds; null when it was not asked for, or cannot be read. */
export type RelatedFile = { readonly id: string; readonly kind: DraftKind; readonly name: string; readonly file: HoloFile | null }

type Draft = {
  readonly id: Id
  readonly kind: DraftKind
  name: string
  /** The file that is changed; null for a new one. */
  readonly of: string | null
  readonly origin: Doc
  readonly branch: Branch
  edits: number
}

type Answer = { [key: string]: Json } | Refused
type Fault = { readonly at: Id; readonly severity: 'error' | 'warning'; readonly says: string }

/** Ids of what a new file is made of, and of its run. */
const ROOT = 'root'
const RUN = 'run'

export class FileDrafts {
  readonly #drafts = new Map<string, Draft>()
  readonly #model: () => Model
  /** `file`: the id or path of the model's own file, by which others name it. */
  readonly #file: string | null

  constructor(model: () => Model, file: string | null) {
    this.#model = model
    this.#file = file
  }

  get size(): number {
    return this.#drafts.size
  }

  clear(): void {
    this.#drafts.clear()
  }

  /** Begins or changes a draft. `related`: the files of this kind that are there. `edited` receives what undoes the batch. */
  use(kind: DraftKind, taken: Taken<'dashboard'>, related: readonly RelatedFile[], edited: (takeBack: () => void) => void): Answer {
    const { of, name, calls = [] } = taken
    if (of === undefined && name === undefined && calls.length === 0 && !this.#drafts.has(`${kind} `))
      return { files: listed(related.map(one => ({ id: one.id, name: one.name }))) }
    const known = this.#drafts.get(`${kind} ${of ?? ''}`)
    const draft = known ?? this.#begin(kind, of, name, related)
    if ('refused' in draft) return draft
    const wrong = calls.map(call => this.#forbidden(draft, call as EditCall)).find(one => one !== null)
    if (wrong) return { refused: wrong }
    const made: (Id | null)[] = []
    if (calls.length > 0) {
      const done = draft.branch.edit(calls as readonly EditCall[])
      if ('refused' in done)
        return { refused: `Call ${done.call + 1} (${calls[done.call]?.do}) was refused, so nothing was changed: ${english(done.refused)}` }
      made.push(...done.made)
    }
    const before = draft.name
    if (name !== undefined) draft.name = name.trim() || draft.name
    this.#drafts.set(`${kind} ${of ?? ''}`, draft)
    if (calls.length > 0 || draft.name !== before || !known) {
      draft.edits++
      edited(() => {
        if (calls.length > 0) draft.branch.takeBack()
        draft.name = before
        if (--draft.edits === 0) this.#drafts.delete(`${kind} ${of ?? ''}`)
      })
    }
    return {
      file: of ?? 'new',
      name: draft.name,
      made,
      problems: listed(this.#faults(draft).map(one => ({ ...one }))),
      holds: held(draft.branch.model),
    }
  }

  /** What keeps the drafts from being offered, in a sentence; null when nothing does. */
  obstacle(): string | null {
    for (const draft of this.#drafts.values()) {
      const errors = this.#faults(draft).filter(({ severity }) => severity === 'error')
      if (errors.length > 0)
        return `"${draft.name}" has ${errors.length} errors; repair them first: ${errors
          .slice(0, 5)
          .map(({ says, at }) => `${says} (${at})`)
          .join(' ')}`
    }
    return null
  }

  /** The drafts as a proposal holds them. */
  offered(): FileDraft[] {
    return [...this.#drafts.values()].flatMap((draft): FileDraft[] => {
      const { id, kind, name, of, origin, branch } = draft
      if (of === null) return [{ id, kind, name, content: { is: 'new', elements: fileOf(branch.doc).elements } }]
      const deltas = deltasOf(origin, branch.doc)
      return deltas.length === 0 ? [] : [{ id, kind, name, content: { is: 'change', of, deltas } }]
    })
  }

  #begin(kind: DraftKind, of: string | undefined, name: string | undefined, related: readonly RelatedFile[]): Draft | Refused {
    if (this.#drafts.size >= DRAFTS.files) return { refused: `At most ${DRAFTS.files} files are drafted at a time: offer them first.` }
    const there = related.find(one => one.id === of)
    if (of !== undefined && !there)
      return {
        refused: `There is no ${kind} "${of}" of this model. There are: ${
          related
            .map(one => `${one.id} (${one.name})`)
            .slice(0, 40)
            .join(', ') || 'none'
        }.`,
      }
    if (there && there.file === null) return { refused: `"${there.name}" cannot be read here.` }
    if (!there && (name ?? '').trim() === '') return { refused: 'A new file needs a "name".' }
    const origin = documentFrom(Uint8Array.of(0, 0))
    loadFile(origin, there?.file ?? { format: 'holo', version: 1, elements: beginning(kind, name ?? '') })
    const said = there?.name ?? name ?? ''
    return { id: newId(), kind, name: said.trim(), of: of ?? null, origin, branch: new Branch(origin), edits: 0 }
  }

  /** Why a call is refused before anything is tried. */
  #forbidden({ branch }: Draft, call: EditCall): string | null {
    const named = call.do === 'set' ? [call.field] : call.do === 'place' ? Object.keys(call.values ?? {}) : []
    const bound = named.find(one => boundFields.has(one))
    if (bound !== undefined) return `"${bound}" is not set by tools: the file is about this model.`
    if (call.do === 'remove' && call.ids.some(id => branch.model.roots.includes(id))) return 'What the file is made of stays.'
    if (
      call.do !== 'place' ||
      call.kind !== 'association' ||
      branch.model.roots.some(id => branch.model.elements.get(id)?.kind === 'dashboard')
    )
      return null
    return 'A chart has one run.'
  }

  /** What is wrong with a draft, for the model as its fork has it. */
  #faults({ kind, branch }: Draft): Fault[] {
    return faultsIn(kind, branch.model, this.#model(), this.#file).map(({ at, severity, says }) => ({ at, severity, says: english(says) }))
  }
}

function beginning(kind: DraftKind, name: string): Record<Id, HoloElement> {
  const root = { kind: rootKindOf[kind], rank: 'a0', name: name.trim() }
  if (kind === 'experiment') return { [ROOT]: root }
  return { [ROOT]: root, [RUN]: { kind: 'association', parent: ROOT, rank: 'a0' } }
}

/** Elements with what they hold, as short as it can be said. */
function held(model: Model): Json {
  return listed(
    [...model.elements.values()].map(element => {
      const fields = fieldsOf(element, 1000)
      for (const field of boundFields) delete fields[field]
      return {
        id: element.id,
        kind: kindOf(element.kind)?.id ?? element.kind,
        ...(element.parent === null ? {} : { in: element.parent }),
        ...fields,
      }
    }),
  )
}
