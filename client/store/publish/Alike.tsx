// The prepared publication waits: much of it is in the store already, by another author. A moderator reviews it before it is published.
import { Trans, useLingui } from '@lingui/react/macro'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { Likeness } from './Likeness.tsx'
import { AppealDialog } from '../talk/ReportDialog.tsx'
import type { AppInfo } from '../market.ts'

export function Alike({ app, like }: { app: Pick<AppInfo, 'id' | 'name'>; like: NonNullable<AppInfo['like']> }) {
  const { t } = useLingui()
  const [asking, setAsking] = useState(false)
  const [asked, setAsked] = useState(like.asked)
  return (
    <>
      <Alert
        type="warning"
        showIcon
        title={t`Much of this is in the store already`}
        description={
          <>
            <p>
              <Likeness like={like} />{' '}
              <Trans>What was downloaded can’t be published again; if it is your own work, ask a moderator to look.</Trans>
            </p>
            {asked ? (
              <p role="status">
                <Trans>A moderator has been asked. You will be told.</Trans>
              </p>
            ) : (
              <Button onClick={() => setAsking(true)}>
                <Trans>Ask a moderator</Trans>
              </Button>
            )}
          </>
        }
      />
      {asking ? (
        <AppealDialog
          target={{ about: 'draft', target: app.id }}
          name={app.name}
          sent={() => setAsked(true)}
          close={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
