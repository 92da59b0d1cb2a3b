// What the server refuses, and with which code.
import { expect } from 'vitest'
import { ERROR_CODES } from '../../sync-server/protocol.ts'
import { startServer } from './server.ts'
import type { Person, TestServer } from './server.ts'

/** The answer's error code; its status must be the one the protocol lists. */
export async function refusal(person: Person, method: string, path: string, body?: unknown): Promise<string> {
  const { status, json } = await person.call(method, path, body)
  expect(status, JSON.stringify(json)).toBe(ERROR_CODES[json.code as keyof typeof ERROR_CODES])
  return json.code
}

export type Company = { server: TestServer; ann: Person; bob: Person; eve: Person }

/** A server and three people who have nothing to do with each other yet. */
export async function company(...started: Parameters<typeof startServer>): Promise<Company> {
  const server = await startServer(...started)
  return { server, ann: await server.person('Ann'), bob: await server.person('Bob'), eve: await server.person('Eve') }
}
