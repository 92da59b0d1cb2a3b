// What a program becomes, for people: which processes run as what, and why a step does not run as fast as others; and the
// typed program in print.
import type { ProcessPart } from '../check/parts.ts'
import type { Program } from '../compile.ts'
import { showProgram } from '../ir.ts'
import type { Explained } from '../messages.ts'
import { lowerProcesses } from '../lower/processes/process.ts'
import { NotLowered } from '../lower/scope.ts'
import { hasNativeRows } from '../rows.ts'
import { lookedAtEvents } from '../run/charts.ts'
import { start } from '../run.ts'
import { rowsProgram } from '../rows/module.ts'
import { processProgram } from '../run/fast/process-module.ts'
import { printRule } from '../stencil/graph.ts'
import { say, type Words } from '../../model-schema/words.ts'

/** Passes by name, in their order. */
export const passes = ['lower', 'specialise', 'inline', 'if-conversion', 'hoist'] as const

export function explain(program: Program): Explained[] {
  const { checked, rows } = program
  const lowered = lowerProcesses(program)
  // Whether loops over populations become WebAssembly depends on spaces, which exist from the first tick on.
  if (rows.size > 0) start(program, { seed: 1, nativeFrom: 0 }).advance({ ticks: 1 })
  const made = rows.size === 0 ? null : rowsProgram(program, new Set())
  const whyOf = (process: ProcessPart): Words | null => (made instanceof NotLowered ? made : made?.reasons.get(process))?.words ?? null
  const looks = lookedAtEvents(checked).map(({ id, fields }) => ({
    element: id,
    step: typeof fields['name'] === 'string' && fields['name'] !== '' ? fields['name'] : id,
    why:
      id === checked.parts.scenario.id
        ? say('its stop condition is looked at after each event, and WebAssembly stops for that')
        : say('it is looked at after each event, and WebAssembly stops for that'),
  }))
  return checked.parts.processes.map(process => {
    const name = [process.entity?.name, process.name].filter(part => part !== undefined && part !== '').join('.')
    if (rows.has(process.index)) return { element: process.id, process: name, ...loopOf(program, process, name, whyOf(process)) }
    const steps = process.steps.flatMap(step => {
      const reason = lowered?.reasons.get(step) ?? lowered?.exceptions.get(step)
      return reason ? [{ element: step.id, step: step.name || `${step.kind.id} ${step.id}`, why: reason.words }] : []
    })
    const isLowered = lowered?.known.some((is, at) => is !== 0 && checked.parts.steps[at >> 3]?.process === process) ?? false
    const runs = !isLowered
      ? say('with tokens, as JavaScript')
      : steps.length + looks.length === 0
        ? say('with tokens, as WebAssembly')
        : say('with tokens, as WebAssembly but for these:')
    return { element: process.id, process: name, runs, steps: isLowered ? [...steps, ...looks] : steps }
  })
}

/** A process without tokens: its loop, and what keeps it in JavaScript. */
function loopOf(program: Program, process: ProcessPart, name: string, why: Words | null): Omit<Explained, 'element' | 'process'> {
  if (process.entity && program.stencils.has(process.entity.index))
    return { runs: say('without tokens: all cells at once, as WebAssembly'), steps: [] }
  if (why === null && hasNativeRows(program)) return { runs: say('without tokens: a loop, as WebAssembly'), steps: [] }
  return { runs: say('without tokens: a loop, as JavaScript'), steps: why ? [{ element: process.id, step: name, why }] : [] }
}

/** The typed programs of a model after a pass: rules of cells, processes without tokens, processes with tokens; empty when there are none. */
export function printed(program: Program, after: (typeof passes)[number]): string {
  const { stencils, checked } = program
  const rules = [...stencils].map(([index, { inner }]) => `# cells ${checked.parts.entities[index]?.name ?? ''}\n${printRule(inner)}\n`)
  const rows = rowsProgram(program, new Set())
  const loops = rows instanceof NotLowered ? [] : [`# processes without tokens\n${showProgram(rows.passes[after])}`]
  const lowered = lowerProcesses(program)
  // Hoisting is for loops over populations.
  const tokens = lowered
    ? [`# processes with tokens\n${showProgram(processProgram(lowered)[after === 'hoist' ? 'if-conversion' : after])}`]
    : []
  return [...rules, ...loops, ...tokens].join('\n')
}
