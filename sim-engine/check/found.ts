// All formulas of a model as they were inferred, by their keys: what it says is always of now.
import type { FormulaPart } from './parts.ts'
import type { Row } from './rows.ts'

export class Formulas implements ReadonlyMap<string, FormulaPart> {
  /** In order. */
  rows: readonly Row[] = []
  readonly byKey = new Map<string, Row>()

  get size(): number {
    return this.rows.length
  }

  get(key: string): FormulaPart | undefined {
    return this.byKey.get(key)?.part ?? undefined
  }

  has(key: string): boolean {
    return this.byKey.has(key)
  }

  *entries(): MapIterator<[string, FormulaPart]> {
    for (const { part } of this.rows) if (part) yield [part.key, part]
  }

  *keys(): MapIterator<string> {
    for (const [key] of this.entries()) yield key
  }

  *values(): MapIterator<FormulaPart> {
    for (const [, part] of this.entries()) yield part
  }

  [Symbol.iterator](): MapIterator<[string, FormulaPart]> {
    return this.entries()
  }

  forEach(tell: (part: FormulaPart, key: string, all: ReadonlyMap<string, FormulaPart>) => void, self?: unknown): void {
    for (const [key, part] of this) tell.call(self, part, key, this)
  }
}
