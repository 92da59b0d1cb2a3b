// What an opcode is: a price that is always paid, the words it takes and gives, and what it does.
import type { Frame } from './frame.ts'
import type { Vm } from './vm.ts'

export type Instruction = {
  name: string
  gas: number
  pops: number
  pushes: number
  run: (vm: Vm, frame: Frame) => void
}

export const instruction = (name: string, gas: number, pops: number, pushes: number, run: (vm: Vm, frame: Frame) => void): Instruction => ({
  name,
  gas,
  pops,
  pushes,
  run,
})

/** An instruction that calculates one word of two. */
export const binary = (name: string, gas: number, calculate: (a: bigint, b: bigint) => bigint): Instruction =>
  instruction(name, gas, 2, 1, (_, frame) => {
    const { stack } = frame
    const a = stack[--frame.sp]!
    stack[frame.sp - 1] = calculate(a, stack[frame.sp - 1]!)
  })

/** An instruction that gives a word. */
export const reading = (name: string, gas: number, read: (vm: Vm, frame: Frame) => bigint): Instruction =>
  instruction(name, gas, 0, 1, (vm, frame) => frame.push(read(vm, frame)))
