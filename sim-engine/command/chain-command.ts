// `holarchy chain record | show | verify`: recordings of real chains, made through a node and written into the model; comparison with the
// reference machine.
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { modelOfFile, printFile } from '../../model-schema/file.ts'
import type { Model } from '../../model-schema/model.ts'
import { loadChain } from '../chain.ts'
import { recordedFields, recordModel, Unchecked } from '../chain/fork/record-model.ts'
import type { Recorded } from '../chain/fork/record.ts'
import { isForkOf, recordingOf } from '../chain/fork/fields.ts'
import { NodeFault, NodeReader } from '../chain/fork/node.ts'
import type { Post } from '../chain/fork/node.ts'
import { check } from '../check.ts'
import { textOf } from '../check/resolve.ts'
import { compile } from '../compile.ts'
import type { Program } from '../compile.ts'
import { Misuse, whole } from '../experiment/arguments.ts'
import type { Problem } from '../problems.ts'
import { start } from '../run.ts'
import { numberOption, parseCommand } from './arguments.ts'
import { nameOf, readHoloFile, readModelFile, scenarioOf } from './model-file.ts'
import { OutboundFailed, OutboundRefused, postText, shortAnswer } from '../outbound.ts'
import type { OutboundRules } from '../outbound.ts'
import { problemText } from './problem-text.ts'

type Output = { out(text: string): void; err(text: string): void }

/** What tests set: shorter limits. */
type ChainSettings = { readonly limits?: Partial<OutboundRules>; readonly wait?: (ms: number) => Promise<void> }

export async function chainCommand(
  args: readonly string[],
  output: Output,
  signal: AbortSignal,
  settings: ChainSettings = {},
): Promise<0 | 1> {
  const [what, ...rest] = args
  if (what === 'record') return recordCommand(rest, output, signal, settings)
  if (what === 'show') return showCommand(rest, output)
  if (what === 'verify') return verifyCommand(rest, output, signal)
  throw new Misuse('chain takes record, show or verify')
}

/** The forks of a scenario: its blockchain environments that go on from a real chain. */
const forksOf = (model: Model, scenario: string): string[] =>
  [...model.elements.values()]
    .filter(one => one.kind === 'blockchain' && isForkOf(one) && scenarioIdOf(model, one.id) === scenario)
    .map(({ id }) => id)

function scenarioIdOf(model: Model, id: string): string {
  let at = id
  for (let parent = model.elements.get(at)?.parent; typeof parent === 'string'; parent = model.elements.get(at)?.parent) at = parent
  return at
}

function showCommand(args: readonly string[], output: Output): 0 {
  const { file, values } = parseCommand(args, ['scenario'])
  const { model } = readModelFile(file)
  const forks = forksOf(model, scenarioOf(model, values.scenario))
  if (forks.length === 0) output.out('no blockchain environment goes on from a real chain\n')
  for (const id of forks) {
    const found = recordingOf(model.elements.get(id)!)
    if (found === null) output.out(`${nameOf(model, id)}: not recorded\n`)
    else output.out(`${nameOf(model, id)}: ${describe(found.recording)}\n`)
  }
  return 0
}

function describe({ chainId, block, accounts, codes, slots, isVerified }: Recorded['recording']): string {
  const count = [...slots.values()].reduce((sum, { size }) => sum + size, 0)
  const trust = isVerified ? 'verified against the state root' : 'not verified: the node gave no proofs'
  return `chain ${chainId}, block ${block.number}: ${accounts.size} accounts, ${codes.size} codes, ${count} slots, ${trust}`
}

async function recordCommand(args: readonly string[], output: Output, signal: AbortSignal, settings: ChainSettings): Promise<0 | 1> {
  const { file: path, values } = parseCommand(args, ['endpoint', 'chain', 'block', 'scenario', 'seed', 'replications', 'ticks'])
  if (path === '-') throw new Misuse('a recording is written into a file')
  const seed = whole('seed', values.seed, 0, 4294967295)
  const runs = whole('replications', values.replications, 1, 1000) ?? 1
  const number = whole('block', values.block, 1, Number.MAX_SAFE_INTEGER)
  const ticks = numberOption('ticks', values.ticks)
  await loadChain()
  const file = readHoloFile(path)
  const scenario = scenarioOf(modelOfFile(file), values.scenario)
  const forks = forksOf(modelOfFile(file), scenario).filter(
    id => values.chain === undefined || [id, nameOf(modelOfFile(file), id)].includes(values.chain),
  )
  if (forks.length === 0)
    throw new Misuse('the scenario has no blockchain environment with a node; name one in its field Node, such as mainnet')
  for (const id of forks) {
    const endpoint = endpointOf(modelOfFile(file), id, values.endpoint)
    const reader = new NodeReader({
      post: posting(endpoint, signal, settings),
      wait: settings.wait ?? (ms => sleep(ms, undefined, { signal })),
    })
    const block = number ?? Number(modelOfFile(file).elements.get(id)!.fields['startBlock'] ?? 0)
    if (block === 0) throw new Misuse(`at which block? --block N, or the start block of ${nameOf(modelOfFile(file), id)}`)
    let recorded: Awaited<ReturnType<typeof recordModel>>
    try {
      recorded = await recordModel(reader, { model: modelOfFile(file), scenario, chain: id, block, runs, seed, ticks })
    } catch (error) {
      if (
        !(error instanceof NodeFault || error instanceof OutboundFailed || error instanceof OutboundRefused || error instanceof Unchecked)
      )
        throw error
      const why = error instanceof Unchecked ? problemsText(modelOfFile(file), error.problems) : error.message
      output.err(`holarchy: ${nameOf(modelOfFile(file), id)}: ${why}; nothing was recorded\n`)
      return 1
    }
    Object.assign(file.elements[id]!, recordedFields(block, recorded.text))
    writeFileSync(path, printFile(file))
    output.out(`${nameOf(modelOfFile(file), id)}: ${describe(recorded.recording)} (${reader.requests} requests)\n`)
    if (recorded.problem !== null) {
      output.err(problemText(modelOfFile(file), recorded.problem))
      return 1
    }
  }
  return 0
}

/** Instants between two looks at whether there are enough transactions. */
const stretch = 64
/** Transactions that are compared unless more are asked for. */
const mostTransactions = 10_000

async function verifyCommand(args: readonly string[], output: Output, signal: AbortSignal): Promise<0 | 1> {
  const { file, values } = parseCommand(args, ['scenario', 'seed', 'ticks', 'transactions'])
  const seed = whole('seed', values.seed, 0, 4294967295)
  const ticks = numberOption('ticks', values.ticks)
  const most = whole('transactions', values.transactions, 1, 10_000_000) ?? mostTransactions
  await loadChain()
  const { model } = readModelFile(file)
  const scenario = scenarioOf(model, values.scenario)
  const { Verification } = await import('../chain/reference/verify.ts')
  const verification = new Verification(most)
  try {
    const options = { ...(seed === undefined ? {} : { seed }), ...(ticks === undefined ? {} : { ticks }) }
    const run = start(programOf(model, scenario), options, verification.options)
    while (!verification.isFull && run.advance({ instants: stretch })) run.takeOutput()
    // What a failed run has done until then is compared as well.
    if (run.result?.end === 'failed') output.err(problemText(model, run.result.problem))
  } catch (error) {
    if (!(error instanceof Unchecked)) throw error
    output.err(`holarchy: ${problemsText(model, error.problems)}\n`)
    return 1
  }
  const verdicts = await verification.finish(() => {
    if (signal.aborted) throw new Misuse('stopped')
  })
  if (verdicts.length === 0) output.out('the scenario has no blockchain environment\n')
  for (const { chain, transactions, accounts, slots, difference } of verdicts)
    if (difference === null)
      output.out(`${chain}: ${transactions} transactions, ${accounts} accounts and ${slots} slots are equal on the reference machine\n`)
    else
      output.err(
        `${chain}: ${difference.block === null ? 'in the end' : `transaction ${transactions}, block ${difference.block}, ${difference.method}`}: ${difference.what} is ${difference.ours}, on the reference machine ${difference.theirs}\n`,
      )
  return verdicts.some(({ difference }) => difference !== null) ? 1 : 0
}

const problemsText = (model: Model, problems: readonly Problem[]): string => problems.map(one => problemText(model, one).trim()).join('; ')

/** Throws Unchecked where the scenario has problems. */
function programOf(model: Model, scenario: string): Program {
  const checked = check(model, scenario)
  if (!checked.ok) throw new Unchecked(checked.problems.filter(({ severity }) => severity === 'error'))
  return compile(checked.checked)
}

/** Address of the node: as given, by the environment for a name, or as the model has it. */
function endpointOf(model: Model, id: string, given: string | undefined): string {
  const node = textOf(model.elements.get(id)!, 'node').trim()
  const found = given ?? process.env[`HOLARCHY_ENDPOINT_${node.toUpperCase().replaceAll('-', '_')}`] ?? node
  const url = URL.parse(found)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new Misuse(
      `give the node's address: --endpoint https://...${given === undefined ? `, or HOLARCHY_ENDPOINT_${node.toUpperCase().replaceAll('-', '_')}` : ''}`,
    )
  return found
}

/** Posts to the node alone: the host named on the command line may be private, nothing that it redirects to is followed. */
function posting(endpoint: string, signal: AbortSignal, { limits }: ChainSettings): Post {
  const url = new URL(endpoint)
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const rules = { ...shortAnswer, ...limits, allowed: new Set([`${url.hostname}:${port}`]) }
  return body => postText(endpoint, { headers: { 'content-type': 'application/json' }, body, signal }, rules)
}
