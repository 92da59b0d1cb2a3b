// The panel next to the canvas: the palette, the outline, and blocks.
import { useLingui } from '@lingui/react/macro'
import { Tabs } from 'antd'
import { PartOfPage } from '../../ui/loading/Mishap.tsx'
import { importedPart, useAhead } from '../../ui/loading/updates.ts'
import { Palette } from './adding/Palette.tsx'

const BlocksPanel = importedPart(
  () => import('../../blocks/BlocksPanel.tsx'),
  module => module.BlocksPanel,
)
const Outline = importedPart(
  () => import('./Outline.tsx'),
  module => module.Outline,
)
const parts = [Outline, BlocksPanel]

export function SidePanel({ onTaken }: { onTaken?: () => void }) {
  const { t } = useLingui()
  useAhead(parts)
  return (
    <Tabs
      size="small"
      className="h-side-tabs"
      tabBarGutter={12}
      items={[
        { key: 'palette', label: t`Components`, children: <Palette {...(onTaken ? { onTaken } : {})} /> },
        {
          key: 'outline',
          label: t`Outline`,
          children: (
            <PartOfPage>
              <Outline />
            </PartOfPage>
          ),
        },
        {
          key: 'blocks',
          label: t`Blocks`,
          children: (
            <PartOfPage>
              <BlocksPanel />
            </PartOfPage>
          ),
        },
      ]}
    />
  )
}
