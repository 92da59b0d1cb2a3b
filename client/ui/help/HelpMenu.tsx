import { QuestionCircleOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Button, Dropdown, Tooltip } from 'antd'
import { useState } from 'react'
import { useHelp } from './help.tsx'

/** Help as a button of its own, in the header of pages that are no document. */
export function HelpMenu() {
  const { t } = useLingui()
  const { items, dialogs } = useHelp()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Dropdown trigger={['click']} placement="bottomRight" menu={{ items }} open={open} onOpenChange={setOpen}>
        {/* Where the menu opens it would lie over it. */}
        <Tooltip title={open ? null : t`Help`}>
          <Button type="text" icon={<QuestionCircleOutlined aria-hidden />} aria-label={t`Help`} />
        </Tooltip>
      </Dropdown>
      {dialogs}
    </>
  )
}
