// Two-step verification of one's account: is it on, how many recovery codes are left; switched on, off, new codes.
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { server } from '../api.ts'
import style from '../workspace/workspace.module.css'
import { SecondFactorDialog } from './SecondFactorDialog.tsx'
import type { Wish } from './SecondFactorDialog.tsx'

/** So few that new ones should be made. */
const FEW = 3

export function SecondFactor() {
  const { t } = useLingui()
  const queries = useQueryClient()
  const [wish, setWish] = useState<Wish | null>(null)
  const state = useQuery({ queryKey: ['second-factor'], queryFn: async () => (await server.accounts['second-factor'].$get()).json() })
  if (state.data === undefined) return null
  const { on, codesLeft } = state.data
  return (
    <section className={style['group']} aria-label={t`Two-step verification`}>
      <h2>
        <Trans>Two-step verification</Trans> <span>{on ? <Trans>on</Trans> : <Trans>off</Trans>}</span>
      </h2>
      <p className={style['muted']} style={{ marginBlockEnd: 8 }}>
        {on ? (
          codesLeft < FEW ? (
            <Trans>Recovery codes left: {codesLeft}. Make new ones before they run out.</Trans>
          ) : (
            <Trans>Recovery codes left: {codesLeft}.</Trans>
          )
        ) : (
          <Trans>Signing in then takes a code from an app on your phone besides your password.</Trans>
        )}
      </p>
      <div className={style['row']}>
        {on ? (
          <>
            <Button onClick={() => setWish('codes')}>
              <Trans>New recovery codes</Trans>
            </Button>
            <Button onClick={() => setWish('off')}>
              <Trans>Switch off</Trans>
            </Button>
          </>
        ) : (
          <Button onClick={() => setWish('on')}>
            <Trans>Set up</Trans>
          </Button>
        )}
      </div>
      {wish === null ? null : (
        <SecondFactorDialog
          wish={wish}
          close={() => {
            setWish(null)
            void queries.invalidateQueries({ queryKey: ['second-factor'] })
          }}
        />
      )}
    </section>
  )
}
