// Builds the program of exported pages along with the app: one script with the engine in it, one style sheet, at addresses without a hash,
// so that the app can fetch them for an export.
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type InlineConfig, type Plugin, type PluginOption } from 'vite'
import { withoutAntdStyles } from '../../ui/antd/plugin.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '../..')

/** `app` makes the plugins that the client's sources need. */
export function player(app: () => PluginOption[]): Plugin {
  let outDir = ''
  return {
    name: 'holarchy-player',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
    },
    async closeBundle() {
      await build({
        ...bare,
        plugins: [...app(), inlineWorkers(app), withoutService, withoutCurves, withoutAntdStyles],
        build: {
          outDir: join(outDir, 'player'),
          emptyOutDir: true,
          copyPublicDir: false,
          cssCodeSplit: false,
          reportCompressedSize: false,
          rolldownOptions: {
            input: join(here, 'main.tsx'),
            output: { format: 'iife', codeSplitting: false, entryFileNames: 'player.js', assetFileNames: 'player[extname]' },
          },
        },
      })
    },
  }
}

/** Cryptography on elliptic curves that is in WebAssembly would be a tenth of each exported page; JavaScript does the same without it. */
const withoutCurves: Plugin = {
  name: 'holarchy-without-curves',
  enforce: 'pre',
  resolveId: source => (source.startsWith('mcl-wasm/') ? '\0no-curves' : null),
  load: id => (id === '\0no-curves' ? "export default () => Promise.reject(new Error('left out'))" : null),
}

const bare: InlineConfig = {
  configFile: false,
  root,
  logLevel: 'error',
  resolve: { dedupe: ['yjs', 'lib0', 'y-protocols'] },
}

/** Workers begin from a blob that the script has with it. */
function inlineWorkers(app: () => PluginOption[]): Plugin {
  const asked = /\?worker&url$/
  return {
    name: 'holarchy-inline-workers',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!asked.test(source)) return null
      const found = await this.resolve(source.replace(asked, ''), importer)
      return found ? `\0worker:${found.id}` : null
    },
    async load(id) {
      if (!id.startsWith('\0worker:')) return null
      const built = await build({
        ...bare,
        plugins: [...app(), withoutCurves],
        build: {
          write: false,
          rolldownOptions: { input: id.slice('\0worker:'.length), output: { format: 'iife', codeSplitting: false } },
        },
      })
      const outputs = (Array.isArray(built) ? built : [built]).flatMap(one => ('output' in one ? one.output : []))
      const script = outputs.find(one => one.type === 'chunk')
      if (script?.type !== 'chunk') throw new Error(`no script came of ${id}`)
      return `export default URL.createObjectURL(new Blob([${JSON.stringify(script.code)}], { type: 'text/javascript' }))`
    },
  }
}

/** A page in a file has no service worker. */
const withoutService: Plugin = {
  name: 'holarchy-without-service-worker',
  enforce: 'pre',
  resolveId: source => (source === 'virtual:pwa-register' ? '\0no-service-worker' : null),
  load: id => (id === '\0no-service-worker' ? 'export const registerSW = () => async () => undefined' : null),
}
