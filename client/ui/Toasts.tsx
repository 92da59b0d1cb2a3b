// Shows the messages of `toast.ts`; mounted outside of the pages, so that they outlive the page that sent them, and after them.
import { App as AntdApp } from 'antd'
import { useEffect } from 'react'
import { TOAST } from '../../model-schema/business/limits.ts'
import { AntdFrame } from './AntdFrame.tsx'
import { OfferButton } from './OfferButton.tsx'
import { setShower } from './toast.ts'

export function Toasts() {
  return (
    <AntdFrame>
      <AntdApp
        component={false}
        message={{ duration: TOAST.messageMs / 1000, maxCount: 3 }}
        notification={{ duration: TOAST.notificationMs / 1000 }}
      >
        <Shower />
      </AntdApp>
    </AntdFrame>
  )
}

function Shower() {
  const { message, notification, modal } = AntdApp.useApp()
  useEffect(
    () => setShower({ message, notification, modal, offerButton: offer => <OfferButton {...offer} /> }),
    [message, notification, modal],
  )
  return null
}
