// Measured data from text: CSV, or columns of a spreadsheet.
import { recordsOf, separatorOf } from '../../../model-schema/csv.ts'

export type Measured = { at: number; value: number; heldOut: boolean }

/**
 * Lines of time and value, and perhaps whether it is held out (1, true, yes, x). A line of one number is a value at the next whole time. Lines
 * without numbers, as headings are, are left out. In the order of their times.
 */
export function readSeries(text: string): Measured[] {
  const rows: Measured[] = []
  // A heading may have one cell.
  const separator = separatorOf(/^.*[\t;,].*$/m.exec(text)?.[0] ?? '')
  for (const record of recordsOf(text, separator)) {
    const cells = record.map(cell => cell.trim())
    // Where the semicolon separates, the comma may be the decimal point.
    const numbers = cells.slice(0, 2).map(cell => (cell === '' ? NaN : Number(separator === ',' ? cell : cell.replace(',', '.'))))
    const [first = NaN, second = NaN] = numbers
    if (!Number.isFinite(first)) continue
    if (cells.length === 1) rows.push({ at: rows.length, value: first, heldOut: false })
    else if (Number.isFinite(second) && first >= 0)
      rows.push({ at: first, value: second, heldOut: /^(1|true|yes|x)$/i.test(cells[2] ?? '') })
  }
  return rows.sort((a, b) => a.at - b.at)
}
