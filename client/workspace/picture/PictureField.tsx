import { useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { Suspense, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { IMAGE } from '../../../model-schema/business/limits.ts'
import { ApiError } from '../../api.ts'
import { complain } from '../../ui/toast.ts'
import { importedPart } from '../../ui/loading/updates.ts'
import type { Size } from './picture.ts'

const PictureCutter = importedPart(
  () => import('./PictureCutter.tsx'),
  module => module.PictureCutter,
)

/** What an icon and an avatar are cut to. */
const square: Size = { width: 512, height: 512 }

type Props = { label: string; icon: ReactNode; disabled?: boolean; shape?: Size; chosen: (image: Blob) => void }

/** A button that asks for a picture the server takes (JPEG or PNG, at most 5 MB), and lets it be cut to its shape. */
export function PictureField({ label, icon, disabled = false, shape = square, chosen }: Props) {
  const { t } = useLingui()
  const field = useRef<HTMLInputElement>(null)
  const [cutting, setCutting] = useState<{ picture: ImageBitmap; type: 'image/png' | 'image/jpeg' } | null>(null)
  const take = async (image: File): Promise<void> => {
    const type = IMAGE.types.find(one => one === image.type)
    if (type === undefined || image.size > IMAGE.maxBytes) throw new ApiError('image-invalid', 400)
    try {
      setCutting({ picture: await createImageBitmap(image), type })
    } catch {
      throw new ApiError('image-invalid', 400, 'no picture in it')
    }
  }
  return (
    <>
      <Button icon={icon} disabled={disabled} onClick={() => field.current?.click()}>
        {label}
      </Button>
      <input
        ref={field}
        type="file"
        hidden
        aria-label={t`Picture`}
        accept={IMAGE.types.join(',')}
        onChange={({ target }) => {
          const image = target.files?.[0]
          target.value = ''
          if (image !== undefined) take(image).catch(complain)
        }}
      />
      {cutting === null ? null : (
        <Suspense>
          <PictureCutter
            {...cutting}
            shape={shape}
            close={() => setCutting(null)}
            done={image => {
              setCutting(null)
              chosen(image)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
