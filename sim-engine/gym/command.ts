// `holarchy serve --gym FILE`: the protocol over standard input and output of this process. Reading waits, as the run does.
import { readSync, writeSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { check } from '../check.ts'
import { parseCommand } from '../command/arguments.ts'
import { readModelFile, scenarioOf } from '../command/model-file.ts'
import { problemText } from '../command/problem-text.ts'
import type { Output } from '../command/run-command.ts'
import { inputsOf } from '../command/run-command.ts'
import { compile } from '../compile.ts'
import { Misuse } from '../experiment/arguments.ts'
import { longestLine, serveGym, type ReadLine } from './protocol.ts'

/** Exit code. Throws Misuse. */
export function gymCommand(args: readonly string[], output: Output): 0 | 1 {
  const { file: path, values } = parseCommand(args, ['gym', 'scenario', 'ticks', 'set'])
  if (values.gym !== true) throw new Misuse('what is to be served? There is --gym')
  if (path === '-') throw new Misuse('standard input has the commands: name a file')
  const { model } = readModelFile(path)
  const checked = check(model, scenarioOf(model, values.scenario))
  if (!checked.ok) {
    for (const one of checked.problems) output.err(problemText(model, one))
    return 1
  }
  const ticks = values.ticks === undefined ? undefined : Number(values.ticks)
  if (ticks !== undefined && !(ticks >= 0)) throw new Misuse(`--ticks takes a number >= 0, not "${values.ticks}"`)
  const program = compile(checked.checked)
  if (!checked.checked.parts.steps.some(({ kind, element }) => kind.id === 'decide' && element.fields['learns'] !== false))
    throw new Misuse('the model has no Decide step that learns')
  const inputs = inputsOf(checked, values.set ?? [])
  serveGym(program, { inputs, ...(ticks === undefined ? {} : { ticks }) }, lineReader(0), line => writeAll(1, `${line}\n`))
  return 0
}

const pause = new Int32Array(new SharedArrayBuffer(4))

/** Tries again where the other side of a pipe is not ready. */
function retried(act: () => number): number {
  for (;;) {
    try {
      return act()
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
      Atomics.wait(pause, 0, 0, 1)
    }
  }
}

function lineReader(descriptor: number): ReadLine {
  const bytes = Buffer.alloc(65_536)
  const decoder = new StringDecoder('utf8')
  let text = ''
  let isOver = false
  return () => {
    for (;;) {
      const end = text.indexOf('\n')
      // A line without an end is cut: parsing it gives an error.
      if (end >= 0 || text.length > longestLine) {
        const line = end < 0 ? text : text.slice(0, end)
        text = end < 0 ? '' : text.slice(end + 1)
        return line
      }
      if (isOver) {
        const rest = text
        text = ''
        return rest === '' ? null : rest
      }
      const read = retried(() => readSync(descriptor, bytes))
      if (read === 0) isOver = true
      text += read === 0 ? decoder.end() : decoder.write(bytes.subarray(0, read))
    }
  }
}

function writeAll(descriptor: number, text: string): void {
  let bytes = Buffer.from(text)
  while (bytes.length > 0) {
    const rest = bytes
    bytes = bytes.subarray(retried(() => writeSync(descriptor, rest)))
  }
}
