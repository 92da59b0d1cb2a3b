// Cells of CSV files as spreadsheets read them.
import { expect, it } from 'vitest'
import { csvCell } from '../../model-schema/csv-cell.ts'
import { recordsOf, separatorOf } from '../../model-schema/csv.ts'

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

it('csv: records are read as RFC 4180 writes them, whatever ends their lines', () => {
  for (const end of ['\n', '\r\n', '\r'])
    expect(recordsOf(`\uFEFFa,b${end}"x, ""y""","two\nlines"${end}${end}1, "2"${end}" 3 ",4 `)).toEqual([
      ['a', 'b'],
      ['x, "y"', 'two\nlines'],
      [''],
      ['1', '2'],
      [' 3 ', '4 '],
    ])
})

it('csv: the first line tells what separates cells', () => {
  expect(['a\tb;c', 'a;b,c\nd\te', 'a,b', 'a', ''].map(separatorOf)).toEqual(['\t', ';', ',', ',', ','])
  expect(recordsOf('a;b\n1,5;2')).toEqual([
    ['a', 'b'],
    ['1,5', '2'],
  ])
})

it('csv: a quote without its end loses no text', () => {
  expect(recordsOf('a,b\n1,"open\n2,3').flat().join('|')).toContain('open\n2,3')
})
