// Makes the runs of an experiment in one thread: compiles each alternative once, then one run a job. A run is a function of its job.
import { loadChainOf, needsChain } from '../chain.ts'
import { check } from '../check.ts'
import { compile, type Program } from '../compile.ts'
import type { Plain, RunOptions } from '../messages.ts'
import { problem, RunError } from '../problems.ts'
import { start } from '../run.ts'
import { BEFORE, type FromRunner, type Job, type Runnable, type Sample, type ToRunner } from './protocol.ts'
import { withoutUnseen } from './trust/unseen.ts'
import { english } from '../../model-schema/words.ts'

/** Throws when an alternative has problems: the preparation of the experiment checked it. */
export function createRunner({ alternatives, measures, before, ticks, stepLimit }: Runnable): (job: Job) => Sample {
  const programs = new Map<number, Program>()
  const asked = new Set(measures.map(({ id }) => id))
  const programOf = (k: number): Program => {
    const known = programs.get(k)
    if (known) return known
    const given = k === BEFORE ? before : alternatives[k]
    if (!given) throw new RangeError(`experiment: there is no alternative ${k}`)
    const checked = check(given.model, given.scenario)
    if (!checked.ok) throw new RangeError(`experiment: ${english(checked.problems[0]?.message) ?? 'the model has problems'}`)
    const program = compile(k === BEFORE ? checked.checked : withoutUnseen(checked.checked, asked))
    programs.set(k, program)
    return program
  }
  const workedOut = ({ inputs, seed }: Job): Sample => {
    const { accepts, variables, constraints } = before!
    const run = start(programOf(BEFORE), {
      seed,
      inputs: Object.fromEntries(Object.entries(inputs).filter(([id]) => accepts.includes(id))),
    })
    const failed: Sample = { end: 'failed', ticks: 0, values: [...variables, ...constraints].map(() => NaN), problem: null }
    try {
      run.advance()
      if (run.result?.end === 'failed') return failed
      const values = [...variables.map(id => number(run.value(id))), ...constraints.map(id => number(run.measure(id)))]
      return { end: 'success', ticks: 0, values, problem: null }
    } catch (error) {
      if (!(error instanceof RunError)) throw error
      return failed
    }
  }
  const width = measures.reduce((sum, { at }) => sum + (at?.length ?? 1), 0)
  /** Every time at which something is measured before the end, once. */
  const times = [...new Set(measures.flatMap(({ at }) => at ?? []))].sort((a, b) => a - b)
  return job => {
    if (job.alternative === BEFORE) return workedOut(job)
    const { alternative, inputs, seed } = job
    const options: RunOptions = { seed, inputs: { ...inputs } }
    if (ticks !== null) options.ticks = ticks
    if (stepLimit !== null) options.stepLimit = stepLimit
    const run = start(programOf(alternative), options)
    const values = Array.from({ length: width }, () => NaN)
    let measured = ''
    const measure = (wanted: (at: number | null) => boolean): void => {
      let column = 0
      for (const { id, at } of measures) {
        measured = id
        for (const time of at ?? [null]) {
          if (wanted(time)) values[column] = number(run.measure(id))
          column++
        }
      }
    }
    try {
      for (const time of times) {
        run.advance({ until: time })
        // A run that ended before this time has no value at it.
        if (run.result && run.time < time) break
        if (run.result?.end !== 'failed') measure(at => at === time)
      }
      run.advance()
      if (run.result?.end !== 'failed') measure(at => at === null)
    } catch (error) {
      if (!(error instanceof RunError)) throw error
      return { end: 'failed', ticks: run.tick, values: values.fill(NaN), problem: problem(error.code, { id: measured }, error.params) }
    }
    const { result } = run
    if (result?.end === 'failed') return { end: 'failed', ticks: run.tick, values: values.fill(NaN), problem: result.problem }
    return { end: result?.end ?? 'limited', ticks: run.tick, values, problem: null }
  }
}

const number = (value: Plain): number => (typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : NaN)

/** A runner behind a port. Never throws out of it. */
export function serveRuns(post: (message: FromRunner) => void): (message: ToRunner) => void {
  let runner: ((job: Job) => Sample) | null = null
  const answer = (message: ToRunner): void => {
    try {
      if (message.do === 'prepare') {
        runner = createRunner(message.runnable)
        post({ is: 'ready' })
      } else {
        const make = runner
        if (make === null) throw new RangeError('experiment: a job before the model')
        post({ is: 'done', samples: message.jobs.map(job => [job.run, make(job)] as const) })
      }
    } catch (error) {
      post({ is: 'broken', message: error instanceof Error ? error.message : String(error) })
    }
  }
  /** What is done before the next message: the chain's code is loaded where a model needs it. */
  let ready: Promise<void> | null = null
  return message => {
    if (message.do === 'prepare' && message.runnable.alternatives.some(({ model }) => needsChain(model)))
      ready = Promise.all(message.runnable.alternatives.map(({ model }) => loadChainOf(model))).then(
        () => undefined,
        () => undefined,
      )
    if (ready === null) return answer(message)
    ready = ready.then(() => answer(message))
  }
}
