// One process at a time on a journal: a file next to it names the process. Made with `link`, which is atomic on network file systems, too.
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'

type Holder = { host: string; pid: number }

type Lock = { release(): void }

/**
 * Takes the lock of a file. That of a process of this machine that is gone is taken over; `steal` takes it from whomever. Throws Error that says who
 * holds it.
 */
export function lock(path: string, steal: boolean): Lock {
  const own = `${path}.lock`
  const me: Holder = { host: hostname(), pid: process.pid }
  const draft = `${own}.${me.host}.${me.pid}`
  writeFileSync(draft, JSON.stringify(me))
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        linkSync(draft, own)
        return { release: () => release(own, me) }
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
        const holder = holderOf(own)
        if (attempt > 0 || (!steal && holder !== null && isAlive(holder)))
          throw new Error(
            `${path} is being written by process ${holder?.pid ?? '?'} on ${holder?.host ?? '?'}, since ${sinceOf(own)}; if that one is gone, --steal takes it over`,
            { cause: error },
          )
        rmSync(own, { force: true })
      }
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

function release(own: string, me: Holder): void {
  const holder = holderOf(own)
  // Another process may have taken it over.
  if (holder?.pid === me.pid && holder.host === me.host) rmSync(own, { force: true })
}

function holderOf(own: string): Holder | null {
  try {
    const { host, pid }: Partial<Holder> = JSON.parse(readFileSync(own, 'utf8'))
    return { host: String(host), pid: Number(pid) }
  } catch {
    // Gone meanwhile, or damaged.
    return null
  }
}

const sinceOf = (own: string): string => statSync(own, { throwIfNoEntry: false })?.mtime.toISOString() ?? '?'

/** Of processes of other machines nothing is known. */
function isAlive({ host, pid }: Holder): boolean {
  if (host !== hostname()) return true
  // Two journals of one process are distinguished by their files.
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
