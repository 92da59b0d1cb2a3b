// The menu of talks: begin another, open an earlier one, keep one with the file under a name, delete one. It lists those on this device and those kept
// with the file.
import { CloudOutlined, EditOutlined, HistoryOutlined, PlusOutlined } from '@ant-design/icons'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Dropdown, Input, type MenuProps } from 'antd'
import { nanoid } from 'nanoid'
import { useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { useWords } from '../../i18n/locale.ts'
import type { Session } from '../../session.ts'
import { TALKS } from '../../../sync-server/protocol.ts'
import { complain, confirmed, say } from '../../ui/toast.ts'
import { When } from '../../ui/When.tsx'
import { forgetTalks, talksOf } from './kept.ts'
import { keepWithFile, removeFromFile, renameInFile, sharedKey, sharedTalk, useShared, type SharedTalk } from './shared.ts'
import { talkOf } from '../talk.ts'
import { TALK_LIMITS, titleOf, type Kept } from '../turns.ts'

/** The stored copy of the open conversation, and the actions on it. */
function useOpen(session: Session) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const talk = talkOf(session)
  const { turns, talk: open, from } = useStore(talk.store)
  const shared = useShared(session).data
  const kept = shared?.talks.find(({ id, isMine }) => (isMine ? id === open : id === from))
  const again = (): Promise<void> => queries.invalidateQueries({ queryKey: sharedKey(session) })
  const send = async (): Promise<void> => {
    await keepWithFile(talk.whole())
    await again()
    say(t`The talk is kept with the file.`)
  }
  return {
    shared,
    kept,
    again,
    send,
    isBehind: kept !== undefined && (turns.length !== kept.turns || (kept.isMine && turns.length >= TALK_LIMITS.turns)),
  }
}

/** Says that others can read the talk that is open. */
export function KeptWithFile({ session, disabled }: { session: Session; disabled: boolean }) {
  const { t } = useLingui()
  const { kept, shared, send, again, isBehind } = useOpen(session)
  const [naming, setNaming] = useState<string | null>(null)
  if (!kept) return null
  if (naming === kept.id) return <Naming session={session} talk={kept} again={again} close={() => setNaming(null)} />
  return (
    <p className="h-guide-kept">
      <CloudOutlined aria-hidden />
      <span>
        {kept.isMine ? (
          <Trans>Kept with the file: whoever may edit it can read this talk.</Trans>
        ) : isBehind ? (
          <Trans>Goes on from a talk of {kept.by.name}. What you ask here stays with you.</Trans>
        ) : (
          <Trans>A talk of {kept.by.name}, kept with the file. What you ask here stays with you.</Trans>
        )}
      </span>
      {kept.isMine && isBehind && (
        <Button size="small" type="link" disabled={disabled} onClick={() => void send().catch(complain)}>
          <Trans>Keep the rest too</Trans>
        </Button>
      )}
      {(kept.isMine || shared?.may.removeAll === true) && (
        <Button
          size="small"
          type="text"
          icon={<EditOutlined aria-hidden />}
          title={t`Name of this talk`}
          onClick={() => setNaming(kept.id)}
        >
          <Trans>Rename</Trans>
        </Button>
      )}
    </p>
  )
}

type NamingProps = { session: Session; talk: SharedTalk; again: () => Promise<void>; close: () => void }

/** The name of a stored conversation in the list for other readers. */
function Naming({ session, talk, again, close }: NamingProps) {
  const { t } = useLingui()
  const words = useWords()
  const [name, setName] = useState(words(talk.title))
  const save = async (): Promise<void> => {
    await renameInFile(session.docId, talk.id, name.trim())
    await again()
    close()
  }
  return (
    <form
      className="h-guide-kept h-guide-naming"
      onSubmit={event => {
        event.preventDefault()
        if (name.trim() !== '') void save().catch(complain)
      }}
    >
      <Input
        autoFocus
        size="small"
        value={name}
        maxLength={TALKS.nameLength}
        aria-label={t`Name of this talk`}
        onChange={event => setName(event.target.value)}
        onKeyDown={event => event.key === 'Escape' && close()}
      />
      <Button size="small" htmlType="submit" type="primary" disabled={name.trim() === ''}>
        <Trans>Rename</Trans>
      </Button>
      <Button size="small" onClick={close}>
        <Trans>Cancel</Trans>
      </Button>
    </form>
  )
}

export function Talks({ session, disabled }: { session: Session; disabled: boolean }) {
  const { t } = useLingui()
  const talk = talkOf(session)
  const { turns } = useStore(talk.store)
  return (
    <>
      <Button
        type="text"
        size="small"
        icon={<PlusOutlined aria-hidden />}
        aria-label={t`New talk`}
        title={t`New talk`}
        disabled={disabled || turns.length === 0}
        onClick={() => talk.turnTo(null)}
      />
      <Earlier session={session} disabled={disabled} />
    </>
  )
}

/** What the menu does, each asking first where that cannot be undone or others will read it. */
function useDeeds(session: Session, { again, send }: Pick<ReturnType<typeof useOpen>, 'again' | 'send'>) {
  const { t } = useLingui()
  const talk = talkOf(session)
  const { talk: open } = useStore(talk.store)
  const user = session.target.user.id
  return {
    async remove(all: boolean): Promise<void> {
      const sure = await confirmed({
        title: all ? t`Delete all talks about this model?` : t`Delete this talk?`,
        content: t`This cannot be undone. Talks that are kept with the file stay there. The model and its proposals stay as they are.`,
        ok: t`Delete`,
        cancel: t`Cancel`,
      })
      if (!sure) return
      await forgetTalks(user, session.docId, all ? null : open)
      talk.turnTo(null)
    },
    async keep(): Promise<void> {
      const sure = await confirmed({
        title: t`Keep this talk with the file?`,
        content: t`Whoever may edit the file can read it then: your questions, the answers and what the tools gave. You can remove it again.`,
        ok: t`Keep`,
        cancel: t`Cancel`,
        undoable: true,
      })
      if (sure) await send()
    },
    async takeAway({ id, isMine }: SharedTalk): Promise<void> {
      const sure = await confirmed({
        title: t`Remove this talk from the file?`,
        content: isMine
          ? t`Others can no longer read it. It stays on the devices where it was held or gone on with.`
          : t`Nobody can read it in this file any more. This cannot be undone.`,
        ok: t`Remove`,
        cancel: t`Cancel`,
      })
      if (!sure) return
      await removeFromFile(session.docId, id)
      await again()
    },
    async openShared({ id, isMine, at }: SharedTalk): Promise<void> {
      const read = await sharedTalk(session.docId, id)
      talk.turnTo({ user, doc: session.docId, at: Date.parse(at), id: isMine ? id : nanoid(12), ...read }, isMine ? undefined : id)
    },
  }
}

function Earlier({ session, disabled }: { session: Session; disabled: boolean }) {
  const { t } = useLingui()
  const talk = talkOf(session)
  const { turns, talk: open, from } = useStore(talk.store)
  const [onDevice, setOnDevice] = useState<readonly Kept[]>([])
  const now = useOpen(session)
  const { shared, kept, isBehind } = now
  const deeds = useDeeds(session, now)
  const look = (): void => {
    void talksOf(session.target.user.id, session.docId).then(setOnDevice).catch(complain)
    void now.again()
  }
  const earlier = onDevice.filter(({ id }) => id !== open)
  const withFile = (shared?.talks ?? []).filter(({ id }) => id !== open && id !== from && !earlier.some(one => one.id === id))
  const isEmpty = turns.length === 0
  const mayKeep = shared?.may.keep === true
  const isKept = (id: string): boolean => shared?.talks.some(one => one.id === id) === true
  const item = (key: string, label: ReactNode, does: () => Promise<void>, more: { danger?: boolean; disabled?: boolean } = {}) => ({
    key,
    label,
    onClick: () => void does().catch(complain),
    ...more,
  })
  const items: MenuProps['items'] = [
    kept?.isMine
      ? item('keep', t`Keep the rest with the file`, now.send, { disabled: !isBehind })
      : item('keep', <KeepLabel session={session} mayKeep={mayKeep} />, deeds.keep, { disabled: isEmpty || !mayKeep }),
    { type: 'divider' },
    ...(earlier.length === 0
      ? [{ key: 'none', disabled: true, label: t`No earlier talks on this device` }]
      : earlier.map(one => item(`talk ${one.id}`, <OnDevice talk={one} isKept={isKept(one.id)} />, async () => talk.turnTo(one)))),
    ...(withFile.length === 0
      ? []
      : [
          {
            key: 'shared',
            type: 'group' as const,
            label: t`Kept with the file`,
            children: withFile.map(one => item(`shared ${one.id}`, <WithFile talk={one} />, () => deeds.openShared(one))),
          },
        ]),
    { type: 'divider' },
    ...(kept && (kept.isMine || shared?.may.removeAll === true)
      ? [item('away', t`Remove from the file…`, () => deeds.takeAway(kept), { danger: true })]
      : []),
    item('this', t`Delete this talk…`, () => deeds.remove(false), { danger: true, disabled: isEmpty }),
    item('all', t`Delete all talks…`, () => deeds.remove(true), { danger: true, disabled: isEmpty && earlier.length === 0 }),
  ]
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      disabled={disabled}
      onOpenChange={shown => shown && look()}
      menu={{ className: 'h-guide-patterns', items }}
    >
      <Button type="text" size="small" icon={<HistoryOutlined aria-hidden />} aria-label={t`Earlier talks`} title={t`Earlier talks`} />
    </Dropdown>
  )
}

/** The reason why a conversation cannot be stored is shown in place of the button. */
function KeepLabel({ session, mayKeep }: { session: Session; mayKeep: boolean }) {
  return (
    <span className="h-guide-earlier">
      <Trans>Keep with the file…</Trans>
      {!mayKeep && (
        <small>{session.target.local ? <Trans>The file is on this device only.</Trans> : <Trans>This takes the role Editor.</Trans>}</small>
      )}
    </span>
  )
}

function OnDevice({ talk, isKept }: { talk: Kept; isKept: boolean }) {
  const { t } = useLingui()
  const words = useWords()
  return (
    <span className="h-guide-earlier">
      {words(titleOf(talk))}
      <small>
        {isKept && <CloudOutlined aria-label={t`Kept with the file`} />} <When at={new Date(talk.at).toISOString()} /> ·{' '}
        <Plural value={talk.turns.length} one="# question" other="# questions" />
      </small>
    </span>
  )
}

function WithFile({ talk }: { talk: SharedTalk }) {
  const words = useWords()
  return (
    <span className="h-guide-earlier">
      {words(talk.title)}
      <small>
        {talk.isMine ? <Trans>You</Trans> : talk.by.name} · <When at={talk.at} />
      </small>
    </span>
  )
}
