// The user's balances, in a row.
import { useLingui } from '@lingui/react/macro'
import { assetLabels, assets } from '../../model-schema/business/coins.ts'
import type { Asset } from '../../model-schema/business/coins.ts'
import { useWords } from '../i18n/locale.ts'
import { useFormats } from './billing.ts'
import { AssetMark } from './marks.tsx'
import style from './billing.module.css'

export function Purse({ balances }: { balances: Readonly<Record<Asset, number>> }) {
  const { t } = useLingui()
  const words = useWords()
  const { number } = useFormats()
  return (
    <ul className={style['purse']} aria-label={t`What you have`}>
      {assets.map(asset => (
        <li key={asset} data-asset={asset} data-great={asset === 'coins' || asset === 'points' || undefined}>
          <AssetMark asset={asset} size={18} />
          <strong className="h-num">{number(balances[asset])}</strong>
          <span>{words(assetLabels[asset])}</span>
        </li>
      ))}
    </ul>
  )
}
