// The picture of a publication: its cover, else one drawn of its topic, in a colour of its own.
import { useState } from 'react'
import { useStore } from 'zustand'
import { theme } from '../ui/theme.ts'
import { Cover, darkPicture } from '../workspace/files/Cover.tsx'
import { drawnFor } from './area.ts'
import { sampleOf } from './shipped.ts'
import style from './store.module.css'

type Props = { app: { id: string; cover: string | null; topic: string; version: number }; draft?: boolean }

export function AppCover({ app, draft = false }: Props) {
  const [failed, setFailed] = useState<string | null>(null)
  const dark = useStore(theme, state => state.dark)
  if (app.cover === null || failed === app.cover) {
    const { motif, turn } = drawnFor(app)
    return (
      <div className={style['tinted']} style={{ filter: `hue-rotate(${turn}deg)` }}>
        <Cover motif={motif} seed={app.id} />
      </div>
    )
  }
  const sample = dark && !draft ? sampleOf(app) : undefined
  const inTheDark = sample && darkPicture(sample.id)
  return (
    <img
      className={style['coverImage']}
      src={inTheDark ?? `/api/market/apps/${encodeURIComponent(app.id)}/cover?v=${app.cover}${draft ? '&draft=1' : ''}`}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setFailed(app.cover)}
    />
  )
}
