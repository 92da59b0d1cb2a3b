// What Ant Design needs around it: our look and the language. Pages that use it are `framed`, so that a page
// without it (a shared model while it loads) does not wait for it.
import { ConfigProvider, theme as antdTheme } from 'antd'
import type { ThemeConfig } from 'antd'
import { useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { directionOf, locale } from '../i18n/locale.ts'
import { fontFamily, monoFamily, palettes, theme } from './theme.ts'

export function AntdFrame({ children }: { children: ReactNode }) {
  const { locale: name, antd } = useStore(locale)
  const dark = useStore(theme, state => state.dark)
  const still = useStill()
  return (
    <ConfigProvider
      {...(antd === null ? {} : { locale: antd })}
      direction={directionOf(name)}
      theme={antdThemeOf(dark, still)}
      button={{ autoInsertSpace: false }}
    >
      {children}
    </ConfigProvider>
  )
}

/** Whether the system asks for no motion: then popups appear where they belong at once, instead of at the end of one. */
function useStill(): boolean {
  return useSyncExternalStore(
    changed => {
      const query = matchMedia(stillQuery)
      query.addEventListener('change', changed)
      return () => query.removeEventListener('change', changed)
    },
    () => matchMedia(stillQuery).matches,
  )
}

const stillQuery = '(prefers-reduced-motion: reduce)'

function antdThemeOf(dark: boolean, still: boolean): ThemeConfig {
  const palette = palettes[dark ? 'dark' : 'light']
  return {
    algorithm: dark ? antdTheme.darkAlgorithm : antdTheme.defaultAlgorithm,
    token: {
      motion: !still,
      colorPrimary: palette.accent,
      colorInfo: palette.accent,
      colorLink: palette.accentText,
      colorSuccess: palette.ok,
      colorWarning: palette.warn,
      // Antd's own is a grey brown.
      colorWarningBg: palette.warnSoft,
      colorError: palette.bad,
      colorBgBase: palette.surface,
      colorBgLayout: palette.page,
      colorBgContainer: palette.surface,
      colorBgElevated: palette.raised,
      colorTextBase: palette.text,
      colorTextSecondary: palette.muted,
      colorTextTertiary: palette.faint,
      colorTextPlaceholder: palette.faint,
      colorBorder: palette.lineStrong,
      colorBorderSecondary: palette.line,
      borderRadius: 6,
      borderRadiusLG: 10,
      controlHeight: 32,
      fontFamily,
      fontFamilyCode: monoFamily,
      fontSize: 14,
      motionDurationFast: '0.12s',
      motionDurationMid: '0.15s',
      motionDurationSlow: '0.18s',
      sizeUnit: 4,
      sizeStep: 4,
      wireframe: false,
    },
    components: {
      Button: {
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
        // The lighter accent of antd's own hover can't be read.
        defaultHoverColor: palette.accentText,
        defaultHoverBorderColor: palette.accent,
      },
      Menu: { itemBorderRadius: 6, itemHeight: 36 },
      // The pale track and handle of antd's own can hardly be told from a dark card.
      Slider: { trackBg: palette.accent, trackHoverBg: palette.accent, handleColor: palette.accent },
      Table: { headerBg: 'transparent', headerSplitColor: 'transparent', cellPaddingBlock: 10 },
    },
  }
}
