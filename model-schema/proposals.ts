// Proposed changes: the differences of a fork of a document, element by element, and how chosen ones are applied to the document in its
// later state. A proposal is stored in the document itself, outside of the model: every user sees the same one, offline too, and files
// never hold it. Acceptance is derived from the model: when the one undo step of an acceptance is undone, its elements are open again.
import type { Doc } from 'yjs'
import { createShared, facetsOf, modelOf } from './document.ts'
import { layoutOf, plainValue, type FacetName, type DocumentLayout } from './document/layout.ts'
import { mayAdd } from './edit/bounds.ts'
import { putShared } from './edit/restore.ts'
import { edit, makeReal } from './edit/write.ts'
import { touchedApart } from './document/fork.ts'
import { DRAFTS, readDraft, type FileDraft } from './file-drafts.ts'
export { contentOf, contentSince, documentFrom, follow, forkDocument, reached } from './document/fork.ts'
import { isId } from './ids.ts'
import { splitKey } from './integrity/parse.ts'
import { isJson, isRecord, sameJson } from './integrity/values.ts'
import { formulaName, hasFormulaName, kindOf } from './kinds.ts'
import type { Field, Json } from './kinds/kind.ts'
import { mayPlace, refusal, withDependents, type Refusal } from './lawful.ts'
import type { Facets, Id, Model } from './model.ts'
import { isWords, say, verbatim, type Words } from './words.ts'

/** One entry of the document: `kind`, `tree`, `geo`, `conn`, `style`, or `data/FIELD`, `text/FIELD`, `rich/FIELD`. Absent values: no entry. */
type Entry = { readonly at: string; readonly before?: Json; readonly after?: Json }

/** What becomes of one element. `before` of an added one and `after` of a removed one don't count. */
export type Delta = { readonly id: Id; readonly sort: 'added' | 'removed' | 'changed'; readonly entries: readonly Entry[] }

/** The author: the built-in guide, a language model, a program that speaks the Model Context Protocol, or a person. */
export type Author = { readonly kind: 'guide' | 'copilot' | 'client' | 'person'; readonly name: string }

/** Problems of the whole file before and after, and what a trial run of it said. */
type ProposalNote = {
  readonly problems: { readonly before: number; readonly after: number }
  readonly run: { readonly seed: number; readonly ticks: number; readonly end: string; readonly hash: string } | null
}

export type Proposal = {
  readonly id: Id
  readonly title: string
  /** The title in words that any language shows; see `titleOf`. */
  readonly words?: Words
  readonly why: string
  readonly by: Author
  /** Milliseconds since 1970. */
  readonly at: number
  readonly deltas: readonly Delta[]
  /** Files besides the model. */
  readonly files?: readonly FileDraft[]
  readonly note: ProposalNote
}

/** State of an element of a proposal: open, accepted, rejected, or no longer possible. */
export type Standing = { readonly is: 'open' | 'taken' | 'rejected' } | { readonly is: 'blocked'; readonly why: Words }

/** The result of an acceptance: the requested elements, their required dependencies, and those left out with the reason. */
type Acceptance = { readonly taken: readonly Id[]; readonly along: readonly Id[]; readonly kept: readonly { id: Id; why: Words }[] }

/** Stored with a version: the proposal that was partly accepted just before it. */
export type Origin = { readonly proposal: Id; readonly by: Author; readonly title: Words }

/** Bounds of an origin, so that a list of versions stays small. */
const ORIGIN = { name: 200, title: 1_000 } as const

export function originOf(proposal: Proposal): Origin {
  const { id, by, title } = proposal
  const words = titleOf(proposal)
  const fits = JSON.stringify(words).length <= ORIGIN.title
  return { proposal: id, by: { kind: by.kind, name: by.name.slice(0, ORIGIN.name) }, title: fits ? words : verbatim(title.slice(0, 200)) }
}

/** An origin from plain data of any sort; null when it is none. */
export function readOrigin(value: unknown): Origin | null {
  if (!isRecord(value) || !isId(value.proposal) || !isRecord(value.by) || !isWords(value.title)) return null
  const { proposal, by, title } = value
  const kind = authors.find(one => one === by.kind)
  if (!kind || typeof by.name !== 'string' || by.name.length > ORIGIN.name || JSON.stringify(title).length > ORIGIN.title) return null
  return { proposal, by: { kind, name: by.name }, title }
}

/** A proposal's title: as a text, or as its author wrote it. */
export const titleOf = ({ title, words }: Pick<Proposal, 'title' | 'words'>): Words => words ?? verbatim(title)

/** Bounds of a proposal: one value of the document, which must fit a frame of the socket. It stands for so many days. */
export const PROPOSAL = { length: 300_000, elements: 2_000, open: 20, textLength: 2_000, days: 30 } as const

/** Whether a proposal is too old to be accepted as it is: the model was another when it was checked and run. */
export const isOutdated = ({ at }: Pick<Proposal, 'at'>, now: number): boolean => now - at > PROPOSAL.days * 86_400_000

const whole = ['kind', 'tree', 'geo', 'conn', 'style'] as const
const parted = ['data', 'text', 'rich'] as const

/** What differs between two contents, an entry each, in canvas order of neither: added first, then changed, then removed. */
export function deltasBetween(before: Facets, after: Facets): Delta[] {
  const was = entriesOf(before)
  const is = entriesOf(after)
  const deltas: Delta[] = []
  for (const id of Object.keys(after.kind)) {
    const kind = String(after.kind[id])
    const added = !Object.hasOwn(before.kind, id)
    const entries: Entry[] = []
    const own = is.get(id) ?? new Map<string, Json>()
    for (const [at, value] of own) {
      const old = added ? undefined : was.get(id)?.get(at)
      if (old !== undefined && sameJson(old, value)) continue
      if (added && sameJson(initialOf(kind, at), value)) continue
      entries.push(old === undefined ? { at, after: value } : { at, before: old, after: value })
    }
    if (!added) for (const [at, old] of was.get(id) ?? []) if (!own.has(at)) entries.push({ at, before: old })
    if (entries.length > 0) deltas.push({ id, sort: added ? 'added' : 'changed', entries })
  }
  for (const id of Object.keys(before.kind))
    if (!Object.hasOwn(after.kind, id))
      deltas.push({ id, sort: 'removed', entries: [...(was.get(id) ?? [])].map(([at, old]) => ({ at, before: old })) })
  return deltas.sort((a, b) => order.indexOf(a.sort) - order.indexOf(b.sort) || (a.id < b.id ? -1 : 1))
}

const order = ['added', 'changed', 'removed']

function entriesOf(facets: Facets): Map<Id, Map<string, Json>> {
  const all = new Map<Id, Map<string, Json>>()
  const put = (id: Id, at: string, value: Json): void => {
    const own = all.get(id)
    if (own) own.set(at, value)
    else all.set(id, new Map([[at, value]]))
  }
  for (const name of whole) for (const [id, value] of Object.entries(facets[name])) put(id, name, value)
  for (const name of parted)
    for (const [key, value] of Object.entries(facets[name])) {
      const place = splitKey(key)
      if (place) put(place.id, `${name}/${place.field}`, value)
    }
  return all
}

const initialOf = (kind: string, at: string): Json | undefined =>
  at.startsWith('text/') || at.startsWith('rich/') ? kindOf(kind)?.fields.find(field => field.id === at.slice(5))?.initial : undefined

/** The differences of a document and another one. For a fork only the elements changed since are compared. */
export function deltasOf(doc: Doc, other: Doc): Delta[] {
  const touched = touchedApart(doc, other) ?? undefined
  return deltasBetween(facetsOf(doc, touched), facetsOf(other, touched))
}

/** The proposal that a fork (`null`: nothing was changed) makes of what it differs in, with the files in `about`; refused when it is nothing, or more than a proposal may be. */
export function proposalOf(doc: Doc, branch: Doc | null, about: Omit<Proposal, 'deltas'>): Proposal | Refusal {
  const deltas = branch ? deltasOf(doc, branch) : []
  if (deltas.length === 0 && about.files === undefined) return refusal('gone', say('Nothing would change.'))
  const cut = (text: string): string => text.slice(0, PROPOSAL.textLength)
  const made = { ...about, title: cut(about.title), why: cut(about.why), deltas }
  if (deltas.length > PROPOSAL.elements || JSON.stringify(made).length > PROPOSAL.length)
    return refusal('full', say('This is too much for one proposal: suggest it in parts.'))
  return made
}

const mapOf = (doc: Doc) => doc.getMap('proposals')

/** The proposals in a document, oldest first. Malformed ones are skipped. */
export function proposalsOf(doc: Doc): Proposal[] {
  const found: Proposal[] = []
  mapOf(doc).forEach((value, key) => {
    const read = isId(key) ? readProposal(key, value) : null
    if (read) found.push(read)
  })
  return found.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
}

/** Calls `changed` whenever a proposal or a verdict came, changed or went. Returns how to stop. */
export function watchProposals(doc: Doc, changed: () => void): () => void {
  const map = mapOf(doc)
  map.observe(changed)
  return () => map.unobserve(changed)
}

/** Puts a proposal where everybody sees it. It is no edit of the model, so not to be undone. */
export function offer(doc: Doc, proposal: Proposal): Refusal | null {
  const standing = proposalsOf(doc)
  const outdated = standing.filter(one => isOutdated(one, proposal.at))
  if (standing.length - outdated.length >= PROPOSAL.open)
    return refusal('full', say('At most {open} proposals stand at a time: decide on some first.', { open: PROPOSAL.open }))
  if (readProposal(proposal.id, proposal) === null) return refusal('invalid-value', say('This is no proposal.'))
  doc.transact(() => {
    // Outdated ones are kept to be looked at as long as there is room.
    for (const { id } of outdated.slice(0, Math.max(0, standing.length - PROPOSAL.open + 1))) withdraw(doc, id)
    mapOf(doc).set(proposal.id, JSON.parse(JSON.stringify(proposal)))
  })
  return null
}

/** Lets an outdated proposal stand again, with the verdicts on it. `now`: milliseconds since 1970. */
export function renew(doc: Doc, proposal: Proposal, now: number): void {
  mapOf(doc).set(proposal.id, JSON.parse(JSON.stringify({ ...proposal, at: now })))
}

/** Takes a proposal away, with the verdicts on it; the model stays as it is. */
export function withdraw(doc: Doc, id: Id): void {
  const map = mapOf(doc)
  doc.transact(() => {
    for (const key of map.keys()) if (key === id || key.startsWith(`${id}/`)) map.delete(key)
  })
}

/** Turns elements of a proposal down, or (`null`) leaves them open again. */
export function reject(doc: Doc, proposal: Proposal, ids: readonly Id[], verdict: 'rejected' | null = 'rejected'): void {
  const map = mapOf(doc)
  doc.transact(() => {
    for (const { id } of proposal.deltas) {
      if (!ids.includes(id)) continue
      if (verdict) map.set(`${proposal.id}/${id}`, verdict)
      else map.delete(`${proposal.id}/${id}`)
    }
  })
}

/** A proposal from plain data of any sort; null when it is none. */
export function readProposal(id: Id, value: unknown): Proposal | null {
  if (!isRecord(value) || value.id !== id || !isRecord(value.by) || !isRecord(value.note) || !Array.isArray(value.deltas)) return null
  const { title, words, why, at, by, note, deltas } = value
  const files = filesIn(value.files)
  if (files === null) return null
  if (typeof title !== 'string' || typeof why !== 'string' || typeof at !== 'number' || typeof by.name !== 'string') return null
  if (deltas.length > PROPOSAL.elements || !deltas.every(isDelta)) return null
  const author = authors.find(one => one === by.kind)
  const { problems, run } = note
  if (!author || !isRecord(problems) || typeof problems.before !== 'number' || typeof problems.after !== 'number') return null
  const ran =
    isRecord(run) && typeof run.seed === 'number' && typeof run.ticks === 'number'
      ? { seed: run.seed, ticks: run.ticks, end: String(run.end), hash: String(run.hash) }
      : null
  return {
    id,
    title,
    ...(isWords(words) ? { words } : {}),
    why,
    at,
    by: { kind: author, name: by.name },
    deltas,
    ...(files.length > 0 ? { files } : {}),
    note: { problems: { before: problems.before, after: problems.after }, run: ran },
  }
}

/** The files of a proposal; null when one of them is none. */
function filesIn(value: unknown): FileDraft[] | null {
  if (value === undefined) return []
  if (!Array.isArray(value) || value.length > DRAFTS.files) return null
  const files = value.flatMap((one: unknown) => readDraft(one, isDelta) ?? [])
  return files.length === value.length ? files : null
}

/** What was decided on each file of a proposal. */
export function verdictsOn(doc: Doc, { id, files = [] }: Proposal): ReadonlyMap<Id, 'open' | 'taken' | 'rejected'> {
  const verdicts = mapOf(doc)
  return new Map(
    files.map(file => {
      const said = verdicts.get(`${id}/${file.id}`)
      return [file.id, said === 'taken' || said === 'rejected' ? said : 'open']
    }),
  )
}

/** Notes that a file of a proposal was taken in or turned down, or (`null`) leaves it open again. The file itself is made by who calls this. */
export function decide(doc: Doc, { id }: Proposal, file: Id, verdict: 'taken' | 'rejected' | null): void {
  const map = mapOf(doc)
  if (verdict) map.set(`${id}/${file}`, verdict)
  else map.delete(`${id}/${file}`)
}

const authors = ['guide', 'copilot', 'client', 'person'] as const

function isDelta(value: unknown): value is Delta {
  if (!isRecord(value) || !isId(value.id) || !order.includes(String(value.sort)) || !Array.isArray(value.entries)) return false
  return value.entries.every(
    (one: unknown) =>
      isRecord(one) &&
      isPlace(one.at) &&
      (one.before === undefined || isJson(one.before)) &&
      (one.after === undefined || isJson(one.after)),
  )
}

const isPlace = (at: unknown): boolean =>
  typeof at === 'string' &&
  (whole.some(name => name === at) || parted.some(name => splitKey(`x/${at.slice(name.length + 1)}`) && at.startsWith(`${name}/`)))

const storedOf = (layout: DocumentLayout, id: Id, at: string): Json | undefined => {
  const slash = at.indexOf('/')
  const name = (slash < 0 ? at : at.slice(0, slash)) as FacetName
  const value = plainValue(layout[name].get(slash < 0 ? id : `${id}/${at.slice(slash + 1)}`))
  return value === undefined || !isJson(value) ? undefined : value
}

const same = (a: Json | undefined, b: Json | undefined): boolean => (a === undefined ? b === undefined : b !== undefined && sameJson(a, b))

/** The state of each element of a proposal in the current document. */
export function standingsOf(doc: Doc, proposal: Proposal): Map<Id, Standing> {
  const layout = layoutOf(doc)
  const verdicts = mapOf(doc)
  const open: Id[] = []
  const standings = new Map<Id, Standing>()
  for (const delta of proposal.deltas) {
    const verdict = verdicts.get(`${proposal.id}/${delta.id}`)
    const is = isDone(layout, delta, verdict === 'taken') ? 'taken' : verdict === 'rejected' ? 'rejected' : 'open'
    standings.set(delta.id, { is })
    if (is === 'open') open.push(delta.id)
  }
  for (const { id, why } of plan(doc, proposal, open).kept) standings.set(id, { is: 'blocked', why })
  return standings
}

function isDone(layout: DocumentLayout, { id, sort, entries }: Delta, taken: boolean): boolean {
  if (sort === 'added') return layout.kind.has(id)
  if (sort === 'removed') return !layout.kind.has(id)
  if (!layout.kind.has(id)) return false
  const nows = entries.map(({ at }) => storedOf(layout, id, at))
  if (nows.every((now, i) => same(now, entries[i]?.after))) return true
  return taken && !nows.every((now, i) => same(now, entries[i]?.before))
}

/** Takes chosen elements of a proposal into the document, in one transaction and so one undo step, with those they need. What people changed since stays. */
export function accept(doc: Doc, proposal: Proposal, ids: readonly Id[]): Acceptance | Refusal {
  const { taken, kept } = plan(doc, proposal, ids)
  const deltas = proposal.deltas.filter(({ id }) => taken.has(id))
  const model = modelOf(doc)
  const canvases = Map.groupBy(
    deltas.filter(({ sort }) => sort === 'added'),
    delta => parentIn(delta) ?? '',
  )
  for (const [canvas, added] of canvases) {
    const why = canvas === '' ? null : mayAdd(doc, canvas, added.length)
    if (why) return why
  }
  edit(doc, layout => {
    for (const delta of deltas) {
      const parent = parentIn(delta)
      if (parent !== null) makeReal(layout, model, parent)
      if (delta.sort === 'removed') layout.kind.delete(delta.id)
      else write(doc, layout, delta)
      mapOf(doc).set(`${proposal.id}/${delta.id}`, 'taken')
    }
  })
  const asked = new Set(ids)
  return { taken: [...taken].filter(id => asked.has(id)), along: [...taken].filter(id => !asked.has(id)), kept }
}

function write(doc: Doc, layout: DocumentLayout, { id, sort, entries }: Delta): void {
  if (sort === 'added') {
    const values = new Map(entries.map(({ at, after }) => [at, after]))
    const row = kindOf(String(values.get('kind')))
    // What is still stored of an element that was there before gives way.
    for (const field of ['locked', 'tint', 'groups', ...(row?.fields ?? []).map(one => one.id)])
      for (const name of parted) if (layout[name].has(`${id}/${field}`)) layout[name].delete(`${id}/${field}`)
    if (row)
      createShared(
        doc,
        id,
        row,
        field => values.get(`text/${field}`) ?? values.get(`rich/${field}`),
        field => values.has(`data/${field}`),
      )
  }
  for (const { at, before, after } of entries) {
    const slash = at.indexOf('/')
    const name = slash < 0 ? at : at.slice(0, slash)
    const key = slash < 0 ? id : `${id}/${at.slice(slash + 1)}`
    const now = storedOf(layout, id, at)
    if (sort === 'changed' && !same(now, before)) {
      const merged = name === 'text' ? mergeTexts(before, after, now) : null
      if (merged !== null) putShared(layout.text, 'text', key, merged)
      continue
    }
    const map = layout[name as FacetName]
    if (after === undefined) map.delete(key)
    else if (name === 'text' || name === 'rich') putShared(map, name, key, after)
    else putShared(map, 'data', key, after)
  }
}

/** Both changes of a text when they are of different places; null when they are not. */
export function mergeTexts(base: Json | undefined, one: Json | undefined, other: Json | undefined): string | null {
  if (typeof base !== 'string' || typeof one !== 'string' || typeof other !== 'string') return null
  const [a, b] = [spanOf(base, one), spanOf(base, other)]
  if (a.to < b.from) return base.slice(0, a.from) + a.text + base.slice(a.to, b.from) + b.text + base.slice(b.to)
  if (b.to < a.from) return base.slice(0, b.from) + b.text + base.slice(b.to, a.from) + a.text + base.slice(a.to)
  return null
}

function spanOf(base: string, now: string): { from: number; to: number; text: string } {
  let from = 0
  while (from < base.length && from < now.length && base[from] === now[from]) from++
  let back = 0
  while (back < base.length - from && back < now.length - from && base[base.length - 1 - back] === now[now.length - 1 - back]) back++
  return { from, to: base.length - back, text: now.slice(from, now.length - back) }
}

// The references of an entry to other elements.

const valueIn = ({ entries }: Delta, at: string, side: 'before' | 'after' = 'after'): Json | undefined =>
  entries.find(entry => entry.at === at)?.[side]

const parentIn = (delta: Delta): Id | null => {
  const tree = valueIn(delta, 'tree')
  return Array.isArray(tree) && typeof tree[0] === 'string' ? tree[0] : null
}

/** Ids that one side of an entry names: parent, ends, host and other references. */
function namedIn(kind: string, { at, before, after }: Entry, side: 'before' | 'after'): Id[] {
  const value = side === 'before' ? before : after
  if (value === undefined) return []
  if (at === 'tree') return Array.isArray(value) && typeof value[0] === 'string' ? [value[0]] : []
  if (at === 'conn') return isRecord(value) ? [value.from, value.to].flatMap(end => (isRecord(end) && isId(end.id) ? [end.id] : [])) : []
  if (!at.startsWith('data/')) return []
  const field = kindOf(kind)?.fields.find(one => one.id === at.slice(5))
  return field ? idsIn(field, value) : []
}

/** The elements that a value of a field refers to. */
export function idsIn({ type }: Field, value: Json | undefined): Id[] {
  if (type.as === 'ref') return isId(value) ? [value] : []
  if (type.as === 'refs') return Array.isArray(value) ? value.filter(isId) : []
  if (type.as !== 'rows' || !Array.isArray(value)) return []
  return value.flatMap(row =>
    isRecord(row) ? type.columns.flatMap(column => idsIn(column, isJson(row[column.id]) ? (row[column.id] as Json) : undefined)) : [],
  )
}

/** The elements of `model` with references in their fields, each with the elements it refers to. */
function referencesIn(model: Model): Map<Id, Id[]> {
  const found = new Map<Id, Id[]>()
  for (const [id, element] of model.elements) {
    for (const field of kindOf(element.kind)?.fields ?? []) {
      const { as } = field.type
      if (as !== 'ref' && as !== 'refs' && as !== 'rows') continue
      for (const target of idsIn(field, element.fields[field.id])) found.set(target, [...(found.get(target) ?? []), id])
    }
  }
  return found
}

/** What each element of a proposal can't be taken without. */
function needsOf(proposal: Proposal, kindNow: (id: Id) => string): (id: Id) => ReadonlySet<Id> {
  const kindIn = (delta: Delta): string => String(valueIn(delta, 'kind') ?? valueIn(delta, 'kind', 'before') ?? kindNow(delta.id))
  const all = new Map(proposal.deltas.map(delta => [delta.id, delta]))
  const mentions = (delta: Delta, side: 'before' | 'after') => new Set(delta.entries.flatMap(entry => namedIn(kindIn(delta), entry, side)))
  const before = new Map(proposal.deltas.map(delta => [delta.id, mentions(delta, 'before')]))
  const after = new Map(proposal.deltas.map(delta => [delta.id, mentions(delta, 'after')]))
  const moves = (delta: Delta | undefined): boolean =>
    delta?.sort === 'changed' &&
    delta.entries.some(({ at, before, after }) => at === 'tree' && Array.isArray(before) && Array.isArray(after) && before[0] !== after[0])
  // Names that formulas say: new ones, and those that were given another.
  const spoken = new Map<string, Id[]>()
  for (const delta of proposal.deltas) {
    if (delta.sort === 'removed' || !hasFormulaName(kindIn(delta))) continue
    for (const side of ['after', 'before'] as const) {
      const name = valueIn(delta, 'data/name', side)
      const word = typeof name === 'string' ? formulaName(name) : ''
      if (word !== '') spoken.set(word, [...(spoken.get(word) ?? []), delta.id])
    }
  }
  const needs = new Map<Id, Set<Id>>(proposal.deltas.map(({ id }) => [id, new Set()]))
  const need = (id: Id, other: Id): void => {
    if (id !== other && all.has(other)) needs.get(id)?.add(other)
  }
  for (const delta of proposal.deltas) {
    const { id, sort } = delta
    for (const other of after.get(id) ?? []) {
      if (sort !== 'removed' && all.get(other)?.sort === 'added') need(id, other)
      // A connector is placed on the canvas of its future ends.
      if (sort !== 'removed' && moves(all.get(other))) need(id, other)
    }
    for (const other of before.get(id) ?? []) {
      const there = all.get(other)
      if (there?.sort === 'removed' || moves(there)) need(other, id)
    }
    if (moves(delta)) for (const other of proposal.deltas) if (after.get(other.id)?.has(id) && moves(other)) need(id, other.id)
    for (const { at, before: old, after: next } of sort === 'removed' ? [] : delta.entries) {
      if (at === 'kind' || at === 'tree' || at === 'geo' || at === 'conn' || at === 'style' || at === 'data/name') continue
      const words = (value: Json | undefined): Set<string> =>
        new Set(
          (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)).match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [],
        )
      const [olds, nexts] = [words(old), words(next)]
      for (const word of nexts)
        if (!olds.has(word))
          for (const other of spoken.get(word) ?? []) {
            need(id, other)
            // A new name needs the formulas that say it now.
            if (sort === 'changed' && all.get(other)?.sort === 'changed') need(other, id)
          }
    }
  }
  const closed = new Map<Id, Set<Id>>()
  return id => {
    const known = closed.get(id)
    if (known) return known
    const found = new Set<Id>()
    const todo = [id]
    for (let one = todo.pop(); one !== undefined; one = todo.pop())
      for (const other of needs.get(one) ?? [])
        if (!found.has(other)) {
          found.add(other)
          todo.push(other)
        }
    closed.set(id, found)
    return found
  }
}

/** Which elements can be taken in now when these are asked for, and why others of them can't. */
function plan(doc: Doc, proposal: Proposal, ids: readonly Id[]): { taken: Set<Id>; kept: { id: Id; why: Words }[] } {
  const layout = layoutOf(doc)
  const model = modelOf(doc)
  const needs = needsOf(proposal, id => model.elements.get(id)?.kind ?? '')
  const all = new Map(proposal.deltas.map(delta => [delta.id, delta]))
  const chosen = new Set<Id>()
  for (const id of ids) if (all.has(id)) for (const one of [id, ...needs(id)]) chosen.add(one)
  for (const id of chosen) {
    const delta = all.get(id)
    if (delta && isDone(layout, delta, false)) chosen.delete(id)
  }
  const kept = new Map<Id, Words>()
  const references = referencesIn(model)
  for (let again = true; again;) {
    again = false
    for (const id of chosen) {
      const delta = all.get(id)
      const missing = [...needs(id)].find(other => kept.has(other))
      const why = !delta ? null : missing !== undefined ? withoutNeeded : obstacle(delta, { layout, model, chosen, all, references })
      if (!why) continue
      chosen.delete(id)
      kept.set(id, why)
      again = true
    }
  }
  return { taken: chosen, kept: [...kept].map(([id, why]) => ({ id, why })) }
}

const withoutNeeded = say('Something it needs cannot be taken in.')
const goneWhy = say('What it belongs to has been deleted meanwhile.')
const changedWhy = say('Somebody changed this meanwhile; their change stays.')
const usedWhy = say('Something that is not part of this proposal still needs it.')
const otherCanvasWhy = say('Its two ends no longer stand on one canvas.')
const alreadyWhy = say('These two are connected that way already.')
const insideWhy = say('It would stand inside itself.')

type Ground = {
  layout: DocumentLayout
  model: Model
  chosen: ReadonlySet<Id>
  all: ReadonlyMap<Id, Delta>
  references: ReadonlyMap<Id, readonly Id[]>
}

function obstacle(delta: Delta, ground: Ground): Words | null {
  const { layout, model, chosen, all } = ground
  const stays = (id: Id): boolean => {
    const chosenDelta = chosen.has(id) ? all.get(id) : undefined
    return chosenDelta?.sort === 'added' || (model.elements.has(id) && chosenDelta?.sort !== 'removed')
  }
  if (delta.sort === 'removed') return obstacleToRemoval(delta, ground)
  if (delta.sort === 'changed') {
    if (!model.elements.has(delta.id)) return goneWhy
    const nows = delta.entries.map(entry => ({ entry, now: storedOf(layout, delta.id, entry.at) }))
    const stuck = nows.filter(
      ({ entry: { at, before, after }, now }) =>
        !same(now, before) && !same(now, after) && !(at.startsWith('text/') && mergeTexts(before, after, now) !== null),
    )
    // Half of a change may be worse than none: one that met another is left to people.
    if (stuck.length > 0) return changedWhy
  }
  const kind = String(valueIn(delta, 'kind') ?? model.elements.get(delta.id)?.kind ?? '')
  const isNew = new Set(delta.entries.flatMap(entry => namedIn(kind, entry, 'after')))
  for (const old of delta.entries.flatMap(entry => (delta.sort === 'added' ? [] : namedIn(kind, entry, 'before')))) isNew.delete(old)
  for (const other of isNew) if (!stays(other)) return goneWhy
  return obstacleToPlace(delta, kind, ground)
}

function obstacleToRemoval(delta: Delta, { layout, model, chosen, all, references }: Ground): Words | null {
  if (delta.entries.some(({ at, before }) => at !== 'tree' && !same(storedOf(layout, delta.id, at), before))) return changedWhy
  const removed = (id: Id): boolean => chosen.has(id) && all.get(id)?.sort === 'removed'
  if (model.roots.includes(delta.id) && model.roots.every(removed)) return usedWhy
  for (const id of withDependents(model, [delta.id])) {
    if (id === delta.id || removed(id)) continue
    // What leads elsewhere afterwards no longer depends on it.
    const change = chosen.has(id) ? all.get(id) : undefined
    const led = change?.entries.some(entry => namedIn(model.elements.get(id)?.kind ?? '', entry, 'before').includes(delta.id))
    if (!led) return usedWhy
  }
  for (const id of references.get(delta.id) ?? []) {
    if (removed(id) || id === delta.id) continue
    const change = chosen.has(id) ? all.get(id) : undefined
    const kind = model.elements.get(id)?.kind ?? ''
    const dropped = change?.entries.some(
      entry => namedIn(kind, entry, 'before').includes(delta.id) && !namedIn(kind, entry, 'after').includes(delta.id),
    )
    if (!dropped) return usedWhy
  }
  for (const other of chosen) {
    const there = all.get(other)
    const kind = String((there && valueIn(there, 'kind')) ?? model.elements.get(other)?.kind ?? '')
    if (there && there.sort !== 'removed' && there.entries.some(entry => namedIn(kind, entry, 'after').includes(delta.id))) return usedWhy
  }
  return null
}

/** Whether canvas, ends and host of an element will do. */
function obstacleToPlace(delta: Delta, kind: string, { model, chosen, all }: Ground): Words | null {
  const parentOf = (id: Id): Id | null => {
    const there = chosen.has(id) ? all.get(id) : undefined
    return (there && parentIn(there)) ?? model.elements.get(id)?.parent ?? null
  }
  const kindAt = (id: Id): string => {
    const there = chosen.has(id) ? all.get(id) : undefined
    return String((there && valueIn(there, 'kind')) ?? model.elements.get(id)?.kind ?? '')
  }
  const parent = parentOf(delta.id)
  if (parent !== null && (delta.sort === 'added' || valueIn(delta, 'tree') !== undefined)) {
    const opens = kindOf(kindAt(parent))?.opens
    if (opens === undefined || !kindOf(kind)?.on.includes(opens))
      return (model.elements.has(parent) ? mayPlace(model, kind, parent)?.words : undefined) ?? goneWhy
    const seen = new Set([delta.id])
    for (let at: Id | null = parent; at !== null; at = parentOf(at)) {
      if (seen.has(at)) return insideWhy
      seen.add(at)
    }
  }
  if (delta.sort === 'changed' && valueIn(delta, 'tree') !== undefined && parent !== model.elements.get(delta.id)?.parent) {
    // Connectors and boundary events that stay behind would lose it.
    for (const id of withDependents(model, [delta.id])) {
      const other = model.elements.get(id)
      if (!other || id === delta.id || other.parent !== model.elements.get(delta.id)?.parent) continue
      if (!(chosen.has(id) && all.get(id)?.sort === 'removed') && parentOf(id) !== parent) return usedWhy
    }
  }
  const conn = valueIn(delta, 'conn')
  if (!isRecord(conn)) return null
  const ends = [conn.from, conn.to].map(end => (isRecord(end) && isId(end.id) ? end.id : null))
  const [from, to] = ends
  if (!from || !to || parentOf(from) !== parentOf(to)) return otherCanvasWhy
  for (const [id, other] of model.elements) {
    const leaves = chosen.has(id) && all.get(id)?.entries.some(({ at }) => at === 'conn')
    if (id !== delta.id && !leaves && other.kind === kind && other.ends?.from.id === from && other.ends.to.id === to) return alreadyWhy
  }
  return null
}
