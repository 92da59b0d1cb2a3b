// The picture of a file: the cover somebody chose, else its boxes, else the sign of its kind.
import { useState } from 'react'
import type { FileRow } from '../../local/device.ts'
import { PreviewCover } from './Cover.tsx'
import { FileIcon, comesFirst } from './kinds.tsx'
import style from '../workspace.module.css'

export function FileCover({ file }: { file: Pick<FileRow, 'id' | 'kind' | 'cover' | 'preview'> }) {
  const [failed, setFailed] = useState<string | null>(null)
  if (file.cover !== null && failed !== file.cover)
    return (
      <img
        className={style['coverImage']}
        src={`/api/files/${encodeURIComponent(file.id)}/cover?v=${file.cover}`}
        alt=""
        loading="lazy"
        decoding="async"
        draggable={false}
        onError={() => setFailed(file.cover)}
      />
    )
  const pages = file.kind === 'dashboard' || file.kind === 'chart'
  if (file.kind === 'model' || file.kind === 'block' || (pages && file.preview)) return <PreviewCover preview={file.preview ?? null} />
  return (
    <span className={style['kindCover']} data-holder={comesFirst(file.kind) || undefined}>
      <FileIcon kind={file.kind} />
    </span>
  )
}
