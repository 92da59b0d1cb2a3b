// Texts as codes of one byte: what columns of words hold. Code 0 is None.
import { EngineFault } from '../kernel/fault.ts'

/** Most codes, 0 included. */
const maxWords = 256

export class WordTable {
  /** By code. */
  readonly texts: (string | null)[]
  readonly #codes: Map<unknown, number>

  /** `texts`: those of a program, the first of which is null. A run adds others to a list of its own. */
  constructor(texts: readonly (string | null)[] = [null]) {
    this.texts = [...texts]
    this.#codes = new Map(texts.map((text, code) => [text, code]))
  }

  /** The code of a text, or of null; a new one for a text that has none. EngineFault for anything else, and when there are no more codes. */
  readonly codeOf = (text: unknown): number => {
    const known = this.#codes.get(text)
    if (known !== undefined) return known
    if (typeof text !== 'string' || this.texts.length === maxWords) throw new EngineFault('words: no code is left, or no text')
    this.#codes.set(text, this.texts.length)
    return this.texts.push(text) - 1
  }

  /** Whether another text has a code left. */
  get hasRoom(): boolean {
    return this.texts.length < maxWords
  }

  has(text: string): boolean {
    return this.#codes.has(text)
  }
}
