// Parsed elements put together: parents, order, ends. Pure and total; whatever was merged, the same on every peer. Runs after each change of
// the structure of an open document, so elements that come out as before are not made again.
import { isId } from '../ids.ts'
import type { Element, End, Geo, Id, Model, ReadNote } from '../model.ts'
import { middle, parseElement, readGeo, sameContent, type Parsed } from './parse.ts'

/** The version of the document layout this build writes. */
export const SCHEMA = 1

/** A Model with the state of an incremental reader. */
export type Assembled = {
  model: Model
  /** What the elements were made of. */
  parsed: ReadonlyMap<Id, Parsed>
  /** What hangs on an element: connectors by the element one of their ends holds on to, boundary events by their host. */
  attached: ReadonlyMap<Id, readonly Id[]>
  /** Notes of the whole: orphans, cycles, ends, order. */
  notes: readonly ReadNote[]
}

/**
 * Puts parsed elements together. `lastGeo` is what is still stored as the box of an element that is gone. Elements of `before` that come
 * out the same keep their identity.
 */
export function assemble(parsed: ReadonlyMap<Id, Parsed>, lastGeo: (id: Id) => unknown, schema: unknown, before?: Assembled): Assembled {
  const notes: ReadNote[] = []
  const list = [...parsed.values()]
  let roots = list.filter(element => element.isRoot)
  if (roots.length === 0) {
    const virtual = virtualScenario(parsed)
    list.push(virtual)
    roots = [virtual]
    notes.push({ kind: 'missing-scenario', id: virtual.id })
  }
  list.sort(byId)
  roots.sort(byOrder)
  const all = new Map<Id, Parsed>()
  for (const element of list) all.set(element.id, element)
  const moved = new Map<Id, Id>()
  const parentOf = (element: Parsed): Id | null => (element.isRoot ? null : (moved.get(element.id) ?? element.parent))
  resettle(list, all, roots[0]?.id ?? '', moved, notes)

  const children = new Map<Id, Parsed[]>()
  for (const element of list) {
    const parent = parentOf(element)
    if (parent === null) continue
    const siblings = children.get(parent)
    if (siblings) siblings.push(element)
    else children.set(parent, [element])
  }
  for (const siblings of [roots, ...children.values()]) {
    siblings.sort(byOrder)
    for (let i = 1; i < siblings.length; i++) {
      const element = siblings[i]
      if (element && element.order === siblings[i - 1]?.order) notes.push({ kind: 'duplicate-order', id: element.id })
    }
  }

  const groups = new Map<Id, readonly Id[]>()
  for (const siblings of children.values()) gatherGroups(siblings, groups)
  const attached = new Map<Id, Id[]>()
  const attach = (id: Id, held: Id): void => {
    const hanging = attached.get(held)
    if (hanging) hanging.push(id)
    else attached.set(held, [id])
  }
  const elements = new Map<Id, Element>()
  const old = before?.model.elements
  for (const element of list) {
    const { id, ends } = element
    const last = before?.parsed.get(id)
    const same = last && sameContent(last, element) ? old?.get(id) : undefined
    const inside = children.get(id)
    const placed: Placed = {
      parent: parentOf(element),
      children: inside ? idsOf(inside, same?.children) : none,
      ends: null,
      groups: groups.get(id),
    }
    if (ends) {
      placed.ends = { from: resolveEnd(ends.from, all, lastGeo, same?.ends?.from), to: resolveEnd(ends.to, all, lastGeo, same?.ends?.to) }
      for (const side of sides) {
        if (placed.ends[side].id === null) notes.push({ kind: 'dangling-end', id, field: side })
        // Also a lost end: whatever happens to the box of the lost element moves the point.
        const held = ends[side].id
        if (held !== null) attach(id, held)
      }
    } else if (element.hangs && typeof element.fields.host === 'string') attach(id, element.fields.host)
    elements.set(id, elementOf(element, placed, same))
  }
  const model: Model = {
    schema: isSchema(schema) ? schema : SCHEMA,
    elements,
    roots: idsOf(roots, before?.model.roots),
    scenarios: idsOf(
      roots.filter(({ kind }) => kind === 'scenario'),
      before?.model.scenarios,
    ),
    notes: sortNotes(notes, list),
  }
  return { model, parsed: all, attached, notes }
}

const none: readonly Id[] = []
export const sides = ['from', 'to'] as const
const isSchema = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value > 0
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const byId = (a: Parsed, b: Parsed): number => compare(a.id, b.id)
export const byOrder = (a: Parsed, b: Parsed): number => compare(a.order, b.order) || compare(a.id, b.id)

/** The ids, as the same array as before when they are the same. */
function idsOf(list: readonly Parsed[], before: readonly Id[] | undefined): readonly Id[] {
  return before && before.length === list.length && list.every(({ id }, i) => id === before[i]) ? before : list.map(({ id }) => id)
}

// A file without any root (two people deleted one scenario each) gets this one, on every peer the same, until an edit makes it real.
function virtualScenario(taken: ReadonlyMap<Id, Parsed>): Parsed {
  let id = 'scenario'
  while (taken.has(id)) id += '0'
  let scenario = virtualScenarios.get(id)
  if (!scenario) {
    scenario = parseElement(id, {
      kind: 'scenario',
      tree: [null, 'a0'],
      geo: undefined,
      conn: undefined,
      style: undefined,
      fields: new Map([['name', 'Scenario 1']]),
    })
    virtualScenarios.set(id, scenario)
  }
  return scenario
}

const virtualScenarios = new Map<Id, Parsed>()

/**
 * Finds new places for elements with an invalid parent. One without an existing parent goes to the canvas of its host, else to the first
 * root; each cycle of parents is opened at its greatest id, which goes there too.
 */
function resettle(list: readonly Parsed[], all: ReadonlyMap<Id, Parsed>, root: Id, moved: Map<Id, Id>, notes: ReadNote[]): void {
  const lost = list.filter(({ isRoot, parent }) => !isRoot && !(parent !== null && all.get(parent)?.isCanvas))
  // What hangs on something comes after what it may hang on.
  for (const element of [...lost.filter(({ hangs }) => !hangs), ...lost.filter(({ hangs }) => hangs)]) {
    notes.push({ kind: 'orphan', id: element.id })
    moved.set(element.id, anchorCanvas(element, all, moved) ?? root)
  }
  const up = (element: Parsed): Parsed | undefined => (element.isRoot ? undefined : all.get(moved.get(element.id) ?? element.parent ?? ''))
  const done = new Set<Parsed>()
  for (const start of list) {
    // A ring runs through canvases only.
    if (!start.isCanvas || done.has(start)) continue
    const path = new Set<Parsed>()
    let at: Parsed | undefined = start
    while (at && !done.has(at) && !path.has(at)) {
      path.add(at)
      at = up(at)
    }
    if (at && path.has(at)) {
      const walked = [...path]
      const greatest = walked.slice(walked.indexOf(at)).reduce((a, b) => (a.id > b.id ? a : b)).id
      moved.set(greatest, root)
      notes.push({ kind: 'cycle', id: greatest })
    }
    for (const element of path) done.add(element)
  }
}

/** The canvas of the first thing there is that a connector or a boundary event hangs on. */
function anchorCanvas(element: Parsed, all: ReadonlyMap<Id, Parsed>, moved: ReadonlyMap<Id, Id>): Id | null {
  if (!element.hangs) return null
  for (const id of element.ends ? [element.ends.from.id, element.ends.to.id] : [element.fields.host]) {
    const anchor = isId(id) ? all.get(id) : undefined
    if (anchor && !anchor.hangs && !anchor.isRoot) return moved.get(anchor.id) ?? anchor.parent
  }
  return null
}

/** An end holds on to an element that is there and is no connector; its point is then the middle of that element, else the last known one. */
export function resolveEnd(end: End, all: ReadonlyMap<Id, Parsed>, lastGeo: (id: Id) => unknown, before: End | undefined): End {
  const held = end.id === null ? undefined : all.get(end.id)
  if (held && !held.ends) {
    const [x, y, w, h] = held.geo
    const same = before && before.id === end.id && before.port === end.port && before.x === x + w / 2 && before.y === y + h / 2
    return same ? before : { ...end, ...middle(held.geo) }
  }
  const box = end.id === null || held ? null : readGeo(lastGeo(end.id))
  const { port: _, ...lost } = end
  return { ...lost, id: null, ...(box ? middle(box) : {}) }
}

/** A group is what several elements of one canvas name: one that only one of them still names is none. */
function gatherGroups(siblings: readonly Parsed[], into: Map<Id, readonly Id[]>): void {
  const grouped = siblings.filter(element => element.groups.length > 0)
  if (grouped.length < 2) return
  const members = new Map<Id, number>()
  for (const element of grouped) for (const group of element.groups) members.set(group, (members.get(group) ?? 0) + 1)
  for (const { id, groups } of grouped) {
    const kept = groups.filter(group => (members.get(group) ?? 0) > 1)
    if (kept.length > 0) into.set(id, kept)
  }
}

type Placed = { parent: Id | null; children: readonly Id[]; ends: Element['ends']; groups?: readonly Id[] | undefined }

/** The element, or the one from before when nothing about it is different. */
export function elementOf(own: Parsed, placed: Placed, before: Element | undefined): Element {
  const same =
    before &&
    before.parent === placed.parent &&
    sameIds(before.children, placed.children) &&
    sameIds(before.groups ?? none, placed.groups ?? none) &&
    sameEnd(before.ends?.from, placed.ends?.from) &&
    sameEnd(before.ends?.to, placed.ends?.to)
  if (same) return before
  const { id, kind, bends, fields, locked, tint } = own
  return {
    id,
    kind,
    parent: placed.parent,
    children: placed.children,
    geo: placed.ends ? bounds(placed.ends, bends) : own.geo,
    ends: placed.ends,
    bends,
    fields,
    ...(locked ? { locked } : {}),
    ...(tint === null ? {} : { tint }),
    ...(placed.groups ? { groups: placed.groups } : {}),
  }
}

const sameIds = (a: readonly Id[], b: readonly Id[]): boolean => a === b || (a.length === b.length && a.every((id, i) => id === b[i]))
const sameEnd = (a: End | undefined, b: End | undefined): boolean =>
  a === b || (a?.id === b?.id && a?.x === b?.x && a?.y === b?.y && a?.port === b?.port)

/** The box around a connector's ends and bends. */
function bounds(ends: { from: End; to: End }, bends: Parsed['bends']): Geo {
  const xs = [ends.from.x, ends.to.x, ...bends.map(bend => bend[0])]
  const ys = [ends.from.y, ends.to.y, ...bends.map(bend => bend[1])]
  const x = Math.min(...xs)
  const y = Math.min(...ys)
  return [x, y, Math.max(...xs) - x, Math.max(...ys) - y]
}

/** All notes in one order that depends on nothing but themselves. */
export function sortNotes(whole: readonly ReadNote[], elements: Iterable<Parsed>): ReadNote[] {
  const notes = [...whole]
  for (const element of elements) notes.push(...element.notes)
  return notes.sort((a, b) => compare(a.id, b.id) || compare(a.kind, b.kind) || compare(a.field ?? '', b.field ?? ''))
}
