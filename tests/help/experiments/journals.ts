// Journals of slices as if their runs had been made: for what is done with very many runs, which would take long to make.
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyOf, plannedRuns } from '../../../sim-engine/experiment.ts'
import { headLine } from '../../../sim-engine/experiment/distribute/journal.ts'
import { writeAll } from '../../../sim-engine/experiment/lines.ts'
import { loaded } from '../../../sim-engine/experiment/tables/loading.ts'
import { stream, uniform } from '../../../sim-engine/kernel/random.ts'

export type Synthetic = { readonly file: string; readonly parts: readonly string[] }

/** A Monte Carlo experiment of so many runs in a folder, and the journals of its slices; each run gave a number below 1. */
export function syntheticParts(folder: string, runs: number, slices: number): Synthetic {
  const elements = {
    s: { kind: 'scenario', totalTicks: 0 },
    v: { kind: 'variable', name: 'v', initial: '1' },
    x: { kind: 'experiment', name: 'Many', modelFile: 'many.holo', type: 'monteCarlo', replications: runs, maxRuns: runs },
    r: { kind: 'response', parent: 'x', name: 'Value', expression: 'v' },
  }
  const file = join(folder, 'many.holo')
  writeFileSync(file, JSON.stringify({ format: 'holo', version: 1, elements }))
  let said = ''
  const output = { out() {}, err: (text: string) => void (said += text), now: () => 0 }
  const { prepared } = loaded({ file, model: null, seed: null, runs: null }, false, output)
  if (prepared === null) throw new Error(said)
  const parts = Array.from({ length: slices }, (_, index) => {
    function* lines(): Generator<string, void> {
      yield headLine({ key: keyOf(prepared!), planned: plannedRuns(prepared!), slice: { index, of: slices } })
      const random = stream(1, index, 'value')
      for (let run = index; run < runs; run += slices)
        yield `${JSON.stringify({ run, end: 'limited', ticks: 0, values: [uniform(random)], problem: null })}\n`
    }
    const path = join(folder, `part.${index}`)
    const opened = openSync(path, 'w')
    writeAll(opened, lines())
    closeSync(opened)
    return path
  })
  return { file, parts }
}
