// The comments of the document as a list next to the canvas: filtered, each with its element; one is open at a time.
import { CheckCircleFilled, CommentOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Alert, Button, Segmented } from 'antd'
import { Suspense, useEffect, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import type { Id } from '../../model-schema/model.ts'
import { iconOf } from '../canvas/icons.ts'
import { pathTo, titleOf, wireTitleOf } from '../editor/grammar.ts'
import { useEditor, useModel } from '../editor/useEditor.ts'
import { useWords } from '../i18n/locale.ts'
import { besideOf, useBeside } from '../panels/beside.ts'
import { KindIcon } from '../panels/KindIcon.tsx'
import type { Session } from '../session.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { When } from '../ui/When.tsx'
import { wordsOfCode } from '../ui/notices.ts'
import { complain } from '../ui/toast.ts'
import { askIfMentioned } from './Asked.tsx'
import { commentsOf, type Comments } from './comments.ts'
import { RichText } from './RichText.tsx'
import { showPin } from './show.ts'
import { Composer, ThreadView } from './ThreadView.tsx'
import { anchorOn, lastOf, pinOf, wanted, type Anchor, type ThreadFilter, type Thread } from './threads.ts'
import './comments.css'

export function CommentsPanel({ session }: { session: Session }) {
  const { t } = useLingui()
  const editor = useEditor()
  const comments = commentsOf(session)
  const { threads, may, refused, known, unread } = useStore(comments.state)
  const { filter, thread: active, draft } = useStore(comments.view)
  const pointing = useBeside(session, beside => beside.pointing)
  const shown = useMemo(() => wanted(threads, filter, comments.me.id), [threads, filter, comments])
  const counted = useMemo(() => wanted(threads, 'open', comments.me.id).length, [threads, comments])
  useAsked(session, comments)
  // An open thread counts as read.
  const news = active !== null && unread.has(active)
  useEffect(() => {
    if (news && active !== null) comments.read(active).catch(complain)
  }, [news, active, comments])
  const point = (): void => {
    comments.view.setState({ draft: null })
    besideOf(session).setState({ pointing: !pointing })
  }
  const send = async (anchor: Anchor, body: string): Promise<void> => {
    const thread = await comments.start(anchor, body)
    askIfMentioned(session, comments, thread, body)
    comments.view.setState({ draft: null, thread, filter: 'open' })
  }
  return (
    <section className="h-talk" aria-label={t`Comments`}>
      <div className="h-talk-head">
        <Segmented<ThreadFilter>
          block
          size="small"
          value={filter}
          onChange={next => comments.view.setState({ filter: next, thread: null })}
          options={[
            { value: 'open', label: t`Unresolved` },
            { value: 'resolved', label: t`Resolved` },
            { value: 'mine', label: t`Mine` },
          ]}
          aria-label={t`Which comments`}
        />
        {may.comment && (
          <Button
            size="small"
            type={pointing ? 'primary' : 'default'}
            icon={<PlusOutlined aria-hidden />}
            aria-pressed={pointing}
            onClick={point}
          >
            {pointing ? <Trans>Click on the canvas…</Trans> : <Trans>New comment</Trans>}
          </Button>
        )}
        {unread.size > 0 && (
          <Button size="small" type="link" onClick={() => void comments.read().catch(complain)}>
            <Trans>Mark all as read</Trans>
          </Button>
        )}
      </div>
      {draft && (
        <div className="h-thread" data-open>
          <Place anchor={draft} />
          <Suspense fallback={<div className="h-composer" />}>
            <Composer
              comments={comments}
              copilot
              label={t`What do you want to say? @ mentions somebody`}
              verb={t`Comment`}
              autoFocus
              cancel={() => comments.view.setState({ draft: null })}
              send={body => send(draft, body)}
            />
          </Suspense>
        </div>
      )}
      {refused.map(row => (
        <Alert
          key={row.seq}
          type="error"
          title={t`A comment could not be sent`}
          description={row.refused && wordsOfCode(row.refused)}
          action={
            <Button
              size="small"
              type="text"
              icon={<DeleteOutlined aria-hidden />}
              aria-label={t`Give it up`}
              onClick={() => void comments.dismiss(row).catch(complain)}
            />
          }
        />
      ))}
      {shown.length > 0 ? (
        <ul className="h-threads">
          {shown.map(thread => (
            <li key={thread.id}>
              <One
                session={session}
                comments={comments}
                thread={thread}
                open={thread.id === active}
                unread={unread.has(thread.id)}
                toggle={() => {
                  comments.view.setState({ thread: thread.id === active ? null : thread.id, draft: null })
                  if (thread.id !== active) showPin(editor, thread.anchor)
                }}
              />
            </li>
          ))}
        </ul>
      ) : (
        known &&
        !draft && (
          <div className="h-talk-empty">
            <CommentOutlined aria-hidden />
            <p>
              {filter === 'resolved' ? (
                <Trans>Nothing has been resolved yet.</Trans>
              ) : filter === 'mine' ? (
                <Trans>You take part in no conversation here.</Trans>
              ) : may.comment ? (
                <Trans>Ask or say something about a part of the model: choose New comment, then click on it.</Trans>
              ) : (
                <Trans>Nobody has commented yet.</Trans>
              )}
            </p>
          </div>
        )
      )}
      {!may.comment && (
        <p className="h-muted h-talk-note">
          {session.target.user.id === 'guest' ? (
            <Trans>Sign in to take part.</Trans>
          ) : (
            <Trans>You can read comments here; writing takes the role Commenter.</Trans>
          )}
        </p>
      )}
      <span className="h-hidden" role="status">
        <Plural value={counted} one="# open comment" other="# open comments" />
      </span>
    </section>
  )
}

/** A comment requested by a command is attached to the selection, else to a point that the user picks. */
function useAsked(session: Session, comments: Comments): void {
  const editor = useEditor()
  const asked = useBeside(session, beside => beside.commenting)
  const mayComment = useStore(comments.state, talk => talk.may.comment)
  useEffect(() => {
    if (!asked) return
    besideOf(session).setState({ commenting: false })
    if (!mayComment) return
    const { selection, canvas } = editor.view.getState()
    const box = selection.map(id => editor.scene.box(id)).find(one => one !== undefined)
    const draft = box ? anchorOn(editor.model, canvas, [box.x + box.w, box.y], box.id) : null
    comments.view.setState({ draft, thread: null, filter: 'open' })
    if (draft === null) besideOf(session).setState({ pointing: true })
  }, [asked, mayComment, session, comments, editor])
}

type OneProps = { session: Session; comments: Comments; thread: Thread; open: boolean; unread: boolean; toggle: () => void }

function One({ session, comments, thread, open, unread, toggle }: OneProps) {
  const { t } = useLingui()
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (open) card.current?.scrollIntoView({ block: 'nearest' })
  }, [open])
  const [first] = thread.comments
  const more = thread.comments.length - 1
  const name = first?.author?.name ?? t`Somebody`
  return (
    <div ref={card} className="h-thread" data-open={open || undefined} data-unread={unread || undefined}>
      <button type="button" className="h-thread-head" aria-expanded={open} onClick={toggle}>
        <Place anchor={thread.anchor} />
        {unread && <i className="h-unread" role="img" aria-label={t`Unread`} />}
        {thread.resolved && <CheckCircleFilled aria-label={t`Resolved`} />}
        {!open && (
          <span className="h-thread-first">
            <Avatar id={first?.author?.id ?? ''} name={name} image={first?.author?.avatar} size={20} />
            <b>{name}</b>
            <span className="h-muted">
              <When at={lastOf(thread).at} />
            </span>
          </span>
        )}
      </button>
      {open ? (
        <ThreadView session={session} comments={comments} thread={thread} />
      ) : (
        <div className="h-thread-glance">
          <RichText body={first?.body ?? ''} />
          {more > 0 && (
            <small className="h-muted">
              <Plural value={more} one="# reply" other="# replies" />
            </small>
          )}
        </div>
      )}
    </div>
  )
}

/** The element of a thread. */
function Place({ anchor }: { anchor: Anchor }) {
  const words = useWords()
  const model = useModel(model => model)
  const element = anchor.element === null ? undefined : model.elements.get(anchor.element)
  const path = (id: Id): string =>
    pathTo(model, id)
      .map(outer => titleOf(outer, words))
      .join(' › ')
  if (element)
    return (
      <span className="h-thread-place">
        <KindIcon name={element.parent === null ? 'scenario' : iconOf(element.kind, element.fields)} size={14} />
        {wireTitleOf(model, element, words)}
      </span>
    )
  const { name } = anchor
  if (anchor.element !== null)
    return (
      <span className="h-thread-place" data-lost>
        {name === '' ? <Trans>On a deleted element</Trans> : <Trans>On a deleted element: {name}</Trans>}
      </span>
    )
  const canvas = path(anchor.canvas)
  return (
    <span className="h-thread-place" data-lost={pinOf(model, anchor) === null || undefined}>
      {canvas === '' ? <Trans>On a deleted canvas</Trans> : canvas}
    </span>
  )
}
