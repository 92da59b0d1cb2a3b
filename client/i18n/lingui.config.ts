// Catalogues are extracted by `npm run extract` and imported straight as modules; there is no compile step. A file in `languages` is a language.
import { fileURLToPath } from 'node:url'
import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'
import { locales } from '../../model-schema/languages/catalogues.ts'
import { extractor } from './extract.ts'

export default defineConfig({
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  sourceLocale: 'en-US',
  locales: [...locales],
  fallbackLocales: { default: 'en-US' },
  // Line numbers would change the catalogues with every edit of a source.
  format: formatter({ lineNumbers: false }),
  extractors: [extractor],
  catalogs: [
    {
      path: '<rootDir>/model-schema/languages/{locale}',
      include: ['client', 'model-schema', 'sim-engine', 'sync-server'].map(part => `<rootDir>/${part}`),
      exclude: ['**/node_modules/**', '**/*.d.ts'],
    },
  ],
})
