// The tools of the copilot as data: names, what they are for, and checked arguments. Without the engine: servers list them.
export {
  definitionsOf,
  draftTools,
  isToolName,
  readingTools,
  TOOL,
  toolNames,
  tools,
  type ToolDefinition,
  type ToolName,
} from '../tools.ts'
export { estimatedTokens } from '../tokens.ts'
export { visible } from '../visible.ts'
