// What comes next: a short list at the place where a connector was dropped, searched by typing. Existing elements are at its end: this is
// how two are joined from the keyboard.
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { iconOf } from '../../../canvas/icons.ts'
import { useWords } from '../../../i18n/locale.ts'
import { KindIcon } from '../../../panels/KindIcon.tsx'
import { toScreen, viewOf } from '../../geometry/camera.ts'
import type { Editor } from '../../editor.ts'
import type { View } from '../../view.ts'
import { centre, distance } from '../../geometry/geometry.ts'
import { connectorsBetween, nextOffers, titleOf, type Offer } from '../../grammar.ts'
import type { SceneBox } from '../../scene.ts'
import { presetsOn } from '../../starters/presets.ts'
import { everythingOn, findIn } from '../../starters/vocabulary.ts'
import { mayJoinBoxes } from '../../tools/connecting.ts'
import { useEditor, useView } from '../../useEditor.ts'
import { Elsewhere, signOf } from './Palette.tsx'

export function QuickAdd() {
  const asked = useView(view => view.quickAdd)
  return asked ? <Menu key={`${asked.from ?? ''} ${asked.at.x} ${asked.at.y}`} asked={asked} /> : null
}

const width = 240
const height = 300
/** As many existing elements are offered; with thousands, only so many of the nearest are asked whether they may be joined. */
const mostJoined = 5
const mostAsked = 50

type Choice = {
  readonly key: string
  readonly label: string
  readonly by: string | null
  readonly icon: string
  readonly joins: boolean
  readonly take: () => void
}

function Menu({ asked }: { asked: NonNullable<View['quickAdd']> }) {
  const { t } = useLingui()
  const words = useWords()
  const editor = useEditor()
  const camera = useView(view => view.camera)
  const size = useView(view => view.size)
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(0)
  const found: Choice[] = [
    ...findIn(offersFor(editor, asked.from), search).map(({ offer, by }) => ({
      key: offer.key,
      label: words(offer.label),
      by,
      icon: signOf(offer),
      joins: false,
      take: () => void editor.putNext(offer, asked.from, asked.at),
    })),
    ...joinable(editor, asked.from, box => titleOf(box.element, words), search).map(({ id, element }) => {
      const name = titleOf(element, words)
      const take = (): void => {
        editor.view.setState({ quickAdd: null })
        if (asked.from !== null) editor.join(asked.from, id)
      }
      return { key: id, by: null, label: t`Connect to “${name}”`, icon: iconOf(element.kind, element.fields), joins: true, take }
    }),
  ]
  const screen = toScreen(camera, asked.at)
  const left = Math.max(8, Math.min(size.w - width - 8, screen.x + 4))
  const top = Math.max(8, Math.min(size.h - height - 8, screen.y + 4))
  const take = (choice: Choice | undefined): void => {
    if (!choice) return
    choice.take()
    focusCanvas()
  }
  const close = (): void => {
    editor.view.setState({ quickAdd: null })
    focusCanvas()
  }
  return (
    <div
      className="h-quick-add"
      role="dialog"
      aria-label={t`Add what comes next`}
      style={{ left, top, width, maxHeight: height }}
      onPointerDown={event => event.stopPropagation()}
      onDoubleClick={event => event.stopPropagation()}
      onWheel={event => event.stopPropagation()}
    >
      <input
        // Opened by the user, who continues typing.
        // eslint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls="h-quick-add-list"
        aria-activedescendant={found[at] ? `quick-${found[at].key}` : undefined}
        aria-label={t`Search components`}
        placeholder={asked.from === null ? t`Add a component…` : t`What comes next?`}
        value={search}
        onChange={event => {
          setSearch(event.target.value)
          setAt(0)
        }}
        onKeyDown={event => {
          event.stopPropagation()
          if (event.key === 'ArrowDown') setAt(Math.min(found.length - 1, at + 1))
          else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1))
          else if (event.key === 'Enter' && !event.nativeEvent.isComposing) take(found[at])
          else if (event.key === 'Escape') close()
          else return
          event.preventDefault()
        }}
      />
      <ul id="h-quick-add-list" role="listbox">
        {found.map((choice, i) => (
          <li
            key={choice.key}
            id={`quick-${choice.key}`}
            role="option"
            aria-selected={i === at}
            data-joins={choice.joins || undefined}
            ref={element => {
              if (i === at) element?.scrollIntoView({ block: 'nearest' })
            }}
            onPointerMove={() => setAt(i)}
            onClick={() => take(choice)}
          >
            <KindIcon name={choice.icon} />
            <bdi>{choice.label}</bdi>
            {choice.by !== null && <small aria-hidden>{choice.by}</small>}
          </li>
        ))}
      </ul>
      {found.length === 0 && <Elsewhere on={editor.canvasKind} search={search} />}
    </div>
  )
}

const focusCanvas = (): void => document.querySelector<HTMLElement>('.h-canvas')?.focus({ preventScroll: true })

function offersFor(editor: Editor, from: string | null): readonly Offer[] {
  const source = from === null ? undefined : editor.scene.box(from)
  if (!source) return everythingOn(editor.canvasKind)
  const { kind } = source.element
  return [
    ...nextOffers(kind, editor.canvasKind),
    ...presetsOn(editor.canvasKind).filter(offer => connectorsBetween(kind, offer.kind.id).length > 0),
  ]
}

/** Elements on the canvas that the connector may lead to: with a matching name, or in view; the nearest first. */
function joinable(editor: Editor, from: string | null, title: (box: SceneBox) => string, search: string): SceneBox[] {
  const source = from === null ? undefined : editor.scene.box(from)
  if (!source) return []
  const { camera, size } = editor.view.getState()
  const wanted = search.trim().toLowerCase()
  const around = wanted === '' ? editor.scene.visible(viewOf(camera, size)).boxes : [...editor.scene.boxes]
  const here = centre(source)
  return around
    .filter(box => title(box).toLowerCase().includes(wanted))
    .map(box => ({ box, away: distance(centre(box), here) }))
    .sort((a, b) => a.away - b.away)
    .slice(0, mostAsked)
    .filter(({ box }) => mayJoinBoxes(editor, source.id, box.id))
    .slice(0, mostJoined)
    .map(({ box }) => box)
}
