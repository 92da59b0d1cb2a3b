// Catalogues are extracted by `npm run extract` and imported straight as modules; there is no compile step.
import { readFileSync } from 'node:fs'
import { defineConfig } from '@lingui/cli'
import babel from '@lingui/cli/api/extractors/babel'
import { formatter } from '@lingui/format-po'

export default defineConfig({
  sourceLocale: 'en-US',
  locales: ['en-US', 'zh-CN'],
  fallbackLocales: { default: 'en-US' },
  // Line numbers would change the catalogues with every edit of a source.
  format: formatter({ lineNumbers: false }),
  // Parsing is what takes time: sources that use no macro hold no message.
  extractors: [{ match: name => babel.match(name) && readFileSync(name, 'utf8').includes('@lingui/'), extract: babel.extract }],
  catalogs: [{ path: '<rootDir>/{locale}', include: ['<rootDir>/..'], exclude: ['**/node_modules/**', '**/*.d.ts'] }],
})
