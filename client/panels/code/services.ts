// The language services of a formula in its scope, for CodeMirror: highlighting, completion, hover.
import { useWords } from '../../i18n/locale.ts'
import { LanguageSupport, LRLanguage } from '@codemirror/language'
import { useMemo } from 'react'
import type { Field, FormulaContext } from '../../../model-schema/kinds/kind.ts'
import type { Id, Model } from '../../../model-schema/model.ts'
import {
  completionsAt,
  definitionAt,
  expressionParser,
  hoverAt,
  programParser,
  rows,
  signatureAt,
  signatureWords,
  typeWords,
  type Scope,
} from '../../../sim-engine/language.ts'
import { useScope } from '../../editor/useEditor.ts'
import { referenceOfFunction } from '../../reference/link.ts'
import type { Services } from './language.ts'
import { scopeAt } from './scope.ts'
import { type Words } from '../../../model-schema/words.ts'

export function useServices(owner: Id, field: Field): Services {
  const { model, editor } = useScope()
  const words = useWords()
  // The same services during typing: they read the model when called.
  return useMemo(
    () =>
      servicesOf(
        () => model.getState().model,
        owner,
        field.type.as === 'formula' ? field.type.context : 'expression',
        words,
        id => editor.reveal(id),
      ),
    [model, editor, owner, field, words],
  )
}

/** The functions of the language itself. */
const rowNames: ReadonlySet<string> = new Set(rows.map(row => row.signature.name))

const languages = {
  expression: new LanguageSupport(LRLanguage.define({ name: 'formula', parser: expressionParser })),
  program: new LanguageSupport(LRLanguage.define({ name: 'program', parser: programParser })),
}

function servicesOf(
  modelNow: () => Model,
  owner: Id,
  context: FormulaContext,
  words: (words: Words) => string,
  reveal: (id: Id) => void,
): Services {
  let known: { model: Model; scope: Scope } | null = null
  const here = (): Scope => {
    const model = modelNow()
    if (known?.model !== model) known = { model, scope: scopeAt(model, owner) }
    return known.scope
  }
  const typed = (shown: string): string => words(typeWords(shown))
  const signed = (shown: string): string => words(signatureWords(shown))
  const lines = context === 'program' || context === 'function'
  return {
    syntax: languages[lines ? 'program' : 'expression'],
    suggest(text, at) {
      const { from, items } = completionsAt(text, at, context, here())
      return {
        from,
        list: items.map(item => ({
          name: item.label,
          kind: item.kind,
          // A function's signature repeats its name.
          detail: item.detail.startsWith(`${item.label}(`) ? signed(item.detail).slice(item.label.length) : typed(item.detail),
          info: [item.words ? words(item.words) : '', item.example ? item.example.join('  →  ') : ''].filter(Boolean).join('\n'),
          more: item.kind === 'library' ? referenceOfFunction(item.label) : '',
          insert: item.insert,
        })),
      }
    },
    define(text, at) {
      const found = definitionAt(text, at, context, here())
      if (found === null || !('id' in found)) return found
      const { id } = found
      return modelNow().elements.has(id) ? { go: () => reveal(id) } : null
    },
    describe(text, at) {
      const hover = hoverAt(text, at, context, here())
      if (!hover) return null
      const name = /^[a-z_0-9]+(?=\()/.exec(hover.title)?.[0] ?? ''
      return {
        more: rowNames.has(name) ? referenceOfFunction(name) : '',
        from: hover.from,
        to: hover.to,
        title: hover.type === '' ? signed(hover.title) : `${signed(hover.title)}: ${typed(hover.type)}`,
        text: [hover.words ? words(hover.words) : '', hover.example ? hover.example.join('  →  ') : ''].filter(Boolean).join('\n'),
      }
    },
    signature(text, at) {
      const help = signatureAt(text, at, context, here())
      return help
        ? { title: signed(help.shown), parameter: help.params[help.active]?.name ?? '', text: help.words ? words(help.words) : '' }
        : null
    },
  }
}
