// Repairs of what the checker finds, code by code. Each code has candidates, the best first; a candidate is tried on the branch, and holds only
// if the problem is gone and no other came. Where two are as good as each other it is for people to choose.
import { formulaName, kindOf, mayJoin } from '../../model-schema/kinds.ts'
import type { Field, Json, Words } from '../../model-schema/kinds/kind.ts'
import { say } from '../../model-schema/kinds/kind.ts'
import type { Element, Geo, Id, Model } from '../../model-schema/model.ts'
import { constants, rows as functions } from '../language.ts'
import type { Problem } from '../problems.ts'
import { newAmong, spotOf, type Branch, type EditCall } from './branch.ts'

/** A way to mend a problem. */
export type Candidate = {
  readonly words: Words
  readonly calls: readonly EditCall[]
  /** As good as others of the same rank: which is meant is not to be known. */
  readonly oneOf?: string
}

export type Repair =
  /** Made on the branch. */
  | { readonly is: 'done'; readonly words: Words }
  /** Several would do equally well. */
  | { readonly is: 'ask'; readonly choices: readonly Candidate[] }
  | { readonly is: 'none' }

/** Length of a vector. The engine's rule: no function whose last bit differs between machines. */
const lengthOf = (dx: number, dy: number): number => Math.sqrt(dx * dx + dy * dy)

/** At most so many candidates are tried for a problem. */
const most = 120

/** Mends one problem on the branch, or says what there is to choose from. */
export function mend(branch: Branch, problem: Problem): Repair {
  const before = branch.problems()
  let group: string | null = null
  const good: Candidate[] = []
  for (const candidate of candidatesFor(branch.model, problem, before).slice(0, most)) {
    if (group !== null && candidate.oneOf !== group) break
    const done = branch.edit(candidate.calls)
    if ('refused' in done) continue
    const after = branch.problems()
    const gone = count(after, problem) < count(before, problem)
    if (gone && newAmong(before, after).length === 0) {
      if (candidate.oneOf === undefined) return { is: 'done', words: candidate.words }
      good.push(candidate)
      group = candidate.oneOf
    }
    branch.takeBack()
  }
  const [only] = good
  if (!only) return { is: 'none' }
  if (good.length > 1) return { is: 'ask', choices: good }
  branch.edit(only.calls)
  return { is: 'done', words: only.words }
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
  return [...own, ...references(model, element, problem), ...numbers(element, problem)]
}

type Repairing = (model: Model, element: Element, problem: Problem, all: readonly Problem[]) => Candidate[]

const nameOf = (element: Element | undefined): string => String(element?.fields['name'] || element?.id || '')
const labelOf = (kind: string): Words => kindOf(kind)?.label ?? say(kind, kind)
const way = (en: string, zh: string, ...calls: EditCall[]): Candidate => ({ words: say(en, zh), calls })
const set = (id: Id, field: string, value: Json): EditCall => ({ do: 'set', id, field, value })

// Formulas.

function wrongFormula(model: Model, element: Element, problem: Problem): Candidate[] {
  const { field = '', from = 0, to = 0 } = problem.at
  const text = formulaAt(element, field)
  if (text === null) return []
  const put = (next: string, en: string, zh: string): Candidate => ({ words: say(en, zh), calls: [writeAt(element, field, next)] })
  const instead = (word: string): Candidate =>
    put(
      text.slice(0, from) + word + text.slice(to),
      `Writes ${word} for ${text.slice(from, to) || 'nothing'}.`,
      `将 ${text.slice(from, to) || '空'} 改为 ${word}。`,
    )
  const found: Candidate[] = []
  const written = text.slice(from, to)
  if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(written)) {
    const near = namesIn(model)
      .map(name => ({ name, far: distance(name.toLowerCase(), written.toLowerCase()) }))
      .filter(({ name, far }) => far <= Math.min(2, written.length - 1) && name !== written)
      .sort((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1))
    const least = near[0]?.far
    const equal = near.filter(({ far }) => far === least)
    // The checker's own guess goes by what fits there; it is not the only one where another name is as near.
    if (problem.near !== undefined && equal.length < 2) found.push(instead(problem.near))
    for (const { name, far } of near) found.push(far === least && equal.length > 1 ? { ...instead(name), oneOf: 'name' } : instead(name))
  }
  found.push(...closing(text).map(next => put(next, 'Closes what was left open.', '补全未闭合的部分。')))
  if (/(^|[^=<>!+\-*/%])=([^=]|$)/.test(text))
    found.push(put(text.replaceAll(/(^|[^=<>!+\-*/%])=(?=[^=]|$)/g, '$1=='), 'Compares with == instead of =.', '用 == 而不是 = 进行比较。'))
  for (const [other, ours] of spellings)
    if (text.includes(other))
      found.push(
        put(text.replaceAll(other, ours), `Writes ${ours.trim()} for ${other.trim()}.`, `将 ${other.trim()} 改写为 ${ours.trim()}。`),
      )
  const places = new Set([
    from,
    to,
    from - 1,
    to - 1,
    text.length,
    text.length - 1,
    ...Array.from({ length: Math.min(text.length, 30) }, (_, i) => from - i),
    ...Array.from({ length: 10 }, (_, i) => to + i),
  ])
  for (const at of places) {
    if (at < 0 || at > text.length) continue
    if (at < text.length && !/[\p{L}\p{N}\s]/u.test(text[at] ?? ''))
      found.push(put(text.slice(0, at) + text.slice(at + 1), `Leaves out ${text[at]}.`, `去掉 ${text[at]}。`))
    if (at > 0 && /[\p{L}\p{N}_]/u.test(text[at] ?? '') && /[\p{L}\p{N}_]/u.test(text[at - 1] ?? '')) continue
    for (const sign of [')', '(', ']', '[', '}', '"', ':', ','])
      found.push(put(text.slice(0, at) + sign + text.slice(at), `Adds ${sign}.`, `补上 ${sign}。`))
  }
  return found
}

const spellings: readonly (readonly [string, string])[] = [
  ['&&', ' and '],
  ['||', ' or '],
  ['!=', ' != '],
  ['++', ' += 1'],
  ['--', ' -= 1'],
  ['^', '**'],
  [';', '\n'],
  ['true', 'True'],
  ['false', 'False'],
  ['null', 'None'],
]

/** The text with the brackets it lacks at its end. */
function closing(text: string): string[] {
  const open: string[] = []
  const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
  for (const sign of text.replaceAll(/"[^"\n]*"|'[^'\n]*'/g, '')) {
    if (pairs[sign]) open.push(pairs[sign])
    else if (open.at(-1) === sign) open.pop()
  }
  return open.length > 0 ? [text + open.toReversed().join('')] : []
}

/** Every name a formula of the model could say. */
function namesIn(model: Model): string[] {
  const names = new Set<string>()
  for (const element of model.elements.values()) {
    const name = formulaName(String(element.fields['name'] ?? ''))
    if (name !== '') names.add(name)
  }
  for (const row of functions) names.add(row.signature.name)
  for (const constant of Object.keys(constants)) names.add(constant)
  return [...names]
}

/** How many letters must be added, left out, changed or swapped with the next (Damerau and Levenshtein, restricted). */
export function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 3) return 4
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, i) => i)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    const above = rows[i - 1] ?? []
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, (rows[i - 2]?.[j - 2] ?? 0) + 1)
      row.push(least)
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}

function blankFormula(model: Model, element: Element, { at: { field = '' } }: Problem): Candidate[] {
  const row = fieldAt(element, field)
  if (!row || row.type.as !== 'formula') return []
  const found: Candidate[] = []
  if (typeof row.initial === 'string' && row.initial !== '')
    found.push(way(`Fills in the usual "${row.initial}".`, `填入默认值“${row.initial}”。`, writeAt(element, field, row.initial)))
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
    found.push(way(`Fills in "${used[0]}", as beside it.`, `参照旁边的元素填入“${used[0]}”。`, writeAt(element, field, used[0])))
  if (typical !== '')
    found.push(
      way(`Fills in ${typical}: see whether that is what you mean.`, `填入 ${typical}，请确认是否合适。`, writeAt(element, field, typical)),
    )
  if (row.type.context === 'program') {
    const [variable] = [...model.elements.values()].filter(one => one.kind === 'variable' && nameOf(one) !== '')
    found.push(...withoutStep(model, element))
    if (variable)
      found.push(
        way(
          'Writes a statement that changes nothing, to be replaced.',
          '写入一条不改变任何内容的语句，请替换。',
          writeAt(element, field, `${formulaName(nameOf(variable))} = ${formulaName(nameOf(variable))}`),
        ),
      )
  }
  return found
}

/** The field's row, also of a column of a table (`rows/2/column`). */
function fieldAt(element: Element, path: string): Field | undefined {
  const [field, , column] = path.split('/')
  const row = kindOf(element.kind)?.fields.find(one => one.id === field)
  return column === undefined || row?.type.as !== 'rows' ? row : row.type.columns.find(one => one.id === column)
}

function formulaAt(element: Element, path: string): string | null {
  const [field = '', index, column] = path.split('/')
  const value = element.fields[field]
  if (column === undefined) return typeof value === 'string' ? value : null
  const row = Array.isArray(value) ? value[Number(index)] : undefined
  const cell = typeof row === 'object' && row !== null && !Array.isArray(row) ? row[column] : undefined
  return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : null
}

function writeAt(element: Element, path: string, next: Json): EditCall {
  const [field = '', index, column] = path.split('/')
  const value = element.fields[field]
  if (column === undefined || !Array.isArray(value)) return set(element.id, field, next)
  return set(
    element.id,
    field,
    value.map((row, i) =>
      i === Number(index) && typeof row === 'object' && row !== null && !Array.isArray(row) ? { ...row, [column]: next } : row,
    ),
  )
}

// References and numbers, of whatever code.

/** Fields of references that are blank or lead nowhere: what could stand there. */
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
      found.push(
        way(
          `Chooses "${nameOf(alike[0])}", which has its name.`,
          `选择与其同名的“${nameOf(alike[0])}”。`,
          writeAt(element, at, alike[0].id),
        ),
      )
    for (const one of likely)
      found.push({
        ...way(`Chooses "${nameOf(one)}".`, `选择“${nameOf(one)}”。`, writeAt(element, at, one.id)),
        ...(likely.length > 1 ? { oneOf: at } : {}),
      })
    // A table's row that refers to nobody can go.
    const [field = '', index] = at.split('/')
    const list = element.fields[field]
    if (index !== undefined && Array.isArray(list))
      found.push(
        way('Removes the row that refers to nothing.', '删除没有引用对象的行。', set(element.id, field, list.toSpliced(Number(index), 1))),
      )
    else if (value !== null) found.push(way('Clears the field.', '清空该字段。', set(element.id, field, null)))
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
    if (type?.as === 'formula' && (type.result === 'number' || path.includes('/'))) {
      const value = Number(text)
      const initial = fieldAt(element, path)?.initial
      if (text !== null && text.trim() !== '' && Number.isFinite(value)) {
        const near = Math.max(0, Math.round(value))
        if (near !== value)
          found.push(
            way(
              `Writes ${near}, the nearest number that is possible.`,
              `改为最接近的可用数值 ${near}。`,
              writeAt(element, path, String(near)),
            ),
          )
      }
      if (typeof initial === 'string' && initial !== '' && initial !== text)
        found.push(way(`Writes ${initial}.`, `改为 ${initial}。`, writeAt(element, path, initial)))
      if (text !== '1') found.push(way('Writes 1.', '改为 1。', writeAt(element, path, '1')))
    }
    if (row.type.as === 'text' && element.fields[row.id] === '' && problem.code === 8003)
      found.push(way('Writes a text to be made better.', '写入一段文字，请修改。', set(element.id, row.id, nameOf(element))))
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
    way(`Leads a flow from "${nameOf(one)}" into it.`, `从“${nameOf(one)}”引入一条顺序流。`, {
      do: 'connect',
      from: one.id,
      to: element.id,
    }),
  )
  // Into the flow it lies on, or that passes nearest.
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
          way('Leads the flow that passed it by through it.', '让绕过它的顺序流经过它。', {
            do: 'reconnect',
            id: flow.id,
            side: 'to',
            to: element.id,
          }),
        )
  for (const one of others.filter(one => one.kind === 'gateway').sort((a, b) => apart(a.geo, element.geo) - apart(b.geo, element.geo)))
    found.push(
      way(`Leads a flow from "${nameOf(one)}" into it.`, `从“${nameOf(one)}”引入一条顺序流。`, {
        do: 'connect',
        from: one.id,
        to: element.id,
      }),
    )
  if (element.kind === 'end' || out.length === 0)
    found.push(way('Removes it: nothing leads to it.', '删除它：没有流程通向它。', { do: 'remove', ids: [element.id] }))
  return found
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
          'Puts it into the flow beside it.',
          '把它插入旁边的顺序流。',
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
    way(
      `Leads a flow from it to "${nameOf(one) || labelOf(one.kind).en}".`,
      `从它引一条顺序流到“${nameOf(one) || labelOf(one.kind).zh}”。`,
      { do: 'connect', from: element.id, to: one.id },
    )
  return [
    ...near(open).map(lead),
    ...near(others.filter(one => one.kind === 'end')).map(lead),
    way(
      'Adds an end event behind it.',
      '在其后添加结束事件。',
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
      'Takes the step out and closes the course behind it.',
      '移除该步骤并接上前后流程。',
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
      .map(one =>
        way(`Attaches it to "${nameOf(one)}".`, `连接到“${nameOf(one)}”。`, { do: 'reconnect', id: element.id, side, to: one.id }),
      ),
    way('Removes the connector.', '删除该连接线。', { do: 'remove', ids: [element.id] }),
  ]
}

function unconditional(model: Model, flow: Element): Candidate[] {
  const others = flowsOf(model, flow.ends?.from.id ?? '', 'from').filter(one => one.id !== flow.id)
  const [other] = others
  const condition = other ? formulaAt(other, 'condition') : null
  const negated =
    condition && others.length === 1
      ? [
          way(
            `Takes this branch when "${condition}" is not so.`,
            `当“${condition}”不成立时走此分支。`,
            set(flow.id, 'condition', `not (${condition})`),
          ),
        ]
      : []
  return [
    ...negated,
    way('Makes it the default branch.', '将其设为默认分支。', set(flow.id, 'default', true)),
    way('Takes this branch always.', '总是走此分支。', set(flow.id, 'condition', 'True')),
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
        'Gives the other branches what is left of 1.',
        '把剩余概率分给其他分支。',
        ...flows.flatMap((flow, i) => (Number.isFinite(weights[i]) ? [] : [set(flow.id, 'weight', String(Number(rest.toPrecision(6))))])),
      ),
    ]
  const shares = weights.map(weight => (sum > 0 && Number.isFinite(weight) ? Math.max(weight, 0) / sum : 1 / weights.length))
  const rounded = shares.map((share, i) => (i < shares.length - 1 ? Number(share.toFixed(6)) : 0))
  rounded[rounded.length - 1] = Number((1 - rounded.reduce((total, share) => total + share, 0)).toFixed(6))
  return [
    way(
      'Scales the probabilities so that they make 1.',
      '按比例调整各分支概率使其和为 1。',
      ...flows.map((flow, i) => set(flow.id, 'weight', String(rounded[i]))),
    ),
  ]
}

function loneGateway(model: Model, element: Element): Candidate[] {
  const branches = flowsOf(model, element.id, 'from').length
  const near =
    branches < 2 ? beside(model, element).filter(one => mayFlow('gateway', one.kind) && flowsOf(model, one.id, 'to').length === 0) : []
  return [
    ...near
      .toSorted((a, b) => apart(element.geo, a.geo) - apart(element.geo, b.geo))
      .map(one =>
        way(`Leads a branch to "${nameOf(one)}".`, `引一条分支到“${nameOf(one)}”。`, {
          do: 'connect',
          from: element.id,
          to: one.id,
          values: { default: true },
        }),
      ),
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
    .map(one =>
      way(`Attaches it to "${nameOf(one)}", the nearest activity.`, `附着到最近的活动“${nameOf(one)}”。`, set(element.id, 'host', one.id)),
    )
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
        `Adds a start event before "${nameOf(one)}".`,
        `在“${nameOf(one)}”之前添加开始事件。`,
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
      'Adds an end event, to which every open step leads.',
      '添加结束事件，并连接所有没有去处的步骤。',
      { do: 'place', kind: 'end', parent: process.id, near: last[0]?.id ?? '' },
      ...last.map((one): EditCall => ({ do: 'connect', from: one.id, to: '$1' })),
    ),
  ]
}

const dropFlows = (model: Model, id: Id, side: 'from' | 'to'): Candidate[] => {
  const ids = flowsOf(model, id, side).map(flow => flow.id)
  return ids.length === 0 ? [] : [way('Removes the flow that cannot be there.', '删除不允许的顺序流。', { do: 'remove', ids })]
}

function renamed(model: Model, element: Element, _problem: Problem, all: readonly Problem[]): Candidate[] {
  const taken = new Set(namesIn(model))
  const missing = missingNames(model, all).filter(name => !taken.has(name))
  const stem =
    formulaName(String(element.fields['name'] ?? '')).replace(/^[^\p{L}_]+/u, '') ||
    labelOf(element.kind).en.replaceAll(/[^A-Za-z0-9]+/g, '')
  // A name that formulas still say was probably its own.
  const names = [...missing, stem, ...Array.from({ length: 9 }, (_, i) => `${stem}${i + 2}`)].filter(name => !taken.has(name))
  return names.map(name => way(`Names it "${name}".`, `命名为“${name}”。`, { do: 'rename', id: element.id, name }))
}

/** Names that formulas say and nobody has, the one said most first. */
function missingNames(model: Model, problems: readonly Problem[]): string[] {
  const times = new Map<string, number>()
  for (const { kind, at } of problems) {
    const element = model.elements.get(at.id)
    const name = kind === 'name-not-found' && element ? formulaAt(element, at.field ?? '')?.slice(at.from, at.to) : undefined
    if (name) times.set(name, (times.get(name) ?? 0) + 1)
  }
  return [...times].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([name]) => name)
}

const ordered =
  (minimum: string, maximum: string): Repairing =>
  (_model, element) => {
    const [low, high] = [element.fields[minimum], element.fields[maximum]]
    return low === undefined || high === undefined || low === null || high === null
      ? []
      : [way('Swaps the least and the greatest.', '交换最小值和最大值。', set(element.id, minimum, high), set(element.id, maximum, low))]
  }

const specific: Partial<Record<number, Repairing>> = {
  8001: blankFormula,
  8002: (model, element, problem) =>
    formulaAt(element, problem.at.field ?? '')?.trim() === ''
      ? blankFormula(model, element, problem)
      : wrongFormula(model, element, problem),
  8003: (_model, element, { at: { field = 'tip' } }) => [
    way('Writes a text to be made better.', '写入一段文字，请修改。', set(element.id, field, nameOf(element) || 'Tip')),
  ],
  8004: (model, element) => {
    const starts = [element, ...element.children.flatMap(id => model.elements.get(id) ?? []), ...model.elements.values()].filter(
      one => one.kind === 'start' && one.fields['active'] === false,
    )
    return [...new Set(starts)].map(one => ({
      ...way('Makes the start event active.', '将开始事件设为主动。', set(one.id, 'active', true)),
      oneOf: 'start',
    }))
  },
  8005: renamed,
  8006: renamed,
  8007: (model, element) => [
    ...noIncoming(model, element),
    way('Removes it: nothing leads to it.', '删除它：没有流程通向它。', { do: 'remove', ids: [element.id] }),
  ],
  9001: (model, element) => looseEnd(model, element, 'from'),
  9002: (model, element) => looseEnd(model, element, 'to'),
  9003: (_model, element) => [way('Removes the connector.', '删除该连接线。', { do: 'remove', ids: [element.id] })],
  9004: (_model, element) => [way('Removes the connector.', '删除该连接线。', { do: 'remove', ids: [element.id] })],
  9005: noIncoming,
  9006: noOutgoing,
  9007: (model, element) =>
    element.ends
      ? [way('Removes the flow that cannot be there.', '删除不允许的顺序流。', { do: 'remove', ids: [element.id] })]
      : dropFlows(model, element.id, 'to'),
  9008: (model, element) =>
    element.ends
      ? [way('Removes the flow that cannot be there.', '删除不允许的顺序流。', { do: 'remove', ids: [element.id] })]
      : dropFlows(model, element.id, 'from'),
  9009: startFor,
  9010: endFor,
  9011: (model, element) => {
    const process = element.kind === 'start' ? model.elements.get(element.parent ?? '') : element
    const starts = (process?.children ?? []).flatMap(id => model.elements.get(id) ?? []).filter(one => one.kind === 'start')
    return starts
      .toSorted((a, b) => flowsOf(model, a.id, 'from').length - flowsOf(model, b.id, 'from').length)
      .map(one => way('Removes the start event that is one too many.', '删除多余的开始事件。', { do: 'remove', ids: [one.id] }))
  },
  9012: attached,
  9013: loneGateway,
  9014: unconditional,
  9015: (model, flow) => {
    const gateway = flow.ends ? (flow.ends.from.id ?? '') : flow.id
    const defaults = flowsOf(model, gateway, 'from').filter(one => one.fields['default'] === true)
    return [
      way('Keeps the last default branch.', '保留最后一个默认分支。', ...defaults.slice(0, -1).map(one => set(one.id, 'default', false))),
    ]
  },
  9016: scaledWeights,
  9017: (model, element) => {
    const flows = element.ends ? [element] : flowsOf(model, element.id, 'from')
    return flows.map(flow =>
      way('Puts a timer between.', '在其间插入定时事件。', {
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
      .map(field => way('Lets it go off after 1 tick.', '设为 1 步后触发。', set(element.id, field, '1'))),
  9027: (model, element, problem, all) =>
    ['X', 'Y', 'Z'].flatMap(axis => ordered(`min${axis}`, `max${axis}`)(model, element, problem, all)),
  9029: (_model, element) => [way('Removes its inheritance.', '移除其继承关系。', set(element.id, 'inherits', null))],
  9030: (model, element) => {
    const variables = [...model.elements.values()].filter(one => one.kind === 'variable')
    const field = element.kind === 'statistic' ? 'expression' : 'series'
    return variables.slice(0, 20).map(one => {
      const name = formulaName(nameOf(one))
      return way(
        `Shows ${name}.`,
        `显示 ${name}。`,
        set(element.id, field, field === 'series' ? [{ label: name, value: name, color: '' }] : name),
      )
    })
  },
}
