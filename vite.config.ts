import { availableParallelism } from 'node:os'
import babel from '@rolldown/plugin-babel'
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import react from '@vitejs/plugin-react'
import { VitePWA } from 'vite-plugin-pwa'
import { defineConfig } from 'vitest/config'
import { early } from './client/early/plugin.ts'
import { player } from './client/dashboards/player/plugin.ts'
import { splitTexts } from './client/i18n/split.ts'
import { antdStyles } from './client/ui/antd/plugin.ts'
import { languageNames } from './model-schema/languages/catalogues.ts'
import { engineHash } from './sim-engine/experiment/engine.ts'

// Read by all three parts of lingui: the plugin, the preset and the macro.
process.env['LINGUI_CONFIG'] = 'client/i18n/lingui.config.ts'
// Read by client/i18n/first.ts.
process.env['VITE_LANGUAGES'] = JSON.stringify(languageNames())
// Read by client/experiments/conduct/engine.ts.
process.env['VITE_ENGINE'] = engineHash()

const app = () => [react(), lingui(), babel({ presets: [linguiTransformerBabelPreset()] }), splitTexts()]

/** Looks at what is loaded when, so it needs modules of its own. */
const alone = 'tests/engine/chain/worker.test.ts'

export default defineConfig({
  root: 'client',
  plugins: [
    ...app(),
    early(),
    antdStyles(),
    player(app),
    VitePWA({
      registerType: 'prompt',
      injectRegister: null,
      workbox: {
        globPatterns: ['**/*.{js,css,html,svg,jpg,woff2,holo}'],
        // Fetched when a page is exported; asked for by frames that have no service worker; slices of fonts that few pages need.
        globIgnores: ['player/**', 'engine-frame.*', 'assets/{noto,*-ext,*cyrillic,*greek,*vietnamese}*.woff2'],
        runtimeCaching: [{ urlPattern: /\/assets\/[^/]+\.woff2$/, handler: 'CacheFirst', options: { cacheName: 'fonts' } }],
        maximumFileSizeToCacheInBytes: 6e6,
        navigateFallbackDenylist: [/^\/api/, /^\/yjs/, /^\/version\.json/],
      },
      manifest: {
        name: 'Holarchy',
        short_name: 'Holarchy',
        start_url: '/',
        display: 'standalone',
        theme_color: '#3257d6',
        icons: [{ src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' }],
      },
    }),
  ],
  resolve: { dedupe: ['yjs', 'lib0', 'y-protocols', '@codemirror/state', '@codemirror/view'] },
  worker: { format: 'es' },
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    sourcemap: false,
    chunkSizeWarningLimit: 1500,
    // Read by `npm run bench`: what each page loads.
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What comes together is compressed together: many small files are a tenth larger.
          groups: [
            {
              name: 'base',
              test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@lingui|@tanstack|zustand(?!\/esm\/(vanilla|react)\/shallow)|nanoid)\/|node_modules\/dayjs\/(dayjs\.min|plugin\/relativeTime)\.js|node_modules\/(@messageformat|moo|js-sha256)\/|\/model-schema\/(limits|words|roles|business\/(plans|market)|kinds\/kind)\.ts$|\/client\/(api|error-answer|validate|zod|run\/keptKey|store\/area|i18n\/(locale|texts)|account\/identity|routes\/editors|ui\/(framed|theme|toast|notices|remember|PlainButton|EmptyState|loading\/(updates|idle|DocumentLoading|PageLoading|Mishap)))\.tsx?$|\/client\/routes\/routes\.module\.css/,
              priority: 4,
            },
            { name: 'dexie', test: /node_modules\/dexie(-react-hooks)?\//, priority: 4 },
            {
              name: 'documents',
              // Tables, samples, experiments and dashboards are nothing a model's page needs.
              test: /node_modules\/(yjs|lib0(?!\/(hash\/|diff\.))|y-websocket|y-protocols|y-indexeddb|fractional-indexing)\/|\/model-schema\/(?!(csv|csv-cell|samples|experiment|dashboard|overlay|plot|proposals|document\/fork)\.ts)[^?]*\.ts$/,
              priority: 3,
            },
            // What a model's page shows first: each file more takes the service worker a few milliseconds.
            {
              name: 'device',
              test: /\/client\/(session|local\/(device|files|outbox|shelf|place|nudge|locks)|routes\/(Modeling|Document|useSession))/,
              priority: 2.6,
            },
            {
              // Without what is fetched when it is asked for: pictures, finding, what other files say of a model.
              name: 'canvas',
              test: /\/client\/(canvas\/(?!(picture|snapshot|overview|Minimap)\.tsx?)|editor\/((tools|geometry)\/)?(?!(commands|export|find|keyboard|linked|pictures|print|quietHost|scenarios)\.ts)[A-Za-z]+\.tsx?$|editor\/chrome\/(LiveCanvas|ZoomBar|Glyph|Sash)|run\/(RunProvider|run|series|heat|breakpoints|handed|fork|engine|difference)\.tsx?$)/,
              priority: 2.5,
            },
            { name: 'antd', test: /node_modules\/antd\/es\/(config-provider|button|tooltip)\//, priority: 2 },
            { name: 'controls', test: /node_modules\/antd\/es\/(dropdown|menu|input|space)\//, priority: 1 },
          ],
        },
      },
      // Ant Design's parts do nothing when imported, but their packages do not say so.
      treeshake: { moduleSideEffects: [{ test: /node_modules\/@(rc-component|ant-design)\//, sideEffects: false }] },
    },
  },
  server: {
    port: 5173,
    proxy: {
      '^/api/': 'http://127.0.0.1:4300',
      '^/yjs/': { target: 'ws://127.0.0.1:4300', ws: true },
      '/version.json': 'http://127.0.0.1:4300',
    },
  },
  test: {
    root: '.',
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/{client,copilot}/**/*.test.{ts,tsx}', 'tests/{house,contributing}.test.ts', alone],
          environment: 'node',
          // The test runner itself is idle meanwhile: on two cores the default would be one.
          maxWorkers: availableParallelism(),
          // Against hanging only: a busy machine takes many times what a quiet one does.
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect: { poll: { timeout: 200_000 } },
        },
      },
      {
        test: {
          name: 'engine',
          include: ['tests/{schema,engine}/**/*.test.ts'],
          exclude: [alone],
          environment: 'node',
          // Modules of these parts keep nothing but caches; to load and compile them for each file took a third of the time.
          isolate: false,
          maxWorkers: availableParallelism(),
          // Against hanging only: a busy machine takes many times what a quiet one does.
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect: { poll: { timeout: 200_000 } },
        },
      },
      {
        test: {
          name: 'server',
          include: ['tests/server/**/*.test.ts'],
          environment: 'node',
          pool: 'forks',
          // Processes that the tests start load 2,000 modules; without their types taken out before, that is 2 s of each start.
          env: { NODE_COMPILE_CACHE: 'node_modules/.cache/holarchy-server' },
          maxWorkers: availableParallelism(),
          testTimeout: 360_000,
          hookTimeout: 360_000,
          expect: { poll: { timeout: 200_000 } },
        },
      },
    ],
  },
})
