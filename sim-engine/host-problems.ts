// The two failures that a page reports itself, when the engine cannot be started or stops answering. Apart from the catalogue, so that a page
// need not load every message before it has an engine.
import { say } from '../model-schema/kinds/kind.ts'
import type { Problem } from './problems.ts'

export const hostCatalogue = {
  10001: { message: say('Unknown error', '未知错误'), fix: say('Reload the page.', '请刷新页面。'), detail: 'engine not loaded' },
  10002: { message: say('Unknown error', '未知错误'), fix: say('Run again.', '请重新运行。'), detail: 'worker stopped' },
}

/** The failure `code` of the engine that runs this scenario. */
export function hostProblem(code: keyof typeof hostCatalogue, scenario: string): Problem {
  const { message, fix } = hostCatalogue[code]
  return { code, severity: 'error', at: { id: scenario }, message, fix }
}
