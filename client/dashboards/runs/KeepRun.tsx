// Saves a run that has ended in the dashboard's file, to be shown instead of a live one; and shows which one is saved.
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { useStore } from 'zustand'
import { setField, together } from '../../../model-schema/edit.ts'
import type { Id } from '../../../model-schema/model.ts'
import type { Run } from '../../run/run.ts'
import { warn } from '../../ui/toast.ts'
import { keptRun, keptText } from './kept.ts'
import { tell, useBoard } from '../scope.ts'

export function KeepRun({ id }: { id: Id }) {
  const { i18n } = useLingui()
  const { dashboard, runs } = useBoard()
  const association = dashboard.associations.find(one => one.id === id)
  const run = runs.get(id)
  const kept = keptRun(association?.kept ?? '')
  const at = kept ? new Date(kept.at).toLocaleString(i18n.locale) : ''
  return (
    <>
      {kept && (
        <p className="h-muted d-kept">
          <Trans>Kept on {at}.</Trans>
        </p>
      )}
      {association?.source !== 'kept' && run?.state === 'open' && <Keep id={id} run={run.run} />}
    </>
  )
}

function Keep({ id, run }: { id: Id; run: Run }) {
  const { t } = useLingui()
  const { session, editing } = useBoard()
  const ended = useStore(run, ({ status }) => status === 'ended')
  const keep = (): void => {
    const text = keptText(run, new Date())
    if (text === null) return void warn(t`This run is too large to be kept in the file.`)
    together(session.doc, () => tell(setField(session.doc, id, 'kept', text)) && tell(setField(session.doc, id, 'source', 'kept')))
  }
  return (
    <>
      <Button size="small" block disabled={!ended || !editing} onClick={keep}>
        <Trans>Keep this run and show it</Trans>
      </Button>
      {!ended && (
        <p className="h-muted d-kept">
          <Trans>A run can be kept when it has come to its end.</Trans>
        </p>
      )}
    </>
  )
}
