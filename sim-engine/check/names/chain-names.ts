// What formulas may ask of chains and contracts.
import { signatureOf, typeOfOutputs } from '../../chain/abi.ts'
import type { Interface } from '../../chain/abi.ts'
import type { Symbol } from '../../formula.ts'
import { any, integer, number, text } from '../../formula/types.ts'
import type { Type } from '../../formula/types.ts'
import { say, type Words } from '../../../model-schema/words.ts'

const read = (name: string, type: Type, words: Words, js: () => string): Symbol => ({
  name,
  kind: 'builtin',
  type,
  words,
  read: js,
})

const ask = (name: string, parameter: string, result: Type, words: Words, js: (argument: string) => string): Symbol => ({
  name,
  kind: 'function',
  type: { is: 'function', params: [{ name: parameter, type: any }], result },
  words,
  read: () => 'null',
  call: (_self, [argument = 'null']) => js(argument),
})

export function chainMembers(chain: { readonly index: number }): Symbol[] {
  return [
    read('block_number', number, say('Number of the latest block.'), () => `X.chains.read(${chain.index},"block_number")`),
    read('timestamp', number, say('Seconds since 1970 that a block made now has.'), () => `X.chains.read(${chain.index},"timestamp")`),
    read('waiting', number, say('How many transactions wait for a block.'), () => `X.chains.read(${chain.index},"waiting")`),
    read(
      'base_fee',
      integer,
      say('Base fee of the next block, in wei for one unit of gas.'),
      () => `X.chains.price(${chain.index},"base_fee")`,
    ),
    read('gas_price', integer, say('Gas price of the chain, in wei.'), () => `X.chains.price(${chain.index},"gas_price")`),
    ask(
      'balance',
      'account',
      integer,
      say('Wei that an address, or an entity with an account, has.'),
      js => `X.chains.balance(${chain.index},${js})`,
    ),
    ask('account', 'name', text, say('Address of the account with a name.'), js => `X.chains.named(${chain.index},${js})`),
  ]
}

/** Address and balance of a contract, and its views by their names; of several with one name the first is meant. */
export function interfaceMembers(contract: { readonly index: number }, face: Interface): Symbol[] {
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
      words: say('View {signature} of the contract, as it is now.', { signature }),
      read: () => 'null',
      call: (_self, values) => `X.chains.view(${contract.index},${JSON.stringify(signature)},[${values.join(',')}])`,
    })
  }
  for (const symbol of placeOf(contract)) add(symbol)
  return [...symbols.values()]
}

const placeOf = (contract: { readonly index: number }): Symbol[] => [
  read('address', text, say('Address of the contract.'), () => `X.chains.contractAddress(${contract.index})`),
  read(
    'balance',
    integer,
    say('What the contract has in the smallest unit of the chain’s coin: wei, uluna.'),
    () => `X.chains.contractBalance(${contract.index})`,
  ),
]

/** A contract of Terra answers queries, which are messages. */
export const terraMembers = (contract: { readonly index: number }): Symbol[] => [
  ask(
    'query',
    'message',
    any,
    say(`What the contract answers to a query such as '{"balance": {"address": self.account}}'.`),
    js => `X.chains.view(${contract.index},"",[${js}])`,
  ),
  ...placeOf(contract),
]

/** `account` of the individuals of a population. */
export const accountSymbol = (chain: () => number, population: () => number): Symbol => ({
  ...read('account', text, say('Address of its account on the chain.'), () => 'null'),
  read: self => `X.chains.accountOf(${chain()},${population()},${self})`,
})
