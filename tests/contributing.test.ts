// The recipes of CONTRIBUTING.md, executed in a copy of the project: each one's blocks are applied, all are checked for types, and the test that each names
// is run. A recipe that no longer fits the code fails here.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'holarchy-recipes-'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

type Block = { does: 'file' | 'change' | 'test'; path: string; text: string }
type Recipe = { title: string; blocks: readonly Block[] }

/** The recipes of the document: its third-level sections that hold blocks. */
function recipesOf(markdown: string): Recipe[] {
  return markdown
    .split(/^### /m)
    .slice(1)
    .map(section => ({
      title: section.slice(0, section.indexOf('\n')),
      blocks: [...section.matchAll(/^```(?:ts|po) (file|change|test)=(\S+)\n([\s\S]*?)^```$/gm)].map(
        ([, does, path, text]) => ({ does, path, text }) as Block,
      ),
    }))
    .filter(({ blocks }) => blocks.length > 0)
}

const recipes = recipesOf(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'))

/** Replaces the only occurrence of the block's context lines by the block with its added lines. Throws when there is none, or several. */
function changed(source: string, { path, text }: Block): string {
  const lines = text.split('\n').slice(0, -1)
  const context = lines
    .filter(line => !line.startsWith('+'))
    .map(line => `${line}\n`)
    .join('')
  const places = source.split(context).length - 1
  if (places !== 1) throw new Error(`${path}: the context lines are found ${places} times:\n${context}`)
  return source.replace(context, () => lines.map(line => `${line.replace(/^\+/, '')}\n`).join(''))
}

function apply(block: Block): void {
  const target = join(copy, block.path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, block.does === 'change' ? changed(readFileSync(target, 'utf8'), block) : block.text)
}

/** Runs an installed program in the copy; what it printed, with its exit code before it. */
function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, VITEST: undefined, VITEST_WORKER_ID: undefined, VITEST_POOL_ID: undefined },
  })
  return status === 0 ? 'passed' : `exit ${status}\n${stdout}\n${stderr}`
}

describe('CONTRIBUTING.md', () => {
  const limits: Readonly<Record<string, number>> = {
    'A kind of step': 3,
    'A function of the formula language': 2,
    'A type of chart': 5,
    'A route of the API': 5,
    'A third language': 1,
  }

  it('has a recipe for each thing, within its number of files', () => {
    expect(recipes.map(({ title }) => title)).toEqual(Object.keys(limits))
    for (const { title, blocks } of recipes) {
      const touched = new Set(blocks.filter(({ does }) => does !== 'test').map(({ path }) => path))
      expect(touched.size, title).toBeLessThanOrEqual(limits[title] ?? 0)
      expect(blocks.filter(({ does }) => does === 'test').length, title).toBe(1)
    }
  })

  it('recipes: apply to the project as it is, pass the type checker, and their tests pass', () => {
    for (const part of ['client', 'sync-server', 'model-schema', 'sim-engine', 'tests', 'package.json', 'tsconfig.json', 'vite.config.ts'])
      cpSync(join(root, part), join(copy, part), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    const blocks = recipes.flatMap(recipe => recipe.blocks)
    for (const block of blocks) apply(block)
    const files = [...new Set(blocks.map(({ path }) => path).filter(path => /\.tsx?$/.test(path))), 'client/i18n/po.d.ts']
    writeFileSync(join(copy, 'tsconfig.recipes.json'), JSON.stringify({ extends: './tsconfig.json', files, include: [] }))
    expect(run('typescript/bin/tsc', ['-p', 'tsconfig.recipes.json'])).toBe('passed')
    const tests = blocks.filter(({ does }) => does === 'test').map(({ path }) => path)
    expect(run('vitest/vitest.mjs', ['run', ...tests])).toBe('passed')
  }, 300_000)
})
