// From JavaScript that the emitters write to WebAssembly (see README.md in the folder above, "Rows as WebAssembly").
import { codeOf } from './emit.ts'
import type { Places } from './frame.ts'
import { infer } from './infer.ts'
import { Bytes, f64, f64Compare, i32, i64, i64Compare, type Imported, type Made, moduleOf, op } from '../backends/binary.ts'
import { Functions, Refusal } from './parse.ts'
import { Resolver, type Surroundings } from './resolve.ts'
import type { Instance, Node, Scalar } from './tree.ts'

export type { Surroundings } from './resolve.ts'
export type { Element, Scalar } from './tree.ts'

/** A module that imports the memory `host.memory` and functions `host.<path>`, and exports roots as functions and paths as globals. */
export type Lowered = {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Arrays and numbers mentioned. */
  readonly paths: readonly string[]
  /** Those of them that are written to. */
  readonly written: readonly string[]
  readonly imports: readonly string[]
}

/**
 * Lowers `roots` and all they reach. What isn't known for certain is refused. What an index picks is taken to exist: nothing looks
 * at the bounds of arrays. Parameters of roots, if any, are numbers.
 */
export function lower(text: string, roots: readonly string[], surroundings: Surroundings): Lowered | { refused: string; called: string } {
  try {
    return new Lowering(text, roots, surroundings).lowered()
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message, called: error.called }
    throw error
  }
}

class Lowering {
  readonly #resolver: Resolver
  readonly #roots: readonly string[]
  /** By path, as they are first met. */
  readonly #imports = new Map<string, Node & { is: 'import' }>()

  constructor(text: string, roots: readonly string[], surroundings: Surroundings) {
    const functions = new Functions(text)
    this.#roots = roots
    this.#resolver = new Resolver(functions, surroundings, call => {
      if (!this.#imports.has(call.path)) this.#imports.set(call.path, call)
    })
  }

  lowered(): Lowered {
    const resolver = this.#resolver
    const roots = this.#roots.map(name =>
      resolver.instance(
        name,
        Array.from({ length: resolver.parametersOf(name) }, () => null),
      ),
    )
    infer(resolver.instances, roots)
    spreadMoves(resolver.instances)
    const imported = [...this.#imports.values()].map(importedOf)
    const importIndex = new Map(imported.map((one, k) => [one.name, k]))
    const paths = [...resolver.paths.keys()]
    const globalIndex = new Map(paths.map((path, k) => [path, k]))
    const globals = [...resolver.paths].map(([name, { isArray, of }]) => ({ name, type: !isArray && of === 'f64' ? f64 : i32 }))
    // Functions in the order in which they are first called.
    const base = imported.length + 1
    const called = new Map<Instance, number>()
    const indexOf = (instance: Instance): number => {
      const known = called.get(instance)
      if (known !== undefined) return known
      called.set(instance, base + called.size)
      return base + called.size - 1
    }
    const places: Places = {
      bigWord: imported.length,
      imported: path => importIndex.get(path)!,
      global: path => globalIndex.get(path)!,
      made: indexOf,
      isSteady: path => resolver.paths.get(path)!.isArray || !resolver.written.has(path),
      group: path => resolver.groupOf(path),
      typeOf: path => globals[globalIndex.get(path)!]!.type,
    }
    const exported = roots.map(root => ({ name: root.name, index: indexOf(root) }))
    const made = [bigWord()]
    // A map goes on over what is added meanwhile.
    for (const instance of called.keys()) made.push(codeOf(instance, places))
    return {
      bytes: moduleOf(imported, made, exported, globals),
      paths,
      written: [...resolver.written],
      imports: imported.map(one => one.name),
    }
  }
}

/** Whoever calls what may move arrays may move them. */
function spreadMoves(instances: readonly Instance[]): void {
  let hasChanged = true
  while (hasChanged) {
    hasChanged = false
    for (const instance of instances)
      if (!instance.moves && [...instance.calls].some(one => one.moves)) {
        instance.moves = true
        hasChanged = true
      }
  }
}

function importedOf({ path, parameters, result }: Node & { is: 'import' }): Imported {
  const typeOf = (scalar: Scalar): number => (scalar === 'f64' ? f64 : i32)
  return { name: path, parameters: parameters.map(typeOf), results: result === null ? [] : [typeOf(result)] }
}

/** ToInt32 of a number of at least 2^63, an infinity or NaN: its 53 bits shifted by its exponent, and the lowest 32 of that. */
function bigWord(): Made {
  const code = new Bytes()
  code.at(op.localGet, 0)
  code.op(op.i64ReinterpretF64)
  code.at(op.localTee, 1)
  code.i64(2 ** 52 - 1)
  code.op(op.i64And)
  code.i64(2 ** 52)
  code.op(op.i64Or)
  code.at(op.localGet, 1)
  code.i64(52)
  code.op(op.i64ShrU)
  code.i64(2047)
  code.op(op.i64And)
  code.i64(1075)
  code.op(op.i64Sub)
  code.at(op.localTee, 1)
  code.op(op.i64Shl)
  code.op(op.i32WrapI64)
  code.i32(0)
  code.at(op.localGet, 1)
  code.i64(32)
  code.op(i64Compare['<']!)
  code.op(op.select)
  code.at(op.localSet, 2)
  code.i32(0)
  code.at(op.localGet, 2)
  code.op(op.i32Sub)
  code.at(op.localGet, 2)
  code.at(op.localGet, 0)
  code.f64(0)
  code.op(f64Compare['<']!)
  code.op(op.select)
  return { parameters: [f64], results: [i32], locals: [i64, i32], code }
}
