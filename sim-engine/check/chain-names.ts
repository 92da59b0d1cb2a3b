// What formulas may ask of chains and contracts.
import { say } from '../../model-schema/kinds/kind.ts'
import { signatureOf, typeOfOutputs } from '../chain/abi.ts'
import type { Interface } from '../chain/abi.ts'
import { faceOf } from '../chain/parts.ts'
import type { ChainPart, ContractPart } from '../chain/parts.ts'
import type { Symbol } from '../formula.ts'
import { any, integer, number, text } from '../formula/types.ts'
import type { Type } from '../formula/types.ts'

const read = (name: string, type: Type, en: string, zh: string, js: () => string): Symbol => ({
  name,
  kind: 'builtin',
  type,
  words: say(en, zh),
  read: js,
})

const ask = (name: string, parameter: string, result: Type, en: string, zh: string, js: (argument: string) => string): Symbol => ({
  name,
  kind: 'function',
  type: { is: 'function', params: [{ name: parameter, type: any }], result },
  words: say(en, zh),
  read: () => 'null',
  call: (_self, [argument = 'null']) => js(argument),
})

export function chainMembers(chain: ChainPart): Symbol[] {
  return [
    read('block_number', number, 'Number of the latest block.', '最新区块号。', () => `X.chains.read(${chain.index},"block_number")`),
    read(
      'timestamp',
      number,
      'Seconds since 1970 that a block made now has.',
      '此刻出块的时间戳（1970 年以来的秒数）。',
      () => `X.chains.read(${chain.index},"timestamp")`,
    ),
    read(
      'waiting',
      number,
      'How many transactions wait for a block.',
      '等待出块的交易数。',
      () => `X.chains.read(${chain.index},"waiting")`,
    ),
    read(
      'base_fee',
      integer,
      'Base fee of the next block, in wei for one unit of gas.',
      '下一区块的基础费用，每单位 gas 的 wei。',
      () => `X.chains.price(${chain.index},"base_fee")`,
    ),
    read(
      'gas_price',
      integer,
      'Gas price of the chain, in wei.',
      '链的 gas 价格，以 wei 计。',
      () => `X.chains.price(${chain.index},"gas_price")`,
    ),
    ask(
      'balance',
      'account',
      integer,
      'Wei that an address, or an entity with an account, has.',
      '某地址或有账户的实体拥有的 wei。',
      js => `X.chains.balance(${chain.index},${js})`,
    ),
    ask('account', 'name', text, 'Address of the account with a name.', '具名账户的地址。', js => `X.chains.named(${chain.index},${js})`),
  ]
}

const membersBefore = new WeakMap<ContractPart, { face: Interface; isTerra: boolean; symbols: Symbol[] }>()

/** What a contract may be asked: the same symbols as before while its interface is the same. */
export function contractMembers(contract: ContractPart): Symbol[] {
  const face = faceOf(contract)
  let known = membersBefore.get(contract)
  const { isTerra } = contract
  if (known?.face !== face || known.isTerra !== isTerra)
    membersBefore.set(contract, (known = { face, isTerra, symbols: isTerra ? terraMembersOf(contract) : membersOf(contract, face) }))
  return known.symbols
}

/** Address and balance of a contract, and its views by their names; of several with one name the first is meant. */
function membersOf(contract: ContractPart, face: Interface): Symbol[] {
  const symbols = new Map<string, Symbol>()
  const add = (symbol: Symbol): void => void (symbols.has(symbol.name) || symbols.set(symbol.name, symbol))
  for (const item of face.items) {
    if (item.is !== 'function' || !item.isView) continue
    const signature = signatureOf(item)
    const params = item.inputs.map(({ name }, k) => ({ name: name === '' ? `arg${k}` : name, type: any }))
    add({
      name: item.name,
      kind: 'function',
      type: { is: 'function', params, result: typeOfOutputs(item.outputs) },
      words: say(`View ${signature} of the contract, as it is now.`, `合约视图 ${signature} 的当前值。`),
      read: () => 'null',
      call: (_self, values) => `X.chains.view(${contract.index},${JSON.stringify(signature)},[${values.join(',')}])`,
    })
  }
  for (const symbol of placeOf(contract)) add(symbol)
  return [...symbols.values()]
}

const placeOf = (contract: ContractPart): Symbol[] => [
  read('address', text, 'Address of the contract.', '合约地址。', () => `X.chains.contractAddress(${contract.index})`),
  read(
    'balance',
    integer,
    'What the contract has in the smallest unit of the chain’s coin: wei, uluna.',
    '合约拥有的金额，以链上货币的最小单位计：wei、uluna。',
    () => `X.chains.contractBalance(${contract.index})`,
  ),
]

/** A contract of Terra answers queries, which are messages. */
const terraMembersOf = (contract: ContractPart): Symbol[] => [
  ask(
    'query',
    'message',
    any,
    'What the contract answers to a query such as {"balance": {"address": self.account}}.',
    '合约对查询的回答，例如 {"balance": {"address": self.account}}。',
    js => `X.chains.view(${contract.index},"",[${js}])`,
  ),
  ...placeOf(contract),
]

/** `account` of the individuals of a population. */
export const accountSymbol = (chain: () => number, population: () => number): Symbol => ({
  ...read('account', text, 'Address of its account on the chain.', '其在链上的账户地址。', () => 'null'),
  read: self => `X.chains.accountOf(${chain()},${population()},${self})`,
})
