// A document that is still on its way: its name and the outline of its page at once, where the page will have them.
import { useLingui } from '@lingui/react/macro'
import '../documentbar/documentbar.css'
import './loading.css'

/** The line above a document before its buttons are here. */
export function EarlyBar({ title }: { title: string }) {
  return (
    <header className="h-topbar">
      <div className="h-topbar-side">
        <span className="h-back" />
        <h1 className="h-title h-title-early">{title === '' ? <i className="h-bone" style={{ inlineSize: 136 }} /> : title}</h1>
      </div>
      <div className="h-topbar-side h-topbar-end">
        <i className="h-bone" style={{ inlineSize: 56 }} />
        <i className="h-bone" style={{ inlineSize: 72 }} />
      </div>
    </header>
  )
}

/** Heights of the rows in the columns next to a page. */
const rows = [20, 44, 44, 44, 20, 44, 44] as const

/** Fills the page with the outline of what is coming: a canvas between its panels, or cards. */
export function DocumentLoading({ title, kind }: { title: string; kind: string }) {
  const { t } = useLingui()
  const isCanvas = kind === 'model' || kind === 'block'
  return (
    <div className="h-loading" role="status" aria-label={t`Loading`}>
      <EarlyBar title={title} />
      <div className="h-loading-page" data-canvas={isCanvas || undefined} aria-hidden>
        <Column />
        <div className="h-loading-middle">{isCanvas ? null : Array.from({ length: 4 }, (_, i) => <i key={i} className="h-bone" />)}</div>
        {isCanvas && <Column />}
      </div>
    </div>
  )
}

const Column = () => (
  <div className="h-loading-column">
    {rows.map((height, i) => (
      <i key={i} className="h-bone" style={{ blockSize: height, inlineSize: height < 30 ? '45%' : undefined }} />
    ))}
  </div>
)
