// Everything that may be added to the current canvas, by family. An item is dragged onto the canvas, or clicked and then placed with a
// second click; from the keyboard it is placed in free room.
import { SearchOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Input } from 'antd'
import { useMemo, useRef, useState, type PointerEvent, type ReactNode } from 'react'
import type { CanvasKind } from '../../../../model-schema/kinds/kind.ts'
import { iconOf } from '../../../canvas/icons.ts'
import { useWords } from '../../../i18n/locale.ts'
import { KindIcon } from '../../../panels/KindIcon.tsx'
import { useDrag } from '../../../ui/gestures/drag.ts'
import { recall, remember } from '../../../ui/remember.ts'
import { canvasKindOf, type Offer } from '../../grammar.ts'
import { everythingOn, findElsewhere, findIn, placeOf } from '../../starters/vocabulary.ts'
import { dragSlackPx } from '../../tools/tool.ts'
import { useEditor, useModel, useView } from '../../useEditor.ts'
import './palette.css'

export function Palette({ onTaken }: { onTaken?: () => void }) {
  const { t } = useLingui()
  const words = useWords()
  const canvas = useView(view => view.canvas)
  const on = useModel(model => canvasKindOf(model, canvas)) ?? 'root'
  const placing = useView(view => view.tool === 'placing')
  const [taken, setTaken] = useState('')
  const [search, setSearch] = useState('')
  const [folded, setFolded] = useState(foldedNow)
  const fold = (id: GroupId): void => {
    const next = new Set(folded)
    if (!next.delete(id)) next.add(id)
    remember(foldKey, [...next].join(' '))
    setFolded(next)
  }
  const groups = useMemo(() => {
    const byGroup = Map.groupBy(
      everythingOn(on).toSorted((a, b) => Number(late.has(a.kind.id)) - Number(late.has(b.kind.id))),
      groupOf,
    )
    return groupOrder.flatMap(id => ({ id, offers: byGroup.get(id) ?? [] })).filter(group => group.offers.length > 0)
  }, [on])
  const hits = useMemo(() => findIn(everythingOn(on), search), [on, search])
  const titles: Record<GroupId, string> = {
    preset: t`Ready to use`,
    entity: t`Agents and space`,
    process: t`Processes`,
    data: t`Data and tests`,
    event: t`Events`,
    gateway: t`Gateways`,
    activity: t`Activities`,
    chart: t`Charts and statistics`,
    controller: t`Controllers`,
    learning: t`Learning and chains`,
    drawing: t`Notes and frames`,
    planned: t`Experimental`,
  }
  const item = (offer: Offer, by: string | null = null): ReactNode => (
    <li key={offer.key}>
      <Item
        offer={offer}
        label={words(offer.label)}
        by={by}
        armed={placing && taken === offer.key}
        onArm={() => setTaken(offer.key)}
        onTaken={onTaken}
      />
    </li>
  )
  return (
    <div className="h-palette">
      <Input
        allowClear
        prefix={<SearchOutlined aria-hidden />}
        placeholder={t`Search: queue, server, agent…`}
        aria-label={t`Search components`}
        value={search}
        onChange={event => setSearch(event.target.value)}
      />
      {search.trim() === '' ? (
        groups.map(({ id, offers }) => (
          <section key={id} aria-label={titles[id]}>
            <h2>
              <button type="button" className="h-palette-fold" aria-expanded={!folded.has(id)} onClick={() => fold(id)}>
                {titles[id]}
              </button>
            </h2>
            {!folded.has(id) && <ul>{offers.map(offer => item(offer))}</ul>}
          </section>
        ))
      ) : (
        <>
          <ul>{hits.map(({ offer, by }) => item(offer, by))}</ul>
          {hits.length === 0 && (
            <p className="h-muted" role="status">
              <Trans>No component called “{search.trim()}” here.</Trans>
            </p>
          )}
          <Elsewhere on={on} search={search} />
        </>
      )}
    </div>
  )
}

/** Matching kinds that belong on another sort of canvas, with the name of that canvas. */
export function Elsewhere({ on, search }: { on: CanvasKind; search: string }) {
  const { t } = useLingui()
  const words = useWords()
  const found = findElsewhere(on, search)
  if (found.length === 0) return null
  return (
    <ul className="h-elsewhere" aria-label={t`On other canvases`}>
      {found.map(({ offer, on: there }) => {
        const place = placeOf[there]
        return (
          <li key={`${there} ${offer.key}`}>
            <KindIcon name={signOf(offer)} />
            <bdi>{words(offer.label)}</bdi> <small>{place && words(place)}</small>
          </li>
        )
      })}
    </ul>
  )
}

/** The icon of an offer: as on the canvas. */
export const signOf = ({ kind, values }: Offer): string =>
  iconOf(kind.id, { ...Object.fromEntries(kind.fields.map(field => [field.id, field.initial])), ...values })

type ItemProps = { offer: Offer; label: string; by: string | null; armed: boolean; onArm: () => void; onTaken?: (() => void) | undefined }

function Item({ offer, label, by, armed, onArm, onTaken }: ItemProps) {
  const { t } = useLingui()
  const editor = useEditor()
  const onCanvas = (event: PointerEvent): { x: number; y: number; inside: boolean } => {
    const box = document.querySelector('.h-canvas')?.getBoundingClientRect()
    if (!box) return { x: 0, y: 0, inside: false }
    const inside = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom
    return { x: event.clientX - box.left, y: event.clientY - box.top, inside }
  }
  const taken = useRef(false)
  const { handlers, wasDrag } = useDrag<HTMLButtonElement>({
    slack: dragSlackPx,
    begin() {
      taken.current = false
      return editor.writable
    },
    move(event) {
      if (!taken.current) editor.pickUp(offer)
      taken.current = true
      const { x, y } = onCanvas(event)
      editor.move(x, y)
    },
    drop(event) {
      const { x, y, inside } = onCanvas(event)
      if (inside) {
        editor.up(x, y)
        // What was put down is what keys are about now.
        document.querySelector<HTMLElement>('.h-canvas')?.focus({ preventScroll: true })
      } else editor.cancel()
      onTaken?.()
    },
    cancel: () => editor.cancel(),
  })
  return (
    <button
      type="button"
      className="h-palette-item"
      data-armed={armed || undefined}
      aria-disabled={!editor.writable}
      title={offer.kind.planned ? t`${label} (kept in the file; runs leave it out for now)` : label}
      {...handlers}
      onClick={event => {
        if (wasDrag(event) || !editor.writable) return
        const { detail, nativeEvent } = event
        const touch = nativeEvent instanceof globalThis.PointerEvent && nativeEvent.pointerType === 'touch'
        if (detail === 0 || detail === 2 || touch) {
          editor.cancel()
          editor.putSomewhere(offer)
          onTaken?.()
        } else if (detail === 1) {
          onArm()
          editor.pickUp(offer)
        }
      }}
    >
      <KindIcon name={signOf(offer)} size={18} />
      <span title={label}>
        {label}
        {by !== null && <small>{by}</small>}
      </span>
    </button>
  )
}

const groupOrder = [
  'preset',
  'entity',
  'process',
  'event',
  'activity',
  'gateway',
  'data',
  'chart',
  'controller',
  'learning',
  'drawing',
  'planned',
] as const

/** Kinds that come last in their group. */
const late: ReadonlySet<string> = new Set(['message', 'function', 'statistic', 'test'])

type GroupId = (typeof groupOrder)[number]

const foldKey = 'palette-folded'
/** Windows lower than this begin with fewer groups open. CSS pixels. */
const low = 840

/** The groups that are shut: as they were left on this device, else what few need. */
function foldedNow(): Set<string> {
  const left = recall(foldKey)
  if (left !== null) return new Set(left.split(' '))
  return new Set<GroupId>(globalThis.innerHeight < low ? ['learning', 'planned', 'drawing'] : ['learning', 'planned'])
}

function groupOf({ kind, key }: Offer): GroupId {
  if (key.startsWith('preset/')) return 'preset'
  if (kind.planned) return 'planned'
  if (kind.family === 'flow') {
    if (kind.shape === 'task') return 'activity'
    if (kind.shape === 'gateway') return 'gateway'
    return kind.shape === 'process' ? 'process' : 'event'
  }
  if (kind.id === 'message' || kind.id === 'function') return 'process'
  if (kind.family === 'observation')
    return kind.shape === 'chart' || kind.id === 'statistic' ? 'chart' : kind.shape === 'controller' ? 'controller' : 'data'
  if (kind.family === 'entity' || kind.family === 'data' || kind.family === 'learning') return kind.family
  // Other families are not on any canvas that has a palette.
  return 'drawing'
}
