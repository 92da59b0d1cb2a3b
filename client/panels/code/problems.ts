// Problems of a formula under its letters, with a fix to click where one is known.
import { setDiagnostics, type Diagnostic } from '@codemirror/lint'
import type { EditorView } from '@codemirror/view'
import type { Problem } from '../../../sim-engine/problems.ts'
import type { Words } from '../../../model-schema/words.ts'

/** Replaces what is underlined. Places beyond the text (it was typed on meanwhile) are moved into it. */
export function showProblems(view: EditorView, problems: readonly Problem[], words: (words: Words) => string): void {
  const { length } = view.state.doc
  const diagnostics = problems.map(problem => diagnosticOf(problem, length, words)).filter(one => one.to > one.from)
  view.dispatch(setDiagnostics(view.state, diagnostics))
}

function diagnosticOf(problem: Problem, length: number, words: (words: Words) => string): Diagnostic {
  const from = Math.min(problem.at.from ?? 0, Math.max(0, length - 1))
  const to = Math.min(length, Math.max(from + 1, problem.at.to ?? length))
  const { near } = problem
  const actions =
    near === undefined
      ? []
      : [
          {
            name: near,
            apply: (view: EditorView, at: number, end: number) => view.dispatch({ changes: { from: at, to: end, insert: near } }),
          },
        ]
  return { from, to, severity: problem.severity, source: String(problem.code), message: words(problem.message), actions }
}
