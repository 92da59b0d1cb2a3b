// Texts in formulas: their codes, comparisons, and variables that hold them. A local holds both numbers of its text, that as a word of the
// program and that as a text of the processes without tokens, since it may be handed to columns of either sort: the first in its low byte.
// Which of them it certainly has is known when the whole formula is lowered.
import type { CompareOp, Expr as Node } from '../formula/ast.ts'
import type { Local } from '../formula/plan.ts'
import * as ir from '../ir.ts'
import type { Expr, Stmt } from '../ir.ts'
import type { FormulaLowering } from './formula.ts'
import { NotLowered } from './scope.ts'
import type { Numbering, Placed, VariablePlace } from './scope.ts'
import { say } from '../../model-schema/words.ts'

/** Bits of a word: codes of words are bytes. */
const wordBits = 8

/** What a local is given at one place: numbers that are certainly known there, and locals it takes over. */
type Gift = { readonly has: Set<Numbering>; readonly from: Local[] }

class TextLocals {
  readonly #gifts = new Map<Local, Gift[]>()
  readonly #reads: (readonly [Local, Numbering])[] = []

  /** How a local's texts are numbered, as far as is seen so far. */
  numbering(local: Local): Numbering | undefined {
    const gifts = this.#gifts.get(local) ?? []
    return (['word', 'text'] as const).find(as => gifts.length > 0 && gifts.every(({ has }) => has.has(as)))
  }

  read(local: Local, name: string, as: Numbering): Expr {
    this.#reads.push([local, as])
    const both = ir.get(name, 'i32')
    return as === 'word' ? ir.binary('and', both, ir.i32((1 << wordBits) - 1)) : ir.binary('shr', both, ir.i32(wordBits))
  }

  /** One assignment: its value is put together by these. */
  gift(local: Local) {
    const gift: Gift = { has: new Set(['word', 'text']), from: [] }
    this.#gifts.set(local, [...(this.#gifts.get(local) ?? []), gift])
    return {
      fromLocal(other: Local, name: string): Expr {
        gift.from.push(other)
        return ir.get(name, 'i32')
      },
      fromPlace(code: Expr, as: Numbering): Expr {
        gift.has.delete(as === 'word' ? 'text' : 'word')
        return as === 'word' ? code : ir.binary('shl', code, ir.i32(wordBits))
      },
      written(word: number | undefined, text: number | undefined): Expr {
        if (word === undefined) gift.has.delete('word')
        if (text === undefined) gift.has.delete('text')
        return ir.i32((word ?? 0) | ((text ?? 0) << wordBits))
      },
    }
  }

  /** Throws NotLowered where a number is read that a local may not have. */
  check(): void {
    const seen = new Set<string>()
    const todo = [...this.#reads]
    const known = [...this.#gifts.keys()]
    for (let next = todo.pop(); next; next = todo.pop()) {
      const [local, as] = next
      const key = `${known.indexOf(local)} ${as}`
      if (seen.has(key)) continue
      seen.add(key)
      for (const { has, from } of this.#gifts.get(local) ?? []) {
        if (!has.has(as)) throw new NotLowered(say('a text goes from one sort of variable to another'))
        for (const other of from) todo.push([other, as])
      }
    }
  }
}

export class Texts {
  readonly #e: FormulaLowering
  readonly #locals = new TextLocals()

  constructor(e: FormulaLowering) {
    this.#e = e
  }

  /** Throws NotLowered where a number is read that a variable of the program may not have. */
  check(): void {
    this.#locals.check()
  }

  /** The code of a text: of one that is written, of a variable that holds codes, or of one chosen among these. */
  code(node: Node, as: Numbering): Expr {
    const e = this.#e
    const local = this.#localOf(node)
    if (local) return this.#locals.read(local, e.localName(local), as)
    const found = e.placed(node)
    if (found && numberingOf(found.place) === as) return loaded(found)
    if (node.is === 'choose') return ir.cond(e.test(node.test), this.code(node.value, as), this.code(node.otherwise, as))
    const known = node.is === 'text' ? e.scope.code(node.value, as) : undefined
    if (known === undefined) throw new NotLowered(say('it uses a text that is put together while running'))
    return ir.i32(known)
  }

  #localOf(node: Node): Local | undefined {
    const meaning = node.is === 'name' ? this.#e.f.plan.names.get(node) : undefined
    return meaning?.is === 'local' && meaning.local.type.is === 'text' ? meaning.local : undefined
  }

  /** How the codes of a text are numbered, where that is settled. */
  #numbering(node: Node): Numbering | undefined {
    if (node.is === 'choose') return this.#numbering(node.value) ?? this.#numbering(node.otherwise)
    const local = this.#localOf(node)
    if (local) return this.#locals.numbering(local)
    const found = this.#e.placed(node)
    return found && numberingOf(found.place)
  }

  /** Gives a text to a variable of the program. */
  give(local: Local, value: Node): Stmt[] {
    const e = this.#e
    const given = this.#locals.gift(local)
    const packed = (node: Node): Expr => {
      const other = this.#localOf(node)
      if (other) return given.fromLocal(other, e.localName(other))
      if (node.is === 'choose') return ir.cond(e.test(node.test), packed(node.value), packed(node.otherwise))
      if (node.is === 'text') return given.written(e.scope.code(node.value, 'word'), e.scope.code(node.value, 'text'))
      const found = e.placed(node)
      const as = found && numberingOf(found.place)
      if (!as) throw new NotLowered(say('it uses a text that is put together while running'))
      return given.fromPlace(loaded(found), as)
    }
    return [ir.set(e.localName(local), packed(value))]
  }

  compare(left: Node, op: CompareOp, right: Node): Expr {
    const isNot = op === '!=' || op === 'not in'
    const isListed = (op === 'in' || op === 'not in') && (right.is === 'list' || right.is === 'tuple')
    const found = [left, ...(isListed ? right.items : [right])].map(one => this.#numbering(one)).find(as => as !== undefined)
    const as = found ?? 'text'
    if (isListed) {
      const code = this.#e.keep(this.code(left, as))
      const same = right.items
        .map(item => ir.binary('eq', code.get, this.code(item, as)))
        .reduce((a, b) => ir.binary('lor', a, b), ir.i32(0))
      return ir.seq(code.set, isNot ? ir.not(same) : same)
    }
    if (op !== '==' && op !== '!=') throw new NotLowered(say('it compares texts by their order'))
    return ir.binary(isNot ? 'ne' : 'eq', this.code(left, as), this.code(right, as))
  }
}

export const numberingOf = ({ holds }: VariablePlace): Numbering | undefined => (holds === 'word' || holds === 'text' ? holds : undefined)

function loaded({ before, place }: Placed): Expr {
  const value = ir.load(place.mem, place.address, place.offset)
  return before.length > 0 ? ir.seq(before, value) : value
}
