// An author: profile, publications, reviews.
import { EditOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { MARKET } from '../../model-schema/business/market.ts'
import { useLocale } from '../i18n/locale.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageLoading } from '../ui/loading/PageLoading.tsx'
import { wordsOfError } from '../ui/notices.ts'
import { complain } from '../ui/toast.ts'
import { useShort } from './AppCard.tsx'
import { FollowButton } from './FollowButton.tsx'
import { Grid, Waiting } from './Shelf.tsx'
import { shelfOf, useArea } from './area.ts'
import { market } from './market.ts'
import type { AuthorInfo, ShelfQuery } from './market.ts'
import style from './store.module.css'

export function AuthorPage() {
  const { t } = useLingui()
  const area = useArea()
  const locale = useLocale()
  const short = useShort()
  const { profileId = '' } = useParams({ strict: false })
  const found = useQuery({ queryKey: ['market', 'author', profileId], queryFn: () => market.author(profileId), retry: false })
  const wish: ShelfQuery = { author: profileId, sort: 'new', limit: 100, ...(area === 'dashboard' ? { kind: ['dashboard'] } : {}) }
  const apps = useQuery({ queryKey: ['market', 'list', wish], queryFn: () => market.list(wish), enabled: found.isSuccess })
  if (found.isPending) return <PageLoading />
  if (found.isError)
    return (
      <EmptyState
        title={t`Nobody here`}
        text={wordsOfError(found.error)}
        action={
          <Link to={shelfOf(area)}>
            <Trans>To the store</Trans>
          </Link>
        }
      />
    )
  const author = found.data
  const since = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long' }).format(new Date(author.since))
  const figures = [
    { label: t`publications`, value: author.apps },
    { label: t`followers`, value: author.followers },
    { label: t`likes`, value: author.likes },
    { label: t`downloads`, value: author.downloads },
    { label: t`verified`, value: author.verified },
  ]
  return (
    <article>
      <header className={style['profile']}>
        <Avatar id={author.id} name={author.name} image={author.avatar} size={88} />
        <div>
          <h1>{author.name}</h1>
          <p className={style['hint']}>
            <Trans>Here since {since}</Trans>
          </p>
          <Bio key={author.bio} author={author} />
          <dl className={style['stats']}>
            {figures.map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd className="h-num">{short(value)}</dd>
              </div>
            ))}
          </dl>
        </div>
        {author.self ? null : <FollowButton id={author.id} following={author.following} />}
      </header>
      <h2 className={style['section']}>
        <Trans>Publications</Trans>
      </h2>
      {apps.isPending ? (
        <Waiting />
      ) : (apps.data?.apps.length ?? 0) === 0 ? (
        <EmptyState title={t`Nothing published yet`} text={t`What ${author.name} publishes comes up here.`} />
      ) : (
        <Grid apps={apps.data?.apps ?? []} area={area} />
      )}
    </article>
  )
}

function Bio({ author }: { author: AuthorInfo }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const [text, setText] = useState<string | null>(null)
  const save = useMutation({
    mutationFn: (bio: string) => market.setBio(bio),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['market', 'author'] }),
    onError: complain,
  })
  if (text !== null)
    return (
      <div className={style['form']}>
        <Input.TextArea
          autoFocus
          aria-label={t`About you`}
          value={text}
          maxLength={MARKET.bioLength}
          autoSize={{ minRows: 2, maxRows: 8 }}
          onChange={event => setText(event.target.value)}
        />
        <span>
          <Button type="primary" size="small" loading={save.isPending} onClick={() => save.mutate(text.trim())}>
            <Trans>Save</Trans>
          </Button>{' '}
          <Button type="text" size="small" onClick={() => setText(null)}>
            <Trans>Cancel</Trans>
          </Button>
        </span>
      </div>
    )
  return (
    <p className={style['bio']}>
      {author.bio}
      {author.self ? (
        <Button
          className={author.bio === '' ? (style['flush'] ?? '') : ''}
          type="link"
          size="small"
          icon={<EditOutlined aria-hidden />}
          onClick={() => setText(author.bio)}
        >
          {author.bio === '' ? <Trans>Say something about yourself</Trans> : <Trans>Edit</Trans>}
        </Button>
      ) : null}
    </p>
  )
}
