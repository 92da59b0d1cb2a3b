// The picture of a publication: its cover, else one drawn of its topic, in a colour of its own.
import { useState } from 'react'
import { Cover } from '../workspace/files/Cover.tsx'
import { drawnFor } from './area.ts'
import style from './store.module.css'

type Props = { app: { id: string; cover: string | null; topic: string; version: number }; draft?: boolean }

export function AppCover({ app, draft = false }: Props) {
  const [failed, setFailed] = useState<string | null>(null)
  if (app.cover === null || failed === app.cover) {
    const { motif, turn } = drawnFor(app)
    return (
      <div className={style['tinted']} style={{ filter: `hue-rotate(${turn}deg)` }}>
        <Cover motif={motif} seed={app.id} />
      </div>
    )
  }
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
