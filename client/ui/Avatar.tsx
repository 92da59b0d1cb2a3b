import { colorOf } from '../session/presence.ts'
import style from './ui.module.css'

/** A person as a coloured disc with an initial; the same colour everywhere. */
export function Avatar({ id, name, size = 28 }: { id: string; name: string; size?: number }) {
  return (
    <span
      className={style['avatar']}
      style={{ background: colorOf(id), inlineSize: size, blockSize: size, fontSize: Math.round(size * 0.42) }}
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
