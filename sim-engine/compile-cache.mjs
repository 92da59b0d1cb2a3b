// Preloaded by `npm run holarchy` and `npm run bench`: keeps scripts with their types already taken out, and what V8 compiled
// of them. A start takes a quarter of the time. Runs get a tenth faster, too: taking types out runs WebAssembly whose memory
// grows, and once a buffer was detached V8 looks at each access to a typed array whether its buffer still is there.
// Node's own modules are asked for before flags change, after which the compiled code they come with would no longer do.
import 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import 'node:util'
import v8 from 'node:v8'

// Node keeps what was compiled when a script was loaded, and that leaves out functions not called by then: each process would
// compile a thousand of them again, a third of the way from a model to its first tick.
v8.setFlagsFromString('--no-lazy')

// Node before 22.8 has none; a folder that can't be written to is no error either.
module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/holarchy', import.meta.url)))
