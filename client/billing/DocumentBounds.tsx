// Above an open document: that its workspace is beyond its plan and can only be read, or that the document holds more than the plan allows.
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import type { Session } from '../session.ts'
import { Banner } from '../ui/Banner.tsx'
import { PlainButton } from '../ui/PlainButton.tsx'
import { wordsOfLimit } from '../ui/notices.ts'
import { useSpaces } from '../workspace/spaces.ts'
import { beyond, takenBy } from './bounds.ts'
import type { Taken } from './bounds.ts'
import { useLock } from './billing.ts'

/** How long after a change it is counted again. */
const COUNT_MS = 1000

export function DocumentBounds({ session, team }: { session: Session; team: string }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const space = useSpaces().data?.find(one => one.id === team)
  const lock = useLock(space === undefined ? null : team)
  // In an organization the owner's plan counts, which others don't know.
  const isOwn = space !== undefined && (space.type !== 'organization' || space.role === 'owner')
  const usage = useQuery({ queryKey: ['usage'], queryFn: api.usage, retry: false, enabled: isOwn, staleTime: 60_000 })
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
  const over = usage.data === undefined || taken === null ? null : beyond(taken, usage.data.plan)
  if (over === null || closed === over.quantity) return null
  return (
    <Banner
      tone="warn"
      title=""
      text={wordsOfLimit(over)}
      action={
        <PlainButton small onClick={() => void navigate({ to: '/account/subscription' })}>
          <Trans>Compare plans</Trans>
        </PlainButton>
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
