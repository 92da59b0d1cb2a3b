// The engine behind a message port. Never throws out of its loop: what is wrong with a model comes back as problems, what
// is wrong with the engine as `broken`.
import type { FromEngine, ToEngine } from './messages.ts'

export type Engine = { receive(message: ToEngine): void; close(): void }

/** An engine that answers through `post`. */
export declare function createEngine(post: (message: FromEngine, transfer: ArrayBuffer[]) => void): Engine
