// Tests of a model: what must be true of its runs, whether its tests reach all of it, and whether they notice faults.
export { testsOf } from './testing/read.ts'
export type { ModelTest } from './testing/read.ts'
export { runTest } from './testing/run.ts'
export type { CheckOutcome, TestOutcome } from './testing/run.ts'
export { coverageOf } from './testing/coverage.ts'
export { serveTests } from './testing/serve.ts'
export type { FromTester, ToTester } from './testing/serve.ts'
