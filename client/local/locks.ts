// Web Locks: which documents are open in some tab, and which one tab does the background work.

/** Says, as long as the page lives or until the returned function is called, that this document is open. */
export function holdDocument(user: string, id: string): () => void {
  let release: () => void = () => undefined
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  locks()
    ?.request(nameOf(user, id), { mode: 'shared' }, () => held)
    .catch((error: unknown) => console.warn('no lock on an open document', error))
  return release
}

/** Runs `work` unless the document is open in some tab; null when it is. */
export async function whileClosed<T>(user: string, id: string, work: () => Promise<T>): Promise<T | null> {
  const manager = locks()
  if (manager === undefined) return work()
  return manager.request(nameOf(user, id), { mode: 'exclusive', ifAvailable: true }, async lock => (lock === null ? null : work()))
}

/** Runs `work` in at most one tab at a time, in the order of asking. */
export async function inOneTab<T>(name: string, work: () => Promise<T>): Promise<T> {
  const manager = locks()
  return manager === undefined ? work() : manager.request(name, work)
}

function nameOf(user: string, id: string): string {
  return `holarchy/open/${user}/${id}`
}

function locks(): LockManager | undefined {
  return typeof navigator === 'undefined' ? undefined : navigator.locks
}
