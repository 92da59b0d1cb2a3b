// The context that Ant Design needs: our theme and the language. Pages that use it are `framed`, so that a page without it (a shared model
// while it loads) does not wait for it.
import { ConfigProvider, theme as antdTheme } from 'antd'
import type { ThemeConfig } from 'antd'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { directionOf, locale } from '../i18n/locale.ts'
import { stylesInFile } from './antd/styles.ts'
import { fontFamily, monoFamily, palettes, theme, type Palette } from './theme.ts'
import { useMedia } from './useMedia.ts'

export function AntdFrame({ children }: { children: ReactNode }) {
  const { locale: name, antd } = useStore(locale)
  const dark = useStore(theme, state => state.dark)
  const still = useMedia(stillQuery)
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

/** The system setting for reduced motion: popups then appear in their place at once, without an animation. */
const stillQuery = '(prefers-reduced-motion: reduce)'

function antdThemeOf(dark: boolean, still: boolean): ThemeConfig {
  const palette = palettes[dark ? 'dark' : 'light']
  const base = dark ? antdTheme.darkAlgorithm : antdTheme.defaultAlgorithm
  return {
    zeroRuntime: stylesInFile,
    // Antd's dark algorithm darkens the seeds.
    algorithm: (seed, map) => ({
      ...base(seed, map),
      colorPrimary: seed.colorPrimary,
      colorSuccess: seed.colorSuccess,
      colorWarning: seed.colorWarning,
      colorError: seed.colorError,
    }),
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
      colorErrorBg: palette.badSoft,
      colorBgBase: palette.surface,
      colorBgLayout: palette.page,
      colorBgContainer: palette.surface,
      colorBgElevated: palette.raised,
      colorFillTertiary: palette.sunken,
      colorFillSecondary: palette.line,
      colorTextBase: palette.text,
      colorText: palette.text,
      colorTextSecondary: palette.muted,
      colorTextTertiary: palette.faint,
      colorTextPlaceholder: palette.faint,
      colorTextDescription: palette.faint,
      colorBorder: palette.lineStrong,
      colorBorderSecondary: palette.line,
      borderRadius: 7,
      borderRadiusSM: 6,
      borderRadiusXS: 4,
      borderRadiusLG: 12,
      controlHeight: 30,
      controlHeightSM: 24,
      controlHeightLG: 36,
      fontFamily,
      fontFamilyCode: monoFamily,
      // All three: antd derives 10 and 14 from 13.
      fontSize: 13,
      fontSizeSM: 12,
      fontSizeLG: 15,
      lineHeight: 20 / 13,
      lineHeightSM: 16 / 12,
      motionDurationFast: '0.1s',
      motionDurationMid: '0.14s',
      motionDurationSlow: '0.18s',
      boxShadow: palette.shadow,
      boxShadowSecondary: palette.shadowLarge,
      sizeUnit: 4,
      sizeStep: 4,
      wireframe: false,
    },
    components: antdComponents(palette, dark),
  }
}

const antdComponents = (palette: Palette, dark: boolean): NonNullable<ThemeConfig['components']> => ({
  Button: {
    primaryShadow: 'none',
    defaultShadow: 'none',
    dangerShadow: 'none',
    fontWeight: 500,
    paddingInline: 11,
    // The lighter accent of antd's own hover can't be read.
    defaultHoverColor: palette.accentText,
    defaultHoverBorderColor: palette.accent,
  },
  Input: { paddingInlineSM: 7, activeShadow: 'none' },
  InputNumber: { activeShadow: 'none' },
  Menu: { itemBorderRadius: 8, itemHeight: 32 },
  Modal: { titleFontSize: 15 },
  Select: { optionHeight: 28, optionSelectedBg: palette.accentSoft },
  Segmented: {
    trackBg: palette.sunken,
    trackPadding: 2,
    itemColor: palette.muted,
    itemSelectedBg: dark ? palette.lineStrong : palette.raised,
  },
  // The pale track and handle of antd's own are hardly visible on a dark card.
  Slider: {
    railSize: 4,
    handleSize: 12,
    railBg: palette.line,
    trackBg: palette.accent,
    trackHoverBg: palette.accent,
    handleColor: palette.accent,
  },
  Switch: { trackHeightSM: 16, trackMinWidthSM: 26, handleSizeSM: 12 },
  Table: {
    headerBg: 'transparent',
    headerColor: palette.faint,
    headerSplitColor: 'transparent',
    cellPaddingBlock: 9,
    rowHoverBg: palette.sunken,
  },
  Tabs: {
    horizontalItemPadding: '9px 0',
    horizontalItemGutter: 16,
    titleFontSize: 13,
    inkBarColor: palette.text,
    itemColor: palette.muted,
    itemHoverColor: palette.text,
    itemSelectedColor: palette.text,
  },
  Tree: { titleHeight: 28 },
})
