// The forum: threads by section, the latest spoken in first; one thread with its answers; opening a new one.
import { LeftOutlined, MessageOutlined, PlusOutlined, SearchOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Button, Input, Segmented, Select, Tag } from 'antd'
import { nanoid } from 'nanoid'
import { Suspense, lazy, useState } from 'react'
import '../../comments/comments.css'
import { MARKET, forumSectionLabels, forumSections } from '../../../model-schema/business/market.ts'
import type { ForumSection } from '../../../model-schema/business/market.ts'
import { useIdentity } from '../../account/identity.ts'
import { useWords } from '../../i18n/locale.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageLoading } from '../../ui/loading/PageLoading.tsx'
import { When } from '../../ui/When.tsx'
import { wordsOfError } from '../../ui/notices.ts'
import { DecideDialog } from './DecideDialog.tsx'
import { AppealDialog, ReportDialog } from './ReportDialog.tsx'
import { useOperator } from './operator.ts'
import { Talk } from './Talk.tsx'
import { market } from '../market.ts'
import style from '../store.module.css'

const Composer = lazy(() => import('../../comments/Composer.tsx'))

const sectionOf = (text: string): ForumSection | undefined => forumSections.find(one => one === text)

export function Forum() {
  const { t } = useLingui()
  const words = useWords()
  const { me } = useIdentity()
  const [section, setSection] = useState<ForumSection | undefined>(undefined)
  const [q, setQ] = useState('')
  const [asking, setAsking] = useState(false)
  const wish = { ...(section === undefined ? {} : { section }), ...(q === '' ? {} : { q }) }
  const found = useInfiniteQuery({
    queryKey: ['market', 'forum', wish],
    queryFn: ({ pageParam }) => market.forum({ ...wish, offset: pageParam }),
    initialPageParam: 0,
    getNextPageParam: page => page.next,
  })
  const threads = found.data?.pages.flatMap(page => page.threads) ?? []
  return (
    <>
      <header className={style['head']}>
        <h1>
          <Trans>Forum</Trans>
        </h1>
        <p>
          <Trans>Ask, show what you made, say what is missing.</Trans>
        </p>
      </header>
      <div className={style['choices']}>
        <Segmented
          aria-label={t`Section`}
          value={section ?? 'all'}
          options={[{ value: 'all', label: t`All` }, ...forumSections.map(one => ({ value: one, label: words(forumSectionLabels[one]) }))]}
          onChange={value => setSection(sectionOf(value))}
        />
        <Input
          className={style['forumSearch'] ?? ''}
          allowClear
          prefix={<SearchOutlined aria-hidden />}
          placeholder={t`Search the forum`}
          aria-label={t`Search the forum`}
          maxLength={200}
          onChange={event => event.target.value === '' && setQ('')}
          onPressEnter={event => setQ(event.currentTarget.value.trim())}
        />
        {me === null || asking ? null : (
          <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setAsking(true)}>
            <Trans>New thread</Trans>
          </Button>
        )}
      </div>
      {asking ? <NewThread first={section} close={() => setAsking(false)} /> : null}
      {found.isPending ? <PageLoading /> : null}
      {found.isError ? <EmptyState title={t`The forum can't be reached`} text={wordsOfError(found.error)} /> : null}
      {found.isSuccess && threads.length === 0 ? (
        <EmptyState title={t`No threads yet`} text={t`Begin one: others answer below it.`} />
      ) : null}
      <ul className={style['threads']}>
        {threads.map(thread => {
          const label = sectionOf(thread.section)
          return (
            <li key={thread.id} data-hidden={thread.hidden || undefined}>
              <Avatar id={thread.author?.id ?? ''} name={thread.author?.name ?? '?'} image={thread.author?.avatar} size={36} />
              <div>
                <h2>
                  <Link to="/store/forum/$threadId" params={{ threadId: thread.id }}>
                    {thread.title}
                  </Link>
                </h2>
                <p className={style['hint']}>
                  <Tag>{label === undefined ? thread.section : words(forumSectionLabels[label])}</Tag> {thread.author?.name ?? t`Somebody`}{' '}
                  · <When at={thread.lastAt} />
                </p>
              </div>
              <span className={style['answers']} title={t`Posts`}>
                <MessageOutlined aria-label={t`Posts`} role="img" /> <span className="h-num">{thread.comments}</span>
              </span>
            </li>
          )
        })}
      </ul>
      {found.hasNextPage ? (
        <p className={style['more']}>
          <Button loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            <Trans>Show more</Trans>
          </Button>
        </p>
      ) : null}
    </>
  )
}

function NewThread({ first, close }: { first: ForumSection | undefined; close: () => void }) {
  const { t } = useLingui()
  const words = useWords()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const operator = useOperator()
  const [section, setSection] = useState<ForumSection>(first ?? 'questions')
  const [title, setTitle] = useState('')
  const [missing, setMissing] = useState(false)
  const [ids] = useState(() => ({ thread: nanoid(), comment: nanoid() }))
  const open = forumSections.filter(one => one !== 'announcements' || operator)
  return (
    <section className={style['newThread']} aria-label={t`New thread`}>
      <div className={style['choices']}>
        <Select
          aria-label={t`Section`}
          value={section}
          options={open.map(value => ({ value, label: words(forumSectionLabels[value]) }))}
          popupMatchSelectWidth={false}
          onChange={(value: ForumSection) => setSection(value)}
        />
        <Input
          autoFocus
          className={style['grow'] ?? ''}
          value={title}
          maxLength={MARKET.titleLength}
          placeholder={t`Title`}
          aria-label={t`Title`}
          status={missing && title.trim() === '' ? 'error' : ''}
          onChange={event => setTitle(event.target.value)}
        />
      </div>
      <Suspense fallback={<div className="h-composer" />}>
        <Composer
          comments={{ people: () => Promise.resolve([]) }}
          label={t`What is it about?`}
          verb={t`Post it`}
          cancel={close}
          send={async body => {
            if (title.trim() === '') {
              setMissing(true)
              throw new Error(t`A thread needs a title.`)
            }
            await market.openThread({ id: ids.thread, section, title: title.trim(), comment: { id: ids.comment, body } })
            await queries.invalidateQueries({ queryKey: ['market', 'forum'] })
            close()
            await navigate({ to: '/store/forum/$threadId', params: { threadId: ids.thread } })
          }}
        />
      </Suspense>
    </section>
  )
}

export function ForumThread() {
  const { t } = useLingui()
  const words = useWords()
  const { me } = useIdentity()
  const operator = useOperator()
  const { threadId = '' } = useParams({ strict: false })
  const [doing, setDoing] = useState<'report' | 'hide' | 'appeal' | null>(null)
  const found = useQuery({ queryKey: ['market', 'thread', threadId], queryFn: () => market.thread(threadId), retry: false })
  if (found.isPending) return <PageLoading />
  if (found.isError) return <EmptyState title={t`No such thread`} text={wordsOfError(found.error)} />
  const thread = found.data
  const section = sectionOf(thread.section)
  const target = { about: 'thread' as const, target: thread.id }
  return (
    <article className={style['thread']}>
      <Link to="/store/forum" className={style['back']}>
        <LeftOutlined aria-hidden /> <Trans>Forum</Trans>
      </Link>
      <header className={style['head']}>
        <h1>{thread.title}</h1>
        <p className={style['hint']}>
          <Tag>{section === undefined ? thread.section : words(forumSectionLabels[section])}</Tag>{' '}
          {thread.author === null ? (
            t`Somebody`
          ) : (
            <Link to="/store/author/$profileId" params={{ profileId: thread.author.id }}>
              {thread.author.name}
            </Link>
          )}{' '}
          · <When at={thread.at} />
          {thread.hidden ? <> · {t`hidden by the moderators`}</> : null}
          {me !== null && thread.author?.id !== me.id ? (
            <Button type="link" size="small" onClick={() => setDoing('report')}>
              <Trans>Report</Trans>
            </Button>
          ) : null}
          {thread.hidden && me !== null && thread.author?.id === me.id ? (
            <Button type="link" size="small" onClick={() => setDoing('appeal')}>
              <Trans>Appeal</Trans>
            </Button>
          ) : null}
          {operator ? (
            <Button type="link" size="small" onClick={() => setDoing('hide')}>
              {thread.hidden ? <Trans>Show again</Trans> : <Trans>Hide</Trans>}
            </Button>
          ) : null}
        </p>
      </header>
      <Talk place={{ sort: 'thread', id: thread.id }} title={t`Posts`} />
      {doing === 'report' ? <ReportDialog target={target} name={thread.title} close={() => setDoing(null)} /> : null}
      {doing === 'appeal' ? <AppealDialog target={target} name={thread.title} close={() => setDoing(null)} /> : null}
      {doing === 'hide' ? (
        <DecideDialog target={target} name={thread.title} outcome={thread.hidden ? 'shown' : 'hidden'} close={() => setDoing(null)} />
      ) : null}
    </article>
  )
}
