// Transaction: sends something to a chain, or only reads. Where the chain makes blocks by the clock the token waits for the one that
// includes it; its result is the step's output.
import { constructorInputs, methodsNamed, signatureOf } from '../chain/abi.ts'
import { addressFieldOf, chainOf, chosenChain, faceOf, interfaceOf, terraCodeFault } from '../chain/parts.ts'
import type { ContractPart } from '../chain/parts.ts'
import { stepKey } from '../check/names/keys.ts'
import type { Checking } from '../check/checking.ts'
import type { StepPart } from '../check/parts.ts'
import type { AbiItem, AbiParameter } from '../chain/abi.ts'
import { bitsOf } from '../chain/abi.ts'
import type { Type } from '../formula.ts'
import { closeActivity, emitActivity } from './activity.ts'
import { boxedJs } from './boxed.ts'
import type { StepKind, StepWriter } from './step.ts'
import { say, type Words } from '../../model-schema/words.ts'

const doesOf = (step: StepPart): string => String(step.element.fields['does'] ?? 'call')
const methodOf = (step: StepPart): string => String(step.element.fields['method'] ?? '').trim()

export const transaction: StepKind = {
  kind: 'transaction',
  check(step, checking) {
    const { parts, note, written } = checking
    const does = doesOf(step)
    const wrong = (field: string, words: Words): void => note(9033, step.id, field, [words])
    const chain = chosenChain(parts.chains, step.element.fields['chain'])
    if (chain < 0) return wrong('chain', say('choose the chain it is sent to'))
    const { entity, level } = step.process
    const acts = level === 'individual' && entity?.kind === 'agent' && chainOf(parts, entity) === chain
    if (does !== 'read' && !written(step, 'account') && !acts)
      wrong('account', say('the actor has no account on this chain: say which account sends it'))
    const { until, replaces } = step.element.fields
    if (parts.chains[chain]!.element.fields['blocks'] !== 'interval') {
      if (until === 'final') wrong('until', say('this chain makes a block for each transaction: nothing waits to be final'))
      if (replaces === true) wrong('replaces', say('this chain makes a block for each transaction: none waits to be replaced'))
    }
    if (does === 'transfer') {
      if (!written(step, 'recipient')) note(8001, step.id, 'recipient')
      return
    }
    const contract = parts.contracts.find(({ id }) => id === step.element.fields['interface'])
    if (!contract) return wrong('interface', say('choose the contract'))
    if (contract.chain !== chain) return wrong('interface', say('the contract is on another chain'))
    if (contract.isTerra) return checkTerraCall(step, contract, checking)
    // What is wrong with the contract itself is said there.
    if ('fault' in interfaceOf(contract)) return
    if (does === 'deploy') checkDeployment(step, contract, checking)
    else checkCall(step, contract, checking)
  },
  needsToken: () => true,
  emit(step, out) {
    const { otherwise } = step.element.fields
    const short = otherwise === 'branch' ? step.outgoing.find(flow => flow.element.fields['default'] === true) : undefined
    const isBranching = otherwise === 'branch' && step.outgoing.length > 1 && short !== undefined
    // The flow taken when it fails is no part of the normal way out.
    const normal: StepPart = isBranching ? { ...step, outgoing: step.outgoing.filter(flow => flow !== short) } : step
    emitActivity(normal, out, () => {
      const individual = out.process.level === 'individual'
      const actor = individual && out.process.entity ? `${out.process.entity.index},self` : '-1,-1'
      const sent = out.fresh('sent')
      out.line(`const ${sent}=${callJs(step, out)};`)
      out.line(
        `${out.emitter.mark(step.id, 'method')}if(X.chains.transact(${step.index},t,${sent},${actor})){T_pc[t]=${out.pc(step, 2)};return;}`,
      )
      out.line(`pc=${out.pc(step, 5)};continue flow;`)
      out.entry(step, 2)
      out.entry(step, 5)
      const outcome = out.fresh('outcome')
      out.line(
        `${out.emitter.mark(step.id, 'method')}const ${outcome}=X.chains.outcome(t,${otherwise !== 'branch' && otherwise !== 'continue'});`,
      )
      if (out.emitter.checked.scopes.outputs.has(step)) out.line(`to${step.index}[t]=${outcome}.output;`)
      if (!isBranching) return
      out.line(`if(!${outcome}.ok){`)
      closeActivity(step, out)
      out.take(short)
      out.line('}')
    })
  },
}

function callJs(step: StepPart, out: StepWriter): string {
  const { parts } = out.emitter.checked
  const does = doesOf(step)
  const contract = does === 'transfer' ? -1 : parts.contracts.findIndex(({ id }) => id === step.element.fields['interface'])
  const value = (field: string): string =>
    out.emitter.has(stepKey(step, field)) ? boxedJs(out.emitter, out.typeOf(step, field), out.value(step, field)) : 'null'
  const fields = [
    `chain:${chosenChain(parts.chains, step.element.fields['chain'])}`,
    `does:${JSON.stringify(does)}`,
    `contract:${contract}`,
    `method:${JSON.stringify(methodOf(step))}`,
    `account:${value('account')}`,
    `at:${value(does === 'transfer' ? 'recipient' : 'contract')}`,
    `arguments:${out.emitter.has(stepKey(step, 'arguments')) ? value('arguments') : '[]'}`,
    `value:${out.emitter.has(stepKey(step, 'value')) ? value('value') : '0'}`,
    `gas:${value('gas')}`,
    `fee:${value('fee')}`,
    `tip:${value('tip')}`,
    `until:${JSON.stringify(String(step.element.fields['until'] ?? 'included'))}`,
    `timeout:${value('timeout')}`,
    `replaces:${step.element.fields['replaces'] === true}`,
  ]
  return `{${fields.join(',')}}`
}

function checkDeployment(step: StepPart, contract: ContractPart, checking: Checking): void {
  const face = faceOf(contract)
  if (face.code === '') checking.note(9033, step.id, 'interface', [say('the contract has no code to deploy')])
  checkArguments(step, constructorInputs(face), checking)
}

function checkCall(step: StepPart, contract: ContractPart, checking: Checking): void {
  const { note, written } = checking
  const wrong = (field: string, words: Words): void => note(9033, step.id, field, [words])
  const method = methodOf(step)
  const found = methodsNamed(faceOf(contract), method)
  if (method === '') return wrong('method', say('choose the method'))
  if (found.length === 0) return wrong('method', say('the contract has no method {method}', { method: method.slice(0, 60) }))
  if (found.length > 1) {
    const all = found.map(signatureOf).join(', ')
    return wrong('method', say('there are several: write one of {all}', { all }))
  }
  const [item] = found as [AbiItem]
  if (doesOf(step) === 'read' && !item.isView) wrong('method', say('it changes the chain: call or simulate it'))
  if (!written(step, 'contract') && contract.element.fields['deployed'] === false && addressFieldOf(contract.element) === undefined)
    wrong('contract', say('the contract is not deployed at the start: say at which address it is'))
  checkArguments(step, item.inputs, checking)
}

/** A message to a contract of Terra: a name and one dict at most. */
function checkTerraCall(step: StepPart, contract: ContractPart, { note, written, formulas }: Checking): void {
  const wrong = (field: string, words: Words): void => note(9033, step.id, field, [words])
  const isDeployment = doesOf(step) === 'deploy'
  if (isDeployment && terraCodeFault(contract.element)) wrong('interface', say('the contract has no code to deploy'))
  if (!isDeployment && methodOf(step) === '') wrong('method', say('write the name of the message, such as transfer'))
  if (!isDeployment && !written(step, 'contract') && contract.element.fields['deployed'] === false)
    wrong('contract', say('the contract is not deployed at the start: say at which address it is'))
  const ast = formulas.get(stepKey(step, 'arguments'))?.inferred.parsed.ast
  if (ast?.is === 'expression' && ast.value.is === 'list' && ast.value.items.length > 1)
    wrong('arguments', say('a contract of Terra takes one message: a list with one dict'))
}

/** The number of arguments, and those of certain type, where the list is written out. */
function checkArguments(step: StepPart, inputs: readonly AbiParameter[], { formulas, note }: Checking): void {
  const formula = formulas.get(stepKey(step, 'arguments'))
  const ast = formula?.inferred.parsed.ast
  if (!formula) {
    if (inputs.length > 0) note(8002, step.id, 'arguments', [countWords(inputs, 0)])
    return
  }
  if (ast?.is !== 'expression' || ast.value.is !== 'list') return
  const { items } = ast.value
  if (items.some(item => item.is === 'missing')) return
  if (items.length !== inputs.length) return note(8002, step.id, 'arguments', [countWords(inputs, items.length)])
  for (const [k, item] of items.entries()) {
    const got = formula.inferred.plan.types.get(item)
    if (got && isCertainClash(got, inputs[k]!))
      note(8002, step.id, 'arguments', [say('argument {k} is {is}, but {type} is needed', { k: k + 1, is: got.is, type: inputs[k]!.type })])
  }
}

const countWords = (inputs: readonly AbiParameter[], count: number): Words => {
  const wanted = inputs.map(({ type, name }) => `${type} ${name}`.trim()).join(', ')
  return say('{count} arguments are needed ({wanted}), there are {count2}', { count: inputs.length, wanted, count2: count })
}

/** Whether a value of this type can never be passed. */
function isCertainClash({ is }: Type, { type }: AbiParameter): boolean {
  if (is === 'any' || is === 'never' || is === 'none') return false
  if (type.endsWith(']')) return is === 'number' || is === 'integer' || is === 'bool' || is === 'text'
  if (bitsOf(type) !== undefined) return is !== 'number' && is !== 'integer' && is !== 'bool'
  if (type === 'bool') return is !== 'bool'
  if (type === 'address') return is !== 'text' && is !== 'entity'
  if (type === 'tuple') return is !== 'dict' && is !== 'list' && is !== 'tuple'
  return is !== 'text'
}
