// The members of contracts in formulas, kept while their interfaces are the same.
import type { Interface } from '../../chain/abi.ts'
import { faceOf } from '../../chain/parts.ts'
import type { ContractPart } from '../../chain/parts.ts'
import type { Symbol } from '../../formula.ts'
import { interfaceMembers, terraMembers } from './chain-names.ts'

const membersBefore = new WeakMap<ContractPart, { face: Interface; isTerra: boolean; symbols: Symbol[] }>()

/** What a contract may be asked: the same symbols as before while its interface is the same. */
export function contractMembers(contract: ContractPart): Symbol[] {
  const face = faceOf(contract)
  let known = membersBefore.get(contract)
  const { isTerra } = contract
  if (known?.face !== face || known.isTerra !== isTerra)
    membersBefore.set(contract, (known = { face, isTerra, symbols: isTerra ? terraMembers(contract) : interfaceMembers(contract, face) }))
  return known.symbols
}
