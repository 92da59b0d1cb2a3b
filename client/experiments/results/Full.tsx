// A history that is full, on this device or on the server: why nothing more is kept, and everything that could be deleted, whatever experiment it is of.
import { DeleteOutlined } from '@ant-design/icons'
import { Plural, useLingui } from '@lingui/react/macro'
import { Alert, Button } from 'antd'
import { useEffect, useState, type ReactNode } from 'react'
import type { PlanLevel } from '../../../model-schema/business/plans.ts'
import { wordsOfLimit } from '../../ui/notices.ts'
import { complain } from '../../ui/toast.ts'
import { allEntries } from '../history.ts'
import { useMoment } from '../moment.ts'
import type { RemoteResult } from '../remote.ts'
import { useConducting, useExperiment } from '../scope.ts'
import { Upgrade } from '../Upgrade.tsx'

/** The oldest first: those are missed least. */
const mostShown = 50

export function FullHere({ allowed, level }: { allowed: number; level: PlanLevel | null }) {
  const { t } = useLingui()
  const { conductor, session } = useExperiment()
  const history = useConducting(state => state.history)
  const running = useConducting(state => (state.status === 'running' ? state.entry?.id : null))
  const [all, setAll] = useState<Awaited<ReturnType<typeof allEntries>>>([])
  const user = session.target.user.id
  useEffect(() => {
    allEntries(user).then(setAll, complain)
    // Whenever the history changed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [user, history])
  return (
    <Full
      title={t`The history is full: delete entries`}
      why={
        level === null
          ? t`Without an account, ${allowed} entries are kept on this device.`
          : wordsOfLimit({ quantity: 'localRuns', allowed })
      }
      text={t`Nothing new can be started or taken from the server until there is room. Entries of other experiments count too.`}
      isPlanned={level !== null}
    >
      {all.slice(0, mostShown).map(({ id, name, startedAt, runs }) => (
        <Row
          key={id}
          name={name}
          startedAt={startedAt}
          runs={runs}
          disabled={id === running}
          forget={() => void conductor.forget([id]).catch(complain)}
        />
      ))}
    </Full>
  )
}

type There = {
  allowed: number
  results: readonly RemoteResult[]
  forget: (one: RemoteResult) => void
}

export function FullThere({ allowed, results, forget }: There) {
  const { t } = useLingui()
  return (
    <Full
      title={t`The history on the server is full: delete results`}
      why={wordsOfLimit({ quantity: 'remoteRuns', allowed })}
      text={t`Nothing more can be kept there until there is room. Results of other experiments count too.`}
      isPlanned
    >
      {results.slice(0, mostShown).map(one => (
        <Row key={one.id} name={one.file} startedAt={one.startedAt} runs={one.runs} disabled={false} forget={() => forget(one)} />
      ))}
    </Full>
  )
}

type FullOf = {
  title: string
  why: string
  text: string
  /** The limit is set by a plan, and another plan may allow more. */ isPlanned: boolean
  children: ReactNode
}

function Full({ title, why, text, isPlanned, children }: FullOf) {
  const { t } = useLingui()
  return (
    <Alert
      type="warning"
      showIcon
      title={title}
      description={
        <>
          <p>
            {why} {text} {isPlanned && <Upgrade />}
          </p>
          <details>
            <summary>{t`What could be deleted`}</summary>
            <ul className="x-deletable">{children}</ul>
          </details>
        </>
      }
    />
  )
}

type RowOf = { name: string; startedAt: string; runs: number; disabled: boolean; forget: () => void }

function Row({ name, startedAt, runs, disabled, forget }: RowOf) {
  const { t } = useLingui()
  const moment = useMoment()
  return (
    <li>
      <span>
        <bdi>{name}</bdi>{' '}
        <span className="h-muted h-num">
          {moment(startedAt)} · <Plural value={runs} one="# run" other="# runs" />
        </span>
      </span>
      <Button
        size="small"
        type="text"
        icon={<DeleteOutlined aria-hidden />}
        aria-label={t`Delete ${name} of ${moment(startedAt)}`}
        disabled={disabled}
        onClick={forget}
      />
    </li>
  )
}
