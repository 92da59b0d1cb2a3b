import { useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { complain } from '../ui/toast.ts'

const mostBytes = 5_000_000

type Props = { label: string; icon: ReactNode; disabled?: boolean; chosen: (image: Blob) => void }

/** A button that asks for a picture the server takes: JPEG or PNG, at most 5 MB. */
export function PictureField({ label, icon, disabled = false, chosen }: Props) {
  const { t } = useLingui()
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon={icon} disabled={disabled} onClick={() => field.current?.click()}>
        {label}
      </Button>
      <input
        ref={field}
        type="file"
        hidden
        accept="image/jpeg,image/png"
        onChange={({ target }) => {
          const image = target.files?.[0]
          target.value = ''
          if (image === undefined) return
          if (image.size > mostBytes || !['image/jpeg', 'image/png'].includes(image.type))
            complain(t`Choose a JPEG or PNG image of at most 5 MB.`)
          else chosen(image)
        }}
      />
    </>
  )
}
