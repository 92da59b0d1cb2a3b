// What must hold of chains, contracts, accounts and of signals that are a contract's events.
import { say } from '../../model-schema/kinds/kind.ts'
import { constructorInputs } from '../chain/abi.ts'
import { addressFieldOf, chainFaults, faceOf, interfaceOf, terraCodeFault } from '../chain/parts.ts'
import type { ContractPart } from '../chain/parts.ts'
import type { Checking } from './checking.ts'
import { keyOf } from './keys.ts'
import { cellText, rowsOf, textOf } from './resolve.ts'

export function checkChains({ parts, formulas, note }: Checking): void {
  const wrong = (id: string, field: string, en: string, zh: string): void => note(9033, id, field, [say(en, zh)])
  for (const { id, element } of parts.chains) {
    for (const { field, words } of chainFaults(element)) note(9033, id, field, [words])
    const names = new Set<string>()
    for (const [k, row] of rowsOf(element, 'accounts').entries()) {
      const name = cellText(row, 'name')
      if (name.trim() === '' || names.has(name))
        wrong(id, `accounts/${k}/name`, 'an account needs a name that no other has', '账户需要唯一的名称')
      names.add(name)
    }
  }
  for (const part of parts.contracts) {
    const { id, element } = part
    if (part.chain < 0) wrong(id, 'chain', 'choose the chain that the contract is on', '请选择合约所在的链')
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
      if (addressFieldOf(element) === undefined)
        wrong(id, 'address', 'this is no address: 0x and 40 digits', '这不是地址：应为 0x 加 40 位数字')
      else if (parts.chains[part.chain]?.isFork === false)
        wrong(id, 'address', 'on a local chain the model creates its contracts: clear the address', '本地链的合约由模型创建：请清空地址')
      continue
    }
    if (element.fields['deployed'] === false) continue
    if (found.code === '')
      wrong(id, textOf(element, 'artifact').trim() === '' ? 'code' : 'artifact', 'there is no code to deploy', '没有可部署的代码')
    const formula = formulas.get(keyOf({ id, entity: null }, 'arguments'))
    const ast = formula?.inferred.parsed.ast
    const inputs = constructorInputs(found)
    const count = !formula ? 0 : ast?.is === 'expression' && ast.value.is === 'list' ? ast.value.items.length : null
    if (count !== null && count !== inputs.length) {
      const wanted = inputs.map(({ type, name }) => `${type} ${name}`.trim()).join(', ')
      note(8002, id, 'arguments', [
        say(
          `${inputs.length} arguments are needed (${wanted}), there are ${count}`,
          `需要 ${inputs.length} 个参数（${wanted}），现有 ${count} 个`,
        ),
      ])
    }
  }
  for (const { id, element, signal } of parts.messages) {
    const contract = parts.contracts.find(one => one.id === element.fields['contract'])
    const event = textOf(element, 'event').trim()
    // Contracts of Terra do not say which events they have.
    if (!signal || !contract || contract.isTerra || event === '') continue
    if (!faceOf(contract).items.some(item => item.is === 'event' && item.name === event))
      wrong(id, 'event', `the contract has no event ${event.slice(0, 60)}`, `合约没有事件 ${event.slice(0, 60)}`)
  }
}

/** A contract on Terra: a module, and one message at most. */
function checkTerra({ id, element }: ContractPart, formulas: Checking['formulas'], note: Checking['note']): void {
  const fault = terraCodeFault(element)
  if (fault) note(9033, id, 'code', [fault])
  if (textOf(element, 'address').trim() !== '')
    note(9033, id, 'address', [
      say('on a local chain the model creates its contracts: clear the address', '本地链的合约由模型创建：请清空地址'),
    ])
  const ast = formulas.get(keyOf({ id, entity: null }, 'arguments'))?.inferred.parsed.ast
  if (element.fields['deployed'] !== false && ast?.is === 'expression' && ast.value.is === 'list' && ast.value.items.length > 1)
    note(8002, id, 'arguments', [oneMessage])
}

const oneMessage = say(
  'a contract of Terra takes one message: a list with one dict, or an empty list for {}',
  'Terra 合约接受一条消息：含一个字典的列表，空列表表示 {}',
)
