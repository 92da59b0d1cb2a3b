// `holarchy work` and `holarchy experiment --workers`: one experiment on any number of machines that reach one PostgreSQL database.
import { availableParallelism } from 'node:os'
import { keyOf, type Journal, type Prepared } from '../../experiment.ts'
import { createThreads } from '../../threads/node.ts'
import { Misuse, parsed, whole, type Output } from '../arguments.ts'
import type { QueueTask } from './task.ts'
import { lead, type Leader } from './leader.ts'
import { work } from './worker.ts'

const usage = `Usage: holarchy work postgres://USER@HOST/DATABASE [--threads N] [--key K] [--idle SECONDS]

Makes runs of the experiments that are led with: holarchy experiment FILE.holo --workers postgres://...
Any number of workers on any number of machines; each needs the same version of this program and reaches the database, nothing else.

  --threads N        runs at the same time, 0 .. 256 (default 0: all the machine has)
  --key K            only the experiment of this key, as holarchy experiment plan tells it
  --idle SECONDS     ends after so long without work (default: never)

A worker that is killed loses nothing: its runs are made by others after ten seconds. Ctrl-C or SIGTERM ends it with what it has made kept.
The address may also be in HOLARCHY_QUEUE, where a list of processes does not show its password.

Exit codes: 0 ended, 2 wrong usage or no database.
`

/** Runs the command; returns the exit code. Never rejects. */
export async function workMain(args: readonly string[], output: Output, signal: AbortSignal): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    output.out(usage)
    return 0
  }
  try {
    const { files, values } = parsed(args, ['threads', 'key', 'idle'])
    if (files.length > 1) throw new Misuse('one database at a time')
    const threads = whole('threads', values.threads, 0, 256) ?? 0
    const idle = whole('idle', values.idle, 1, 1_000_000)
    const say = (text: string): void => output.err(`${text}\n`)
    await work(
      {
        connection: addressOf(files[0]),
        threads: threads === 0 ? availableParallelism() : threads,
        key: values.key ?? null,
        idleMs: idle === undefined ? null : idle * 1000,
        now: output.now,
        say,
      },
      signal,
    )
    return 0
  } catch (error) {
    const message = error instanceof Error ? error.message || String(error) : String(error)
    output.err(`holarchy work: ${message}${error instanceof Misuse ? '; see holarchy work --help' : ''}\n`)
    return 2
  }
}

/** The database's address, given or from the environment. Throws Misuse. */
function addressOf(given: string | undefined): string {
  const address = given === undefined || given === 'auto' ? (process.env['HOLARCHY_QUEUE'] ?? '') : given
  if (address === '') throw new Misuse('which database? Give its address, postgres://USER@HOST/DATABASE, or set HOLARCHY_QUEUE')
  if (!/^postgres(ql)?:\/\//.test(address)) throw new Misuse('the address of a database begins with postgres://')
  return address
}

/** `threads`: of this process besides the workers; undefined: none. Throws when the database cannot be reached or another process leads. */
export function leaderOf(
  prepared: Prepared,
  task: QueueTask,
  address: string,
  threads: number | undefined,
  output: Output,
): Promise<Leader> {
  return lead({
    connection: addressOf(address),
    prepared,
    key: keyOf(prepared),
    task,
    apart: '',
    local: threads === undefined ? null : createThreads(prepared.runnable, threads, output.now),
    before: createThreads(prepared.runnable, 1, output.now),
    ownWorkers: ' ',
    say: text => output.err(`${text}\n`),
  })
}

/** What the queue has and what a file has, if there is one; runs that workers make are in the queue already. */
export function journalOf(leader: Leader, file: Journal | null): Journal {
  return {
    async read() {
      const queued = await leader.known()
      const kept = file === null ? [] : [...(await file.read())]
      const has = new Set(kept.map(([run]) => run))
      file?.write(queued.filter(([run]) => !has.has(run)))
      return [...kept, ...queued]
    },
    write: samples => file?.write(samples),
  }
}
