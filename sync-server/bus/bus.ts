// Carries messages between the servers that share one database. It may lose them: what counts is in the database, and subscribers look there
// again after a gap. With one server there is no bus.
export type Hear = (message: Uint8Array) => void

export type Bus = {
  readonly name: 'redis' | 'postgres'
  /** Messages beyond this many bytes are not carried. */
  readonly maxBytes: number
  /** Whether messages get through just now, as far as is known. */
  readonly isUp: boolean
  /** To everybody who listens to the topic, the sender perhaps included. Never throws; a message that cannot be sent is dropped. */
  publish(topic: string, message: Uint8Array): void
  /** Listens to a topic; settles when it does. One listener per topic. */
  listen(topic: string, hear: Hear): Promise<void>
  unlisten(topic: string): Promise<void>
  /** Called each time the line is back after it was lost. */
  onGap(run: () => void): void
  close(): Promise<void>
}
