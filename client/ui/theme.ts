// The look: one table of tokens for light and dark, given to antd as its theme (AntdFrame.tsx), to style sheets as CSS variables
// (`--h-surface` …) and to canvases as plain colours. One accent; other colours belong to the person's model.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { recall, remember } from './remember.ts'

export type Palette = {
  /** Page behind everything, areas of content, things that float, wells. */
  page: string
  surface: string
  raised: string
  sunken: string
  /** The editing canvas and its grid. */
  canvas: string
  grid: string
  line: string
  lineStrong: string
  text: string
  muted: string
  faint: string
  /** The accent: fills, quiet fills, text. */
  accent: string
  accentSoft: string
  accentText: string
  onAccent: string
  ok: string
  okSoft: string
  warn: string
  warnSoft: string
  bad: string
  badSoft: string
  shadow: string
  shadowLarge: string
}

export const palettes: Readonly<Record<'light' | 'dark', Palette>> = {
  light: {
    page: '#f6f7f9',
    surface: '#ffffff',
    raised: '#ffffff',
    sunken: '#eef0f4',
    canvas: '#fafbfc',
    grid: '#e4e7ed',
    line: '#e2e5eb',
    lineStrong: '#c6ccd7',
    text: '#191e29',
    muted: '#545d6d',
    faint: '#687284',
    accent: '#3257d6',
    accentSoft: '#e9eefd',
    accentText: '#2a4abd',
    onAccent: '#ffffff',
    ok: '#1a7f47',
    okSoft: '#e3f5ea',
    warn: '#9a5b00',
    warnSoft: '#fdf1dc',
    bad: '#c23232',
    badSoft: '#fdeaea',
    shadow: '0 1px 2px rgb(20 28 48 / 6%), 0 1px 3px rgb(20 28 48 / 8%)',
    shadowLarge: '0 8px 28px rgb(20 28 48 / 14%), 0 2px 6px rgb(20 28 48 / 8%)',
  },
  dark: {
    page: '#0f1115',
    surface: '#16191f',
    raised: '#1c2027',
    sunken: '#0b0d10',
    canvas: '#121419',
    grid: '#22262e',
    line: '#282d36',
    lineStrong: '#3e4552',
    text: '#e6e9ef',
    muted: '#a4adbb',
    faint: '#8b95a5',
    accent: '#4a6ce6',
    accentSoft: '#1d2742',
    accentText: '#9db3ff',
    onAccent: '#ffffff',
    ok: '#5cc98a',
    okSoft: '#12291c',
    warn: '#e5b055',
    warnSoft: '#2d2312',
    bad: '#f07f7f',
    badSoft: '#331a1b',
    shadow: '0 1px 2px rgb(0 0 0 / 40%)',
    shadowLarge: '0 10px 32px rgb(0 0 0 / 55%), 0 2px 6px rgb(0 0 0 / 40%)',
  },
}

export const fontFamily =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", sans-serif'
export const monoFamily = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "Noto Sans Mono CJK SC", monospace'

export type Mode = 'system' | 'light' | 'dark'

/** What was chosen, and whether that means dark now. */
export const theme = createStore<{ mode: Mode; dark: boolean }>(() => {
  const stored = recall('theme')
  const mode: Mode = stored === 'light' || stored === 'dark' ? stored : 'system'
  return { mode, dark: isDark(mode) }
})

export function setMode(mode: Mode): void {
  remember('theme', mode === 'system' ? null : mode)
  theme.setState({ mode, dark: isDark(mode) })
}

/** The palette in force, as a hook. */
export function usePalette(): Palette {
  return useStore(theme, state => palettes[state.dark ? 'dark' : 'light'])
}

/** Keeps the page's CSS variables and the system's wish in step with the choice. Call once. */
export function startTheme(): void {
  const wish = matchMedia('(prefers-color-scheme: dark)')
  wish.addEventListener('change', () => theme.setState(({ mode }) => ({ mode, dark: isDark(mode) })))
  const apply = ({ dark }: { dark: boolean }): void => {
    const root = document.documentElement
    root.dataset['theme'] = dark ? 'dark' : 'light'
    root.style.colorScheme = dark ? 'dark' : 'light'
    for (const [name, value] of Object.entries(palettes[dark ? 'dark' : 'light'])) root.style.setProperty(cssName(name), value)
    root.style.setProperty('--h-font', fontFamily)
    root.style.setProperty('--h-mono', monoFamily)
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', palettes[dark ? 'dark' : 'light'].surface)
  }
  apply(theme.getState())
  theme.subscribe(apply)
}

function isDark(mode: Mode): boolean {
  if (mode !== 'system') return mode === 'dark'
  return typeof matchMedia !== 'undefined' && matchMedia('(prefers-color-scheme: dark)').matches
}

function cssName(token: string): string {
  return `--h-${token.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
}
