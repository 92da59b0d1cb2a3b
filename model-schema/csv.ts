// One cell of a CSV file (RFC 4180) as spreadsheets can be trusted with: a text that begins like a formula is marked as text, so that opening a
// file runs nothing that somebody else wrote. Numbers keep their sign.

/** The cell of a value; null is an empty cell. */
export function csvCell(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  // Spreadsheets take the full-width signs of East Asian keyboards, too.
  const safe = /^[\t\r\n ]*[=+\-@＝＋－＠]|^[\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
