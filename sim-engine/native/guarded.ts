// Conditions without branches. Where nothing hangs on a test but a few numbers of whom it looks at, nobody can guess which way it
// goes: what would be written is worked out either way, and chosen.
import { access, addressOf, fitsElement } from './elements.ts'
import type { Frame } from './frame.ts'
import { formOf } from './infer.ts'
import { f64, i32, memory, op } from '../backends/binary.ts'
import type { Act, Element, Instance, Local, Node } from './tree.ts'
import type { Values } from './values.ts'

/** The bits of an infinity without its sign, one further left; those of NaN are more. */
const endless = -(2 ** 53)

type If = Act & { is: 'if' }
type Store = Node & { is: 'store' }

/** Nodes worked out in vain, where a quotient or a root counts as some; and numbers written. */
const mostNodes = 24
const slow = 6
const mostWritten = 4

/** Whom it looks at: who `self` is, or where an element of theirs leads (`cells[live(p0_bucket[self], 1, 2)]`). */
type Index = { readonly self: Local; readonly through: string | null; readonly node: Node; local: number }

/** A number of theirs: in a local until all is known. */
type Held = { readonly path: string; readonly of: Element; readonly index: Index; isWritten: boolean; local: number }

/** A number that only an import gives, or fails to, where it isn't finite: `(t = x) - t === 0 ? t : F.finite(t, 1, 2)`. */
type Checked = { readonly kept: Local; readonly value: Node; readonly otherwise: Node }

export class Guarded {
  readonly #values: Values
  readonly #frame: Frame
  readonly #held = new Map<string, Held>()
  readonly #indices: Index[] = []
  /** Of whom it looks at something whatever comes out, by what kind they are: they exist, and so do all numbers of theirs. */
  readonly #sure = new Map<Index, string[]>()
  #nodes = 0
  #written = 0

  private constructor(values: Values) {
    this.#values = values
    this.#frame = values.frame
  }

  /** null where it is no such condition. */
  static of(act: If, values: Values): Guarded | null {
    const guarded = new Guarded(values)
    return guarded.#isWorthwhile(act) ? guarded : null
  }

  #isWorthwhile(act: If): boolean {
    this.#see(act.test)
    if (this.#indices.length === 0 || !this.#fits(act)) return false
    if (this.#written === 0 || this.#written > mostWritten || this.#nodes > mostNodes) return false
    // What leads to others stays as it is.
    return this.#indices.every(({ through }) => through === null || this.#held.get(through)?.isWritten !== true)
  }

  /** What a test looks at in any case. */
  #see(test: Node): void {
    switch (test.is) {
      case 'load': {
        const index = this.#indexOf(test.at, true)
        const group = this.#frame.places.group(test.path)
        if (index === null || group === null) return
        this.#sure.set(index, [...(this.#sure.get(index) ?? []), group])
        if (index.through !== null) this.#see(passed(index.node)!)
        return
      }
      case 'not':
      case 'test':
      case 'unary':
        this.#see(test.of)
        return
      case 'logical':
        this.#see(test.left)
        return
      case 'compare':
      case 'binary':
        this.#see(test.left)
        this.#see(test.right)
    }
  }

  /** `isNew`: it may be one that isn't known yet. */
  #indexOf(at: Node, isNew: boolean): Index | null {
    const led = passed(at)
    const own = led === null ? at : led.at
    if (own.is !== 'local') return null
    const through = led === null ? null : led.path
    const known = this.#indices.find(index => index.self === own.local && index.through === through)
    if (known !== undefined || !isNew || (led !== null && this.#frame.places.group(led.path) === null)) return known ?? null
    const index: Index = { self: own.local, through, node: at, local: -1 }
    this.#indices.push(index)
    return index
  }

  #fits({ test, yes, no }: If): boolean {
    return this.#isPure(test) && [...yes, ...no].every(act => this.#isGuardable(act))
  }

  #isGuardable(act: Act): boolean {
    if (act.is === 'if') return this.#fits(act)
    return act.is === 'do' && storesOf(act.value)?.every(store => this.#isHeldStore(store)) === true
  }

  #isHeldStore({ path, of, at, value }: Store): boolean {
    this.#written++
    if (!this.#hold(path, of, at, true) || !fitsElement(of, value.type)) return false
    const checked = checkedOf(value)
    if (checked === null) return this.#isPure(value)
    const { kept, otherwise } = checked
    // The local is nobody else's.
    return kept.reads === readsIn(otherwise, kept) + 2 && this.#isPure(checked.value)
  }

  #hold(path: string, of: Element, at: Node, isWritten: boolean): boolean {
    const group = this.#frame.places.group(path)
    const index = this.#indexOf(at, false)
    if (index === null || group === null || !this.#sure.get(index)?.includes(group)) return false
    const held = this.#held.get(path)
    if (held === undefined) this.#held.set(path, { path, of, index, isWritten, local: -1 })
    else if (held.index === index) held.isWritten ||= isWritten
    else return false
    return true
  }

  /** Whether a value may be worked out where it isn't wanted. */
  #isPure(node: Node): boolean {
    this.#nodes++
    switch (node.is) {
      case 'number':
      case 'truth':
      case 'local':
      case 'global':
        return true
      case 'load':
        return this.#hold(node.path, node.of, node.at, false)
      case 'unary':
      case 'not':
      case 'test':
        return this.#isPure(node.of)
      case 'binary':
        if (node.op === '/') this.#nodes += slow
        return node.op !== '%' && this.#isPure(node.left) && this.#isPure(node.right)
      case 'compare':
      case 'logical':
        return this.#isPure(node.left) && this.#isPure(node.right)
      case 'math':
        if (node.name === 'sqrt') this.#nodes += slow
        return node.args.every(arg => this.#isPure(arg))
      default:
        return false
    }
  }

  write(act: If): void {
    const { code } = this.#frame
    for (const index of this.#indices) {
      this.#values.word(index.node, true)
      index.local = this.#frame.take(i32)
      code.at(op.localSet, index.local)
    }
    for (const held of this.#held.values()) {
      addressOf(this.#values, held.path, held.of, held.index.local)
      access(this.#values, memory[held.of].load, held.of, 0)
      held.local = this.#frame.take(held.of === 'f64' ? f64 : i32)
      code.at(op.localSet, held.local)
    }
    const locals = new Map(Array.from(this.#held.values(), ({ path, local }) => [path, local]))
    this.#values.holding(locals, () => this.#if(act, null))
    this.#store()
    for (const held of this.#held.values()) this.#frame.give(held.of === 'f64' ? f64 : i32, held.local)
    for (const index of this.#indices) this.#frame.give(i32, index.local)
  }

  #store(): void {
    for (const held of this.#held.values()) {
      if (!held.isWritten) continue
      addressOf(this.#values, held.path, held.of, held.index.local)
      this.#frame.code.at(op.localGet, held.local)
      access(this.#values, memory[held.of].store, held.of, 0)
    }
  }

  /** `guard`: the local that says whether the condition is reached. */
  #if({ test, yes, no }: If, guard: number | null): void {
    const { code } = this.#frame
    const holds = this.#frame.take(i32)
    const holdsNot = no.length > 0 ? this.#frame.take(i32) : -1
    this.#flag(test)
    code.at(op.localSet, holds)
    if (no.length > 0) {
      code.at(op.localGet, holds)
      code.op(op.i32Eqz)
      this.#and(guard)
      code.at(op.localSet, holdsNot)
    }
    if (guard !== null) {
      code.at(op.localGet, holds)
      this.#and(guard)
      code.at(op.localSet, holds)
    }
    for (const act of yes) this.#act(act, holds)
    for (const act of no) this.#act(act, holdsNot)
    this.#frame.give(i32, holds)
    if (no.length > 0) this.#frame.give(i32, holdsNot)
  }

  #and(guard: number | null): void {
    if (guard === null) return
    this.#frame.code.at(op.localGet, guard)
    this.#frame.code.op(op.i32And)
  }

  #flag(node: Node): void {
    const { code } = this.#frame
    if (node.is === 'not') {
      this.#flag(node.of)
      code.op(op.i32Eqz)
    } else if (node.is === 'logical') {
      this.#flag(node.left)
      this.#flag(node.right)
      code.op(node.op === '&&' ? op.i32And : op.i32Or)
    } else this.#values.truth(node)
  }

  #act(act: Act, guard: number): void {
    if (act.is === 'if') this.#if(act, guard)
    else if (act.is === 'do') for (const store of storesOf(act.value) ?? []) this.#choose(store, guard)
  }

  #choose({ path, of, value }: Store, guard: number): void {
    const { code } = this.#frame
    const held = this.#held.get(path)!
    const type = of === 'f64' ? f64 : i32
    const given = this.#frame.take(type)
    const checked = checkedOf(value)
    if (checked === null) {
      if (of === 'f64') this.#values.float(value)
      else this.#values.word(value, false)
      code.at(op.localSet, given)
    } else this.#check(checked, given, guard)
    this.#chosen(given, of)
    this.#chosen(held.local, of)
    code.at(op.localGet, guard)
    code.op(op.select)
    if (of === 'f64') code.op(op.f64ReinterpretI64)
    code.at(op.localSet, held.local)
    this.#frame.give(type, given)
  }

  /** Floats are chosen as bits: so no branch is made of it. */
  #chosen(local: number, of: Element): void {
    this.#frame.code.at(op.localGet, local)
    if (of === 'f64') this.#frame.code.op(op.i64ReinterpretF64)
  }

  /** What the import sees is as it has to be, should it fail. */
  #check({ kept, value, otherwise }: Checked, given: number, guard: number): void {
    const { code } = this.#frame
    this.#values.float(value)
    code.at(op.localTee, given)
    code.op(op.i64ReinterpretF64)
    code.i64(1)
    code.op(op.i64Shl)
    code.i64(endless)
    code.op(op.i64GeU)
    this.#and(guard)
    this.#frame.begin(op.if)
    this.#store()
    code.at(op.localGet, given)
    this.#frame.local(op.localSet, kept)
    this.#values.float(otherwise)
    code.at(op.localSet, given)
    this.#frame.end()
  }
}

/** The element that `h => h >= 0 ? h : fails(...)` lets pass. */
function passed(node: Node): (Node & { is: 'load' }) | null {
  if (node.is !== 'call' || !letsPass(node.of) || !node.args.slice(1).every(arg => arg.is === 'number')) return null
  const [first] = node.args
  return first?.is === 'load' && node.extra.length === 0 ? first : null
}

function letsPass({ parameters, body: [act, ...rest] }: Instance): boolean {
  if (act?.is !== 'return' || rest.length > 0 || act.value?.is !== 'choice') return false
  const { test, yes, no } = act.value
  const of = test.is === 'test' ? test.of : test
  const isOwn = (node: Node): boolean => node.is === 'local' && node.local === parameters[0]
  if (of.is !== 'compare' || of.op !== '>=' || !isOwn(of.left) || of.right.is !== 'number' || of.right.value !== 0) return false
  return isOwn(yes) && no.is === 'import' && no.fails
}

/** What is written, one after the other, where an expression does nothing else. */
function storesOf(node: Node): Store[] | null {
  if (node.is === 'store') return [node]
  if (node.is !== 'sequence') return null
  const stores: Store[] = []
  for (const part of [...node.first, node.last]) {
    const more = storesOf(part)
    if (more === null) return null
    stores.push(...more)
  }
  return stores
}

function checkedOf(node: Node): Checked | null {
  if (node.is !== 'choice' || node.yes.is !== 'local' || node.no.is !== 'import' || node.no.moves) return null
  const kept = node.yes.local
  const test = node.test.is === 'test' ? node.test.of : node.test
  if (test.is !== 'compare' || test.op !== '===' || test.right.is !== 'number' || test.right.value !== 0) return null
  const { left } = test
  if (left.is !== 'binary' || left.op !== '-' || left.left.is !== 'set' || left.left.local !== kept) return null
  if (left.right.is !== 'local' || left.right.local !== kept || formOf(kept.type) !== 'f64' || formOf(node.no.type) !== 'f64') return null
  const isPlain = node.no.args.every(arg => arg.is === 'number' || arg.is === 'local')
  return isPlain ? { kept, value: left.left.value, otherwise: node.no } : null
}

function readsIn(node: Node, local: Local): number {
  return node.is === 'import' ? node.args.filter(arg => arg.is === 'local' && arg.local === local).length : 0
}
