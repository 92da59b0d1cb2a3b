// A function being written: its locals, the blocks it is in, and the globals it keeps in locals.
import { type Form, formOf } from './infer.ts'
import { Bytes, f64, i32, i64, type Made, nothing, op } from '../backends/binary.ts'
import type { Instance, Local, Node, Type } from './tree.ts'

/** Where functions and globals lie in the module. */
export type Places = {
  /** ToInt32 of numbers from 2^63 on. */
  readonly bigWord: number
  imported(path: string): number
  global(path: string): number
  /** Of a function that is called. */
  made(instance: Instance): number
  /** Whether a global stays as it is but for imports that move arrays. */
  isSteady(path: string): boolean
  typeOf(path: string): number
  /** Of an array: see `Surroundings`. */
  group(path: string): string | null
}

export const valueTypes: Record<Form, number> = { i32, u32: i32, i64, f64 }

export function valueType(type: Type | null): number {
  return valueTypes[formOf(type)]
}

/** A kept global: read anew wherever arrays may have moved. */
type Kept = { readonly global: number; readonly local: number }

export class Frame {
  readonly places: Places
  readonly code = new Bytes()
  /** How many blocks are open, and how many loops among them. */
  depth = 0
  loops = 0
  readonly #parameters: number
  readonly #locals: number[] = []
  /** Locals that were in use for a moment and are free again, by type. */
  readonly #free = new Map<number, number[]>()
  readonly #kept = new Map<string, Kept>()
  /** After which bytes kept globals are read again. */
  readonly #reloads: number[] = []

  constructor(places: Places, parameters: readonly Local[]) {
    this.places = places
    this.#parameters = parameters.length
    parameters.forEach((parameter, k) => {
      parameter.index = k
    })
  }

  // Locals

  #new(type: number): number {
    this.#locals.push(type)
    return this.#parameters + this.#locals.length - 1
  }

  local(code: number, local: Local): void {
    if (local.index < 0) local.index = this.#new(valueType(local.type))
    this.code.at(code, local.index)
  }

  /** A local for a moment; `give` it back. */
  take(type: number): number {
    return this.#free.get(type)?.pop() ?? this.#new(type)
  }

  give(type: number, index: number): void {
    const free = this.#free.get(type)
    if (free === undefined) this.#free.set(type, [index])
    else free.push(index)
  }

  // Blocks

  begin(code: number, type: number = nothing): void {
    this.code.op(code)
    this.code.op(type)
    this.depth++
  }

  end(): void {
    this.code.op(op.end)
    this.depth--
  }

  /** To the end of the block that was open as the `depth`th, or the beginning of that loop. */
  jump(code: number, depth: number): void {
    this.code.at(code, this.depth - depth)
  }

  // Globals

  /** A number, or the base address of an array: within loops from a local, if nothing in the module writes to it. */
  global(path: string): void {
    const { places, code } = this
    let kept = this.#kept.get(path)
    if (kept === undefined && this.loops > 0 && places.isSteady(path)) {
      kept = { global: places.global(path), local: this.#new(places.typeOf(path)) }
      this.#kept.set(path, kept)
    }
    if (kept === undefined) code.at(op.globalGet, places.global(path))
    else code.at(op.localGet, kept.local)
  }

  /** Something was called that may have moved arrays. */
  moved(): void {
    this.#reloads.push(this.code.length)
  }

  convert(from: Form, to: Form): void {
    if (from === to) return
    if (to === 'f64') this.code.op(from === 'i32' ? op.f64ConvertI32S : from === 'u32' ? op.f64ConvertI32U : op.f64ConvertI64S)
    else if (to === 'i64') this.code.op(from === 'i32' ? op.i64ExtendI32S : op.i64ExtendI32U)
    else if (from === 'i64') this.code.op(op.i32WrapI64)
  }

  made(instance: Instance): Made {
    const { parameters, result } = instance
    const reload = new Bytes()
    for (const { global, local } of this.#kept.values()) {
      reload.at(op.globalGet, global)
      reload.at(op.localSet, local)
    }
    const whole = new Bytes()
    whole.append(reload)
    let from = 0
    for (const to of this.#reloads) {
      whole.append(this.code, from, to)
      whole.append(reload)
      from = to
    }
    whole.append(this.code, from)
    return {
      parameters: parameters.map(parameter => valueType(parameter.type)),
      results: result === null ? [] : [valueType(result.type)],
      locals: this.#locals,
      code: whole,
    }
  }
}

/** Whether calculating a value may move arrays. */
export function mayMove(node: Node): boolean {
  switch (node.is) {
    case 'call':
      return node.of.moves || node.args.some(mayMove) || node.extra.some(mayMove)
    case 'import':
      return node.moves || node.args.some(mayMove)
    case 'load':
      return mayMove(node.at)
    case 'unary':
    case 'not':
    case 'test':
      return mayMove(node.of)
    case 'binary':
    case 'compare':
    case 'logical':
      return mayMove(node.left) || mayMove(node.right)
    case 'choice':
      return mayMove(node.test) || mayMove(node.yes) || mayMove(node.no)
    case 'sequence':
      return node.first.some(mayMove) || mayMove(node.last)
    case 'set':
    case 'setGlobal':
      return mayMove(node.value)
    case 'store':
      return mayMove(node.at) || mayMove(node.value)
    case 'math':
      return node.args.some(mayMove)
    case 'number':
    case 'truth':
    case 'local':
    case 'global':
      return false
  }
}
