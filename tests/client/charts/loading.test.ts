// What the cards of charts load at once.
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Files and packages that a file imports, itself or through others, with the file that does; types and what is imported later are left out. */
function staticImports(path: string, found = new Map<string, string>()): Map<string, string> {
  if (!/\.tsx?$/.test(path)) return found
  const text = readFileSync(join(root, path), 'utf8')
  for (const [, typeOnly, target = ''] of text.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm)) {
    const to = target.startsWith('.') ? normalize(join(dirname(path), target)) : target
    if (typeOnly !== undefined || found.has(to)) continue
    found.set(to, path)
    if (to !== target) staticImports(to, found)
  }
  return found
}

it.each(['client/charts/ChartCard.tsx', 'client/charts/PlotCard.tsx'])('charts: %s loads without the parser of CSV', card => {
  const found = staticImports(card)
  expect(found.has('react')).toBe(true)
  expect(found.get('papaparse')).toBe(undefined)
})
