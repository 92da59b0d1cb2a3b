// The control of a picture: chosen or dropped, scaled down until it fits a document that everybody carries around.
import { isWords } from '../../../model-schema/words.ts'
import { DeleteOutlined, PictureOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { useState } from 'react'
import { IMAGE } from '../../../model-schema/business/limits.ts'
import { readPicture } from '../../editor/pictures.ts'
import { useWords } from '../../i18n/locale.ts'
import { complain } from '../../ui/toast.ts'
import type { ControlProps } from './control.ts'

export function ImageControl({ id, value, disabled, set }: ControlProps) {
  const { t } = useLingui()
  const words = useWords()
  const [busy, setBusy] = useState(false)
  const shown = typeof value === 'string' && value.startsWith('data:image/') ? value : null
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return
    setBusy(true)
    const picture = await readPicture(file)
    setBusy(false)
    if (isWords(picture)) complain(words(picture))
    else set(picture.url)
  }
  return (
    <div
      className="h-image"
      onDragOver={event => event.preventDefault()}
      onDrop={event => (event.preventDefault(), void take(event.dataTransfer.files[0]))}
    >
      {shown && <img src={shown} alt="" />}
      {!disabled && (
        <div>
          <input
            id={id}
            type="file"
            accept={IMAGE.types.join(',')}
            className="h-visually-hidden"
            onChange={event => void take(event.target.files?.[0])}
          />
          <Button size="small" loading={busy} icon={<PictureOutlined aria-hidden />} onClick={() => document.getElementById(id)?.click()}>
            {shown ? <Trans>Replace</Trans> : <Trans>Choose a picture</Trans>}
          </Button>
          {shown && (
            <Button size="small" type="text" icon={<DeleteOutlined aria-hidden />} aria-label={t`Remove`} onClick={() => set(null)} />
          )}
        </div>
      )}
    </div>
  )
}
