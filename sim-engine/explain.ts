// What a program becomes, for people: which processes run as what, and why a step does not run as fast as others; and the
// typed program in print.
import type { ProcessPart } from './check/parts.ts'
import type { Program } from './compile.ts'
import { showProgram } from './ir.ts'
import type { Explained } from './messages.ts'
import { walk } from './formula/walk.ts'
import { lowerProcesses } from './lower/process.ts'
import { hasNativeRows, unknownCallOf } from './native.ts'
import { start } from './run.ts'
import { processProgram } from './run/fast-processes.ts'
import { say } from '../model-schema/words.ts'

/** Passes by name, in their order. */
export const passes = ['lower', 'inline'] as const

export function explain(program: Program): Explained[] {
  const { checked, rows } = program
  const lowered = lowerProcesses(program)
  // Whether loops over populations become WebAssembly depends on spaces, which exist from the first tick on.
  if (rows.size > 0) start(program, { seed: 1, nativeFrom: 0 }).advance({ ticks: 1 })
  return checked.parts.processes.map(process => {
    const name = [process.entity?.name, process.name].filter(part => part !== undefined && part !== '').join('.')
    if (rows.has(process.index)) return { element: process.id, process: name, ...loopOf(program, process) }
    const steps = process.steps.flatMap(step => {
      const reason = lowered?.reasons.get(step) ?? lowered?.exceptions.get(step)
      return reason ? [{ element: step.id, step: step.name || `${step.kind.id} ${step.id}`, why: reason.words }] : []
    })
    const runs = !lowered?.known.some((is, at) => is !== 0 && checked.parts.steps[at >> 3]?.process === process)
      ? say('with tokens, as JavaScript')
      : steps.length === 0
        ? say('with tokens, as WebAssembly')
        : say('with tokens, as WebAssembly but for these steps:')
    return { element: process.id, process: name, runs, steps }
  })
}

/** A process without tokens: its loop, and which of its steps keep all such loops of the program in JavaScript. */
function loopOf(program: Program, process: ProcessPart): Omit<Explained, 'element' | 'process'> {
  const { stencils, checked } = program
  if (process.entity && stencils.has(process.entity.index))
    return { runs: say('without tokens: all cells at once, as WebAssembly'), steps: [] }
  if (hasNativeRows(program)) return { runs: say('without tokens: a loop, as WebAssembly'), steps: [] }
  const call = unknownCallOf(program) ?? ''
  const called = call.startsWith('F.') || call.startsWith('W.') ? call.slice(2) : ''
  const ids = new Set<string>()
  for (const { id, inferred } of checked.formulas.values())
    walk(inferred.parsed.ast, node => {
      if (node.is === 'call' && node.callee.is === 'name' && node.callee.name === called) ids.add(id)
    })
  const steps = process.steps.filter(step => ids.has(step.id))
  const why = say('{called}() is worked out in JavaScript, and so are all loops of this model', { called })
  return {
    runs: say('without tokens: a loop, as JavaScript'),
    steps: steps.map(step => ({ element: step.id, step: step.name || `${step.kind.id} ${step.id}`, why })),
  }
}

/** The typed program of the processes with tokens, after a pass; empty when there is none. */
export function printed(program: Program, after: (typeof passes)[number]): string {
  const lowered = lowerProcesses(program)
  if (!lowered) return ''
  const { before, after: inlined } = processProgram(lowered)
  return showProgram(after === 'lower' ? before : inlined)
}
