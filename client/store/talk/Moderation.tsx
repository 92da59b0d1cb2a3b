// For operators: what was reported and appealed, and what was decided.
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Button, Segmented, Tag } from 'antd'
import { useState } from 'react'
import { reportReasonLabels, reportReasons } from '../../../model-schema/business/market.ts'
import { useWords } from '../../i18n/locale.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageLoading } from '../../ui/loading/PageLoading.tsx'
import { When } from '../../ui/When.tsx'
import { wordsOfError } from '../../ui/notices.ts'
import { DecideDialog } from './DecideDialog.tsx'
import { Likeness } from '../publish/Likeness.tsx'
import { useOperator } from './operator.ts'
import { market } from '../market.ts'
import type { Case } from '../market.ts'
import style from '../store.module.css'

export function Moderation() {
  const { t } = useLingui()
  const navigate = useNavigate()
  const operator = useOperator()
  const [open, setOpen] = useState(true)
  const found = useQuery({ queryKey: ['market', 'cases', open], queryFn: () => market.cases(open), enabled: operator })
  if (!operator)
    return (
      <EmptyState
        title={t`For moderators`}
        text={t`Moderators decide about what was reported. Whoever runs this server names them in its settings (OPERATORS).`}
        action={
          <Button type="primary" onClick={() => void navigate({ to: '/store' })}>
            <Trans>To the store</Trans>
          </Button>
        }
      />
    )
  return (
    <>
      <header className={style['head']}>
        <h1>
          <Trans>Moderation</Trans>
        </h1>
        <p>
          <Trans>Reports hide nothing by themselves: look, then decide. Authors read the reason and may appeal.</Trans>
        </p>
      </header>
      <Segmented
        aria-label={t`Cases`}
        value={open ? 'open' : 'decided'}
        options={[
          { value: 'open', label: t`Open` },
          { value: 'decided', label: t`Decided` },
        ]}
        onChange={value => setOpen(value === 'open')}
      />
      {found.isPending ? <PageLoading /> : null}
      {found.isError ? <EmptyState title={t`This can't be shown`} text={wordsOfError(found.error)} /> : null}
      {found.data?.length === 0 ? <EmptyState title={t`All done`} text={t`Nothing waits for a decision.`} /> : null}
      <ul className={style['cases']}>
        {(found.data ?? []).map(one => (
          <li key={one.id}>
            <OneCase one={one} open={open} />
          </li>
        ))}
      </ul>
    </>
  )
}

function OneCase({ one, open }: { one: Case; open: boolean }) {
  const { t } = useLingui()
  const words = useWords()
  const [outcome, setOutcome] = useState<'hidden' | 'shown' | null>(null)
  const reason = reportReasons.find(value => value === one.reason)
  const { times } = one
  const sorts = { app: t`Publication`, comment: t`Comment`, thread: t`Thread`, draft: t`In preparation` }
  const isDraft = one.about === 'draft'
  return (
    <article className={style['case']}>
      <p className={style['labels']}>
        <Tag color={one.sort === 'appeal' ? 'blue' : 'orange'}>{isDraft ? t`Question` : one.sort === 'appeal' ? t`Appeal` : t`Report`}</Tag>
        <Tag>{sorts[one.about]}</Tag>
        {one.hidden && !isDraft ? <Tag color="red">{t`Hidden`}</Tag> : null}
        {times > 1 ? <Trans>{times} people</Trans> : null}
      </p>
      <h2>
        {one.app !== null && isDraft ? (
          <a href={`/embed_test_marketapp/${one.app}`} target="_blank" rel="noreferrer">
            {one.title}
          </a>
        ) : one.app !== null ? (
          <Link to="/store/recommend/app/$appId" params={{ appId: one.app }}>
            {one.title}
          </Link>
        ) : (
          <Link to="/store/forum/$threadId" params={{ threadId: one.thread ?? '' }}>
            {one.title}
          </Link>
        )}
      </h2>
      <p className={style['hint']}>
        {one.author === null ? null : (
          <>
            <Trans>by {one.author.name}</Trans> ·{' '}
          </>
        )}
        {one.sort === 'report' && reason !== undefined ? `${words(reportReasonLabels[reason])} · ` : null}
        {one.by?.name ?? t`Somebody`}, <When at={one.at} />
      </p>
      {one.like === null ? null : (
        <p>
          <Likeness like={one.like} />
        </p>
      )}
      {one.words === '' ? null : <blockquote>{one.words}</blockquote>}
      {open ? (
        <p className={style['deeds']}>
          {one.hidden && !isDraft ? null : (
            <Button danger onClick={() => setOutcome('hidden')}>
              {isDraft ? <Trans>Refuse</Trans> : <Trans>Hide</Trans>}
            </Button>
          )}
          <Button onClick={() => setOutcome('shown')}>
            {isDraft ? <Trans>Let it be published</Trans> : one.hidden ? <Trans>Show again</Trans> : <Trans>Let it stand</Trans>}
          </Button>
          {one.hidden && !isDraft ? (
            <Button onClick={() => setOutcome('hidden')}>
              <Trans>Keep it hidden</Trans>
            </Button>
          ) : null}
        </p>
      ) : (
        <p className={style['hint']}>
          {isDraft ? (one.outcome === 'hidden' ? t`Refused` : t`Let be published`) : one.outcome === 'hidden' ? t`Hidden` : t`Let stand`} ·{' '}
          {one.decidedBy ?? t`Somebody`}
          {one.decidedAt === null ? null : (
            <>
              , <When at={one.decidedAt} />
            </>
          )}
        </p>
      )}
      {outcome === null ? null : (
        <DecideDialog target={{ about: one.about, target: one.target }} name={one.title} outcome={outcome} close={() => setOutcome(null)} />
      )}
    </article>
  )
}
