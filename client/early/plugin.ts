// Builds the first script of every page (main.ts) with the names of the files it requests, and puts it before all others. A file of its
// own, because no page may run inline scripts.
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { locales } from '../../model-schema/languages/catalogues.ts'
import { filesOf, type Chunk, type Early } from './files.ts'

const entry = fileURLToPath(new URL('main.ts', import.meta.url))

/** Modules, by how their addresses end. */
const page = ['/client/index.html']
const model = ['/client/routes/Modeling.tsx', '/client/editor/ModelEditor.tsx']
const partsOf = (...parts: readonly string[]) =>
  Object.fromEntries(locales.map(locale => [locale, parts.map(part => `/model-schema/languages/${locale}.po?${part}`)]))
const languages = partsOf('first', 'libraries')
/** The texts of other pages. */
const texts = partsOf('more')

export function early(): Plugin {
  let fileName = ''
  return {
    name: 'holarchy-early',
    apply: 'build',
    // Before the page itself is written.
    enforce: 'pre',
    async generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).flatMap((one): Chunk[] =>
        one.type === 'chunk' ? [{ ...one, styles: [...(one.viteMetadata?.importedCss ?? [])] }] : [],
      )
      const eachOf = (table: Readonly<Record<string, readonly string[]>>) =>
        Object.fromEntries(Object.entries(table).map(([name, modules]) => [name, filesOf(chunks, modules, page)]))
      const files: Early = { model: filesOf(chunks, model, page), languages: eachOf(languages), texts: eachOf(texts) }
      const source = await script(files)
      fileName = `assets/early-${createHash('sha256').update(source).digest('base64url').slice(0, 8)}.js`
      this.emitFile({ type: 'asset', fileName, source })
    },
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: `/${fileName}`, async: true }, injectTo: 'head-prepend' }],
  }
}

async function script(files: Early): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { earlyFiles: JSON.stringify(files) },
    build: { write: false, rolldownOptions: { input: entry, output: { format: 'iife', codeSplitting: false } } },
  })
  const chunk = (Array.isArray(built) ? built : [built])
    .flatMap(one => ('output' in one ? one.output : []))
    .find(one => one.type === 'chunk')
  if (chunk?.type !== 'chunk') throw new Error('no first script was built')
  return chunk.code
}
