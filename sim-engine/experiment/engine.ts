// Which engine this is: a hash of the sources that decide what a run gives and which runs an experiment makes. Runs are equal for the same
// engine only, so samples of another one are never mixed with its own. For Node; a page has no sources to read.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * The module from which everything else that counts is imported; and the one that numbers and seeds runs, which also imports modules that only
 * report results.
 */
const doors = ['./prepare.ts', './studies.ts', './runner.ts']
const alone = '../experiment.ts'

let known: string | null = null

/** Sixteen hexadecimal digits; the same on every machine that has the same sources. */
export function engineHash(): string {
  known ??= hashed()
  return known
}

/** Of the doors and of all they import, in the order of their paths. */
function hashed(): string {
  const texts = new Map<string, string>()
  const placeOf = (path: string): string => new URL(path, import.meta.url).href
  // Line ends are what a checkout makes of them.
  const textOf = (href: string): string => readFileSync(fileURLToPath(href), 'utf8').replaceAll('\r\n', '\n')
  texts.set(placeOf(alone), textOf(placeOf(alone)))
  const open = doors.map(placeOf)
  for (let href = open.pop(); href !== undefined; href = open.pop()) {
    if (texts.has(href)) continue
    const text = textOf(href)
    texts.set(href, text)
    for (const [, typeOnly, target] of text.matchAll(/^\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'/gm))
      if (typeOnly === undefined) open.push(new URL(target!, href).href)
  }
  const root = new URL('../../', import.meta.url).href
  const hash = createHash('sha256')
  for (const [href, text] of [...texts].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${href.slice(root.length)}\n${text.length}\n${text}`)
  return hash.digest('hex').slice(0, 16)
}
