// One cell of a CSV file (RFC 4180), written so that opening the file in a spreadsheet is safe. A text that begins like a formula is marked as text, so
// that opening a file runs nothing that another person wrote. Numbers keep their sign.

/** The cell of a value; null is an empty cell. */
export function csvCell(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  // Spreadsheets take the full-width signs of East Asian keyboards, too.
  const safe = /^[\t\r\n ]*[=+\-@＝＋－＠]|^[\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
