import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import style from './ui.module.css'

type Props = { tone: 'info' | 'warn' | 'bad'; title: string; text: string; action?: ReactNode; close?: () => void }

/** Something to know about the whole page, above it. */
export function Banner({ tone, title, text, action, close }: Props) {
  const { t } = useLingui()
  return (
    <div className={style['banner']} data-tone={tone} role="alert">
      <p>
        <strong>{title}</strong> {text}
      </p>
      {action}
      {close === undefined ? null : (
        <button type="button" className={style['close']} aria-label={t`Close`} onClick={close}>
          <svg width="12" height="12" viewBox="0 0 12 12" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" aria-hidden="true">
            <path d="M2 2l8 8M10 2l-8 8" />
          </svg>
        </button>
      )}
    </div>
  )
}
