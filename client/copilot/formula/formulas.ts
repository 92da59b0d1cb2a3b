// A formula written from words: a language model is asked for it, and the compiler checks it on a fork before it is offered. Its problems
// are sent back to the model, twice; the document is never changed here.
import { nanoid } from 'nanoid'
import { formulaName } from '../../../model-schema/kinds.ts'
import type { Field, Json } from '../../../model-schema/kinds/kind.ts'
import { DOCUMENT } from '../../../model-schema/business/limits.ts'
import type { Element } from '../../../model-schema/model.ts'
import { readingTools, visible } from '../../../sim-engine/copilot/doors/tools.ts'
import { converse, type Message, type ModelEvent, type TurnEnd } from '../../../sim-engine/copilot/doors/dialogue.ts'
import { english } from '../../../model-schema/words.ts'
import type { Within } from '../../panels/fields/control.ts'
import type { Chosen } from '../talk.ts'
import type { Toolbox } from '../toolbox.ts'
import { plainOf } from '../words.ts'
import type { Call } from '../wire.ts'

export type Wanted = {
  readonly element: Element
  readonly field: Field
  /** The table and the row of a cell; `field` is its column then. */
  readonly within?: Within | undefined
  readonly words: string
  readonly canvas: string
}

/** A formula that passed, with what the compiler still warns of; or why there is none: how the turn ended, or the last one that did not pass. */
export type Written =
  | { readonly formula: string; readonly warnings: readonly string[] }
  | { readonly end: { readonly why: TurnEnd; readonly detail: string } }
  | { readonly refused: string; readonly because: readonly string[] }

export type FormulaWorld = {
  /** A fork of its own. */
  readonly toolbox: Pick<Toolbox, 'use' | 'reset' | 'context'>
  readonly call: (call: Call, signal: AbortSignal) => AsyncIterable<ModelEvent>
}

/** Formulas that are asked for until one passes; calls of the model for each. */
const TRIES = { formulas: 3, calls: 8 } as const

export async function writeFormula(wanted: Wanted, to: Chosen, { toolbox, call }: FormulaWorld, signal: AbortSignal): Promise<Written> {
  const { element, canvas, words } = wanted
  const turn = nanoid(16)
  const told = await toolbox.context(to.label, { canvas, selection: [element.id], words })
  let messages: readonly Message[] = [{ role: 'user', text: [questionOf(wanted), told ?? ''].join('\n\n').trim() }]
  let last: Written = { end: { why: 'answered', detail: '' } }
  const given = { provider: to.id, turn, mode: 'ask' as const, ...(to.file === undefined ? {} : { file: to.file }) }
  const reads: readonly string[] = readingTools
  for (let at = 0; at < TRIES.formulas; at++) {
    const events = converse({
      messages,
      call: (all, stop) => call({ ...given, messages: all }, stop),
      use: async (name, args) =>
        reads.includes(name) ? toolbox.use(to.label, name, args) : { ok: false, text: 'There is no such tool here.' },
      signal,
      limits: { calls: TRIES.calls },
    })
    let end: { why: TurnEnd; detail: string } = { why: 'stopped', detail: '' }
    for (;;) {
      const { done, value } = await events.next()
      if (done === true) {
        messages = value
        break
      }
      if (value.is === 'end') end = { why: value.why, detail: value.detail }
    }
    if (end.why !== 'answered') return { end }
    const formula = formulaIn(messages.at(-1))
    if (formula === '') return { end: { why: 'malformed', detail: '' } }
    const { fits, problems } = await checked(toolbox, to.label, wanted, formula)
    if (signal.aborted) return { end: { why: 'stopped', detail: '' } }
    if (fits) return { formula, warnings: problems }
    last = { refused: formula, because: problems }
    messages = [...messages, { role: 'user', text: `It does not pass: ${problems.join(' ')} Answer with another formula alone.` }]
  }
  return last
}

function questionOf({ element, field, within, words }: Wanted): string {
  const name = formulaName(String(element.fields['name'] ?? '')) || element.kind
  const cell = within ? `, row ${within.row + 1} of the table ${JSON.stringify(within.field.id)} (${english(within.field.label)}),` : ''
  return [
    `Write the formula of the field ${JSON.stringify(field.id)} (${english(field.label)})${cell} of [[${element.id}]] ${visible(JSON.stringify(name))}.`,
    `It is to say, in the person's words: ${visible(JSON.stringify(words))}`,
    'Use the names of the model; "reference" has the functions and "read" what elements hold. End with a message that is the formula alone: no words, no quotes around it, no Markdown.',
  ].join('\n')
}

/** The formula in an answer: the content of its only block of code, or all of it. */
export function formulaIn(message: Message | undefined): string {
  const text = message?.role === 'assistant' ? message.text.trim() : ''
  const block = /```[a-z]*\n?([^]*?)```/.exec(text)?.[1] ?? /^`([^`]+)`$/.exec(text)?.[1]
  return (block ?? text).trim().slice(0, DOCUMENT.formulaLength)
}

/** The compiler's problems with a formula in its field: those of the field, and new ones anywhere. The fork is restored afterwards. */
async function checked(toolbox: FormulaWorld['toolbox'], author: string, wanted: Wanted, formula: string) {
  const { id } = wanted.element
  const { field, value, place } = standing(wanted, formula)
  const edited = await toolbox.use(author, 'edit', JSON.stringify({ calls: [{ do: 'set', id, field, value }] }))
  const after = edited.ok ? await toolbox.use(author, 'check', '{}') : edited
  toolbox.reset()
  if (!after.ok) return { fits: false, problems: [after.text] }
  const { problems } = plainOf(edited.text)
  const fresh = typeof problems === 'object' && problems !== null && 'new' in problems ? rowsIn(problems.new) : []
  const here = rowsIn(plainOf(after.text)['problems']).filter(one => one['at'] === id && one['field'] === place)
  const all = new Map([...fresh, ...here].map(one => [String(one['problem']), one])).values().toArray()
  return { fits: !all.some(one => one['severity'] === 'error'), problems: all.map(one => String(one['says'])) }
}

/** The field that holds a formula with what it would hold, and what problems call its place. */
function standing({ element, field, within }: Wanted, formula: string): { field: string; value: Json; place: string } {
  if (!within) return { field: field.id, value: formula, place: field.id }
  const table = element.fields[within.field.id]
  const value = (Array.isArray(table) ? table : []).map((row, i) =>
    i === within.row && typeof row === 'object' && row !== null && !Array.isArray(row) ? { ...row, [field.id]: formula } : row,
  )
  return { field: within.field.id, value, place: `${within.field.id}/${within.row}/${field.id}` }
}

const rowsIn = (value: unknown): readonly { readonly [key: string]: unknown }[] =>
  Array.isArray(value) ? value.flatMap((row: unknown) => (typeof row === 'object' && row !== null ? [{ ...row }] : [])) : []
