// The grid of cards. In edit mode cards are dragged by their head or grip, resized at their edges, and moved by the arrow keys (with Shift:
// resized); cards in the way make room during the drag. On narrow screens they are in one column.
import { HolderOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { useMemo, useRef, useState, type CSSProperties, type KeyboardEvent, type PointerEvent } from 'react'
import { useStore } from 'zustand'
import type { Item } from '../../model-schema/dashboard.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import { remove } from '../../model-schema/edit.ts'
import type { Id } from '../../model-schema/model.ts'
import { useWords } from '../i18n/locale.ts'
import { useDrag } from '../ui/gestures/drag.ts'
import { cardDomId } from './CardBody.tsx'
import { nothingCarried, placeIn, spotOn, type Target } from './containers/carry.ts'
import { ItemBody, isOpen, narrowRoom, useTitle } from './containers/Containers.tsx'
import { duplicateCard, intoContainer, putCard } from './edits.ts'
import { depth, folded, gap, nudged, put, rowHeight, settled, type Spot } from './layout.ts'
import { markOf, onGrid, spotsOf, tell, useBoard } from './scope.ts'
import { verbatim } from '../../model-schema/words.ts'

type Sides = { readonly right: boolean; readonly bottom: boolean }
type Drag = {
  readonly from: Spot
  readonly spot: Spot
  readonly resize: Sides | null
  readonly dx: number
  readonly dy: number
  /** Where in which container it would go. */
  readonly into: Extract<Target, { into: Id }> | null
}

export function Grid({ narrow }: { narrow: boolean }) {
  const { dashboard, editing, select, standings, page, carry } = useBoard()
  const carried = useStore(carry, ({ target }) => spotOn(target))
  const host = useRef<HTMLDivElement>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const opened = useStore(page, state => state.opened)
  const own = useMemo(() => spotsOf(dashboard), [dashboard])
  const items = useMemo(() => new Map(onGrid(dashboard).map(item => [item.element.id, item])), [dashboard])
  const spots = useMemo(() => {
    if (drag && !drag.into) return put(own, drag.spot, dashboard.columns)
    const all = settled(own)
    if (editing) return all
    // While the page is used, what is hidden or closed takes no room.
    return folded(all, ({ id, h }) => {
      const item = items.get(id)
      if (!item || standings.get(id)?.shown === false) return 0
      return item.layout === 'collapse' && !isOpen(item, opened) ? 1 : h
    })
  }, [own, drag, dashboard.columns, editing, items, standings, opened])
  const rows = depth(spots)
  const free = editing && !narrow ? 6 : 0
  return (
    <div
      ref={host}
      className="d-grid"
      data-narrow={narrow || undefined}
      data-editing={(editing && !narrow) || undefined}
      data-dragging={drag !== null || undefined}
      style={{ ['--columns' as string]: dashboard.columns, ...(narrow ? {} : { height: (rows + free) * (rowHeight + gap) }) }}
      onPointerDown={event => event.target === event.currentTarget && select(null)}
    >
      {carried && <div className="d-ghost" data-over style={placeOf(carried, dashboard.columns)} />}
      {drag && !drag.into && (
        <div className="d-ghost" style={placeOf(spots.find(({ id }) => id === drag.spot.id) ?? drag.spot, dashboard.columns)} />
      )}
      {spots.map(spot => {
        const item = items.get(spot.id)
        return (
          item && (
            <Frame
              key={spot.id}
              item={item}
              spot={spot}
              narrow={narrow}
              host={host}
              drag={drag?.spot.id === spot.id ? drag : null}
              taking={drag?.into?.into === spot.id}
              setDrag={setDrag}
            />
          )
        )
      })}
    </div>
  )
}

/** A spot on the page, as shares of the grid's width and in pixels. */
function placeOf({ x, y, w, h }: Spot, columns: number): CSSProperties {
  const column = `(100% + ${gap}px) / ${columns}`
  return {
    insetInlineStart: `calc(${column} * ${x})`,
    top: y * (rowHeight + gap),
    width: `calc(${column} * ${w} - ${gap}px)`,
    height: h * (rowHeight + gap) - gap,
  }
}

type FrameProps = {
  item: Item
  spot: Spot
  narrow: boolean
  host: React.RefObject<HTMLDivElement | null>
  drag: Drag | null
  /** What is dragged would go into it. */
  taking: boolean
  setDrag(drag: Drag | null): void
}

function Frame({ item, spot, narrow, host, drag, taking, setDrag }: FrameProps) {
  const { t } = useLingui()
  const words = useWords()
  const titleOf = useTitle()
  const { session, dashboard, editing, selected, select, standings, carry } = useBoard()
  const peer = useStore(session.peers, ({ peers }) => peers.find(one => !one.self && one.selection.includes(spot.id)))
  const { element, association } = item
  const kind = words(kindOf(element.kind)?.label ?? verbatim(element.kind))
  const title = titleOf(item)
  const movable = editing && !narrow
  const resized = useRef<Sides | null>(null)
  const { handlers } = useDrag<HTMLElement>({
    begin(event) {
      if (!movable) return false
      event.preventDefault()
      event.stopPropagation()
      // What is typed in elsewhere is finished before something moves.
      event.currentTarget.closest<HTMLElement>('.d-frame')?.focus({ preventScroll: true })
      select(spot.id)
      setDrag({ from: spot, spot, resize: resized.current, dx: 0, dy: 0, into: null })
      return true
    },
    move(event, right, dy) {
      if (!drag || !host.current) return
      const cell = (host.current.clientWidth + gap) / dashboard.columns
      const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
      const dx = rtl ? -right : right
      const columns = Math.round(dx / cell)
      const rows = Math.round(dy / (rowHeight + gap))
      const { from, resize } = drag
      const next: Spot = resize
        ? { ...from, w: Math.max(1, from.w + (resize.right ? columns : 0)), h: Math.max(1, from.h + (resize.bottom ? rows : 0)) }
        : { ...from, x: from.x + columns, y: from.y + rows }
      const into = resize || item.layout !== null ? null : placed(event, rtl, cell)
      carry.setState({ target: into })
      setDrag({ ...drag, spot: next, dx, dy, into })
    },
    drop() {
      if (!drag) return
      cancel()
      if (drag.into) tell(intoContainer(session.doc, item, drag.into.into, drag.into.before))
      else if (drag.dx !== 0 || drag.dy !== 0) putCard(session.doc, dashboard, drag.spot)
    },
    cancel: () => cancel(),
  })
  const cancel = (): void => {
    carry.setState(nothingCarried)
    setDrag(null)
  }
  const begin = (event: PointerEvent<HTMLElement>, resize: Sides | null): void => {
    resized.current = resize
    handlers.onPointerDown(event)
  }
  /** The container under the pointer and the position in it; while others make room for the card, positions are those of the document. */
  const placed = (event: PointerEvent<HTMLElement>, rtl: boolean, cell: number): Drag['into'] => {
    const container = under(event, rtl, cell)
    return placeIn(event, item) ?? (container === null ? null : { into: container, before: null })
  }
  const under = ({ clientX, clientY }: PointerEvent<HTMLElement>, rtl: boolean, cell: number): Id | null => {
    const box = host.current?.getBoundingClientRect()
    if (!box) return null
    const x = (rtl ? box.right - clientX : clientX - box.left) / cell
    const y = (clientY - box.top) / (rowHeight + gap)
    const hit = settled(spotsOf(dashboard)).find(one => x >= one.x && x < one.x + one.w && y >= one.y && y < one.y + one.h)
    return onGrid(dashboard).some(({ element, layout }) => element.id === hit?.id && layout !== null) ? (hit?.id ?? null) : null
  }

  const press = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.target !== event.currentTarget || !editing) return
    // While the card is dragged the key ends that.
    if (event.key === 'Escape') return drag ? undefined : select(null)
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      return select(spot.id)
    }
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault()
      select(null)
      return void tell(remove(session.doc, [spot.id]))
    }
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'd') {
      event.preventDefault()
      const made = duplicateCard(session.doc, dashboard, element)
      if (tell(made) && typeof made === 'string') select(made)
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey || !movable) return
    const next = nudged(spot, event.key, event.shiftKey)
    if (!next) return
    event.preventDefault()
    putCard(session.doc, dashboard, next)
  }

  const lifted = drag && !drag.resize ? { transform: `translate(${drag.dx}px, ${drag.dy}px)`, zIndex: 5 } : {}
  const place = narrow ? narrowRoom(element, spot.h) : placeOf(drag && !drag.resize ? drag.from : spot, dashboard.columns)
  return (
    <div
      id={cardDomId(spot.id)}
      className="d-frame"
      role={editing ? 'group' : undefined}
      aria-label={editing ? t`${title}, ${kind}: arrow keys move it, with Shift they resize it` : undefined}
      tabIndex={editing ? 0 : undefined}
      data-kind={element.kind}
      data-selected={(editing && selected === spot.id) || undefined}
      data-lifted={drag !== null || undefined}
      data-taking={taking || undefined}
      data-hidden={editing && standings.get(spot.id)?.shown === false ? t`Hidden now` : undefined}
      style={{ ...place, ...lifted, ...(peer ? { ['--peer' as string]: peer.color } : {}) }}
      data-peer={peer ? peer.name : undefined}
      onKeyDown={press}
      onFocus={() => editing && selected !== spot.id && select(spot.id)}
      {...handlers}
      onPointerDown={event => {
        if (!editing) return
        select(spot.id)
        const { target } = event
        if (target instanceof HTMLElement && target.closest('.h-card-head') && !target.closest('button')) begin(event, null)
      }}
    >
      <ItemBody item={item} narrow={narrow} />
      {association && dashboard.associations.length > 1 && (
        <i className="d-mark" style={{ background: markOf(dashboard, association.id) }} title={association.name} aria-hidden />
      )}
      {movable && (
        <>
          <span className="d-grip" onPointerDown={event => begin(event, null)} aria-hidden>
            <HolderOutlined aria-hidden />
          </span>
          <span className="d-edge" data-side="end" onPointerDown={event => begin(event, { right: true, bottom: false })} aria-hidden />
          <span className="d-edge" data-side="bottom" onPointerDown={event => begin(event, { right: false, bottom: true })} aria-hidden />
          <span className="d-edge" data-side="corner" onPointerDown={event => begin(event, { right: true, bottom: true })} aria-hidden />
        </>
      )}
    </div>
  )
}
