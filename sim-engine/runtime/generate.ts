// Writes runtime/generated.ts: the modules of the runtime as programs lower and inline them. Run after a change to one of them:
// `node sim-engine/runtime/generate.ts`. A test holds it to be current.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { lowerModule } from '../lower/typescript.ts'

const host = <P extends 'i32' | 'f64', R extends 'i32' | 'f64' | 'void'>(is: P, params: readonly string[], result: R) => ({
  params: params.map(name => [name, is] as const),
  result,
})

/** What programs and the host give the runtime. */
const hosts = new Map([
  ['step', host('i32', ['t', 'pc'], 'i32')],
  ['arrive', host('i32', ['process', 'row'], 'i32')],
  ['begin', host('i32', ['process', 'row'], 'i32')],
  ['another', host('i32', ['process', 'row'], 'i32')],
  ['copyOut', host('i32', ['from', 'to'], 'void')],
  ['holds', host('i32', ['step', 't'], 'i32')],
  ['mayChange', host('i32', ['acted', 'step'], 'i32')],
  ['mayInterrupt', host('i32', ['t'], 'i32')],
  ['interrupted', host('i32', ['t'], 'void')],
  ['lookOutside', host('i32', ['acted'], 'void')],
  ['forget', host('i32', ['t'], 'void')],
  ['settleHere', host('i32', [], 'void')],
  ['rareLog', host('f64', ['x'], 'f64')],
  ['fail', host('i32', ['place'], 'void')],
  ['goOn', host('i32', ['t', 'pc'], 'i32')],
  ['arriveOutside', host('i32', [], 'i32')],
  ['noteGiven', host('i32', ['t'], 'void')],
  ['leave', host('i32', ['t'], 'i32')],
  ['observe', host('i32', [], 'i32')],
  ['settle', host('i32', [], 'void')],
  ['widen', host('i32', ['population'], 'void')],
  ['trackEmpty', host('i32', ['space'], 'void')],
  ['layBuckets', host('i32', ['population'], 'void')],
  ['widenLinks', host('i32', ['links', 'size'], 'void')],
  ['lengthen', host('i32', ['entries'], 'void')],
  ['lengthenLists', host('i32', ['entries'], 'void')],
  ['sinFar', host('f64', ['x'], 'f64')],
  ['cosFar', host('f64', ['x'], 'f64')],
  ['atan2Far', host('f64', ['y', 'x'], 'f64')],
] as [string, ReturnType<typeof host>][])

const withoutImports = (source: string): string => source.replaceAll(/^import \{[^}]*\} from .*$/gm, '')

/** The lowered functions as JSON: what runtime/generated.ts is to hold. */
export function generated(): string {
  // One module in several files: what they import of each other is there.
  const source = [
    'chance.ts',
    'processes.ts',
    'containers.ts',
    'preemption.ts',
    'goods.ts',
    'watches.ts',
    'events.ts',
    'populations.ts',
    'joins.ts',
    'angles.ts',
    'division.ts',
    'spaces.ts',
    'choices.ts',
    'searches.ts',
    'links.ts',
  ]
    .map(name => readFileSync(new URL(name, import.meta.url), 'utf8'))
    .join('\n')
  const fns = [...lowerModule(withoutImports(source), hosts).values()].map(fn => ({ ...fn, locals: [...fn.locals] }))
  return JSON.stringify(fns)
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(
    new URL('generated.ts', import.meta.url),
    `// Made by runtime/generate.ts from runtime/{chance,processes,containers,watches,events,populations,joins,angles,division,spaces,choices,searches,links}.ts.\nexport const processes =\n  '${generated()}'\n`,
  )
