// What a page loads before it can be used: the brotli size of the JavaScript its parts import statically, from the build's manifest.
// Parts that are loaded later, when something is shown or touched, are not in a page's figure.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { z } from 'zod'
import type { Figure } from './figure.ts'

const root = join(import.meta.dirname, '../..')
const dist = join(root, 'dist')

const manifestSchema = z.record(
  z.string(),
  z.object({ file: z.string(), imports: z.array(z.string()).optional(), dynamicImports: z.array(z.string()).optional() }),
)
type Manifest = z.infer<typeof manifestSchema>

const first = ['index.html', '../model-schema/languages/en-US.po?first']
/** All texts: of everything but the first screens. */
const texts = '../model-schema/languages/en-US.po?more'
const shared = [...first, 'routes/ShareModel.tsx']
const editor = [...shared, 'routes/Document.tsx', 'editor/ModelEditor.tsx']
const workspace = [...first, texts, 'ui/AntdFrame.tsx', 'workspace/Workspace.tsx']

/** Pages by the parts they cannot be shown without; `most` is the target in kB. */
const pages: Readonly<Record<string, { parts: readonly string[]; most?: number; note: string }>> = {
  'bundle/share-link': { parts: shared, most: 200, note: 'a shared link, until it is known what it opens' },
  'bundle/editor': { parts: editor, most: 400, note: 'a model on its canvas, shared or own, from an empty cache' },
  'bundle/inspector': { parts: [...editor, texts, 'panels/RightSide.tsx'], note: 'the editor with its properties' },
  'bundle/formula': { parts: [...editor, texts, 'panels/RightSide.tsx', 'panels/code/CodeField.tsx'], note: 'and a formula field' },
  'bundle/workspace': { parts: [...workspace, 'workspace/Recent.tsx'], note: 'the start page' },
  'bundle/sign-in': { parts: [...first, texts, 'ui/AntdFrame.tsx', 'account/Login.tsx'], note: 'the sign-in page' },
}

/** Sizes of pages, in kB (1000 bytes) of brotli-compressed JavaScript. Builds the client when it is not built. */
export function* bundleFigures(wanted: (name: string) => boolean): Generator<Figure> {
  const names = Object.keys(pages).filter(wanted)
  if (names.length === 0 && !wanted('bundle/engine')) return
  const manifest = readManifest()
  // The first script of every page, which is no part of the others.
  const early = assetsLike(/^early-.*\.js$/)
  for (const name of names) {
    const { parts, most, note } = pages[name]!
    const value = sum([...early, ...filesOf(manifest, parts)]) / 1000
    yield { name, value, unit: 'kB', note, ...(most === undefined ? {} : { baseline: most, ratio: value / most }) }
  }
  if (wanted('bundle/engine')) {
    yield {
      name: 'bundle/engine',
      // Workers that read tables and lay out graphs bear the same name: the engine's is the largest.
      value: Math.max(...assetsLike(/^worker-(?!learning-).*\.js$/).map(file => sum([file]))) / 1000,
      unit: 'kB',
      baseline: 365,
      note: 'the compiler and engine, in a worker',
    }
    yield {
      name: 'bundle/engine-learning',
      value: sum(assetsLike(/^worker-learning-.*\.js$/)) / 1000,
      unit: 'kB',
      note: 'what a worker that learns loads besides the engine, when a training starts',
    }
  }
}

/** The script files that come with the parts, each once. */
export function filesOf(manifest: Manifest, parts: readonly string[]): string[] {
  const seen = new Set<string>()
  const visit = (key: string): void => {
    if (seen.has(key)) return
    const chunk = manifest[key]
    if (chunk === undefined) throw new Error(`the build has no part ${key}`)
    seen.add(key)
    for (const next of chunk.imports ?? []) visit(next)
  }
  for (const part of parts) visit(part)
  return [...new Set([...seen].map(key => manifest[key]!.file))].filter(file => file.endsWith('.js'))
}

function readManifest(): Manifest {
  const path = join(dist, '.vite/manifest.json')
  if (!existsSync(path))
    execFileSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build'], { cwd: root, stdio: 'ignore' })
  return manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
}

const assetsLike = (name: RegExp): string[] =>
  readdirSync(join(dist, 'assets'))
    .filter(file => name.test(file))
    .map(file => `assets/${file}`)

const sum = (files: readonly string[]): number =>
  files.reduce((total, file) => total + brotliCompressSync(readFileSync(join(dist, file))).length, 0)
