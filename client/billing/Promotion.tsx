// Inviting people: the user's link, its rewards, and the rewards so far.
import { CopyOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Input, Skeleton } from 'antd'
import { complain, say } from '../ui/toast.ts'
import { useFormats, useReferral } from './billing.ts'
import { AssetMark } from './marks.tsx'
import style from './billing.module.css'

export function Promotion() {
  const { t } = useLingui()
  const { number } = useFormats()
  const referral = useReferral()
  if (referral === undefined) return <Skeleton active />
  const { link, code, terms, invited, rewarded, coins, points } = referral
  const copy = (text: string): void =>
    void navigator.clipboard
      .writeText(text)
      .then(() => say(t`Copied.`))
      .catch(complain)
  return (
    <>
      <header className={style['head']}>
        <h1>
          <Trans>Invite people</Trans>
        </h1>
        <p>
          <Trans>
            Whoever registers by your link gets the gift for newcomers. When they activate their account, you get {number(terms.coins)}{' '}
            coins and {number(terms.points)} points.
          </Trans>
        </p>
      </header>
      <section className={style['invite']}>
        <label htmlFor="referral-link">
          <Trans>Your link</Trans>
        </label>
        <div className={style['copy']}>
          <Input id="referral-link" readOnly value={link} onFocus={event => event.target.select()} />
          <Button type="primary" icon={<CopyOutlined aria-hidden />} onClick={() => copy(link)}>
            <Trans>Copy the link</Trans>
          </Button>
        </div>
        <p className={style['muted']}>
          <Trans>
            Or tell them the invitation code <strong>{code}</strong>.
          </Trans>
        </p>
      </section>
      <ul className={style['figures']}>
        <li>
          <strong className="h-num">{number(invited)}</strong>
          <span>
            <Trans>people came</Trans>
          </span>
        </li>
        <li>
          <strong className="h-num">{number(rewarded)}</strong>
          <span>
            <Trans>were rewarded</Trans>
          </span>
        </li>
        <li>
          <AssetMark asset="coins" size={18} />
          <strong className="h-num">{number(coins)}</strong>
          <span>
            <Trans>coins earned</Trans>
          </span>
        </li>
        <li>
          <AssetMark asset="points" size={18} />
          <strong className="h-num">{number(points)}</strong>
          <span>
            <Trans>points earned</Trans>
          </span>
        </li>
      </ul>
      <p className={style['muted']}>
        <Trans>
          Each mailbox counts once, and nobody is rewarded for their own. Up to {number(terms.mostPerMonth)} people are rewarded in 30 days.
        </Trans>
      </p>
    </>
  )
}
