// Catalogues are extracted by `npm run extract` and imported straight as modules; there is no compile step.
import { defineConfig } from '@lingui/cli'

export default defineConfig({
  sourceLocale: 'en-US',
  locales: ['en-US', 'zh-CN'],
  fallbackLocales: { default: 'en-US' },
  catalogs: [{ path: '<rootDir>/{locale}', include: ['<rootDir>/..'], exclude: ['**/node_modules/**', '**/*.d.ts'] }],
})
