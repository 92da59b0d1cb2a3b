// The theme: one table of tokens for light and dark, given to antd as its theme (AntdFrame.tsx), to style sheets as CSS variables
// (`--h-surface` …) and to canvases as plain colours. One accent; other colours belong to the user's model.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { recall, remember } from './remember.ts'

export type Palette = {
  /** Page behind everything, areas of content, things that float, fields and wells. */
  page: string
  surface: string
  raised: string
  sunken: string
  /** The editing canvas and its grid. */
  canvas: string
  grid: string
  /** Flows between steps. */
  connector: string
  line: string
  lineStrong: string
  text: string
  muted: string
  faint: string
  /** The accent: fills, quiet fills, text. What a person selects, drags or presses. */
  accent: string
  accentSoft: string
  accentText: string
  onAccent: string
  /** What runs: fill of Play, lines, quiet fills, text. */
  run: string
  live: string
  ok: string
  okSoft: string
  /** What is left to do: ring, text, quiet fill. */
  todo: string
  warn: string
  warnSoft: string
  bad: string
  badSoft: string
  /** Families of elements: icon and outline, tint, text on the tint. */
  entity: string
  entitySoft: string
  entityText: string
  data: string
  dataSoft: string
  dataText: string
  process: string
  processSoft: string
  processText: string
  view: string
  viewSoft: string
  viewText: string
  shadow: string
  shadowLarge: string
}

export const palettes: Readonly<Record<'light' | 'dark', Palette>> = {
  light: {
    page: '#f3f4f7',
    surface: '#ffffff',
    raised: '#ffffff',
    sunken: '#f1f3f6',
    canvas: '#f6f7f9',
    grid: '#d5dae3',
    connector: '#7b8596',
    line: '#e6e9ef',
    lineStrong: '#c9cfda',
    text: '#151a24',
    muted: '#4e5767',
    faint: '#676f80',
    accent: '#3257d6',
    accentSoft: '#eaf0fe',
    accentText: '#2748b5',
    onAccent: '#ffffff',
    run: '#0e7a54',
    live: '#0e7a54',
    ok: '#0b6747',
    okSoft: '#e1f4eb',
    todo: '#c27a0a',
    warn: '#845000',
    warnSoft: '#fdf3df',
    bad: '#b0212b',
    badSoft: '#fdecec',
    entity: '#6f50dc',
    entitySoft: '#f2eefe',
    entityText: '#5638bf',
    data: '#078487',
    dataSoft: '#e4f5f4',
    dataText: '#0a6464',
    process: '#8e2159',
    processSoft: '#fbedf4',
    processText: '#7f1f52',
    view: '#4d5c74',
    viewSoft: '#eef1f6',
    viewText: '#434f66',
    shadow: '0 1px 2px rgb(20 28 48 / 5%), 0 4px 12px rgb(20 28 48 / 4%)',
    shadowLarge: '0 12px 32px rgb(20 28 48 / 16%), 0 2px 6px rgb(20 28 48 / 8%)',
  },
  dark: {
    page: '#0c0e12',
    surface: '#171a21',
    raised: '#1f232c',
    sunken: '#232831',
    canvas: '#0f1217',
    grid: '#282e39',
    connector: '#7d8799',
    line: '#272c36',
    lineStrong: '#404858',
    text: '#e8ebf1',
    muted: '#aab2c0',
    faint: '#8a94a4',
    accent: '#4a6ce6',
    accentSoft: '#1d294a',
    accentText: '#a3b8ff',
    onAccent: '#ffffff',
    run: '#1b8560',
    live: '#3dbd8c',
    ok: '#62d3a2',
    okSoft: '#10291f',
    todo: '#e0a33c',
    warn: '#f0bd68',
    warnSoft: '#2e2412',
    bad: '#f59a9d',
    badSoft: '#371b1f',
    entity: '#a694fa',
    entitySoft: '#231f3a',
    entityText: '#c6b9ff',
    data: '#6cc7c0',
    dataSoft: '#122a2b',
    dataText: '#83dcd8',
    process: '#d97ba4',
    processSoft: '#301c30',
    processText: '#f2b1d0',
    view: '#c3d1e5',
    viewSoft: '#20252f',
    viewText: '#c0c9d9',
    shadow: 'none',
    shadowLarge: '0 0 0 1px #404858, 0 12px 32px rgb(0 0 0 / 50%)',
  },
}

/** A Chinese font of the system comes before ours, which is large (fonts.ts). */
export const fontFamily =
  '"Inter Variable", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC Variable", system-ui, sans-serif'
export const monoFamily =
  '"JetBrains Mono Variable", ui-monospace, Menlo, Consolas, "Noto Sans Mono CJK SC", "Noto Sans SC Variable", monospace'

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
