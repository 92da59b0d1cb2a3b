// What makes CodeMirror a formula editor: highlighting, completion and hover, all from the engine's own language.
import { closeCompletion, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, hoverTooltip } from '@codemirror/view'

/** A name that may be written at a place. */
export type Suggestion = { readonly name: string; readonly kind: string; readonly detail: string; readonly info: string; readonly insert?: string }

/** What the language knows about a formula where it stands. */
export type Services = {
  /** Highlighting and indentation. */
  readonly syntax: Extension
  /** What may be written at an offset, replacing from `from`. */
  suggest(text: string, at: number): { readonly from: number; readonly list: readonly Suggestion[] } | null
  /** What stands at an offset: its type and help. */
  describe(text: string, at: number): { readonly from: number; readonly to: number; readonly title: string; readonly text: string } | null
}

const completionType: Readonly<Record<string, string>> = {
  function: 'function', builtin: 'constant', variable: 'variable', parameter: 'variable', local: 'variable', population: 'class', container: 'property', process: 'method', statistic: 'property', keyword: 'keyword',
}

export function formulaLanguage(services: Services): Extension {
  const source = (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/[\p{L}\p{N}_.]+/u)
    if (!context.explicit && !word) return null
    const found = services.suggest(context.state.doc.toString(), context.pos)
    if (!found || found.list.length === 0) return null
    return { from: found.from, options: found.list.map(optionOf), validFor: /^[\p{L}\p{N}_]*$/u }
  }
  return [
    services.syntax,
    EditorState.languageData.of(() => [{ autocomplete: source, commentTokens: { line: '#' }, closeBrackets: { brackets: ['(', '[', '{', '"', "'"] } }]),
    hoverTooltip((view, at) => {
      const found = services.describe(view.state.doc.toString(), at)
      if (!found) return null
      return { pos: found.from, end: found.to, above: true, create: () => ({ dom: card(found.title, found.text) }) }
    }),
    EditorView.domEventHandlers({ blur: (_, view) => void closeCompletion(view) }),
  ]
}

function optionOf({ name, kind, detail, info, insert }: Suggestion): Completion {
  return {
    label: name,
    type: completionType[kind] ?? 'text',
    detail,
    info: info === '' ? undefined : () => card(detail === '' ? name : `${name}${detail.startsWith('(') ? '' : ' : '}${detail}`, info),
    ...(insert === undefined
      ? {}
      : {
          apply: (view: EditorView, _: Completion, from: number, to: number) => {
            // The cursor ends up between the brackets of a call.
            const cursor = from + insert.length - (insert.endsWith(')') ? 1 : 0)
            view.dispatch({ changes: { from, to, insert }, selection: { anchor: cursor }, userEvent: 'input.complete' })
          },
        }),
  }
}

function card(title: string, text: string): HTMLElement {
  const dom = document.createElement('div')
  dom.className = 'h-code-card'
  const head = dom.appendChild(document.createElement('code'))
  head.textContent = title
  for (const line of text.split('\n').filter(part => part !== '')) dom.appendChild(document.createElement('p')).textContent = line
  return dom
}
