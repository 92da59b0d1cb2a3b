// Accounts over HTTP: register, activate, sign in and out, forgotten and changed passwords, the session.
import { asking } from './asking.ts'
import type { AccountsParts } from './parts.ts'
import { profileRoutes } from './profile-routes.ts'
import { registrationRoutes } from './registration-routes.ts'
import { secondFactorRoutes } from './second-factor.ts'
import { signInRoutes } from './sign-in-routes.ts'

export function accountRoutes(accounts: AccountsParts) {
  const parts = { ...accounts, ask: asking(accounts) }
  // What is open to everybody comes first: those who must sign in are asked from there on.
  return registrationRoutes(parts).route('/', signInRoutes(parts)).route('/', secondFactorRoutes(parts)).route('/', profileRoutes(parts))
}
