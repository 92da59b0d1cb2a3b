// The door to the chain: its code is loaded only where a model has one, so that all other models do without it.
import type { Model } from '../model-schema/model.ts'
import { say } from '../model-schema/kinds/kind.ts'
import { RunError } from './problems.ts'

type ChainModule = typeof import('./chain/run.ts')

const notLoaded = say(
  'the code of chains could not be loaded; check the connection, then load the model again',
  '无法加载区块链代码；请检查网络连接后重新加载模型',
)

let loaded: ChainModule | null = null

/** Whether runs of the model need the chain's code. */
export const hasChain = ({ elements }: Model): boolean => {
  for (const { kind } of elements.values()) if (kind === 'blockchain') return true
  return false
}

/** Whether `loadChain` has something to wait for. */
export const needsChain = (model: Model): boolean => loaded === null && hasChain(model)

/** Loads the chain's code; to be awaited before the first run of a model that has one. */
export async function loadChain(): Promise<void> {
  loaded ??= await import('./chain/run.ts')
}

/** The same where the model has a chain. */
export const loadChainOf = async (model: Model): Promise<void> => (needsChain(model) ? loadChain() : undefined)

/** The chain's code. Throws 10067 where it could not be loaded. */
export function chainModule(): ChainModule {
  if (loaded === null) throw new RunError(10067, [notLoaded])
  return loaded
}
