// Records read from a CSV text (RFC 4180). What writes CSV is in csv-cell.ts, without the parser.
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
