// A change of an input at a moment of the run: a process of the scenario that starts then, once, and sets the variable.
import { isRefusal } from '../../../model-schema/edit.ts'
import { formulaName } from '../../../model-schema/kinds.ts'
import type { Element, Id, Model } from '../../../model-schema/model.ts'
import type { Editor } from '../editor.ts'
import { chain, putParts } from './parts.ts'
import { say } from '../../../model-schema/words.ts'

/** The variable of the scenario that an element is about: itself, or what a control sets. Null for anything else. */
export function inputOf(model: Model, element: Element): Element | null {
  const { target } = element.fields
  const variable = element.kind === 'controller' && typeof target === 'string' ? model.elements.get(target) : element
  return variable?.kind === 'variable' && model.scenarios.includes(variable.parent ?? '') ? variable : null
}

/** Puts the change on the canvas of the scenario, below what is there, and shows it. One step of undo. `at` in ticks; `value` a formula. */
export function scheduleChange(editor: Editor, variable: Element, at: number, value: string): Id | null {
  const name = String(variable.fields['name'] ?? '')
  const parts = {
    change: { kind: 'process', name: say('{name} changes', { name }), at: [0, 0] as const },
    ...chain('change', [
      ['change_start', { kind: 'start', name: say('At {at}', { at }), values: { trigger: 'timer', first: String(at), every: '' } }],
      ['change_set', { kind: 'compute', name: say('Set {name}', { name }), values: { program: `${formulaName(name)} = ${value}` } }],
      ['change_end', { kind: 'end' }],
    ]),
  }
  const { scenario } = editor.view.getState()
  const geos = (editor.model.elements.get(scenario)?.children ?? []).flatMap(id => {
    const geo = editor.model.elements.get(id)?.geo
    return geo && geo[2] > 0 ? [geo] : []
  })
  const made = editor.gesture(() =>
    putParts(
      editor,
      parts,
      scenario,
      [Math.min(...geos.map(([x]) => x), 80), Math.max(...geos.map(([, y, , h]) => y + h), 48) + 32],
      editor.words,
    ),
  )
  if (isRefusal(made)) return editor.tell<Id>(made)
  const [process] = made
  if (process === undefined) return null
  editor.reveal(process)
  return process
}
