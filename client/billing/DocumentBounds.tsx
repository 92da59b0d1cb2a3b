// Above an open document: that its workspace is beyond its plan and can only be read, or that the document holds more than the plan allows.
import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { beyond, takenBy, type Taken } from '../../model-schema/business/taken.ts'
import type { Session } from '../session.ts'
import { Banner } from '../ui/Banner.tsx'
import { PlainButton } from '../ui/PlainButton.tsx'
import { wordsOfLimit } from '../ui/notices.ts'
import { useSpaces } from '../workspace/team/spaces.ts'
import { useLock } from './billing.ts'
import { usePlanOfFile } from './planOfFile.ts'

/** How long after a change it is counted again. */
const COUNT_MS = 1000

export function DocumentBounds({ session, team }: { session: Session; team: string }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const space = useSpaces().data?.find(one => one.id === team)
  const lock = useLock(space === undefined ? null : team)
  const plan = usePlanOfFile(session) ?? null
  const taken = useTaken(session)
  const [closed, setClosed] = useState('')
  if (lock !== null && !lock.isOpen)
    return (
      <Banner
        tone="warn"
        title={t`Read only.`}
        text={t`This workspace is beyond the limits of its plan and can only be read. Unlock it with a key, or make room.`}
        action={
          <PlainButton small onClick={() => void navigate({ to: '/workspace/$teamCode/project', params: { teamCode: team } })}>
            <Trans>To the workspace</Trans>
          </PlainButton>
        }
      />
    )
  const over = plan === null || taken === null ? null : beyond(taken, plan)
  if (plan === null || over === null || closed === over.quantity) return null
  return (
    <Banner
      tone="warn"
      title={t`Over the limit.`}
      text={wordsOfLimit({ ...over, isOwners: plan.isOwners })}
      action={
        plan.isOwners ? undefined : (
          <PlainButton small onClick={() => void navigate({ to: '/account/subscription' })}>
            <Trans>Compare plans</Trans>
          </PlainButton>
        )
      }
      close={() => setClosed(over.quantity)}
    />
  )
}

/** Counted when the number of elements has changed, a moment later. */
function useTaken(session: Session): Taken | null {
  const [taken, setTaken] = useState<Taken | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let size = -1
    const count = (): void => setTaken(takenBy(session.model.getState().model))
    const soon = (): void => {
      const now = session.model.getState().model.elements.size
      if (now === size) return
      size = now
      clearTimeout(timer)
      timer = setTimeout(count, COUNT_MS)
    }
    soon()
    const stop = session.model.subscribe(soon)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [session])
  return taken
}
