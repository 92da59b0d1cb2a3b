// What a program becomes, for people: which processes run as what, and why a step does not run as fast as others; and the
// typed program in print.
import { say } from '../model-schema/kinds/kind.ts'
import type { Words } from '../model-schema/kinds/kind.ts'
import type { Program } from './compile.ts'
import { showProgram } from './ir.ts'
import { lowerProcesses } from './lower/process.ts'
import { processProgram } from './run/fast-processes.ts'

/** A process: what runs it; steps with tokens that do not run as WebAssembly, and why. */
export type Explained = {
  readonly process: string
  readonly runs: Words
  readonly steps: readonly { readonly step: string; readonly why: Words }[]
}

/** Passes by name, in their order. */
export const passes = ['lower', 'inline'] as const

export function explain(program: Program): Explained[] {
  const { checked, rows } = program
  const lowered = lowerProcesses(program)
  return checked.parts.processes.map(process => {
    const name = [process.entity?.name, process.name].filter(part => part !== undefined && part !== '').join('.')
    if (rows.has(process.index))
      return { process: name, runs: say('without tokens: a loop over its population', '无令牌：对其种群循环'), steps: [] }
    const steps = process.steps.flatMap(step => {
      const reason = lowered?.reasons.get(step)
      return reason ? [{ step: step.name || `${step.kind.id} ${step.id}`, why: say(reason.en, reason.zh) }] : []
    })
    const runs = !lowered?.known.some((is, at) => is === 1 && checked.parts.steps[at >> 3]?.process === process)
      ? say('with tokens, as JavaScript', '有令牌，以 JavaScript 运行')
      : steps.length === 0
        ? say('with tokens, as WebAssembly', '有令牌，以 WebAssembly 运行')
        : say('with tokens, as WebAssembly but for these steps:', '有令牌，除以下步骤外以 WebAssembly 运行：')
    return { process: name, runs, steps }
  })
}

/** The typed program of the processes with tokens, after a pass; empty when there is none. */
export function printed(program: Program, after: (typeof passes)[number]): string {
  const lowered = lowerProcesses(program)
  if (!lowered) return ''
  const { before, after: inlined } = processProgram(lowered)
  return showProgram(after === 'lower' ? before : inlined)
}
