// One thread: its comments, with author and time, and the actions permitted to the user.
import { CheckCircleOutlined, ClockCircleOutlined, EllipsisOutlined, UndoOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Dropdown, Tooltip } from 'antd'
import { Suspense, lazy, useState } from 'react'
import { useStore } from 'zustand'
import type { Session } from '../session.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { When } from '../ui/When.tsx'
import { complain, confirmed } from '../ui/toast.ts'
import { Asked, askIfMentioned, CopilotAnswer } from './Asked.tsx'
import type { Comments } from './comments.ts'
import { CopilotAvatar } from './CopilotAvatar.tsx'
import { RichText } from './RichText.tsx'
import type { Comment, Thread } from './threads.ts'

export const Composer = lazy(() => import('./Composer.tsx'))

export function ThreadView({ session, comments, thread }: { session: Session; comments: Comments; thread: Thread }) {
  const { t } = useLingui()
  const { may, waiting } = useStore(comments.state)
  const resolved = thread.resolved !== null
  const turn = (): void => void comments.say({ do: 'resolve', thread: thread.id, resolved: !resolved }).catch(complain)
  const reply = async (body: string): Promise<void> => {
    await comments.reply(thread.id, body)
    askIfMentioned(session, comments, thread.id, body)
  }
  const label = resolved ? t`Reopen` : t`Resolve`
  return (
    <>
      <ol className="h-comments">
        {thread.comments.map(comment => (
          <li key={comment.id}>
            <One session={session} comments={comments} comment={comment} waiting={waiting.has(comment.id)} />
          </li>
        ))}
      </ol>
      {thread.resolved && (
        <p className="h-muted h-comment-resolved">
          <CheckCircleOutlined aria-hidden /> <Resolved by={thread.resolved.by?.name ?? t`Somebody`} /> <When at={thread.resolved.at} />
        </p>
      )}
      {may.comment && !resolved && <Asked session={session} comments={comments} thread={thread} />}
      {may.comment && (
        <>
          {!resolved && (
            <Suspense fallback={<div className="h-composer" />}>
              <Composer comments={comments} copilot label={t`Reply`} verb={t`Reply`} send={reply} />
            </Suspense>
          )}
          <Button size="small" block icon={resolved ? <UndoOutlined aria-hidden /> : <CheckCircleOutlined aria-hidden />} onClick={turn}>
            {label}
          </Button>
        </>
      )}
    </>
  )
}

function Resolved({ by }: { by: string }) {
  return <Trans>Resolved by {by}</Trans>
}

type OneProps = { session: Session; comments: Comments; comment: Comment; waiting: boolean }

function One({ session, comments, comment, waiting }: OneProps) {
  const { t } = useLingui()
  const { may } = useStore(comments.state)
  const [editing, setEditing] = useState(false)
  const own = comment.author?.id === comments.me.id
  const name = comment.author?.name ?? t`Somebody`
  const { copilot } = comment
  const by = copilot ? (copilot.by ?? t`Guide`) : name
  const remove = async (): Promise<void> => {
    const sure = await confirmed({
      title: t`Delete this comment?`,
      content: t`It is deleted for everybody and cannot be brought back.`,
      ok: t`Delete`,
      cancel: t`Keep it`,
    })
    if (sure) await comments.say({ do: 'delete', comment: comment.id })
  }
  const items = [
    ...(own && may.comment && !copilot ? [{ key: 'edit', label: t`Edit`, onClick: () => setEditing(true) }] : []),
    ...((own && may.comment) || may.deleteAll
      ? [{ key: 'delete', label: t`Delete`, danger: true, onClick: () => void remove().catch(complain) }]
      : []),
  ]
  return (
    <article className="h-comment" aria-label={t`Comment by ${by}`}>
      <header>
        {copilot ? (
          <CopilotAvatar size={24} />
        ) : (
          <Avatar id={comment.author?.id ?? ''} name={name} image={comment.author?.avatar} size={24} />
        )}
        <b>{by}</b>
        <span className="h-muted">
          {copilot && <>{t`for ${name}`} · </>}
          <When at={comment.at} />
          {comment.editedAt !== null && <> · {t`edited`}</>}
        </span>
        {waiting && (
          <Tooltip title={t`On this device; sent when the server can be reached`}>
            <ClockCircleOutlined aria-label={t`Not sent yet`} className="h-muted" />
          </Tooltip>
        )}
        {items.length > 0 && (
          <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
            <Button type="text" size="small" icon={<EllipsisOutlined aria-hidden />} aria-label={t`Actions on the comment`} />
          </Dropdown>
        )}
      </header>
      {editing ? (
        <Suspense fallback={<RichText body={comment.body} />}>
          <Composer
            comments={comments}
            label={t`Change the comment`}
            verb={t`Save`}
            body={comment.body}
            autoFocus
            cancel={() => setEditing(false)}
            send={async body => {
              await comments.say({ do: 'edit', comment: comment.id, body })
              setEditing(false)
            }}
          />
        </Suspense>
      ) : copilot ? (
        <CopilotAnswer session={session} body={comment.body} copilot={copilot} />
      ) : (
        <RichText body={comment.body} />
      )}
    </article>
  )
}
