// What matters: which inputs move a measure, from a screening by Morris's method. Every input goes over a range around its value, one at a time, from
// several points of departure; each path has a seed of its own, the same at all of its points.
import type { Doc } from 'yjs'
import { formulaName } from '../../model-schema/kinds.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { studentQuantile } from '../experiment/distributions.ts'
import { morrisPaths } from '../experiment/explore/designs.ts'
import { elementaryEffects } from '../experiment/explore/sensitivity.ts'
import { sampleVarianceOf } from '../kernel/descriptive.ts'
import { stream } from '../kernel/random.ts'
import type { Plain, Summary } from '../messages.ts'
import { referencesTo } from '../references.ts'
import { say, type Words } from '../../model-schema/words.ts'
import { Branch } from './branch.ts'
import { line, nameOf, sameName, type Answer, type Line } from './questions.ts'
import { broken, figuresOf, shown, trials, type TrialOptions } from './trials.ts'

/**
 * Inputs at most, runs of them all at most, paths, levels of a range, the part of a value it goes up and down by, seed of the design. After so many
 * milliseconds the paths that are whole are all there is: they are the same on every machine, only their number is not.
 */
const SCREENED = { inputs: 12, runs: 60, leastPaths: 4, mostPaths: 10, levels: 4, share: 0.25, seed: 1, milliseconds: 30_000 } as const

/** An input and the range it goes over; a condition has none. */
type Input = { readonly id: Id; readonly name: string; readonly low: Plain; readonly high: Plain }

/** An input of the program: `variable` gets the values. */
type Screened = Input & { readonly variable: Id; readonly at: (share: number) => Plain }

/** What going over the range of an input changes on average: whichever way, and upwards with its 95 % interval. */
type Effect = {
  readonly input: Input
  readonly size: number
  readonly mean: number
  readonly low: number
  readonly high: number
  /** Whether it is more than other seeds alone would change. */
  readonly isSure: boolean
}

/** `base`: the mean as the model is. Effects from the largest on; without those by chance after the others. */
export type Measured = { readonly base: number; readonly effects: readonly Effect[] }

export type Screening = {
  readonly runs: number
  /** Also the seeds, from 1 on. */
  readonly paths: number
  readonly failed: number
  /** Whether time was over before all paths were run. */
  readonly isCut: boolean
  /** Inputs that were left out, as there are too many. */
  readonly leftOut: number
  readonly measures: ReadonlyMap<string, Measured>
}

type Unscreened = 'broken' | 'no inputs' | 'no measures' | 'too long'

/**
 * Screens a scenario of a branch, by its inputs; of a model without inputs by its constants. `branch` is changed: it is for this alone. `clock`:
 * milliseconds; without it the runs take as long as they take.
 */
export function screening(
  branch: Branch,
  options: Omit<TrialOptions, 'seed' | 'inputs'> = {},
  clock: () => number = () => 0,
): Screening | Unscreened {
  const scenario = options.scenario ?? branch.model.scenarios[0] ?? ''
  if (branch.checkedOf(scenario)?.ok !== true) return 'broken'
  const all = inputsOf(branch, scenario)
  const inputs = all.slice(0, SCREENED.inputs)
  if (inputs.length === 0) return 'no inputs'
  const wanted = Math.floor(SCREENED.runs / (inputs.length + 2))
  const count = Math.min(SCREENED.mostPaths, Math.max(SCREENED.leastPaths, wanted))
  const paths = morrisPaths(inputs.length, SCREENED.levels, count, stream(SCREENED.seed, 0, 'design'))
  // Each path begins with a run of the model as it is: what its seed alone changes.
  const planned = paths.flatMap(({ points }, p) => [
    { seed: p + 1 },
    ...points.map(point => ({
      seed: p + 1,
      inputs: Object.fromEntries(inputs.map(({ variable, at }, k) => [variable, at(point[k] ?? 0)])),
    })),
  ])
  const begun = clock()
  const made = trials(branch, planned, { isOver: () => clock() - begun > SCREENED.milliseconds, ...options, scenario })
  if (!made) return 'broken'
  const width = inputs.length + 2
  const whole = paths.slice(0, Math.floor(made.length / width))
  if (whole.length < 2) return 'too long'
  const rows = made.slice(0, whole.length * width).map(figuresIn)
  const measures = new Map<string, Measured>()
  for (const name of new Set(rows.flatMap(row => [...row.keys()]))) {
    const values = whole.map((_, p) => rows.slice(p * width, (p + 1) * width).map(row => row.get(name) ?? NaN))
    const found = measuredBy(inputs, whole, values)
    if (found) measures.set(name, found)
  }
  if (measures.size === 0) return 'no measures'
  return {
    runs: rows.length,
    paths: whole.length,
    failed: made.filter(({ result }) => result.end === 'failed').length,
    isCut: whole.length < paths.length,
    leftOut: all.length - inputs.length,
    measures,
  }
}

const figuresIn = (summary: Summary): Map<string, number> => (summary.result.end === 'failed' ? new Map() : figuresOf(summary))

/** `values`: of each path, first as the model is, then at its points. Null where too little was measured. */
function measuredBy(
  inputs: readonly Screened[],
  paths: ReturnType<typeof morrisPaths>,
  values: readonly (readonly number[])[],
): Measured | null {
  const bases = values.map(([base = NaN]) => base).filter(Number.isFinite)
  const good = paths.flatMap((path, p) => {
    const outputs = values[p]?.slice(1) ?? []
    return outputs.every(Number.isFinite) ? [{ path, outputs }] : []
  })
  if (good.length < 2 || bases.length < 2) return null
  const found = elementaryEffects(
    good.map(({ path }) => path),
    good.map(({ outputs }) => outputs),
    inputs.length,
  )
  // What two runs with seeds that have nothing in common differ by on average, over the step that an input makes.
  const step = Math.abs(good[0]?.path.steps[0] ?? 1)
  const chance = (2 * Math.sqrt(sampleVarianceOf(bases) / Math.PI)) / step
  const width = studentQuantile(0.975, good.length - 1) / Math.sqrt(good.length)
  const effects = inputs.map((input, k): Effect => {
    const { mean = 0, absolute: size = 0, std = 0, error = 0 } = found[k] ?? {}
    const [low, high] = [mean - width * std, mean + width * std]
    return { input, size, mean, low, high, isSure: low > 0 || high < 0 || size - 2 * error > chance }
  })
  return {
    base: bases.reduce((sum, one) => sum + one, 0) / bases.length,
    effects: effects.toSorted((a, b) => Number(b.isSure) - Number(a.isSure) || b.size - a.size),
  }
}

/** The inputs of a scenario; where there are none, its numbers that no formula changes. Amounts of containers always: the branch gives each an input. */
function inputsOf(branch: Branch, scenario: Id): Screened[] {
  const { model } = branch
  const inside = (model.elements.get(scenario)?.children ?? []).flatMap(id => model.elements.get(id) ?? [])
  const containers = inside.filter(one => one.kind === 'container' && one.fields['contents'] === 'amount' && numberIn(one) !== null)
  const overridden = overridesOf(model, scenario)
  const publics = publicsOf(branch, scenario, overridden)
  const own = publics.length > 0 ? publics : constantsAsInputs(branch, scenario, inside, overridden)
  return [...own, ...containers.flatMap(one => amountAsInput(branch, scenario, one) ?? [])]
}

/** The initial values that a scenario has of its own. */
function overridesOf({ elements }: Model, scenario: Id): ReadonlyMap<Id, string> {
  const rows = elements.get(scenario)?.fields['overrides']
  return new Map(
    (Array.isArray(rows) ? rows : []).flatMap(row =>
      typeof row === 'object' && row !== null && !Array.isArray(row) ? [[String(row['variable']), String(row['value'])] as const] : [],
    ),
  )
}

/** The number that an element begins with; null when a formula says it. */
function numberIn(element: Element, initial = String(element.fields['initial'] ?? '')): number | null {
  const value = initial.trim() === '' ? NaN : Number(initial)
  return Number.isFinite(value) ? value : null
}

function publicsOf(branch: Branch, scenario: Id, overridden: ReadonlyMap<Id, string>): Screened[] {
  const checked = branch.checkedOf(scenario)
  if (!checked?.ok) return []
  return checked.checked.parts.shared.flatMap(({ id, public: isInput, storage, element, min, max }) => {
    if (!isInput) return []
    const input = { id, name: nameOf(element), variable: id }
    if (storage === 'bool') return [{ ...input, low: false, high: true, at: (share: number) => share > 0.5 }]
    if (storage !== 'number') return []
    const range = rangeOf(numberIn(element, overridden.get(id)), min, max)
    return range ? [{ ...input, ...range }] : []
  })
}

/** A range around a value, within its bounds; null when nothing says where it would be. */
function rangeOf(value: number | null, min: number | null, max: number | null): Pick<Screened, 'low' | 'high' | 'at'> | null {
  if (value === null && (min === null || max === null)) return null
  const around = value === null || value === 0 ? null : [value * (1 - SCREENED.share), value * (1 + SCREENED.share)]
  const [first, last] = around ? [Math.min(...around), Math.max(...around)] : [min ?? 0, max ?? 1]
  const isWhole = [value, min, max].every(one => one === null || Number.isInteger(one))
  const [wide, far] = isWhole && around ? [Math.floor(first), Math.ceil(last)] : [first, last]
  const [low, high] = [Math.max(wide, min ?? -Infinity), Math.min(far, max ?? Infinity)]
  if (!(high > low)) return null
  const at = (share: number): number => {
    const exact = low + share * (high - low)
    return isWhole ? Math.round(exact) : Number(exact.toPrecision(15))
  }
  return { low, high, at }
}

function constantsAsInputs(branch: Branch, scenario: Id, inside: readonly Element[], overridden: ReadonlyMap<Id, string>): Screened[] {
  const { model } = branch
  const constants = inside.filter(
    one =>
      one.kind === 'variable' &&
      numberIn(one, overridden.get(one.id)) !== null &&
      !referencesTo(model, scenario, one.id).some(({ writes }) => writes),
  )
  if (constants.length === 0) return []
  const done = branch.edit(constants.map(({ id }) => ({ do: 'set', id, field: 'public', value: true })))
  return 'refused' in done ? [] : publicsOf(branch, scenario, overridden)
}

/** A variable of the branch that says the amount; null when that would not hold. */
function amountAsInput(branch: Branch, scenario: Id, container: Element): Screened | null {
  const value = numberIn(container)
  const range = rangeOf(value, Math.min(value ?? 1, 1), null)
  if (!value || !range) return null
  const name = `${formulaName(nameOf(container))}_amount_screened`
  const isFull = numberIn(container, String(container.fields['capacity'] ?? '')) === value
  const done = branch.edit([
    { do: 'place', kind: 'variable', parent: scenario, values: { name, initial: String(value), public: true } },
    { do: 'set', id: container.id, field: 'initial', value: name },
    ...(isFull ? [{ do: 'set', id: container.id, field: 'capacity', value: name } as const] : []),
  ])
  if ('refused' in done) return null
  const [variable = null] = done.made
  if (variable === null) return null
  if (done.problems.added.length === 0) return { id: container.id, name: nameOf(container), variable, ...range }
  branch.takeBack()
  return null
}

/** Inputs that are said one by one, other measures that may be asked about next. */
const SAID = { inputs: 8, next: 5 } as const

/** What moves a measure most, in sentences; the first that any input moves when none is named. */
export function whatMatters(doc: Doc, measure?: string, clock?: () => number): Pick<Answer, 'lines' | 'next'> {
  const found = screening(new Branch(doc), {}, clock)
  if (typeof found === 'string') return { lines: [line(unscreened[found])], next: [] }
  const chosen = measureOf(found, measure) ?? measureOf(found)
  if (!chosen) return { lines: [line(unscreened['no measures'])], next: [] }
  const [name, measured] = chosen
  const next = [...found.measures]
    .filter(([other]) => other !== name)
    .slice(0, SAID.next)
    .map(([other]) => ({
      words: say('What matters for {measure}?', { measure: other }),
      ask: { about: 'matters', measure: other } as const,
    }))
  return { lines: [...introOf(name, measured, found), ...effectLines(name, measured)], next }
}

/** A measure by its name; without one the first that any input moves. */
export function measureOf({ measures }: Screening, name?: string): readonly [string, Measured] | undefined {
  const all = [...measures]
  if (name !== undefined) return all.find(([one]) => sameName(one, name))
  return all.find(([, { effects }]) => effects.some(({ isSure }) => isSure)) ?? all[0]
}

export const unscreened: Readonly<Record<Unscreened, Words>> = {
  broken: broken.words,
  'no inputs': say('The model has no input whose value could be varied: mark a variable as an input first.'),
  'no measures': say('The runs measure nothing that could be compared: add a statistic first.'),
  'too long': say('The runs take too long for an answer here. An experiment with the Morris design does it in the background.'),
}

function introOf(name: string, { base, effects }: Measured, { runs, paths, failed, leftOut, isCut }: Screening): Line[] {
  const lines = [
    line(
      say(
        '{runs} runs, seeds 1 to {paths}, by Morris’s method: {count, plural, one {the only input goes} other {each of # inputs goes}} over its range from {paths} points of departure, one at a time. As the model is, {measure} is {base}.',
        { runs, paths, count: effects.length, measure: name, base: shown(base) },
      ),
    ),
  ]
  if (isCut) lines.push(line(say('The runs are long: there was time for these only. An experiment with the Morris design makes more.')))
  if (leftOut > 0)
    lines.push(line(say('{count, plural, one {# more input was left out.} other {# more inputs were left out.}}', { count: leftOut })))
  if (failed > 0)
    lines.push(
      line(say('{count, plural, one {# run failed and was left out.} other {# runs failed and were left out.}}', { count: failed })),
    )
  return lines
}

function effectLines(measure: string, { effects }: Measured): Line[] {
  const sure = effects.filter(({ isSure }) => isSure)
  const others = effects.filter(({ isSure }) => !isSure)
  const lines = sure.slice(0, SAID.inputs).map((effect, i) => line(effectWords(effect, i + 1, measure), effect.input.id))
  if (sure.length === 0) lines.push(line(say('No input moves {measure} by more than chance does.', { measure })))
  const rest = [...sure.slice(SAID.inputs), ...others].map(({ input }) => input)
  if (sure.length > 0 && rest.length > 0)
    lines.push(
      line(say('Less, or not to be told from chance: {names}.', { names: rest.map(({ name }) => name) }), ...rest.map(({ id }) => id)),
    )
  return lines
}

function effectWords({ input, size, mean, low, high }: Effect, rank: number, measure: string): Words {
  const values = { rank, measure, size: shown(size), ...rangeWords(input) }
  if (low > 0)
    return say('{rank}. {input}, from {from} to {to}: raises {measure} by {mean} ({low} … {high}).', {
      ...values,
      mean: shown(mean),
      low: shown(low),
      high: shown(high),
    })
  if (high < 0)
    return say('{rank}. {input}, from {from} to {to}: lowers {measure} by {mean} ({low} … {high}).', {
      ...values,
      mean: shown(-mean),
      low: shown(-high),
      high: shown(-low),
    })
  return say('{rank}. {input}, from {from} to {to}: moves {measure} by {size}, up or down as the other inputs are.', values)
}

const rangeWords = ({ name, low, high }: Input): { input: string; from: Words | string; to: Words | string } => ({
  input: name,
  from: typeof low === 'number' ? shown(low) : say('no'),
  to: typeof high === 'number' ? shown(high) : say('yes'),
})
