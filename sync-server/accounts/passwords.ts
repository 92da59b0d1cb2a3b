// Passwords that everybody tries first are refused: the list of the most common ones that comes with a password estimator, and what is
// in the address itself. Asked offline; the list is unpacked when the first password is set.
import { Refusal } from '../http.ts'

let common: Promise<ReadonlySet<string>> | null = null

/** Throws `password-common` for what is guessed first, in any case. */
export async function refuseCommon(password: string, email: string): Promise<void> {
  common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']))
  const lower = password.toLowerCase()
  const address = email.toLowerCase()
  if ((await common).has(lower) || lower === address || lower === address.split('@')[0]) throw new Refusal('password-common')
}
