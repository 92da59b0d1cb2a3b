// What comes next: a short list at the place where a connector was dropped, searched by typing.
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { iconOf } from '../../canvas/icons.ts'
import { useWords } from '../../i18n/locale.ts'
import { KindIcon } from '../../panels/KindIcon.tsx'
import { toScreen } from '../camera.ts'
import type { Editor, View } from '../editor.ts'
import { nextOffers, offersOn, type Offer } from '../grammar.ts'
import { useEditor, useView } from '../useEditor.ts'
import { matches } from './Palette.tsx'

export function QuickAdd() {
  const asked = useView(view => view.quickAdd)
  return asked ? <Menu key={`${asked.from ?? ''} ${asked.at.x} ${asked.at.y}`} asked={asked} /> : null
}

const width = 240
const height = 300

function Menu({ asked }: { asked: NonNullable<View['quickAdd']> }) {
  const { t } = useLingui()
  const words = useWords()
  const editor = useEditor()
  const camera = useView(view => view.camera)
  const size = useView(view => view.size)
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(0)
  const found = offersFor(editor, asked.from).filter(offer => matches(offer, search))
  const screen = toScreen(camera, asked.at)
  const left = Math.max(8, Math.min(size.w - width - 8, screen.x + 4))
  const top = Math.max(8, Math.min(size.h - height - 8, screen.y + 4))
  const take = (offer: Offer | undefined): void => {
    if (!offer) return
    editor.putNext(offer, asked.from, asked.at)
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
        // It was asked for by hand: typing goes on at once.
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
        {found.map((offer, i) => (
          <li
            key={offer.key}
            id={`quick-${offer.key}`}
            role="option"
            aria-selected={i === at}
            ref={element => {
              if (i === at) element?.scrollIntoView({ block: 'nearest' })
            }}
            onPointerMove={() => setAt(i)}
            onClick={() => take(offer)}
          >
            <KindIcon
              name={iconOf(offer.kind.id, {
                ...Object.fromEntries(offer.kind.fields.map(field => [field.id, field.initial])),
                ...offer.values,
              })}
            />
            {words(offer.label)}
          </li>
        ))}
      </ul>
    </div>
  )
}

const focusCanvas = (): void => document.querySelector<HTMLElement>('.h-canvas')?.focus({ preventScroll: true })

const offersFor = (editor: Editor, from: string | null): readonly Offer[] => {
  const source = from === null ? undefined : editor.scene.box(from)
  return source ? nextOffers(source.element.kind, editor.canvasKind) : offersOn(editor.canvasKind)
}
