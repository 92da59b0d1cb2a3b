import { useState } from 'react'
import { colorOf } from '../session/presence.ts'
import style from './ui.module.css'

type Props = {
  id: string
  name: string
  size?: number
  /** Id of the picture; without one a coloured disc with an initial. */
  image?: string | null | undefined
  /** A workspace's: a rounded square with its icon. */
  space?: boolean
}

/** A person (or a workspace) as their picture, or as a coloured disc with an initial; the same everywhere. */
export function Avatar({ id, name, size = 28, image = null, space = false }: Props) {
  const [failed, setFailed] = useState<string | null>(null)
  const box = { inlineSize: size, blockSize: size, ...(space ? { borderRadius: Math.round(size * 0.22) } : {}) }
  if (image !== null && failed !== image)
    return (
      <img
        className={style['avatar']}
        style={box}
        src={
          space ? `/api/workspaces/${encodeURIComponent(id)}/icon?v=${image}` : `/api/accounts/avatar/${encodeURIComponent(id)}?v=${image}`
        }
        alt=""
        title={name}
        draggable={false}
        onError={() => setFailed(image)}
      />
    )
  return (
    <span
      className={style['avatar']}
      style={{ ...box, background: colorOf(id), fontSize: Math.round(size * 0.42) }}
      title={name}
      aria-hidden="true"
    >
      {initialOf(name)}
    </span>
  )
}

function initialOf(name: string): string {
  const first = [...name.trim()][0]
  return first === undefined ? '?' : first.toUpperCase()
}
