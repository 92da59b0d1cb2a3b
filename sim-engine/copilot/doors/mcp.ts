// The tools as a server of the Model Context Protocol, for whoever executes them elsewhere: without the engine.
export { mcpServerFor, type Asker, type ModelFiles } from '../mcp/mcp.ts'
export { flagOf, watchBy, type StopFlag } from '../mcp/stop.ts'
