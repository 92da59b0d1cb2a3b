// All functions and constants of the language by name.
import { collectionRows } from './collections.ts'
import { dateRows } from './dates.ts'
import { numberRows } from './numbers.ts'
import { randomRows } from './random.ts'
import type { Row } from './row.ts'
import { statisticRows } from './statistics.ts'
import { textRows } from './texts.ts'
import { entityRows, networkRows, spaceRows } from './world.ts'
import { say, type Words } from '../../../model-schema/words.ts'

export const rows: readonly Row[] = [
  ...numberRows,
  ...randomRows,
  ...statisticRows,
  ...collectionRows,
  ...textRows,
  ...spaceRows,
  ...networkRows,
  ...entityRows,
  ...dateRows,
]

const byName = new Map(rows.map(row => [row.signature.name, row]))

export function rowOf(name: string): Row | undefined {
  return byName.get(name)
}

/** Constants: name, JavaScript, help. */
export const constants: ReadonlyMap<string, { js: string; words: Words }> = new Map([
  ['pi', { js: '3.141592653589793', words: say('Circumference of a circle of diameter 1.') }],
  ['tau', { js: '6.283185307179586', words: say('2 pi: a full turn in radians.') }],
  [
    'inf',
    {
      js: 'Infinity',
      words: say('Infinity: greater than every number. It can be compared, not kept in a variable of the model.'),
    },
  ],
])
