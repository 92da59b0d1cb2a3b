// The tools of the copilot as data: names, what they are for, and checked arguments. Without the engine: servers list them.
export {
  argumentsOf,
  definitionsOf,
  draftTools,
  isToolName,
  readingTools,
  TOOL,
  toolNames,
  tools,
  type Taken,
  type ToolDefinition,
  type ToolName,
} from './copilot/tools.ts'
export { estimatedTokens } from './copilot/tokens.ts'
export { visible } from './copilot/visible.ts'
