// The control of a picture: chosen or dropped, scaled down until it fits a document that everybody carries around.
import { DeleteOutlined, PictureOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { useState } from 'react'
import { IMAGE, IMAGE_FIELD_LENGTH } from '../../../model-schema/limits.ts'
import { complain } from '../../ui/toast.ts'
import type { ControlProps } from './control.ts'

export function ImageControl({ id, value, disabled, set }: ControlProps) {
  const { t } = useLingui()
  const [busy, setBusy] = useState(false)
  const shown = typeof value === 'string' && value.startsWith('data:image/') ? value : null
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return
    if (!IMAGE.types.some(type => type === file.type)) return complain(t`Only JPEG and PNG pictures can be used.`)
    if (file.size > IMAGE.maxBytes) return complain(t`The picture is larger than 5 MB.`)
    setBusy(true)
    try {
      set(await fitted(file))
    } catch (error) {
      complain(t`This file is not a picture that the browser can read.`)
      console.warn(error)
    } finally {
      setBusy(false)
    }
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
          <Button size="small" loading={busy} icon={<PictureOutlined />} onClick={() => document.getElementById(id)?.click()}>
            {shown ? <Trans>Replace</Trans> : <Trans>Choose a picture</Trans>}
          </Button>
          {shown && <Button size="small" type="text" icon={<DeleteOutlined />} aria-label={t`Remove`} onClick={() => set(null)} />}
        </div>
      )}
    </div>
  )
}

/** The file as a data URL no longer than a document's field may be: as it is, or as a JPEG of falling size. */
async function fitted(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file)
  const asIs = await dataUrl(file)
  if (asIs.length <= IMAGE_FIELD_LENGTH) return asIs
  for (let side = 1600; side >= 200; side *= 0.75) {
    const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(bitmap.width * scale))
    canvas.height = Math.max(1, Math.round(bitmap.height * scale))
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    const url = canvas.toDataURL('image/jpeg', 0.85)
    if (url.length <= IMAGE_FIELD_LENGTH) return url
  }
  throw new Error(`no size of ${file.name} fits into ${IMAGE_FIELD_LENGTH} characters`)
}

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the file could not be read')))
    reader.readAsDataURL(file)
  })
}
