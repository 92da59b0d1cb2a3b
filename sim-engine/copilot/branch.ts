// A fork of a document on which the copilot, the guide or a program tries its changes. All of them are the edits that people make; a batch is
// made as a whole or not at all, and is checked at once. Nothing of it reaches the document: the result is a proposal.
import type { Doc } from 'yjs'
import { dashboardOf, firstSize } from '../../model-schema/dashboard.ts'
import { modelOf } from '../../model-schema/document.ts'
import {
  addScenario,
  connect,
  createUndo,
  duplicate,
  insertStep,
  isRefusal,
  move,
  place,
  reconnect,
  remove,
  rename,
  reparent,
  setField,
  type Refusal,
  type Undo,
} from '../../model-schema/edit.ts'
import { newId } from '../../model-schema/ids.ts'
import { fieldOf, formulaName, kindOf } from '../../model-schema/kinds.ts'
import type { Field, Json } from '../../model-schema/kinds/kind.ts'
import type { FileDraft } from '../../model-schema/file-drafts.ts'
import type { Element, Geo, Id, Model } from '../../model-schema/model.ts'
import { forkDocument, proposalOf, type Author, type Proposal } from '../../model-schema/proposals.ts'
import { check, createChecker, type Checked, type Checker } from '../check.ts'
import { compile } from '../compile.ts'
import type { Problem } from '../problems.ts'
import { start } from '../run.ts'
import { freeCells, freeSpot } from './spots.ts'
import { english, say, type Words } from '../../model-schema/words.ts'
import { unreachable } from '../../model-schema/unreachable.ts'

type Values = Readonly<Record<string, Json>>

/** One edit as data. Ids may be those of the model, or `$1`, `$2`, ...: what the first, second, ... call of the batch made. */
export type EditCall =
  | { do: 'place'; kind: string; parent: Id; values?: Values; near?: Id; at?: readonly [number, number]; size?: readonly [number, number] }
  | { do: 'connect'; from: Id; to: Id; kind?: string; values?: Values }
  | { do: 'insert'; flow: Id; kind: string; values?: Values }
  | { do: 'set'; id: Id; field: string; value: Json }
  | { do: 'rename'; id: Id; name: string }
  | { do: 'reconnect'; id: Id; side: 'from' | 'to'; to: Id }
  | { do: 'remove'; ids: readonly Id[] }
  | { do: 'move'; id: Id; at: readonly [number, number] }
  | { do: 'reparent'; ids: readonly Id[]; parent: Id }
  | { do: 'duplicate'; ids: readonly Id[] }
  | { do: 'scenario'; name: string }

/** What a batch did: the ids its calls made, and how the problems changed; or which call was refused and why, and then nothing was done. */
export type Edited =
  | {
      readonly made: readonly (Id | null)[]
      readonly problems: { readonly before: number; readonly after: number; readonly added: readonly Problem[] }
    }
  | { readonly refused: Words; readonly call: number }

/** Bounds of the run before an offer; `together`: instants times elements, so that a large model is not compiled for a glance at it. */
const TRIED = { ticks: 100, instants: 100_000, together: 10_000_000, slice: 100, milliseconds: 500 } as const

/** The ticks of a scenario; Infinity for one without an end. */
export const ticksOf = (scenario: Element | undefined): number => {
  const ticks = scenario?.fields['totalTicks']
  return typeof ticks === 'number' && ticks > 0 ? ticks : Infinity
}

export class Branch {
  readonly #origin: Doc
  /** Made with the first change: until then the branch is the document. */
  #fork: { readonly doc: Doc; readonly undo: Undo } | null = null
  readonly #checkers = new Map<Id, Checker>()
  /** What the checker said of a scenario last, and the model it was said of. */
  readonly #found = new Map<Id, { readonly model: Model; readonly checked: Checked }>()
  /** The problems of the document and the model that has them. */
  #ofOrigin: { readonly model: Model; readonly problems: readonly Problem[] } | null = null

  constructor(doc: Doc) {
    this.#origin = doc
  }

  /** The copy that is changed. */
  get doc(): Doc {
    return this.#forked().doc
  }

  #forked(): { readonly doc: Doc; readonly undo: Undo } {
    if (this.#fork) return this.#fork
    const doc = forkDocument(this.#origin)
    return (this.#fork = { doc, undo: createUndo(doc) })
  }

  get model(): Model {
    return modelOf(this.#fork?.doc ?? this.#origin)
  }

  /**
   * What the checker says of a scenario; null when there is none. Later checks change the result in place: finish with a program compiled from
   * it before.
   */
  checkedOf(scenario: Id): Checked | null {
    const { model } = this
    if (!model.scenarios.includes(scenario)) return null
    const known = this.#found.get(scenario)
    if (known?.model === model) return known.checked
    const checker = this.#checkers.get(scenario) ?? createChecker()
    this.#checkers.set(scenario, checker)
    const checked = checker.check(model, scenario)
    this.#found.set(scenario, { model, checked })
    return checked
  }

  /** The problems of all scenarios. */
  problems(): readonly Problem[] {
    return this.model.scenarios.flatMap(id => this.checkedOf(id)?.problems ?? [])
  }

  /** The problems of the document as it is now, without the changes of the branch. */
  problemsBefore(): readonly Problem[] {
    const model = modelOf(this.#origin)
    if (this.#ofOrigin?.model !== model) this.#ofOrigin = { model, problems: model.scenarios.flatMap(id => check(model, id).problems) }
    return this.#ofOrigin.problems
  }

  /** Makes a batch of edits, all or none. */
  edit(calls: readonly EditCall[]): Edited {
    const before = this.problems()
    if (!this.#fork) this.#ofOrigin = { model: this.model, problems: before }
    const made: (Id | null)[] = []
    const { undo } = this.#forked()
    undo.boundary()
    // One after the other, so that each sees what the ones before it made; one step to take back.
    for (const [i, call] of calls.entries()) {
      const led = withIds(this.model, resolved(call, made))
      const result = isRefusal(led) ? led : this.#apply(led)
      if (!isRefusal(result)) {
        made.push(result)
        continue
      }
      if (made.length > 0) undo.undo()
      return { refused: result.words, call: i }
    }
    const after = this.problems()
    return { made, problems: { before: before.length, after: after.length, added: newAmong(before, after) } }
  }

  /** Forgets the changes: the branch is the document again, as it is now. What is known of it is kept. */
  restart(): void {
    this.#fork?.undo.destroy()
    this.#fork = null
  }

  /** Takes back the last batch. */
  takeBack(): void {
    this.#fork?.undo.undo()
  }

  /** What the branch differs in, as a proposal: checked, and run for a while when the checker lets it. `now`: as in `trial`. */
  propose(
    about: { title: string; words?: Words; why: string; by: Author; at: number; id?: Id; files?: readonly FileDraft[] },
    now?: () => number,
  ): Proposal | Refusal {
    const before = this.problemsBefore().length
    const after = this.problems().length
    return proposalOf(this.#origin, this.#fork?.doc ?? null, {
      id: newId(),
      ...about,
      note: { problems: { before, after }, run: this.trial(now) },
    })
  }

  /**
   * A short run of the first scenario, to see that it goes: at most 100 ticks, 100,000 instants, fewer the larger the model, and half a second by `now`
   * (milliseconds; without it, no matter how long). Null when the checker finds errors.
   */
  trial(now: () => number = () => 0): Proposal['note']['run'] {
    const { model } = this
    const [first] = model.scenarios
    const checked = first === undefined ? null : this.checkedOf(first)
    if (first === undefined || !checked?.ok) return null
    // The build that debugging uses runs as JavaScript only: a run so short does not repay a module.
    const run = start(compile(checked.checked, { debug: true }), { ticks: Math.min(TRIED.ticks, ticksOf(model.elements.get(first))) })
    const most = Math.min(TRIED.instants, TRIED.together / model.elements.size)
    const until = now() + TRIED.milliseconds
    for (let made = 0; made < most && now() < until && run.advance({ instants: TRIED.slice }); made += TRIED.slice);
    const { result, seed, ticks, hash } = run.summary()
    const end = result.end === 'failed' ? `failed: ${english(result.problem.message)}` : result.end
    return { seed, ticks, end, hash }
  }

  #apply(call: EditCall): Id | null | Refusal {
    const { doc, model } = this
    switch (call.do) {
      case 'place':
        return this.#place(call)
      case 'connect': {
        const values = valuesIn(model, call.kind ?? 'flow', call.values)
        return 'refused' in values ? values : connect(doc, { kind: call.kind ?? 'flow', from: call.from, to: call.to, values: values.read })
      }
      case 'insert': {
        const flow = model.elements.get(call.flow)
        if (!flow?.parent) return unknown(call.flow)
        const step = this.#place({
          do: 'place',
          kind: call.kind,
          parent: flow.parent,
          near: flow.ends?.from.id ?? call.flow,
          ...(call.values ? { values: call.values } : {}),
        })
        if (isRefusal(step) || step === null) return step
        const led = insertStep(doc, call.flow, step)
        return isRefusal(led) ? led : step
      }
      case 'set':
        return this.#set(call.id, call.field, call.value)
      case 'rename':
        return rename(doc, call.id, call.name)
      case 'reconnect':
        return reconnect(doc, call.id, call.side, call.to)
      case 'remove': {
        const missing = call.ids.find(id => !model.elements.has(id))
        return missing === undefined ? remove(doc, call.ids) : unknown(missing)
      }
      case 'move': {
        const element = model.elements.get(call.id)
        if (!element) return unknown(call.id)
        const [, , w, h]: Geo = element.geo
        move(doc, [{ id: call.id, geo: [...call.at, w, h] }])
        return null
      }
      case 'reparent':
        return reparent(doc, call.ids, call.parent)
      case 'duplicate':
        return duplicate(doc, call.ids)[0] ?? unknown(call.ids[0] ?? '')
      case 'scenario':
        return addScenario(doc, call.name)
      default:
        return unreachable(call)
    }
  }

  #place({ kind, parent, values, near, at, size }: EditCall & { do: 'place' }): Id | Refusal {
    const { model } = this
    const row = kindOf(kind)
    const read = valuesIn(model, kind, values)
    if ('refused' in read) return read
    const opens = kindOf(model.elements.get(parent)?.kind ?? '')?.opens
    if (kind !== 'association' && (opens === 'dashboard' || opens === 'cards')) {
      const columns = dashboardOf(model)?.columns ?? 12
      const cells = size ?? firstSize(kind, columns, read.read['type'])
      return place(this.doc, { kind, parent, at: at ?? freeCells(model, cells, columns), size: cells, values: read.read })
    }
    const spot = at ?? freeSpot(model, parent, row?.size ?? [120, 72], near ?? null)
    return place(this.doc, { kind, parent, at: spot, values: read.read, ...(size ? { size } : {}) })
  }

  #set(id: Id, field: string, value: Json): Refusal | null {
    const element = this.model.elements.get(id)
    if (!element) return unknown(id)
    const row = fieldOf(kindOf(element.kind) ?? noKind, field)
    if (!row) return noField(element.kind, field)
    return setField(this.doc, id, field, led(this.model, row, value))
  }
}

const noKind = { id: '', label: say(''), help: say(''), family: 'data', shape: 'none', size: [0, 0], on: [], fields: [] } as const

const unknown = (id: string): Refusal => ({
  refused: 'gone',
  words: say('There is no element "{id}". Find its id with "outline" or "find".', { id }),
})

function noField(kind: string, field: string): Refusal {
  const names = (kindOf(kind)?.fields ?? []).map(one => one.id).join(', ')
  return {
    refused: 'invalid-value',
    words: say('"{kind}" has no field "{field}". It has: {names}.', { kind, field, names }),
  }
}

/** Values for a new element, references by name led to ids. */
function valuesIn(model: Model, kind: string, values: Values = {}): { read: Record<string, Json> } | Refusal {
  const row = kindOf(kind)
  if (!row) return { refused: 'unknown-kind', words: say('There is no kind "{kind}".', { kind }) }
  const read: Record<string, Json> = {}
  for (const [id, value] of Object.entries(values)) {
    const field = fieldOf(row, id)
    if (!field) return noField(kind, id)
    read[id] = led(model, field, value)
  }
  return { read }
}

/** A value with the names in its references made ids, where only one element of the right kind has that name. */
function led(model: Model, { type }: Field, value: Json): Json {
  if (type.as === 'ref') {
    if (typeof value !== 'string' || model.elements.has(value)) return value
    const named = [...model.elements.values()].filter(
      one => type.to.includes(one.kind) && formulaName(String(one.fields['name'] ?? '')) === formulaName(value),
    )
    return named.length === 1 ? (named[0]?.id ?? value) : value
  }
  if (type.as === 'refs' && Array.isArray(value)) return value.map(one => led(model, { type: { as: 'ref', to: type.to } } as Field, one))
  if (type.as !== 'rows' || !Array.isArray(value)) return value
  return value.map(row => {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return row
    return Object.fromEntries(
      Object.entries(row).map(([key, cell]) => {
        const column = type.columns.find(one => one.id === key)
        return [key, column ? led(model, column, cell) : cell]
      }),
    )
  })
}

/** The call with what earlier calls made in place of `$1`, `$2`, ... */
function resolved(call: EditCall, made: readonly (Id | null)[]): EditCall {
  const look = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const number = /^\$(\d+)$/.exec(value)?.[1]
      return number === undefined ? value : (made[Number(number) - 1] ?? value)
    }
    if (Array.isArray(value)) return value.map(look)
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, look(item)]))
    return value
  }
  return look(call) as EditCall
}

/** The call with elements that were given by a name of their own led to their ids; refused when there is no such element. */
function withIds(model: Model, call: EditCall): EditCall | Refusal {
  const found = new Map<string, Id>()
  for (const key of ['id', 'parent', 'near', 'from', 'to', 'flow', 'ids'] as const) {
    const given: unknown = (call as Readonly<Record<string, unknown>>)[key]
    for (const one of Array.isArray(given) ? given : [given]) {
      if (typeof one !== 'string' || model.elements.has(one)) continue
      const [only, ...more] = [...model.elements.values()].filter(({ fields }) => fields['name'] === one)
      if (!only || more.length > 0) return unknown(one)
      found.set(one, only.id)
    }
  }
  if (found.size === 0) return call
  const led = (value: unknown): unknown => (typeof value === 'string' ? (found.get(value) ?? value) : value)
  return Object.fromEntries(
    Object.entries(call).map(([key, value]) =>
      key === 'values' || key === 'value' || key === 'name' || key === 'kind'
        ? [key, value]
        : [key, Array.isArray(value) ? value.map(led) : led(value)],
    ),
  ) as EditCall
}

/** What a problem is about, whatever its sentence says. */
export const spotOf = ({ code, at }: Problem): string => `${code} ${at.id} ${at.field ?? ''}`

/** Problems of `after` that are not among those of `before`. */
export function newAmong(before: readonly Problem[], after: readonly Problem[]): Problem[] {
  const left = new Map<string, number>()
  for (const one of before) left.set(spotOf(one), (left.get(spotOf(one)) ?? 0) + 1)
  return after.filter(one => {
    const count = left.get(spotOf(one)) ?? 0
    left.set(spotOf(one), count - 1)
    return count <= 0
  })
}
