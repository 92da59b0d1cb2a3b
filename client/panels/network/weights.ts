// Weights of a network from a file: read, held against the Decide steps that ask the network, and written into it in one step of undo.
import type * as Y from 'yjs'
import { setField, together, type Refusal } from '../../../model-schema/edit.ts'
import type { Json } from '../../../model-schema/kinds/kind.ts'
import type { Element, Id, Model } from '../../../model-schema/model.ts'
import {
  boundsOf,
  choicesOf,
  fieldsOfNetwork,
  fromOnnx,
  fromSafetensors,
  MOST_KEPT,
  mostBytes,
  Unreadable,
  valuesOf,
  weightCount,
  type Imported,
  type Shape,
} from '../../../sim-engine/network.ts'
import { say, type Words } from '../../../model-schema/words.ts'

/** Decide steps that take their actions from this network. */
const askersOf = (model: Model, network: Id): Element[] =>
  [...model.elements.values()].filter(
    ({ kind, fields }) => kind === 'decide' && fields['policy'] === 'network' && fields['network'] === network,
  )

/**
 * The meaning of a network's inputs and outputs, by the Decide step that evaluates it: observations, and actions or combinations of them.
 * Empty if unknown.
 */
export function unitsOf(model: Model, network: Id, { inputs, layers }: Shape): { inputs: readonly string[]; outputs: readonly string[] } {
  for (const step of askersOf(model, network)) {
    const bounds = boundsOf(step, 'actions')
    const names = (table: string, column: string): string[] => {
      const rows = step.fields[table]
      return Array.isArray(rows) ? rows.map((row, k) => String((row as { [column: string]: Json })[column] ?? '') || `${k + 1}`) : []
    }
    const [seen, actions, choices] = [names('observation', 'name'), names('actions', 'variable'), choicesOf(bounds)]
    const outputs =
      choices === 0
        ? actions
        : Array.from({ length: choices }, (_, choice) =>
            valuesOf(bounds, choice)
              .map((value, k) => `${actions[k]} = ${value}`)
              .join(', '),
          )
    if (seen.length === inputs && outputs.length === layers.at(-1)?.size) return { inputs: seen, outputs }
  }
  return { inputs: [], outputs: [] }
}

/** Why a network of these sizes cannot be where it is; null: it can. */
export function misfit(model: Model, network: Id, inputs: number, outputs: number, weights: number): Words | null {
  if (weights > MOST_KEPT) return say('The network has {weights} weights; a model keeps at most {MOST_KEPT}.', { weights, MOST_KEPT })
  for (const step of askersOf(model, network)) {
    const seen = boundsOf(step, 'observation').length
    const actions = boundsOf(step, 'actions')
    const wanted = choicesOf(actions) || actions.length
    const name = String(step.fields['name'] ?? '') || step.id
    if (outputs !== wanted)
      return say('The network has {outputs, plural, one {# output} other {# outputs}}; Decide step "{name}" needs {wanted}.', {
        outputs,
        name,
        wanted,
      })
    if (inputs < seen)
      return say('The network has {inputs, plural, one {# input} other {# inputs}}; Decide step "{name}" observes {seen} values.', {
        inputs,
        name,
        seen,
      })
  }
  return null
}

/** The fields of a network that has the weights of a file, or why it cannot have them. */
export function weightsOf(bytes: Uint8Array, name: string, model: Model, network: Id): { fields: Record<string, Json> } | { words: Words } {
  if (bytes.length > mostBytes) return { words: say('Files of at most 16 MB are read.') }
  let read: Imported
  try {
    read = /\.safetensors$/i.test(name) ? fromSafetensors(bytes) : fromOnnx(bytes)
  } catch (error) {
    if (error instanceof Unreadable) return { words: error.words }
    throw error
  }
  const { shape } = read
  const words = misfit(model, network, shape.inputs, shape.layers.at(-1)!.size, weightCount(shape))
  return words ? { words } : { fields: fieldsOfNetwork(read, 'file', name) }
}

/** Writes the fields in one step of undo. */
export function putWeights(doc: Y.Doc, network: Id, fields: Readonly<Record<string, Json>>): Refusal | null {
  let refused: Refusal | null = null
  together(doc, () => {
    for (const [field, value] of Object.entries(fields)) refused ??= setField(doc, network, field, value)
  })
  return refused
}
