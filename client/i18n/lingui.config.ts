// Catalogues are extracted by `npm run extract` and imported straight as modules; there is no compile step.
import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

export default defineConfig({
  sourceLocale: 'en-US',
  locales: ['en-US', 'zh-CN'],
  fallbackLocales: { default: 'en-US' },
  // Line numbers would change the catalogues with every edit of a source.
  format: formatter({ lineNumbers: false }),
  catalogs: [{ path: '<rootDir>/{locale}', include: ['<rootDir>/..'], exclude: ['**/node_modules/**', '**/*.d.ts'] }],
})
