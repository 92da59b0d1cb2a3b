// Renames an element, and replaces the old name in every formula and table that refers to it, as one step of undo. References are resolved
// by the checker, which is loaded only if the name occurs somewhere.
import { isRefusal, rename, setField, together, type Refusal } from '../../model-schema/edit.ts'
import { formulaName, kindOf } from '../../model-schema/kinds.ts'
import { type Json } from '../../model-schema/kinds/kind.ts'
import type { Id, Model } from '../../model-schema/model.ts'
import type { Editor } from './editor.ts'
import { scenarioOf, titleOf } from './grammar.ts'
import { say } from '../../model-schema/words.ts'

/** Names the element. Resolves when all is written; a name that would be mistaken for another is refused in words. */
export async function renameEverywhere(editor: Editor, id: Id, name: string): Promise<void> {
  const old = editor.model.elements.get(id)?.fields['name']
  const names = [old, name].map(one => formulaName(typeof one === 'string' ? one : ''))
  if (!names.some(one => one !== '' && isSaid(editor.model, one))) {
    const refused = editor.gesture(() => rename(editor.doc, id, name))
    if (refused) editor.refuse(refused.words)
    else editor.renamed(id, old)
    return
  }
  const { renaming } = await import('../../sim-engine/references.ts')
  const { model } = editor
  const { rewrites, places, clash } = renaming(model, scenarioOf(model, id) ?? '', id, name)
  if (clash) {
    const where = model.elements.get(clash.id)
    editor.refuse(
      say('“{name}” would mean something else in “{place}”. Choose another name.', {
        name,
        place: where ? titleOf(where, editor.words) : clash.id,
      }),
    )
    return
  }
  const done = editor.tell(
    editor.gesture(() =>
      together(editor.doc, (): Refusal | true => {
        const refused = rename(editor.doc, id, name)
        if (refused) return refused
        for (const { id: other, field, value } of rewrites) {
          const refusal = setField(editor.doc, other, field, value)
          if (isRefusal(refusal)) return refusal
        }
        return true
      }),
    ),
  )
  if (done) editor.renamed(id, old)
  if (done && places > 0) editor.report(say('Renamed in {places} {places, plural, one {place} other {places}} that said it.', { places }))
}

/** Whether some formula or table holds this text: then the checker is asked what it means there. */
function isSaid(model: Model, name: string): boolean {
  for (const element of model.elements.values())
    for (const field of kindOf(element.kind)?.fields ?? [])
      if ((field.type.as === 'formula' || field.type.as === 'rows') && holds(element.fields[field.id] ?? null, name)) return true
  return false
}

function holds(value: Json, name: string): boolean {
  if (typeof value === 'string') return value.includes(name)
  return typeof value === 'object' && value !== null && Object.values(value).some(one => holds(one, name))
}
