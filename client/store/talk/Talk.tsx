// Comments under a publication or in a thread of the forum: one level of replies, the oldest first.
import { EllipsisOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button, Dropdown } from 'antd'
import { nanoid } from 'nanoid'
import { Suspense, lazy, useState } from 'react'
import '../../comments/comments.css'
import { useIdentity } from '../../account/identity.ts'
import { RichText } from '../../comments/RichText.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { When } from '../../ui/When.tsx'
import { wordsOfError } from '../../ui/notices.ts'
import { complain, confirmed } from '../../ui/toast.ts'
import { DecideDialog } from './DecideDialog.tsx'
import { AppealDialog, ReportDialog } from './ReportDialog.tsx'
import { market } from '../market.ts'
import type { TalkPlace, TalkComment } from '../market.ts'
import style from '../store.module.css'

const Composer = lazy(() => import('../../comments/Composer.tsx'))

type Here = { place: TalkPlace; may: { write: boolean; operate: boolean }; refresh: () => Promise<void> }

export function Talk({ place, title }: { place: TalkPlace; title: string }) {
  const { t } = useLingui()
  const { me } = useIdentity()
  const queries = useQueryClient()
  const found = useQuery({ queryKey: ['market', 'talk', place.sort, place.id], queryFn: () => market.talk(place) })
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['market'] })
  const comments = found.data?.comments ?? []
  const here: Here = { place, may: found.data?.may ?? { write: false, operate: false }, refresh }
  const tops = comments.filter(one => one.replyTo === null)
  return (
    <section className={style['talk']} aria-labelledby="talk">
      <h2 id="talk">
        {title} {comments.length === 0 ? null : <span className="h-num">{comments.filter(one => one.state === 'shown').length}</span>}
      </h2>
      {found.isError ? <p role="alert">{wordsOfError(found.error)}</p> : null}
      {here.may.write ? (
        <Write here={here} replyTo={null} label={place.sort === 'app' ? t`What do you think of it?` : t`Answer`} verb={t`Comment`} />
      ) : me === null ? (
        <p className={style['hint']}>
          <Link to="/login" search={{ to: location.pathname }}>
            <Trans>Sign in to comment</Trans>
          </Link>
        </p>
      ) : null}
      {found.isSuccess && tops.length === 0 && place.sort === 'app' ? (
        <p className={style['hint']}>
          <Trans>Nobody has said anything yet.</Trans>
        </p>
      ) : null}
      <ol className={style['comments']}>
        {tops.map(comment => (
          <li key={comment.id}>
            <One here={here} comment={comment} replies={comments.filter(one => one.replyTo === comment.id)} />
          </li>
        ))}
      </ol>
    </section>
  )
}

type WriteProps = { here: Here; replyTo: string | null; label: string; verb: string; autoFocus?: boolean; done?: () => void }

function Write({ here: { place, refresh }, replyTo, label, verb, autoFocus = false, done }: WriteProps) {
  return (
    <Suspense fallback={<div className="h-composer" />}>
      <Composer
        comments={{ people: () => market.people(place) }}
        label={label}
        verb={verb}
        autoFocus={autoFocus}
        send={async body => {
          await market.say(place, { id: nanoid(), body, replyTo })
          await refresh()
          done?.()
        }}
        {...(done === undefined ? {} : { cancel: done })}
      />
    </Suspense>
  )
}

function One({ here, comment, replies }: { here: Here; comment: TalkComment; replies: readonly TalkComment[] }) {
  const { t } = useLingui()
  const { me } = useIdentity()
  const [doing, setDoing] = useState<'edit' | 'reply' | 'report' | 'hide' | 'appeal' | null>(null)
  const stop = (): void => setDoing(null)
  const name = comment.author?.name ?? t`Somebody`
  const own = me !== null && comment.author?.id === me.id
  const target = { about: 'comment' as const, target: comment.id }
  const remove = async (): Promise<void> => {
    const sure = await confirmed({
      title: t`Delete this comment?`,
      content: t`It is deleted for everybody and cannot be brought back.`,
      ok: t`Delete`,
      cancel: t`Keep it`,
    })
    if (!sure) return
    await market.unsay(here.place, comment.id)
    await here.refresh()
  }
  const items =
    comment.body === null
      ? []
      : [
          ...(own && here.may.write ? [{ key: 'edit', label: t`Edit`, onClick: () => setDoing('edit') }] : []),
          ...(own && comment.state === 'hidden' ? [{ key: 'appeal', label: t`Appeal`, onClick: () => setDoing('appeal') }] : []),
          ...(own || here.may.operate
            ? [{ key: 'delete', label: t`Delete`, danger: true, onClick: () => void remove().catch(complain) }]
            : []),
          ...(me !== null && !own ? [{ key: 'report', label: t`Report`, onClick: () => setDoing('report') }] : []),
          ...(here.may.operate
            ? [{ key: 'hide', label: comment.state === 'hidden' ? t`Show again` : t`Hide`, onClick: () => setDoing('hide') }]
            : []),
        ]
  return (
    <>
      <article className={style['comment']} aria-label={t`Comment by ${name}`} data-state={comment.state}>
        {comment.body === null ? (
          <p className={style['hint']}>{comment.state === 'hidden' ? <Trans>Hidden by the moderators.</Trans> : <Trans>Deleted.</Trans>}</p>
        ) : (
          <>
            <header>
              <Avatar id={comment.author?.id ?? ''} name={name} image={comment.author?.avatar} size={28} />
              {comment.author === null ? (
                <b>{name}</b>
              ) : (
                <Link to="/store/author/$profileId" params={{ profileId: comment.author.id }}>
                  <b>{name}</b>
                </Link>
              )}
              <span className={style['hint']}>
                <When at={comment.at} />
                {comment.editedAt === null ? null : <> · {t`edited`}</>}
                {comment.state === 'hidden' ? <> · {t`hidden by the moderators`}</> : null}
              </span>
              {items.length === 0 ? null : (
                <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
                  <Button type="text" size="small" icon={<EllipsisOutlined aria-hidden />} aria-label={t`Actions on the comment`} />
                </Dropdown>
              )}
            </header>
            {doing === 'edit' ? (
              <Suspense fallback={<RichText body={comment.body} />}>
                <Composer
                  comments={{ people: () => market.people(here.place) }}
                  label={t`Change the comment`}
                  verb={t`Save`}
                  body={comment.body}
                  autoFocus
                  cancel={stop}
                  send={async body => {
                    await market.edit(here.place, comment.id, body)
                    await here.refresh()
                    stop()
                  }}
                />
              </Suspense>
            ) : (
              <RichText body={comment.body} />
            )}
            {here.may.write && comment.replyTo === null && comment.state === 'shown' && doing !== 'reply' ? (
              <Button type="link" size="small" className={style['reply'] ?? ''} onClick={() => setDoing('reply')}>
                <Trans>Reply</Trans>
              </Button>
            ) : null}
          </>
        )}
      </article>
      {replies.length === 0 && doing !== 'reply' ? null : (
        <ol className={style['replies']}>
          {replies.map(reply => (
            <li key={reply.id}>
              <One here={here} comment={reply} replies={[]} />
            </li>
          ))}
          {doing === 'reply' ? (
            <li>
              <Write here={here} replyTo={comment.id} label={t`Reply`} verb={t`Reply`} autoFocus done={stop} />
            </li>
          ) : null}
        </ol>
      )}
      {doing === 'report' ? <ReportDialog target={target} name={name} close={stop} /> : null}
      {doing === 'appeal' ? <AppealDialog target={target} name={name} close={stop} /> : null}
      {doing === 'hide' ? (
        <DecideDialog target={target} name={name} outcome={comment.state === 'hidden' ? 'shown' : 'hidden'} close={stop} />
      ) : null}
    </>
  )
}
