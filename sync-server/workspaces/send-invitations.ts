// Sending invitations to a workspace or to one file: each address is invited by mail and by a notification, and answered with what became of it.
import { Buckets } from '../bucket.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'
import type { Actor } from '../http.ts'
import { invitationLetter } from '../mail/letters.ts'
import type { Parts } from '../parts.ts'
import type { NotificationKind } from '../protocol.ts'
import { invitationCode, invite, readAddresses } from './invitations.ts'
import type { InvitationRole, InvitationOutcome, InvitationTarget } from './invitations.ts'

/** What people are invited to. */
type InvitedTo = {
  target: InvitationTarget
  name: string
  role: InvitationRole
  /** The page that a letter leads to. */
  page: 'team_invite' | 'invite_collaborator'
  notification: NotificationKind
  /** What the notification says in addition to the code, the name and the role. */
  data: Record<string, string>
  /** Why a user is not invited; null when they can be. */
  refusal: (userId: string) => Promise<InvitationOutcome | null>
}

type InvitationResult = { email: string; outcome: InvitationOutcome }

/** Sends invitations to all addresses in a text. Throws `addresses-empty`, `addresses-invalid`, `too-many-requests`. */
type SendInvitations = (actor: Actor, emails: string, to: InvitedTo) => Promise<InvitationResult[]>

/** The limit of addresses for each person is the sender's own. */
export function invitationSender({ db, mail, notify, secret, publicUrl }: Parts): SendInvitations {
  // Invitations go to people who did not ask for them.
  const letters = new Buckets(1 / 30, 150)

  async function send(actor: Actor, email: string, to: InvitedTo): Promise<InvitationOutcome> {
    const user = await registeredUser(db, email)
    if (!letters.take(actor.userId, Date.now())) throw new Refusal('too-many-requests')
    if (user === undefined) return 'user-not-registered'
    const refusal = await to.refusal(user.id)
    if (refusal !== null) return refusal
    const invited = await invite(db, to.target, email, to.role, actor.userId)
    if (invited === null) return 'invited-before'
    const code = invitationCode(secret, invited)
    await mail.send(invitationLetter(email, actor.name, to.name, `${publicUrl}/${to.page}/${code}`, user.locale))
    await notify([user.id], to.notification, { ...to.data, code, name: to.name, role: to.role, by: actor.name })
    return 'invited'
  }

  return async (actor, emails, to) => {
    const results: InvitationResult[] = []
    for (const email of readAddresses(emails)) results.push({ email, outcome: await send(actor, email, to) })
    return results
  }
}

/** The user who registered an address and confirmed it. */
export function registeredUser(db: Db, address: string) {
  return db
    .selectFrom('user')
    .select(['id', 'name', 'email', 'locale'])
    .where('email', '=', address)
    .where('emailVerified', '=', true)
    .executeTakeFirst()
}
