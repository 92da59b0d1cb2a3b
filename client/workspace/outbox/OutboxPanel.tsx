// Changes that the server has not confirmed, one entry each: its content, its state, and the actions for a refused one.
import { CheckOutlined, CloudUploadOutlined, ExclamationCircleOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useLiveQuery } from 'dexie-react-hooks'
import { Button, Input } from 'antd'
import { useState } from 'react'
import type { ErrorCode } from '../../../sync-server/protocol.ts'
import { device } from '../../local/device.ts'
import type { OutboxRow } from '../../local/device.ts'
import { nudge } from '../../local/nudge.ts'
import { dismissChange, keepOnDevice, renameChange, retryAll, retryChange } from '../../local/resolve.ts'
import { When } from '../../ui/When.tsx'
import { wordsOfCode } from '../../ui/notices.ts'
import { complain, confirmed, say } from '../../ui/toast.ts'
import style from '../workspace.module.css'

/** A change of the catalogue, or edits of a document; newest last. */
type Entry = {
  key: string
  file: string
  name: string
  at: number
  refused: ErrorCode | null
  row: OutboxRow | null
  content: boolean
}

export function useOutbox(user: string): Entry[] | undefined {
  return useLiveQuery(async () => {
    const [outbox, dirty, docs, files] = await Promise.all([
      device.outbox.where('user').equals(user).sortBy('seq'),
      device.dirty.where('user').equals(user).toArray(),
      device.docs.where('user').equals(user).toArray(),
      device.files.where('user').equals(user).toArray(),
    ])
    const names = new Map(files.map(file => [file.id, file.name]))
    const here = new Map(docs.map(doc => [doc.id, doc]))
    const untold = new Set(outbox.map(row => row.file))
    const nameOf = (id: string, change?: OutboxRow['change']): string =>
      names.get(id) ?? (change !== undefined && 'name' in change ? change.name : id)
    return [
      ...outbox.map(row => ({
        key: `change ${row.seq}`,
        file: row.file,
        name: nameOf(row.file, row.change),
        at: row.at,
        refused: row.refused ?? null,
        row,
        content: here.has(row.file),
      })),
      ...[...new Set(dirty.map(row => row.id))]
        .filter(id => !untold.has(id))
        .map(id => ({
          key: `edits ${id}`,
          file: id,
          name: nameOf(id),
          at: Math.max(...dirty.filter(row => row.id === id).map(row => row.at)),
          refused: here.get(id)?.refused ?? null,
          row: null,
          content: here.has(id),
        })),
    ]
  }, [user])
}

export function OutboxPanel({ user, entries, online }: { user: string; entries: readonly Entry[]; online: boolean }) {
  const refused = entries.some(entry => entry.refused !== null)
  return (
    <section className={style['notes']} aria-labelledby="outbox">
      <h3 id="outbox">
        <Trans>Not on the server yet</Trans>
      </h3>
      {entries.length === 0 ? (
        <p className={style['muted']}>
          <CheckOutlined aria-hidden /> <Trans>The server has everything.</Trans>
        </p>
      ) : (
        <>
          <p className={style['muted']}>
            {online ? (
              <Trans>All of it is safe on this device.</Trans>
            ) : (
              <Trans>You are offline. All of it is safe on this device and sent later.</Trans>
            )}
          </p>
          <div className={style['row']}>
            <Button size="small" onClick={() => nudge()}>
              <Trans>Send now</Trans>
            </Button>
            {refused ? (
              <Button size="small" onClick={() => void retryAll(user).catch(complain)}>
                <Trans>Try all again</Trans>
              </Button>
            ) : null}
          </div>
          <ul>
            {entries.map(entry => (
              <li key={entry.key} data-refused={entry.refused !== null || undefined}>
                <EntryRow user={user} entry={entry} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function EntryRow({ user, entry }: { user: string; entry: Entry }) {
  const { t } = useLingui()
  const words = useChangeWords()
  const { refused, row, name } = entry
  return (
    <>
      <span>
        {refused === null ? (
          <CloudUploadOutlined className={style['waiting']} aria-label={t`Waiting`} role="img" />
        ) : (
          <ExclamationCircleOutlined className={style['refused']} aria-label={t`Refused`} role="img" />
        )}{' '}
        <strong>{name}</strong> · {words(row)} · <When at={new Date(entry.at).toISOString()} />
      </span>
      {refused === null ? null : (
        <>
          <span className={style['refused']}>{wordsOfCode(refused)}</span>
          <Ways user={user} entry={entry} code={refused} />
        </>
      )}
    </>
  )
}

/** The ways on from a refusal: by its reason. */
function Ways({ user, entry, code }: { user: string; entry: Entry; code: ErrorCode }) {
  const { t } = useLingui()
  const { row, name } = entry
  const [again, setAgain] = useState(`${name} (2)`)
  const run = (work: Promise<unknown>): void => void work.catch(complain)
  const untold = row?.change.do === 'create'
  const letGo = async (): Promise<void> => {
    if (row === null) return
    const sure =
      !untold ||
      !entry.content ||
      (await confirmed({
        title: t`Throw “${name}” away?`,
        content: t`The server never took it: this device holds the only copy.`,
        ok: t`Throw away`,
        cancel: t`Cancel`,
      }))
    if (sure) await dismissChange(row)
  }
  const keep = async (): Promise<void> => {
    if ((await keepOnDevice(user, entry.file, name)) !== null) say(t`A copy is in the workspace on this device.`)
  }
  return (
    <span className={style['row']}>
      {row !== null && code === 'name-taken' && (untold || row.change.do === 'rename') ? (
        <span className={style['renameEntry']}>
          <Input size="small" value={again} aria-label={t`Another name`} onChange={event => setAgain(event.target.value)} />
          <Button size="small" type="primary" onClick={() => run(renameChange(row, again))}>
            <Trans>Use this name</Trans>
          </Button>
        </span>
      ) : null}
      <Button size="small" onClick={() => (row?.seq === undefined ? nudge() : run(retryChange(row.seq)))}>
        <Trans>Try again</Trans>
      </Button>
      {entry.content && (untold || row === null) ? (
        <Button size="small" onClick={() => run(keep())}>
          <Trans>Keep on this device</Trans>
        </Button>
      ) : null}
      {row === null ? null : (
        <Button size="small" danger={untold} onClick={() => run(letGo())}>
          {untold ? <Trans>Throw away</Trans> : <Trans>Let it go</Trans>}
        </Button>
      )}
    </span>
  )
}

function useChangeWords(): (row: OutboxRow | null) => string {
  const { t } = useLingui()
  return row => {
    if (row === null) return t`edits`
    switch (row.change.do) {
      case 'create':
        return t`created`
      case 'rename':
        return t`renamed`
      case 'remark':
        return t`remark changed`
      case 'move':
        return t`moved`
      case 'tags':
        return t`tags changed`
      case 'favourite':
        return row.change.on ? t`made a favourite` : t`no longer a favourite`
      case 'link':
        return t`linked to a model`
      case 'trash':
        return t`moved to the trash`
      case 'restore':
        return t`restored`
      case 'delete':
        return t`deleted for ever`
    }
  }
}
