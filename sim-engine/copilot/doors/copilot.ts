// The copilot without a page: the guide, the fork it tries edits on, and the tools. Threads and the command line load it; `questions.ts` and
// `copilot-tools.ts` are what can be had of it without the engine.
export { answer, repairOf } from '../guide.ts'
export { Branch, newAmong, spotOf, type EditCall, type Edited } from '../branch.ts'
export { CONTEXT, contextOf, type ModelContext, type Where } from '../context.ts'
export type { RelatedFile } from '../drafts.ts'
export { ToolSession, type SessionParts, type ToolAnswer } from '../session.ts'
