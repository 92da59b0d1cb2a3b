// Comments on the canvas: a pin for each open thread, and the pointing at a place for a new one. The layer moves with the
// camera; pins keep their size.
import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useMemo, useRef, useState, type CSSProperties, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { toCanvas } from '../editor/geometry/camera.ts'
import type { Editor } from '../editor/editor.ts'
import { useEditor, useModelLater, useView } from '../editor/useEditor.ts'
import type { Session } from '../session.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { useDrag } from '../ui/gestures/drag.ts'
import { complain } from '../ui/toast.ts'
import { besideOf, useBeside } from '../panels/beside.ts'
import { commentsOf } from './comments.ts'
import { showPin } from './show.ts'
import { anchorOn, lastOf, pinOf, type Pin, type Thread } from './threads.ts'
import './comments.css'

/** More pins than this on one canvas would hide it: the latest are shown. */
const maxPins = 200

export function CommentPins({ session }: { session: Session }) {
  const { t } = useLingui()
  const editor = useEditor()
  const comments = commentsOf(session)
  const layer = useRef<HTMLDivElement>(null)
  const canvas = useView(view => view.canvas)
  const model = useModelLater()
  const threads = useStore(comments.state, talk => talk.threads)
  const unread = useStore(comments.state, talk => talk.unread)
  const mayMove = useStore(comments.state, talk => talk.may.comment)
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
        .slice(-maxPins),
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
              <PinButton
                key={thread.id}
                pin={pin}
                active={thread.id === active}
                unread={unread.has(thread.id)}
                label={unread.has(thread.id) ? t`Comment by ${name}, unread` : t`Comment by ${name}`}
                open={() => openThread(session, thread)}
                move={mayMove ? at => moveThread(session, editor, thread, at) : null}
              >
                <Avatar id={author?.id ?? ''} name={name} image={author?.avatar} size={22} />
                {thread.comments.length > 1 && <span className="h-num">{thread.comments.length}</span>}
              </PinButton>
            )
          })}
          {drafted?.canvas === canvas && (
            <span className="h-pin" data-active style={placeOf(drafted, [0, 0])}>
              <Avatar id={comments.me.id} name={comments.me.name} image={comments.me.avatar} size={22} />
            </span>
          )}
        </div>
      </div>
      {pointing && <Pointing session={session} />}
    </>
  )
}

type PinProps = {
  pin: Pin
  active: boolean
  unread: boolean
  label: string
  open(): void
  /** Fastens it somewhere else; null when one may not. */
  move: ((at: readonly [number, number]) => Promise<void>) | null
  children: ReactNode
}

/** CSS pixels that a pin takes, both ways. */
const extent = 28

/** Position of a pin, moved by `carried` CSS pixels: its lower left corner, shifted to be within its element if that has room. */
function placeOf({ at: [x, y], box }: Pin, carried: readonly [number, number]): CSSProperties {
  const scaled = (value: number): string => `${value}px * var(--zoom, 1)`
  const [left, top] = box
    ? [
        `min(${scaled(x)}, max(${scaled(box[0])}, ${scaled(box[0] + box[2])} - ${extent}px))`,
        `max(${scaled(y)}, min(${scaled(box[1] + box[3])}, ${scaled(box[1])} + ${extent}px))`,
      ]
    : [scaled(x), scaled(y)]
  return { left: `calc(${left} + ${carried[0]}px)`, top: `calc(${top} + ${carried[1]}px)` }
}

/** CSS pixels within which pressing a pin is no dragging. */
const dragSlackPx = 4
/** How far an arrow key carries a pin, in canvas units. */
const stride = 8
const strides: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-stride, 0],
  ArrowRight: [stride, 0],
  ArrowUp: [0, -stride],
  ArrowDown: [0, stride],
}

/** A pin: pressed it opens its thread, dragged (or by Alt and an arrow key) it goes to another place or element. */
function PinButton({ pin, active, unread, label, open, move, children }: PinProps) {
  const editor = useEditor()
  const [carried, setCarried] = useState<readonly [number, number] | null>(null)
  // A moved pin stays at its new place until the document confirms it.
  const [known, setKnown] = useState(pin.at)
  if (known[0] !== pin.at[0] || known[1] !== pin.at[1]) {
    setKnown(pin.at)
    setCarried(null)
  }
  const { handlers, wasDrag } = useDrag<HTMLButtonElement>({
    slack: dragSlackPx,
    begin: () => move !== null,
    move: (_, dx, dy) => setCarried([dx, dy]),
    drop({ currentTarget }) {
      if (!move) return
      // Where it is drawn, which may differ a little from its point.
      const { left, top } = getComputedStyle(currentTarget)
      const { zoom } = editor.view.getState().camera
      void move([parseFloat(left) / zoom, parseFloat(top) / zoom]).catch((error: unknown) => {
        setCarried(null)
        complain(error)
      })
    },
    cancel: () => setCarried(null),
  })
  return (
    <button
      type="button"
      className="h-pin"
      data-active={active || undefined}
      data-lost={pin.lost || undefined}
      data-unread={unread || undefined}
      data-carried={carried ? true : undefined}
      style={placeOf(pin, carried ?? [0, 0])}
      aria-label={label}
      {...handlers}
      onPointerDown={event => {
        event.stopPropagation()
        handlers.onPointerDown(event)
      }}
      onDoubleClick={event => event.stopPropagation()}
      onClick={event => {
        if (!wasDrag(event)) open()
      }}
      onKeyDown={event => {
        const step = event.altKey ? strides[event.key] : undefined
        if (!step || !move) return
        event.preventDefault()
        event.stopPropagation()
        void move([pin.at[0] + step[0], pin.at[1] + step[1]]).catch(complain)
      }}
    >
      {children}
    </button>
  )
}

/** Fastens a thread to what is at a place now. */
function moveThread(session: Session, editor: Editor, thread: Thread, at: readonly [number, number]): Promise<void> {
  const { canvas } = editor.view.getState()
  const hit = editor.scene.hit({ x: at[0], y: at[1] }, editor.slack)
  const anchor = anchorOn(editor.model, canvas, at, hit?.id ?? null)
  return commentsOf(session).say({ do: 'move', thread: thread.id, anchor })
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
