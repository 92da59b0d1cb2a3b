import { Link } from '@tanstack/react-router'
import style from './ui.module.css'

/** The mark and the name; leads home. */
export function Logo({ compact = false }: { compact?: boolean }) {
  return (
    <Link to="/workspace/recent" className={style['logo']} aria-label="Holarchy">
      <img src="/icon.svg" width={24} height={24} alt="" />
      {compact ? null : <span>Holarchy</span>}
    </Link>
  )
}
