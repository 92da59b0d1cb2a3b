// A new talk, those about this document that were kept on this device, and how they are deleted.
import { HistoryOutlined, PlusOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Button, Dropdown, type MenuProps } from 'antd'
import { useState } from 'react'
import { useStore } from 'zustand'
import { useWords } from '../i18n/locale.ts'
import type { Session } from '../session.ts'
import { complain, confirmed } from '../ui/toast.ts'
import { forgetTalks, talksOf } from './kept.ts'
import { talkOf } from './talk.ts'
import { titleOf, type Kept } from './turns.ts'

export function Talks({ session, disabled }: { session: Session; disabled: boolean }) {
  const { t } = useLingui()
  const words = useWords()
  const talk = talkOf(session)
  const { turns, talk: open } = useStore(talk.store)
  const [kept, setKept] = useState<readonly Kept[]>([])
  const user = session.target.user.id
  const look = (): void => void talksOf(user, session.docId).then(setKept).catch(complain)
  const earlier = kept.filter(({ id }) => id !== open)
  const isEmpty = turns.length === 0
  const remove = async (all: boolean): Promise<void> => {
    const sure = await confirmed({
      title: all ? t`Delete all talks about this model?` : t`Delete this talk?`,
      content: t`Talks are kept on this device only: this cannot be undone. The model and its proposals stay as they are.`,
      ok: t`Delete`,
      cancel: t`Cancel`,
    })
    if (!sure) return
    await forgetTalks(user, session.docId, all ? null : open)
    talk.turnTo(null)
  }
  const items: MenuProps['items'] = [
    ...(earlier.length === 0
      ? [{ key: 'none', disabled: true, label: t`No earlier talks on this device` }]
      : earlier.map(one => ({
          key: `talk ${one.id}`,
          label: <span className="h-guide-earlier">{words(titleOf(one))}</span>,
          onClick: () => talk.turnTo(one),
        }))),
    { type: 'divider' },
    { key: 'this', danger: true, disabled: isEmpty, label: t`Delete this talk…`, onClick: () => void remove(false).catch(complain) },
    {
      key: 'all',
      danger: true,
      disabled: isEmpty && earlier.length === 0,
      label: t`Delete all talks…`,
      onClick: () => void remove(true).catch(complain),
    },
  ]
  return (
    <>
      <Button
        type="text"
        size="small"
        icon={<PlusOutlined aria-hidden />}
        aria-label={t`New talk`}
        title={t`New talk`}
        disabled={disabled || isEmpty}
        onClick={() => talk.turnTo(null)}
      />
      <Dropdown
        trigger={['click']}
        placement="bottomRight"
        disabled={disabled}
        onOpenChange={shown => shown && look()}
        menu={{ className: 'h-guide-patterns', items }}
      >
        <Button type="text" size="small" icon={<HistoryOutlined aria-hidden />} aria-label={t`Earlier talks`} title={t`Earlier talks`} />
      </Dropdown>
    </>
  )
}
