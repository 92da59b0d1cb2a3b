// Breakpoints and the place of a stopped run, for one program's code field: from the run around it, and back to it.
import type { Extension } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { t } from '@lingui/core/macro'
import { useEffect, useMemo } from 'react'
import type { Field } from '../../../model-schema/kinds/kind.ts'
import type { Id } from '../../../model-schema/model.ts'
import { locale } from '../../i18n/locale.ts'
import { formatValue } from '../../charts/format.ts'
import { linesOf, moveLines, standsIn, toggleLine } from '../../run/breakpoints.ts'
import { useRunIfAny } from '../../run/RunProvider.tsx'
import type { RunView } from '../../run/run.ts'
import { lineMarks, showLines, type LineActs, type LineWords } from './lines.ts'

type Lines = {
  /** To build the editor with; empty where there is nothing to stop at. */
  readonly extension: Extension
  /** Shows what there is; again whenever it changes. */
  show(view: EditorView): void
}

const nothing: Lines = { extension: [], show: () => {} }

export function useLines(view: { readonly current: EditorView | null }, element: Id | null, field: Field): Lines {
  const run = useRunIfAny()
  const { type } = field
  const stops = run !== null && element !== null && type.as === 'formula' && (type.context === 'program' || type.context === 'function')
  const lines = useMemo<Lines>(() => {
    if (!stops) return nothing
    const acts: LineActs = {
      toggle: line => toggleLine(run, element, field.id, line),
      moved: places => moveLines(run, element, field.id, places),
      valueOf: name => valueOf(run.getState(), element, field.id, name),
    }
    return {
      extension: lineMarks(words, acts),
      show(editor) {
        const { breakpoints, refused, stop } = run.getState()
        const marks = linesOf(breakpoints, element, field.id).map(({ id, line, enabled }) => ({
          id,
          line,
          enabled,
          refused: refused.some(one => one.id === id),
        }))
        showLines(editor, { marks, here: standsIn(stop, element, field.id) })
      },
    }
  }, [stops, run, element, field])
  useEffect(
    () =>
      run?.subscribe((now, before) => {
        if (now.breakpoints === before.breakpoints && now.refused === before.refused && now.stop === before.stop) return
        if (view.current) lines.show(view.current)
      }),
    [run, view, lines],
  )
  return lines
}

/** In the language of the moment they are said in. */
const words: LineWords = {
  gutter: () => t`F9 sets a breakpoint on this line`,
  mark: line => t`Breakpoint on line ${line}`,
  gone: line => t`No breakpoint on line ${line}`,
  refused: line => t`The breakpoint on line ${line} can’t be used as it is`,
  here: line => t`The run stands before line ${line}`,
}

/** The value of a name at the stop of the run: a variable of this formula, a property of the acting individual, or a global. */
function valueOf({ stop }: RunView, element: Id, field: string, name: string): string | null {
  const at = stop?.stack.find(one => one.formula?.element === element && one.formula.field === field)
  if (!stop || !at) return null
  const local = at.locals.find(one => one.name === name)
  const shared = stop.shared.find(one => one.name === name)
  const value = local ? local.value : at.actor && Object.hasOwn(at.actor, name) ? at.actor[name] : shared?.value
  return value === undefined ? null : formatValue(value, locale.getState().locale)
}
