// The worker of tables: attaches itself to the port it was born with. One question after the other, as they came.
import { createKeeper } from './keeper.ts'
import type { FromTables, ToTables } from './protocol.ts'
import { TableError } from './table.ts'

type Scope = {
  postMessage(message: FromTables, transfer: readonly ArrayBuffer[]): void
  addEventListener(type: 'message', heard: (event: { data: ToTables }) => void): void
}

const isScope = (scope: unknown): scope is Scope =>
  typeof scope === 'object' && scope !== null && 'WorkerGlobalScope' in scope && 'postMessage' in scope

const scope: unknown = globalThis
if (isScope(scope)) {
  const keeper = createKeeper()
  const say = (message: FromTables): void => scope.postMessage(message, [])
  let last: Promise<unknown> = Promise.resolve()
  scope.addEventListener('message', ({ data: { id, ask } }) => {
    last = last
      .then(() => keeper(ask))
      .then(
        answer => say({ id, ok: true, answer }),
        (error: unknown) =>
          say(
            error instanceof TableError
              ? { id, ok: false, fault: error.fault, about: error.about }
              : { id, ok: false, fault: 'broken', about: error instanceof Error ? error.message : String(error) },
          ),
      )
  })
}
