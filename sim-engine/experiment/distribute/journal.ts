// A journal in a file: a head that says what it is of, then one line a run, appended as runs are done. A line cut short by a crash is left out, and its
// run made again. Read and written as a stream, so it may be larger than memory.
import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Journal } from '../../experiment.ts'
import type { Problem } from '../../problems.ts'
import { engineHash } from '../engine.ts'
import { linesOf, writeWhole } from '../lines.ts'
import { lock } from './lock.ts'
import type { Sample } from '../protocol.ts'
import type { Slice } from './slices.ts'

/** What a journal is of, in its first line. */
export type Head = {
  readonly journal: 2
  /** Of experiment and model (`keyOf`). */
  readonly key: string
  /** Of the engine (`engineHash`): runs of another one are not the same. */
  readonly engine: string
  /** Null: all runs. */
  readonly slice: readonly [index: number, of: number] | null
  /** Runs of the whole experiment; null while unknown. */
  readonly planned: number | null
  /** Where it was begun, for people. */
  readonly host: string
  readonly node: string
}

type FileJournal = Journal & { close(): void }

type Opening = {
  readonly key: string
  readonly slice?: Slice | null
  readonly planned?: number | null
  /** Takes over the lock of its holder. */
  readonly steal?: boolean
  /** A clock in milliseconds, by which the journal is brought to the disk now and then; without one, when it is closed. */
  readonly now?: () => number
}

/** Most time that runs are only in the memory of the machine, in milliseconds. */
const syncMs = 5000

/**
 * Opens a journal to go on with, or begins one, and keeps others out of it until it is closed. Throws Error when it is one of another experiment, model,
 * engine or slice, when another process has it, or when it can't be written.
 */
export function openJournal(path: string, { key, slice = null, planned = null, steal = false, now = () => 0 }: Opening): FileJournal {
  const held = lock(path, steal)
  try {
    const head = newHead({ key, slice, planned })
    let end = 0
    if (existsSync(path)) {
      const [first] = linesOf(path)
      // A crash while the first line was written leaves less than a line: there is nothing in it.
      if (first !== undefined) {
        sameOrThrow(path, headOf(path, first.text), head)
        for (const line of linesOf(path)) end = line.end
      }
    }
    const file = openSync(path, end === 0 ? 'w' : 'r+')
    if (end === 0) end = writeWhole(file, headLine({ key, slice, planned }))
    ftruncateSync(file, end)
    closeSync(file)
    const appended = openSync(path, 'a')
    let synced = now()
    return {
      read: () => Promise.resolve(samplesIn(path)),
      write(told) {
        writeWhole(appended, told.map(([run, sample]) => `${JSON.stringify({ run, ...sample })}\n`).join(''))
        if (now() - synced < syncMs) return
        fsyncSync(appended)
        synced = now()
      },
      close() {
        fsyncSync(appended)
        closeSync(appended)
        held.release()
      },
    }
  } catch (error) {
    held.release()
    throw error
  }
}

function newHead({ key, slice = null, planned = null }: Opening): Head {
  const of = slice === null ? null : ([slice.index, slice.of] as const)
  return { journal: 2, key, engine: engineHash(), slice: of, planned, host: hostname(), node: process.version }
}

/** The first line of a journal that is begun here, with its line end. */
export const headLine = (opening: Opening): string => `${JSON.stringify(newHead(opening))}\n`

/** The head of a journal. Throws Error when its first line is no valid head. */
export function readHead(path: string): Head {
  const [first] = linesOf(path)
  if (first === undefined) throw new Error(`${path} is empty: it holds no journal`)
  return headOf(path, first.text)
}

function headOf(path: string, text: string): Head {
  const none = (why: string): never => {
    throw new Error(`${path}:1: ${why}`)
  }
  let head: Partial<Head> | null = null
  try {
    head = JSON.parse(text)
  } catch {
    return none('the first line is not that of a journal')
  }
  if (typeof head !== 'object' || head === null || typeof head.key !== 'string') return none('the first line is not that of a journal')
  if (head.journal !== 2) return none(`a journal of format ${String(head.journal)}; this version writes and reads format 2`)
  const { key, engine, slice, planned, host, node } = head
  const isSlice = Array.isArray(slice) && slice.length === 2 && slice.every(Number.isSafeInteger)
  return {
    journal: 2,
    key,
    engine: String(engine),
    slice: isSlice ? slice : null,
    planned: typeof planned === 'number' ? planned : null,
    host: String(host),
    node: String(node),
  }
}

/** Throws Error when a journal is of something else than is wanted. */
export function sameOrThrow(path: string, found: Head, wanted: Pick<Head, 'key' | 'engine' | 'slice'>): void {
  if (found.key !== wanted.key) throw new Error(`${path} is the journal of another experiment or model, or of another seed or design`)
  if (found.engine !== wanted.engine)
    throw new Error(
      `${path} was made by another version of the engine (${found.engine}, here ${wanted.engine}): its runs are not the same as here`,
    )
  if (shownSlice(found.slice) !== shownSlice(wanted.slice))
    throw new Error(`${path} holds ${shownSlice(found.slice)}, not ${shownSlice(wanted.slice)}`)
}

const shownSlice = (slice: Head['slice']): string => (slice === null ? 'all runs' : `slice ${slice[0]}/${slice[1]}`)

/** The samples of a journal. Throws Error that names the line when one is damaged. */
export function* samplesIn(path: string): Generator<readonly [run: number, sample: Sample], void> {
  for (const { run, sample } of runsIn(path)) yield [run, sample]
}

/** The runs of a journal with the lines they are written in. Throws Error that names the line when one is damaged. */
export function* runsIn(path: string): Generator<{ readonly run: number; readonly sample: Sample; readonly text: string }, void> {
  for (const { text, number } of linesOf(path)) {
    if (number === 1 || text === '') continue
    const [run, sample] = sampleOf(text, () => `${path}:${number}`)
    yield { run, sample, text }
  }
}

const ends: readonly unknown[] = ['success', 'terminated', 'limited', 'failed']
/** Most runs of an experiment: a number beyond is a damaged one. */
const mostRuns = 100_000_000

type Written = { run: number; end: Sample['end']; ticks: number; values: (number | null)[]; problem: Problem | null }

function sampleOf(text: string, where: () => string): readonly [number, Sample] {
  let written: Partial<Written> | null = null
  try {
    written = JSON.parse(text)
  } catch {
    // Said below.
  }
  const { run, end, ticks, values, problem = null } = written ?? {}
  const isRun = typeof run === 'number' && Number.isSafeInteger(run) && run >= 0 && run < mostRuns
  if (!isRun || !ends.includes(end) || typeof ticks !== 'number' || !Array.isArray(values) || typeof problem !== 'object')
    throw new Error(`${where()}: this line is damaged, it holds no run; without it, its run is made again`)
  return [run, { end: end!, ticks, values: values.map(value => value ?? NaN), problem }]
}
