// Text and output.
import type { Row } from './row.ts'
import { row } from './row.ts'
import { say, type Words } from '../../../model-schema/words.ts'

const r = (shown: string, words: Words, source: string, result: string, extra: Parameters<typeof row>[4] = {}): Row =>
  row('text', shown, words, [source, result], extra)

export const textRows: readonly Row[] = [
  r('str(x: any) -> text', say('x as text. Whole numbers have no fraction.'), 'str(2.0) + str(True)', '"2True"'),
  r('repr(x: any) -> text', say('x as it would be written in a formula.'), 'repr("a")', '"\'a\'"'),
  r('format(x: any, spec: text = "") -> text', say('x by a format specification, as in an f-string.'), 'format(3.14159, ".2f")', '"3.14"'),
  r('chr(code: number) -> text', say('Character with this Unicode code.'), 'chr(65)', '"A"'),
  r('ord(character: text) -> number', say('Unicode code of a character.'), 'ord("A")', '65'),
  r('print(*values: any) -> none', say('Writes a line into the Output panel.'), 'print("hello", 3)', 'None', {
    writes: true,
    way: 'special',
  }),
]
