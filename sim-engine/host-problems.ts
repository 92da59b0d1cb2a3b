// The two failures that a page reports itself, when the engine cannot be started or stops answering. Apart from the catalogue, so that a page
// need not load every message before it has an engine.
import type { Problem } from './problems.ts'
import { say } from '../model-schema/words.ts'

export const hostCatalogue = {
  10001: { message: say('Unknown error'), fix: say('Reload the page.'), detail: 'engine not loaded' },
  10002: { message: say('Unknown error'), fix: say('Run again.'), detail: 'worker stopped' },
}

/** The failure `code` of the engine that runs this scenario. */
export function hostProblem(code: keyof typeof hostCatalogue, scenario: string): Problem {
  const { message, fix } = hostCatalogue[code]
  return { code, severity: 'error', at: { id: scenario }, message, fix }
}
