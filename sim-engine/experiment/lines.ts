// Text files of any length, line by line: no file is ever held as one string, which has a bound of half a gigabyte.
import { closeSync, openSync, readSync, writeSync } from 'node:fs'

type Line = {
  readonly text: string
  /** From 1. */
  readonly number: number
  /** Byte after its line end. */
  readonly end: number
}

const chunk = 1 << 20
/** Longest line there may be, in bytes. */
const maxLineBytes = 64_000_000

/** The lines of a file that end with a line end; a last one without is left out, as it was cut short. Throws when it can't be read. */
export function* linesOf(path: string): Generator<Line, void> {
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(chunk)
    let rest: Buffer[] = []
    let held = 0
    let end = 0
    let number = 0
    for (let size = readSync(file, buffer, 0, chunk, null); size > 0; size = readSync(file, buffer, 0, chunk, null)) {
      let from = 0
      for (let at = buffer.indexOf(10, from); at >= 0 && at < size; at = buffer.indexOf(10, from)) {
        const part = buffer.subarray(from, at)
        const text = rest.length === 0 ? part.toString('utf8') : Buffer.concat([...rest, part]).toString('utf8')
        end += held + part.length + 1
        rest = []
        held = 0
        from = at + 1
        yield { text, number: ++number, end }
      }
      if (from < size) rest.push(Buffer.from(buffer.subarray(from, size)))
      held += size - from
      if (held > maxLineBytes) throw new Error(`${path}:${number + 1}: the line is longer than ${maxLineBytes} bytes`)
    }
  } finally {
    closeSync(file)
  }
}

/** Writes texts to an open file, gathered into large pieces. Returns how many bytes. */
export function writeAll(file: number, texts: Iterable<string>): number {
  let gathered: string[] = []
  let length = 0
  let bytes = 0
  const flush = (): void => {
    bytes += writeWhole(file, gathered.join(''))
    gathered = []
    length = 0
  }
  for (const text of texts) {
    gathered.push(text)
    length += text.length
    if (length > chunk) flush()
  }
  flush()
  return bytes
}

/** Writes all of a text, however many calls that takes: on a full disk or a pipe one call may write a part. */
export function writeWhole(file: number, text: string): number {
  const bytes = Buffer.from(text, 'utf8')
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
  return bytes.length
}
