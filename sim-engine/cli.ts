// The command line: `run`, `check`, `test`, `docs`, `experiment`, `mcp`, `apply`, `copilot`, `serve`, `chain`, `record`, `fit`. Exit codes: 0 ok, 1 problems or a failed run, 2 wrong usage or an unreadable file, 130 or 143
// stopped by a signal.
import { inLanguages } from '../model-schema/languages/catalogues.ts'
import { readFileSync } from 'node:fs'
import { loadChain } from './chain.ts'
import { check } from './check.ts'
import { helpText, isCommand, parseCommand } from './command/arguments.ts'
import { loadChainOfFiles, mayHaveChain, nameOf, readModelFile, scenarioOf } from './command/model-file.ts'
import { problemText } from './command/problem-text.ts'
import { runCommand } from './command/run-command.ts'
import type { Output, Pace } from './command/run-command.ts'
import { compile } from './compile.ts'
import { explain, passes, printed } from './compile/explain.ts'
import { referenceText } from './docs.ts'
import { Misuse } from './experiment/arguments.ts'
import { english } from '../model-schema/words.ts'

export type { Output }

/** Exit codes of a command that a signal stopped, as shells have them: 128 and the signal's number. */
const stoppedBy: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 }

/**
 * Runs one command; returns the exit code. Never throws or rejects. Aborting the signal, with the name of the system's signal, stops a run, which then
 * prints what there is, or an experiment, which can go on from its journal.
 */
export async function mainUntil(
  args: readonly string[],
  output: Output,
  signal: AbortSignal,
  pace: Pace = { now: () => performance.now(), isTerminal: false },
): Promise<number> {
  if (['run', 'test', 'serve', 'record', 'copilot'].includes(args[0] ?? '')) await loadChainOfFiles(args.slice(1))
  // Its edits may bring other contracts.
  if (args[0] === 'apply' && mayHaveChain(args.slice(1))) await loadChain()
  if (args[0] === 'experiment' || args[0] === 'submit') {
    // A fifth of all modules, and no other command needs them.
    const { experimentMain } = await import('./experiment/command.ts')
    return experimentMain(args[0] === 'submit' ? args : args.slice(1), { ...output, now: pace.now }, signal)
  }
  if (args[0] === 'work') {
    const { workMain } = await import('./experiment/queue/command.ts')
    return workMain(args.slice(1), { ...output, now: pace.now }, signal)
  }
  if (args[0] === 'serve' && !asksForHelp(args)) {
    try {
      const { gymCommand } = await import('./gym/command.ts')
      return gymCommand(args.slice(1), output)
    } catch (error) {
      return misused(error, args, output)
    }
  }
  if ((args[0] === 'mcp' || args[0] === 'apply') && !asksForHelp(args)) {
    try {
      const { mcpCommand, applyCommand } = await import('./copilot/mcp/command.ts')
      return args[0] === 'apply' ? applyCommand(args.slice(1), output) : await mcpCommand(args.slice(1), version(), signal)
    } catch (error) {
      return misused(error, args, output)
    }
  }
  if (args[0] === 'copilot' && !asksForHelp(args)) {
    try {
      const { askCommand } = await import('./copilot/mcp/command.ts')
      return await askCommand(args.slice(1), { ...output, now: pace.now, today: Date.now() })
    } catch (error) {
      return misused(error, args, output)
    }
  }
  if (args[0] === 'chain' && !asksForHelp(args)) {
    try {
      const { chainCommand } = await import('./command/chain-command.ts')
      return await chainCommand(args.slice(1), output, signal)
    } catch (error) {
      return misused(error, args, output)
    }
  }
  if (!inTurns.has(args[0]) || asksForHelp(args)) return main(args, output)
  try {
    const timed = { ...output, now: pace.now }
    const running = args[0] === 'run' ? runCommand(args.slice(1), timed, pace) : await loaded(args[0], args.slice(1), timed)
    for (let step = running.next(false); ; step = running.next(signal.aborted)) {
      if (step.done) return step.value === 'stopped' ? (stoppedBy[String(signal.reason)] ?? 130) : step.value
      // Signals are delivered between two turns of the event loop.
      await new Promise(resolve => void setImmediate(resolve))
    }
  } catch (error) {
    return misused(error, args, output)
  }
}

/** Commands that yield between stretches of work, so that signals are handled. */
const inTurns: ReadonlySet<string | undefined> = new Set(['run', 'test', 'steady', 'record', 'fit'])

/** Those with modules that no other command needs. */
async function loaded(command: string | undefined, args: readonly string[], output: Output & { now(): number }) {
  if (command === 'steady') {
    const { steadyCommand } = await import('./command/steady-command.ts')
    return steadyCommand(args, output)
  }
  if (command === 'record' || command === 'fit') {
    const { recordCommand, fitCommand } = await import('./learn/fit/command.ts')
    return command === 'record' ? recordCommand(args, output) : fitCommand(args, output)
  }
  const { testCommand } = await import('./testing/command.ts')
  return testCommand(args, output)
}

/** Runs one command at one go: any but `experiment` and those that serve or test. Never throws. */
export function main(args: readonly string[], output: Output): 0 | 1 | 2 {
  try {
    const [command, ...rest] = args
    if (isCommand(command) && asksForHelp(args)) output.out(helpText(command))
    else if (command === 'run') {
      const { value } = runCommand(rest, { ...output, now: () => performance.now() }, null).next(false)
      return typeof value === 'number' ? value : 1
    } else if (command === 'check') return checkCommand(rest, output)
    else if (command === 'compile') return compileCommand(rest, output)
    else if (
      command === 'mcp' ||
      command === 'apply' ||
      command === 'copilot' ||
      command === 'serve' ||
      command === 'test' ||
      command === 'steady' ||
      command === 'chain' ||
      command === 'record' ||
      command === 'fit'
    )
      throw new Misuse(`"${command}" is not run at one go`)
    else if (command === 'docs') output.out(referenceText())
    else if (command === '--version' || command === '-v') output.out(`holarchy ${version()}\n`)
    else if (command === undefined || command === 'help' || command === '--help' || command === '-h') {
      output.out(helpText(isCommand(rest[0]) ? rest[0] : null))
      return command === undefined ? 2 : 0
    } else throw new Misuse(`unknown command "${command}"`)
    return 0
  } catch (error) {
    return misused(error, args, output)
  }
}

const asksForHelp = (args: readonly string[]): boolean => args.includes('--help') || args.includes('-h')

function version(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
  return version
}

/** A line on standard error; where JSON was asked for, the same as a document on standard output. */
function misused(error: unknown, args: readonly string[], output: Output): 2 {
  const message = error instanceof Error ? error.message : String(error)
  const [command] = args
  const more = !(error instanceof Misuse) || message.includes('\n') ? '' : `; see holarchy ${isCommand(command) ? `${command} ` : ''}--help`
  output.err(`holarchy: ${message}${more}\n`)
  if (args.includes('--json')) output.out(`${JSON.stringify({ error: message }, null, 2)}\n`)
  return 2
}

function compileCommand(args: readonly string[], output: Output): 0 | 1 | 2 {
  const { file: path, values } = parseCommand(args, ['scenario', 'explain', 'print', 'print-after', 'json'])
  const wanted = values['print-after'] ?? 'lower'
  const pass = passes.find(one => one === wanted)
  if (pass === undefined) throw new Misuse(`there is no pass "${wanted}"; there are ${passes.join(', ')}`)
  const { model } = readModelFile(path)
  const checked = check(model, scenarioOf(model, values.scenario))
  if (!checked.ok) {
    for (const one of checked.problems) output.err(problemText(model, one))
    return 1
  }
  const program = compile(checked.checked)
  const isPrinted = values.print === true || values['print-after'] !== undefined
  if (isPrinted) output.out(printed(program, pass))
  if (isPrinted && values.explain !== true) return 0
  const explained = explain(program)
  if (values.json) output.out(`${JSON.stringify(explained, inLanguages(), 2)}\n`)
  else
    for (const { process, runs, steps } of explained)
      output.out(`${process}: ${english(runs)}\n${steps.map(({ step, why }) => `  ${step}: ${english(why)}\n`).join('')}`)
  return 0
}

function checkCommand(args: readonly string[], output: Output): 0 | 1 | 2 {
  const { file: path, values } = parseCommand(args, ['scenario', 'json'])
  const file = readModelFile(path)
  const { model } = file
  const scenarios = values.scenario === undefined ? model.scenarios : [scenarioOf(model, values.scenario)]
  const found = scenarios.map(id => {
    const checked = check(model, id)
    const own = file.problemsOf(id)
    const ok = checked.ok && own.every(({ severity }) => severity !== 'error')
    return { scenario: nameOf(model, id), ok, problems: [...own, ...checked.problems], checked: checked.problems }
  })
  const failed = found.some(one => !one.ok)
  if (values.json)
    output.out(
      `${JSON.stringify(
        found.map(({ scenario, ok, problems }) => ({ scenario, ok, problems })),
        inLanguages(),
        2,
      )}\n`,
    )
  else {
    output.err(file.told)
    for (const { scenario, checked } of found) for (const one of checked) output.out(`${scenario}: ${problemText(model, one)}`)
    if (!failed) output.out(`${file.path}: ok\n`)
  }
  return failed ? 1 : 0
}

if (import.meta.main) {
  // The reader has closed the pipe (`docs | head`): output that is left is not an error.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      process.exit()
    })
  const stop = new AbortController()
  // A second Ctrl-C ends the process at once. SIGTERM comes from supervisors, some of which signal a whole group of processes and its leader,
  // which passes it on.
  process.once('SIGINT', () => stop.abort('SIGINT'))
  process.on('SIGTERM', () => stop.abort('SIGTERM'))
  const output = { out: (text: string) => process.stdout.write(text), err: (text: string) => process.stderr.write(text) }
  const pace = { now: () => performance.now(), isTerminal: process.stderr.isTTY }
  process.exitCode = await mainUntil(process.argv.slice(2), output, stop.signal, pace)
}
