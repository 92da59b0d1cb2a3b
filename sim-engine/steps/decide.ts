// Decide: a policy looks at observations and chooses values of variables. The result is computed when the same decider comes here again, when it
// dies, and when the run ends.
import { stepKey } from '../check/names/keys.ts'
import { chosenAction } from '../check/names/builtins.ts'
import { cellText, rowsOf } from '../check/resolve.ts'
import type { StepPart } from '../check/parts.ts'
import { formulaName } from '../../model-schema/kinds.ts'
import { describe } from '../learn/network.ts'
import { isWithin } from '../learn/choices.ts'
import { outputsOf } from '../learn/net/shape.ts'
import { decisionEntry } from '../run/comers.ts'
import { asksAt, pointOf, waitsAt } from '../run/decisions.ts'
import { componentOf } from '../compile/emitter.ts'
import { emitActivity } from './activity.ts'
import { boxedJs } from './boxed.ts'
import type { StepKind, StepWriter } from './step.ts'
import { say } from '../../model-schema/words.ts'

const numberOf = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

export const decide: StepKind = {
  kind: 'decide',
  check(step, { note, written, parts, formulas }) {
    const { fields } = step.element
    const [seen, actions] = [rowsOf(step.element, 'observation'), rowsOf(step.element, 'actions')]
    if (actions.length === 0) note(9031, step.id, 'actions', [say('add what is decided')])
    if (seen.length === 0 && fields['policy'] === 'network') note(9031, step.id, 'observation', [say('add what the network sees')])
    seen.forEach((row, k) => {
      if (cellText(row, 'value').trim() === '') note(8001, step.id, `observation/${k}/value`)
    })
    const names = new Set<string>()
    actions.forEach((row, k) => {
      const name = formulaName(cellText(row, 'variable').trim())
      if (name === '' || names.has(name)) note(9031, step.id, `actions/${k}/variable`, [say('each action sets a variable of its own')])
      names.add(name)
      if (!(numberOf(row['low'], 0) <= numberOf(row['high'], 1)))
        note(9031, step.id, `actions/${k}/high`, [say('the highest value is below the lowest')])
    })
    const looks = ['reward', 'done', ...seen.map((_, k) => `observation/${k}/value`), ...actions.map((_, k) => `actions/${k}/allowed`)]
    for (const [k] of rowsOf(step.element, 'parts').entries()) looks.push(`parts/${k}/value`)
    for (const field of looks)
      if (formulas.get(stepKey(step, field))?.inferred.draws) note(8002, step.id, field, [say('looking must not draw random numbers')])
    if (fields['policy'] === 'formula' && !written(step, 'choice')) note(8001, step.id, 'choice')
    if (fields['policy'] === 'scripted') {
      const { script, actions: ranges } = pointOf(step, [])
      const outside = script?.flatMap(values => ranges.filter((range, k) => !isWithin(range, values[k]!)))
      if (script === null)
        note(9031, step.id, 'script', [say('a script is numbers separated by commas, or lists of them with a number for each action')])
      else if (outside!.length > 0) note(9031, step.id, 'script', [say('some action of the script is out of its range')])
    }
    if (fields['policy'] === 'person' && !asksAt(fields)) {
      const controller = parts.controllers.find(({ id }) => id === fields['controller'])
      if (!controller || controller.fields['type'] === 'button' || typeof controller.fields['target'] !== 'string')
        note(9031, step.id, 'controller', [say('choose the control with which a person decides')])
    }
    if (fields['policy'] !== 'network') return
    const network = parts.networks.find(({ id }) => id === fields['network'])
    if (!network) return note(9031, step.id, 'network', [say('choose the neural network that decides')])
    const described = describe(network.element.fields)
    // What is wrong with the network itself is said there.
    if ('field' in described) return
    const { choices, actions: bounds } = pointOf(step, [])
    if (outputsOf(described.shape) !== (choices || bounds.length))
      note(9032, step.id, 'network', [
        say('it has {shape} outputs for {choices} actions', { shape: outputsOf(described.shape), choices: choices || bounds.length }),
      ])
  },
  needsToken: () => true,
  emit(step, out) {
    const rows = rowsOf(step.element, 'actions')
    out.emitter.declare(`X.decidesAt(${step.index},${formulasJs(step, out)});`)
    emitActivity(step, out, () => {
      const self = out.process.level === 'individual' ? 'self' : '-1'
      const chosen = out.fresh('chosen')
      const at = out.emitter.mark(step.id, 'actions')
      const ask = (call: string): string => `X.${call}(${step.index},${self},t)`
      if (waitsAt(step.element)) {
        out.line(`${at}T_pc[t]=${out.pc(step, decisionEntry)};if(${ask('decisionWaits')})return;`)
        out.entry(step, decisionEntry)
      }
      out.line(`${at}const ${chosen}=${ask(waitsAt(step.element) ? 'decided' : 'decide')};`)
      const writes = rows.map((_, k) => `{const ${chosenAction.name}=${chosen}[${k}];${out.statements(step, `actions/${k}/variable`)}}`)
      const gives = out.emitter.checked.scopes.outputs.has(step) ? `to${step.index}[t]=${chosen}.length===1?${chosen}[0]:${chosen};` : ''
      out.line(`if(${chosen}!==null){${writes.join('')}${gives}}`)
    })
  },
}

/** What is worked out when it is asked for, by the actor and its token. */
function formulasJs(step: StepPart, out: StepWriter): string {
  const individual = out.process.level === 'individual'
  const slot = !individual ? '' : out.process.entity?.kind === 'cell' ? 'const i=self;' : 'const i=self&16777215;'
  const fn = (js: string): string => `(self,t)=>{${slot}return ${js};}`
  const around = {
    self: individual ? 'self' : '-1',
    stream: componentOf(out.process, step.id),
    captured: [...(individual ? ['self'] : []), 't'],
  }
  const of = (field: string, otherwise: string): string =>
    out.emitter.has(stepKey(step, field))
      ? boxedJs(out.emitter, out.typeOf(step, field), out.emitter.value(stepKey(step, field), around, otherwise))
      : otherwise
  const list = (table: string, column: string): string =>
    `[${rowsOf(step.element, table)
      .map((_, k) => of(`${table}/${k}/${column}`, 'null'))
      .join(',')}]`
  const controller = out.emitter.checked.parts.controllers.find(({ id }) => id === step.element.fields['controller'])
  const shown = out.emitter.checked.parts.shared.find(({ id }) => id === controller?.fields['target'])
  const person = shown ? `X.shared(${shown.index})` : 'null'
  const { seen: bounds, parts } = pointOf(step, [])
  const isPlain = bounds.length > 0 && bounds.every((_, k) => out.typeOf(step, `observation/${k}/value`).is === 'number')
  const see = bounds.map(({ low, high }, k) => `f[${k}]=X.seenNumber(${of(`observation/${k}/value`, '0')},${low},${high});`)
  const reward = String(step.element.fields['reward'] ?? '').trim()
  const constant = parts.length === 0 && Number.isFinite(Number(reward)) ? Number(reward) : null
  return `{seen:${fn(list('observation', 'value'))},see:${isPlain ? `(self,t,f)=>{${slot}${see.join('')}}` : 'null'},constant:${constant},reward:${fn(of('reward', '0'))},parts:${fn(list('parts', 'value'))},done:${out.written(step, 'done') ? fn(of('done', 'false')) : 'null'},allowed:${fn(list('actions', 'allowed'))},choice:${fn(of('choice', 'null'))},person:()=>${person}}`
}
