// The tools of the copilot: what a language model, the panel and clients of the Model Context Protocol may do with a model. One row a tool: its name, what
// it is for, and the arguments it takes. Definitions only, so that a server can list them without the engine; `session.ts` executes them. Reading tools
// read; the others write to a fork of the document, and `offer` makes a proposal of it. No tool accepts, shares, deletes a file, or has an address.
import { en } from 'zod/locales'
import * as z from 'zod/mini'
import type { DraftKind } from '../../model-schema/file-drafts.ts'
import { DOCUMENT } from '../../model-schema/business/limits.ts'

/** Bounds of arguments and results. A result above `resultLength` characters is refused with how to ask for less. */
export const TOOL = {
  argumentsLength: 200_000,
  resultLength: 24_000,
  calls: 100,
  listed: 200,
  runs: 50,
  ticks: 10_000,
  points: 60,
  fileCalls: 100,
  kept: 20,
} as const

const text = (shortest: number, longest: number) => z.string().check(z.minLength(shortest), z.maxLength(longest))
const textUpTo = (longest: number) => z.string().check(z.maxLength(longest))
const wholeNumber = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most))
const list = <Item extends z.ZodMiniType>(item: Item, shortest: number, longest: number) =>
  z.array(item).check(z.minLength(shortest), z.maxLength(longest))
const listUpTo = <Item extends z.ZodMiniType>(item: Item, longest: number) => z.array(item).check(z.maxLength(longest))

const id = text(1, 64)
const name = text(1, DOCUMENT.nameLength)
const values = z.record(textUpTo(64), z.unknown())
const point = z.array(z.number().check(z.gte(-DOCUMENT.coordinate), z.lte(DOCUMENT.coordinate))).check(z.length(2))
const cells = z.array(wholeNumber(0, 2000)).check(z.length(2))
const scenario = z.optional(id).check(z.describe('default: the first'))
const seed = z.optional(wholeNumber(0, 4_294_967_295))
const ticks = z.optional(wholeNumber(1, TOOL.ticks)).check(z.describe('default: those of the scenario'))
const inputs = z.optional(z.record(textUpTo(128), z.union([z.number(), z.boolean(), textUpTo(1000)])))

/** One edit as a tool takes it. Ids may be `$1`, `$2`, ...: what the first, second, ... call of the same batch made. */
const editCall = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('place'),
    kind: id,
    parent: id.check(z.describe('the element on whose canvas it is placed')),
    values: z.optional(values),
    near: z.optional(id).check(z.describe('placed to the right of this element')),
    at: z.optional(point),
  }),
  z.strictObject({
    do: z.literal('connect'),
    from: id,
    to: id,
    kind: z.optional(id).check(z.describe('"flow" when left away')),
    values: z.optional(values),
  }),
  z.strictObject({ do: z.literal('insert'), flow: id, kind: id, values: z.optional(values) }),
  z.strictObject({ do: z.literal('set'), id, field: text(1, 64), value: z.unknown() }),
  z.strictObject({ do: z.literal('rename'), id, name }),
  z.strictObject({ do: z.literal('reconnect'), id, side: z.enum(['from', 'to']), to: id }),
  z.strictObject({ do: z.literal('remove'), ids: list(id, 1, TOOL.listed) }),
  z.strictObject({ do: z.literal('move'), id, at: point }),
  z.strictObject({ do: z.literal('reparent'), ids: list(id, 1, TOOL.listed), parent: id }),
  z.strictObject({ do: z.literal('duplicate'), ids: list(id, 1, TOOL.listed) }),
  z.strictObject({ do: z.literal('scenario'), name }),
])

/** One edit of a file about the model; cards are placed in columns and rows. */
const fileCall = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('place'),
    kind: id,
    parent: id,
    values: z.optional(values),
    at: z.optional(cells),
    size: z.optional(cells),
  }),
  z.strictObject({ do: z.literal('set'), id, field: text(1, 64), value: z.unknown() }),
  z.strictObject({ do: z.literal('move'), id, at: cells }),
  z.strictObject({ do: z.literal('reparent'), ids: list(id, 1, TOOL.listed), parent: id }),
  z.strictObject({ do: z.literal('remove'), ids: list(id, 1, TOOL.listed) }),
])

const drafting = z.strictObject({
  of: z.optional(text(1, 1000)).check(z.describe('id of a file to change; default: a new one')),
  name: z.optional(name).check(z.describe('of a new file')),
  calls: z.optional(list(fileCall, 1, TOOL.fileCalls)),
})

/** The same as it is listed: `edit` has the verbs in full, and each is checked by itself. */
const draftingInShort = z.strictObject({
  ...drafting.shape,
  calls: z.optional(z.array(z.looseObject({ do: z.enum(['place', 'set', 'move', 'reparent', 'remove']) }))).check(z.describe('as in edit')),
})

/** What a tool does: `read` changes nothing, `run` runs the model, `branch` writes to the fork, `talk` addresses the person. */
type ToolClass = 'read' | 'run' | 'branch' | 'talk'

/** `lists`: the arguments as they are listed, where that is shorter. */
type Row = { readonly does: string; readonly sort: ToolClass; readonly takes: z.ZodMiniObject; readonly lists?: z.ZodMiniObject }

export const tools = {
  outline: {
    sort: 'read',
    does: 'Lists elements as a tree: id, kind, name, problems. Start here.',
    takes: z.strictObject({
      root: z.optional(id).check(z.describe('list what is inside this element only')),
      depth: z.optional(wholeNumber(1, 20)),
      kinds: z.optional(listUpTo(id, 60)),
      offset: z.optional(z.int().check(z.gte(0))).check(z.describe('continue a list that was cut')),
    }),
  },
  read: {
    sort: 'read',
    does: 'Reads elements: fields that differ from defaults, ends of connectors, what is inside, who refers to them.',
    takes: z.strictObject({ ids: list(id, 1, 40), fields: z.optional(listUpTo(textUpTo(64), 40)) }),
  },
  find: {
    sort: 'read',
    does: 'Finds elements whose name, notes or formulas contain a text.',
    takes: z.strictObject({ text: textUpTo(500), kind: z.optional(id), offset: z.optional(z.int().check(z.gte(0))) }),
  },
  kind: {
    sort: 'read',
    does: 'Describes a kind of element: its fields and where it may be placed. Without id: all kinds, one line each.',
    takes: z.strictObject({ id: z.optional(id) }),
  },
  reference: {
    sort: 'read',
    does: 'Searches the reference of the formula language and the elements.',
    takes: z.strictObject({ query: text(1, 500), language: z.optional(textUpTo(35)) }),
  },
  explain: {
    sort: 'read',
    does: 'Explains an element in sentences; of a process its course.',
    takes: z.strictObject({ id, language: z.optional(textUpTo(35)) }),
  },
  check: { sort: 'read', does: 'Lists the problems of the fork, causes first, with what to do about each.', takes: z.strictObject({}) },
  changes: {
    sort: 'read',
    does: 'What the fork differs in from the document, or, with `from`, from another version or file that is open.',
    takes: z.strictObject({ from: z.optional(id) }),
  },
  repair: {
    sort: 'branch',
    does: 'Repairs one problem on the fork (`problem` of check or of a run that failed), or all that need no choice: errors, then what runs fail of.',
    takes: z.strictObject({ problem: z.optional(textUpTo(300)) }),
  },
  pattern: {
    sort: 'branch',
    does: 'Builds a small standard model (queue, SIR, random walk ...) on the fork. Without id: lists the patterns and their numbers.',
    takes: z.strictObject({ id: z.optional(id), numbers: z.optional(listUpTo(z.number(), 12)) }),
  },
  edit: {
    sort: 'branch',
    does:
      'Makes a batch of edits on the fork, all or none, and checks them. Returns the ids made and the new problems. A refused call says why and what would be allowed. ' +
      'Names may stand for ids in fields that refer to elements.',
    takes: z.strictObject({ calls: list(editCall, 1, TOOL.calls) }),
  },
  experiment_file: {
    sort: 'branch',
    does:
      'Drafts an experiment file about the model: "root" (kind experiment) holds decision, objective, constraint, response, dataSeries, alternative. "offer" suggests it. ' +
      'Without arguments: lists those there are.',
    takes: drafting,
    lists: draftingInShort,
  },
  chart: {
    sort: 'branch',
    does: 'Drafts a chart file: one "plot" in "run" (dimension "@time", metrics [{field: formula}]). Otherwise as experiment_file.',
    takes: drafting,
    lists: draftingInShort,
  },
  dashboard: {
    sort: 'branch',
    does:
      'Drafts a dashboard: plot, worldView, controller, networkChart in "run", note and cardGroup in "root"; `at` and `size` in columns (12) and rows. ' +
      'Otherwise as experiment_file.',
    takes: drafting,
    lists: draftingInShort,
  },
  undo: { sort: 'branch', does: 'Takes back the last batch of edits, of the fork or of a drafted file.', takes: z.strictObject({}) },
  run: {
    sort: 'run',
    does: 'Runs a scenario of the fork once (inputs: public variables by name): how it ends, statistics, containers, public variables, who waits, the first error.',
    takes: z.strictObject({ scenario, seed, ticks, inputs }),
  },
  replicate: {
    sort: 'run',
    does: 'Runs a scenario with seeds 1 to `runs`: mean and 95 % interval of everything it measures.',
    takes: z.strictObject({ runs: wholeNumber(2, TOOL.runs), scenario, ticks, inputs }),
  },
  experiment: {
    sort: 'run',
    does: 'Compares values of one variable or container under the same seeds: means, and intervals of the differences from the first.',
    takes: z.strictObject({
      name: name.check(z.describe('name or id of a variable or container')),
      values: list(z.number(), 1, 8),
      runs: wholeNumber(2, TOOL.runs),
      scenario,
      ticks,
    }),
  },
  compare: {
    sort: 'run',
    does: 'Compares runs of two of: "fork", "document" (as it is), a scenario, another version or file. Same seeds; intervals of the differences.',
    takes: z.strictObject({ a: name, b: name, runs: wholeNumber(2, TOOL.runs), ticks }),
  },
  matters: {
    sort: 'run',
    does: 'Screens the inputs (Morris): which move a measure most, with intervals.',
    takes: z.strictObject({ measure: z.optional(textUpTo(200)), scenario: z.optional(textUpTo(200)) }),
  },
  trace: {
    sort: 'run',
    does: 'What happened at an element in one run: who did which step when, who waits at the end.',
    takes: z.strictObject({
      element: id,
      around: z.optional(z.number().check(z.gte(0))).check(z.describe('a time')),
      scenario,
      seed,
      ticks,
    }),
  },
  result: {
    sort: 'read',
    does: 'An earlier result of a run, by its number.',
    takes: z.strictObject({ number: wholeNumber(1, 1e6) }),
  },
  validate: {
    sort: 'run',
    does: 'Tests a claim: whether the mean of a measure lies within a tolerance of a value, by runs with seeds 1 to `runs`.',
    takes: z.strictObject({
      measure: name,
      expected: z.number(),
      tolerance: z.number().check(z.gte(0)),
      runs: wholeNumber(2, TOOL.runs),
      scenario,
      ticks,
      inputs,
    }),
  },
  ask: {
    sort: 'talk',
    does: 'Asks the person a question with choices. Ends the turn.',
    takes: z.strictObject({ question: text(1, DOCUMENT.formulaLength), choices: z.optional(listUpTo(text(1, 200), 8)) }),
  },
  offer: {
    sort: 'branch',
    does: 'Offers what was changed on the fork, and the files that were drafted, as a proposal that the person accepts or rejects. Needs no new errors.',
    takes: z.strictObject({ title: text(1, 200), why: textUpTo(2000) }),
  },
} as const satisfies Readonly<Record<string, Row>>

export type ToolName = keyof typeof tools
export type Taken<Name extends ToolName> = z.output<(typeof tools)[Name]['takes']>

export const toolNames = Object.keys(tools).filter((one): one is ToolName => Object.hasOwn(tools, one))
export const isToolName = (one: string): one is ToolName => Object.hasOwn(tools, one)

/** The tools that change nothing, for questions and for those who may only read. */
export const readingTools: readonly ToolName[] = toolNames.filter(one => tools[one].sort !== 'branch')

/** The tools that draft files about the model, with the kind of file. */
export const draftTools: ReadonlyMap<string, DraftKind> = new Map<ToolName, DraftKind>([
  ['experiment_file', 'experiment'],
  ['chart', 'chart'],
  ['dashboard', 'dashboard'],
])

export type ToolDefinition = {
  readonly name: ToolName
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** Bounds of lengths, and that parts hold nothing else, are left out of what is listed: they are checked, and would cost tokens with every question. */
const unlisted: ReadonlySet<string> = new Set(['$schema', 'minLength', 'maxLength', 'maxItems', 'additionalProperties'])

/** Tools as protocols list them: the arguments as JSON Schema. */
export const definitionsOf = (names: readonly ToolName[] = toolNames): ToolDefinition[] =>
  names.map(one => {
    const row: Row = tools[one]
    const schema = JSON.stringify(z.toJSONSchema(row.lists ?? row.takes, { io: 'input' }), (key, value: unknown) =>
      unlisted.has(key) ? undefined : value,
    )
    const parameters: Record<string, unknown> = JSON.parse(schema)
    return { name: one, description: tools[one].does, parameters: { ...parameters, additionalProperties: false } }
  })

/** Without it, refusals would not say what is expected. */
const inEnglish = { error: en().localeError }

export type Refused = { readonly refused: string }

/** Arguments of a tool checked, or what is wrong with them in words. `given` may be JSON text. Never throws. */
export function argumentsOf<Name extends ToolName>(name: Name, given: unknown): { taken: Taken<Name> } | Refused {
  const size = typeof given === 'string' ? given.length : JSON.stringify(given ?? {}).length
  if (size > TOOL.argumentsLength)
    return { refused: `The arguments are ${size} characters long; at most ${TOOL.argumentsLength} are taken. Make several calls.` }
  let value = given ?? {}
  if (typeof given === 'string')
    try {
      value = given.trim() === '' ? {} : JSON.parse(given)
    } catch (error) {
      return { refused: `The arguments are not JSON: ${error instanceof Error ? error.message : String(error)}` }
    }
  const read = tools[name].takes.safeParse(value, inEnglish)
  if (read.success) return { taken: read.data as Taken<Name> }
  const issues = read.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`)
  return { refused: `Wrong arguments for "${name}": ${issues.join('; ')}` }
}
