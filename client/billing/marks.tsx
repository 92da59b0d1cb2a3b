// Signs of coins, points and items: one line weight, each its own colour on a soft ground, the same in light and dark.
import type { ReactNode } from 'react'
import type { Asset } from '../../model-schema/business/coins.ts'
import style from './billing.module.css'

const drawings: Readonly<Record<Asset, ReactNode>> = {
  coins: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7.8 15 12l-3 4.2L9 12z" />
    </>
  ),
  points: <path d="m12 3.5 2.6 5.4 5.9.8-4.3 4.1 1.1 5.9-5.3-2.9-5.3 2.9 1.1-5.9-4.3-4.1 5.9-.8z" />,
  goldKey: (
    <>
      <circle cx="8" cy="12" r="4.5" />
      <path d="M12.5 12H21M17.5 12v3.5M20.5 12v2.5M6.8 12h2.4M8 10.8v2.4" />
    </>
  ),
  key: (
    <>
      <circle cx="8" cy="12" r="4.5" />
      <path d="M12.5 12H21M17.5 12v3.5M20.5 12v2.5" />
    </>
  ),
  commonComponent: (
    <>
      <path d="m12 3.5 7.5 4.2v8.6L12 20.5l-7.5-4.2V7.7z" />
      <path d="m4.5 7.7 7.5 4.2 7.5-4.2M12 11.9v8.6" />
    </>
  ),
  advancedComponent: (
    <>
      <path d="m8 3.8 4.6 2.6v5.2L8 14.2l-4.6-2.6V6.4zM16 9.8l4.6 2.6v5.2L16 20.2l-4.6-2.6v-5.2z" />
      <path d="m11.4 12.4 4.6 2.6 4.6-2.6M16 15v5.2" />
    </>
  ),
  energy: <path d="M13.2 3 5.5 13.4h5.3L9.8 21l8.7-11.2h-5.6z" />,
  workspace: (
    <>
      <rect x="3.5" y="5.5" width="17" height="13" rx="2" />
      <path d="M3.5 9.5h17M9 9.5v9" />
    </>
  ),
}

export function AssetMark({ asset, size = 24 }: { asset: Asset; size?: number }) {
  return (
    <span className={style['mark']} data-asset={asset} style={{ inlineSize: size * 1.7, blockSize: size * 1.7 }} aria-hidden="true">
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        {drawings[asset]}
      </svg>
    </span>
  )
}
