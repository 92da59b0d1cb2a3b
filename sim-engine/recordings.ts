// What pages ask of forks and their recordings: what is there, and what the worker that makes one says.
export { recordingOf } from './chain/fork/fields.ts'
export type { FromRecorder, ToRecorder } from './chain/fork/serve.ts'
