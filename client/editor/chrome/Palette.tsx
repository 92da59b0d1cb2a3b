// Everything that may stand on the canvas shown, by family. An item is dragged onto the canvas, or clicked and then put
// down with a second click; from the keyboard it lands in free room.
import { SearchOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Input } from 'antd'
import { useMemo, useRef, useState, type PointerEvent } from 'react'
import type { Kind, Words } from '../../../model-schema/kinds/kind.ts'
import { iconOf } from '../../canvas/icons.ts'
import { useWords } from '../../i18n/locale.ts'
import { KindIcon } from '../../panels/KindIcon.tsx'
import { canvasKindOf, offersOn, type Offer } from '../grammar.ts'
import { slop } from '../tools/tool.ts'
import { useEditor, useModel, useView } from '../useEditor.ts'

export function Palette({ onTaken }: { onTaken?: () => void }) {
  const { t } = useLingui()
  const words = useWords()
  const canvas = useView(view => view.canvas)
  const on = useModel(model => canvasKindOf(model, canvas)) ?? 'root'
  const armed = useView(view => view.ghost?.offer.key ?? null)
  const [search, setSearch] = useState('')
  const groups = useMemo(() => {
    const found = offersOn(on).filter(offer => matches(offer, search))
    const byGroup = Map.groupBy(found, offer => groupOf(offer.kind))
    return groupOrder.flatMap(id => ({ id, offers: byGroup.get(id) ?? [] })).filter(group => group.offers.length > 0)
  }, [on, search])
  const titles: Record<GroupId, string> = {
    entity: t`Entities`,
    data: t`Data`,
    event: t`Events`,
    gateway: t`Gateways`,
    activity: t`Activities`,
    process: t`Behaviour`,
    chart: t`Charts and views`,
    controller: t`Controllers`,
    statistic: t`Statistics`,
    learning: t`Learning and chains`,
    drawing: t`Notes and frames`,
  }
  return (
    <div className="h-palette">
      <Input
        allowClear
        prefix={<SearchOutlined />}
        placeholder={t`Search components`}
        aria-label={t`Search components`}
        value={search}
        onChange={event => setSearch(event.target.value)}
      />
      {groups.map(({ id, offers }) => (
        <section key={id} aria-label={titles[id]}>
          <h2>{titles[id]}</h2>
          <ul>
            {offers.map(offer => (
              <li key={offer.key}>
                <Item offer={offer} label={words(offer.label)} armed={armed === offer.key} onTaken={onTaken} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {groups.length === 0 && (
        <p className="h-muted">
          <Trans>Nothing of that name can stand on this canvas.</Trans>
        </p>
      )}
    </div>
  )
}

function Item({ offer, label, armed, onTaken }: { offer: Offer; label: string; armed: boolean; onTaken?: (() => void) | undefined }) {
  const { t } = useLingui()
  const editor = useEditor()
  const press = useRef<{ x: number; y: number; dragging: boolean } | null>(null)
  const dragged = useRef(false)

  const onCanvas = (event: PointerEvent): { x: number; y: number; inside: boolean } => {
    const box = document.querySelector('.h-canvas')?.getBoundingClientRect()
    if (!box) return { x: 0, y: 0, inside: false }
    const inside = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom
    return { x: event.clientX - box.left, y: event.clientY - box.top, inside }
  }
  return (
    <button
      type="button"
      className="h-palette-item"
      data-armed={armed || undefined}
      aria-disabled={!editor.writable}
      title={offer.kind.planned ? t`${label} (kept in the file; runs leave it out for now)` : label}
      onPointerDown={event => {
        if (event.button !== 0 || !editor.writable) return
        press.current = { x: event.clientX, y: event.clientY, dragging: false }
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={event => {
        const from = press.current
        if (!from) return
        if (!from.dragging) {
          if (Math.hypot(event.clientX - from.x, event.clientY - from.y) < slop) return
          from.dragging = true
          editor.pickUp(offer)
        }
        const { x, y } = onCanvas(event)
        editor.move(x, y)
      }}
      onPointerUp={event => {
        const from = press.current
        press.current = null
        dragged.current = from?.dragging === true
        if (!from?.dragging) return
        const { x, y, inside } = onCanvas(event)
        if (inside) editor.up(x, y)
        else editor.cancel()
        onTaken?.()
      }}
      onPointerCancel={() => {
        press.current = null
        editor.cancel()
      }}
      onClick={event => {
        // After a drag the browser still reports a click.
        const wasDrag = dragged.current
        dragged.current = false
        if (wasDrag || !editor.writable) return
        const { detail, nativeEvent } = event
        const touch = nativeEvent instanceof globalThis.PointerEvent && nativeEvent.pointerType === 'touch'
        if (detail === 0 || touch) {
          editor.putSomewhere(offer)
          onTaken?.()
        } else editor.pickUp(offer)
      }}
    >
      <KindIcon
        name={iconOf(offer.kind.id, { ...Object.fromEntries(offer.kind.fields.map(field => [field.id, field.initial])), ...offer.values })}
      />
      <span>{label}</span>
    </button>
  )
}

const groupOrder = [
  'entity',
  'process',
  'event',
  'activity',
  'gateway',
  'data',
  'statistic',
  'chart',
  'controller',
  'learning',
  'drawing',
] as const

type GroupId = (typeof groupOrder)[number]

function groupOf(kind: Kind): GroupId {
  if (kind.family === 'flow') {
    if (kind.shape === 'task') return 'activity'
    if (kind.shape === 'gateway') return 'gateway'
    return kind.shape === 'process' ? 'process' : 'event'
  }
  if (kind.family === 'observation') return kind.shape === 'chart' ? 'chart' : kind.shape === 'controller' ? 'controller' : 'statistic'
  // What the other families hold stands on no canvas that has a palette.
  return kind.family === 'scenario' || kind.family === 'experiment' || kind.family === 'dashboard' ? 'drawing' : kind.family
}

/** Both languages are searched: people know components by either. */
export function matches(offer: Offer, search: string): boolean {
  const wanted = search.trim().toLowerCase()
  const has = (words: Words): boolean => words.en.toLowerCase().includes(wanted) || words.zh.includes(wanted)
  return wanted === '' || has(offer.label) || has(offer.kind.label) || offer.kind.id.toLowerCase().includes(wanted)
}
