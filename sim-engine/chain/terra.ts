// The machine of CosmWasm is loaded only where a model has a Terra chain. Runs are synchronous and cannot wait for it.
import { say } from '../../model-schema/words.ts'
import { RunError } from '../problems.ts'

const load = () => import('./cosmwasm/terra.ts')
type Terra = Awaited<ReturnType<typeof load>>

let loaded: Terra | null = null

export const isTerraLoaded = (): boolean => loaded !== null

export async function loadTerra(): Promise<void> {
  loaded ??= await load()
}

const notLoaded = say('the code of Terra is not loaded; check the connection, then run again')

/** Throws 10067 where it could not be loaded. */
export function terra(): Terra {
  if (loaded === null) throw new RunError(10067, [notLoaded])
  return loaded
}
