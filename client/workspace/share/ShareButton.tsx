import { ShareAltOutlined } from '@ant-design/icons'
import { Trans } from '@lingui/react/macro'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import type { Someone } from '../../local/device.ts'
import { importedPart } from '../../ui/loading/updates.ts'

const ShareDialog = importedPart(
  () => import('./ShareDialog.tsx'),
  module => module.ShareDialog,
)

type Props = { file: { id: string; name: string; owner: Someone; team: string; kind: string } }

/** Opens the dialog that shares a file. */
export function ShareButton({ file }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={<ShareAltOutlined aria-hidden />} onClick={() => setOpen(true)} data-testid="share">
        <Trans>Share</Trans>
      </Button>
      {open ? (
        <Suspense>
          <ShareDialog file={file} close={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
