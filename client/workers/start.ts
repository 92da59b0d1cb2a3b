// The bundler answers with the address of the script.
// oxlint-disable-next-line import/default
import script from './script.ts?worker&url'
import { startCompiling, type Compiling } from '../ui/worker.ts'
import type { WorkerRole } from './script.ts'

/** Throws where workers are not to be had. */
export const startWorking = (role: WorkerRole): Worker => new Worker(script, { type: 'module', name: role })

/** The same, also in a page that is sandboxed into an origin of its own. */
export const startWorkingAnywhere = (role: WorkerRole): Compiling => startCompiling(script, role)
