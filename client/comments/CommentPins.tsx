// Comments on the canvas: a pin for each open thread, and the pointing at a place for a new one. The layer moves with the
// camera; pins keep their size.
import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import { toCanvas } from '../editor/camera.ts'
import { useEditor, useModel, useView } from '../editor/useEditor.ts'
import type { Session } from '../session.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { besideOf, useBeside } from '../panels/beside.ts'
import { commentsOf } from './comments.ts'
import { showPin } from './show.ts'
import { anchorOn, lastOf, pinOf, type Thread } from './threads.ts'
import './comments.css'

/** More pins than this on one canvas would hide it: the latest are shown. */
const most = 200

export function CommentPins({ session }: { session: Session }) {
  const { t } = useLingui()
  const editor = useEditor()
  const comments = commentsOf(session)
  const layer = useRef<HTMLDivElement>(null)
  const canvas = useView(view => view.canvas)
  const model = useModel(model => model)
  const threads = useStore(comments.state, talk => talk.threads)
  const { thread: active, draft } = useStore(comments.view)
  const pointing = useBeside(session, beside => beside.pointing)
  useCommentInAddress(session)

  useEffect(() => {
    const follow = (): void => {
      const { camera } = editor.view.getState()
      if (!layer.current) return
      layer.current.style.transform = `translate(${-camera.x * camera.zoom}px, ${-camera.y * camera.zoom}px)`
      layer.current.style.setProperty('--zoom', String(camera.zoom))
    }
    follow()
    return editor.view.subscribe((view, before) => view.camera !== before.camera && follow())
  }, [editor])

  const pins = useMemo(
    () =>
      threads
        .filter(thread => thread.resolved === null || thread.id === active)
        .flatMap(thread => {
          const pin = pinOf(model, thread.anchor)
          return pin?.canvas === canvas ? [{ thread, pin }] : []
        })
        .slice(-most),
    [threads, model, canvas, active],
  )
  const drafted = draft && pinOf(model, draft)
  return (
    <>
      <div className="h-pins-clip">
        <div ref={layer} className="h-pins">
          {pins.map(({ thread, pin }) => {
            const { author } = thread.comments[0] ?? lastOf(thread)
            const name = author?.name ?? t`Somebody`
            return (
              <button
                key={thread.id}
                type="button"
                className="h-pin"
                data-active={thread.id === active || undefined}
                data-lost={pin.lost || undefined}
                style={{ left: `calc(${pin.at[0]}px * var(--zoom, 1))`, top: `calc(${pin.at[1]}px * var(--zoom, 1))` }}
                aria-label={t`Comment by ${name}`}
                onPointerDown={event => event.stopPropagation()}
                onDoubleClick={event => event.stopPropagation()}
                onClick={() => openThread(session, thread)}
              >
                <Avatar id={author?.id ?? ''} name={name} image={author?.avatar} size={22} />
                {thread.comments.length > 1 && <span className="h-num">{thread.comments.length}</span>}
              </button>
            )
          })}
          {drafted?.canvas === canvas && (
            <span
              className="h-pin"
              data-active
              style={{ left: `calc(${drafted.at[0]}px * var(--zoom, 1))`, top: `calc(${drafted.at[1]}px * var(--zoom, 1))` }}
            >
              <Avatar id={comments.me.id} name={comments.me.name} image={comments.me.avatar} size={22} />
            </span>
          )}
        </div>
      </div>
      {pointing && <Pointing session={session} />}
    </>
  )
}

function openThread(session: Session, thread: Thread): void {
  commentsOf(session).view.setState({ thread: thread.id, draft: null, filter: thread.resolved ? 'resolved' : 'open' })
  besideOf(session).setState({ side: 'comments' })
}

/** While a place is pointed at, the next click on the canvas is it; Escape gives up. */
function Pointing({ session }: { session: Session }) {
  const { t } = useLingui()
  const editor = useEditor()
  const { view } = commentsOf(session)
  useEffect(() => {
    const given = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      besideOf(session).setState({ pointing: false })
    }
    window.addEventListener('keydown', given, { capture: true })
    return () => window.removeEventListener('keydown', given, { capture: true })
  }, [session])
  return (
    <div
      className="h-pointing"
      role="presentation"
      onPointerDown={event => event.stopPropagation()}
      onPointerUp={event => event.stopPropagation()}
      onDoubleClick={event => event.stopPropagation()}
      onClick={event => {
        const box = event.currentTarget.getBoundingClientRect()
        const { camera, canvas } = editor.view.getState()
        const at = toCanvas(camera, { x: event.clientX - box.left, y: event.clientY - box.top })
        const hit = editor.scene.hit(at, editor.slack)
        besideOf(session).setState({ side: 'comments', pointing: false })
        view.setState({ thread: null, draft: anchorOn(editor.model, canvas, [at.x, at.y], hit?.id ?? null) })
      }}
    >
      <p>{t`Click on what you want to comment on. Escape gives up.`}</p>
    </div>
  )
}

/** A notification leads to a thread by the part of the address after #. */
function useCommentInAddress(session: Session): void {
  const editor = useEditor()
  const { state } = commentsOf(session)
  const go = useEffectEvent(() => {
    const wanted = /^#comment=([\w-]{1,64})$/.exec(location.hash)?.[1]
    const thread = wanted === undefined ? undefined : state.getState().threads.find(one => one.id === wanted)
    if (!thread) return
    history.replaceState(history.state, '', location.pathname + location.search)
    openThread(session, thread)
    showPin(editor, thread.anchor)
  })
  useEffect(() => {
    const asked = (): void => go()
    asked()
    window.addEventListener('hashchange', asked)
    const stop = state.subscribe(asked)
    return () => {
      window.removeEventListener('hashchange', asked)
      stop()
    }
  }, [state])
}
