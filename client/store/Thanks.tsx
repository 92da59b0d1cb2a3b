// A voluntary payment of coins to an author: when taking a copy, or for using what is in the store.
import { GiftOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button, InputNumber, Modal } from 'antd'
import { nanoid } from 'nanoid'
import { useState } from 'react'
import { MOST_THANKS } from '../../model-schema/business/market.ts'
import { complain, say } from '../ui/toast.ts'
import { market } from './market.ts'
import type { AppInfo } from './market.ts'
import style from './store.module.css'

export function ThanksField({ value, change }: { value: number; change: (coins: number) => void }) {
  const { t } = useLingui()
  return (
    <label>
      <Trans>Coins for the author, if you like</Trans>{' '}
      <InputNumber
        min={0}
        max={MOST_THANKS}
        precision={0}
        value={value}
        aria-label={t`Coins for the author`}
        onChange={coins => change(coins ?? 0)}
      />
    </label>
  )
}

/** Thanks the author of the page's publication; nothing if there is no author, or it is the user. */
export function ThankButton({ app }: { app: AppInfo }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const [open, setOpen] = useState(false)
  const [coins, setCoins] = useState(10)
  const [gift, setGift] = useState(() => nanoid())
  const give = useMutation({
    mutationFn: () => market.thank(app.id, gift, coins),
    async onSuccess() {
      say(t`The author has your coins.`)
      setOpen(false)
      setGift(nanoid())
      await queries.invalidateQueries({ queryKey: ['coins'] })
    },
    onError: complain,
  })
  if (app.author === null || app.may.steer) return null
  return (
    <>
      <Button icon={<GiftOutlined aria-hidden />} onClick={() => setOpen(true)}>
        <Trans>Thank the author</Trans>
      </Button>
      <Modal
        open={open}
        title={t`Thank the author of “${app.name}”`}
        okText={t`Give`}
        cancelText={t`Cancel`}
        okButtonProps={{ disabled: coins === 0 }}
        confirmLoading={give.isPending}
        onOk={() => give.mutate()}
        onCancel={() => setOpen(false)}
      >
        <div className={style['form']}>
          <ThanksField value={coins} change={setCoins} />
          <p className={style['hint']}>
            <Trans>Everything in the store is free. Coins are given of one’s own will, less the fee of the platform.</Trans>
          </p>
        </div>
      </Modal>
    </>
  )
}
