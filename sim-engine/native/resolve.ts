// From parsed functions to trees: which are reached, with which objects.
import { Body, newLocal } from './body.ts'
import { type Functions, refuse, type Statement } from './parse.ts'
import type { Element, Instance, Node, Scalar } from './tree.ts'

/** What names of the text mean. */
export type Surroundings = {
  /** Of a function: it is hardly ever called, so it isn't written where it is. */
  isRare?(name: string): boolean
  /**
   * Of a dotted path (`p0_x`, `R0.heads`, `P0.living`, `at`). An array's base address in bytes and a number are exported mutable
   * globals of that name; whole numbers in an `i32` must stay within 32 bits. undefined: an object, or unknown.
   * Arrays with a group are different ones; those of one group have an element wherever one of them has.
   */
  path(
    path: string,
  ): { is: 'array'; of: Element; group?: string | undefined } | { is: 'number'; of: Scalar } | { is: 'constant'; value: number } | undefined
  /**
   * Of a called dotted path: a function of the text, with objects put before its arguments (`S0.stepTo(R0,i)` with
   * `{name:'stepTo', self:['S0']}` is `stepTo(S0,R0,i)`), or something imported; `moves: false` promises that it neither moves
   * arrays nor changes numbers, `fails` that it never comes back. undefined: the function of that name, if there is one.
   */
  call(
    path: string,
  ):
    | { is: 'function'; name: string; self: readonly string[] }
    | { is: 'import'; parameters: readonly Scalar[]; result: Scalar | null; moves?: boolean; fails?: boolean }
    | undefined
}

export class Resolver {
  readonly #functions: Functions
  readonly #surroundings: Surroundings
  readonly #known = new Map<string, Instance>()
  readonly #meanings = new Map<string, ReturnType<Surroundings['path']>>()
  /** In the order they were first reached. */
  readonly instances: Instance[] = []
  readonly paths = new Map<string, { isArray: boolean; of: Element | Scalar }>()
  readonly written = new Set<string>()

  /** Told of each call of something imported. */
  readonly onImport: (call: Node & { is: 'import' }) => void

  constructor(functions: Functions, surroundings: Surroundings, onImport: (call: Node & { is: 'import' }) => void) {
    this.#functions = functions
    this.#surroundings = surroundings
    this.onImport = onImport
  }

  /** What a path means is asked once. */
  meaningOf(path: string): ReturnType<Surroundings['path']> {
    if (this.#meanings.has(path)) return this.#meanings.get(path)
    const meaning = this.#surroundings.path(path)
    this.#meanings.set(path, meaning)
    return meaning
  }

  mention(path: string, isArray: boolean, of: Element | Scalar): void {
    this.paths.set(path, { isArray, of })
  }

  groupOf(path: string): string | null {
    const meaning = this.meaningOf(path)
    return meaning !== undefined && meaning.is === 'array' ? (meaning.group ?? null) : null
  }

  /** A function with the given paths for its parameters (null for a number), and all it reaches. */
  instance(name: string, paths: readonly (string | null)[]): Instance {
    const key = `${name}(${paths.map(path => path ?? '').join()})`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const parsed = this.#functions.get(name)
    if (parsed.parameters.length !== paths.length) refuse(`${name} with ${paths.length} arguments`)
    const result = resultOf(parsed.body)
    const made: Instance = {
      name,
      parsed,
      paths,
      parameters: [],
      locals: [],
      body: [],
      result: result ? newLocal([]) : null,
      isRare: this.#surroundings.isRare?.(name) ?? false,
      size: 0,
      calls: new Set(),
      isOpen: true,
      moves: false,
    }
    this.#known.set(key, made)
    this.instances.push(made)
    new Body(made, this, this.#surroundings).resolve()
    return made
  }

  hasFunction(name: string): boolean {
    return this.#functions.has(name)
  }

  parametersOf(name: string): number {
    return this.#functions.get(name).parameters.length
  }
}

/** Whether a function returns values; all its returns have to agree. */
function resultOf(body: readonly Statement[]): boolean {
  let found: boolean | null = null
  const look = (statement: Statement | null): void => {
    if (statement === null) return
    switch (statement.is) {
      case 'return':
        if (found !== null && found !== (statement.value !== null)) refuse('a function that returns values and nothing')
        found = statement.value !== null
        return
      case 'block':
        statement.body.forEach(look)
        return
      case 'if':
        look(statement.yes)
        look(statement.no)
        return
      case 'for':
      case 'repeat':
      case 'label':
        look(statement.body)
    }
  }
  body.forEach(look)
  return found === true
}
