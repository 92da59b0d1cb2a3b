// Begins the engine's worker for an embedded page that is sandboxed into an origin of its own. There a worker can only begin from a blob, and lives by
// the policy of the page that made it: this page's, which lets programs be made of models, so that the embedded page's own need not. The embedded page
// sends the script's address, the worker's name and a port; what is said over the port is said to the worker itself.
addEventListener(
  'message',
  ({ data: { script, name }, ports: [port, faults] }) => {
    const worker = new Worker(URL.createObjectURL(new Blob([begin(script)], { type: 'text/javascript' })), { name })
    worker.addEventListener('error', event => {
      event.preventDefault()
      faults.postMessage(event.message || 'worker failed', [])
    })
    worker.postMessage(null, [port])
  },
  { once: true },
)

/** A script that becomes the one at `url`, with a port in the place of the worker's own; a port keeps what is said until it is started. */
const begin = url => `
addEventListener('message', ({ ports: [port] }) => {
  self.postMessage = (message, transfer) => port.postMessage(message, transfer)
  import(${JSON.stringify(url)}).then(
    () => { port.onmessage = ({ data }) => dispatchEvent(new MessageEvent('message', { data })) },
    error => setTimeout(() => { throw error }),
  )
}, { once: true })`
