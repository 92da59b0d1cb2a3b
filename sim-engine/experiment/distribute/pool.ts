// Runs spread over workers. Jobs go out in chunks with a size that follows the time of a run, so that messages cost next to nothing and no
// worker waits long for the last one. A worker that dies is replaced and its jobs are made again: a run is a function of its job.
import { say, Told } from '../../../model-schema/words.ts'
import type { Evaluator, FromRunner, Job, Runnable, Sample, ToRunner, Workers } from '../protocol.ts'

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
const maxDeathsPerChunk = 3
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
  /** When it last sent a message, or got something to do. */ since: number
}

/**
 * Chunks a worker has at a time: the next one is there when it has done one. Long runs are given one by one, so that none waits while a worker
 * is idle.
 */
const inHand = 2

/** `hire` makes a worker; `now` is a clock in milliseconds. */
export const createPool = (runnable: Runnable, size: number, hire: () => Hands, now: () => number): Workers =>
  new Pool(runnable, size, hire, now)

class Pool implements Workers {
  readonly #runnable: Runnable
  readonly #size: number
  readonly #hire: () => Hands
  readonly #now: () => number
  #workers: Worker[] = []
  /** Jobs that are not given out yet, and where more come from; null: there are no more. */
  #waiting: Job[] = []
  #more: Iterator<Job> | null = null
  /** Jobs at hand, or at a worker. */
  #open = 0
  #deaths = 0
  #perRun = Infinity
  /** Of chunks that are done, or went with their worker. */
  #worked = 0
  #told: ((run: number, sample: Sample) => void) | null = null
  #settle: { resolve(): void; reject(error: unknown): void } | null = null

  constructor(runnable: Runnable, size: number, hire: () => Hands, now: () => number) {
    this.#runnable = runnable
    this.#size = size
    this.#hire = hire
    this.#now = now
  }

  evaluate(jobs: Iterable<Job>, done: (run: number, sample: Sample) => void, signal: AbortSignal): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const abort = (): void => {
        // What is under way in a worker cannot be stopped but with the worker.
        for (const worker of this.#workers) if (worker.chunks.length > 0) this.#dismiss(worker)
        this.#fail(signal.reason)
      }
      if (signal.aborted) return reject(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      const finished = (): void => signal.removeEventListener('abort', abort)
      this.#settle = {
        resolve: () => (finished(), resolve()),
        reject: error => (finished(), reject(error)),
      }
      this.#told = done
      this.#waiting = []
      this.#open = 0
      this.#more = jobs[Symbol.iterator]()
      this.#look(this.#size)
      if (this.#open === 0) return this.#succeed()
      while (this.#workers.length < Math.min(this.#size, this.#open)) this.#employ()
      for (const worker of this.#workers) this.#feed(worker)
    })
  }

  worked(): number {
    const time = this.#now()
    return this.#workers.reduce((sum, worker) => sum + underWay(worker, time), this.#worked)
  }

  close(): void {
    for (const worker of this.#workers) this.#dismiss(worker)
    this.#fail(new Error('experiment: the workers were sent home'))
  }

  #succeed(): void {
    this.#settle?.resolve()
    this.#settle = null
  }

  #fail(error: unknown): void {
    this.#waiting = []
    this.#more = null
    this.#settle?.reject(error)
    this.#settle = null
  }

  #dismiss(worker: Worker): void {
    this.#worked += underWay(worker, this.#now())
    this.#workers = this.#workers.filter(one => one !== worker)
    worker.hands.end()
  }

  #employ(): void {
    const worker: Worker = { hands: this.#hire(), ready: false, chunks: [], since: 0 }
    this.#workers.push(worker)
    worker.hands.listen(message => this.#hear(worker, message))
    worker.hands.send({ do: 'prepare', runnable: this.#runnable })
  }

  /** Has so many jobs at hand, if there are. */
  #look(count: number): void {
    while (this.#more !== null && this.#waiting.length < count) {
      const next = this.#more.next()
      if (next.done) this.#more = null
      else {
        this.#waiting.push(next.value)
        this.#open++
      }
    }
  }

  #feed(worker: Worker): void {
    while (worker.ready && worker.chunks.length < (this.#perRun < chunkMs ? inHand : 1)) {
      const timely = this.#perRun === Infinity ? 1 : Math.max(1, Math.floor(chunkMs / this.#perRun))
      // Of those that are left everybody gets a share; how many there are is seen no further than what matters for that.
      this.#look(2 * this.#workers.length * Math.min(timely, largestChunk))
      if (this.#waiting.length === 0) return
      const fair = Math.ceil(this.#waiting.length / (2 * this.#workers.length))
      const jobs = this.#waiting.splice(0, Math.min(fair, timely, largestChunk))
      if (worker.chunks.length === 0) worker.since = this.#now()
      worker.chunks.push(jobs)
      worker.hands.send({ do: 'run', jobs })
    }
  }

  #hear(worker: Worker, message: FromRunner | null): void {
    if (!this.#workers.includes(worker)) return
    if (message?.is === 'ready') {
      worker.ready = true
      this.#feed(worker)
    } else if (message?.is === 'done') this.#take(worker, message.samples)
    else this.#lose(worker, message)
  }

  /** A worker has done its first chunk. */
  #take(worker: Worker, samples: readonly (readonly [run: number, sample: Sample])[]): void {
    const time = this.#now()
    this.#worked += time - worker.since
    const took = (time - worker.since) / Math.max(1, samples.length)
    this.#perRun = this.#perRun === Infinity ? took : 0.7 * this.#perRun + 0.3 * took
    worker.since = time
    worker.chunks.shift()
    this.#deaths = 0
    // The next chunk goes out before this one is looked at.
    this.#feed(worker)
    for (const [run, sample] of samples) {
      this.#open--
      this.#told?.(run, sample)
    }
    if (this.#open === 0 && this.#more === null) this.#succeed()
  }

  /** A worker is gone (null), or cannot run the model. Another one makes its jobs, unless workers keep ending. */
  #lose(worker: Worker, message: Extract<FromRunner, { is: 'broken' }> | null): void {
    this.#waiting.unshift(...worker.chunks.flat())
    this.#dismiss(worker)
    if (message !== null) return this.#fail(new Error(message.message))
    if (++this.#deaths > maxDeathsPerChunk) return this.#fail(new WorkersKeepEnding())
    if (this.#settle) this.#employ()
  }
}

/** How long a worker has been at its first chunk, in milliseconds. */
const underWay = ({ chunks, since }: Worker, time: number): number => (chunks.length > 0 ? time - since : 0)

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
