// Operators of the server: the accounts named in OPERATORS, and programs with METRICS_TOKEN. What such an account may do it may do to everybody,
// so where strangers reach the server it takes two-step verification.
import { timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { Refusal } from '../http.ts'
import type { Actor, Env } from '../http.ts'

export type Operators = {
  /** What programs say in `Authorization: Bearer …`; null when there is none, and nothing is served to programs. */
  token: string | null
  /** Accounts of people who run the server, by address. */
  emails: readonly string[]
  /** Whether they need two-step verification. */
  secondFactor: boolean
}

type OperatorSettings = {
  METRICS_TOKEN?: string | undefined
  OPERATORS: readonly string[]
  OPERATOR_SECOND_FACTOR?: boolean | undefined
  DATABASE_URL?: string | undefined
  TRUST_PROXY: boolean
}

/**
 * The operators of a server with these settings. Unless they say so, two-step verification is required of all operators except the owner of a
 * machine of one's own.
 */
export function operatorsBy(settings: OperatorSettings): Operators {
  const strangersCome = settings.DATABASE_URL !== undefined || settings.TRUST_PROXY
  return {
    token: settings.METRICS_TOKEN ?? null,
    emails: settings.OPERATORS,
    secondFactor: settings.OPERATOR_SECOND_FACTOR ?? strangersCome,
  }
}

/** Named in the settings: sees what operators can do, and what it takes. */
export function isNamed({ emails }: Operators, actor: Actor | null): boolean {
  return actor !== null && emails.includes(actor.email.toLowerCase())
}

/** Sees what operators see. */
export function isOperator(operators: Operators, actor: Actor | null): boolean {
  return isNamed(operators, actor) && (!operators.secondFactor || actor?.secondFactor === true)
}

/** Whether a user acts as an operator. Throws `operator-second-factor` when only that is missing. */
export function operates(operators: Operators, actor: Actor | null): boolean {
  if (!isNamed(operators, actor)) return false
  if (!isOperator(operators, actor)) throw new Refusal('operator-second-factor', 'operators need two-step verification on this server')
  return true
}

/** Lets operators and programs with the token through, and returns the id of the account (null: a program's). Answers `not-found` to all others. */
export function admitOperator(c: Context<Env>, operators: Operators): string | null {
  const actor = c.get('actor')
  if (operates(operators, actor)) return actor?.userId ?? null
  const given = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1]
  if (given === undefined || operators.token === null || !same(given, operators.token)) throw new Refusal('not-found', 'no such call')
  return null
}

function same(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
