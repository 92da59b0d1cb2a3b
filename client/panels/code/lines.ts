// Breakpoints in the gutter of a program, and the line before which the run is stopped. They follow their lines while the text is edited.
import { RangeSet, StateEffect, StateField, type Extension } from '@codemirror/state'
import { Decoration, EditorView, gutter, GutterMarker, hoverTooltip, keymap } from '@codemirror/view'

/** A breakpoint on a line, from 0. */
type LineMark = { readonly id: string; readonly line: number; readonly enabled: boolean; readonly refused: boolean }

/** The line before which the run is stopped, from 0; `innermost` unless it waits there for a function it called. */
type LineHere = { readonly line: number; readonly innermost: boolean }

type Shown = { readonly marks: readonly LineMark[]; readonly here: LineHere | null }

export type LineWords = {
  /** How to set one without a mouse. */
  gutter(): string
  mark(line: number): string
  gone(line: number): string
  refused(line: number): string
  here(line: number): string
}

/** What a person does to the lines. */
export type LineActs = {
  toggle(line: number): void
  /** Where breakpoints are after an edit, by id. */
  moved(lines: ReadonlyMap<string, number>): void
  /** The value of a name while the run is stopped in this formula; null when that is not known. */
  valueOf(name: string): string | null
}

type Placed = { readonly marks: readonly (LineMark & { readonly at: number })[]; readonly here: LineHere | null }

const show = StateEffect.define<Shown>()

/** Shows these breakpoints and this place; scrolls to the place when it is new. */
export function showLines(view: EditorView, shown: Shown): void {
  const before = view.state.field(placed, false)?.here
  view.dispatch({ effects: show.of(shown) })
  const { here } = shown
  if (!here || (before?.line === here.line && before.innermost === here.innermost) || here.line >= view.state.doc.lines) return
  view.dispatch({ effects: EditorView.scrollIntoView(view.state.doc.line(here.line + 1).from, { y: 'nearest', yMargin: 40 }) })
  view.dom.scrollIntoView({ block: 'nearest' })
}

const placed = StateField.define<Placed>({
  create: () => ({ marks: [], here: null }),
  update(now, transaction) {
    let next = now
    if (transaction.docChanged && now.marks.length > 0)
      next = { ...now, marks: now.marks.map(mark => ({ ...mark, at: transaction.changes.mapPos(mark.at, 1) })) }
    for (const effect of transaction.effects)
      if (effect.is(show)) {
        const { doc } = transaction.state
        const marks = effect.value.marks.map(mark => ({ ...mark, at: doc.line(Math.min(doc.lines, mark.line + 1)).from }))
        next = { marks, here: effect.value.here }
      }
    return next
  },
  provide: field =>
    EditorView.decorations.from(field, ({ here }) => view => {
      const { doc } = view.state
      if (!here || here.line >= doc.lines) return Decoration.none
      const kind = here.innermost ? 'cm-line-here' : 'cm-line-caller'
      return Decoration.set([Decoration.line({ class: kind }).range(doc.line(here.line + 1).from)])
    }),
})

/** Breakpoint dots and the current line; F9 sets or clears a breakpoint at the cursor. */
export function lineMarks(words: LineWords, acts: LineActs): Extension {
  const toggleAt = (view: EditorView, at: number): void => {
    const { number } = view.state.doc.lineAt(at)
    const had = view.state.field(placed).marks.some(mark => view.state.doc.lineAt(mark.at).number === number)
    acts.toggle(number - 1)
    view.dispatch({ effects: EditorView.announce.of(had ? words.gone(number) : words.mark(number)) })
  }
  return [
    placed,
    EditorView.contentAttributes.of(() => ({ 'aria-description': words.gutter() })),
    hoverTooltip((view, at) => {
      const word = view.state.wordAt(at)
      const name = word ? view.state.sliceDoc(word.from, word.to) : ''
      const value = name === '' ? null : acts.valueOf(name)
      if (!word || value === null) return null
      return { pos: word.from, end: word.to, above: true, create: () => ({ dom: valueCard(name, value) }) }
    }),
    gutter({
      class: 'cm-break-gutter',
      renderEmptyElements: true,
      markers: view => markersOf(view, words),
      lineMarkerChange: update => update.startState.field(placed) !== update.state.field(placed),
      initialSpacer: () => new Dot('', 'on'),
      domEventHandlers: {
        mousedown(view, line, event) {
          if (event instanceof MouseEvent && event.button !== 0) return false
          toggleAt(view, line.from)
          return true
        },
      },
    }),
    EditorView.updateListener.of(update => {
      if (!update.docChanged) return
      const { marks } = update.state.field(placed)
      const { doc } = update.state
      const lines = new Map(marks.map(mark => [mark.id, doc.lineAt(Math.min(doc.length, mark.at)).number - 1]))
      if (marks.some(mark => lines.get(mark.id) !== mark.line)) acts.moved(lines)
    }),
    keymap.of([{ key: 'F9', run: view => (toggleAt(view, view.state.selection.main.head), true) }]),
    look,
  ]
}

function markersOf(view: EditorView, words: LineWords): RangeSet<GutterMarker> {
  const { marks, here } = view.state.field(placed)
  const { doc } = view.state
  const found = new Map<number, Dot>()
  for (const mark of marks) {
    const line = doc.lineAt(Math.min(doc.length, mark.at))
    const label = mark.refused ? words.refused(line.number) : words.mark(line.number)
    found.set(line.from, new Dot(label, mark.refused ? 'refused' : mark.enabled ? 'on' : 'off'))
  }
  if (here && here.line < doc.lines) {
    const { from, number } = doc.line(here.line + 1)
    found.set(from, new Dot(words.here(number), found.get(from)?.kind ?? 'none', true))
  }
  return RangeSet.of(
    [...found].map(([from, dot]) => dot.range(from)),
    true,
  )
}

function valueCard(name: string, value: string): HTMLElement {
  const dom = document.createElement('div')
  dom.className = 'h-code-card'
  dom.appendChild(document.createElement('code')).textContent = `${name} = ${value}`
  return dom
}

class Dot extends GutterMarker {
  readonly kind: 'on' | 'off' | 'refused' | 'none'
  readonly #label: string
  readonly #here: boolean

  constructor(label: string, kind: Dot['kind'], here = false) {
    super()
    this.#label = label
    this.kind = kind
    this.#here = here
  }

  override eq(other: GutterMarker): boolean {
    return other instanceof Dot && other.#label === this.#label && other.kind === this.kind && other.#here === this.#here
  }

  override toDOM(): HTMLElement {
    const dot = document.createElement('span')
    dot.className = 'cm-break'
    dot.dataset['kind'] = this.kind
    if (this.#here) dot.dataset['here'] = ''
    dot.title = this.#label
    return dot
  }
}

const look = EditorView.theme({
  '.cm-gutters': { backgroundColor: 'transparent', border: '0' },
  '.cm-break-gutter': { width: '18px', cursor: 'pointer' },
  '.cm-break-gutter .cm-gutterElement': { display: 'flex', alignItems: 'center', justifyContent: 'center', height: '20px' },
  '.cm-break-gutter .cm-gutterElement:hover': { backgroundColor: 'color-mix(in srgb, var(--h-bad) 16%, transparent)' },
  '.cm-break': { position: 'relative', width: '9px', height: '9px', borderRadius: '50%' },
  '.cm-break[data-kind="on"]': { backgroundColor: 'var(--h-bad)' },
  '.cm-break[data-kind="off"]': { boxShadow: 'inset 0 0 0 1.5px var(--h-faint)' },
  '.cm-break[data-kind="refused"]': { boxShadow: 'inset 0 0 0 1.5px var(--h-bad)' },
  '.cm-break[data-here]::after': {
    content: '""',
    position: 'absolute',
    inset: '-3px -5px -3px 5px',
    width: '0',
    border: '7px solid transparent',
    borderInlineStartColor: 'var(--h-warn)',
    borderInlineEndWidth: '0',
  },
  '.cm-line-here': { backgroundColor: 'color-mix(in srgb, var(--h-warn) 24%, transparent)' },
  '.cm-line-caller': { backgroundColor: 'color-mix(in srgb, var(--h-warn) 10%, transparent)' },
})
