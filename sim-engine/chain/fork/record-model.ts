// Records what runs of a model read of a real chain: on the command line, and in a page's worker.
import type { Id, Model } from '../../../model-schema/model.ts'
import { check } from '../../check.ts'
import { compile } from '../../compile.ts'
import type { Problem } from '../../problems.ts'
import { start } from '../../run.ts'
import { chainIdOf } from './fields.ts'
import type { NodeReader } from './node.ts'
import { record } from './record.ts'
import type { Recorded } from './record.ts'

export type RecordWish = {
  readonly model: Model
  readonly scenario: Id
  /** The blockchain environment that continues from a real chain. */
  readonly chain: Id
  readonly block: number
  /** Runs that are recorded, from this seed on; blank: the scenario's. */
  readonly runs: number
  readonly seed?: number | undefined
  readonly ticks?: number | undefined
}

/** The model cannot run, whatever is recorded. */
export class Unchecked extends Error {
  readonly problems: readonly Problem[]
  constructor(problems: readonly Problem[]) {
    super('the model has problems')
    this.problems = problems
  }
}

/** The fields of a fork with a recording. */
export const recordedFields = (block: number, text: string): { startBlock: number; recording: string } => ({
  startBlock: block,
  recording: text,
})

/** Gives the recording, and the problem that ended the last run, where one did. Throws NodeFault and Unchecked. */
export async function recordModel(
  node: NodeReader,
  { model, scenario, chain, block, runs, seed, ticks }: RecordWish,
): Promise<Recorded & { readonly problem: Problem | null }> {
  const element = model.elements.get(chain)!
  const first = seed ?? Number(model.elements.get(scenario)!.fields['seed'] ?? 0)
  let problem: Problem | null = null
  const recorded = await record(node, BigInt(block), chainIdOf(element), runs, (base, text, run) => {
    const fields = { ...element.fields, ...recordedFields(block, text) }
    const checked = check({ ...model, elements: new Map(model.elements).set(chain, { ...element, fields }) }, scenario)
    if (!checked.ok) throw new Unchecked(checked.problems.filter(({ severity }) => severity === 'error'))
    const options = { seed: (first + run) >>> 0, ...(ticks === undefined ? {} : { ticks }) }
    const made = start(compile(checked.checked), options, { bases: new Map([[chain, base]]) })
    made.advance({})
    problem = made.result?.end === 'failed' ? made.result.problem : null
  })
  return { ...recorded, problem }
}
