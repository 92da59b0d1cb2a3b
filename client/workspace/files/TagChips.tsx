import type { FileTag } from '../../local/device.ts'
import style from '../workspace.module.css'

/** The tags of a file: a dot of the tag's colour and its name. */
export function TagChips({ tags }: { tags: readonly FileTag[] }) {
  if (tags.length === 0) return null
  return (
    <span className={style['tags']}>
      {tags.map(tag => (
        <span key={tag.id} className={style['tag']} title={tag.name}>
          <TagDot color={tag.color} />
          {tag.name}
        </span>
      ))}
    </span>
  )
}

export function TagDot({ color }: { color: string }) {
  return <i className={style['tagDot']} style={color === '' ? {} : { background: color }} aria-hidden="true" />
}
