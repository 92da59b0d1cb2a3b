// Language and theme, as small menus for headers.
import { BgColorsOutlined, GlobalOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Button, Dropdown, Tooltip } from 'antd'
import { useStore } from 'zustand'
import { isLocale, locales, setLocale, useLocale } from '../i18n/locale.ts'
import { setMode, theme } from './theme.ts'
import type { Mode } from './theme.ts'
import { complain } from './toast.ts'

export function LanguageMenu() {
  const { t } = useLingui()
  const now = useLocale()
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        selectable: true,
        selectedKeys: [now],
        items: names(locales).map(key => ({ key, label: <span lang={key}>{locales[key]}</span> })),
        onClick: ({ key }) => {
          if (isLocale(key)) setLocale(key).catch(complain)
        },
      }}
    >
      <Tooltip title={t`Language`}>
        <Button type="text" icon={<GlobalOutlined aria-hidden />} aria-label={t`Language`} data-testid="language" />
      </Tooltip>
    </Dropdown>
  )
}

export function ThemeMenu() {
  const { t } = useLingui()
  const mode = useStore(theme, state => state.mode)
  const labels: Record<Mode, string> = { system: t`As the system`, light: t`Light`, dark: t`Dark` }
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        selectable: true,
        selectedKeys: [mode],
        items: names(labels).map(key => ({ key, label: labels[key] })),
        onClick: ({ key }) => {
          if (key === 'system' || key === 'light' || key === 'dark') setMode(key)
        },
      }}
    >
      <Tooltip title={t`Theme`}>
        <Button type="text" icon={<BgColorsOutlined aria-hidden />} aria-label={t`Theme`} data-testid="theme" />
      </Tooltip>
    </Dropdown>
  )
}

function names<K extends string>(table: Readonly<Record<K, string>>): K[] {
  const keys: K[] = []
  for (const key in table) keys.push(key)
  return keys
}
