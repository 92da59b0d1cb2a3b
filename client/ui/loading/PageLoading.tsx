import { useLingui } from '@lingui/react/macro'
import style from '../ui.module.css'

/** Fills the page while a part of the app is loaded; says so only when it takes a while, so that nothing flashes. */
export function PageLoading() {
  const { t } = useLingui()
  return (
    <div className={style['loading']} role="status" aria-label={t`Loading`}>
      <span className={style['spinner']} />
    </div>
  )
}
