// Texts in variables of formulas. A local holds both numbers of its text, that as a word of the program and that as a text of the processes
// without tokens, since it may be handed to columns of either sort: the first in its low byte. Which of them it certainly has is known
// when the whole formula is lowered.
import type { Local } from '../formula/plan.ts'
import * as ir from '../ir.ts'
import type { Expr } from '../ir.ts'
import { NotLowered } from './scope.ts'
import type { Numbering } from './scope.ts'
import { say } from '../../model-schema/words.ts'

/** Bits of a word: codes of words are bytes. */
const wordBits = 8

/** What a local is given at one place: numbers that are certainly known there, and locals it takes over. */
type Gift = { readonly has: Set<Numbering>; readonly from: Local[] }

export class TextLocals {
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
