// How much room the disk of the data folder has left. Postgres ends when it cannot write its log, so the server stops taking what grows while
// there is still room for reading, signing in and deleting. A reserve file is given up when even that runs short.
import { existsSync } from 'node:fs'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const LOOK_MS = 1000
const RESERVE_BYTES = 32 << 20

type SpaceOptions = {
  /** Below this many bytes the server takes nothing that grows. */
  minFreeBytes: number
  /** Free bytes on the disk of a folder; given by tests. */
  freeOf?: (folder: string) => Promise<number>
  reserveBytes?: number
  lookMs?: number
}

export class DiskSpace {
  readonly #folder: string
  readonly #options: Required<SpaceOptions>
  readonly #changed: ((isShort: boolean) => void)[] = []
  #timer: NodeJS.Timeout | null = null
  #short = false

  constructor(folder: string, options: SpaceOptions) {
    this.#folder = folder
    this.#options = { freeOf: freeBytes, reserveBytes: RESERVE_BYTES, lookMs: LOOK_MS, ...options }
  }

  /** Too little is left: only reading, signing in and deleting. */
  get isShort(): boolean {
    return this.#short
  }

  onChange(changed: (isShort: boolean) => void): void {
    this.#changed.push(changed)
  }

  /** Looks now and then every second; answers how to stop. */
  async start(): Promise<() => void> {
    await this.look()
    this.#timer = setInterval(() => void this.look(), this.#options.lookMs)
    this.#timer.unref()
    return () => {
      if (this.#timer !== null) clearInterval(this.#timer)
    }
  }

  async look(): Promise<void> {
    const { freeOf, minFreeBytes, reserveBytes } = this.#options
    const free = await freeOf(this.#folder).catch(() => null)
    if (free === null) return
    const reserve = join(this.#folder, 'reserve')
    const hasReserve = existsSync(reserve)
    // The reserve counts as used: giving it up is no reason to take more.
    if (hasReserve && free < minFreeBytes / 4) await rm(reserve, { force: true }).catch(warn)
    if (!hasReserve && free > minFreeBytes + 4 * reserveBytes) await writeFile(reserve, Buffer.alloc(reserveBytes)).catch(warn)
    // Some room between too little and enough, so that it does not change with every megabyte.
    const isShort = this.#short ? free < minFreeBytes * 1.25 : free < minFreeBytes
    if (isShort === this.#short) return
    this.#short = isShort
    console.error(isShort ? `disk: ${free >> 20} MB left; nothing that grows is taken until there is room` : 'disk: there is room again')
    for (const run of this.#changed) run(isShort)
  }
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

function warn(error: unknown): void {
  console.error('disk: the reserve file:', error instanceof Error ? error.message : error)
}

/** What still works while there is too little room: it ends sessions, opens what there is, or makes room. */
const ALLOWED =
  /^\/api\/(accounts\/(login|login\/code|logout|delete|sessions\/end-others)|rt\/ticket|share\/[^/]+\/(open|unlock)|docs\/[^/]+\/updates|files\/[^/]+\/trash|workspaces\/[^/]+\/(empty-trash|delete)|jobs\/[^/]+\/cancel|notifications\/(read|clear))$/

/** Whether a request asks for something that grows. Documents judge their updates themselves: they take deletions. */
export function grows(method: string, path: string): boolean {
  return !['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method) && !ALLOWED.test(path)
}
