// Notifications: a list behind the bell, with the actions for each.
import { BellOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Badge, Button, Popover } from 'antd'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { roles, roleLabels } from '../../../model-schema/roles.ts'
import { api } from '../../api.ts'
import { useWords } from '../../i18n/locale.ts'
import { When } from '../../ui/When.tsx'
import { browserOf } from '../../account/browser.ts'
import { complain, notify, say } from '../../ui/toast.ts'
import { QuickAnswer } from './QuickAnswer.tsx'
import { defined } from '../../ui/defined.ts'
import style from '../workspace.module.css'

type Notification = Awaited<ReturnType<typeof api.notifications>>['notifications'][number]

const key = ['notifications']

export function Notifications() {
  const { t } = useLingui()
  const found = useQuery({ queryKey: key, queryFn: api.notifications, refetchInterval: 30_000 })
  const unread = found.data?.unread ?? 0
  useSignIns(found.data?.notifications)
  const [open, setOpen] = useState(false)
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      classNames={defined({ root: style['notesFloat'] })}
      open={open}
      onOpenChange={setOpen}
      content={<List notifications={found.data?.notifications ?? []} unread={unread} close={() => setOpen(false)} />}
    >
      <Button
        type="text"
        aria-label={unread === 0 ? t`Notifications` : t`Notifications, ${unread} unread`}
        icon={
          <Badge count={unread} size="small">
            <BellOutlined aria-hidden />
          </Badge>
        }
      />
    </Popover>
  )
}

/** Says at once when the account was signed in elsewhere since this page was opened: it may not have been its owner. */
function useSignIns(notifications: readonly Notification[] | undefined): void {
  const { t } = useLingui()
  const [opened] = useState(() => new Date().toISOString())
  const told = useRef('')
  const newest = notifications?.find(note => note.kind === 'signed-in-elsewhere' && !note.read)
  const at = newest?.at
  const tell = useEffectEvent(() =>
    notify(
      'warning',
      t`Account has been re-login; confirm whether it was you.`,
      t`The bell says from where, and signs out everywhere else.`,
      {
        key: 'signed-in',
        stay: true,
      },
    ),
  )
  useEffect(() => {
    if (at === undefined || at <= opened || at <= told.current) return
    told.current = at
    tell()
  }, [at, opened])
}

function List({ notifications, unread, close }: { notifications: readonly Notification[]; unread: number; close: () => void }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const act = (work: Promise<void>): void => void work.then(() => queries.invalidateQueries({ queryKey: key })).catch(complain)
  return (
    <section className={style['notes']} aria-label={t`Notifications`}>
      <div className={style['notesHead']}>
        <h3>
          <Trans>Notifications</Trans>
        </h3>
        {notifications.length === 0 ? null : (
          <>
            <Button size="small" type="text" disabled={unread === 0} onClick={() => act(api.readNotifications())}>
              <Trans>Mark all as read</Trans>
            </Button>
            <Button size="small" type="text" onClick={() => act(api.clearNotifications())}>
              <Trans>Clear</Trans>
            </Button>
          </>
        )}
      </div>
      {notifications.length === 0 ? (
        <p className={style['muted']}>
          <Trans>You are up to date. Invitations, comments and answers appear here.</Trans>
        </p>
      ) : (
        <ul>
          {notifications.map(note => (
            <li key={note.id} data-unread={!note.read || undefined}>
              <Words
                note={note}
                seen={() => {
                  close()
                  act(api.readNotifications([note.id]))
                }}
              />
              <When at={note.at} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Words({ note: { kind, data, read }, seen }: { note: Notification; seen: () => void }) {
  const words = useWords()
  const { t } = useLingui()
  const by = data['by'] ?? t`Somebody`
  const name = data['name'] ?? ''
  const role = roles.find(one => one === data['role'])
  const roleName = role === undefined ? '' : words(roleLabels[role])
  const accepted = data['accepted'] === 'true'
  const open = <Trans>Open</Trans>
  switch (kind) {
    case 'workspace-invitation':
    case 'file-invitation':
      return (
        <span>
          <Trans>
            {by} invites you to “{name}”.
          </Trans>{' '}
          <Link
            to={kind === 'workspace-invitation' ? '/team_invite/$code' : '/invite_collaborator/$code'}
            params={{ code: data['code'] ?? '' }}
            onClick={seen}
          >
            {open}
          </Link>
          {read ? null : <QuickAnswer to={{ invitation: data['code'] ?? '' }} seen={seen} />}
        </span>
      )
    case 'invitation-answered':
      return (
        <span>
          {accepted ? (
            <Trans>
              {by} accepted your invitation to “{name}”.
            </Trans>
          ) : (
            <Trans>
              {by} rejected your invitation to “{name}”.
            </Trans>
          )}
        </span>
      )
    case 'join-requested':
      return (
        <span>
          <Trans>
            {by} asks to join “{name}”.
          </Trans>{' '}
          <Link to="/workspace/$teamCode/member" params={{ teamCode: data['team'] ?? '' }} onClick={seen}>
            {open}
          </Link>
          {read || data['request'] === undefined ? null : (
            <QuickAnswer to={{ request: data['request'], team: data['team'] ?? '' }} seen={seen} />
          )}
        </span>
      )
    case 'join-answered':
      return (
        <span>
          {accepted ? <Trans>You are a member of “{name}” now.</Trans> : <Trans>Your request to join “{name}” was turned down.</Trans>}{' '}
          {accepted ? (
            <Link to="/workspace/$teamCode/project" params={{ teamCode: data['team'] ?? '' }} onClick={seen}>
              {open}
            </Link>
          ) : null}
        </span>
      )
    case 'file-shared':
      return (
        <span>
          <Trans>
            {by} shared “{name}” with you.
          </Trans>{' '}
          <Link to="/workspace/share" onClick={seen}>
            {open}
          </Link>
        </span>
      )
    case 'role-changed':
      return (
        <span>
          <Trans>
            {by} changed your role in “{name}”: {roleName}.
          </Trans>
        </span>
      )
    case 'removed':
      return (
        <span>
          <Trans>
            {by} removed you from “{name}”.
          </Trans>
        </span>
      )
    case 'ownership':
      return (
        <span>
          <Trans>
            {by} made you the owner of “{name}”.
          </Trans>
        </span>
      )
    case 'workspace-deleted':
      return (
        <span>
          <Trans>
            {by} deleted “{name}”.
          </Trans>
        </span>
      )
    case 'signed-in-elsewhere':
    case 'password-changed':
    case 'second-factor':
    case 'coins-given':
    case 'subscription':
      return <OfAccount note={{ kind, data }} seen={seen} />
    case 'mentioned':
    case 'commented':
      return (
        <span>
          <Comment data={data} isMention={kind === 'mentioned'} />{' '}
          <Link
            to="/modeling/$teamCode/$modelId"
            params={{ teamCode: data['team'] ?? '', modelId: data['file'] ?? '' }}
            hash={`comment=${data['thread'] ?? ''}`}
            onClick={seen}
          >
            {open}
          </Link>
        </span>
      )
    case 'market-talk':
    case 'market-mentioned':
    case 'market-published':
    case 'market-followed':
    case 'market-moderated':
      return <OfStore note={{ kind, data }} seen={seen} />
    case 'other':
      return <span>{name}</span>
  }
}

type AccountKind = Extract<
  Notification['kind'],
  'signed-in-elsewhere' | 'password-changed' | 'second-factor' | 'coins-given' | 'subscription'
>

/** What happened to one's account. */
function OfAccount({ note: { kind, data }, seen }: { note: { kind: AccountKind; data: Notification['data'] }; seen: () => void }) {
  const { t } = useLingui()
  const endOthers = async (): Promise<void> => {
    await api.endOtherSessions().then(() => say(t`Signed out everywhere else. Change your password now.`), complain)
  }
  switch (kind) {
    case 'signed-in-elsewhere':
      return (
        <span>
          <Trans>Account has been re-login; confirm whether it was you.</Trans>{' '}
          <small>
            {[browserOf(data['agent'] ?? ''), data['address']]
              .filter(part => part !== null && part !== undefined && part !== '')
              .join(' · ')}
          </small>{' '}
          <Button
            size="small"
            onClick={() => {
              seen()
              void endOthers()
            }}
          >
            <Trans>It was not me</Trans>
          </Button>
        </span>
      )
    case 'password-changed':
      return (
        <span>
          <Trans>Your password was changed.</Trans>
        </span>
      )
    case 'second-factor':
      return (
        <span>
          {data['change'] === 'on' ? (
            <Trans>Two-step verification was switched on.</Trans>
          ) : data['change'] === 'off' ? (
            <Trans>Two-step verification was switched off.</Trans>
          ) : (
            <Trans>New recovery codes were made for your account.</Trans>
          )}
        </span>
      )
    case 'coins-given':
      return (
        <Link to="/account/coins" onClick={seen}>
          {data['kind'] === 'platformCompensation' ? (
            <Trans>The platform compensated you. See your coins and items.</Trans>
          ) : (
            <Trans>The platform gave you a gift. See your coins and items.</Trans>
          )}
        </Link>
      )
    case 'subscription':
      return (
        <Link to="/account/subscription" onClick={seen}>
          {data['what'] === 'declined' ? (
            <Trans>Your subscription could not be renewed: the payment was declined. Pay again to keep it.</Trans>
          ) : data['what'] === 'ended' ? (
            <Trans>Your subscription has ended.</Trans>
          ) : (
            <Trans>Your subscription has been renewed.</Trans>
          )}
        </Link>
      )
  }
}

/** The author, the place and the beginning of a comment. */
function Comment({ data, isMention }: { data: Notification['data']; isMention: boolean }) {
  const { t } = useLingui()
  const by = data['by'] ?? t`Somebody`
  const name = data['name'] ?? ''
  const text = data['text'] ?? ''
  return isMention ? (
    <Trans>
      {by} mentioned you in “{name}”: {text}
    </Trans>
  ) : (
    <Trans>
      {by} commented on “{name}”: {text}
    </Trans>
  )
}

type StoreKind = Extract<Notification['kind'], `market-${string}`>

/** What happened in the store. */
function OfStore({ note: { kind, data }, seen }: { note: { kind: StoreKind; data: Notification['data'] }; seen: () => void }) {
  const { t } = useLingui()
  const by = data['by'] ?? t`Somebody`
  const name = data['name'] ?? ''
  switch (kind) {
    case 'market-talk':
    case 'market-mentioned':
      return (
        <span>
          <Comment data={data} isMention={kind === 'market-mentioned'} /> <InStore data={data} seen={seen} />
        </span>
      )
    case 'market-published':
      return (
        <span>
          {data['first'] === 'true' ? (
            <Trans>
              {by} published “{name}”.
            </Trans>
          ) : (
            <Trans>
              {by} published a new version of “{name}”.
            </Trans>
          )}{' '}
          <InStore data={{ ...data, sort: 'app' }} seen={seen} />
        </span>
      )
    case 'market-followed':
      return (
        <span>
          <Trans>{by} follows you.</Trans>{' '}
          <Link to="/store/author/$profileId" params={{ profileId: data['id'] ?? '' }} onClick={seen}>
            <Trans>Open</Trans>
          </Link>
        </span>
      )
    case 'market-moderated':
      return (
        <span>
          {data['about'] === 'draft' ? (
            data['outcome'] === 'shown' ? (
              <Trans>The moderators looked at “{name}”: you can publish it now.</Trans>
            ) : (
              <Trans>
                The moderators do not let “{name}” be published: {data['because'] ?? ''}
              </Trans>
            )
          ) : data['outcome'] === 'hidden' ? (
            <Trans>
              “{name}” was hidden by the moderators: {data['because'] ?? ''}
            </Trans>
          ) : data['to'] === 'author' ? (
            <Trans>“{name}” is shown again.</Trans>
          ) : (
            <Trans>The moderators looked at “{name}” and let it stand.</Trans>
          )}{' '}
          {data['outcome'] === 'hidden' && data['to'] !== 'author' ? null : <InStore data={data} seen={seen} />}
        </span>
      )
  }
}

/** The way to a publication or a thread of the forum. */
function InStore({ data, seen }: { data: Readonly<Record<string, string>>; seen: () => void }) {
  const id = data['id'] ?? ''
  return data['sort'] === 'thread' ? (
    <Link to="/store/forum/$threadId" params={{ threadId: id }} onClick={seen}>
      <Trans>Open</Trans>
    </Link>
  ) : (
    <Link to="/store/recommend/app/$appId" params={{ appId: id }} onClick={seen}>
      <Trans>Open</Trans>
    </Link>
  )
}
