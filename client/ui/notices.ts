// Words for what can go wrong, by code: of the API, of a session. The server speaks in codes; people read these.
import { t } from '@lingui/core/macro'
import { assetLabels, assets } from '../../model-schema/business/coins.ts'
import { featureLabels, planWith, quantityLabels } from '../../model-schema/business/plans.ts'
import type { Feature, Quantity } from '../../model-schema/business/plans.ts'
import { refusals } from '../../model-schema/business/subscription.ts'
import { say } from '../../model-schema/words.ts'
import type { Words } from '../../model-schema/words.ts'
import type { ErrorCode } from '../../sync-server/protocol.ts'
import type { NoticeCode, SessionError } from '../session.ts'
import { ApiError } from '../api.ts'
import { listNow } from '../i18n/list.ts'
import { wordsNow } from '../i18n/locale.ts'
import { unreachable } from '../../model-schema/unreachable.ts'

/** Errors that say which ones they are about. */
const naming: ReadonlySet<string> = new Set(['addresses-invalid', 'owns-workspaces', 'model-in-use'])

/** The message of an error, in one sentence, with what to do if that is known. */
export function wordsOfError(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.code === 'network') return networkWords()
    if (error.code === 'limit-reached' && error.limit !== null) return wordsOfLimit(error.limit)
    if (error.code === 'plan-lacks-feature' && error.feature !== null) return wordsOfFeature(error.feature)
    if (error.missing !== null) return wordsOfMissing(error.code, error.missing)
    if (error.code === 'change-unsupported') return wordsOfUnsupported(error.why)
    const words = wordsOfCode(error.code)
    const names = listNow(error.named)
    return names !== '' && naming.has(error.code) ? `${words} (${names})` : words
  }
  return t`Something went wrong. Reload the page; if it happens again, tell the administrator.`
}

/** The same; for a server error, `failed` describes the failed action. */
export function wordsOfFailure(error: unknown, failed: string): string {
  return error instanceof ApiError && (error.code === 'unexpected' || error.code === 'unavailable') ? failed : wordsOfError(error)
}

/** Which limit is reached; of the subscription's, the plan that has room for more. */
export function wordsOfLimit({ quantity, allowed, isOwners }: { quantity: string; allowed: number; isOwners?: boolean }): string {
  const known = Object.entries(quantityLabels).find(([id]) => id === quantity)
  // No plan has room for more.
  if (known === undefined) return t`There is room for ${allowed} here, and no more. Delete what is no longer needed first.`
  const [id, label] = known
  const name = wordsNow(label)
  if (isOwners === true)
    return t`${name}: the limit of the owner’s subscription (${allowed}) is reached. Ask the owner of the workspace to upgrade.`
  const next = isQuantity(id) ? planWith({ quantity: id, wanted: allowed + 1 }) : null
  if (next === null) return t`${name}: the limit of the subscription (${allowed}) is reached.`
  const plan = wordsNow(next.label)
  return t`${name}: the limit of the subscription (${allowed}) is reached. Upgrade to ${plan} for more.`
}

/** What the subscription does not support, and the least plan that does. */
function wordsOfFeature(feature: string): string {
  const known = Object.entries(featureLabels).find(([id]) => id === feature)
  if (known === undefined) return wordsOfCode('plan-lacks-feature')
  const [id, label] = known
  const name = wordsNow(label)
  const next = isFeature(id) ? planWith(id) : null
  if (next === null) return t`The current subscription does not support this: ${name}.`
  const plan = wordsNow(next.label)
  return t`The current subscription does not support this: ${name}. Upgrade to ${plan} to use it.`
}

/** The message for a balance that is too small, with the amounts. */
function wordsOfMissing(code: ErrorCode | 'network', { asset, needed, has }: { asset: string; needed: number; has: number }): string {
  const known = assets.find(one => one === asset)
  if (known === undefined) return code === 'network' ? networkWords() : wordsOfCode(code)
  const name = wordsNow(assetLabels[known])
  if (code === 'owner-lacks-coins') return t`The owner of the workspace lacks coins: ${needed} are needed.`
  return known === 'coins'
    ? t`Not enough coins: ${needed} are needed, you have ${has}.`
    : t`Not enough items (${name}): ${needed} needed, you have ${has}.`
}

function wordsOfUnsupported(why: string | null): string {
  const known = Object.entries(refusals).find(([id]) => id === why)
  return known === undefined ? wordsOfCode('change-unsupported') : `${wordsOfCode('change-unsupported')} ${wordsNow(known[1])}`
}

export type Offer = { to: '/account/subscription' | '/account/shop'; text: string }

/** Where what is refused can be had: the plans, or the shop. Null when it can't be bought. */
export function offerFor(error: unknown): Offer | null {
  if (!(error instanceof ApiError) || error.limit?.isOwners === true) return null
  if (error.limit !== null && !isQuantity(error.limit.quantity)) return null
  switch (error.code) {
    case 'limit-reached':
    case 'plan-lacks-feature':
    case 'embed-limit':
    case 'storage-full':
      return { to: '/account/subscription', text: t`Compare plans` }
    case 'not-enough-coins':
    case 'not-enough-items':
      return { to: '/account/shop', text: t`Open the shop` }
    default:
      return null
  }
}

const isFeature = (id: string): id is Feature => Object.hasOwn(featureLabels, id)
const isQuantity = (id: string): id is Quantity => Object.hasOwn(quantityLabels, id)

const errorMessages: Record<ErrorCode, Words> = {
  'account-or-password': say('Account or password error.'),
  'not-activated': say('Account not activated; activate it in the registered email.'),
  'registered-not-activated': say('Account has been registered; go to your email to activate it.'),
  'nickname-taken': say('Somebody has this nickname already. Choose another.'),
  'account-exists': say('Account already exists.'),
  'invitation-invalid': say('Invitation code is invalid.'),
  'activation-invalid': say('The activation code is empty or invalid.'),
  'activation-expired': say('The activation code has expired. Ask for a new one.'),
  'already-activated': say('Account already activated. You can sign in.'),
  'verification-invalid': say('Verification code is invalid.'),
  'old-password-incorrect': say('Failed to modify; the old password is incorrect.'),
  'disclaimer-required': say('Please read and accept the disclaimer.'),
  'password-unchanged': say('The new password must differ from the old one.'),
  'password-common': say('This password is one of those that are guessed first. Choose another one.'),
  'second-factor-wrong': say('This code is not right, or was used before.'),
  'second-factor-expired': say('This took too long, or too many tries. Sign in again with your password.'),
  'second-factor-locked': say('Too many wrong codes. Signing in is locked for a quarter of an hour.'),
  'second-factor-on': say('Two-step verification is on already.'),
  'second-factor-off': say('Two-step verification is off.'),
  'operator-second-factor': say('What operators do needs two-step verification on this server. Switch it on under “My account”.'),
  'user-not-registered': say('User not registered.'),
  'already-collaborator': say('Already a collaborator.'),
  'signed-out': say('You have been signed out. Sign in again; nothing on this device is lost.'),
  'no-permission': say('No permission to operate.'),
  'not-found': say('It does not exist, or you have no access to it.'),
  'name-taken': say('This name is already used here. Choose another one.'),
  'name-empty': say('The name cannot be empty.'),
  'not-in-trash': say('This file is not in the trash.'),
  'id-taken': say('This file exists already.'),
  'folder-invalid': say('This folder does not exist any more.'),
  'share-invalid': say('This link is not valid, or has been closed.'),
  'share-expired': say('This link has expired.'),
  'epoch-changed': say('The document was replaced on the server meanwhile.'),
  'update-refused': say('The server refused this change.'),
  'too-large': say('This is too large to be saved.'),
  'too-many-requests': say('Too many tries in a short time. Wait a minute, then try again.'),
  'address-refused': say('The server does not call this address: only public https addresses, and hosts its operator lists.'),
  'node-failed': say('The node of the chain did not answer as it should.'),
  'origin-refused': say('This address is not allowed to use the server.'),
  'invalid-params': say('Invalid params.'),
  'account-locked': say('Too many wrong passwords. The account is locked for a while; reset the password or try again later.'),
  'already-member': say('Already a member.'),
  'invitation-answered': say('You have already accepted or rejected the invitation and cannot operate again.'),
  'invitation-closed': say('This invitation is not valid any more.'),
  'request-pending': say('You have asked to join already. An administrator will answer.'),
  'request-answered': say('This request has been answered already.'),
  'addresses-empty': say('Enter at least one email address.'),
  'addresses-invalid': say('Some of these email addresses are not valid.'),
  'name-mismatch': say('The name does not match. Type it exactly.'),
  'owns-workspaces': say('You own workspaces with other members. Transfer or delete them first.'),
  'limit-reached': say('The limit of the subscription is reached.'),
  'plan-lacks-feature': say('The current subscription does not support this feature. Upgrade it to use this.'),
  'not-enough-coins': say('Not enough coins.'),
  'not-enough-items': say('Not enough items.'),
  'owner-lacks-coins': say('The owner of the workspace lacks coins.'),
  'change-unsupported': say('The subscription does not support this change.'),
  'payment-declined': say('The payment was declined.'),
  'payments-closed': say('This server takes no payments.'),
  'workspace-locked': say('This workspace is beyond the limits of its plan and can only be read. Unlock it with a key, or make room.'),
  'model-in-use': say('This model is used by an experiment, dashboard or chart and cannot be deleted.'),
  'model-linked': say('The linked model cannot be changed.'),
  'same-place': say('It is there already. Choose another folder.'),
  'tag-invalid': say('Choose at most one tag of each tag set.'),
  'image-invalid': say('Choose a JPEG or PNG image of at most 5 MB.'),
  'share-password': say('This link asks for a password.'),
  'share-password-wrong': say('The password of the link is not right.'),
  'share-used-up': say('This link has been used as often as it may be.'),
  'embed-invalid': say('Invalid embed code.'),
  'embed-closed': say('The embed code is closed.'),
  'embed-limit': say("The owner's limit of embed links is exceeded."),
  'market-charge': say('Store does not support charge mode.'),
  'market-published': say('File already published.'),
  'market-off-shelf': say('Off shelfed app cannot be updated. Put it back first.'),
  'market-state': say('The publication is in another state by now. Reload the page.'),
  'market-downloaded': say('Files downloaded from the market cannot be published again.'),
  'market-similar': say('Much of this is published by somebody else already. A moderator has to look at it first.'),
  'market-models': say('Choose the models that are published along with it first.'),
  'market-own': say('This is your own work: its likes and copies by yourself are not counted.'),
  'storage-full': say('The storage is full. Only deletions can be saved.'),
  'disk-full': say('The disk of the server is full: nothing new can be saved until there is room.'),
  unavailable: say('System busy. Try again later.'),
  unexpected: say('The server met an error it did not expect. Try again later.'),
}

/** A code that an earlier version kept on this device may not exist any more. */
export const wordsOfCode = (code: ErrorCode): string =>
  wordsNow(Object.hasOwn(errorMessages, code) ? errorMessages[code] : errorMessages.unexpected)

/** Title and explanation of what happened to an open document. */
export function wordsOfNotice(code: NoticeCode): { title: string; text: string } {
  switch (code) {
    case 'no-access':
      return { title: t`No access`, text: t`You may no longer open this document. What you changed is still on this device.` }
    case 'no-document':
      return { title: t`Document not found`, text: t`It was deleted, or never existed on this server.` }
    case 'epoch':
      return {
        title: t`Document replaced`,
        text: t`The document was replaced on the server. Changes that were not saved there are kept as a copy.`,
      }
    case 'upgrade':
      return {
        title: t`Newer version needed`,
        text: t`This document needs a newer version of the app. Reload the page to get it; until then you can only read.`,
      }
    case 'too-large':
      return {
        title: t`Too large`,
        text: t`The last change is too large for the server. It is kept on this device; undo it or make it smaller, then reload.`,
      }
    case 'refused':
      return {
        title: t`Not saved on the server`,
        text: t`The server could not read the last changes. They are kept on this device; reload the page to try again.`,
      }
    case 'disk-failed':
      return {
        title: t`Not saved on this device`,
        text: t`This browser cannot store the document (storage full, forbidden, or a private window). Keep the page open until the server has saved it.`,
      }
    case 'disk-damaged':
      return {
        title: t`Local copy damaged`,
        text: t`A part of the copy on this device could not be read. The rest and the server's copy were used.`,
      }
    case 'server-full':
      return {
        title: t`No room on the server`,
        text: t`The server takes only deletions just now. Your changes are kept on this device and sent when there is room.`,
      }
    case 'read-only-edits':
      return {
        title: t`Read only`,
        text: t`You can no longer change this document. Your last changes cannot be saved here; download a copy to keep them.`,
      }
    default:
      return unreachable(code)
  }
}

/** Why a document can't be shown. */
export function wordsOfSessionError(code: SessionError['code']): { title: string; text: string } {
  if (code === 'unreachable') return { title: t`Not on this device`, text: networkWords() }
  // The server does not distinguish them: a user without access must not learn that a document exists.
  if (code === 'no-access' || code === 'no-document')
    return {
      title: t`Not found`,
      text: t`This document does not exist, or you have no access to it. What you may have changed in it before is still on this device.`,
    }
  return wordsOfNotice(code)
}

function networkWords(): string {
  return t`Network error; try again after restoring the network.`
}
