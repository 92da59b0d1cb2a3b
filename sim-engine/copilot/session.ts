// Executes the tools of the copilot on one document: in the page's worker, in the command line and in a thread of the server alike. All edits go to a fork;
// what leaves is a proposal. Nothing here throws for what a model or a caller says: a refusal is a sentence that says what would be allowed.
import type { Doc } from 'yjs'
import { isRefusal } from '../../model-schema/edit.ts'
import type { DraftKind } from '../../model-schema/file-drafts.ts'
import { formulaName } from '../../model-schema/kinds.ts'
import type { Json } from '../../model-schema/kinds/kind.ts'
import type { Id, Model } from '../../model-schema/model.ts'
import { scenarioNamed } from '../../model-schema/overlay.ts'
import { deltasOf, type Author, type Proposal } from '../../model-schema/proposals.ts'
import { intervalOf } from '../experiment.ts'
import type { Plain } from '../messages.ts'
import { Branch, newAmong, spotOf, type EditCall } from './branch.ts'
import { FileDrafts, type RelatedFile } from './drafts.ts'
import { contextOf, type ModelContext, type Where } from './context.ts'
import { explained } from './explain.ts'
import { search } from './guide.ts'
import { patterns } from './patterns.ts'
import { callsOf } from './patterns/build.ts'
import { nameOf, sameName } from './questions.ts'
import type { Candidate } from './candidates.ts'
import { measureOf, screening, unscreened } from './matters.ts'
import { byCause, mend, mendAll, type Repair } from './repairs.ts'
import { failureIn, mendRun, mendRuns, type Failure } from './run-repairs.ts'
import type { Moment } from './why.ts'
import {
  deltaLine,
  differenceOf,
  fieldsOf,
  interval,
  kindRow,
  lineOf,
  listed,
  paged,
  screenedOf,
  stepsAbout,
  summaryOf,
  textIn,
  told,
  tracedOf,
  usersOf,
} from './results.ts'
import { argumentsOf, isToolName, TOOL, toolNames, tools, type Refused, type Taken, type ToolName } from './tools.ts'
import { partOf, replications, Stopped, traced, trial, unwatched, type Watch } from './trials.ts'
import { visible } from './visible.ts'
import { english, type Words } from '../../model-schema/words.ts'

export type ToolAnswer =
  | { readonly ok: true; readonly value: Json }
  /** Refused or impossible: the reason, in words for the caller. */
  | { readonly ok: false; readonly why: string }

export type SessionParts = {
  readonly doc: Doc
  /** The author of proposals. */
  readonly author: Author
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** May tools write to the fork and offer it. */
  readonly writes: boolean
  /** Puts a proposal where people see it; null when it could not be, with the reason. */
  readonly offer: (proposal: Proposal) => { refused: string } | null
  /** The id or path of the model's file, by which charts and dashboards name it. */
  readonly file?: string
  /** The experiments, charts and dashboards about the model. */
  readonly related?: () => readonly RelatedFile[]
  /** Versions and other files that the fork may be compared with, by name. */
  readonly others?: ReadonlyMap<string, Doc>
  /** Gives texts in a language, by its name or the first letters of it; undefined where there is none of that name. */
  readonly languages?: (name: string) => ((words: Words) => string) | undefined
}

type Handlers = { readonly [Name in ToolName]: (taken: Taken<Name>) => { [key: string]: Json } | Refused }

/** The tools on one document and its fork. */
export class ToolSession {
  readonly #parts: SessionParts
  readonly #branch: Branch
  readonly #drafts: FileDrafts
  /** What takes back each batch of edits that was not offered, the last at the end. */
  #batches: (() => void)[] = []
  #failedTrials = 0
  #proposal: Id | null = null
  /** Results of runs by their numbers. */
  readonly #results = new Map<number, { [key: string]: Json }>()
  #made = 0
  #watch: Watch = unwatched
  /** The last run, when it failed. */
  #failedRun: Moment = {}

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.#branch = new Branch(parts.doc)
    this.#drafts = new FileDrafts(() => this.model, parts.file ?? null)
  }

  #speak(language = 'en'): (words: Words) => string {
    return this.#parts.languages?.(language) ?? english
  }

  get model(): Model {
    return this.#branch.model
  }

  /** Whether the fork has edits that were not offered. */
  get isDirty(): boolean {
    return this.#batches.length > 0
  }

  /** Starts again on the document as it is now: the fork and the results are forgotten, not what is known of the document. */
  restart(): void {
    this.#branch.restart()
    this.#drafts.clear()
    this.#batches = []
    this.#failedTrials = 0
    this.#proposal = null
    this.#results.clear()
    this.#made = 0
    this.#failedRun = {}
  }

  /** Finds out beforehand what all tools need to know. */
  prepare(): void {
    this.#branch.problems()
  }

  /** The description of the fork that goes to a language model with a question. */
  context(where: Where): ModelContext {
    return contextOf(this.model, this.#branch.problems(), where)
  }

  /** Executes one tool. `given`: its arguments, as a value or as JSON text; `watch`: of the runs it makes. Never throws. */
  use(name: string, given: unknown, watch: Watch = unwatched): ToolAnswer {
    if (!isToolName(name)) return no(`There is no tool "${name.slice(0, 60)}". There are: ${toolNames.join(', ')}.`)
    if (tools[name].sort === 'branch' && !this.#parts.writes) return no(`"${name}" changes something, and this session may only read.`)
    this.#watch = watch
    try {
      return this.#use(name, given)
    } catch (error) {
      if (error instanceof Stopped) return no(`"${name}" was stopped.`)
      return no(`"${name}" failed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  #use<Name extends ToolName>(name: Name, given: unknown): ToolAnswer {
    const read = argumentsOf(name, given)
    if ('refused' in read) return no(read.refused)
    const answer = this.#handlers[name](read.taken)
    if (isRefused(answer)) return no(answer.refused)
    const value = visible(tools[name].sort === 'run' ? this.#numbered(name, read.taken, answer) : answer)
    const size = JSON.stringify(value).length
    if (size > TOOL.resultLength)
      return no(`The answer is ${size} characters long; at most ${TOOL.resultLength} are given. Ask for less at a time.`)
    return { ok: true, value }
  }

  /** A result with its number; the same result of the same call has the same one. The oldest go when there are many. */
  #numbered(tool: ToolName, given: unknown, answer: { [key: string]: Json }): { [key: string]: Json } {
    const key = JSON.stringify([tool, given, answer])
    const known = [...this.#results].find(([, { result: _, ...rest }]) => JSON.stringify([tool, given, rest]) === key)
    if (known) return known[1]
    const number = ++this.#made
    const result = { result: number, ...answer }
    this.#results.set(number, result)
    for (const old of [...this.#results.keys()].slice(0, -TOOL.kept)) this.#results.delete(old)
    return result
  }

  readonly #handlers: Handlers = {
    outline: taken => this.#outline(taken),
    read: ({ ids, fields }) => ({ elements: ids.map(id => this.#element(id, fields)) }),
    find: ({ text, kind, offset }) => this.#find(text, kind, offset ?? 0),
    kind: ({ id }) => kindRow(id),
    reference: ({ query, language }) => ({
      found: search(query, this.#speak(language ?? (/\p{Script=Han}/u.test(query) ? 'zh' : 'en'))).map(({ title, text, at }) => ({
        title,
        text: text.slice(0, 3000),
        at,
      })),
    }),
    explain: ({ id, language }) => {
      const known = this.#known(id)
      if (typeof known === 'object') return known
      return { sentences: explained(this.model, known, this.#speak(language)).map(({ words }) => this.#speak(language)(words)) }
    },
    check: () => ({ problems: listed(byCause(this.#branch.problems()).map(told)) }),
    changes: ({ from }) => this.#changes(from),
    repair: ({ problem }) => this.#repair(problem),
    pattern: ({ id, numbers }) => this.#pattern(id, numbers ?? []),
    edit: ({ calls }) => this.#edit(calls as readonly EditCall[]),
    experiment_file: taken => this.#draft('experiment', taken),
    chart: taken => this.#draft('chart', taken),
    dashboard: taken => this.#draft('dashboard', taken),
    undo: (): { [key: string]: Json } | Refused => {
      const takeBack = this.#batches.pop()
      if (!takeBack) return { refused: 'There is no batch to take back.' }
      takeBack()
      return { undone: true, problems: this.#branch.problems().length }
    },
    run: ({ scenario, seed, ticks, inputs }) => {
      const options = this.#options({ scenario, ticks, inputs })
      if (isRefused(options)) return options
      const summary = trial(this.#branch, { ...options, ...(seed === undefined ? {} : { seed }), watch: this.#watch })
      if (!summary) return this.#broken()
      const { scenario: of, inputs: given } = options
      this.#failedRun = summary.result.end === 'failed' ? { scenario: of, seed: summary.seed, inputs: given } : {}
      return summaryOf(this.model, summary)
    },
    replicate: ({ runs, ...rest }) => {
      const figures = this.#figures(runs, rest)
      return isRefused(figures)
        ? figures
        : { ...seeds(figures), measures: Object.fromEntries([...figures].slice(0, 60).map(([one, all]) => [one, interval(all)])) }
    },
    experiment: taken => this.#experiment(taken),
    validate: taken => this.#validate(taken),
    compare: taken => this.#compare(taken),
    trace: taken => this.#trace(taken),
    matters: taken => this.#matters(taken),
    result: ({ number }) => {
      const kept = this.#results.get(number)
      if (kept) return kept
      return { refused: `There is no result ${number}. There are: ${[...this.#results.keys()].join(', ') || 'none'}.` }
    },
    ask: ({ question, choices }) => ({ question, choices: choices ?? [] }),
    offer: ({ title, why }) => this.#offer(title, why),
  }

  /** An id of the fork: as given, or of the only element that has that name. */
  #known(id: string): Id | Refused {
    if (this.model.elements.has(id)) return id
    const named = [...this.model.elements.values()].filter(one => sameName(String(one.fields['name'] ?? ''), id))
    const [first] = named
    if (first && named.length === 1) return first.id
    if (named.length > 1)
      return {
        refused: `Several elements have the name "${id}": ${named
          .slice(0, 8)
          .map(one => one.id)
          .join(', ')}. Use an id.`,
      }
    return { refused: `There is no element "${id.slice(0, 64)}". Find ids with "outline" or "find".` }
  }

  #outline({ root, depth = 20, kinds: wanted, offset = 0 }: Taken<'outline'>): { [key: string]: Json } | Refused {
    const within = root === undefined ? null : this.#known(root)
    if (within !== null && typeof within === 'object') return within
    const { model } = this
    const problems = new Map<Id, number>()
    for (const { at } of this.#branch.problems()) problems.set(at.id, (problems.get(at.id) ?? 0) + 1)
    const lines: string[] = []
    const walk = (ids: readonly Id[], level: number): void => {
      for (const id of ids) {
        const element = model.elements.get(id)
        if (!element) continue
        if (wanted === undefined || wanted.includes(element.kind))
          lines.push(`${'  '.repeat(level)}${lineOf(model, element, problems.get(id) ?? 0)}`)
        if (level + 1 < depth) walk(element.children, level + 1)
      }
    }
    walk(within === null ? model.roots : (model.elements.get(within)?.children ?? []), 0)
    return paged('lines', lines, offset)
  }

  #element(id: string, fields: readonly string[] | undefined): Json {
    const known = this.#known(id)
    if (typeof known === 'object') return { id, missing: known.refused }
    const { model } = this
    const element = model.elements.get(known)
    if (!element) return { id, missing: 'unknown' }
    return {
      id: known,
      kind: element.kind,
      ...(element.parent === null ? {} : { parent: element.parent }),
      fields: fieldsOf(element, undefined, fields),
      ...(element.ends ? { from: element.ends.from.id, to: element.ends.to.id } : {}),
      ...(element.children.length > 0 ? { inside: element.children.length } : {}),
      usedBy: usersOf(model, element).slice(0, 30),
    }
  }

  #find(text: string, kind: string | undefined, offset: number): { [key: string]: Json } {
    const wanted = text.toLowerCase()
    const found: string[] = []
    for (const element of this.model.elements.values()) {
      if (kind !== undefined && element.kind !== kind) continue
      const where = Object.entries(element.fields).find(([, value]) => textIn(value).toLowerCase().includes(wanted))
      if (where) found.push(`${lineOf(this.model, element, 0)} in ${where[0]}`)
    }
    return paged('found', found, offset)
  }

  #changes(from: string | undefined): { [key: string]: Json } | Refused {
    const other = from === undefined ? this.#parts.doc : this.#parts.others?.get(from)
    if (!other) {
      const names = [...(this.#parts.others?.keys() ?? [])].slice(0, 40)
      return { refused: `There is no version or file "${from}" to compare with. There are: ${names.join(', ') || 'none'}.` }
    }
    const deltas = deltasOf(other, this.#branch.doc)
    return { changes: deltas.length, list: listed(deltas.map(delta => deltaLine(this.model, delta))) }
  }

  #repair(problem: string | undefined): { [key: string]: Json } | Refused {
    if (problem === undefined) return this.#repairAll()
    const found = this.#branch.problems().find(one => spotOf(one) === problem)
    const failure = found ? null : failureIn(this.#branch, this.#failedRun)
    if (!found && (!failure || spotOf(failure.problem) !== problem))
      return { refused: `There is no problem "${problem}". "check" lists them, and a run says of what it failed.` }
    const repair = failure ? mendRun(this.#branch, failure, this.#failedRun.inputs) : found ? mend(this.#branch, found) : NONE
    if (repair.is === 'none') return { refused: 'There is no automatic repair for this problem.' }
    if (repair.is === 'ask') return this.#repaired([], [{ problem, choices: repair.choices }], null)
    this.#batched()
    return this.#repaired([english(repair.words)], [], null)
  }

  /** What the checker finds first: nothing runs before. Then what the run that failed last fails of; without one, short runs are made. */
  #repairAll(): { [key: string]: Json } {
    const { done, asks } = mendAll(this.#branch)
    const runs = mendRuns(this.#branch, this.#failedRun)
    for (const _ of [...done, ...runs.done]) this.#batched()
    const { left } = runs
    if (!left) this.#failedRun = {}
    return this.#repaired(
      [
        ...done.map(one => `${english(one.problem.message)} ${english(one.words)}`),
        ...runs.done.map(({ failure, words }) => `${failureLine(failure)} ${english(words)}`),
      ],
      [
        ...asks.map(one => ({ problem: spotOf(one.problem), choices: one.choices })),
        ...(left && left.choices.length > 0 ? [{ problem: spotOf(left.failure.problem), choices: left.choices }] : []),
      ],
      left && failureLine(left.failure),
    )
  }

  #repaired(
    repaired: string[],
    asks: readonly { readonly problem: string; readonly choices: readonly Candidate[] }[],
    runFails: string | null,
  ): { [key: string]: Json } {
    return {
      repaired,
      choices: asks.slice(0, 8).map(({ problem, choices }) => ({
        problem,
        ways: choices.slice(0, 8).map(({ words, calls }) => ({ does: english(words), calls: calls as unknown as Json })),
      })),
      left: this.#branch.problems().length,
      ...(runFails === null ? {} : { runFails }),
    }
  }

  #pattern(id: string | undefined, numbers: readonly number[]): { [key: string]: Json } | Refused {
    if (id === undefined)
      return {
        patterns: patterns.map(({ id: known, title, why, numbers: takes }) => ({
          id: known,
          title: english(title),
          does: english(why),
          numbers: takes.map(({ name, usual, least, most }) => `${english(name)}: ${usual} (${least} to ${most})`),
        })),
      }
    const pattern = patterns.find(one => one.id === id)
    const [scenario] = this.model.scenarios
    if (!pattern || scenario === undefined)
      return { refused: `There is no pattern "${id}". There are: ${patterns.map(one => one.id).join(', ')}.` }
    return this.#edit(callsOf(pattern, scenario, numbers))
  }

  #edit(calls: readonly EditCall[]): { [key: string]: Json } | Refused {
    const done = this.#branch.edit(calls)
    if ('refused' in done)
      return { refused: `Call ${done.call + 1} (${calls[done.call]?.do}) was refused, so nothing was changed: ${english(done.refused)}` }
    this.#batched()
    const { before, after, added } = done.problems
    return { made: [...done.made], problems: { before, after, new: listed(added.map(told)) } }
  }

  #batched(): void {
    this.#batches.push(() => this.#branch.takeBack())
  }

  #draft(kind: DraftKind, taken: Taken<'dashboard'>): { [key: string]: Json } | Refused {
    const related = (this.#parts.related?.() ?? []).filter(one => one.kind === kind)
    return this.#drafts.use(kind, taken, related, takeBack => this.#batches.push(takeBack))
  }

  #options(given: { scenario?: string | undefined; ticks?: number | undefined; inputs?: Readonly<Record<string, Plain>> | undefined }) {
    const scenario = given.scenario === undefined ? this.model.scenarios[0] : scenarioNamed(this.model, given.scenario)
    if (!scenario) return { refused: `There is no scenario "${given.scenario ?? ''}".` }
    const inputs: Record<string, Plain> = {}
    for (const [name, value] of Object.entries(given.inputs ?? {})) {
      const found = [...this.model.elements.values()].find(
        one =>
          one.kind === 'variable' && one.fields['public'] === true && (one.id === name || formulaName(nameOf(one)) === formulaName(name)),
      )
      if (!found) return { refused: `There is no public variable "${name}".` }
      inputs[found.id] = value
    }
    return { scenario, inputs, ...(given.ticks === undefined ? {} : { ticks: given.ticks }) }
  }

  #broken(): Refused {
    const errors = byCause(this.#branch.problems()).filter(({ severity }) => severity === 'error')
    return {
      refused: `The model has errors and cannot run: ${errors
        .slice(0, 5)
        .map(({ message, at }) => `${english(message)} (${at.id})`)
        .join(' ')}`,
    }
  }

  #figures(
    runs: number,
    given: { scenario?: string | undefined; ticks?: number | undefined; inputs?: Readonly<Record<string, Plain>> | undefined },
    branch = this.#branch,
    watch = this.#watch,
  ): Map<string, number[]> | Refused {
    const options = this.#options(given)
    if (isRefused(options)) return options
    return replications(branch, runs, { ...options, watch }) ?? this.#broken()
  }

  #experiment({ name, values, runs, ...rest }: Taken<'experiment'>): { [key: string]: Json } | Refused {
    const element = [...this.model.elements.values()].find(
      one => (one.kind === 'variable' || one.kind === 'container') && (one.id === name || sameName(nameOf(one), name)),
    )
    if (!element) return { refused: `"${name}" is neither a variable nor a container.` }
    const rows: { value: number; figures: Map<string, number[]> }[] = []
    for (const [i, value] of values.entries()) {
      const branch = new Branch(this.#branch.doc)
      const done = branch.edit([
        { do: 'set', id: element.id, field: 'initial', value: String(value) },
        ...(element.kind === 'container' && element.fields['capacity'] !== ''
          ? [{ do: 'set', id: element.id, field: 'capacity', value: String(value) } as const]
          : []),
      ])
      if ('refused' in done) return { refused: english(done.refused) }
      const figures = this.#figures(runs, rest, branch, partOf(this.#watch, i, values.length))
      if (isRefused(figures)) return figures
      rows.push({ value, figures })
    }
    const base = rows[0]?.figures ?? new Map<string, number[]>()
    const measured = rows.map(({ value, figures }) => ({
      value,
      measures: Object.fromEntries(
        [...figures].slice(0, 40).map(([one, all]) => {
          const first = base.get(one)
          const difference = figures === base ? null : differenceOf(first, all)
          return [one, { ...interval(all), ...(difference ? { difference } : {}) }]
        }),
      ),
    }))
    return { ...seeds(base), name: nameOf(element), values: measured as Json }
  }

  #compare({ a, b, runs, ...rest }: Taken<'compare'>): { [key: string]: Json } | Refused {
    const sides: Map<string, number[]>[] = []
    for (const [i, one] of [a, b].entries()) {
      const side = this.#side(one)
      if (isRefused(side)) return side
      const figures = this.#figures(runs, { ...rest, ...side.of }, side.branch, partOf(this.#watch, i, 2))
      if (isRefused(figures)) return { refused: `${one}: ${figures.refused}` }
      sides.push(figures)
    }
    const [first, second] = sides
    if (!first || !second) return { refused: 'Two sides are compared.' }
    const measures = [...new Set([...first.keys(), ...second.keys()])].slice(0, 40).map(one => {
      const [x, y] = [first.get(one), second.get(one)]
      const difference = y && differenceOf(x, y)
      return [one, { a: x ? interval(x) : null, b: y ? interval(y) : null, ...(difference ? { difference } : {}) }] as const
    })
    return { a, b, ...seeds(first), measures: Object.fromEntries(measures) }
  }

  /** What is compared by such a name. */
  #side(name: string): { branch: Branch; of: { scenario?: string } } | Refused {
    if (name === 'fork') return { branch: this.#branch, of: {} }
    if (name === 'document') return { branch: new Branch(this.#parts.doc), of: {} }
    const other = this.#parts.others?.get(name)
    if (other) return { branch: new Branch(other), of: {} }
    const scenario = scenarioNamed(this.model, name)
    if (scenario) return { branch: this.#branch, of: { scenario } }
    const known = [
      'fork',
      'document',
      ...this.model.scenarios.map(id => nameOf(this.model.elements.get(id))),
      ...(this.#parts.others?.keys() ?? []),
    ]
    return { refused: `There is nothing called "${name}" to compare. There are: ${known.slice(0, 40).join(', ')}.` }
  }

  #trace({ element, around, seed, ...rest }: Taken<'trace'>): { [key: string]: Json } | Refused {
    const known = this.#known(element)
    if (typeof known === 'object') return known
    const options = this.#options(rest)
    if (isRefused(options)) return options
    const steps = stepsAbout(this.model, options.scenario, known)
    if (steps.size === 0) return { refused: `No step has to do with "${element}".` }
    const came = traced(this.#branch, steps, {
      ...options,
      ...(seed === undefined ? {} : { seed }),
      ...(around === undefined ? {} : { around }),
      watch: this.#watch,
    })
    return came ? tracedOf(this.model, steps, came) : this.#broken()
  }

  #matters({ measure, ...rest }: Taken<'matters'>): { [key: string]: Json } | Refused {
    const options = this.#options(rest)
    if (isRefused(options)) return options
    const found = screening(new Branch(this.#branch.doc), { scenario: options.scenario, watch: this.#watch }, this.#parts.now)
    if (found === 'broken') return this.#broken()
    if (typeof found === 'string') return { refused: english(unscreened[found]) }
    const chosen = measureOf(found, measure)
    if (!chosen)
      return { refused: `Nothing is measured as "${measure ?? ''}". There are: ${[...found.measures.keys()].slice(0, 40).join(', ')}.` }
    return screenedOf(chosen, found)
  }

  #validate({ measure, expected, tolerance, runs, ...rest }: Taken<'validate'>): { [key: string]: Json } | Refused {
    const figures = this.#figures(runs, rest)
    if (isRefused(figures)) return figures
    const found = figures.get(measure)
    if (!found)
      return { refused: `Nothing is measured as "${measure}". There are: ${[...figures.keys()].slice(0, 40).join(', ') || 'no measures'}.` }
    const { low, high } = intervalOf(found, 0.95)
    const [least, greatest] = [expected - tolerance, expected + tolerance]
    const verdict =
      low >= least && high <= greatest ? 'holds' : high < least || low > greatest ? 'fails' : 'undecided: more runs would tell'
    return { measure, expected, tolerance, verdict, ...interval(found), ...seeds(figures) }
  }

  #offer(title: string, why: string): { [key: string]: Json } | Refused {
    const { author, now, offer } = this.#parts
    const added = newAmong(this.#branch.problemsBefore(), this.#branch.problems()).filter(({ severity }) => severity === 'error')
    if (added.length > 0)
      return {
        refused: `The changes bring ${added.length} new errors; repair them first: ${added
          .slice(0, 5)
          .map(({ message, at }) => `${english(message)} (${at.id})`)
          .join(' ')}`,
      }
    const obstacle = this.#drafts.obstacle()
    if (obstacle !== null) return { refused: obstacle }
    const files = this.#drafts.offered()
    const id = this.#proposal === null ? {} : { id: this.#proposal }
    const about = { title, why, by: author, at: now(), ...id, ...(files.length > 0 ? { files } : {}) }
    const made = this.#branch.propose(about, now)
    if (isRefusal(made)) return { refused: english(made.words) }
    // Refused twice; then people see how the run failed with the proposal.
    if (made.note.run?.end.startsWith('failed') && ++this.#failedTrials <= 2)
      return { refused: `A trial run of ${made.note.run.ticks} ticks ${made.note.run.end} Correct this, then offer again.` }
    const refused = offer(made)
    if (refused) return refused
    this.#proposal = made.id
    this.#batches = []
    const drafted = files.map(({ kind, name }) => ({ kind, name }))
    return {
      offered: made.id,
      changes: made.deltas.length,
      ...(files.length > 0 ? { files: drafted } : {}),
      problems: made.note.problems,
      run: made.note.run,
    }
  }
}

const no = (why: string): ToolAnswer => ({ ok: false, why: String(visible(why)).slice(0, 4000) })

const failureLine = ({ seed, tick, problem }: Failure): string =>
  `With seed ${seed} the run fails at tick ${tick}: ${english(problem.message)}`

const NONE: Repair = { is: 'none' }

const isRefused = (value: object): value is Refused => 'refused' in value && Object.keys(value).length === 1

const seeds = (figures: ReadonlyMap<string, readonly number[]>): { [key: string]: Json } => {
  const runs = Math.max(0, ...[...figures.values()].map(({ length }) => length))
  return { runs, seeds: runs === 0 ? 'none' : `1 to ${runs}` }
}
