// What makes CodeMirror a formula editor: highlighting, completion and hover, all from the engine's own language.
import { closeCompletion, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { EditorState, StateEffect, StateField, type Extension } from '@codemirror/state'
import { t } from '@lingui/core/macro'
import { EditorView, hoverTooltip, showTooltip, type Tooltip } from '@codemirror/view'
import { definitions } from './definition.ts'

/** A name that may be written at a place. */
type Suggestion = {
  readonly name: string
  readonly kind: string
  readonly detail: string
  readonly info: string
  /** The address of more in the reference; blank = none. */
  readonly more: string
  /** `|` marks where the cursor goes. */ readonly insert?: string | undefined
}

/** Language services of a formula in its scope. */
export type Services = {
  /** Highlighting and indentation. */
  readonly syntax: Extension
  /** What may be written at an offset, replacing from `from`. */
  suggest(text: string, at: number): { readonly from: number; readonly list: readonly Suggestion[] } | null
  /** The call being written at an offset: its signature and the parameter that is next. */
  signature(text: string, at: number): { readonly title: string; readonly parameter: string; readonly text: string } | null
  /** Where the name at an offset is defined: in this formula, or elsewhere (then how to go there). */
  define(text: string, at: number): { readonly from: number; readonly to: number } | { readonly go: () => void } | null
  /** The symbol at an offset: its type and help. */
  describe(
    text: string,
    at: number,
  ): { readonly from: number; readonly to: number; readonly title: string; readonly text: string; readonly more: string } | null
}

const completionType: Readonly<Record<string, string>> = {
  function: 'function',
  library: 'function',
  builtin: 'constant',
  variable: 'variable',
  parameter: 'variable',
  local: 'variable',
  population: 'class',
  container: 'property',
  process: 'method',
  statistic: 'property',
  keyword: 'keyword',
}

export function formulaLanguage(services: Services): Extension {
  const source = (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/[\p{L}\p{N}_.]+/u)
    if (!context.explicit && (!word || /^\d/.test(word.text))) return null
    const found = services.suggest(context.state.doc.toString(), context.pos)
    if (!found || found.list.length === 0) return null
    return { from: found.from, options: found.list.map(optionOf), validFor: /^[\p{L}\p{N}_]*$/u }
  }
  return [
    services.syntax,
    EditorState.languageData.of(() => [
      { autocomplete: source, commentTokens: { line: '#' }, closeBrackets: { brackets: ['(', '[', '{', '"', "'"] } },
    ]),
    hoverTooltip((view, at) => {
      const found = services.describe(view.state.doc.toString(), at)
      if (!found) return null
      return { pos: found.from, end: found.to, above: true, create: () => ({ dom: card(found.title, found.text, found.more) }) }
    }),
    signatures(services),
    definitions(services),
    EditorView.domEventHandlers({ blur: (_, view) => void closeCompletion(view) }),
  ]
}

const left = StateEffect.define()

/** While the arguments of a call are typed, its signature is shown above them. */
function signatures(services: Services): Extension {
  const tooltipAt = (state: EditorState): Tooltip | null => {
    const { head, empty } = state.selection.main
    const help = empty ? services.signature(state.doc.toString(), head) : null
    return help ? { pos: head, above: true, create: () => ({ dom: signatureCard(help.title, help.parameter, help.text) }) } : null
  }
  const tooltip = StateField.define<Tooltip | null>({
    create: () => null,
    update: (shown, transaction) => {
      if (transaction.effects.some(effect => effect.is(left))) return null
      if (transaction.docChanged)
        return transaction.isUserEvent('input') || transaction.isUserEvent('delete') ? tooltipAt(transaction.state) : null
      return transaction.selection ? (shown ? tooltipAt(transaction.state) : null) : shown
    },
    provide: field => showTooltip.from(field),
  })
  return [tooltip, EditorView.focusChangeEffect.of((_, focusing) => (focusing ? null : left.of(null)))]
}

function signatureCard(title: string, parameter: string, text: string): HTMLElement {
  const dom = card(title, text)
  const head = dom.querySelector('code')
  const plain = parameter.replace(/[^\p{L}\p{N}_]/gu, '')
  const at = plain === '' ? -1 : title.search(new RegExp(`(?<![\\p{L}\\p{N}_])${plain}(?![\\p{L}\\p{N}_])`, 'u'))
  if (head && at >= 0) {
    const name = document.createElement('b')
    name.textContent = plain
    head.replaceChildren(title.slice(0, at), name, title.slice(at + plain.length))
  }
  return dom
}

function optionOf({ name, kind, detail, info, more, insert }: Suggestion): Completion {
  return {
    label: name,
    type: completionType[kind] ?? 'text',
    detail,
    ...(info === ''
      ? {}
      : { info: () => card(detail === '' ? name : `${name}${detail.startsWith('(') ? '' : ': '}${detail}`, info, more) }),
    ...(insert === undefined
      ? {}
      : {
          apply: (view: EditorView, _: Completion, from: number, to: number) => {
            const mark = insert.indexOf('|')
            const whole = insert.replace('|', '')
            view.dispatch({
              changes: { from, to, insert: whole },
              selection: { anchor: from + (mark < 0 ? whole.length : mark) },
              userEvent: 'input.complete',
            })
          },
        }),
  }
}

function card(title: string, text: string, more = ''): HTMLElement {
  const dom = document.createElement('div')
  dom.className = 'h-code-card'
  const head = dom.appendChild(document.createElement('code'))
  head.textContent = title
  for (const line of text.split('\n').filter(part => part !== '')) dom.appendChild(document.createElement('p')).textContent = line
  if (more !== '') {
    const link = dom.appendChild(document.createElement('a'))
    link.href = more
    link.target = '_blank'
    link.rel = 'noreferrer'
    link.textContent = t`Reference`
  }
  return dom
}
