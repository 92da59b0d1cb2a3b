// What the server refuses, and with which code.
import { expect } from 'vitest'
import { ERROR_CODES } from '../../../sync-server/protocol.ts'
import type { Person } from '../server.ts'

/** The answer's error code; its status must be the one the protocol lists. */
export async function refusal(person: Person, method: string, path: string, body?: unknown): Promise<string> {
  const { status, json } = await person.call(method, path, body)
  expect(status, JSON.stringify(json)).toBe(ERROR_CODES[json.code as keyof typeof ERROR_CODES])
  return json.code
}
