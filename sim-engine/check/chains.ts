// What must hold of chains, contracts, accounts and of signals that are a contract's events.
import { constructorInputs } from '../chain/abi.ts'
import { addressFieldOf, chainFaults, faceOf, interfaceOf, terraCodeFault } from '../chain/parts.ts'
import type { ContractPart } from '../chain/parts.ts'
import type { Checking } from './checking.ts'
import { keyOf } from './names/keys.ts'
import { cellText, rowsOf, textOf } from './resolve.ts'
import { say, type Words } from '../../model-schema/words.ts'

export function checkChains({ parts, formulas, note }: Checking): void {
  const wrong = (id: string, field: string, words: Words): void => note(9033, id, field, [words])
  for (const { id, element } of parts.chains) {
    for (const { field, words } of chainFaults(element)) note(9033, id, field, [words])
    const names = new Set<string>()
    for (const [k, row] of rowsOf(element, 'accounts').entries()) {
      const name = cellText(row, 'name')
      if (name.trim() === '' || names.has(name)) wrong(id, `accounts/${k}/name`, say('an account needs a name that no other has'))
      names.add(name)
    }
  }
  for (const part of parts.contracts) {
    const { id, element } = part
    if (part.chain < 0) wrong(id, 'chain', say('choose the chain that the contract is on'))
    if (part.isTerra) {
      checkTerra(part, formulas, note)
      continue
    }
    const found = interfaceOf(part)
    if ('fault' in found) {
      note(9033, id, found.field, [found.fault])
      continue
    }
    const written = textOf(element, 'address').trim()
    if (written !== '') {
      if (addressFieldOf(element) === undefined) wrong(id, 'address', say('this is no address: 0x and 40 digits'))
      else if (parts.chains[part.chain]?.isFork === false)
        wrong(id, 'address', say('on a local chain the model creates its contracts: clear the address'))
      continue
    }
    if (element.fields['deployed'] === false) continue
    if (found.code === '') wrong(id, textOf(element, 'artifact').trim() === '' ? 'code' : 'artifact', say('there is no code to deploy'))
    const formula = formulas.get(keyOf({ id, entity: null }, 'arguments'))
    const ast = formula?.inferred.parsed.ast
    const inputs = constructorInputs(found)
    const count = !formula ? 0 : ast?.is === 'expression' && ast.value.is === 'list' ? ast.value.items.length : null
    if (count !== null && count !== inputs.length) {
      const wanted = inputs.map(({ type, name }) => `${type} ${name}`.trim()).join(', ')
      note(8002, id, 'arguments', [
        say('{count} arguments are needed ({wanted}), there are {count2}', { count: inputs.length, wanted, count2: count }),
      ])
    }
  }
  for (const { id, element, signal } of parts.messages) {
    const contract = parts.contracts.find(one => one.id === element.fields['contract'])
    const event = textOf(element, 'event').trim()
    // Contracts of Terra do not say which events they have.
    if (!signal || !contract || contract.isTerra || event === '') continue
    if (!faceOf(contract).items.some(item => item.is === 'event' && item.name === event))
      wrong(id, 'event', say('the contract has no event {event}', { event: event.slice(0, 60) }))
  }
}

/** A contract on Terra: a module, and one message at most. */
function checkTerra({ id, element }: ContractPart, formulas: Checking['formulas'], note: Checking['note']): void {
  const fault = terraCodeFault(element)
  if (fault) note(9033, id, 'code', [fault])
  if (textOf(element, 'address').trim() !== '')
    note(9033, id, 'address', [say('on a local chain the model creates its contracts: clear the address')])
  const ast = formulas.get(keyOf({ id, entity: null }, 'arguments'))?.inferred.parsed.ast
  if (element.fields['deployed'] !== false && ast?.is === 'expression' && ast.value.is === 'list' && ast.value.items.length > 1)
    note(8002, id, 'arguments', [oneMessage])
}

const oneMessage = say(`a contract of Terra takes one message: a list with one dict, or an empty list for '{}'`)
