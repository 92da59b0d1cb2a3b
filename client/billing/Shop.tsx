// The item shop: the items of the user, with buttons to buy, use up and return them.
import { EllipsisOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Button, Dropdown, InputNumber, Skeleton } from 'antd'
import { useState } from 'react'
import { afterFee, assetLabels, enlargements, itemNotes, items } from '../../model-schema/business/coins.ts'
import type { Economy, CoinItem, Package } from '../../model-schema/business/coins.ts'
import { useWords } from '../i18n/locale.ts'
import { complain, confirmed, say } from '../ui/toast.ts'
import { Purse } from './Purse.tsx'
import { buy, buyPackage, sell, useCoins, useFormats, useRefresh, spendItem } from './billing.ts'
import { AssetMark } from './marks.tsx'
import style from './billing.module.css'

const maxQuantity = 10_000

export function Shop() {
  const coins = useCoins()
  if (coins === undefined) return <Skeleton active />
  const { balances, economy } = coins
  return (
    <>
      <header className={style['head']}>
        <h1>
          <Trans>Item shop</Trans>
        </h1>
        <p>
          <Trans>Coins come from gifts, from inviting people, and from what others pay for your apps.</Trans>{' '}
          <Link to="/account/promotion">
            <Trans>Invite people</Trans>
          </Link>
        </p>
      </header>
      <Purse balances={balances} />
      <h2 className={style['section']}>
        <Trans>Items</Trans>
      </h2>
      <ul className={style['goods']}>
        {items.map(item => (
          <ItemCard key={item} item={item} has={balances[item]} economy={economy} />
        ))}
      </ul>
      <h2 className={style['section']}>
        <Trans>Packages</Trans>
      </h2>
      <ul className={style['goods']}>
        {economy.packages.map(one => (
          <PackageCard key={one.id} offer={one} economy={economy} />
        ))}
      </ul>
    </>
  )
}

function useDeed(): [boolean, (work: () => Promise<void>, done: string) => void] {
  const refresh = useRefresh()
  const [isBusy, setBusy] = useState(false)
  const act = async (work: () => Promise<void>, done: string): Promise<void> => {
    setBusy(true)
    try {
      await work()
      say(done)
    } catch (error) {
      complain(error)
    } finally {
      setBusy(false)
      await refresh()
    }
  }
  return [isBusy, (work, done) => void act(work, done)]
}

function ItemCard({ item, has, economy }: { item: CoinItem; has: number; economy: Economy }) {
  const { t } = useLingui()
  const words = useWords()
  const { number } = useFormats()
  const [count, setCount] = useState(1)
  const [isBusy, act] = useDeed()
  const name = words(assetLabels[item])
  const price = economy.prices[item] * count
  const usable = item === 'commonComponent' || item === 'advancedComponent' || item === 'workspace' ? item : null
  const back = afterFee(Math.floor(economy.prices[item] * economy.buyBackRate), economy.feeRate).net
  const entries = [
    ...(usable === null || enlargements[usable] === undefined ? [] : [{ key: 'use', label: t`Use one`, disabled: has === 0 }]),
    { key: 'sell', label: t`Sell one for ${back} coins`, disabled: has === 0 },
  ]
  const choose = async (key: string): Promise<void> => {
    if (key === 'use' && usable !== null) {
      const sure = await confirmed({ title: t`Use one: ${name}?`, content: words(itemNotes[item]), ok: t`Use it`, cancel: t`Keep it` })
      if (sure) act(() => spendItem(usable, 1), t`Used: ${name}. Your plan has room for more now.`)
    }
    if (key === 'sell') {
      const question = t`The shop takes it back for a part of its price, less the fee of the platform.`
      const sure = await confirmed({ title: t`Sell one: ${name}?`, content: question, ok: t`Sell it`, cancel: t`Keep it` })
      if (sure) act(() => sell(item, 1), t`Sold: ${name}.`)
    }
  }
  return (
    <li className={style['good']} aria-label={name}>
      <AssetMark asset={item} />
      <div className={style['goodText']}>
        <h3>{name}</h3>
        <p>{words(itemNotes[item])}</p>
        <p className={style['has']}>{has === 0 ? <Trans>You have none.</Trans> : <Trans>You have {number(has)}.</Trans>}</p>
      </div>
      <Dropdown menu={{ items: entries, onClick: ({ key }) => void choose(key) }} trigger={['click']} placement="bottomRight">
        <Button type="text" className={style['more'] ?? ''} icon={<EllipsisOutlined aria-hidden />} aria-label={t`More with ${name}`} />
      </Dropdown>
      <div className={style['buy']}>
        <InputNumber
          min={1}
          max={maxQuantity}
          precision={0}
          value={count}
          onChange={value => setCount(value ?? 1)}
          aria-label={t`How many: ${name}`}
        />
        <Button type="primary" loading={isBusy} onClick={() => act(() => buy(item, count), t`Bought: ${name}.`)}>
          <Trans>Buy for {number(price)} coins</Trans>
        </Button>
      </div>
    </li>
  )
}

function PackageCard({ offer, economy }: { offer: Package; economy: Economy }) {
  const { t } = useLingui()
  const words = useWords()
  const { number } = useFormats()
  const [isBusy, act] = useDeed()
  const name = words(offer.label)
  const contents = items.flatMap(item => {
    const count = offer.contents[item] ?? 0
    return count === 0 ? [] : [{ item, count }]
  })
  const worth = contents.reduce((sum, { item, count }) => sum + count * economy.prices[item], 0)
  return (
    <li className={style['good']} aria-label={name}>
      <div className={style['goodText']}>
        <h3>{name}</h3>
        <ul className={style['contents']}>
          {contents.map(({ item, count }) => (
            <li key={item}>
              <AssetMark asset={item} size={16} />
              <span>{words(assetLabels[item])}</span>
              <strong className="h-num">× {number(count)}</strong>
            </li>
          ))}
        </ul>
      </div>
      <div className={style['buy']}>
        {worth > offer.price ? (
          <s className="h-num" aria-label={t`Singly ${number(worth)} coins`}>
            {number(worth)}
          </s>
        ) : (
          <span />
        )}
        <Button type="primary" loading={isBusy} onClick={() => act(() => buyPackage(offer.id), t`Bought: ${name}.`)}>
          <Trans>Buy for {number(offer.price)} coins</Trans>
        </Button>
      </div>
    </li>
  )
}
