// The door to the chain: its code is loaded only where a model has one, so that all other models do without it. Cryptography on elliptic
// curves is loaded with it where a contract of the model may call it.
import type { Model } from '../model-schema/model.ts'
import { curveParts, isLoaded, loadCurves } from './chain/evm/protocol/curves.ts'
import type { CurvePart } from './chain/evm/protocol/curves.ts'
import { isForkOf } from './chain/fork/fields.ts'
import { forkPart, terraPart } from './chain/later.ts'
import { curvesOfElement, isTerra } from './chain/parts.ts'
import { RunError } from './problems.ts'
import { say } from '../model-schema/words.ts'

type ChainModule = typeof import('./chain/run.ts')

const notLoaded = say('the code of chains could not be loaded; check the connection, then load the model again')

let loaded: ChainModule | null = null

/** Whether runs of the model need the chain's code. */
export const hasChain = ({ elements }: Model): boolean => {
  for (const { kind } of elements.values()) if (kind === 'blockchain') return true
  return false
}

function curvesOf({ elements }: Model): Set<CurvePart> {
  const parts = new Set<CurvePart>()
  for (const element of elements.values()) for (const part of curvesOfElement(element)) parts.add(part)
  return parts
}

type Later = typeof terraPart | typeof forkPart

/** What the model's chains need in addition: most need neither. */
function laterOf({ elements }: Model): Later[] {
  const all = [...elements.values()]
  return [
    ...(all.some(isTerra) ? [terraPart] : []),
    ...(all.some(element => element.kind === 'blockchain' && isForkOf(element)) ? [forkPart] : []),
  ]
}

/** Whether `loadChainOf` has something to wait for. */
export const needsChain = (model: Model): boolean =>
  hasChain(model) && (loaded === null || ![...curvesOf(model)].every(isLoaded) || laterOf(model).some(part => !part.isLoaded))

/** Loads the chain's code; to be awaited before the first run of a model that has one. */
export async function loadChain(parts: Iterable<CurvePart> = curveParts, later: readonly Later[] = [terraPart, forkPart]): Promise<void> {
  const [module] = await Promise.all([import('./chain/run.ts'), loadCurves(parts), ...later.map(part => part.load())])
  loaded = module
}

/** The same where the model has a chain, with what its contracts may call. */
export const loadChainOf = async (model: Model): Promise<void> =>
  needsChain(model) ? loadChain(curvesOf(model), laterOf(model)) : undefined

/** The chain's code. Throws 10067 where it could not be loaded. */
export function chainModule(): ChainModule {
  if (loaded === null) throw new RunError(10067, [notLoaded])
  return loaded
}
