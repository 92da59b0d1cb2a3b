// The head of tests of the server's routes: a server on a database of its own, and three people who have nothing to do with each other yet.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { startServer, useDatabase, type Person, type TestServer } from '../server.ts'

/** Available from the first test on. */
export let server: TestServer
export let ann: Person
export let bob: Person
export let eve: Person

/** Starts the server before the tests of a file and stops it after them. Returns its database, for tests that start another server on it. */
export function startCompany(options?: Parameters<typeof startServer>[1]): ReturnType<typeof useDatabase> {
  const suite = useDatabase()
  beforeAll(async () => {
    server = await startServer(suite.connection, options)
    ann = await server.person('Ann')
    bob = await server.person('Bob')
    eve = await server.person('Eve')
  })
  afterAll(() => server?.stop())
  return suite
}

/** An id as clients make them; the prefix says in failures what it is of. */
export const newId = (prefix = 'id'): string => `${prefix}_${randomBytes(9).toString('base64url')}`
