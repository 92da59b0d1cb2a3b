// On a phone: switches between running the model and viewing or editing it.
import { useLingui } from '@lingui/react/macro'
import './runview.css'

type Props = { editing: boolean; onEditing: (editing: boolean) => void; readOnly?: boolean }

export function ModeSwitch({ editing, onEditing, readOnly = false }: Props) {
  const { t } = useLingui()
  return (
    <nav className="h-phone-mode" aria-label={t`What is shown`}>
      <button type="button" aria-pressed={!editing} onClick={() => onEditing(false)}>
        {t`Run`}
      </button>
      <button type="button" aria-pressed={editing} onClick={() => onEditing(true)}>
        {readOnly ? t`Model` : t`Edit`}
      </button>
    </nav>
  )
}
