// Data from outside the page: answers, what a device stored, messages of peers and other tabs, addresses, files. Each is read with a schema.
import type { ZodMiniType } from './zod.ts'

/** The value as the schema reads it; null if it does not fit. */
export function readValue<T>(schema: ZodMiniType<T>, value: unknown): T | null {
  const read = schema.safeParse(value)
  return read.success ? read.data : null
}

/** The value of a JSON text; null if the text is no JSON, or its value does not fit. */
export function readJson<T>(schema: ZodMiniType<T>, text: string): T | null {
  try {
    return readValue(schema, JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
