// What is loaded only where a model needs it: the machine of CosmWasm for a Terra chain, the recorded state below a fork. Runs are synchronous
// and cannot wait for it.
import { say, type Words } from '../../model-schema/words.ts'
import { RunError } from '../problems.ts'

class Later<Module> {
  readonly #import: () => Promise<Module>
  readonly #notLoaded: Words
  #loaded: Module | null = null

  constructor(load: () => Promise<Module>, notLoaded: Words) {
    this.#import = load
    this.#notLoaded = notLoaded
  }

  get isLoaded(): boolean {
    return this.#loaded !== null
  }

  async load(): Promise<void> {
    this.#loaded ??= await this.#import()
  }

  /** Throws 10067 where it could not be loaded. */
  get(): Module {
    if (this.#loaded === null) throw new RunError(10067, [this.#notLoaded])
    return this.#loaded
  }
}

export const terraPart = new Later(
  () => import('./cosmwasm/terra.ts'),
  say('the code of Terra is not loaded; check the connection, then run again'),
)
export const forkPart = new Later(
  () => import('./fork/recorded-state.ts'),
  say('the code of forks is not loaded; check the connection, then run again'),
)
