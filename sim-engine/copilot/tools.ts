// The tools of the copilot: what a language model, the panel and clients of the Model Context Protocol may do with a model. One row a tool: its name, what
// it is for, and the arguments it takes. Definitions only, so that a server can list them without the engine; `session.ts` executes them. Reading tools
// read; the others write to a fork of the document, and `offer` makes a proposal of it. No tool accepts, shares, deletes a file, or has an address.
import { z } from 'zod'
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

const id = z.string().min(1).max(64)
const name = z.string().min(1).max(DOCUMENT.nameLength)
const text = z.string().max(DOCUMENT.formulaLength)
const values = z.record(z.string().max(64), z.unknown())
const point = z.array(z.number().min(-DOCUMENT.coordinate).max(DOCUMENT.coordinate)).length(2)
const cells = z.array(z.number().int().min(0).max(2000)).length(2)
const scenario = id.optional().describe('default: the first')
const seed = z.number().int().min(0).max(4_294_967_295).optional()
const ticks = z.number().int().min(1).max(TOOL.ticks).optional().describe('default: those of the scenario')
const inputs = z.record(z.string().max(128), z.union([z.number(), z.boolean(), z.string().max(1000)])).optional()

/** One edit as a tool takes it. Ids may be `$1`, `$2`, ...: what the first, second, ... call of the same batch made. */
export const editCall = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('place'),
    kind: id,
    parent: id.describe('the element on whose canvas it is placed'),
    values: values.optional(),
    near: id.optional().describe('placed to the right of this element'),
    at: point.optional(),
  }),
  z.strictObject({
    do: z.literal('connect'),
    from: id,
    to: id,
    kind: id.optional().describe('"flow" when left away'),
    values: values.optional(),
  }),
  z.strictObject({ do: z.literal('insert'), flow: id, kind: id, values: values.optional() }),
  z.strictObject({ do: z.literal('set'), id, field: z.string().min(1).max(64), value: z.unknown() }),
  z.strictObject({ do: z.literal('rename'), id, name }),
  z.strictObject({ do: z.literal('reconnect'), id, side: z.enum(['from', 'to']), to: id }),
  z.strictObject({ do: z.literal('remove'), ids: z.array(id).min(1).max(TOOL.listed) }),
  z.strictObject({ do: z.literal('move'), id, at: point }),
  z.strictObject({ do: z.literal('reparent'), ids: z.array(id).min(1).max(TOOL.listed), parent: id }),
  z.strictObject({ do: z.literal('duplicate'), ids: z.array(id).min(1).max(TOOL.listed) }),
  z.strictObject({ do: z.literal('scenario'), name }),
])

/** One edit of a file about the model; cards are placed in columns and rows. */
const fileCall = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('place'), kind: id, parent: id, values: values.optional(), at: cells.optional(), size: cells.optional() }),
  z.strictObject({ do: z.literal('set'), id, field: z.string().min(1).max(64), value: z.unknown() }),
  z.strictObject({ do: z.literal('move'), id, at: cells }),
  z.strictObject({ do: z.literal('reparent'), ids: z.array(id).min(1).max(TOOL.listed), parent: id }),
  z.strictObject({ do: z.literal('remove'), ids: z.array(id).min(1).max(TOOL.listed) }),
])

const drafting = z.strictObject({
  of: z.string().min(1).max(1000).optional().describe('id of a file to change; default: a new one'),
  name: name.optional().describe('of a new file'),
  calls: z.array(fileCall).min(1).max(TOOL.fileCalls).optional(),
})

/** The same as it is listed: `edit` has the verbs in full, and each is checked by itself. */
const draftingInShort = z.strictObject({
  ...drafting.shape,
  calls: z
    .array(z.looseObject({ do: z.enum(['place', 'set', 'move', 'reparent', 'remove']) }))
    .optional()
    .describe('as in edit'),
})

/** What a tool does: `read` changes nothing, `run` runs the model, `branch` writes to the fork, `talk` addresses the person. */
export type ToolClass = 'read' | 'run' | 'branch' | 'talk'

/** `lists`: the arguments as they are listed, where that is shorter. */
type Row = { readonly does: string; readonly sort: ToolClass; readonly takes: z.ZodObject; readonly lists?: z.ZodObject }

export const tools = {
  outline: {
    sort: 'read',
    does: 'Lists elements as a tree: id, kind, name, problems. Start here.',
    takes: z.strictObject({
      root: id.optional().describe('list what is inside this element only'),
      depth: z.number().int().min(1).max(20).optional(),
      kinds: z.array(id).max(60).optional(),
      offset: z.number().int().min(0).optional().describe('continue a list that was cut'),
    }),
  },
  read: {
    sort: 'read',
    does: 'Reads elements: fields that differ from defaults, ends of connectors, what is inside, who refers to them.',
    takes: z.strictObject({ ids: z.array(id).min(1).max(40), fields: z.array(z.string().max(64)).max(40).optional() }),
  },
  find: {
    sort: 'read',
    does: 'Finds elements whose name, notes or formulas contain a text.',
    takes: z.strictObject({ text: z.string().max(500), kind: id.optional(), offset: z.number().int().min(0).optional() }),
  },
  kind: {
    sort: 'read',
    does: 'Describes a kind of element: its fields and where it may be placed. Without id: all kinds, one line each.',
    takes: z.strictObject({ id: id.optional() }),
  },
  reference: {
    sort: 'read',
    does: 'Searches the reference of the formula language and the elements.',
    takes: z.strictObject({ query: z.string().min(1).max(500), language: z.string().max(35).optional() }),
  },
  explain: {
    sort: 'read',
    does: 'Explains an element in sentences; of a process its course.',
    takes: z.strictObject({ id, language: z.string().max(35).optional() }),
  },
  check: { sort: 'read', does: 'Lists the problems of the fork, causes first, with what to do about each.', takes: z.strictObject({}) },
  changes: {
    sort: 'read',
    does: 'What the fork differs in from the document, or, with `from`, from another version or file that is open.',
    takes: z.strictObject({ from: id.optional() }),
  },
  repair: {
    sort: 'branch',
    does: 'Repairs one problem on the fork (`problem` of check or of a run that failed), or all that need no choice: errors, then what runs fail of.',
    takes: z.strictObject({ problem: z.string().max(300).optional() }),
  },
  pattern: {
    sort: 'branch',
    does: 'Builds a small standard model (queue, SIR, random walk ...) on the fork. Without id: lists the patterns and their numbers.',
    takes: z.strictObject({ id: id.optional(), numbers: z.array(z.number()).max(12).optional() }),
  },
  edit: {
    sort: 'branch',
    does:
      'Makes a batch of edits on the fork, all or none, and checks them. Returns the ids made and the new problems. A refused call says why and what would be allowed. ' +
      'Names may stand for ids in fields that refer to elements.',
    takes: z.strictObject({ calls: z.array(editCall).min(1).max(TOOL.calls) }),
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
    takes: z.strictObject({ runs: z.number().int().min(2).max(TOOL.runs), scenario, ticks, inputs }),
  },
  experiment: {
    sort: 'run',
    does: 'Compares values of one variable or container under the same seeds: means, and intervals of the differences from the first.',
    takes: z.strictObject({
      name: name.describe('name or id of a variable or container'),
      values: z.array(z.number()).min(1).max(8),
      runs: z.number().int().min(2).max(TOOL.runs),
      scenario,
      ticks,
    }),
  },
  compare: {
    sort: 'run',
    does: 'Compares runs of two of: "fork", "document" (as it is), a scenario, another version or file. Same seeds; intervals of the differences.',
    takes: z.strictObject({ a: name, b: name, runs: z.number().int().min(2).max(TOOL.runs), ticks }),
  },
  matters: {
    sort: 'run',
    does: 'Screens the inputs (Morris): which move a measure most, with intervals.',
    takes: z.strictObject({ measure: z.string().max(200).optional(), scenario: z.string().max(200).optional() }),
  },
  trace: {
    sort: 'run',
    does: 'What happened at an element in one run: who did which step when, who waits at the end.',
    takes: z.strictObject({ element: id, around: z.number().min(0).optional().describe('a time'), scenario, seed, ticks }),
  },
  result: {
    sort: 'read',
    does: 'An earlier result of a run, by its number.',
    takes: z.strictObject({ number: z.number().int().min(1).max(1e6) }),
  },
  validate: {
    sort: 'run',
    does: 'Tests a claim: whether the mean of a measure lies within a tolerance of a value, by runs with seeds 1 to `runs`.',
    takes: z.strictObject({
      measure: name,
      expected: z.number(),
      tolerance: z.number().min(0),
      runs: z.number().int().min(2).max(TOOL.runs),
      scenario,
      ticks,
      inputs,
    }),
  },
  ask: {
    sort: 'talk',
    does: 'Asks the person a question with choices. Ends the turn.',
    takes: z.strictObject({ question: text.min(1), choices: z.array(z.string().min(1).max(200)).max(8).optional() }),
  },
  offer: {
    sort: 'branch',
    does: 'Offers what was changed on the fork, and the files that were drafted, as a proposal that the person accepts or rejects. Needs no new errors.',
    takes: z.strictObject({ title: z.string().min(1).max(200), why: z.string().max(2000) }),
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
  const read = tools[name].takes.safeParse(value)
  if (read.success) return { taken: read.data as Taken<Name> }
  const issues = read.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`)
  return { refused: `Wrong arguments for "${name}": ${issues.join('; ')}` }
}
