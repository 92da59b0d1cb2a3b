// An empty dashboard: one thing to do after the other, and something to see at once.
import { Trans } from '@lingui/react/macro'
import { Button } from 'antd'
import { Drawing } from '../ui/Drawing.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useLingui } from '@lingui/react/macro'
import { addAssociation, takeFirstCards, takeOwnCards } from './edits.ts'
import { ownCards } from './offers.ts'
import { ModelPicker } from './pickers.tsx'
import { tell, useBoard } from './scope.ts'

export function Beginning() {
  const { t } = useLingui()
  const { session, dashboard, runs } = useBoard()
  const [association] = dashboard.associations
  if (!association)
    return (
      <EmptyState
        drawing={<Drawing of="dashboard" />}
        title={dashboard.is === 'chart' ? t`Which model is this chart about?` : t`Which model is this dashboard about?`}
        text={t`Its cards show and control runs of a model. Choose one of yours; others can be added later.`}
        action={
          <div className="d-choose">
            <ModelPicker value="" choose={model => tell(addAssociation(session.doc, dashboard, model.id, model.name))} />
          </div>
        }
      />
    )
  const run = runs.get(association.id)
  if (run?.state !== 'open') {
    const failed = run?.state === 'failed' || run?.state === 'no-scenario'
    return (
      <EmptyState
        title={failed ? t`The model can’t be opened` : t`The model is being opened…`}
        text={
          failed ? t`It may have been deleted, or you may not see it. Choose another one in the properties of the run.` : association.name
        }
      />
    )
  }
  const { model } = run.model.getState()
  const { scenario } = run.run
  const own = ownCards(model, scenario).length
  return (
    <EmptyState
      drawing={<Drawing of="dashboard" />}
      title={t`What should be seen?`}
      text={t`Use the charts and sliders from the model, or start from a suggestion. You can change everything later.`}
      action={
        <div className="d-choose">
          {own > 0 && dashboard.is === 'dashboard' && (
            <Button type="primary" onClick={() => tell(takeOwnCards(session.doc, dashboard, association, model, scenario))}>
              <Trans>Use the model’s charts and sliders ({own})</Trans>
            </Button>
          )}
          <Button
            type={own > 0 && dashboard.is === 'dashboard' ? 'default' : 'primary'}
            onClick={() => tell(takeFirstCards(session.doc, dashboard, association, model, scenario))}
          >
            {dashboard.is === 'chart' ? <Trans>Suggest a chart</Trans> : <Trans>Suggest cards</Trans>}
          </Button>
        </div>
      }
    />
  )
}
