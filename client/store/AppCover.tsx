// The picture of a publication: its cover, else a quiet one of its topic.
import { useState } from 'react'
import { Cover } from '../workspace/Cover.tsx'
import { motifOfTopic } from './area.ts'
import style from './store.module.css'

type Props = { app: { id: string; cover: string | null; topic: string; version: number }; draft?: boolean }

export function AppCover({ app, draft = false }: Props) {
  const [failed, setFailed] = useState<string | null>(null)
  if (app.cover === null || failed === app.cover) return <Cover motif={motifOfTopic(app.topic)} seed={app.id} />
  return (
    <img
      className={style['coverImage']}
      src={`/api/market/apps/${encodeURIComponent(app.id)}/cover?v=${app.cover}${draft ? '&draft=1' : ''}`}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setFailed(app.cover)}
    />
  )
}
