// Starts a worker from its script, also in a frame that is sandboxed into an origin of its own: there a script is of another origin, and may only
// be imported.

/** Throws where workers are not to be had. */
export function startWorker(url: string, name: string): Worker {
  try {
    // An exported page has its scripts with it, whole: no modules, which a page from a disk may not load.
    return new Worker(url, { type: url.startsWith('blob:') ? 'classic' : 'module', name })
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'SecurityError') throw error
    const blob = URL.createObjectURL(new Blob([importing(new URL(url, location.href).href)], { type: 'text/javascript' }))
    try {
      return new Worker(blob, { name })
    } finally {
      // The worker has begun to fetch it by then.
      setTimeout(() => URL.revokeObjectURL(blob), 10_000)
    }
  }
}

/** A script that becomes the one at `url`; what is said to it until then is kept. */
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
