// Files that the page takes up by a pattern: a pattern that matches nothing is no error of the build, so a moved file would lose them silently.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const root = new URL('../..', import.meta.url).pathname

it('every pattern of import.meta.glob matches files', () => {
  const found = globSync('client/**/*.{ts,tsx}', { cwd: root }).flatMap(path =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/import\.meta\.glob(?:<[^>]*>)?\(\s*'([^']+)'/g)].map(([, pattern]) => ({
      path,
      matches: globSync(join(dirname(path), pattern!), { cwd: root }).length,
    })),
  )
  expect(found.length).toBeGreaterThan(2)
  expect(found.filter(({ matches }) => matches === 0)).toEqual([])
})
