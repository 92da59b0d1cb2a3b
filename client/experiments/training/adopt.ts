// "Use in the model": the learned policy becomes a network of the linked model, and its Decide steps take their actions from it, in one step of undo.
import { place, setField, together } from '../../../model-schema/edit.ts'
import { formulaName } from '../../../model-schema/kinds.ts'
import type { Element, Id, Model } from '../../../model-schema/model.ts'
import type { Refusal } from '../../../model-schema/edit.ts'
import type * as Y from 'yjs'
import { fieldsOfNetwork, type LearnedPolicy } from '../../../sim-engine/experiment.ts'

function below(model: Model, id: Id): Element[] {
  const element = model.elements.get(id)
  return element ? [element, ...element.children.flatMap(child => below(model, child))] : []
}

/** `network`: name or id of the network that takes the weights; blank: the one that learning made before, or a new one. */
export function adoptPolicy(
  doc: Y.Doc,
  model: Model,
  scenario: Id,
  network: string,
  policy: LearnedPolicy,
  origin: string,
): Refusal | null {
  const inside = below(model, scenario)
  const networks = inside.filter(({ kind }) => kind === 'network')
  const steps = inside.filter(({ kind, fields }) => kind === 'decide' && fields['learns'] !== false)
  const known =
    network === ''
      ? networks.find(({ id }) => steps.some(({ fields }) => fields['network'] === id))
      : networks.find(({ id, fields }) => id === network || formulaName(String(fields['name'] ?? '')) === formulaName(network))
  const values = fieldsOfNetwork(policy, 'experiment', origin)
  let refused: Refusal | null = null
  together(doc, () => {
    let target = known?.id
    if (target === undefined) {
      const made = place(doc, { kind: 'network', parent: scenario, at: [0, -80], values: { name: free(networks), ...values } })
      if (typeof made !== 'string') {
        refused = made
        return
      }
      target = made
    } else for (const [field, value] of Object.entries(values)) refused ??= setField(doc, target, field, value)
    for (const { id } of steps) {
      refused ??= setField(doc, id, 'policy', 'network')
      refused ??= setField(doc, id, 'network', target)
    }
  })
  return refused
}

function free(networks: readonly Element[]): string {
  const taken = new Set(networks.map(({ fields }) => fields['name']))
  for (let k = 1; ; k++) {
    const name = k === 1 ? 'policy' : `policy ${k}`
    if (!taken.has(name)) return name
  }
}
