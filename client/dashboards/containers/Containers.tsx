// Containers and what is in them: side by side, one below the other, behind a heading that opens, as slides, or at an edge of the page. In edit mode
// each part can be selected, moved by the arrow keys, with Shift be given more or less room, and be dragged to another place, container, or the page.
import { CaretRightOutlined, HolderOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Activity, useEffect, useId, useRef, type CSSProperties, type KeyboardEvent, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { Item } from '../../../model-schema/dashboard.ts'
import { remove } from '../../../model-schema/edit.ts'
import { kindOf } from '../../../model-schema/kinds.ts'
import { plainOf } from '../../../model-schema/rich.ts'
import { useWords } from '../../i18n/locale.ts'
import { flagField, textField } from '../../run/fields.ts'
import { useDrag } from '../../ui/gestures/drag.ts'
import { CardBody, cardDomId, reveal } from '../CardBody.tsx'
import { beforeOf, intoOf, nothingCarried, placeIn, dragSlackPx, spotAt } from './carry.ts'
import { duplicateCard, intoContainer, ontoPage, setShare, shift } from '../edits.ts'
import { plainStanding } from '../interactions.ts'
import { narrowHeight, spotOf } from '../layout.ts'
import { markOf, tell, useBoard } from '../scope.ts'
import './containers.css'
import { verbatim } from '../../../model-schema/words.ts'

/** A card, or a container with its cards. */
export function ItemBody({ item, narrow }: { item: Item; narrow: boolean }) {
  const { standings, editing } = useBoard()
  const off = !editing && item.element.kind !== 'controller' && standings.get(item.element.id)?.enabled === false
  const body = item.layout === null ? <CardBody item={item} /> : <Container item={item} narrow={narrow} />
  return off ? (
    <div className="d-off" inert aria-disabled="true">
      {body}
    </div>
  ) : (
    body
  )
}

/** What people call it: its name, the beginning of its text, or its kind. */
export function useTitle(): (item: Item) => string {
  const words = useWords()
  return ({ element, layout }) => {
    const kind = kindOf(element.kind)
    const type = kind?.fields.find(({ id }) => id === (layout === null ? 'type' : 'layout'))?.type
    const option = type?.as === 'choice' ? type.options[textField(element, layout === null ? 'type' : 'layout')] : undefined
    const written =
      textField(element, 'name') ||
      plainOf(element.fields['body'] ?? null)
        .split('\n', 1)[0]
        ?.slice(0, 40)
    return written || words(option ?? kind?.label ?? verbatim(element.kind))
  }
}

/** Whether a container that opens is open: as a person left it, or as it begins. */
export const isOpen = ({ element }: Item, opened: ReadonlyMap<string, boolean>): boolean =>
  opened.get(element.id) ?? flagField(element, 'open')

function Container({ item, narrow }: { item: Item; narrow: boolean }) {
  const { editing, page, standings, carry } = useBoard()
  const opened = useStore(page, state => state.opened)
  const isTaking = useStore(carry, ({ target }) => intoOf(target) === item.element.id)
  const titleOf = useTitle()
  const id = useId()
  const holder = { 'data-holder': item.element.id, 'data-taking': isTaking || undefined }
  const named = textField(item.element, 'name')
  const shown = editing ? item.items : item.items.filter(({ element }) => (standings.get(element.id) ?? plainStanding).shown)
  const parts = shown.map(inner => <Slot key={inner.element.id} item={inner} holder={item} narrow={narrow} />)
  const empty = item.items.length === 0 && editing && (
    <p className="d-empty h-muted">
      <Trans>Nothing in it yet. Select it and add cards, or drag cards here.</Trans>
    </p>
  )
  if (item.layout === 'slides')
    return (
      <section className="d-container" data-layout="slides" {...holder} aria-label={titleOf(item)}>
        <Slides item={item} shown={shown} heading={named} narrow={narrow} />
        {empty}
      </section>
    )
  if (item.layout === 'collapse') {
    const open = editing || isOpen(item, opened)
    return (
      <section className="d-container" data-layout="collapse" {...holder} data-open={open || undefined} aria-label={titleOf(item)}>
        <h3 className="d-fold-head h-card-head">
          <button type="button" aria-expanded={open} aria-controls={id} onClick={() => !editing && page.open(item.element.id, !open)}>
            <CaretRightOutlined rotate={open ? 90 : 0} aria-hidden />
            <span>{titleOf(item)}</span>
          </button>
        </h3>
        <Activity mode={open ? 'visible' : 'hidden'}>
          <div id={id} className="d-inside" data-flow="column">
            {parts}
            {empty}
          </div>
        </Activity>
      </section>
    )
  }
  const flow = item.layout === 'row' && !narrow ? 'row' : 'column'
  return (
    <section className="d-container" data-layout={item.layout} {...holder} aria-label={titleOf(item)}>
      {named !== '' && (
        <header className="h-card-head">
          <h3 className="h-card-title">{named}</h3>
        </header>
      )}
      <div className="d-inside" data-flow={flow}>
        {parts}
        {empty}
      </div>
    </section>
  )
}

function Slides({ item, shown, heading, narrow }: { item: Item; shown: readonly Item[]; heading: string; narrow: boolean }) {
  const { page, editing, selected, standings } = useBoard()
  const { t } = useLingui()
  const titleOf = useTitle()
  const id = useId()
  const chosen = useStore(page, ({ slides }) => slides.get(item.element.id))
  const tabs = useRef<HTMLDivElement>(null)
  // What is selected is seen.
  const current = (editing && shown.find(one => holds(one, selected))) || shown.find(({ element }) => element.id === chosen) || shown[0]
  const choose = (next: Item | undefined): void => next && page.slide(item.element.id, next.element.id)
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const at = current ? shown.indexOf(current) : 0
    const step = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1 }[event.key]
    const next =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? shown.length - 1
          : step === undefined
            ? null
            : (at + step + shown.length) % shown.length
    if (next === null) return
    event.preventDefault()
    event.stopPropagation()
    choose(shown[next])
    tabs.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <>
      <div className="d-tabs h-card-head">
        {heading !== '' && <h3 className="h-card-title">{heading}</h3>}
        <div role="tablist" aria-label={heading || t`Slides`} ref={tabs} onKeyDown={press}>
          {shown.map(one => (
            <button
              key={one.element.id}
              type="button"
              role="tab"
              id={`${id}${one.element.id}`}
              aria-selected={one === current}
              aria-controls={`${id}panel${one.element.id}`}
              tabIndex={one === current ? 0 : -1}
              data-hidden={standings.get(one.element.id)?.shown === false || undefined}
              onClick={() => choose(one)}
            >
              {titleOf(one)}
            </button>
          ))}
        </div>
      </div>
      {shown.map(one => (
        <Activity key={one.element.id} mode={one === current ? 'visible' : 'hidden'}>
          <div
            className="d-inside"
            role="tabpanel"
            id={`${id}panel${one.element.id}`}
            aria-labelledby={`${id}${one.element.id}`}
            data-flow="column"
          >
            <Slot item={one} holder={item} narrow={narrow} />
          </div>
        </Activity>
      ))}
    </>
  )
}

const holds = (item: Item, id: string | null): boolean => item.element.id === id || item.items.some(inner => holds(inner, id))

const steps: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

function Slot({ item, holder, narrow }: { item: Item; holder: Item; narrow: boolean }) {
  const { t } = useLingui()
  const titleOf = useTitle()
  const { session, dashboard, editing, selected, select, standings, carry } = useBoard()
  const { element, association } = item
  const { id } = element
  const isLifted = useStore(carry, ({ carried }) => carried?.id === id)
  const isNext = useStore(carry, ({ target }) => beforeOf(target) === id)
  // Another user may delete it meanwhile.
  useEffect(() => () => void (carry.getState().carried?.id === id && carry.setState(nothingCarried)), [carry, id])
  const peer = useStore(session.peers, ({ peers }) => peers.find(one => !one.self && one.selection.includes(id)))
  const { w, h } = spotOf(id, element.geo, 24)
  const title = titleOf(item)
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.target !== event.currentTarget || !editing) return
    if (edit(event)) event.preventDefault()
  }
  const edit = (event: KeyboardEvent<HTMLElement>): boolean => {
    const { key } = event
    if (key === 'Escape') {
      // While it is dragged the key ends that.
      if (carry.getState().carried?.id !== id) select(holder.element.id)
      return true
    }
    if (key === 'Delete' || key === 'Backspace') {
      select(holder.element.id)
      return tell(remove(session.doc, [id]))
    }
    if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'd') {
      const made = duplicateCard(session.doc, dashboard, element)
      if (tell(made) && typeof made === 'string') select(made)
      return true
    }
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const step = steps[key]
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return false
    const by = rtl && (key === 'ArrowLeft' || key === 'ArrowRight') ? (step === 1 ? -1 : 1) : step
    if (event.shiftKey) setShare(session.doc, element, holder.layout === 'row' ? [w + by, h] : [w, h + by])
    else if (tell(shift(session.doc, holder, id, by)))
      // What is moved on the page loses the keys.
      reveal(id)
    return true
  }
  const movable = editing && !narrow
  const { handlers } = useDrag<HTMLElement>({
    slack: dragSlackPx,
    begin(event) {
      if (!movable) return false
      event.preventDefault()
      event.currentTarget.focus({ preventScroll: true })
      return true
    },
    move(event) {
      const spot = spotAt(event, item, dashboard.columns)
      carry.setState({
        carried: { id, title, x: event.clientX, y: event.clientY },
        target: placeIn(event, item) ?? (spot && { spot }),
      })
    },
    drop() {
      const { target } = carry.getState()
      carry.setState(nothingCarried)
      if (!target) return
      if ('spot' in target) tell(ontoPage(session.doc, dashboard, item, target.spot))
      else if (target.before !== id) tell(intoContainer(session.doc, item, target.into, target.before))
    },
    cancel: () => carry.setState(nothingCarried),
  })
  return (
    <div
      id={cardDomId(id)}
      className="d-slot"
      role={editing ? 'group' : undefined}
      aria-label={editing ? t`${title}: arrow keys change its place in the container, with Shift its share` : undefined}
      tabIndex={editing ? 0 : undefined}
      data-slot={id}
      data-lifted={isLifted || undefined}
      data-next={isNext || undefined}
      data-kind={element.kind}
      data-selected={(editing && selected === id) || undefined}
      data-hidden={editing && standings.get(id)?.shown === false ? t`Hidden now` : undefined}
      data-peer={peer ? peer.name : undefined}
      style={{ ...roomOf(item, holder, narrow, [w, h]), ...(peer ? { ['--peer' as string]: peer.color } : {}) }}
      onKeyDown={press}
      onFocus={event => {
        if (!editing) return
        event.stopPropagation()
        if (selected !== id && !inner(event.target, event.currentTarget)) select(id)
      }}
      {...handlers}
      onPointerDown={event => {
        if (!editing) return
        event.stopPropagation()
        select(id)
        const { target } = event
        const isHead = target instanceof Element && target.closest('.h-card-head, .d-grip') && !target.closest('button')
        if (isHead && !inner(target, event.currentTarget)) handlers.onPointerDown(event)
      }}
    >
      <ItemBody item={item} narrow={narrow} />
      {movable && (
        <span className="d-grip" aria-hidden>
          <HolderOutlined aria-hidden />
        </span>
      )}
      {association && dashboard.associations.length > 1 && (
        <i className="d-mark" style={{ background: markOf(dashboard, association.id) }} title={association.name} aria-hidden />
      )}
    </div>
  )
}

/** Whether the focused element is in a part of this part. */
const inner = (target: EventTarget, part: Element): boolean => target instanceof Element && target.closest('.d-slot') !== part

/** Controls and texts are as high as they need to be; all else shares what there is. */
function roomOf({ element }: Item, { layout }: Item, narrow: boolean, [w, h]: readonly [number, number]): CSSProperties {
  if (narrow) return narrowRoom(element, h)
  if (layout === 'row') return { flex: `${w} 1 0` }
  if (layout === 'slides') return { flex: '1 1 0' }
  return element.kind === 'controller' || layout === 'panel' ? { flex: 'none' } : { flex: `${h} 1 0` }
}

/** On a phone. */
export function narrowRoom({ kind, fields }: Item['element'], h: number): CSSProperties {
  const height = narrowHeight(kind, h, fields['type'])
  return height === null ? {} : { height }
}

/** The panels at an edge of the page; on a phone all are at the top, and can be closed. */
export function Panels({ side, narrow }: { side: 'top' | 'start' | 'end'; narrow: boolean }): ReactNode {
  const { dashboard, editing, selected, select, standings } = useBoard()
  const titleOf = useTitle()
  const panels = dashboard.items.filter(
    ({ element, layout }) =>
      layout === 'panel' &&
      (narrow ? side === 'top' : (textField(element, 'side') || 'start') === side) &&
      (editing || standings.get(element.id)?.shown !== false),
  )
  return panels.map(panel => {
    const { id } = panel.element
    const body = <ItemBody item={panel} narrow={false} />
    return (
      <aside
        key={id}
        id={cardDomId(id)}
        className="d-panel"
        data-side={side}
        data-holder={id}
        data-selected={(editing && selected === id) || undefined}
        tabIndex={editing ? 0 : undefined}
        aria-label={titleOf(panel)}
        onFocus={event => editing && event.target === event.currentTarget && select(id)}
        onPointerDown={() => editing && select(id)}
      >
        {narrow ? (
          <details open>
            <summary>{titleOf(panel)}</summary>
            {body}
          </details>
        ) : (
          body
        )}
      </aside>
    )
  })
}
