// The type of `step.output` of a Transaction step, as run.ts makes it.
import type { Element } from '../../model-schema/model.ts'
import { any, dictOf, integer, listOf, none, number, recordType, recordTypeOrNone, text, type Type } from '../formula/types.ts'
import { methodsNamed, typeOfOutputs, type Interface } from './abi.ts'

const event = recordType({ contract: text, event: text, values: dictOf(text, any) })

/** What the method gives; of several with one name nothing is known. */
function valueType({ fields }: Element, face: Interface | null): Type {
  if (fields['does'] === 'transfer') return none
  if (fields['does'] === 'deploy') return text
  if (face === null) return any
  const [method, another] = methodsNamed(face, String(fields['method'] ?? ''))
  return method && !another ? typeOfOutputs(method.outputs) : any
}

/** `face`: the interface of the contract that is meant, null where it has none, as on Terra. Of steps of other kinds nothing is known. */
export function outputType(step: Element, face: Interface | null): Type {
  const { kind, fields } = step
  if (kind !== 'transaction') return any
  // One that failed has no value, and one that was only sent is in no block.
  const isSure = fields['otherwise'] !== 'branch' && fields['otherwise'] !== 'continue' && fields['until'] !== 'sent'
  const result = { status: text, value: isSure ? valueType(step, face) : any, error: text }
  if (fields['does'] === 'read') return recordTypeOrNone(result)
  const executed = { ...result, gas: number, events: listOf(event) }
  if (fields['does'] === 'simulate') return recordTypeOrNone(executed)
  const place = isSure ? number : any
  return recordTypeOrNone({ ...executed, hash: text, fee: integer, block: place, index: place })
}
