// A table as typed columns: numbers as they are, texts as places in a list of words. What is missing is NaN, or -1.

type NumberColumn = { readonly kind: 'number'; readonly name: string; readonly data: Float64Array }
type TextColumn = { readonly kind: 'text'; readonly name: string; readonly codes: Int32Array; readonly words: readonly string[] }
export type TableColumn = NumberColumn | TextColumn

export type Table = { readonly rows: number; readonly columns: readonly TableColumn[] }

/** What is wrong with a table or a wish, in a word; the page has the sentences. */
export type TableFault = 'unreadable' | 'too-large' | 'no-table' | 'no-field'

export class TableError extends Error {
  readonly fault: TableFault
  /** Which table or field. */
  readonly about: string

  constructor(fault: TableFault, about = '') {
    super(`${fault} ${about}`)
    this.fault = fault
    this.about = about
  }
}

/** Most rows of a table: an index of 4 bytes each is held for every table that is joined. */
export const mostRows = 50_000_000
export const mostColumns = 2000

/** A column that receives its values one after the other: numeric until a value is not a number. */
export class Growing {
  readonly name: string
  #rows = 0
  #numbers: Float64Array | null = new Float64Array(1024)
  #codes = new Int32Array(0)
  #words = new Map<string, number>()

  constructor(name: string) {
    this.name = name
  }

  add(value: string | number | null): void {
    const row = this.#rows++
    if (this.#numbers) {
      const number = value === null ? NaN : typeof value === 'number' ? value : numberIn(value)
      if (number !== null) {
        if (row === this.#numbers.length) this.#numbers = widened(this.#numbers, new Float64Array(2 * row))
        this.#numbers[row] = number
        return
      }
      this.#turn(row)
    }
    if (row === this.#codes.length) this.#codes = widened(this.#codes, new Int32Array(2 * row))
    this.#codes[row] = value === null || value === '' ? -1 : this.#codeOf(String(value))
  }

  end(): TableColumn {
    const { name } = this
    if (this.#numbers) return { kind: 'number', name, data: this.#numbers.slice(0, this.#rows) }
    return { kind: 'text', name, codes: this.#codes.slice(0, this.#rows), words: [...this.#words.keys()] }
  }

  /** Texts from now on, and what was there as well. */
  #turn(rows: number): void {
    const numbers = this.#numbers ?? new Float64Array(0)
    this.#codes = new Int32Array(Math.max(1024, numbers.length))
    for (let row = 0; row < rows; row++) this.#codes[row] = Number.isNaN(numbers[row]) ? -1 : this.#codeOf(String(numbers[row]))
    this.#numbers = null
  }

  #codeOf(word: string): number {
    const known = this.#words.get(word)
    if (known !== undefined) return known
    const code = this.#words.size
    this.#words.set(word, code)
    return code
  }
}

function widened<T extends Float64Array | Int32Array>(old: T, made: T): T {
  made.set(old)
  return made
}

/** NaN for nothing, null for a text that is no number: 007 is the name of something. */
function numberIn(text: string): number | null {
  const trimmed = text.trim()
  if (trimmed === '') return NaN
  if (/^-?0\d/.test(trimmed)) return null
  const value = Number(trimmed)
  return Number.isNaN(value) ? null : value
}
