// Opcodes that begin other frames or end an account: calls, creation, SELFDESTRUCT.
import { Code } from './code.ts'
import { codeToRun } from './environment.ts'
import { halt, noBytes } from './frame.ts'
import type { Frame } from './frame.ts'
import { passable, price, wordsOf } from './gas.ts'
import { instruction } from './instruction.ts'
import type { Instruction } from './instruction.ts'
import { maxCallDepth, maxInitCodeBytes } from './rules.ts'
import { ADDRESS_MASK } from './word.ts'

export type CallKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL'

/** Answers the caller that nothing was called: depth or funds do not allow it. The gas set aside comes back. */
function refuse(frame: Frame, gas: number): void {
  frame.gas += gas
  frame.returned = noBytes
  frame.push(0n)
}

const call = (kind: CallKind): Instruction => {
  const hasValue = kind === 'CALL' || kind === 'CALLCODE'
  return instruction(kind, 0, hasValue ? 7 : 6, 1, (vm, frame) => {
    const asked = frame.pop()
    const to = frame.pop() & ADDRESS_MASK
    const value = hasValue ? frame.pop() : 0n
    const [inputAt, inputLength, outputAt, outputLength] = [frame.pop(), frame.pop(), frame.pop(), frame.pop()]
    if (kind === 'CALL' && value !== 0n && frame.isStatic) halt('write in a static call')
    const from = frame.reserve(inputAt, inputLength)
    const into = frame.reserve(outputAt, outputLength)
    const { state } = vm
    const target = state.account(to)
    frame.useGas(state.warm(target) ? price.coldAccount : price.warmAccess)
    const { code, delegate } = codeToRun(vm, target)
    if (delegate !== undefined) frame.useGas(state.warm(delegate) ? price.coldAccount : price.warmAccess)
    if (value !== 0n) frame.useGas(price.callValue + (kind === 'CALL' && target.empty ? price.newAccount : 0))
    const most = passable(frame.gas)
    const passed = asked < most ? Number(asked) : most
    frame.useGas(passed)
    const gas = passed + (value === 0n ? 0 : price.callStipend)
    if (frame.depth >= maxCallDepth || (hasValue && state.account(frame.address).balance < value)) return refuse(frame, gas)
    const own = kind === 'CALLCODE' || kind === 'DELEGATECALL'
    vm.enter(frame, {
      kind,
      code,
      target: to,
      precompile: delegate === undefined ? to : undefined,
      address: own ? frame.address : to,
      caller: kind === 'DELEGATECALL' ? frame.caller : frame.address,
      value: kind === 'DELEGATECALL' ? frame.value : value,
      transfers: !own,
      input: frame.memory.slice(from, Number(inputLength)),
      gas,
      isStatic: frame.isStatic || kind === 'STATICCALL',
      isCreation: false,
      outputAt: into,
      outputLength: Number(outputLength),
    })
  })
}

const create = (kind: 'CREATE' | 'CREATE2'): Instruction =>
  instruction(kind, price.create, kind === 'CREATE' ? 3 : 4, 1, (vm, frame) => {
    if (frame.isStatic) halt('write in a static call')
    const value = frame.pop()
    const at = frame.pop()
    const length = frame.pop()
    const salt = kind === 'CREATE2' ? frame.pop() : 0n
    const from = frame.reserve(at, length)
    const bytes = Number(length)
    if (vm.rules.meteredInitCode) {
      if (bytes > maxInitCodeBytes) halt('out of gas')
      frame.useGas(price.initCodeWord * wordsOf(bytes))
    }
    if (kind === 'CREATE2') frame.useGas(price.keccakWord * wordsOf(bytes))
    const initCode = frame.memory.slice(from, bytes)
    const gas = passable(frame.gas)
    frame.useGas(gas)
    const { state } = vm
    const creator = state.account(frame.address)
    const maxNonce = 2n ** 64n - 1n
    if (frame.depth >= maxCallDepth || creator.balance < value || creator.nonce >= maxNonce) return refuse(frame, gas)
    const address =
      kind === 'CREATE' ? vm.hashes.createdAddress(frame.address, creator.nonce) : vm.hashes.create2Address(frame.address, salt, initCode)
    state.setNonce(creator, creator.nonce + 1n)
    vm.create(frame, { address, caller: frame.address, value, initCode: new Code(initCode), gas })
  })

const selfDestruct = instruction('SELFDESTRUCT', price.selfDestruct, 1, 0, (vm, frame) => {
  if (frame.isStatic) halt('write in a static call')
  const { state } = vm
  const heir = state.account(frame.pop() & ADDRESS_MASK)
  if (state.warm(heir)) frame.useGas(price.coldAccount)
  const account = state.account(frame.address)
  const { balance } = account
  if (balance !== 0n && heir.empty) frame.useGas(price.newAccount)
  const deletes = !vm.rules.cancun || account.createdIn === state.transaction
  if (heir !== account) state.transfer(account, heir, balance)
  else if (deletes) state.setBalance(account, 0n)
  else state.touch(heir)
  if (deletes) state.markDestroyed(account)
  frame.finish('returned')
})

export const calls: Record<number, Instruction> = {
  0xf0: create('CREATE'),
  0xf1: call('CALL'),
  0xf2: call('CALLCODE'),
  0xf4: call('DELEGATECALL'),
  0xf5: create('CREATE2'),
  0xfa: call('STATICCALL'),
  0xff: selfDestruct,
}
