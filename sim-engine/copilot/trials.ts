// Answers that come from running the model: how it ends and which tokens wait for which, how sure the results are, what another value changes.
// Every figure names the seeds it comes from, so that it can be reproduced.
import type { Doc } from 'yjs'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { compile } from '../compile.ts'
import { intervalOf } from '../experiment.ts'
import type { Plain, Summary } from '../messages.ts'
import { start } from '../run.ts'
import { Branch, ticksOf } from './branch.ts'
import { accept, proposalsOf, standingsOf, titleOf } from '../../model-schema/proposals.ts'
import { line, nameOf, sameName, type Line } from './questions.ts'
import { say, type Words } from '../../model-schema/words.ts'

/** Runs of one answer, the most instants of one run, and of all runs of one answer together; instants between looks at the watch. */
export const TRIAL = { runs: 10, ticks: 10_000, instants: 300_000, together: 3_000_000, slice: 500 } as const

/** The caller's side of a wait for runs: receives the progress (0 to 1), and may stop them. */
export type Watch = { readonly progress: (share: number) => void; readonly stopped: () => boolean }

/** A caller that ignores progress and never stops the runs. */
export const unwatched: Watch = { progress: () => undefined, stopped: () => false }

/** The watch of part `i` of `n` equal parts. */
export const partOf = ({ progress, stopped }: Watch, i: number, n: number): Watch => ({
  progress: share => progress((i + share) / n),
  stopped,
})

/** The caller stopped the runs: there is no answer. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}

export type TrialOptions = {
  seed?: number
  ticks?: number
  inputs?: Readonly<Record<string, Plain>>
  scenario?: Id
  watch?: Watch
  /** Whether the time for all runs is over. */
  isOver?: () => boolean
}

/** Runs a scenario to its end, or as far as an answer may take; null when the checker finds errors. */
export function trial(branch: Branch, options: TrialOptions = {}): Summary | null {
  return trials(branch, [{ seed: options.seed }], options)?.[0] ?? null
}

/** One of several runs: its seed (none: the scenario's own), and inputs of its own. */
type RunOfMany = { readonly seed?: number | undefined; readonly inputs?: Readonly<Record<string, Plain>> }

/**
 * Makes several runs of a scenario with one program. Null when the checker finds errors. Fewer than asked for when the runs together would take
 * more instants than an answer may, or their time is over. Throws Stopped when the watch says so.
 */
export function trials(branch: Branch, runs: readonly RunOfMany[], options: Omit<TrialOptions, 'seed'> = {}): Summary[] | null {
  const scenario = options.scenario ?? branch.model.scenarios[0] ?? ''
  const checked = branch.checkedOf(scenario)
  if (!checked?.ok) return null
  const program = compile(checked.checked)
  const ticks = Math.min(options.ticks ?? ticksOf(branch.model.elements.get(scenario)), TRIAL.ticks)
  const summaries: Summary[] = []
  const { watch = unwatched, isOver = () => false } = options
  let all = 0
  for (const [i, { seed, inputs }] of runs.entries()) {
    if (all >= TRIAL.together || isOver()) break
    const { progress, stopped } = partOf(watch, i, runs.length)
    const run = start(program, {
      ...(seed === undefined ? {} : { seed }),
      inputs: { ...options.inputs, ...inputs },
      ticks,
    })
    let made = 0
    while (made < TRIAL.instants && run.advance({ instants: TRIAL.slice })) {
      if (stopped()) throw new Stopped()
      if (isOver()) return summaries
      made += TRIAL.slice
      progress(Math.max(made / TRIAL.instants, ticks > 0 ? Math.min(1, run.world.tick / ticks) : 0))
    }
    progress(1)
    all += made
    summaries.push(run.summary())
  }
  return summaries
}

/** Steps of a trace before and after the time it is about. */
const TRACED = 60

export type Traced = { readonly summary: Summary; readonly lines: readonly string[]; readonly all: number }

/** One run, with a line (time, who, verb, step) for each step of these a token makes: those next to a time, or the last. Null as `trial`. */
export function traced(branch: Branch, steps: ReadonlySet<Id>, options: TrialOptions & { around?: number }): Traced | null {
  const { seed, ticks = TRIAL.ticks, inputs, watch = unwatched, around } = options
  const scenario = options.scenario ?? branch.model.scenarios[0] ?? ''
  const checked = branch.checkedOf(scenario)
  if (!checked?.ok) return null
  const run = start(compile(checked.checked, { debug: true }), {
    ...(seed === undefined ? {} : { seed }),
    ...(inputs === undefined ? {} : { inputs: { ...inputs } }),
    ticks: Math.min(ticks, ticksOf(branch.model.elements.get(scenario))),
  })
  const [before, after]: [string[], string[]] = [[], []]
  let all = 0
  run.trace = (text, step) => {
    if (!steps.has(step)) return
    all++
    if (around !== undefined && run.time >= around) {
      if (after.length < TRACED) after.push(text)
      return
    }
    before.push(text)
    if (before.length > TRACED) before.shift()
  }
  for (let made = 0; made < TRIAL.instants && run.advance({ instants: TRIAL.slice }); made += TRIAL.slice) {
    if (watch.stopped()) throw new Stopped()
    watch.progress(made / TRIAL.instants)
  }
  return { summary: run.summary(), lines: [...before, ...after], all }
}

export const broken = line(say('The model has errors: mend them first, then it can run.'))

/** How a run ends (`failed`: which run, when by a failure), and who waits for what then. Waits that go round are a deadlock. */
export function stillness(doc: Doc): { lines: Line[]; failed: { readonly scenario: Id; readonly seed: number } | null } {
  const branch = new Branch(doc)
  const summary = trial(branch)
  if (!summary) return { lines: [broken], failed: null }
  const { model } = branch
  const { result } = summary
  const lines: Line[] = []
  if (result.end === 'failed') {
    const { message, fix, at } = result.problem
    lines.push(
      line(
        say('With seed {seed} the run fails at tick {tick}: {message} {fix}', { seed: summary.seed, tick: result.tick, message, fix }),
        at.id,
      ),
    )
  } else
    lines.push(
      line(
        say('With seed {seed} the run goes {ticks} ticks and ends as: {end}.', {
          seed: summary.seed,
          ticks: summary.ticks,
          end: result.end,
        }),
      ),
    )
  const waiting = summary.waiting.filter(row => row.for !== 'time')
  if (waiting.length === 0) lines.push(line(say('Nothing stands still: no token waits for anything but time.')))
  lines.push(...waitsOf(model, waiting))
  const ring = ringOf(
    new Map(
      waiting
        .filter(row => row.for === 'container')
        .map(row => [row.element, { wants: wantedBy(model, model.elements.get(row.element)), holds: heldAt(model, row.element) }]),
    ),
  )
  if (ring) {
    const names = ring.map(id => `"${nameOf(model.elements.get(id))}"`).join(' → ')
    lines.push(
      line(
        say('This is a deadlock: {names} wait for each other. Request all of them at once, or always in one order.', { names }),
        ...ring,
      ),
    )
  }
  return { lines, failed: result.end === 'failed' ? { scenario: model.scenarios[0] ?? '', seed: summary.seed } : null }
}

/** The waiting tokens: where, for what, and what they hold meanwhile. */
export function waitsOf(model: Model, waiting: Summary['waiting']): Line[] {
  const reasons = {
    container: say('a container'),
    event: say('an event'),
    join: say('the other branches of a join'),
    others: say('others'),
    nothing: say('nothing that could come'),
    time: say('time'),
  } as const
  const names = (ids: readonly Id[]): string => ids.map(id => `"${nameOf(model.elements.get(id))}"`).join(', ')
  return waiting.map(row => {
    const wanted = wantedBy(model, model.elements.get(row.element))
    const held = heldAt(model, row.element)
    return line(
      say('{count} at "{step}" of {process}{who} wait for {more}{more2}.', {
        count: row.count,
        step: row.step,
        process: row.process,
        who: row.who.length > 0 ? ` (${row.who.join(', ')})` : '',
        more: wanted.length > 0 && row.for === 'container' ? names(wanted) : reasons[row.for],
        more2: held.length > 0 ? say(', and hold {held}', { held: names(held) }) : '',
      }),
      row.element,
      ...wanted,
    )
  })
}

/** The containers a step asks for. */
function wantedBy(model: Model, step: Element | undefined): Id[] {
  if (!step) return []
  const found: Id[] = []
  const rows = (field: string): unknown[] => (Array.isArray(step.fields[field]) ? (step.fields[field] as unknown[]) : [])
  for (const row of rows('resources'))
    if (isRow(row) && typeof row['container'] === 'string' && model.elements.has(row['container'])) found.push(row['container'])
  if (step.kind === 'operate') for (const row of rows('items')) if (isRow(row)) found.push(...containersIn(model, row['container']))
  return [...new Set(found)]
}

const isRow = (row: unknown): row is Record<string, unknown> => typeof row === 'object' && row !== null

const containersIn = (model: Model, text: unknown): Id[] =>
  [...model.elements.values()].flatMap(one =>
    one.kind === 'container' && typeof text === 'string' && sameName(String(one.fields['name']), text) ? [one.id] : [],
  )

/** What a token at a step has requested on its way and not yet released: back along the flows. */
function heldAt(model: Model, id: Id): Id[] {
  const step = model.elements.get(id)
  const flows = (model.elements.get(step?.parent ?? '')?.children ?? []).flatMap(one => {
    const flow = model.elements.get(one)
    return flow?.kind === 'flow' && flow.ends ? [flow.ends] : []
  })
  const held = new Set<Id>()
  const walk = (at: Id, released: ReadonlySet<Id>, seen: ReadonlySet<Id>): void => {
    for (const { from, to } of flows) {
      if (to.id !== at || from.id === null || seen.has(from.id)) continue
      const before = model.elements.get(from.id)
      const given = new Set(released)
      if (before?.kind === 'operate')
        for (const container of wantedBy(model, before)) {
          if (before.fields['operation'] === 'release') given.add(container)
          else if (before.fields['operation'] === 'request' && !given.has(container)) held.add(container)
        }
      if (seen.size < 200) walk(from.id, given, new Set([...seen, from.id]))
    }
  }
  walk(id, new Set(), new Set([id]))
  return [...held]
}

/** Containers that those who hold one wait for another of, all the way round. */
export function ringOf(waits: ReadonlyMap<Id, { wants: readonly Id[]; holds: readonly Id[] }>): Id[] | null {
  const next = new Map<Id, Set<Id>>()
  for (const { wants, holds } of waits.values())
    for (const held of holds) for (const wanted of wants) if (held !== wanted) next.set(held, (next.get(held) ?? new Set()).add(wanted))
  for (const first of next.keys()) {
    const path: Id[] = []
    const walk = (id: Id): boolean => {
      if (path.includes(id)) return id === first
      path.push(id)
      for (const one of next.get(id) ?? []) if ((one === first && path.length > 0) || walk(one)) return true
      path.pop()
      return false
    }
    if (walk(first)) return path
  }
  return null
}

/** The figures of a summary by name. */
export function figuresOf(summary: Summary): Map<string, number> {
  const figures = new Map<string, number>()
  for (const [name, value] of Object.entries(summary.statistics)) if (typeof value === 'number') figures.set(name, value)
  for (const [container, values] of Object.entries(summary.containers))
    for (const name of ['meanWait', 'meanQueue', 'utilization', 'level']) {
      const value = values[name]
      if (typeof value === 'number') figures.set(`${container}.${name}`, value)
    }
  for (const [name, value] of Object.entries(summary.populations)) figures.set(name, value)
  return figures
}

/** Seeds 1, 2, ... and the figures of their runs; null when the checker finds errors. */
export function replications(branch: Branch, runs: number, options: Omit<TrialOptions, 'seed'> = {}): Map<string, number[]> | null {
  const made = trials(
    branch,
    Array.from({ length: runs }, (_, i) => ({ seed: i + 1 })),
    options,
  )
  if (!made) return null
  const all = new Map<string, number[]>()
  for (const summary of made) for (const [name, value] of figuresOf(summary)) all.set(name, [...(all.get(name) ?? []), value])
  return all
}

export const shown = (value: number): string => (Number.isFinite(value) ? String(Number(value.toPrecision(4))) : '∞')
const between = (values: readonly number[]): string => {
  const { mean, low, high } = intervalOf(values, 0.95)
  return values.every(value => value === values[0]) ? shown(mean) : `${shown(mean)} (${shown(low)} … ${shown(high)})`
}

/** Means and 95 % intervals of what the model measures. */
export function replicated(doc: Doc): Line[] {
  const found = replications(new Branch(doc), TRIAL.runs)
  if (!found) return [broken]
  return [
    line(say('{runs} runs, seeds 1 to {runs}: mean (95 % interval).', { runs: TRIAL.runs })),
    ...[...found].slice(0, 20).map(([name, values]) => line(say('{name}: {values}', { name, values: between(values) }))),
  ]
}

/** What another value of a variable, or another amount of a container, changes: the same seeds with and without. */
export function comparison(doc: Doc, name: string, value: number): Line[] {
  const now = new Branch(doc)
  const element = [...now.model.elements.values()].find(
    one => (one.kind === 'variable' || one.kind === 'container') && sameName(String(one.fields['name']), name),
  )
  if (!element) return [line(say('There is no variable or container "{name}".', { name }))]
  const then = new Branch(doc)
  const done = then.edit([
    { do: 'set', id: element.id, field: 'initial', value: String(value) },
    ...(element.kind === 'container' && element.fields['capacity'] !== ''
      ? [{ do: 'set', id: element.id, field: 'capacity', value: String(value) } as const]
      : []),
  ])
  if ('refused' in done) return [{ words: done.refused, cites: [element.id] }]
  return compared(
    now,
    then,
    line(
      say('{runs} runs each, seeds 1 to {runs}, as it is and with {element} = {value}: mean (95 % interval).', {
        runs: TRIAL.runs,
        element: nameOf(element),
        value,
      }),
      element.id,
    ),
  )
}

/** What an open proposal in the document would change: runs with the same seeds without and with what is still open of it. */
export function rehearsed(doc: Doc, id: Id): Line[] {
  const proposal = proposalsOf(doc).find(one => one.id === id)
  if (!proposal) return [line(say('This proposal is no longer there.'))]
  const open = [...standingsOf(doc, proposal)].flatMap(([one, { is }]) => (is === 'open' ? [one] : []))
  const then = new Branch(doc)
  const taken = accept(then.doc, proposal, open)
  if ('refused' in taken) return [{ words: taken.words, cites: [] }]
  const now = new Branch(doc)
  const intro = line(
    say('“{proposal}” tried: {runs} runs each, seeds 1 to {runs}, without and with {count} changes: mean (95 % interval).', {
      proposal: titleOf(proposal),
      runs: TRIAL.runs,
      count: taken.taken.length,
    }),
  )
  return compared(now, then, intro)
}

/** What the runs of two documents differ in, under the same seeds. */
export const twoCompared = (before: Doc, after: Doc, names: { readonly before: Words; readonly after: Words }): Line[] =>
  compared(
    new Branch(before),
    new Branch(after),
    line(say('{runs} runs each, seeds 1 to {runs}, {before} and {after}: mean (95 % interval).', { runs: TRIAL.runs, ...names })),
  )

/** What the runs of two scenarios of a document differ in, under the same seeds. */
export function scenariosCompared(doc: Doc, a: Id, b: Id): Line[] {
  const [one, other] = [new Branch(doc), new Branch(doc)]
  const names = { a: nameOf(one.model.elements.get(a)), b: nameOf(one.model.elements.get(b)) }
  const intro = line(
    say('{runs} runs each, seeds 1 to {runs}, of “{a}” and of “{b}”: mean (95 % interval).', { runs: TRIAL.runs, ...names }),
    a,
    b,
  )
  return compared(one, other, intro, { before: { scenario: a }, after: { scenario: b } })
}

/** The figures of both under the same seeds. What only one of them measures or runs is said as such. */
function compared(now: Branch, then: Branch, intro: Line, of: { before?: TrialOptions; after?: TrialOptions } = {}): Line[] {
  const [before, after] = [replications(now, TRIAL.runs, of.before), replications(then, TRIAL.runs, of.after)]
  if (!after) return [broken]
  if (!before)
    return [
      intro,
      line(say('Without it the model does not run.')),
      ...[...after].slice(0, 20).map(([name, values]) => line(say('{name}: {values}', { name, values: between(values) }))),
    ]
  const lines = [intro]
  for (const [figure, values] of after)
    if (!before.has(figure)) lines.push(line(say('{figure}: new, {values}', { figure, values: between(values) })))
  for (const [figure, values] of before) {
    const others = after.get(figure)
    if (!others || others.length !== values.length) continue
    // The same seeds on both sides: the differences say more than the two means.
    const difference = intervalOf(
      values.map((one, i) => (others[i] ?? 0) - one),
      0.95,
    )
    const sure = difference.low > 0 || difference.high < 0
    const ratio = intervalOf(others, 0.95).mean / intervalOf(values, 0.95).mean
    const times = Number.isFinite(ratio) ? `, × ${shown(ratio)}` : ''
    lines.push(
      line(
        say('{figure}: {values} → {others}{times}; {more}.', {
          figure,
          values: between(values),
          others: between(others),
          times,
          more: sure ? say('a real difference') : say('no difference that can be told from chance'),
        }),
      ),
    )
  }
  return lines
}
