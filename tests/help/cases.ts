// Models of tests/cases/faults: the smallest ones on which something once went wrong.
import { readFileSync } from 'node:fs'
import { modelOfFile, parseFile } from '../../model-schema/file.ts'
import type { Model } from '../../model-schema/model.ts'
import { check } from '../../sim-engine/check.ts'
import type { Checked } from '../../sim-engine/check.ts'
import { compile } from '../../sim-engine/compile.ts'
import type { RunOptions } from '../../sim-engine/messages.ts'
import { start } from '../../sim-engine/run.ts'
import type { Run } from '../../sim-engine/run.ts'
import { english } from '../../model-schema/words.ts'

export const casePath = (name: string): string => new URL(`../cases/faults/${name}.holo`, import.meta.url).pathname

export function caseModel(name: string): Model {
  const parsed = parseFile(readFileSync(casePath(name), 'utf8'))
  if ('problems' in parsed) throw new Error(`${name}: ${english(parsed.problems[0]?.words)}`)
  return modelOfFile(parsed.file)
}

export function checkCase(name: string): Checked {
  const model = caseModel(name)
  return check(model, model.scenarios[0] ?? '')
}

/** A run ready to start. Throws when the model has errors. */
export function beginCase(name: string, options: RunOptions = {}): Run {
  const checked = checkCase(name)
  if (!checked.ok) throw new Error(`${name}: ${english(checked.problems[0]?.message)}`)
  return start(compile(checked.checked), options)
}
