import { Trans } from '@lingui/react/macro'
import { Button } from 'antd'
import { useLiveQuery } from 'dexie-react-hooks'
import { Suspense, useState } from 'react'
import { api } from '../api.ts'
import { device } from '../local/device.ts'
import { importedPart } from '../ui/loading/updates.ts'
import style from '../workspace/workspace.module.css'

const Log = importedPart(
  () => import('../workspace/team/Log.tsx'),
  module => module.Log,
)

/** The log of this account, with addresses: fetched when opened. */
export function OwnLog() {
  const [open, setOpen] = useState(false)
  const names = useLiveQuery(async () => new Map((await device.files.toArray()).map(file => [file.id, file.name])), [])
  return (
    <section className={style['group']}>
      <h2>
        <Trans>What was done with this account</Trans>
      </h2>
      {open ? (
        <Suspense>
          <Log of="account" read={api.ownLog} names={names ?? new Map()} />
        </Suspense>
      ) : (
        <Button onClick={() => setOpen(true)}>
          <Trans>Show the log</Trans>
        </Button>
      )}
    </section>
  )
}
