// Repairs of what the checker finds, code by code. Each code has candidates, the best first; a candidate is tried on the branch, and holds only
// if the problem is gone and no other came. Where two are as good as each other it is for people to choose.
import { formulaName, hasFormulaName, kindOf, mayJoin } from '../../model-schema/kinds.ts'
import type { Field, Json } from '../../model-schema/kinds/kind.ts'
import type { Element, Geo, Id, Model } from '../../model-schema/model.ts'
import type { Problem } from '../problems.ts'
import { newAmong, spotOf, type Branch, type EditCall } from './branch.ts'
import { fieldAt, formulaAt, labelOf, nameOf, set, way, writeAt, type Candidate } from './candidates.ts'
import { missingNames, namesIn, wrongFormula } from './formula-repairs.ts'
import { english, say, verbatim, type Words } from '../../model-schema/words.ts'

export type Repair =
  /** Made on the branch. */
  | { readonly is: 'done'; readonly words: Words }
  /** Several would do equally well. */
  | { readonly is: 'ask'; readonly choices: readonly Candidate[] }
  | { readonly is: 'none' }

/** Length of a vector. The engine's rule: no function with a last bit that differs between machines. */
const lengthOf = (dx: number, dy: number): number => Math.sqrt(dx * dx + dy * dy)

/** At most so many candidates are tried for a problem. */
const mostCandidates = 120

/** Mends one problem on the branch, or says what there is to choose from. */
export function mend(branch: Branch, problem: Problem): Repair {
  const before = branch.problems()
  let group: string | null = null
  const good: Candidate[] = []
  let rival: { candidate: Candidate; left: number } | null = null
  for (const candidate of candidatesFor(branch.model, problem, before).slice(0, mostCandidates)) {
    if ((group !== null && candidate.oneOf !== group) || (rival !== null && candidate.rival !== true)) break
    const done = branch.edit(candidate.calls)
    if ('refused' in done) continue
    const after = branch.problems()
    const gone = count(after, problem) < count(before, problem)
    if (gone && cameAmong(before, after).length === 0) {
      if (candidate.rival === true) {
        if (rival === null || after.length < rival.left) rival = { candidate, left: after.length }
      } else if (candidate.oneOf === undefined) return { is: 'done', words: candidate.words }
      else {
        good.push(candidate)
        group = candidate.oneOf
      }
    }
    branch.takeBack()
  }
  if (rival) {
    branch.edit(rival.candidate.calls)
    return { is: 'done', words: rival.candidate.words }
  }
  const [only] = good
  if (!only) return { is: 'none' }
  if (good.length > 1) return { is: 'ask', choices: good }
  branch.edit(only.calls)
  return { is: 'done', words: only.words }
}

/** What is new in `after`, also where one mistake of a formula became another. */
const cameAmong = (before: readonly Problem[], after: readonly Problem[]): Problem[] => {
  // Which name was probably meant changes with the names there are.
  const told = (one: Problem): string => `${spotOf(one)} ${english(one.message).replace(/; did you mean .*$/, '')}`
  const known = new Set(before.map(told))
  return newAmong(before, after).concat(after.filter(one => !known.has(told(one))))
}

const count = (problems: readonly Problem[], like: Problem): number => problems.filter(one => spotOf(one) === spotOf(like)).length

/** Mends all that can be mended without asking, causes before what they lead to. Returns what was done, and what is left to choose. */
export function mendAll(
  branch: Branch,
  wanted: (problem: Problem) => boolean = () => true,
): { done: { problem: Problem; words: Words }[]; asks: { problem: Problem; choices: readonly Candidate[] }[] } {
  const done: { problem: Problem; words: Words }[] = []
  const hopeless = new Map<string, readonly Candidate[]>()
  for (let left = 200; left > 0; left--) {
    const next = byCause(branch.problems()).find(problem => wanted(problem) && !hopeless.has(spotOf(problem)))
    if (!next) break
    const repair = mend(branch, next)
    if (repair.is === 'done') done.push({ problem: next, words: repair.words })
    else hopeless.set(spotOf(next), repair.is === 'ask' ? repair.choices : [])
  }
  const asks = branch.problems().flatMap(problem => {
    const choices = hopeless.get(spotOf(problem)) ?? []
    return choices.length > 0 ? [{ problem, choices }] : []
  })
  return { done, asks }
}

// What comes first explains what follows: names before the formulas that say them, references before what they are of.
const causes = [8005, 8006, 9022, 9029, 9012, 9001, 9002, 9019, 9021, 9023, 9024, 9026]

/** Problems in the order in which they are best mended; errors first. */
export function byCause(problems: readonly Problem[]): Problem[] {
  const rank = ({ code, severity }: Problem): number => {
    const at = causes.indexOf(code)
    return (severity === 'error' ? 0 : 1000) + (at < 0 ? causes.length : at)
  }
  return [...problems].sort((a, b) => rank(a) - rank(b))
}

/** Ways to mend a problem, untried, the best first. */
export function candidatesFor(model: Model, problem: Problem, all: readonly Problem[]): Candidate[] {
  const element = model.elements.get(problem.at.id)
  if (!element) return []
  const own = specific[problem.code]?.(model, element, problem, all) ?? []
  const { repair } = problem
  const known = repair ? [{ words: repair.label, calls: [set(repair.id, repair.field, repair.value)] }] : []
  return [...known, ...own, ...references(model, element, problem), ...numbers(element, problem), ...usual(element, problem)]
}

type Repairing = (model: Model, element: Element, problem: Problem, all: readonly Problem[]) => Candidate[]

// Formulas.

function blankFormula(model: Model, element: Element, { at: { field = '' } }: Problem): Candidate[] {
  const row = fieldAt(element, field)
  if (!row || row.type.as !== 'formula') return []
  const found: Candidate[] = []
  if (typeof row.initial === 'string' && row.initial !== '')
    found.push(way(say('Fills in the usual "{initial}".', { initial: row.initial }), writeAt(element, field, row.initial)))
  const typical =
    row.type.context === 'condition' || row.type.result === 'boolean'
      ? 'True'
      : row.type.result === 'text'
        ? '""'
        : row.type.result === 'list'
          ? '[]'
          : row.type.result === 'entity'
            ? ''
            : row.type.context === 'program'
              ? ''
              : '1'
  const siblings = [...model.elements.values()].filter(
    one => one.kind === element.kind && one.id !== element.id && one.parent === element.parent,
  )
  const used = siblings.flatMap(one => formulaAt(one, field) ?? []).filter(text => text !== '')
  if (row.type.context === 'expression' && used[0] !== undefined && row.type.result !== 'number')
    found.push(way(say('Fills in "{used}", as beside it.', { used: used[0] }), writeAt(element, field, used[0])))
  if (typical !== '')
    found.push(way(say('Fills in {typical}: see whether that is what you mean.', { typical }), writeAt(element, field, typical)))
  if (row.type.context === 'program') {
    const [variable] = [...model.elements.values()].filter(one => one.kind === 'variable' && nameOf(one) !== '')
    found.push(...withoutStep(model, element))
    if (variable)
      found.push(
        way(
          say('Writes a statement that changes nothing, to be replaced.'),
          writeAt(element, field, `${formulaName(nameOf(variable))} = ${formulaName(nameOf(variable))}`),
        ),
      )
  }
  return found
}

// References and numbers, of whatever code.

/** Fields of references that are blank or lead nowhere: their possible values. */
function references(model: Model, element: Element, problem: Problem): Candidate[] {
  const found: Candidate[] = []
  const named = problem.at.field?.split('/')[0]
  const offer = (at: string, to: readonly string[], value: Json | undefined): void => {
    if (typeof value === 'string' && model.elements.has(value)) return
    const fits = [...model.elements.values()].filter(one => to.includes(one.kind) && one.id !== element.id)
    const likely = rankedFor(model, element, fits)
    // A slider is named for what it sets, a start for what it waits for.
    const alike = likely.filter(one => nameOf(element) !== '' && formulaName(nameOf(one)) === formulaName(nameOf(element)))
    if (alike[0] && alike.length === 1)
      found.push(way(say('Chooses "{alike}", which has its name.', { alike: nameOf(alike[0]) }), writeAt(element, at, alike[0].id)))
    for (const one of likely)
      found.push({
        ...way(say('Chooses "{one}".', { one: nameOf(one) }), writeAt(element, at, one.id)),
        ...(likely.length > 1 ? { oneOf: at } : {}),
      })
    // A table's row without a referent can be deleted.
    const [field = '', index] = at.split('/')
    const list = element.fields[field]
    if (index !== undefined && Array.isArray(list))
      found.push(way(say('Removes the row that refers to nothing.'), set(element.id, field, list.toSpliced(Number(index), 1))))
    else if (value !== null) found.push(way(say('Clears the field.'), set(element.id, field, null)))
  }
  for (const field of kindOf(element.kind)?.fields ?? []) {
    if (named !== undefined && field.id !== named) continue
    const value = element.fields[field.id]
    if (field.type.as === 'ref' && !field.type.to.includes('compute')) offer(field.id, field.type.to, value)
    if (field.type.as === 'rows' && Array.isArray(value))
      for (const column of field.type.columns)
        if (column.type.as === 'ref') {
          const { to } = column.type
          value.forEach((row, i) =>
            offer(
              `${field.id}/${i}/${column.id}`,
              to,
              typeof row === 'object' && row !== null && !Array.isArray(row) ? row[column.id] : undefined,
            ),
          )
        }
  }
  return found
}

/** Of what fits, what others of the kind refer to most; all that come equally near. */
function rankedFor(model: Model, element: Element, fits: readonly Element[]): Element[] {
  const home = canvasesOf(model, element)
  const inScope = fits.filter(one => one.parent === null || home.has(one.parent))
  return inScope.length > 0 ? inScope : [...fits]
}

function canvasesOf(model: Model, element: Element): Set<Id> {
  const found = new Set<Id>()
  for (let at: Id | null = element.parent; at !== null && !found.has(at); at = model.elements.get(at)?.parent ?? null) found.add(at)
  return found
}

/** Blank or unlawful numbers. */
function numbers(element: Element, problem: Problem): Candidate[] {
  const { field } = problem.at
  const rows = (kindOf(element.kind)?.fields ?? []).filter(one =>
    field === undefined ? shown(one, element) : one.id === field.split('/')[0],
  )
  const found: Candidate[] = []
  for (const row of rows) {
    const path = field !== undefined && field.includes('/') ? field : row.id
    const type = fieldAt(element, path)?.type
    const text = formulaAt(element, path)
    const value = Number(text)
    // A value entered by a person is never replaced by a number.
    const isNumber = text !== null && (text.trim() === '' || Number.isFinite(value))
    if (
      type?.as === 'formula' &&
      (type.result === 'number' || path.includes('/') || (isNumber && text !== '')) &&
      (isNumber || problem.code !== 8002)
    ) {
      const initial = fieldAt(element, path)?.initial
      if (text !== null && text.trim() !== '' && Number.isFinite(value)) {
        const near = Math.max(0, Math.round(value))
        if (near !== value)
          found.push(way(say('Writes {near}, the nearest number that is possible.', { near }), writeAt(element, path, String(near))))
      }
      if (typeof initial === 'string' && initial !== '' && initial !== text)
        found.push(way(say('Writes {initial}.', { initial }), writeAt(element, path, initial)))
      if (initial === '' && text !== '' && isNumber) found.push(way(say('Clears the field.'), writeAt(element, path, '')))
      if (text !== '1') found.push(way(say('Writes 1.'), writeAt(element, path, '1')))
    }
    if (row.type.as === 'text' && element.fields[row.id] === '' && problem.code === 8003)
      found.push(way(say('Writes a text to be made better.'), set(element.id, row.id, nameOf(element))))
  }
  return found
}

const shown = (field: Field, element: Element): boolean =>
  Object.entries(field.when ?? {}).every(([other, values]) => values.some(value => value === element.fields[other]))

// The course of a process.

const flowsOf = (model: Model, id: Id, side: 'from' | 'to'): Element[] =>
  (model.elements.get(model.elements.get(id)?.parent ?? '')?.children ?? []).flatMap(one => {
    const flow = model.elements.get(one)
    return flow?.kind === 'flow' && flow.ends?.[side].id === id ? [flow] : []
  })

const center = ([x, y, w, h]: Geo): readonly [number, number] => [x + w / 2, y + h / 2]
/** How far apart two boxes are; going back to the left or into another row counts more. */
function apart(from: Geo, to: Geo): number {
  const [dx, dy] = [center(to)[0] - center(from)[0], center(to)[1] - center(from)[1]]
  return (dx < 0 ? 3 * -dx : dx) + 2 * Math.abs(dy)
}

const beside = (model: Model, element: Element): Element[] =>
  (model.elements.get(element.parent ?? '')?.children ?? []).flatMap(id => {
    const one = model.elements.get(id)
    return one && id !== element.id && !one.ends ? [one] : []
  })

const mayFlow = (from: string, to: string): boolean => mayJoin(kindOf('flow')!, from, to)

/** Steps that a flow could come from, the likeliest first: those that lead nowhere yet. */
function noIncoming(model: Model, element: Element): Candidate[] {
  const others = beside(model, element).filter(one => mayFlow(one.kind, element.kind))
  const ends = others
    .filter(one => flowsOf(model, one.id, 'from').length === 0)
    .sort((a, b) => apart(a.geo, element.geo) - apart(b.geo, element.geo))
  const found = ends.map(one =>
    way(say('Leads a flow from "{one}" into it.', { one: nameOf(one) }), {
      do: 'connect',
      from: one.id,
      to: element.id,
    }),
  )
  // Into the flow that it is on, or that passes nearest.
  const out = flowsOf(model, element.id, 'from')
  if (out.length === 0) {
    const flows = flowsAround(model, element)
    for (const flow of flows) found.push(...putInto(flow, element))
  }
  const target = out[0]?.ends?.to.id
  if (target)
    for (const flow of flowsOf(model, target, 'to'))
      if (flow.ends?.from.id !== element.id)
        found.push(
          way(say('Leads the flow that passed it by through it.'), {
            do: 'reconnect',
            id: flow.id,
            side: 'to',
            to: element.id,
          }),
        )
  for (const one of others.filter(one => one.kind === 'gateway').sort((a, b) => apart(a.geo, element.geo) - apart(b.geo, element.geo)))
    for (const values of [{}, { default: true }, { condition: 'True' }])
      found.push(
        way(say('Leads a flow from "{one}" into it.', { one: nameOf(one) }), {
          do: 'connect',
          from: one.id,
          to: element.id,
          values,
        }),
      )
  if (element.kind === 'end' || out.length === 0)
    found.push(way(say('Removes it: nothing leads to it.'), { do: 'remove', ids: [element.id] }))
  return found
}

/** The first of the steps that lead to an element: where nothing leads to. */
function beginningOf(model: Model, element: Element): Element {
  const seen = new Set<Id>()
  let at = element
  while (!seen.has(at.id)) {
    seen.add(at.id)
    const before = model.elements.get(flowsOf(model, at.id, 'to')[0]?.ends?.from.id ?? '')
    if (!before) break
    at = before
  }
  return at
}

function flowsAround(model: Model, element: Element): Element[] {
  const flows = (model.elements.get(element.parent ?? '')?.children ?? []).flatMap(id => {
    const one = model.elements.get(id)
    return one?.kind === 'flow' && one.ends?.from.id && one.ends.to.id && one.ends.from.id !== element.id && one.ends.to.id !== element.id
      ? [one]
      : []
  })
  return flows.sort((a, b) => apart(a.geo, element.geo) - apart(b.geo, element.geo)).slice(0, 3)
}

const putInto = (flow: Element, step: Element): Candidate[] =>
  flow.ends?.to.id
    ? [
        way(
          say('Puts it into the flow beside it.'),
          { do: 'reconnect', id: flow.id, side: 'to', to: step.id },
          { do: 'connect', from: step.id, to: flow.ends.to.id },
        ),
      ]
    : []

function noOutgoing(model: Model, element: Element): Candidate[] {
  const others = beside(model, element).filter(one => mayFlow(element.kind, one.kind))
  const open = others.filter(one => flowsOf(model, one.id, 'to').length === 0)
  const near = (list: readonly Element[]): Element[] => list.toSorted((a, b) => apart(element.geo, a.geo) - apart(element.geo, b.geo))
  const lead = (one: Element): Candidate =>
    way(say('Leads a flow from it to "{one}".', { one: nameOf(one) || labelOf(one.kind) }), { do: 'connect', from: element.id, to: one.id })
  return [
    ...near(open).map(lead),
    ...near(others.filter(one => one.kind === 'end')).map(lead),
    way(
      say('Adds an end event behind it.'),
      { do: 'place', kind: 'end', parent: element.parent ?? '', near: element.id },
      { do: 'connect', from: element.id, to: '$1' },
    ),
  ]
}

/** A step taken out of its course, which is closed behind it. */
function withoutStep(model: Model, element: Element): Candidate[] {
  const into = flowsOf(model, element.id, 'to')
  const to = flowsOf(model, element.id, 'from')[0]?.ends?.to.id
  if (!to || into.length === 0) return []
  return [
    way(
      say('Takes the step out and closes the course behind it.'),
      ...into.map((flow): EditCall => ({ do: 'reconnect', id: flow.id, side: 'to', to })),
      { do: 'remove', ids: [element.id] },
    ),
  ]
}

function looseEnd(model: Model, element: Element, side: 'from' | 'to'): Candidate[] {
  const { ends } = element
  if (!ends) return []
  const other = model.elements.get(ends[side === 'from' ? 'to' : 'from'].id ?? '')
  const at: Geo = [ends[side].x, ends[side].y, 0, 0]
  const fits = other
    ? beside(model, element).filter(
        one =>
          one.id !== other.id &&
          (side === 'from' ? mayJoin(kindOf(element.kind)!, one.kind, other.kind) : mayJoin(kindOf(element.kind)!, other.kind, one.kind)),
      )
    : []
  const far = (one: Element): number => lengthOf(center(one.geo)[0] - at[0], center(one.geo)[1] - at[1])
  const open = (one: Element): boolean => flowsOf(model, one.id, side).length === 0
  return [
    ...fits
      .toSorted((a, b) => Number(open(b)) - Number(open(a)) || far(a) - far(b))
      .map(one => way(say('Attaches it to "{one}".', { one: nameOf(one) }), { do: 'reconnect', id: element.id, side, to: one.id })),
    way(say('Removes the connector.'), { do: 'remove', ids: [element.id] }),
  ]
}

function unconditional(model: Model, flow: Element): Candidate[] {
  const others = flowsOf(model, flow.ends?.from.id ?? '', 'from').filter(one => one.id !== flow.id)
  const [other] = others
  const condition = other ? formulaAt(other, 'condition') : null
  const negated =
    condition && others.length === 1
      ? [way(say('Takes this branch when "{condition}" is not so.', { condition }), set(flow.id, 'condition', `not (${condition})`))]
      : []
  return [
    ...negated,
    way(say('Makes it the default branch.'), set(flow.id, 'default', true)),
    way(say('Takes this branch always.'), set(flow.id, 'condition', 'True')),
  ]
}

function scaledWeights(model: Model, element: Element): Candidate[] {
  const gateway = element.ends ? (element.ends.from.id ?? '') : element.id
  const flows = flowsOf(model, gateway, 'from')
  const weights = flows.map(flow => Number(formulaAt(flow, 'weight') || NaN))
  const known = weights.filter(Number.isFinite)
  const sum = known.reduce((total, weight) => total + Math.max(weight, 0), 0)
  const rest = (1 - sum) / (weights.length - known.length)
  if (known.length < weights.length && rest > 0)
    return [
      way(
        say('Gives the other branches what is left of 1.'),
        ...flows.flatMap((flow, i) => (Number.isFinite(weights[i]) ? [] : [set(flow.id, 'weight', String(Number(rest.toPrecision(6))))])),
      ),
    ]
  const shares = weights.map(weight => (sum > 0 && Number.isFinite(weight) ? Math.max(weight, 0) / sum : 1 / weights.length))
  const rounded = shares.map((share, i) => (i < shares.length - 1 ? Number(share.toFixed(6)) : 0))
  rounded[rounded.length - 1] = Number((1 - rounded.reduce((total, share) => total + share, 0)).toFixed(6))
  return [way(say('Scales the probabilities so that they make 1.'), ...flows.map((flow, i) => set(flow.id, 'weight', String(rounded[i]))))]
}

function loneGateway(model: Model, element: Element): Candidate[] {
  const branches = flowsOf(model, element.id, 'from')
  const near =
    branches.length < 2
      ? beside(model, element)
          .filter(one => mayFlow('gateway', one.kind) && flowsOf(model, one.id, 'to').length === 0)
          .toSorted((a, b) => apart(element.geo, a.geo) - apart(element.geo, b.geo))
      : []
  const lead = (one: Element, values: Readonly<Record<string, Json>>, words: Words): Candidate =>
    way(say('Leads a branch to "{one}"{words}.', { one: nameOf(one), words }), {
      do: 'connect',
      from: element.id,
      to: one.id,
      values,
    })
  return [
    ...near.map(one => lead(one, { default: true }, say(''))),
    // Where the branch that is left is the default one, the other needs a condition: which is for people to say.
    ...near.map(one => lead(one, { condition: 'True' }, say(', for now always taken: write its condition'))),
    ...withoutStep(model, element),
  ]
}

function attached(model: Model, element: Element): Candidate[] {
  const field = kindOf('boundary')?.fields.find(one => one.id === 'host')
  const to = field?.type.as === 'ref' ? field.type.to : []
  const [x, y] = center(element.geo)
  const far = ({ geo: [bx, by, w, h] }: Element): number => lengthOf(Math.max(bx - x, 0, x - bx - w), Math.max(by - y, 0, y - by - h))
  return beside(model, element)
    .filter(one => to.includes(one.kind))
    .toSorted((a, b) => far(a) - far(b))
    .map(one => way(say('Attaches it to "{one}", the nearest activity.', { one: nameOf(one) }), set(element.id, 'host', one.id)))
}

/** A start for a process without one, before what nothing leads to. */
function startFor(model: Model, element: Element): Candidate[] {
  const process = kindOf(element.kind)?.opens === 'process' ? element : model.elements.get(element.parent ?? '')
  if (!process) return []
  const steps = process.children
    .flatMap(id => model.elements.get(id) ?? [])
    .filter(one => !one.ends && mayFlow('start', one.kind) && flowsOf(model, one.id, 'to').length === 0)
  return steps
    .toSorted((a, b) => a.geo[0] - b.geo[0])
    .map(one =>
      way(
        say('Adds a start event before "{one}".', { one: nameOf(one) }),
        { do: 'place', kind: 'start', parent: process.id, at: [one.geo[0] - 96, one.geo[1] + one.geo[3] / 2 - 20] },
        { do: 'connect', from: '$1', to: one.id },
      ),
    )
}

function endFor(model: Model, element: Element): Candidate[] {
  const process = kindOf(element.kind)?.opens === 'process' ? element : model.elements.get(element.parent ?? '')
  if (!process) return []
  const steps = process.children.flatMap(id => model.elements.get(id) ?? []).filter(one => !one.ends && mayFlow(one.kind, 'end'))
  const open = steps.filter(one => flowsOf(model, one.id, 'from').length === 0)
  const last = open.length > 0 ? open : steps.toSorted((a, b) => b.geo[0] - a.geo[0]).slice(0, 1)
  if (last.length === 0) return []
  return [
    way(
      say('Adds an end event, to which every open step leads.'),
      { do: 'place', kind: 'end', parent: process.id, near: last[0]?.id ?? '' },
      ...last.map((one): EditCall => ({ do: 'connect', from: one.id, to: '$1' })),
    ),
  ]
}

/** Another port of the called process, or without the row or the connector. */
function port(model: Model, element: Element, { at: { field = '' } }: Problem): Candidate[] {
  const [list = '', index, column] = field.split('/')
  const rows = element.fields[list]
  if (column === undefined || !Array.isArray(rows))
    return element.ends ? [way(say('Removes the connector.'), { do: 'remove', ids: [element.id] })] : []
  const called = model.elements.get(String(element.fields['process'] ?? ''))
  const ports = (called?.children ?? []).flatMap(id => model.elements.get(id) ?? []).filter(one => one.kind === 'interface')
  return [
    ...ports.map((one): Candidate => ({
      ...way(say('Uses the port "{one}".', { one: nameOf(one) }), writeAt(element, field, nameOf(one))),
      ...(ports.length > 1 ? { oneOf: field } : {}),
    })),
    way(say('Removes the row: the process has no such port.'), set(element.id, list, rows.toSpliced(Number(index), 1))),
  ]
}

/** Requesting what is used up, or taking what comes back: the operation that fits the container, or a container that fits the operation. */
const operations: Readonly<Record<string, string>> = { request: 'take', release: 'put', take: 'request', put: 'release' }
function fitting(model: Model, element: Element, problem: Problem, all: readonly Problem[]): Candidate[] {
  const operation = operations[String(element.fields['operation'])]
  if (element.kind !== 'operate') return port(model, element, problem)
  const label = (id: string): Words => choiceLabel(element, 'operation', id)
  return [
    ...(operation
      ? [way(say('Makes the operation "{operation}".', { operation: label(operation) }), set(element.id, 'operation', operation))]
      : []),
    ...ofKind('container')(model, element, problem, all),
    ...port(model, element, problem),
  ]
}

const choiceLabel = (element: Element, field: string, value: string): Words => {
  const type = fieldAt(element, field)?.type
  return (type?.as === 'choice' ? type.options[value] : undefined) ?? verbatim(value)
}

const dropFlows = (model: Model, id: Id, side: 'from' | 'to'): Candidate[] => {
  const ids = flowsOf(model, id, side).map(flow => flow.id)
  return ids.length === 0 ? [] : [way(say('Removes the flow that cannot be there.'), { do: 'remove', ids })]
}

function renamed(model: Model, element: Element, _problem: Problem, all: readonly Problem[]): Candidate[] {
  const taken = new Set(namesIn(model))
  const own = formulaName(String(element.fields['name'] ?? ''))
  const stem = own.replace(/^[^\p{L}_]+/u, '') || english(labelOf(element.kind)).replaceAll(/[^A-Za-z0-9]+/g, '')
  const named = (one: Element, name: string): Candidate =>
    way(say('Names {more} "{name}".', { more: one.id === element.id ? say('it') : say('"{one}"', { one: nameOf(one) }), name }), {
      do: 'rename',
      id: one.id,
      name,
    })
  // A name that formulas still say was that of one of those which have one name now: of which shows in what becomes right again.
  const twins = [element, ...[...model.elements.values()].filter(one => one.id !== element.id && own !== '' && isNamed(one, own))]
  const lost = missingNames(model, all).filter(name => !taken.has(name))
  return [
    ...lost.slice(0, 4).flatMap(name => twins.slice(0, 4).map((one): Candidate => ({ ...named(one, name), rival: true }))),
    ...[stem, ...Array.from({ length: 9 }, (_, i) => `${stem}${i + 2}`)].filter(name => !taken.has(name)).map(name => named(element, name)),
  ]
}

const isNamed = (element: Element, name: string): boolean =>
  hasFormulaName(element.kind) && formulaName(String(element.fields['name'] ?? '')) === name

/** Formulas that say who or what: each element of the kind that is in scope. */
const ofKind =
  (kind: string): Repairing =>
  (model, element, { at: { field } }) => {
    if (field === undefined || fieldAt(element, field)?.type.as !== 'formula') return []
    const fits = rankedFor(
      model,
      element,
      [...model.elements.values()].filter(one => one.kind === kind),
    )
    return fits.map((one): Candidate => ({
      ...way(say('Chooses "{one}".', { one: nameOf(one) }), writeAt(element, field, formulaName(nameOf(one)))),
      ...(fits.length > 1 ? { oneOf: field } : {}),
    }))
  }

/** A field that is no formula as it is in a new element. */
function usual(element: Element, { at: { field } }: Problem): Candidate[] {
  const row = field === undefined ? undefined : fieldAt(element, field)
  if (field === undefined || !row || row.type.as === 'formula' || row.type.as === 'ref' || row.type.as === 'rows') return []
  return [way(say('Sets what a new element has here.'), writeAt(element, field, row.initial))]
}

const ordered =
  (minimum: string, maximum: string): Repairing =>
  (_model, element) => {
    const [low, high] = [element.fields[minimum], element.fields[maximum]]
    return low === undefined || high === undefined || low === null || high === null
      ? []
      : [way(say('Swaps the least and the greatest.'), set(element.id, minimum, high), set(element.id, maximum, low))]
  }

const specific: Partial<Record<number, Repairing>> = {
  8001: blankFormula,
  8002: (model, element, problem, all) =>
    formulaAt(element, problem.at.field ?? '')?.trim() === ''
      ? blankFormula(model, element, problem)
      : wrongFormula(model, element, problem, all),
  8003: (_model, element, { at: { field = 'tip' } }) => [
    way(say('Writes a text to be made better.'), set(element.id, field, nameOf(element) || 'Tip')),
  ],
  8004: (model, element) => {
    const starts = [element, ...element.children.flatMap(id => model.elements.get(id) ?? []), ...model.elements.values()].filter(
      one => one.kind === 'start' && one.fields['active'] === false,
    )
    return [...new Set(starts)].map(one => ({
      ...way(say('Makes the start event active.'), set(one.id, 'active', true)),
      oneOf: 'start',
    }))
  },
  8005: renamed,
  8006: renamed,
  8007: (model, element) => [
    ...noIncoming(model, beginningOf(model, element)),
    way(say('Removes it: nothing leads to it.'), { do: 'remove', ids: [element.id] }),
  ],
  9001: (model, element) => looseEnd(model, element, 'from'),
  9002: (model, element) => looseEnd(model, element, 'to'),
  9003: port,
  9004: fitting,
  9005: noIncoming,
  9006: noOutgoing,
  9007: (model, element) =>
    element.ends
      ? [way(say('Removes the flow that cannot be there.'), { do: 'remove', ids: [element.id] })]
      : dropFlows(model, element.id, 'to'),
  9008: (model, element) =>
    element.ends
      ? [way(say('Removes the flow that cannot be there.'), { do: 'remove', ids: [element.id] })]
      : dropFlows(model, element.id, 'from'),
  9009: startFor,
  9010: endFor,
  9011: (model, element) => {
    const process = element.kind === 'start' ? model.elements.get(element.parent ?? '') : element
    const starts = (process?.children ?? []).flatMap(id => model.elements.get(id) ?? []).filter(one => one.kind === 'start')
    const loose = starts.filter(one => flowsOf(model, one.id, 'from').length === 0)
    return [
      ...loose.map(one => way(say('Removes the start event that is one too many.'), { do: 'remove', ids: [one.id] })),
      ...starts.slice(1).map(one =>
        way(
          say('Lets the first start event begin both courses.'),
          ...flowsOf(model, one.id, 'from').map((flow): EditCall => ({
            do: 'reconnect',
            id: flow.id,
            side: 'from',
            to: starts[0]?.id ?? '',
          })),
          { do: 'remove', ids: [one.id] },
        ),
      ),
    ]
  },
  9012: attached,
  9013: loneGateway,
  9014: unconditional,
  9015: (model, flow) => {
    const gateway = flow.ends ? (flow.ends.from.id ?? '') : flow.id
    const others = flowsOf(model, gateway, 'from')
      .filter(one => one.fields['default'] === true)
      .slice(0, -1)
    const blank = others.filter(one => formulaAt(one, 'condition') === '')
    const rest = blank.length === 0 ? '' : say(' The others are never taken until they have a condition.')
    return [
      way(
        say('Keeps the last default branch.{rest}', { rest }),
        ...others.map(one => set(one.id, 'default', false)),
        ...blank.map(one => set(one.id, 'condition', 'False')),
      ),
    ]
  },
  9016: scaledWeights,
  9017: (model, element) => {
    const flows = element.ends ? [element] : [...flowsOf(model, element.id, 'to'), ...flowsOf(model, element.id, 'from')]
    return flows.map(flow =>
      way(say('Puts a timer between.'), {
        do: 'insert',
        flow: flow.id,
        kind: 'intermediate',
        values: { trigger: 'timer', delay: '1' },
      }),
    )
  },
  9018: (_model, element) =>
    ['every', 'delay', 'first', 'times']
      .filter(field => kindOf(element.kind)?.fields.some(one => one.id === field))
      .map(field => way(say('Lets it go off after 1 tick.'), set(element.id, field, '1'))),
  9020: ofKind('agent'),
  9024: ofKind('container'),
  9027: (model, element, problem, all) =>
    ['X', 'Y', 'Z'].flatMap(axis => ordered(`min${axis}`, `max${axis}`)(model, element, problem, all)),
  9029: (_model, element) => [way(say('Removes its inheritance.'), set(element.id, 'inherits', null))],
  9030: (model, element) => {
    const variables = [...model.elements.values()].filter(one => one.kind === 'variable')
    const field = element.kind === 'statistic' ? 'expression' : 'series'
    return variables.slice(0, 20).map(one => {
      const name = formulaName(nameOf(one))
      return way(
        say('Shows {name}.', { name }),
        set(element.id, field, field === 'series' ? [{ label: name, value: name, color: '' }] : name),
      )
    })
  },
}
