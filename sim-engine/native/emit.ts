// Functions as instructions: statements, and calls of small functions written where they are called.
import { Frame, type Places, valueType } from './frame.ts'
import { Guarded } from './guarded.ts'
import { type Form, formOf } from './infer.ts'
import { i32, type Made, nothing, op } from '../backends/binary.ts'
import type { Act, Instance, Label, Local } from './tree.ts'
import { type Call, Values } from './values.ts'

/** A function of at most so many nodes is written where it is called. */
const mostInlined = 60
/** Bytes of a function after which nothing more is. */
const longEnough = 16_000

/** Code of one function. */
export function codeOf(instance: Instance, places: Places): Made {
  const frame = new Frame(places, instance.parameters)
  new Writer(frame, instance).write()
  return frame.made(instance)
}

/** Where `return` goes: out of the function, or to the end of the block of one that is written within another. */
type Return = {
  readonly form: Form | null
  /** Of what is an index where the function is called. */ readonly isIndex: boolean
  readonly end: number | null
  /** The statement after which the end comes anyway. */ readonly last: Act | undefined
}

class Writer {
  readonly #frame: Frame
  readonly #values: Values
  readonly #instance: Instance
  /** The functions being written, each within the one before. */
  readonly #within: Instance[]
  #return: Return

  constructor(frame: Frame, instance: Instance) {
    this.#frame = frame
    this.#values = new Values(frame, (call, isIndex) => this.#call(call, isIndex))
    this.#instance = instance
    this.#within = [instance]
    this.#return = { form: formOfResult(instance), isIndex: false, end: null, last: undefined }
  }

  write(): void {
    this.#acts(this.#instance.body)
    if (this.#instance.result !== null) this.#frame.code.op(op.unreachable)
  }

  // Calls

  #call(call: Call, isIndex: boolean): void {
    const { of, args, extra } = call
    const { code, places } = this.#frame
    const isInlined = !of.isRare && of.size <= mostInlined && code.length < longEnough && !this.#within.includes(of)
    if (isInlined) {
      this.#inlined(call, isIndex)
      return
    }
    args.forEach((arg, k) => this.#values.as(arg, formOf(of.parameters[k]!.type)))
    for (const arg of extra) this.#values.effect(arg)
    code.at(op.call, places.made(of))
    if (of.moves) this.#frame.moved()
    if (isIndex) this.#values.toWord(of.result!.type, true)
  }

  #inlined({ of, args, extra }: Call, isIndex: boolean): void {
    const frame = this.#frame
    const numbers = args.map((arg, k) => (of.parameters[k]!.isWritten ? undefined : this.#values.numberOf(arg)))
    args.forEach((arg, k) => {
      if (numbers[k] === undefined) this.#values.as(arg, formOf(of.parameters[k]!.type))
    })
    for (const arg of extra) this.#values.effect(arg)
    // The function has locals of its own wherever it is written.
    const locals: readonly Local[] = [...of.parameters, ...of.locals]
    const before = locals.map(local => local.index)
    for (const local of locals) local.index = -1
    for (let k = args.length - 1; k >= 0; k--) {
      const number = numbers[k]
      if (number === undefined) frame.local(op.localSet, of.parameters[k]!)
      else of.parameters[k]!.constant = number
    }
    const outer = this.#return
    const last = of.body.at(-1)
    this.#within.push(of)
    const hasBlock = returnsWithin(of.body, last)
    if (hasBlock) frame.begin(op.block, of.result === null ? nothing : isIndex ? i32 : valueType(of.result.type))
    this.#return = { form: formOfResult(of), isIndex, end: frame.depth, last }
    this.#acts(of.body)
    if (of.result !== null && last?.is !== 'return') frame.code.op(op.unreachable)
    if (hasBlock) frame.end()
    this.#within.pop()
    this.#return = outer
    locals.forEach((local, k) => {
      local.index = before[k]!
      local.constant = null
    })
  }

  // Statements

  #acts(acts: readonly Act[]): void {
    for (const act of acts) this.#act(act)
  }

  #act(act: Act): void {
    const frame = this.#frame
    switch (act.is) {
      case 'do':
        this.#values.effect(act.value)
        return
      case 'if':
        this.#if(act)
        return
      case 'loop':
        this.#loop(act)
        return
      case 'block':
        if (!act.label.isBroken) {
          this.#acts(act.body)
          return
        }
        frame.begin(op.block)
        act.label.end = frame.depth
        this.#acts(act.body)
        frame.end()
        return
      case 'leave':
        this.#leave(act.label, act.isAgain)
        return
      case 'return': {
        const { form, isIndex, end, last } = this.#return
        if (act.value !== null && isIndex) this.#values.word(act.value, true)
        else if (act.value !== null && form !== null) this.#values.as(act.value, form)
        if (end === null) frame.code.op(op.return)
        else if (act !== last) frame.jump(op.br, end)
      }
    }
  }

  #if(act: Act & { is: 'if' }): void {
    const { test, yes, no } = act
    const frame = this.#frame
    const known = this.#values.known(test)
    if (known !== null) {
      this.#acts(known ? yes : no)
      return
    }
    const guarded = frame.loops > 0 ? Guarded.of(act, this.#values) : null
    if (guarded !== null) {
      guarded.write(act)
      return
    }
    if (test.is !== 'logical') {
      this.#values.condition(test)
      frame.begin(op.if)
      this.#acts(yes)
      if (no.length > 0) {
        frame.code.op(op.else)
        this.#acts(no)
      }
      frame.end()
      return
    }
    if (no.length > 0) frame.begin(op.block)
    const end = frame.depth
    frame.begin(op.block)
    this.#values.jump(test, false, frame.depth)
    this.#acts(yes)
    if (no.length > 0) frame.jump(op.br, end)
    frame.end()
    if (no.length > 0) {
      this.#acts(no)
      frame.end()
    }
  }

  #leave(label: Label, isAgain: boolean): void {
    this.#frame.jump(op.br, isAgain ? label.again : label.end)
  }

  /** The test stands before the loop as well, so that a round ends with one jump. */
  #loop(act: Act & { is: 'loop' }): void {
    const { test, label, next, body, isTestedLast } = act
    const frame = this.#frame
    const isTestedFirst = test !== null && !isTestedLast
    const hasEnd = isTestedFirst || label.isBroken
    if (hasEnd) {
      frame.begin(op.block)
      label.end = frame.depth
    }
    if (isTestedFirst) this.#values.jump(test, false, label.end)
    frame.begin(op.loop)
    frame.loops++
    const start = frame.depth
    if (label.isContinued) {
      frame.begin(op.block)
      label.again = frame.depth
    }
    this.#acts(body)
    if (label.isContinued) frame.end()
    if (next !== null) this.#values.effect(next)
    if (test === null) frame.jump(op.br, start)
    else this.#values.jump(test, true, start)
    frame.loops--
    frame.end()
    if (hasEnd) frame.end()
  }
}

function formOfResult({ result }: Instance): Form | null {
  return result === null ? null : formOf(result.type)
}

/** Whether there is a `return` other than the last statement. */
function returnsWithin(acts: readonly Act[], last: Act | undefined): boolean {
  return acts.some(act => {
    if (act.is === 'return') return act !== last
    if (act.is === 'if') return returnsWithin(act.yes, last) || returnsWithin(act.no, last)
    return (act.is === 'loop' || act.is === 'block') && returnsWithin(act.body, last)
  })
}
