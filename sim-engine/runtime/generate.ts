// Writes runtime/generated.ts: the modules of the runtime as programs lower and inline them. Run after a change to one of them:
// `node sim-engine/runtime/generate.ts`. A test holds it to be current.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { lowerModule } from '../lower/typescript.ts'

const i32 = 'i32' as const

const withoutImports = (source: string): string => source.replaceAll(/^import \{[^}]*\} from .*$/gm, '')

/** The lowered functions as JSON: what runtime/generated.ts is to hold. */
export function generated(): string {
  // One module in several files: what they import of each other is there.
  const source = [
    'chance.ts',
    'processes.ts',
    'containers.ts',
    'populations.ts',
    'joins.ts',
    'angles.ts',
    'division.ts',
    'spaces.ts',
    'choices.ts',
    'searches.ts',
  ]
    .map(name => readFileSync(new URL(name, import.meta.url), 'utf8'))
    .join('\n')
  const hosts = new Map([
    [
      'step',
      {
        params: [
          ['t', i32],
          ['pc', i32],
        ],
        result: i32,
      },
    ],
    [
      'arrive',
      {
        params: [
          ['process', i32],
          ['row', i32],
        ],
        result: i32,
      },
    ],
    [
      'begin',
      {
        params: [
          ['process', i32],
          ['row', i32],
        ],
        result: i32,
      },
    ],
    [
      'copyOut',
      {
        params: [
          ['from', i32],
          ['to', i32],
        ],
        result: 'void',
      },
    ],
    ['forget', { params: [['t', i32]], result: 'void' }],
    ['settleHere', { params: [], result: 'void' }],
    ['rareLog', { params: [['x', 'f64']], result: 'f64' }],
    ['fail', { params: [['place', i32]], result: 'void' }],
    [
      'goOn',
      {
        params: [
          ['t', i32],
          ['pc', i32],
        ],
        result: i32,
      },
    ],
    ['settle', { params: [], result: 'void' }],
    ['widen', { params: [['population', i32]], result: 'void' }],
    ['trackEmpty', { params: [['space', i32]], result: 'void' }],
    ['layBuckets', { params: [['population', i32]], result: 'void' }],
    ['lengthen', { params: [['entries', i32]], result: 'void' }],
    ['sinFar', { params: [['x', 'f64']], result: 'f64' }],
    ['cosFar', { params: [['x', 'f64']], result: 'f64' }],
    [
      'atan2Far',
      {
        params: [
          ['y', 'f64'],
          ['x', 'f64'],
        ],
        result: 'f64',
      },
    ],
  ] as const)
  const fns = [...lowerModule(withoutImports(source), hosts).values()].map(fn => ({ ...fn, locals: [...fn.locals] }))
  return JSON.stringify(fns)
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(
    new URL('generated.ts', import.meta.url),
    `// Made by runtime/generate.ts from runtime/{chance,processes,containers,populations,joins,angles,division,spaces,choices}.ts.\nexport const processes =\n  '${generated()}'\n`,
  )
