// The fonts, from this server: Inter and JetBrains Mono, split by script, so that a page fetches what its letters need. Noto Sans SC comes
// in a hundred slices; their list alone is as large as a page: it follows when the page is idle, for systems without a Chinese font.
import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import { locale } from '../i18n/locale.ts'
import { whenIdle } from './loading/idle.ts'

/** Fetches the Chinese font's list of slices: at once where the interface is Chinese, else once the page is at rest. Call once. */
export function startFonts(): void {
  const fetchChinese = (): void => void import('@fontsource-variable/noto-sans-sc/wght.css').catch(() => undefined)
  if (locale.getState().locale.startsWith('zh')) fetchChinese()
  else whenIdle(fetchChinese)
}
