// Runs spread over workers. Jobs go out in chunks whose size follows how long runs take, so that messages cost next to nothing and no worker waits
// long for the last one. A worker that dies is replaced and its jobs are made again: a run is a function of its job.
import { say, Told } from '../../model-schema/words.ts'
import type { Evaluator, FromRunner, Job, Runnable, Sample, ToRunner, Workers } from './protocol.ts'

/** A worker, wherever it lives. */
export type Hands = {
  send(message: ToRunner): void
  /** Called with each message, or with null when the worker is gone. */
  listen(heard: (message: FromRunner | null) => void): void
  end(): void
}

/** How long a chunk should take, in milliseconds. */
const chunkMs = 40
const largestChunk = 4096
/** How often a worker may die over one chunk before the evaluation gives up. */
const patience = 3
/** What an evaluation is rejected with then. */
export class WorkersKeepEnding extends Told {
  constructor() {
    super(say('The workers that make the runs keep ending: a run may need more memory than there is.'))
  }
}

/** `chunks`: what it was given and has not done yet, in that order. */
type Worker = {
  hands: Hands
  ready: boolean
  chunks: (readonly Job[])[]
  /** When it was last heard of, or given something to do. */ since: number
}

/** Chunks a worker has at a time: the next one is there when it has done one. Long runs are given one by one, so that none waits beside an idle worker. */
const inHand = 2

/** `hire` makes a worker; `now` is a clock in milliseconds. */
export function createPool(runnable: Runnable, size: number, hire: () => Hands, now: () => number): Workers {
  let workers: Worker[] = []
  /** Jobs at hand that nobody has, and where more come from; null: there are no more. */
  let waiting: Job[] = []
  let more: Iterator<Job> | null = null
  /** Jobs at hand, or at a worker. */
  let open = 0
  let deaths = 0
  let perRun = Infinity
  /** Of chunks that are done, or went with their worker. */
  let worked = 0
  let told: ((run: number, sample: Sample) => void) | null = null
  let settle: { resolve(): void; reject(error: unknown): void } | null = null

  const fail = (error: unknown): void => {
    waiting = []
    more = null
    settle?.reject(error)
    settle = null
  }

  const underWay = ({ chunks, since }: Worker, time: number): number => (chunks.length > 0 ? time - since : 0)

  const dismiss = (worker: Worker): void => {
    worked += underWay(worker, now())
    workers = workers.filter(one => one !== worker)
    worker.hands.end()
  }

  const employ = (): void => {
    const worker: Worker = { hands: hire(), ready: false, chunks: [], since: 0 }
    workers.push(worker)
    worker.hands.listen(message => hear(worker, message))
    worker.hands.send({ do: 'prepare', runnable })
  }

  /** Has so many jobs at hand, if there are. */
  const look = (count: number): void => {
    while (more !== null && waiting.length < count) {
      const next = more.next()
      if (next.done) more = null
      else {
        waiting.push(next.value)
        open++
      }
    }
  }

  const feed = (worker: Worker): void => {
    while (worker.ready && worker.chunks.length < (perRun < chunkMs ? inHand : 1)) {
      const timely = perRun === Infinity ? 1 : Math.max(1, Math.floor(chunkMs / perRun))
      // Of those that are left everybody gets a share; how many there are is seen no further than what matters for that.
      look(2 * workers.length * Math.min(timely, largestChunk))
      if (waiting.length === 0) return
      const fair = Math.ceil(waiting.length / (2 * workers.length))
      const jobs = waiting.splice(0, Math.min(fair, timely, largestChunk))
      if (worker.chunks.length === 0) worker.since = now()
      worker.chunks.push(jobs)
      worker.hands.send({ do: 'run', jobs })
    }
  }

  const hear = (worker: Worker, message: FromRunner | null): void => {
    if (!workers.includes(worker)) return
    if (message?.is === 'ready') {
      worker.ready = true
      return feed(worker)
    }
    if (message?.is === 'done') {
      const time = now()
      worked += time - worker.since
      const took = (time - worker.since) / Math.max(1, message.samples.length)
      perRun = perRun === Infinity ? took : 0.7 * perRun + 0.3 * took
      worker.since = time
      worker.chunks.shift()
      deaths = 0
      // The next chunk goes out before this one is looked at.
      feed(worker)
      for (const [run, sample] of message.samples) {
        open--
        told?.(run, sample)
      }
      if (open === 0 && more === null) {
        settle?.resolve()
        settle = null
      }
      return
    }
    waiting.unshift(...worker.chunks.flat())
    dismiss(worker)
    if (message?.is === 'broken') return fail(new Error(message.message))
    if (++deaths > patience) return fail(new WorkersKeepEnding())
    if (settle) employ()
  }

  return {
    evaluate(jobs, done, signal) {
      return new Promise<void>((resolve, reject) => {
        const abort = (): void => {
          // What is under way in a worker cannot be stopped but with the worker.
          for (const worker of workers) if (worker.chunks.length > 0) dismiss(worker)
          fail(signal.reason)
        }
        if (signal.aborted) return reject(signal.reason)
        signal.addEventListener('abort', abort, { once: true })
        const finished = (): void => signal.removeEventListener('abort', abort)
        settle = {
          resolve: () => (finished(), resolve()),
          reject: error => (finished(), reject(error)),
        }
        told = done
        waiting = []
        open = 0
        more = jobs[Symbol.iterator]()
        look(size)
        if (open === 0) {
          settle.resolve()
          settle = null
          return
        }
        while (workers.length < Math.min(size, open)) employ()
        for (const worker of workers) feed(worker)
      })
    },
    worked() {
      const time = now()
      return workers.reduce((sum, worker) => sum + underWay(worker, time), worked)
    },
    close() {
      for (const worker of workers) dismiss(worker)
      fail(new Error('experiment: the workers were sent home'))
    },
  }
}

/** Runs made right here, one after the other. */
export function createLocal(runner: (job: Job) => Sample): Evaluator {
  return {
    async evaluate(jobs, done, signal) {
      for (const job of jobs) {
        signal.throwIfAborted()
        done(job.run, runner(job))
        // Others get their turn: a signal could not come otherwise.
        if (job.run % 64 === 0) await Promise.resolve()
      }
    },
    close() {},
  }
}
