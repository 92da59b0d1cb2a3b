// Opcodes that read and write storage, and logs.
import { halt } from './frame.ts'
import { price } from './gas.ts'
import { instruction } from './instruction.ts'
import type { Instruction } from './instruction.ts'
import type { Slot, State } from './state.ts'

const load = instruction('SLOAD', 0, 1, 1, (vm, frame) => {
  const { state } = vm
  const slot = state.slot(state.account(frame.address), frame.pop())
  frame.useGas(state.warmSlot(slot) ? price.coldSlot : price.warmAccess)
  frame.push(slot.value)
})

/** Gas of writing `value`, without the access (EIP-2200 with the prices of EIP-2929). */
function writePrice(slot: Slot, value: bigint): number {
  if (slot.value === value || slot.value !== slot.original) return price.warmAccess
  return slot.original === 0n ? price.slotSet : price.slotReset
}

/** Notes what clearing a slot returns, or takes back what an earlier write of this transaction noted (EIP-2200, 3529). */
function noteRefund(state: State, slot: Slot, value: bigint): void {
  if (slot.value === value) return
  if (slot.value === slot.original) {
    if (slot.original !== 0n && value === 0n) state.addRefund(price.slotClearRefund)
    return
  }
  if (slot.original !== 0n) {
    if (slot.value === 0n) state.addRefund(-price.slotClearRefund)
    if (value === 0n) state.addRefund(price.slotClearRefund)
  }
  if (value === slot.original) state.addRefund((slot.original === 0n ? price.slotSet : price.slotReset) - price.warmAccess)
}

const store = instruction('SSTORE', 0, 2, 0, (vm, frame) => {
  if (frame.isStatic) halt('write in a static call')
  if (frame.gas <= price.slotSentry) halt('out of gas')
  const { state } = vm
  const slot = state.slot(state.account(frame.address), frame.pop())
  const value = frame.pop()
  if (state.warmSlot(slot)) frame.useGas(price.coldSlot)
  frame.useGas(writePrice(slot, value))
  noteRefund(state, slot, value)
  state.write(slot, value)
})

const log = (topicCount: number): Instruction =>
  instruction(`LOG${topicCount}`, price.log + topicCount * price.logTopic, 2 + topicCount, 0, (vm, frame) => {
    if (frame.isStatic) halt('write in a static call')
    const at = frame.pop()
    const length = frame.pop()
    const topics = Array.from({ length: topicCount }, () => frame.pop())
    const from = frame.reserve(at, length)
    frame.useGas(price.logByte * Number(length))
    vm.state.addLog({ address: frame.address, topics, data: frame.memory.slice(from, Number(length)) })
  })

export const storage: Record<number, Instruction> = {
  0x54: load,
  0x55: store,
  0xa0: log(0),
  0xa1: log(1),
  0xa2: log(2),
  0xa3: log(3),
  0xa4: log(4),
}

export const transientLoad = instruction('TLOAD', price.warmAccess, 1, 1, (vm, frame) =>
  frame.push(vm.state.readTransient(frame.address, frame.pop())),
)
export const transientStore = instruction('TSTORE', price.warmAccess, 2, 0, (vm, frame) => {
  if (frame.isStatic) halt('write in a static call')
  const key = frame.pop()
  vm.state.writeTransient(frame.address, key, frame.pop())
})
