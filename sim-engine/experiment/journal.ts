// A journal in a file: one line a run, appended as runs are done. A line cut short by a crash is left out, and its run made again.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import type { Journal } from '../experiment.ts'
import type { Problem } from '../problems.ts'
import type { Sample } from './protocol.ts'

export type FileJournal = Journal & { close(): void }

/** `key` says which experiment and model the samples are of; a file of another one is refused. Throws Error then, or when it can't be written. */
export function openJournal(path: string, key: string): FileJournal {
  const samples = new Map<number, Sample>()
  const head = JSON.stringify({ journal: 1, key })
  if (existsSync(path)) {
    const text = readFileSync(path, 'utf8')
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    const [first, ...lines] = whole.split('\n')
    if (first !== head) throw new Error(`${path} is the journal of another experiment or model`)
    for (const line of lines) {
      if (line === '') continue
      const { run, end, ticks, values, problem }: Line = JSON.parse(line)
      samples.set(run, { end, ticks, values: values.map(value => value ?? NaN), problem })
    }
    truncateSync(path, Buffer.byteLength(whole))
  }
  const file = openSync(path, 'a')
  if (samples.size === 0 && readFileSync(path).length === 0) writeSync(file, `${head}\n`)
  return {
    read: () => Promise.resolve(samples),
    write(told) {
      writeSync(file, told.map(([run, sample]) => `${JSON.stringify({ run, ...sample })}\n`).join(''))
    },
    close() {
      fsyncSync(file)
      closeSync(file)
    },
  }
}

type Line = { run: number; end: Sample['end']; ticks: number; values: (number | null)[]; problem: Problem | null }
