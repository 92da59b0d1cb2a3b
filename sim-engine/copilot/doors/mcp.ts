// The tools as a server of the Model Context Protocol. It does not load the engine: the caller passes the function that executes a tool.
export { mcpServerFor, type Asker, type ModelFiles } from '../mcp/mcp.ts'
export { flagOf, watchBy, type StopFlag } from '../mcp/stop.ts'
