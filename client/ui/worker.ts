// Starts a worker from its script, also in a frame that is sandboxed into an origin of its own: there a script is of another origin, and may only
// be imported.

/** Throws where workers are not to be had. */
export function startWorker(url: string, name: string): Worker {
  return begun(url, name) ?? fromBlob(url, name)
}

/** The interface of a worker: sending and receiving messages. */
export type Compiling = {
  post(message: unknown): void
  listen(heard: (message: MessageEvent) => void, crashed: (reason: string) => void): void
  close(): void
}

/**
 * A worker that makes programs. Begun from its own address it has its own policy, which lets it; from a blob it would have the page's, which does not:
 * where only blobs are to be had it is begun in a page of its own. Throws where workers are not to be had.
 */
export function startCompiling(url: string, name: string): Compiling {
  const worker = begun(url, name)
  if (worker === null) return framed(url, name)
  return {
    post: message => worker.postMessage(message, []),
    listen(heard, crashed) {
      worker.addEventListener('message', heard)
      worker.addEventListener('messageerror', () => crashed('unreadable message'))
      worker.addEventListener('error', event => {
        event.preventDefault()
        crashed(event.message || 'worker failed')
      })
    },
    close: () => worker.terminate(),
  }
}

/** Null where the script is of another origin. */
function begun(url: string, name: string): Worker | null {
  try {
    // An exported page has its scripts with it, whole: no modules, which a page from a disk may not load.
    return new Worker(url, { type: url.startsWith('blob:') ? 'classic' : 'module', name })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'SecurityError') return null
    throw error
  }
}

function fromBlob(url: string, name: string): Worker {
  const blob = URL.createObjectURL(new Blob([importing(new URL(url, location.href).href)], { type: 'text/javascript' }))
  try {
    return new Worker(blob, { name })
  } finally {
    // The worker has begun to fetch it by then.
    setTimeout(() => URL.revokeObjectURL(blob), 10_000)
  }
}

/** A script that loads the one at `url`; messages that arrive earlier are queued. */
const importing = (url: string): string => `
const early = []
const keep = event => early.push(event.data)
addEventListener('message', keep)
import(${JSON.stringify(url)}).then(
  () => {
    removeEventListener('message', keep)
    for (const data of early) dispatchEvent(new MessageEvent('message', { data }))
  },
  error => setTimeout(() => { throw error }),
)`

/** In `public/engine-frame.html`, which the server gives a policy of its own. Ports keep what is said before the worker is there. */
function framed(url: string, name: string): Compiling {
  const frame = document.createElement('iframe')
  const [talk, faults] = [new MessageChannel(), new MessageChannel()]
  const script = new URL(url, location.href).href
  frame.hidden = true
  frame.src = new URL('/engine-frame.html', script).href
  frame.addEventListener('load', () => frame.contentWindow?.postMessage({ script, name }, '*', [talk.port2, faults.port2]), { once: true })
  document.body.append(frame)
  return {
    post: message => talk.port1.postMessage(message),
    listen(heard, crashed) {
      talk.port1.addEventListener('message', heard)
      talk.port1.addEventListener('messageerror', () => crashed('unreadable message'))
      talk.port1.start()
      faults.port1.addEventListener('message', ({ data }) => crashed(String(data)))
      faults.port1.start()
    },
    close() {
      talk.port1.close()
      faults.port1.close()
      frame.remove()
    },
  }
}
