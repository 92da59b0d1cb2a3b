// On a phone: whether the model is run or edited.
import { useLingui } from '@lingui/react/macro'
import './runview.css'

export function ModeSwitch({ editing, onEditing }: { editing: boolean; onEditing: (editing: boolean) => void }) {
  const { t } = useLingui()
  return (
    <nav className="h-phone-mode" aria-label={t`What is shown`}>
      <button type="button" aria-pressed={!editing} onClick={() => onEditing(false)}>
        {t`Run`}
      </button>
      <button type="button" aria-pressed={editing} onClick={() => onEditing(true)}>
        {t`Edit`}
      </button>
    </nav>
  )
}
