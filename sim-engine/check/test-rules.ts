// What a test of a model must say before it can be run.
import type { Element } from '../../model-schema/model.ts'
import { problemSaying } from '../problems.ts'
import type { Checking } from './checking.ts'
import { cellText, rowsOf } from './resolve.ts'
import { say, type Words } from '../../model-schema/words.ts'

/** The formulas that a check of each sort cannot be without. */
const needed: Readonly<Record<string, readonly string[]>> = {
  always: ['condition'],
  sometime: ['condition'],
  end: ['condition'],
  conserved: ['expression'],
  between: ['expression'],
  little: ['expression', 'rate', 'stay'],
}

const complete = say('Complete the test, or delete it.')

export function checkTest({ parts, say: report }: Checking, test: Element): void {
  const wrong = (field: string, words: Words): void => report(problemSaying(9030, { id: test.id, field }, words, complete, 'warning'))
  const checks = rowsOf(test, 'checks')
  if (checks.length === 0) wrong('checks', say('The test checks nothing.'))
  const isBlank = (i: number, column: string): boolean => cellText(checks[i]!, column).trim() === ''
  for (const [i, row] of checks.entries()) {
    const what = cellText(row, 'what') || 'always'
    for (const column of needed[what] ?? []) if (isBlank(i, column)) wrong(`checks/${i}/${column}`, say('The check has no formula here.'))
    if (what === 'between' && isBlank(i, 'low') && isBlank(i, 'high')) wrong(`checks/${i}/low`, say('The check has no bound.'))
  }
  const globals = new Set(parts.globals.map(({ id }) => id))
  for (const [i, row] of rowsOf(test, 'overrides').entries())
    if (!globals.has(cellText(row, 'variable'))) wrong(`overrides/${i}/variable`, say('Choose a global variable of this scenario.'))
}
