// The lists of the store: at first recommended and new publications; with a search or filter, the matches.
import { QuestionCircleOutlined, SafetyCertificateOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Button, Popover, Segmented, Select, Skeleton, Tag } from 'antd'
import {
  appKindLabels,
  appKinds,
  appLicenceLabels,
  appLicences,
  appOrders,
  appTopicLabels,
  appTopics,
  HALF_LIFE_DAYS,
} from '../../model-schema/business/market.ts'
import type { AppOrder } from '../../model-schema/business/market.ts'
import { useIdentity } from '../account/identity.ts'
import { useWords } from '../i18n/locale.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { wordsOfError } from '../ui/notices.ts'
import { AppCard } from './AppCard.tsx'
import { readSearch, shelfOf, useArea } from './area.ts'
import type { Area, Search } from './area.ts'
import { market } from './market.ts'
import type { AppCard as Card, ShelfQuery } from './market.ts'
import style from './store.module.css'

const PAGE = 24

export function Shelf() {
  const { t } = useLingui()
  const area = useArea()
  const search = readSearch(useSearch({ strict: false }))
  const { sort, ...asked } = search
  const plain = Object.keys(asked).length === 0 && (sort === undefined || sort === 'recommended')
  const title =
    search.of === 'following'
      ? t`From those you follow`
      : search.of === 'favourites'
        ? t`Your favourites`
        : area === 'store'
          ? t`Store`
          : t`Dashboards`
  return (
    <>
      <header className={style['head']}>
        <h1>{title}</h1>
        <p>
          {area === 'store' ? (
            <Trans>Models, dashboards, projects and apps: run them here, take a copy, see how they are made.</Trans>
          ) : (
            <Trans>Dashboards to be used right here, over models that run in your browser.</Trans>
          )}
        </p>
      </header>
      <Filters area={area} search={search} />
      <Found area={area} search={search} plain={plain} />
    </>
  )
}

function useChange(area: Area, search: Search): (change: { [K in keyof Search]: Search[K] | undefined }) => void {
  const navigate = useNavigate()
  return change => void navigate({ to: shelfOf(area), search: readSearch({ ...search, ...change }), resetScroll: false })
}

function Filters({ area, search }: { area: Area; search: Search }) {
  const { t } = useLingui()
  const words = useWords()
  const { me } = useIdentity()
  const change = useChange(area, search)
  const orders: Record<AppOrder, string> = {
    recommended: t`Recommended`,
    new: t`Newest`,
    downloads: t`Most downloads`,
    likes: t`Most likes`,
  }
  return (
    <div className={style['filters']}>
      <div className={style['topics']} role="group" aria-label={t`Topics`}>
        {me === null ? null : (
          <>
            <TopicChip
              narrow
              on={search.of === 'following'}
              pick={() => change({ of: search.of === 'following' ? undefined : 'following' })}
            >
              <Trans>Following</Trans>
            </TopicChip>
            <TopicChip
              narrow
              on={search.of === 'favourites'}
              pick={() => change({ of: search.of === 'favourites' ? undefined : 'favourites' })}
            >
              <Trans>Favourites</Trans>
            </TopicChip>
          </>
        )}
        <TopicChip on={search.topic === undefined} pick={() => change({ topic: undefined })}>
          <Trans>All topics</Trans>
        </TopicChip>
        {appTopics.map(topic => (
          <TopicChip key={topic} on={search.topic === topic} pick={() => change({ topic: search.topic === topic ? undefined : topic })}>
            {words(appTopicLabels[topic])}
          </TopicChip>
        ))}
      </div>
      <div className={style['choices']}>
        {area === 'store' ? (
          <Segmented
            aria-label={t`Kind`}
            value={search.kind ?? 'all'}
            options={[{ value: 'all', label: t`All` }, ...appKinds.map(kind => ({ value: kind, label: words(appKindLabels[kind]) }))]}
            onChange={value => change({ kind: appKinds.find(kind => kind === value) })}
          />
        ) : null}
        <Button
          type={search.verified === true ? 'primary' : 'default'}
          aria-pressed={search.verified === true}
          icon={<SafetyCertificateOutlined aria-hidden />}
          onClick={() => change({ verified: search.verified === true ? undefined : true })}
        >
          <Trans>Verified</Trans>
        </Button>
        <Select
          allowClear
          className={style['licence'] ?? ''}
          placeholder={t`Any licence`}
          aria-label={t`Licence`}
          popupMatchSelectWidth={false}
          value={search.licence}
          options={appLicences.map(value => ({ value, label: words(appLicenceLabels[value]) }))}
          onChange={(licence: Search['licence']) => change({ licence })}
        />
        {search.tag === undefined ? null : (
          <Tag closable onClose={() => change({ tag: undefined })} className={style['tagShown'] ?? ''}>
            #{search.tag}
          </Tag>
        )}
        {search.q === undefined ? null : (
          <Tag closable onClose={() => change({ q: undefined })} className={style['tagShown'] ?? ''}>
            “{search.q}”
          </Tag>
        )}
        <span className={style['order']}>
          <Select
            aria-label={t`Order`}
            popupMatchSelectWidth={false}
            value={search.sort ?? 'recommended'}
            options={appOrders.map(value => ({ value, label: orders[value] }))}
            onChange={(sort: AppOrder) => change({ sort: sort === 'recommended' ? undefined : sort })}
          />
          <Popover trigger="click" placement="bottomRight" content={<HowRanked />}>
            <Button type="text" icon={<QuestionCircleOutlined aria-hidden />} aria-label={t`How the recommended are ranked`} />
          </Popover>
        </span>
      </div>
    </div>
  )
}

/** `narrow`: sidebar content on wide screens. */
function TopicChip({ on, pick, narrow = false, children }: { on: boolean; pick: () => void; narrow?: boolean; children: React.ReactNode }) {
  return (
    <button type="button" className={style['topic']} data-narrow={narrow || undefined} aria-pressed={on} onClick={pick}>
      {children}
    </button>
  )
}

/** The formula of the order, in words. */
function HowRanked() {
  return (
    <div className={style['why']}>
      <h2>
        <Trans>How the recommended are ranked</Trans>
      </h2>
      <p>
        <Trans>Nobody picks or pays for a place. Four numbers are multiplied:</Trans>
      </p>
      <ul>
        <li>
          <Trans>
            <b>Approval</b>: of those who visited, how many liked it or made it a favourite; the lower end of Wilson’s 95 % interval, so
            that a few friends are not enough.
          </Trans>
        </li>
        <li>
          <Trans>
            <b>Use</b>: how many people took a copy, on a logarithmic scale.
          </Trans>
        </li>
        <li>
          <Trans>
            <b>Proof</b>: a quarter more when the recorded run was made again to the same result.
          </Trans>
        </li>
        <li>
          <Trans>
            <b>Freshness</b>: half after {HALF_LIFE_DAYS} days; a new version starts anew.
          </Trans>
        </li>
      </ul>
      <p>
        <Trans>Each person counts once, authors never for themselves. The page of an app shows its numbers.</Trans>
      </p>
    </div>
  )
}

function Found({ area, search, plain }: { area: Area; search: Search; plain: boolean }) {
  const { t } = useLingui()
  const { kind, ...rest } = search
  const kinds = area === 'dashboard' ? (['dashboard'] as const) : kind === undefined ? [] : [kind]
  const wish: ShelfQuery = { ...rest, sort: search.sort ?? 'recommended', limit: PAGE, ...(kinds.length === 0 ? {} : { kind: [...kinds] }) }
  const found = useInfiniteQuery({
    queryKey: ['market', 'list', wish],
    queryFn: ({ pageParam }) => market.list({ ...wish, offset: pageParam }),
    initialPageParam: 0,
    getNextPageParam: page => page.next,
  })
  if (found.isPending) return <Waiting />
  if (found.isError)
    return (
      <EmptyState
        title={t`The store can't be reached`}
        text={wordsOfError(found.error)}
        action={
          <Button onClick={() => void found.refetch()}>
            <Trans>Try again</Trans>
          </Button>
        }
      />
    )
  const apps = found.data.pages.flatMap(page => page.apps)
  if (apps.length === 0) return <Nothing search={search} />
  const featured = plain && apps.length > 5 ? apps.slice(0, 3) : []
  return (
    <>
      {featured.length === 0 ? null : (
        <section>
          <h2 className="h-hidden">{t`Recommended first`}</h2>
          <ul className={style['featured']}>
            {featured.map(app => (
              <li key={app.id}>
                <AppCard app={app} area={area} large />
              </li>
            ))}
          </ul>
        </section>
      )}
      {featured.length === 0 ? null : <Fresh area={area} but={featured} />}
      <section>
        {featured.length === 0 ? (
          <h2 className="h-hidden">{t`Found`}</h2>
        ) : (
          <h2 className={style['section']}>
            <Trans>Recommended</Trans>
          </h2>
        )}
        <Grid apps={apps.slice(featured.length)} area={area} />
      </section>
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

/** The newest, in one row. */
function Fresh({ area, but }: { area: Area; but: readonly Card[] }) {
  const wish: ShelfQuery = { sort: 'new', limit: 11, ...(area === 'dashboard' ? { kind: ['dashboard'] } : {}) }
  const found = useQuery({ queryKey: ['market', 'list', wish], queryFn: () => market.list(wish) })
  const apps = (found.data?.apps ?? []).filter(app => but.every(one => one.id !== app.id)).slice(0, 8)
  if (apps.length < 4) return null
  return (
    <section>
      <h2 className={style['section']}>
        <Trans context="store">New</Trans>
      </h2>
      <ul className={style['row']}>
        {apps.map(app => (
          <li key={app.id}>
            <AppCard app={app} area={area} />
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Grid({ apps, area }: { apps: readonly Card[]; area: Area }) {
  return (
    <ul className={style['grid']}>
      {apps.map(app => (
        <li key={app.id}>
          <AppCard app={app} area={area} />
        </li>
      ))}
    </ul>
  )
}

export function Waiting() {
  return (
    <ul className={style['grid']} aria-hidden="true">
      {Array.from({ length: 8 }, (_, i) => (
        <li key={i} className={style['ghost']}>
          <Skeleton active title paragraph={{ rows: 2 }} />
        </li>
      ))}
    </ul>
  )
}

function Nothing({ search }: { search: Search }) {
  const { t } = useLingui()
  if (search.of === 'following')
    return (
      <EmptyState title={t`Nothing yet`} text={t`Follow authors on their pages: what they publish comes up here, and the bell says so.`} />
    )
  if (search.of === 'favourites')
    return <EmptyState title={t`No favourites yet`} text={t`The star on the page of an app keeps it here, for you alone.`} />
  if (Object.keys(search).length === 0)
    return <EmptyState title={t`The shelf is empty`} text={t`Be the first: open one of your models, choose Share, and publish it.`} />
  return <EmptyState title={t`Nothing fits`} text={t`Try fewer words, another topic, or all licences.`} />
}
