// The command line: `run`, `check`, `docs`, `experiment`. Exit codes: 0 ok, 1 problems or a failed run, 2 wrong usage or an unreadable file.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { modelOfFile, parseFile } from '../model-schema/file.ts'
import type { Model } from '../model-schema/model.ts'
import { formulaName } from '../model-schema/kinds.ts'
import { check } from './check.ts'
import type { Checked } from './check.ts'
import { textOf } from './check/resolve.ts'
import { tellUnread } from './check/unread.ts'
import { compile } from './compile.ts'
import { referenceText } from './docs.ts'
import type { ExperimentOptions } from './experiment/command.ts'
import type { Plain, RunOptions, Summary } from './messages.ts'
import type { Problem } from './problems.ts'
import { Meter } from './debug/meter.ts'
import { engineTime, profileRows, speedscopeFile, type Profile } from './profile.ts'
import { start, type Run } from './run.ts'

const usage = `Usage:
  holarchy run FILE.holo [--scenario NAME] [--seed N] [--ticks N] [--set NAME=VALUE]... [--replications N] [--json] [--trace] [--profile FILE]
  holarchy experiment FILE.holo [--model FILE.holo] [--threads N] [--seed N] [--runs N] [--journal FILE] [--csv FILE] [--json]
  holarchy check FILE.holo [--scenario NAME] [--json]
  holarchy docs

run    runs a scenario and prints final statistics, public variables, containers and how the run ended
       --scenario NAME    the scenario's name or id (default: the first)
       --seed N           0 .. 4294967295 (default: the scenario's)
       --ticks N          total ticks (default: the scenario's)
       --set NAME=VALUE   sets a public variable before the start; VALUE is JSON or a plain text; NAME or Population.NAME
       --replications N   runs N times with seeds N, N+1, ... and prints each run and the means (1 .. 100000)
       --step-limit N     the run ends as "limited" after this many ticks
       --json             prints JSON instead of text, with what the model wrote as "output"
       --trace            prints a line for every step: time, agent, verb, step
       --profile FILE     writes where the time went, for www.speedscope.app, and prints what took longest
experiment  conducts an experiment and prints what it found: intervals, tables, effects, indices, fronts, fits
       --model FILE       the model (default: the file the experiment names, from its own folder)
       --threads N        runs at the same time (default: the experiment's; 0: all the machine has); results do not depend on it
       --seed N, --runs N replace the experiment's seed and its most runs
       --journal FILE     keeps every run as it is done and goes on with what is there, also after a crash
       --csv FILE         writes the table of all runs
       --json             prints JSON instead of text
check  prints the problems of all scenarios, or of one
       (all commands warn of fields and values of the file that nobody reads)
docs   prints the reference of the language, the elements and the file format

Exit codes: 0 ok, 1 problems or a failed run, 2 wrong usage or an unreadable file.
`

/** Largest file read, in bytes. */
const maxBytes = 20_000_000

/** What went wrong before anything could run. */
class UsageError extends Error {}

export type Output = { out(text: string): void; err(text: string): void }

/** Runs one command; returns the exit code. Never throws or rejects. Aborting the signal stops an experiment, which can go on from its journal. */
export async function mainUntil(args: readonly string[], output: Output, signal: AbortSignal): Promise<0 | 1 | 2> {
  if (args[0] !== 'experiment') return main(args, output)
  try {
    const options = experimentOptions(args.slice(1))
    // A fifth of all modules, and no other command needs them.
    const { conductFile } = await import('./experiment/command.ts')
    return await conductFile(options, output, signal)
  } catch (error) {
    return misused(error, output)
  }
}

/** Runs one command that needs no waiting: all but `experiment`. Never throws. */
export function main(args: readonly string[], output: Output): 0 | 1 | 2 {
  try {
    const [command, ...rest] = args
    if (command === 'run') return runCommand(rest, output)
    if (command === 'check') return checkCommand(rest, output)
    if (command === 'docs') {
      output.out(referenceText())
      return 0
    }
    if (command === undefined || command === 'help' || command === '--help' || command === '-h') {
      output.out(usage)
      return command === undefined ? 2 : 0
    }
    throw new UsageError(`unknown command "${command}"`)
  } catch (error) {
    return misused(error, output)
  }
}

function misused(error: unknown, output: Output): 2 {
  const message = error instanceof Error ? error.message : String(error)
  output.err(error instanceof UsageError ? `holarchy: ${message}\n\n${usage}` : `holarchy: ${message}\n`)
  return 2
}

function experimentOptions(args: readonly string[]): ExperimentOptions {
  const { file, values } = parse(args, ['model', 'threads', 'seed', 'runs', 'journal', 'csv', 'json'])
  const threads = wholeOption('threads', values.threads, 0, 256)
  const seed = wholeOption('seed', values.seed, 0, 4294967295)
  const runs = wholeOption('runs', values.runs, 1, 10_000_000)
  return {
    file,
    json: values.json === true,
    now: () => performance.now(),
    ...(values.model === undefined ? {} : { model: values.model }),
    ...(threads === undefined ? {} : { threads }),
    ...(seed === undefined ? {} : { seed }),
    ...(runs === undefined ? {} : { runs }),
    ...(values.journal === undefined ? {} : { journal: values.journal }),
    ...(values.csv === undefined ? {} : { csv: values.csv }),
  }
}

function parse(args: readonly string[], names: readonly string[]) {
  const all = {
    scenario: { type: 'string' },
    seed: { type: 'string' },
    ticks: { type: 'string' },
    set: { type: 'string', multiple: true },
    replications: { type: 'string' },
    'step-limit': { type: 'string' },
    json: { type: 'boolean' },
    trace: { type: 'boolean' },
    profile: { type: 'string' },
    model: { type: 'string' },
    threads: { type: 'string' },
    runs: { type: 'string' },
    journal: { type: 'string' },
    csv: { type: 'string' },
  } as const
  const parsed = ((): ReturnType<typeof parseArgs<{ options: typeof all; allowPositionals: true }>> => {
    try {
      return parseArgs({ args: [...args], options: all, allowPositionals: true, strict: true })
    } catch (error) {
      throw new UsageError(error instanceof Error ? error.message : String(error))
    }
  })()
  for (const name of Object.keys(parsed.values)) if (!names.includes(name)) throw new UsageError(`--${name} does not belong here`)
  const [file, ...more] = parsed.positionals
  if (file === undefined) throw new UsageError('which file?')
  if (more.length > 0) throw new UsageError(`one file at a time, "${more[0]}" is too many`)
  return { file, values: parsed.values }
}

function readModelFile(path: string, output: Output): Model | null {
  let text: string
  try {
    const { size } = statSync(path)
    if (size > maxBytes) throw new UsageError(`${path} has ${size} bytes; at most ${maxBytes} are read`)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
  const parsed = parseFile(text)
  if ('problems' in parsed) {
    for (const { path: where, words } of parsed.problems) output.err(`${path}: ${where === '' ? '' : `${where}: `}${words.en}\n`)
    return null
  }
  tellUnread(path, parsed.file, text => output.err(text))
  return modelOfFile(parsed.file)
}

function scenarioOf(model: Model, wanted: string | undefined): string {
  if (wanted === undefined) {
    const [first] = model.scenarios
    if (first === undefined) throw new UsageError('the file holds no scenario')
    return first
  }
  const named =
    model.scenarios.find(id => id === wanted) ??
    model.scenarios.find(id => nameOf(model, id) === wanted) ??
    model.scenarios.find(id => formulaName(nameOf(model, id)) === formulaName(wanted))
  if (named === undefined)
    throw new UsageError(
      `there is no scenario "${wanted}"; there ${model.scenarios.length === 1 ? 'is' : 'are'} ${model.scenarios.map(id => `"${nameOf(model, id)}"`).join(', ')}`,
    )
  return named
}

const nameOf = (model: Model, id: string): string => {
  const element = model.elements.get(id)
  return element ? textOf(element, 'name') : ''
}

function checkCommand(args: readonly string[], output: Output): 0 | 1 | 2 {
  const { file, values } = parse(args, ['scenario', 'json'])
  const model = readModelFile(file, output)
  if (!model) return 2
  const scenarios = values.scenario === undefined ? model.scenarios : [scenarioOf(model, values.scenario)]
  const found = scenarios.map(id => ({ scenario: nameOf(model, id), ...check(model, id) }))
  const failed = found.some(one => !one.ok)
  if (values.json)
    output.out(
      `${JSON.stringify(
        found.map(({ scenario, ok, problems }) => ({ scenario, ok, problems })),
        null,
        2,
      )}\n`,
    )
  else {
    for (const { scenario, problems } of found) for (const one of problems) output.out(`${scenario}: ${problemLine(model, one)}\n`)
    if (!failed) output.out(`${file}: ok\n`)
  }
  return failed ? 1 : 0
}

function problemLine(model: Model, { code, severity, at, message }: Problem): string {
  const element = model.elements.get(at.id)
  const name = element ? textOf(element, 'name') : ''
  const where = `${element?.kind ?? '?'} ${name === '' ? at.id : `"${name}"`}${at.field === undefined ? '' : ` ${at.field}`}${at.from === undefined ? '' : ` ${at.from}-${at.to}`}`
  return `${severity} ${code} ${where}: ${message.en}`
}

function runCommand(args: readonly string[], output: Output): 0 | 1 | 2 {
  const { file, values } = parse(args, ['scenario', 'seed', 'ticks', 'set', 'replications', 'step-limit', 'json', 'trace', 'profile'])
  const seed = wholeOption('seed', values.seed, 0, 4294967295)
  const ticks = numberOption('ticks', values.ticks)
  const stepLimit = numberOption('step-limit', values['step-limit'])
  const replications = wholeOption('replications', values.replications, 1, 100_000) ?? 1
  const model = readModelFile(file, output)
  if (!model) return 2
  const scenario = scenarioOf(model, values.scenario)
  const checked = check(model, scenario)
  if (!checked.ok) {
    reportProblems(model, checked, values.json === true, output)
    return 1
  }
  const program = compile(checked.checked, { debug: values.trace === true, metered: values.profile !== undefined })
  const meter = values.profile === undefined ? null : new Meter(checked.checked.parts.steps.length, () => performance.now())
  const inputs = inputsOf(checked, values.set ?? [])
  const summaries: (Summary & { output: ReturnType<Run['takeOutput']> })[] = []
  for (let r = 0; r < replications; r++) {
    const options: RunOptions = { inputs }
    if (ticks !== undefined) options.ticks = ticks
    if (stepLimit !== undefined) options.stepLimit = stepLimit
    if (seed !== undefined || replications > 1) options.seed = ((seed ?? start(program, options).seed) + r) % 4294967296
    const run = start(program, options)
    if (values.trace) run.trace = line => output.out(`${line}\n`)
    if (meter) metered(run, meter)
    else run.advance()
    const printed = run.takeOutput()
    if (!values.json) for (const { tick, text } of printed) output.out(`[${tick}] ${text}\n`)
    summaries.push({ ...run.summary(), output: printed })
  }
  const failed = summaries.some(({ result }) => result.end === 'failed')
  const [only] = summaries
  if (values.json)
    output.out(`${JSON.stringify(replications === 1 ? only : { replications: summaries, mean: meansOf(summaries) }, null, 2)}\n`)
  else if (only && replications === 1) output.out(summaryText(model, only))
  else output.out(meansText(summaries))
  if (meter && values.profile !== undefined) {
    const profile = meter.profile(program)
    writeProfile(values.profile, model, profile, nameOf(model, scenario))
    if (!values.json) output.out(profileText(model, profile))
  }
  if (failed && !values.json)
    for (const { result } of summaries)
      if (result.end === 'failed')
        output.err(
          `${problemLine(model, result.problem)} (tick ${result.tick}, time ${result.time}${result.entity === null ? '' : `, ${result.entity}`})\n`,
        )
  return failed ? 1 : 0
}

function metered(run: Run, meter: Meter): void {
  run.inner.built.clockwork.meter = meter
  for (let more = true; more;) {
    meter.resume()
    more = run.advance({ instants: 1 })
    meter.pause()
  }
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
    throw new UsageError(`cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`)
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

function reportProblems(model: Model, checked: Checked, json: boolean, output: Output): void {
  if (json) output.out(`${JSON.stringify({ problems: checked.problems }, null, 2)}\n`)
  else for (const one of checked.problems) output.err(`${problemLine(model, one)}\n`)
}

function numberOption(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new UsageError(`--${name} takes a number >= 0, not "${text}"`)
  return value
}

function wholeOption(name: string, text: string | undefined, low: number, high: number): number | undefined {
  const value = numberOption(name, text)
  if (value !== undefined && (!Number.isInteger(value) || value < low || value > high))
    throw new UsageError(`--${name} takes a whole number from ${low} to ${high}, not "${text}"`)
  return value
}

/** `--set` by name: global variables by their name, observers' as `Population.name`. */
function inputsOf(checked: Checked, settings: readonly string[]): Record<string, Plain> {
  const inputs: Record<string, Plain> = {}
  const variables = checked.ok ? checked.checked.parts.shared.filter(variable => variable.public) : []
  for (const setting of settings) {
    const at = setting.indexOf('=')
    if (at < 1) throw new UsageError(`--set takes NAME=VALUE, not "${setting}"`)
    const name = setting.slice(0, at).trim()
    const wanted = name.split('.').map(formulaName).join('.')
    const variable = variables.find(one => one.id === name || (one.entity ? `${one.entity.name}.${one.name}` : one.name) === wanted)
    if (!variable)
      throw new UsageError(
        `there is no public variable "${name}"; there ${variables.length === 0 ? 'are none' : `are ${variables.map(one => (one.entity ? `${one.entity.name}.${one.name}` : one.name)).join(', ')}`}`,
      )
    const value = plainOf(setting.slice(at + 1))
    if ((variable.storage === 'number' && typeof value !== 'number') || (variable.storage === 'bool' && typeof value !== 'boolean'))
      throw new UsageError(`${name} takes a ${variable.storage === 'number' ? 'number' : 'true or false'}, not "${setting.slice(at + 1)}"`)
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
    // Not JSON: the text as it stands.
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

function summaryText(model: Model, summary: Summary): string {
  const { result } = summary
  const how =
    result.end === 'success'
      ? `success (${result.reason})`
      : result.end === 'terminated'
        ? `terminated by "${nameOf(model, result.element) || result.element}": ${result.tip}`
        : result.end === 'limited'
          ? `limited after ${result.ticks} ticks`
          : `failed: ${result.problem.message.en}`
  const lines = [`ended     ${how}`, `seed      ${summary.seed}`, `ticks     ${summary.ticks}`, `time      ${shown(summary.time)}`]
  const section = (title: string, values: Record<string, Plain>): void => {
    const entries = Object.entries(values)
    if (entries.length > 0) lines.push('', title, ...entries.map(([name, value]) => `  ${name.padEnd(28)} ${shown(value)}`))
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
function meansOf(summaries: readonly Summary[]): Record<string, Mean> {
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

function meansText(summaries: readonly Summary[]): string {
  const ends = summaries.map(({ result }) => result.end)
  const lines = [
    `replications ${summaries.length} (${['success', 'terminated', 'limited', 'failed']
      .map(end => [end, ends.filter(one => one === end).length] as const)
      .filter(([, count]) => count > 0)
      .map(([end, count]) => `${count} ${end}`)
      .join(', ')})`,
    '',
  ]
  for (const [name, { mean, sd, standardError }] of Object.entries(meansOf(summaries)))
    lines.push(`${name.padEnd(40)} mean ${shown(mean)}  sd ${shown(sd)}  se ${shown(standardError)}`)
  return `${lines.join('\n')}\n`
}

if (import.meta.main) {
  // Whoever reads has seen enough (`docs | head`): what is left to say is not an error.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      process.exit()
    })
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort(new Error('stopped')))
  const output = { out: (text: string) => process.stdout.write(text), err: (text: string) => process.stderr.write(text) }
  process.exitCode = await mainUntil(process.argv.slice(2), output, stop.signal)
}
