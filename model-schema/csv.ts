// CSV (RFC 4180): records read from a text, and one cell written as spreadsheets can be trusted with. A text that begins like a formula is marked
// as text, so that opening a file runs nothing that another person wrote. Numbers keep their sign.
import Papa from 'papaparse'

/** The separator of the first line's cells: a tab, a semicolon or a comma. */
export function separatorOf(text: string): string {
  const first = text.split('\n', 1)[0] ?? ''
  return first.includes('\t') ? '\t' : first.includes(';') ? ';' : ','
}

/**
 * The records of a text, from a file or a spreadsheet's clipboard. Line breaks inside quotes belong to their cell, and so do spaces; an empty line
 * is a record of one empty cell.
 */
export const recordsOf = (text: string, separator = separatorOf(text)): string[][] =>
  Papa.parse<string[]>(text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'), {
    delimiter: separator,
    newline: '\n',
    // People write a space between a separator and a quote; the standard takes both for text.
    transform: cell => /^\s+"(.*)"\s*$/s.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell,
  }).data

/** The cell of a value; null is an empty cell. */
export function csvCell(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  // Spreadsheets take the full-width signs of East Asian keyboards, too.
  const safe = /^[\t\r\n ]*[=+\-@＝＋－＠]|^[\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
