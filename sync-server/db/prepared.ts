// Long statements that come again are prepared: Postgres plans them once a connection instead of each time. Planning a listing takes ten times
// as long as running it.
import type { PostgresCursor, PostgresPool, PostgresQueryResult } from 'kysely'
import type { Pool } from 'pg'

/** Shorter ones are planned in no time, and a prepared one takes memory in each connection. */
const LONG = 250
/** Statements that differ by a list of values are many, and do not come again. */
const TWICE = 2
const maxStatements = 100

/** The pool as Kysely sees it. */
export function preparing(pool: Pool): PostgresPool {
  const names = new Map<string, string>()
  const seen = new Map<string, number>()

  function nameOf(text: string): string | undefined {
    if (text.length < LONG) return undefined
    const known = names.get(text)
    if (known !== undefined || names.size >= maxStatements) return known
    const times = (seen.get(text) ?? 0) + 1
    if (times < TWICE) {
      if (seen.size >= 10 * maxStatements) seen.clear()
      seen.set(text, times)
      return undefined
    }
    seen.delete(text)
    const name = `s${names.size}`
    names.set(text, name)
    return name
  }

  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
      function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
      function query<R>(
        text: string | PostgresCursor<R>,
        values: readonly unknown[] = [],
      ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
        if (typeof text !== 'string') throw new TypeError('cursors are not used')
        const name = nameOf(text)
        const statement = { text, values: [...values], ...(name === undefined ? {} : { name }) }
        // What Postgres answers has the shape Kysely expects of pg.
        return client.query(statement) as unknown as Promise<PostgresQueryResult<R>>
      }
      return { query, release: (destroy?: boolean) => client.release(destroy) }
    },
  }
}
