// Coins, points and items over time: filtered, page by page, and as a file.
import { DownloadOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button, DatePicker, Segmented, Select, Skeleton } from 'antd'
import { useState } from 'react'
import { assetLabels, assets, entryLabels, items } from '../../model-schema/business/coins.ts'
import type { Asset } from '../../model-schema/business/coins.ts'
import { useWords } from '../i18n/locale.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { wordsOfError } from '../ui/notices.ts'
import { Purse } from './Purse.tsx'
import { historyFile, historyPage, useCoins, useFormats } from './billing.ts'
import type { HistoryWish } from './billing.ts'
import { AssetMark } from './marks.tsx'
import style from './billing.module.css'

export function Coins() {
  const { t } = useLingui()
  const words = useWords()
  const { signed, moment } = useFormats()
  const coins = useCoins()
  const [wish, setWish] = useState<HistoryWish>({})
  const history = useInfiniteQuery({
    queryKey: ['history-of-coins', wish],
    queryFn: ({ pageParam }) => historyPage(wish, pageParam),
    // Fetching the balance may add the register gift for accounts older than gifts: the history is fetched after it.
    enabled: coins !== undefined,
    initialPageParam: undefined as number | undefined,
    getNextPageParam: page => page.next ?? undefined,
  })
  const lines = history.data?.pages.flatMap(page => page.lines) ?? []
  const change = (more: HistoryWish): void => setWish({ ...wish, ...more })
  const filtered = Object.values(wish).some(value => value !== undefined)
  /** The subject of a line, as far as there is a text for it. */
  const aboutWords = (about: Record<string, string | number>): string => {
    const item = items.find(one => one === about['item'])
    const count = about['count']
    if (item !== undefined)
      return typeof count === 'number' && count > 1 ? `${words(assetLabels[item])} × ${count}` : words(assetLabels[item])
    const offer = coins?.economy.packages.find(one => one.id === about['package'])
    return offer === undefined ? '' : words(offer.label)
  }
  return (
    <>
      <header className={style['head']}>
        <h1>
          <Trans>Coins and points</Trans>
        </h1>
      </header>
      {coins === undefined ? <Skeleton active paragraph={{ rows: 1 }} /> : <Purse balances={coins.balances} />}
      <div className={style['filters']}>
        <Select<Asset[]>
          mode="multiple"
          allowClear
          className={style['grow'] ?? ''}
          value={wish.assets ?? []}
          placeholder={t`All coins, points and items`}
          aria-label={t`Show only`}
          options={assets.map(asset => ({ value: asset, label: words(assetLabels[asset]) }))}
          onChange={chosen => setWish(({ assets: _before, ...rest }) => (chosen.length === 0 ? rest : { ...rest, assets: chosen }))}
        />
        <Segmented<'all' | 'in' | 'out'>
          value={wish.direction ?? 'all'}
          aria-label={t`Direction`}
          options={[
            { value: 'all', label: t`All` },
            { value: 'in', label: t`Got` },
            { value: 'out', label: t`Given` },
          ]}
          onChange={chosen => setWish(({ direction: _before, ...rest }) => (chosen === 'all' ? rest : { ...rest, direction: chosen }))}
        />
        <DatePicker.RangePicker
          allowEmpty={[true, true]}
          aria-label={t`Days`}
          onChange={range => {
            const { from: _from, until: _until, ...rest } = wish
            const [from, until] = range ?? [null, null]
            setWish({
              ...rest,
              ...(from === null ? {} : { from: from.startOf('day').toISOString() }),
              ...(until === null ? {} : { until: until.endOf('day').toISOString() }),
            })
          }}
        />
        <Button icon={<DownloadOutlined aria-hidden />} href={historyFile(wish)} download>
          <Trans>Export (CSV)</Trans>
        </Button>
      </div>
      {history.error !== null ? (
        <EmptyState
          title={t`The history can’t be shown`}
          text={wordsOfError(history.error)}
          action={<Button onClick={() => void history.refetch()}>{t`Try again`}</Button>}
        />
      ) : history.isPending ? (
        <Skeleton active />
      ) : lines.length === 0 ? (
        filtered ? (
          <EmptyState
            title={t`Nothing fits`}
            text={t`Choose other days, or show everything.`}
            action={<Button onClick={() => change({})}>{t`Show everything`}</Button>}
          />
        ) : (
          <EmptyState title={t`Nothing yet`} text={t`What you get and give shows here.`} />
        )
      ) : (
        <ul className={style['history']} aria-label={t`History`}>
          {lines.map(line => (
            <li key={`${line.id} ${line.asset}`} data-entry={line.entry}>
              <AssetMark asset={line.asset} size={16} />
              <span className={style['what']}>
                <strong>{words(entryLabels[line.entry])}</strong>
                <small>
                  <time dateTime={line.at}>{moment(line.at)}</time>
                  {aboutWords(line.about) === '' ? null : ` · ${aboutWords(line.about)}`}
                </small>
              </span>
              <span className={`${style['amount']} h-num`} data-in={line.amount > 0 || undefined}>
                {signed(line.amount)} <small>{words(assetLabels[line.asset])}</small>
              </span>
            </li>
          ))}
        </ul>
      )}
      {history.hasNextPage ? (
        <Button block loading={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      ) : null}
    </>
  )
}
