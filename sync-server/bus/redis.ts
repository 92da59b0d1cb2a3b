// The bus over Redis (or a server that speaks its protocol): publish and subscribe, nothing is kept there.
import type { Bus } from './bus.ts'

const PREFIX = 'holarchy:'
/** Larger updates are read from the log by those who need them. */
const MAX_BYTES = 64 << 10
const CONNECT_MS = 5000

/** Connects; throws when the server cannot be reached. Lost later, it is tried again for ever. */
export async function redisBus(url: string): Promise<Bus> {
  // 478 modules that a server without Redis never needs.
  const { createClient } = await import('@redis/client')
  let wasUp = false
  let closing = false
  const retry = (attempts: number, cause: Error): number | Error => {
    if (!wasUp && attempts > 3) return cause
    return Math.min(2000, 50 * 2 ** attempts) + Math.random() * 100
  }
  // Messages are worthless later: none wait while the line is down.
  const options = { url, RESP: 2 as const, disableOfflineQueue: true, socket: { connectTimeout: CONNECT_MS, reconnectStrategy: retry } }
  const sender = createClient(options)
  const receiver = createClient({ ...options, disableOfflineQueue: false })
  const heard = new Map<string, (message: Buffer) => void>()
  const gaps: (() => void)[] = []
  let complained = false
  for (const client of [sender, receiver]) {
    client.on('error', (error: Error) => {
      if (!complained && wasUp && !closing) console.error(`redis: ${error.message}`)
      complained = true
    })
    client.on('ready', () => {
      complained = false
      if (wasUp && sender.isReady && receiver.isReady) for (const run of gaps) run()
    })
  }
  try {
    await Promise.all([sender.connect(), receiver.connect()])
  } catch (error) {
    sender.destroy()
    receiver.destroy()
    throw error
  }
  wasUp = true
  return {
    name: 'redis',
    maxBytes: MAX_BYTES,
    get isUp() {
      return sender.isReady && receiver.isReady
    },
    publish(topic, message) {
      if (!sender.isReady) return
      const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength)
      // A failure means a lost connection, which its own event reports.
      sender.publish(PREFIX + topic, bytes).catch(() => {})
    },
    async listen(topic, hear) {
      const listener = (message: Buffer): void => hear(message)
      heard.set(topic, listener)
      await receiver.subscribe(PREFIX + topic, listener, true)
    },
    async unlisten(topic) {
      const listener = heard.get(topic)
      heard.delete(topic)
      if (listener === undefined || closing) return
      // With the line lost or closed there is nothing to end.
      await receiver.unsubscribe(PREFIX + topic, listener, true).catch(() => {})
    },
    onGap: run => void gaps.push(run),
    async close() {
      closing = true
      sender.destroy()
      receiver.destroy()
    },
  }
}
