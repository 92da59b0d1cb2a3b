// `holarchy run`: runs a scenario in slices, so that it can be stopped and shows its progress, and prints the results.
import { inLanguages } from '../../model-schema/languages/catalogues.ts'
import { writeFileSync } from 'node:fs'
import { formulaName } from '../../model-schema/kinds.ts'
import type { Model } from '../../model-schema/model.ts'
import { check } from '../check.ts'
import type { Checked } from '../check.ts'
import { compile } from '../compile.ts'
import type { Program } from '../compile.ts'
import { Meter } from '../debug/meter.ts'
import type { Plain, RunOptions, RunResult, Summary } from '../messages.ts'
import type { Problem } from '../problems.ts'
import { engineTime, profileRows, speedscopeFile, type Profile } from '../profile.ts'
import { start, type Run } from '../run.ts'
import { checkWritable, Misuse, whole } from '../experiment/arguments.ts'
import { numberOption, parseCommand, reasonOf } from './arguments.ts'
import { nameOf, readModelFile, scenarioOf } from './model-file.ts'
import type { ModelFile } from './model-file.ts'
import { problemText } from './problem-text.ts'
import { english } from '../../model-schema/words.ts'
import { unreachable } from '../../model-schema/unreachable.ts'

export type Output = { out(text: string): void; err(text: string): void }
/** With a clock in milliseconds: the engine itself has none. */
type Timed = Output & { now(): number }

/** How a run is observed; without it, it runs in one piece. */
export type Pace = { now(): number; /** Whether the progress may overwrite its last line. */ isTerminal: boolean }

type Interrupted = { end: 'interrupted'; ticks: number; time: number }
type Ran = Omit<Summary, 'result'> & { result: RunResult | Interrupted; output: ReturnType<Run['takeOutput']>; trace?: string[] }

/** Milliseconds of running between two looks at whether it is to stop. */
const slice = 100
/** Milliseconds before the first line about progress, and between two. */
const quietFor = 1000
const between = { terminal: 500, file: 10_000 }
/** Most lines of a trace in JSON: what is above is left out, and said to be. */
const mostTraced = 1_000_000

type Settings = {
  file: ModelFile
  scenario: string
  program: Program
  inputs: Record<string, Plain>
  seed: number | undefined
  ticks: number | undefined
  stepLimit: number | undefined
  replications: number
  json: boolean
  trace: boolean
  meter: Meter | null
}

/** Yields between slices; what is sent back says whether to stop. Returns the exit code but for that of a signal: `stopped`. */
export function* runCommand(args: readonly string[], output: Timed, pace: Pace | null): Generator<void, 0 | 1 | 2 | 'stopped', boolean> {
  const { file: path, values } = parseCommand(args, [
    'scenario',
    'seed',
    'ticks',
    'set',
    'replications',
    'step-limit',
    'json',
    'trace',
    'profile',
  ])
  const json = values.json === true
  const seed = whole('seed', values.seed, 0, 4294967295)
  const ticks = numberOption('ticks', values.ticks)
  const stepLimit = numberOption('step-limit', values['step-limit'])
  const replications = whole('replications', values.replications, 1, 100_000) ?? 1
  if (values.profile !== undefined) checkWritable('profile', values.profile)
  const file = readModelFile(path)
  const { model } = file
  const scenario = scenarioOf(model, values.scenario)
  const checked = check(model, scenario)
  const warnings = [...file.problemsOf(scenario), ...checked.problems]
  if (!json) {
    output.err(file.told)
    for (const one of checked.problems) output.err(problemText(model, one))
  }
  if (!checked.ok || warnings.some(({ severity }) => severity === 'error')) {
    if (json) output.out(printed({ problems: warnings }))
    return 1
  }
  const meter = values.profile === undefined ? null : new Meter(checked.checked.parts.steps.length, output.now)
  const program = compile(checked.checked, { debug: values.trace === true, metered: meter !== null })
  const inputs = inputsOf(checked, values.set ?? [])
  const settings: Settings = {
    file,
    scenario,
    program,
    inputs,
    seed,
    ticks,
    stepLimit,
    replications,
    json,
    trace: values.trace === true,
    meter,
  }
  const { ran, stopped } = yield* runAll(settings, output, pace)
  if (meter && values.profile !== undefined) writeProfile(values.profile, model, meter.profile(program), nameOf(model, scenario))
  if (json) output.out(printed(documentOf(ran, replications, warnings)))
  else tell(settings, ran, output)
  if (stopped) return 'stopped'
  return ran.some(({ result }) => result.end === 'failed') ? 1 : 0
}

const printed = (value: unknown): string => `${JSON.stringify(value, inLanguages(), 2)}\n`

function documentOf(ran: readonly Ran[], replications: number, found: readonly Problem[]): unknown {
  const [only] = ran
  const one = replications === 1 ? only : undefined
  const warnings = [...found, ...(one?.warnings ?? [])]
  const told = warnings.length > 0 ? { warnings } : {}
  return one ? { ...one, ...told } : { replications: ran, mean: meansOf(complete(ran)), ...told }
}

const complete = (ran: readonly Ran[]): Ran[] => ran.filter(({ result }) => result.end !== 'interrupted')

function* runAll(settings: Settings, output: Output, pace: Pace | null): Generator<void, { ran: Ran[]; stopped: boolean }, boolean> {
  const { program, replications, json, trace, meter, seed, inputs } = settings
  const options: RunOptions = { inputs }
  if (settings.ticks !== undefined) options.ticks = settings.ticks
  if (settings.stepLimit !== undefined) options.stepLimit = settings.stepLimit
  const first = seed ?? (replications > 1 ? start(program, options).seed : undefined)
  const ran: Ran[] = []
  const progress = pace && new Progress(pace, output, replications)
  let stopped = false
  for (let r = 0; r < replications && !stopped; r++) {
    const run = start(program, first === undefined ? options : { ...options, seed: (first + r) % 4294967296 })
    const traced: string[] = []
    let left = 0
    if (trace)
      run.trace = line => {
        if (!json) output.out(`${line}\n`)
        else if (traced.length < mostTraced) traced.push(line)
        else left++
      }
    stopped = yield* advance(run, meter, pace, () => progress?.look(r, run))
    if (stopped) run.stop()
    if (left > 0) traced.push(`... and ${left} more`)
    const summary: Ran = { ...run.summary(), output: run.takeOutput() }
    if (stopped) summary.result = { end: 'interrupted', ticks: summary.ticks, time: summary.time }
    if (trace && json) summary.trace = traced
    ran.push(summary)
    if (!json) for (const { tick, text } of summary.output) output.out(`[${tick}] ${text}\n`)
  }
  progress?.clear()
  return { ran, stopped }
}

/** Runs to the end; when observed, in slices of about equal time. True when it is to stop. */
function* advance(run: Run, meter: Meter | null, pace: Pace | null, told: () => void): Generator<void, boolean, boolean> {
  if (meter) run.inner.built.clockwork.meter = meter
  if (!pace && !meter) {
    run.advance()
    return false
  }
  for (let instants = 16; ;) {
    const began = pace?.now() ?? 0
    if (meter ? !metered(run, meter, instants) : !run.advance({ instants })) return false
    const took = (pace?.now() ?? 0) - began
    if (took < slice / 2) instants = Math.min(instants * 2, 2 ** 30)
    else if (took > slice * 2) instants = Math.max(1, Math.ceil(instants / 2))
    told()
    if (yield) return true
  }
}

/** Instants one by one; true while there is more to come. */
function metered(run: Run, meter: Meter, instants: number): boolean {
  for (let k = 0; k < instants; k++) {
    meter.resume()
    const more = run.advance({ instants: 1 })
    meter.pause()
    if (!more) return false
  }
  return true
}

/** Shows the progress of runs, once they take longer than a moment. */
class Progress {
  readonly #pace: Pace
  readonly #output: Output
  readonly #of: number
  #next: number
  #isShown = false

  constructor(pace: Pace, output: Output, replications: number) {
    this.#pace = pace
    this.#output = output
    this.#of = replications
    this.#next = pace.now() + quietFor
  }

  look(r: number, run: Run): void {
    const now = this.#pace.now()
    if (now < this.#next) return
    this.#next = now + (this.#pace.isTerminal ? between.terminal : between.file)
    const { endsAt } = run
    const part = endsAt < Infinity ? ` of ${endsAt} (${Math.floor((100 * run.time) / endsAt)} %)` : ''
    const text = `${this.#of > 1 ? `run ${r + 1} of ${this.#of}, ` : ''}time ${Number(run.time.toPrecision(10))}${part}`
    this.#isShown = this.#pace.isTerminal
    this.#output.err(this.#pace.isTerminal ? `\r\u001B[K${text}` : `${text}\n`)
  }

  /** Leaves a clean line. */
  clear(): void {
    if (this.#isShown) this.#output.err('\r\u001B[K')
  }
}

/** The output for people: errors first, then the results. */
function tell({ file: { model }, replications, meter, program }: Settings, ran: readonly Ran[], output: Output): void {
  for (const { result } of ran)
    if (result.end === 'failed') {
      const who = result.entity === null ? '' : `, ${result.entity}`
      output.err(problemText(model, result.problem, ` (tick ${result.tick}, time ${result.time}${who})`))
    }
  for (const one of new Map(
    ran.flatMap(({ warnings = [] }) => warnings.map(warning => [english(warning.message), warning] as const)),
  ).values())
    output.err(problemText(model, one))
  const [only] = ran
  if (only && replications === 1) output.out(summaryText(model, only))
  else output.out(meansText(ran))
  if (meter) output.out(profileText(model, meter.profile(program)))
}

const spotName = (model: Model, element: string, field: string | null): string =>
  `${nameOf(model, element) || element}${field === null ? '' : ` · ${field}`}`

function writeProfile(path: string, model: Model, profile: Profile, title: string): void {
  try {
    writeFileSync(
      path,
      speedscopeFile(profile, title, (element, field) => spotName(model, element, field)),
    )
  } catch (error) {
    throw new Misuse(`cannot write ${path}: ${reasonOf(error)}`)
  }
}

/** What took longest, in milliseconds. */
function profileText(model: Model, profile: Profile): string {
  const ms = (value: number): string => value.toFixed(1).padStart(10)
  const lines = profileRows(profile)
    .slice(0, 20)
    .map(row => `${ms(row.total)} ${ms(row.self)} ${String(row.calls).padStart(10)}  ${spotName(model, row.element, row.field)}`)
  return `\nprofile   ${profile.milliseconds.toFixed(1)} ms, of these ${engineTime(profile).toFixed(1)} ms in the engine itself\n     total       self      calls\n${lines.join('\n')}\n`
}

/** `--set` by name: global variables by their name, observers' as `Population.name`. */
export function inputsOf(checked: Checked, settings: readonly string[]): Record<string, Plain> {
  const inputs: Record<string, Plain> = {}
  const variables = checked.ok ? checked.checked.parts.shared.filter(variable => variable.public) : []
  for (const setting of settings) {
    const at = setting.indexOf('=')
    if (at < 1) throw new Misuse(`--set takes NAME=VALUE, not "${setting}"`)
    const name = setting.slice(0, at).trim()
    const wanted = name.split('.').map(formulaName).join('.')
    const variable = variables.find(one => one.id === name || (one.entity ? `${one.entity.name}.${one.name}` : one.name) === wanted)
    if (!variable)
      throw new Misuse(
        `there is no public variable "${name}"; there ${variables.length === 0 ? 'are none' : `are ${variables.map(one => (one.entity ? `${one.entity.name}.${one.name}` : one.name)).join(', ')}`}`,
      )
    const value = plainOf(setting.slice(at + 1))
    if ((variable.storage === 'number' && typeof value !== 'number') || (variable.storage === 'bool' && typeof value !== 'boolean'))
      throw new Misuse(`${name} takes a ${variable.storage === 'number' ? 'number' : 'true or false'}, not "${setting.slice(at + 1)}"`)
    inputs[variable.id] = value
  }
  return inputs
}

/** JSON, Python's True, False and None, or the text itself. */
function plainOf(text: string): Plain {
  const python: Readonly<Record<string, Plain>> = { True: true, False: false, None: null }
  if (Object.hasOwn(python, text)) return python[text]!
  try {
    const value: unknown = JSON.parse(text)
    return asPlain(value)
  } catch (error) {
    // Not JSON: the text as it is.
    if (error instanceof SyntaxError) return text
    throw error
  }
}

function asPlain(value: unknown): Plain {
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(asPlain)
  return Object.fromEntries(Object.entries(value ?? {}).map(([key, item]) => [key, asPlain(item)]))
}

const shown = (value: Plain): string =>
  typeof value === 'number' ? String(Number(value.toPrecision(10))) : typeof value === 'string' ? value : JSON.stringify(value)

function endText(model: Model, result: Ran['result']): string {
  switch (result.end) {
    case 'success':
      return `success (${result.reason})`
    case 'terminated':
      return `terminated by "${nameOf(model, result.element) || result.element}": ${result.tip}`
    case 'limited':
      return `limited after ${result.ticks} ticks`
    case 'interrupted':
      return 'interrupted: what follows is what there was by then'
    case 'failed':
      return `failed: ${english(result.problem.message)}`
    default:
      return unreachable(result)
  }
}

function summaryText(model: Model, summary: Ran): string {
  const { result } = summary
  const lines = [
    `ended     ${endText(model, result)}`,
    `seed      ${summary.seed}`,
    `ticks     ${summary.ticks}`,
    `time      ${shown(summary.time)}`,
  ]
  const section = (title: string, values: Record<string, Plain>): void => {
    const entries = Object.entries(values)
    if (entries.length > 0)
      lines.push('', title, ...entries.map(([name, value]) => `  ${name.padEnd(28)} ${value === null ? 'no data' : shown(value)}`))
  }
  section('statistics', summary.statistics)
  section('public variables', summary.publics)
  section('populations', summary.populations)
  for (const [name, figures] of Object.entries(summary.containers)) section(`container ${name}`, figures)
  if (summary.tokensLeft.length > 0)
    lines.push(
      '',
      'tokens left',
      ...summary.tokensLeft.map(({ process, step, count }) => `  ${`${process} / ${step}`.padEnd(28)} ${count}`),
    )
  lines.push('', `hash      ${summary.hash}`)
  return `${lines.join('\n')}\n`
}

type Mean = { n: number; mean: number; sd: number; standardError: number }

/** Means over replications of every number among statistics, containers and public variables. */
function meansOf(summaries: readonly Ran[]): Record<string, Mean> {
  const samples = new Map<string, number[]>()
  const add = (name: string, value: Plain): void => {
    if (typeof value !== 'number') return
    const list = samples.get(name)
    if (list) list.push(value)
    else samples.set(name, [value])
  }
  for (const summary of summaries) {
    for (const [name, value] of Object.entries(summary.statistics)) add(`statistics.${name}`, value)
    for (const [name, value] of Object.entries(summary.publics)) add(`publics.${name}`, value)
    for (const [name, value] of Object.entries(summary.populations)) add(`populations.${name}`, value)
    for (const [container, figures] of Object.entries(summary.containers))
      for (const [name, value] of Object.entries(figures)) add(`containers.${container}.${name}`, value)
    add('ticks', summary.ticks)
  }
  return Object.fromEntries(
    [...samples].map(([name, values]) => {
      const n = values.length
      const mean = values.reduce((sum, value) => sum + value, 0) / n
      const sd = n < 2 ? 0 : Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1))
      return [name, { n, mean, sd, standardError: sd / Math.sqrt(n) }]
    }),
  )
}

function meansText(summaries: readonly Ran[]): string {
  const ends = summaries.map(({ result }) => result.end)
  const lines = [
    `replications ${summaries.length} (${['success', 'terminated', 'limited', 'failed', 'interrupted']
      .map(end => [end, ends.filter(one => one === end).length] as const)
      .filter(([, count]) => count > 0)
      .map(([end, count]) => `${count} ${end}`)
      .join(', ')})`,
    '',
  ]
  for (const [name, { mean, sd, standardError }] of Object.entries(meansOf(complete(summaries))))
    lines.push(`${name.padEnd(40)} mean ${shown(mean)}  sd ${shown(sd)}  se ${shown(standardError)}`)
  return `${lines.join('\n')}\n`
}
