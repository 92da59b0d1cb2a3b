// Publishing, as a part of "Share & publish": what the file's publication is now, and the way into the wizard.
import { ShopOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Alert, Button, Skeleton, Tag } from 'antd'
import { Suspense, useState } from 'react'
import { appStateLabels } from '../../../model-schema/business/market.ts'
import { api } from '../../api.ts'
import { useWords } from '../../i18n/locale.ts'
import { wordsOfError } from '../../ui/notices.ts'
import { complain } from '../../ui/toast.ts'
import { importedPart } from '../../ui/loading/updates.ts'
import { market } from '../market.ts'
import style from '../store.module.css'

const PublishWizard = importedPart(
  () => import('./PublishWizard.tsx'),
  module => module.PublishWizard,
)

export function PublishPart({ file }: { file: { id: string; name: string; kind: string } }) {
  const { t } = useLingui()
  const words = useWords()
  const queries = useQueryClient()
  const [open, setOpen] = useState(false)
  const found = useQuery({
    queryKey: ['market', 'of', file.id],
    queryFn: async () => ({
      app: (await market.of(file.id)).app,
      origin: await market.origin(file.id),
      may: await api.filePermissions(file.id),
    }),
    retry: false,
  })
  const turn = useMutation({
    mutationFn: (app: { id: string; state: string }) => (app.state === 'published' ? market.takeOff(app.id) : market.putBack(app.id)),
    onError: complain,
    onSettled: () => queries.invalidateQueries({ queryKey: ['market'] }),
  })
  if (found.isPending) return <Skeleton active paragraph={{ rows: 2 }} />
  if (found.isError) return <Alert type="error" showIcon title={wordsOfError(found.error)} />
  const { app, origin, may } = found.data
  const verdict = may.permissions[file.kind === 'dashboard' ? 'publishDashboard' : 'publish']
  if (origin !== null)
    return (
      <Alert
        type="info"
        showIcon
        title={t`Files downloaded from the market cannot be published again.`}
        description={
          <>
            <Trans>From the store:</Trans>{' '}
            <Link to="/store/recommend/app/$appId" params={{ appId: origin.app }}>
              {origin.name}
            </Link>
            {origin.author === null ? null : ` · ${origin.author.name}`}
          </>
        }
      />
    )
  return (
    <div className={style['form']}>
      <p>
        {app === null ? (
          <Trans>
            In the store anybody can run it, like it, talk about it and, if you wish, take a copy. It is published as it is now; your file
            stays yours.
          </Trans>
        ) : (
          <>
            <Tag>{words(appStateLabels[app.state])}</Tag>{' '}
            <Link to="/store/recommend/app/$appId" params={{ appId: app.id }}>
              <Trans>Its page in the store</Trans>
            </Link>
          </>
        )}
      </p>
      {verdict?.allowed === false ? <Alert type="warning" showIcon title={words(verdict.because)} /> : null}
      <p>
        <Button
          type="primary"
          icon={<ShopOutlined aria-hidden />}
          disabled={verdict?.allowed !== true || app?.state === 'off-shelf'}
          onClick={() => setOpen(true)}
        >
          {app === null ? <Trans>Publish to the store</Trans> : <Trans>Publish a new version</Trans>}
        </Button>{' '}
        {app === null || app.state === 'publishing' || verdict === undefined ? null : (
          <Button loading={turn.isPending} disabled={may.permissions.unpublish?.allowed === false} onClick={() => turn.mutate(app)}>
            {app.state === 'published' ? <Trans>Take off the shelf</Trans> : <Trans>Put back</Trans>}
          </Button>
        )}
      </p>
      <Suspense>{open ? <PublishWizard file={file} close={() => setOpen(false)} /> : null}</Suspense>
    </div>
  )
}
