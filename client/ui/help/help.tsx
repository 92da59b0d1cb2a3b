// Help, the same from every page: tutorials, how to do things, the reference, keys, and what this is.
import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { MenuProps } from 'antd'
import type { ReactNode } from 'react'
import { useWords } from '../../i18n/locale.ts'
import { lessons } from '../../tutorials/lessons.ts'
import { importedPart } from '../loading/updates.ts'

type Items = NonNullable<MenuProps['items']>

const ShortcutSheet = importedPart(
  () => import('../../editor/chrome/commands/ShortcutSheet.tsx'),
  module => module.ShortcutSheet,
)
const About = importedPart(
  () => import('./About.tsx'),
  module => module.About,
)

/** The rows of a help menu, and the dialogs they open. `learn` starts a tutorial where one is; without it a new model is made for it. */
export function useHelp(learn?: (lesson: string) => void): { items: Items; dialogs: ReactNode } {
  const { t } = useLingui()
  const words = useWords()
  const navigate = useNavigate()
  const [shown, setShown] = useState<'keys' | 'about' | null>(null)
  const begin = learn ?? ((lesson: string): void => void navigate({ to: '/learn/$lesson', params: { lesson } }))
  const close = (): void => setShown(null)
  const read = (place: string) => (): void => void window.open(`/docs#${place}`, '_blank', 'noopener')
  const items: Items = [
    {
      key: 'help tutorials',
      label: t`Get started`,
      children: lessons.map(({ id, title }) => ({ key: `lesson ${id}`, label: t`Tutorial: ${words(title)}`, onClick: () => begin(id) })),
    },
    { key: 'help how-to', label: t`How do I …`, onClick: read('how-to') },
    { key: 'help formulas', label: t`Formulas and functions`, onClick: read('formulas') },
    { key: 'help elements', label: t`Elements`, onClick: read('elements') },
    { type: 'divider', key: 'line help' },
    { key: 'help keys', label: t`Keyboard shortcuts`, onClick: () => setShown('keys') },
    { key: 'help about', label: t`About Holarchy`, onClick: () => setShown('about') },
  ]
  const dialogs = (
    <Suspense>
      {shown === 'keys' && <ShortcutSheet open onClose={close} />}
      {shown === 'about' && <About close={close} />}
    </Suspense>
  )
  return { items, dialogs }
}
