// Keeps the embedded database running and this process its only server. When Postgres ends (killed, out of memory, disk full) the gate closes at
// once, Postgres is started again and claimed again, and the gate opens. If another process has claimed it meanwhile, this process must end: it
// cannot know what was written.
import { setTimeout as pause } from 'node:timers/promises'
import { claimCluster, ensureDatabase, startCluster } from './cluster.ts'
import type { Claim, Cluster } from './cluster.ts'
import type { Connection } from './database.ts'
import { Gate } from './gate.ts'
import { holderOf, sayHolding } from './holder.ts'

const DATABASE = 'holarchy'
/** Pauses between attempts to start Postgres again. */
const RETRY_MS = [200, 500, 1000, 2000]
/** While it cannot be started, one line in so many attempts goes to the log. */
const SAY_EVERY = 30

/** Another server has the data folder. */
export class FolderTaken extends Error {
  readonly holder: string

  constructor(holder: string) {
    super(`the data folder is in use by ${holder}`)
    this.holder = holder.replace(/^holarchy /, '')
  }
}

export class Keeper {
  readonly gate = new Gate()
  readonly folder: string
  /** A server before this one was killed; its Postgres was still running. */
  readonly adopted: boolean
  /** Rejects when this process must not go on. */
  readonly failed: Promise<never>
  readonly #dataFolder: string
  readonly #fail: (error: Error) => void
  #cluster: Cluster
  #claim: Claim
  #holding: { end(): Promise<void> } | null = null
  #text: string
  #stopping = false
  #recovering: Promise<void> | null = null

  private constructor(dataFolder: string, cluster: Cluster, claim: Claim, text: string) {
    this.#dataFolder = dataFolder
    this.#cluster = cluster
    this.#claim = claim
    this.#text = text
    this.folder = cluster.folder
    this.adopted = cluster.adopted
    const { promise, reject } = Promise.withResolvers<never>()
    // The server handles the rejection; other users of this class may ignore it.
    promise.catch(() => {})
    this.failed = promise
    this.#fail = reject
  }

  /** Starts the database of a data folder and claims it. Throws FolderTaken while another server runs on it. */
  static async start(dataFolder: string, text: string, say: (line: string) => void): Promise<Keeper> {
    // Asked before Postgres is touched: the other server may be starting its own again just now.
    const holder = await holderOf(dataFolder)
    if (holder !== null) throw new FolderTaken(holder)
    const cluster = await startCluster(dataFolder, { say })
    const claim = await claimCluster(cluster, text)
    if (!claim.ok) throw new FolderTaken(claim.holder)
    const keeper = new Keeper(dataFolder, cluster, claim, text)
    try {
      keeper.#holding = await sayHolding(dataFolder, () => keeper.#text)
      await ensureDatabase(cluster, DATABASE)
    } catch (error) {
      await keeper.stop()
      throw error
    }
    keeper.#watch()
    return keeper
  }

  /** How everybody in this process reaches the database: through the gate. */
  get connection(): Connection {
    const connection = this.#cluster.connection(DATABASE)
    return typeof connection === 'string' ? connection : { ...connection, stream: () => this.gate.socket() }
  }

  /** Names this process to others, at most 63 bytes. */
  async describe(text: string): Promise<void> {
    this.#text = text
    await this.#claim.rename(text)
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#recovering
    await this.#claim.release()
    await this.#cluster.stop().finally(() => this.#holding?.end())
  }

  #watch(): void {
    void this.#claim.lost.then(() => {
      if (this.#stopping) return
      this.gate.close()
      console.error('postgres: the claim on the data folder is lost; nothing is written until it is back')
      this.#recovering = this.#recover().finally(() => {
        this.#recovering = null
      })
    })
  }

  async #recover(): Promise<void> {
    const beganAt = performance.now()
    for (let attempt = 0; !this.#stopping; attempt++) {
      try {
        this.#cluster = await startCluster(this.#dataFolder)
        const claim = await claimCluster(this.#cluster, this.#text)
        if (!claim.ok) return this.#fail(new FolderTaken(claim.holder))
        this.#claim = claim
        this.gate.open()
        console.error(`postgres: running and claimed again after ${Math.round(performance.now() - beganAt)} ms`)
        return this.#watch()
      } catch (error) {
        if (attempt % SAY_EVERY === 0)
          console.error('postgres: cannot be started again yet:', error instanceof Error ? error.message : error)
        await pause(RETRY_MS[attempt] ?? RETRY_MS.at(-1))
      }
    }
  }
}
