// Cells of CSV files as spreadsheets read them.
import { expect, it } from 'vitest'
import { csvCell } from '../../model-schema/csv.ts'

it('csv: a text that begins like a formula is marked as text, numbers keep their sign', () => {
  const cells: [string | number | boolean | null, string][] = [
    ['=HYPERLINK("http://x")', '"\'=HYPERLINK(""http://x"")"'],
    ['+1', "'+1"],
    ['-1+2', "'-1+2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    [' =1', "' =1"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['＝1', "'＝1"],
    ['a=1', 'a=1'],
    ['a,b', '"a,b"'],
    ['', ''],
    [-1.5, '-1.5'],
    [1e21, '1e+21'],
    [true, 'true'],
    [null, ''],
  ]
  for (const [value, cell] of cells) expect(csvCell(value)).toBe(cell)
})
