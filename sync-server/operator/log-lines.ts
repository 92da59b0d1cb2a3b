// What the process says, as one JSON object a line, for programs that collect logs.
import { formatWithOptions } from 'node:util'

const LEVELS = { log: 'info', info: 'info', warn: 'warn', error: 'error' } as const

/** From now on `console` writes JSON lines: time, level, message, and the stack of an error. */
export function writeJsonLines(): void {
  const names = ['log', 'info', 'warn', 'error'] as const
  for (const name of names) {
    const stream = name === 'error' || name === 'warn' ? process.stderr : process.stdout
    console[name] = (...said: unknown[]): void => {
      const error = said.find(one => one instanceof Error)
      const message = formatWithOptions({ colors: false, depth: 3 }, ...said.map(one => (one instanceof Error ? one.message : one))).trim()
      const line = { time: new Date().toISOString(), level: LEVELS[name], message, ...(error === undefined ? {} : { stack: error.stack }) }
      stream.write(`${JSON.stringify(line)}\n`)
    }
  }
}
