// The peers' text cursors inside a formula: position, name and selection of each. Positions come with presence and refer to characters; our
// own is sent the same way, while the field has the focus.
import { StateEffect, type Extension, type Range } from '@codemirror/state'
import { Decoration, EditorView, ViewPlugin, WidgetType, type DecorationSet, type PluginValue, type ViewUpdate } from '@codemirror/view'
import type { Id } from '../../../model-schema/model.ts'
import { caretAt, spanOf, type Peer, type Session } from '../../session.ts'

/** A peer's cursor moved without an edit here. */
const moved = StateEffect.define<null>()

/** Names show for this long after their cursor came to a place, in milliseconds; then on hover. */
const nameMs = 2500

/** Shows the others' cursors in the shared text of a field, and ours to them. Comes after the binding of the text. */
export function carets(session: Session, id: Id, field: string): Extension {
  const theirs = (): Peer[] =>
    session.peers.getState().peers.filter(peer => !peer.self && peer.caret?.id === id && peer.caret.field === field)

  class Carets implements PluginValue {
    decorations: DecorationSet = Decoration.none
    readonly #stop: () => void
    #seen: string

    constructor(view: EditorView) {
      this.#seen = signature(theirs())
      this.decorations = this.#draw(view)
      this.#stop = session.peers.subscribe(() => {
        const now = signature(theirs())
        if (now === this.#seen) return
        this.#seen = now
        view.dispatch({ effects: moved.of(null) })
      })
    }

    update(update: ViewUpdate): void {
      if (update.docChanged || update.transactions.some(one => one.effects.some(effect => effect.is(moved))))
        this.decorations = this.#draw(update.view)
      if (update.focusChanged || (update.view.hasFocus && (update.docChanged || update.selectionSet))) show(update.view)
    }

    destroy(): void {
      this.#stop()
      session.presence({ caret: null })
    }

    #draw(view: EditorView): DecorationSet {
      const end = view.state.doc.length
      const ranges = theirs().flatMap((peer): Range<Decoration>[] => {
        const span = peer.caret && spanOf(session.doc, peer.caret)
        if (!span) return []
        const head = Math.min(span.head, end)
        const anchor = Math.min(span.anchor, end)
        const widget = Decoration.widget({ widget: new Caret(peer.client, peer.name, peer.color), side: 1 }).range(head)
        if (head === anchor) return [widget]
        const style = `background-color: color-mix(in srgb, ${peer.color} 24%, transparent)`
        return [
          Decoration.mark({ attributes: { style }, class: 'h-their-selection' }).range(Math.min(head, anchor), Math.max(head, anchor)),
          widget,
        ]
      })
      return Decoration.set(ranges, true)
    }
  }

  const show = (view: EditorView): void => {
    const { anchor, head } = view.state.selection.main
    session.presence({ caret: view.hasFocus ? caretAt(session.doc, id, field, anchor, head) : null })
  }

  return [ViewPlugin.fromClass(Carets, { decorations: plugin => plugin.decorations }), look]
}

const signature = (peers: readonly Peer[]): string => JSON.stringify(peers.map(peer => [peer.client, peer.name, peer.caret]))

class Caret extends WidgetType {
  readonly #client: number
  readonly #name: string
  readonly #color: string

  constructor(client: number, name: string, color: string) {
    super()
    this.#client = client
    this.#name = name
    this.#color = color
  }

  override eq(other: Caret): boolean {
    return other.#client === this.#client && other.#name === this.#name && other.#color === this.#color
  }

  override toDOM(): HTMLElement {
    const caret = document.createElement('span')
    caret.className = 'h-their-caret'
    caret.style.borderColor = this.#color
    const name = caret.appendChild(document.createElement('span'))
    name.textContent = this.#name
    name.style.backgroundColor = this.#color
    return caret
  }

  override get estimatedHeight(): number {
    return -1
  }

  override ignoreEvent(): boolean {
    return true
  }
}

const look = EditorView.theme({
  '.h-their-caret': {
    position: 'relative',
    marginInline: '-1px',
    borderInlineStart: '2px solid',
    pointerEvents: 'auto',
  },
  '.h-their-caret > span': {
    position: 'absolute',
    zIndex: 10,
    insetBlockEnd: '100%',
    insetInlineStart: '-2px',
    padding: '0 5px',
    borderRadius: '4px 4px 4px 0',
    color: '#fff',
    font: '600 10px/15px var(--h-font)',
    whiteSpace: 'nowrap',
    userSelect: 'none',
    pointerEvents: 'none',
    opacity: 0,
    animation: `h-their-name ${nameMs}ms`,
    transition: 'opacity 140ms',
  },
  '.h-their-caret:hover > span': { opacity: 1 },
  '@keyframes h-their-name': { '0%, 80%': { opacity: 1 }, '100%': { opacity: 0 } },
})
