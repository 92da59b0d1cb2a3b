// Reading a model's file for the command line, and what is wrong with the file itself.
import { readFileSync, statSync } from 'node:fs'
import { modelOfFile, parseFile, unreadOf } from '../../model-schema/file.ts'
import type { HoloFile, Unread } from '../../model-schema/file.ts'
import { formulaName, isRootKind } from '../../model-schema/kinds.ts'
import type { Model } from '../../model-schema/model.ts'
import { loadChain, loadChainOf } from '../chain.ts'
import { textOf } from '../check/resolve.ts'
import { problemSaying } from '../problems.ts'
import type { Problem } from '../problems.ts'
import { Misuse } from '../experiment/arguments.ts'
import { reasonOf } from './arguments.ts'
import { english, say } from '../../model-schema/words.ts'

/** Largest file read, in bytes. */
const maxBytes = 20_000_000

/** Most problems of one file that are printed as text. */
const mostTold = 20

export type ModelFile = {
  path: string
  model: Model
  /** What the file says that counts for nothing, by the scenario it is about. */
  problemsOf(scenario: string): Problem[]
  /** The same as lines of text. */
  told: string
}

/** The content of a file, or of standard input for "-". Throws Misuse when it cannot be read or is no file of ours. */
export function readHoloFile(path: string): HoloFile {
  const name = path === '-' ? 'standard input' : path
  const parsed = parseFile(readText(path, name))
  if ('problems' in parsed)
    throw new Misuse(
      parsed.problems.map(({ path: where, words }) => `${name}: ${where === '' ? '' : `${where}: `}${english(words)}`).join('\n'),
    )
  return parsed.file
}

/** Reads a model's file, or standard input for "-". Throws Misuse when it cannot be read or is no model. */
export function readModelFile(path: string): ModelFile {
  const name = path === '-' ? 'standard input' : path
  const file = readHoloFile(path)
  const model = modelOfFile(file)
  const unread = unreadOf(file)
  const lines = unread
    .slice(0, mostTold)
    .map(({ path: where, severity, words, refused }) => `${name}: ${severity}: ${where}: ${english(refused ?? words)}\n`)
  if (unread.length > mostTold) lines.push(`${name}: warning: and ${unread.length - mostTold} more\n`)
  const scenarios = scenariosOf(file)
  return {
    path: name,
    model,
    problemsOf: scenario =>
      unread.filter(({ element }) => (scenarios.get(element) ?? model.scenarios[0]) === scenario).map(one => problemOf(one)),
    told: lines.join(''),
  }
}

/** Whether a run of one of these files may need the chain's code. What cannot be read, or only once, is taken to. */
export function mayHaveChain(args: readonly string[]): boolean {
  return args.some(path => {
    if (path === '-') return true
    if (!path.endsWith('.holo')) return false
    try {
      return statSync(path).size <= maxBytes && readFileSync(path, 'utf8').includes('"blockchain"')
    } catch {
      return false
    }
  })
}

/** Loads what runs of these files may need of the chain's code: all of it where a file cannot be read, or only once. */
export async function loadChainOfFiles(args: readonly string[]): Promise<void> {
  if (!mayHaveChain(args)) return
  try {
    await Promise.all(args.filter(path => path === '-' || path.endsWith('.holo')).map(path => loadChainOf(modelIn(path))))
  } catch {
    await loadChain()
  }
}

function modelIn(path: string): Model {
  if (path === '-') throw new Misuse('standard input is read once')
  return modelOfFile(readHoloFile(path))
}

function readText(path: string, name: string): string {
  try {
    if (path !== '-') {
      const { size } = statSync(path)
      if (size > maxBytes) throw new Misuse(`${path} has ${size} bytes; at most ${maxBytes} are read`)
    }
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    if (error instanceof Misuse) throw error
    throw new Misuse(`cannot read ${name}: ${reasonOf(error)}`)
  }
}

const noSuchField = say('Correct the name of the field, or leave it out.')
const otherValue = say('Give the field a value it can have, or leave it out for the default.')

/** Codes as the checker would give: 9022 for a kind that there is not, 9025 for a value or a field. */
const problemOf = ({ element, field, words, refused, severity, isKind }: Unread): Problem =>
  isKind
    ? problemSaying(9022, { id: element }, words, undefined, severity)
    : problemSaying(
        9025,
        field === undefined ? { id: element } : { id: element, field },
        refused ?? words,
        severity === 'error' ? otherValue : noSuchField,
        severity,
      )

/** The scenario of each element. */
function scenariosOf({ elements }: HoloFile): Map<string, string> {
  const found = new Map<string, string>()
  for (const id of Object.keys(elements)) {
    const path = [id]
    let at: string | undefined = id
    while (at !== undefined && !isRootKind(elements[at]?.kind) && path.length < 100) {
      at = elements[at]?.parent
      if (at !== undefined) path.push(at)
    }
    if (at !== undefined && isRootKind(elements[at]?.kind)) for (const one of path) found.set(one, at)
  }
  return found
}

/** The scenario of this name or id, or the first. Throws Misuse. */
export function scenarioOf(model: Model, wanted: string | undefined): string {
  if (wanted === undefined) {
    const [first] = model.scenarios
    if (first !== undefined) return first
    const holdsExperiment = [...model.elements.values()].some(({ kind }) => kind === 'experiment')
    throw new Misuse(holdsExperiment ? 'the file holds an experiment: holarchy experiment FILE conducts it' : 'the file holds no scenario')
  }
  const named =
    model.scenarios.find(id => id === wanted) ??
    model.scenarios.find(id => nameOf(model, id) === wanted) ??
    model.scenarios.find(id => formulaName(nameOf(model, id)) === formulaName(wanted))
  if (named !== undefined) return named
  const names = model.scenarios.map(id => `"${nameOf(model, id)}"`).join(', ')
  throw new Misuse(`there is no scenario "${wanted}"; there ${model.scenarios.length === 1 ? 'is' : 'are'} ${names}`)
}

export const nameOf = (model: Model, id: string): string => {
  const element = model.elements.get(id)
  return element ? textOf(element, 'name') : ''
}
