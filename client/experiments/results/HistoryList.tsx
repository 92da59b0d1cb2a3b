// Earlier runs, on this device and on the server: shown again, compared side by side, uploaded or downloaded, deleted. Full when the plan's
// number of entries is reached; then it suggests which to delete.
import { CloudDownloadOutlined, CloudUploadOutlined, DeleteOutlined } from '@ant-design/icons'
import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { kindOf } from '../../../model-schema/kinds.ts'
import { useWords } from '../../i18n/locale.ts'
import { complain, confirmed, say, warn } from '../../ui/toast.ts'
import { When } from '../../ui/When.tsx'
import { isOfEngine } from '../conduct/engine.ts'
import { samplesOf, type Entry } from '../history.ts'
import { remoteKey } from '../limits.ts'
import { useMoment } from '../moment.ts'
import { deleteRemote, fetchResult, remoteOf, upload, type RemoteResult } from '../remote.ts'
import { useConducting, useExperiment } from '../scope.ts'
import { Compared, type Comparable } from './Compared.tsx'
import { ServerJobs } from './ServerJobs.tsx'
import { FullHere, FullThere } from './Full.tsx'
import { useNumber } from './useNumber.ts'

type Props = { compared: readonly string[]; setCompared: (ids: readonly string[]) => void }

export function HistoryList({ compared, setCompared }: Props) {
  const { t } = useLingui()
  const { session, limits } = useExperiment()
  const history = useHistory({ compared, setCompared })
  const { entries, results, room, full, busy, forget } = history
  const here = new Set(entries.map(({ id }) => id))
  const all: Comparable[] = [
    ...entries.map(entry => ({ ...entry, local: entry, remote: null })),
    ...results.filter(({ id }) => !here.has(id)).map(one => ({ ...one, local: null, remote: one })),
  ]
  const chosen = all.filter(({ id }) => compared.includes(id))
  const chosenHere = chosen.filter(({ local }) => local !== null)
  return (
    <div className="x-pane">
      {full && <FullHere allowed={limits.localRuns ?? 0} level={limits.level} />}
      {entries.length > 0 && <Here history={history} />}
      {/* A new experiment has nothing to be said about its history. */}
      {room !== undefined && (entries.length > 0 || results.length > 0) && <There history={history} room={room} />}
      {!session.target.local && <ServerJobs docId={session.docId} disabled={full || busy} />}
      {history.isOffline && <p className="x-hint">{t`The server cannot be reached: results kept there are not shown.`}</p>}
      {chosenHere.length > 1 && (
        <div className="x-line">
          <Button size="small" danger disabled={busy} onClick={() => void forget(chosenHere.map(({ id }) => id)).catch(complain)}>
            <Plural value={chosenHere.length} one="Delete the chosen entry" other="Delete the # chosen entries" />
          </Button>
        </div>
      )}
      {chosen.length > 1 ? (
        <Compared entries={chosen} />
      ) : (
        all.length > 1 && <p className="x-hint">{t`Choose two or more entries to compare what they found.`}</p>
      )}
    </div>
  )
}

type Room = NonNullable<Awaited<ReturnType<typeof remoteOf>>>['room']
type Kept = ReturnType<typeof useHistory>

/** The entries on this device and on the server, and the actions on them. */
function useHistory({ compared, setCompared }: Props) {
  const { t } = useLingui()
  const { conductor, session } = useExperiment()
  const { history: entries, full, status, entry: current } = useConducting(state => state)
  const { docId } = session
  const client = useQueryClient()
  const remote = useQuery({ queryKey: remoteKey(docId), queryFn: () => remoteOf(docId), enabled: !session.target.local, retry: false })
  // The id of what is on its way.
  const [moving, setMoving] = useState<string | null>(null)
  const room = remote.data?.room

  const move = async (id: string, work: () => Promise<void>): Promise<void> => {
    setMoving(id)
    try {
      await work()
    } finally {
      setMoving(null)
      await client.invalidateQueries({ queryKey: remoteKey(docId) })
    }
  }
  const send = (entry: Entry): Promise<void> =>
    move(entry.id, async () => {
      await upload(docId, entry, await samplesOf(entry.id))
      say(t`It is on the server now, for everybody who may see this experiment.`)
    })
  const fetch = ({ id }: RemoteResult): Promise<void> =>
    move(id, async () => {
      const fetched = await fetchResult(docId, id)
      if (fetched === null) return warn(t`This version cannot read the result.`)
      if (!(await conductor.take(id, fetched.entry, fetched.samples))) return warn(t`The history is full: delete entries`)
      say(t`It is on this device now.`)
    })
  const forget = async (ids: readonly string[]): Promise<void> => {
    const sure = await confirmed({
      title: t`Delete from the history?`,
      content: t`${plural(ids.length, { one: 'All samples of # entry are deleted from this device.', other: 'All samples of # entries are deleted from this device.' })} This cannot be undone.`,
      ok: t`Delete`,
      cancel: t`Cancel`,
    })
    if (!sure) return
    await conductor.forget(ids)
    setCompared(compared.filter(id => !ids.includes(id)))
  }
  const forgetThere = async ({ id }: RemoteResult): Promise<void> => {
    const sure = await confirmed({
      title: t`Delete from the server?`,
      content: t`The result is deleted for everybody. This cannot be undone.`,
      ok: t`Delete`,
      cancel: t`Cancel`,
    })
    if (sure) await move(id, () => deleteRemote(docId, id))
  }
  return {
    entries,
    current,
    full,
    busy: status === 'running',
    moving,
    results: remote.data?.results ?? [],
    deletable: remote.data?.deletable ?? [],
    room,
    fullThere: room !== undefined && room.allowed !== null && room.count >= room.allowed,
    isOffline: remote.isError,
    move,
    send,
    fetch,
    forget,
    forgetThere,
    compares: (id: string): boolean => compared.includes(id),
    compare: (id: string, on: boolean): void => setCompared(on ? [...compared, id] : compared.filter(one => one !== id)),
  }
}

function Check({ history, id, startedAt }: { history: Kept; id: string; startedAt: string }) {
  const { t } = useLingui()
  const moment = useMoment()
  return (
    <td>
      <Checkbox
        checked={history.compares(id)}
        aria-label={t`Compare the entry of ${moment(startedAt)}`}
        onChange={event => history.compare(id, event.target.checked)}
      />
    </td>
  )
}

function Here({ history }: { history: Kept }) {
  const { t } = useLingui()
  const { conductor, session } = useExperiment()
  const { entries, results, current, busy, moving, fullThere, send, forget } = history
  const known = new Set(results.map(({ id }) => id))
  return (
    <div className="x-scroll">
      <table className="x-figures x-history">
        <caption>{t`On this device`}</caption>
        <Heads />
        <tbody>
          {entries.map(entry => {
            const isShown = current?.id === entry.id
            return (
              <tr key={entry.id} data-on={isShown || undefined}>
                <Check history={history} id={entry.id} startedAt={entry.startedAt} />
                <Facts
                  startedAt={entry.startedAt}
                  type={entry.experiment.type}
                  runs={entry.runs}
                  failed={entry.failed}
                  ended={isShown && busy ? 'now' : entry.ended}
                  isOther={!isOfEngine(entry)}
                />
                <td>
                  <span className="x-line">
                    <Button size="small" disabled={busy || isShown} onClick={() => void conductor.show(entry).catch(complain)}>
                      <Trans>Show</Trans>
                    </Button>
                    {!session.target.local && (
                      <Button
                        size="small"
                        type="text"
                        icon={<CloudUploadOutlined aria-hidden />}
                        aria-label={t`Keep on the server`}
                        title={known.has(entry.id) ? t`Is on the server; keep it there as it is now` : t`Keep on the server`}
                        data-testid="upload"
                        loading={moving === entry.id}
                        disabled={(fullThere && !known.has(entry.id)) || (isShown && busy) || entry.runs === 0}
                        onClick={() => void send(entry).catch(complain)}
                      />
                    )}
                    <Button
                      size="small"
                      type="text"
                      icon={<DeleteOutlined aria-hidden />}
                      aria-label={t`Delete`}
                      title={t`Delete`}
                      disabled={isShown && busy}
                      onClick={() => void forget([entry.id]).catch(complain)}
                    />
                  </span>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function There({ history, room }: { history: Kept; room: Room }) {
  const { t } = useLingui()
  const number = useNumber()
  const { entries, results, deletable, full, fullThere, moving, move, fetch, forgetThere } = history
  const here = new Set(entries.map(({ id }) => id))
  const megabytes = (bytes: number): string => number(Math.round(bytes / 1e5) / 10)
  return (
    <>
      {fullThere && (
        <FullThere
          allowed={room.allowed ?? 0}
          results={deletable}
          forget={one => void move(one.id, () => deleteRemote(one.fileId, one.id)).catch(complain)}
        />
      )}
      <div className="x-scroll">
        <table className="x-figures x-history" data-testid="remote">
          <caption>
            {t`On the server`}{' '}
            <span className="h-muted h-num">
              {room.allowed === null ? number(room.count) : t`${number(room.count)} of ${number(room.allowed)}`}
              {' · '}
              {room.allowedBytes === null
                ? t`${megabytes(room.bytes)} MB`
                : t`${megabytes(room.bytes)} of ${megabytes(room.allowedBytes)} MB`}
            </span>
          </caption>
          {results.length > 0 && <Heads />}
          <tbody>
            {results.map(one => (
              <tr key={one.id}>
                <Check history={history} id={one.id} startedAt={one.startedAt} />
                <Facts startedAt={one.startedAt} type={one.type} runs={one.runs} failed={one.failed} ended={one.ended} />
                <td>
                  <span className="x-line">
                    <Button
                      size="small"
                      icon={<CloudDownloadOutlined aria-hidden />}
                      data-testid="download"
                      loading={moving === one.id}
                      disabled={full || here.has(one.id)}
                      onClick={() => void fetch(one).catch(complain)}
                    >
                      {here.has(one.id) ? <Trans>On this device</Trans> : <Trans>Download</Trans>}
                    </Button>
                    <Button
                      size="small"
                      type="text"
                      icon={<DeleteOutlined aria-hidden />}
                      aria-label={t`Delete from the server`}
                      title={one.by === null ? t`Delete from the server` : t`Delete from the server (kept by ${one.by})`}
                      onClick={() => void forgetThere(one).catch(complain)}
                    />
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {results.length === 0 && (
        <p className="x-hint">{t`Nothing yet. What is kept there is seen by everybody who may see this experiment.`}</p>
      )}
    </>
  )
}

function Heads() {
  const { t } = useLingui()
  return (
    <thead>
      <tr>
        <th scope="col">{t`Compare`}</th>
        <th scope="col">{t`Begun`}</th>
        <th scope="col">{t`Type`}</th>
        <th scope="col">{t`Runs`}</th>
        <th scope="col">{t`Failed`}</th>
        <th scope="col">{t`State`}</th>
        <th aria-hidden="true" />
      </tr>
    </thead>
  )
}

type FactsOf = { startedAt: string; type: string; runs: number; failed: number; ended: string; isOther?: boolean }

function Facts({ startedAt, type, runs, failed, ended, isOther = false }: FactsOf) {
  const { t } = useLingui()
  const words = useWords()
  const number = useNumber()
  const types = kindOf('experiment')?.fields.find(({ id }) => id === 'type')?.type
  const label = types?.as === 'choice' ? types.options[type] : undefined
  const endings: Readonly<Record<string, string>> = {
    now: t`running`,
    running: t`interrupted`,
    finished: t`finished`,
    budget: t`most runs reached`,
    stopped: t`stopped`,
    failed: t`interrupted`,
  }
  return (
    <>
      <td data-text>
        <When at={startedAt} />
      </td>
      <td data-text>{label ? words(label) : type}</td>
      <td>{number(runs)}</td>
      <td>{number(failed)}</td>
      <td data-text>
        {endings[ended] ?? ended}
        {isOther && <span className="x-other-engine">{t`another version of the engine`}</span>}
      </td>
    </>
  )
}
