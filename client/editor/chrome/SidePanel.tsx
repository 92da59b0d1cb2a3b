// Beside the canvas: what can be placed, and what is there.
import { useLingui } from '@lingui/react/macro'
import { Tabs } from 'antd'
import { Suspense } from 'react'
import { lazyPart } from '../../ui/updates.ts'
import { Palette } from './Palette.tsx'

const Outline = lazyPart(async () => (await import('./Outline.tsx')).Outline)

export function SidePanel({ onTaken }: { onTaken?: () => void }) {
  const { t } = useLingui()
  return (
    <Tabs
      size="small"
      className="h-side-tabs"
      items={[
        { key: 'palette', label: t`Components`, children: <Palette {...(onTaken ? { onTaken } : {})} /> },
        {
          key: 'outline',
          label: t`Outline`,
          children: (
            <Suspense>
              <Outline />
            </Suspense>
          ),
        },
      ]}
    />
  )
}
