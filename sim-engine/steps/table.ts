// Every kind of flow element by its id. Adding one: a file here, a row in the metamodel, a line in this table.
import { ask } from './ask.ts'
import { boundary } from './boundary.ts'
import { call } from './call.ts'
import { compute } from './compute.ts'
import { create } from './create.ts'
import { decide } from './decide.ts'
import { delay } from './delay.ts'
import { destroy } from './destroy.ts'
import { end } from './end.ts'
import { gateway } from './gateway.ts'
import { intermediate } from './intermediate.ts'
import { log } from './log.ts'
import { move } from './move.ts'
import { operate } from './operate.ts'
import { place } from './place.ts'
import { start } from './start.ts'
import type { StepKind } from './step.ts'
import { subprocess } from './subprocess.ts'
import { transaction } from './transaction.ts'

const all: readonly StepKind[] = [
  start,
  intermediate,
  boundary,
  end,
  gateway,
  compute,
  delay,
  ask,
  call,
  subprocess,
  create,
  destroy,
  move,
  place,
  operate,
  decide,
  transaction,
  log,
]

export const stepKinds: ReadonlyMap<string, StepKind> = new Map(all.map(kind => [kind.kind, kind]))
