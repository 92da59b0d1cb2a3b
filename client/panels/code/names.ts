// Names of model elements a formula may use, innermost first: of its process, its entity, the world.
import { kindOf } from '../../../model-schema/kinds.ts'
import type { Id, Model } from '../../../model-schema/model.ts'
import { pathTo } from '../../editor/grammar.ts'
import type { Suggestion } from './language.ts'

export function namesAt(model: Model, owner: Id): Suggestion[] {
  const list = new Map<string, Suggestion>()
  for (const canvas of pathTo(model, owner).toReversed()) {
    for (const id of canvas.children) {
      const element = model.elements.get(id)
      const kind = element && kindOf(element.kind)
      const name = element?.fields['name']
      if (!kind || typeof name !== 'string' || name === '' || list.has(name)) continue
      if (!kind.fields.some(field => field.id === 'name' && field.type.as === 'name')) continue
      list.set(name, { name, kind: kind.id === 'agent' || kind.id === 'cell' || kind.id === 'link' ? 'population' : kind.id, detail: kind.label.en, info: '' })
    }
  }
  return [...list.values()]
}
