// Above the files of a workspace that is beyond its plan: why nothing can be edited, and how it can again.
import { KeyOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { keyDays } from '../../model-schema/business/coins.ts'
import { quantityLabels } from '../../model-schema/business/plans.ts'
import { useWords } from '../i18n/locale.ts'
import { complain, say } from '../ui/toast.ts'
import { unlock, useFormats, useLock, useRefresh } from './billing.ts'
import style from './billing.module.css'

/** `mayUnlock`: an editor of the workspace, with keys to use. */
export function LockBanner({ team, mayUnlock }: { team: string; mayUnlock: boolean }) {
  const { t } = useLingui()
  const words = useWords()
  const { number, day } = useFormats()
  const lock = useLock(team)
  const refresh = useRefresh()
  const [isBusy, setBusy] = useState(false)
  if (lock === null) return null
  if (lock.isOpen)
    return (
      <Alert
        className={style['note'] ?? ''}
        type="info"
        showIcon
        icon={<KeyOutlined aria-hidden />}
        title={t`Editing is unlocked until ${day(lock.unlockedUntil ?? lock.since)}.`}
      />
    )
  const label = Object.entries(quantityLabels).find(([id]) => id === lock.quantity)?.[1]
  const open = async (item: 'key' | 'goldKey'): Promise<void> => {
    setBusy(true)
    try {
      await unlock(team, item)
      say(t`Editing is unlocked.`)
    } catch (error) {
      complain(error)
    } finally {
      setBusy(false)
      await refresh()
    }
  }
  return (
    <Alert
      className={style['note'] ?? ''}
      type="warning"
      showIcon
      title={t`This workspace is beyond the limits of its plan and can only be read.`}
      description={
        <div className={style['lock']}>
          <p>
            {label === undefined ? null : (
              <Trans>
                {words(label)}: {number(lock.used)} of {number(lock.allowed)}. Delete some, choose a larger plan, or unlock editing with a
                key.
              </Trans>
            )}
          </p>
          <div className={style['actions']}>
            {mayUnlock ? (
              <>
                <Button type="primary" loading={isBusy} onClick={() => void open('key')}>
                  <Trans>Unlock for {keyDays.key} days with a key</Trans>
                </Button>
                <Button disabled={isBusy} onClick={() => void open('goldKey')}>
                  <Trans>For a year with a gold key</Trans>
                </Button>
              </>
            ) : null}
            <Link to="/account/subscription">
              <Trans>Compare plans</Trans>
            </Link>
          </div>
        </div>
      }
    />
  )
}
