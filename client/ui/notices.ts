// Words for what can go wrong, by code: of the API, of a session. The server speaks in codes; people read these.
import { t } from '@lingui/core/macro'
import { assetLabels, assets } from '../../model-schema/business/coins.ts'
import { featureLabels, planWith, quantityLabels } from '../../model-schema/business/plans.ts'
import type { Feature, Quantity } from '../../model-schema/business/plans.ts'
import { refusals } from '../../model-schema/business/subscription.ts'
import type { ErrorCode } from '../../sync-server/protocol.ts'
import type { NoticeCode, SessionError } from '../session.ts'
import { ApiError } from '../api.ts'
import { wordsNow } from '../i18n/locale.ts'

/** Errors that say which ones they are about. */
const naming: ReadonlySet<string> = new Set(['addresses-invalid', 'owns-workspaces', 'model-in-use'])

/** What an error means, in one sentence, with what to do when that is known. */
export function wordsOfError(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.code === 'network') return networkWords()
    if (error.code === 'limit-reached' && error.limit !== null) return wordsOfLimit(error.limit)
    if (error.code === 'plan-lacks-feature' && error.feature !== null) return wordsOfFeature(error.feature)
    if (error.missing !== null) return wordsOfMissing(error.code, error.missing)
    if (error.code === 'change-unsupported') return wordsOfUnsupported(error.why)
    const words = wordsOfCode(error.code)
    const names = error.named.join(', ')
    return names !== '' && naming.has(error.code) ? `${words} (${names})` : words
  }
  return t`Something went wrong. Reload the page; if it happens again, tell the administrator.`
}

/** The same; when the server could not do it, what failed is said. */
export function wordsOfFailure(error: unknown, failed: string): string {
  return error instanceof ApiError && (error.code === 'unexpected' || error.code === 'unavailable') ? failed : wordsOfError(error)
}

/** Which limit of the subscription is reached, and the plan that has room for more. */
export function wordsOfLimit({ quantity, allowed, isOwners }: { quantity: string; allowed: number; isOwners?: boolean }): string {
  const known = Object.entries(quantityLabels).find(([id]) => id === quantity)
  if (known === undefined) return wordsOfCode('limit-reached')
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

/** What there is too little of, and how much. */
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

export function wordsOfCode(code: ErrorCode): string {
  switch (code) {
    case 'account-or-password':
      return t`Account or password error.`
    case 'not-activated':
      return t`Account not activated; activate it in the registered email.`
    case 'registered-not-activated':
      return t`Account has been registered; go to your email to activate it.`
    case 'nickname-taken':
      return t`Somebody has this nickname already. Choose another.`
    case 'account-exists':
      return t`Account already exists.`
    case 'invitation-invalid':
      return t`Invitation code is invalid.`
    case 'activation-invalid':
      return t`The activation code is empty or invalid.`
    case 'activation-expired':
      return t`The activation code has expired. Ask for a new one.`
    case 'already-activated':
      return t`Account already activated. You can sign in.`
    case 'verification-invalid':
      return t`Verification code is invalid.`
    case 'old-password-incorrect':
      return t`Failed to modify; the old password is incorrect.`
    case 'disclaimer-required':
      return t`Please read and accept the disclaimer.`
    case 'password-unchanged':
      return t`The new password must differ from the old one.`
    case 'password-common':
      return t`This password is one of those that are guessed first. Choose another one.`
    case 'second-factor-wrong':
      return t`This code is not right, or was used before.`
    case 'second-factor-expired':
      return t`This took too long, or too many tries. Sign in again with your password.`
    case 'second-factor-locked':
      return t`Too many wrong codes. Signing in is locked for a quarter of an hour.`
    case 'second-factor-on':
      return t`Two-step verification is on already.`
    case 'second-factor-off':
      return t`Two-step verification is off.`
    case 'operator-second-factor':
      return t`What operators do needs two-step verification on this server. Switch it on under “My account”.`
    case 'user-not-registered':
      return t`User not registered.`
    case 'already-collaborator':
      return t`Already a collaborator.`
    case 'signed-out':
      return t`You have been signed out. Sign in again; nothing on this device is lost.`
    case 'no-permission':
      return t`No permission to operate.`
    case 'not-found':
      return t`It does not exist, or you have no access to it.`
    case 'name-taken':
      return t`This name is already used here. Choose another one.`
    case 'name-empty':
      return t`The name cannot be empty.`
    case 'not-in-trash':
      return t`This file is not in the trash.`
    case 'id-taken':
      return t`This file exists already.`
    case 'folder-invalid':
      return t`This folder does not exist any more.`
    case 'share-invalid':
      return t`This link is not valid, or has been closed.`
    case 'share-expired':
      return t`This link has expired.`
    case 'epoch-changed':
      return t`The document was replaced on the server meanwhile.`
    case 'update-refused':
      return t`The server refused this change.`
    case 'too-large':
      return t`This is too large to be saved.`
    case 'too-many-requests':
      return t`Too many tries in a short time. Wait a minute, then try again.`
    case 'address-refused':
      return t`The server does not call this address: only public https addresses, and hosts its operator lists.`
    case 'node-failed':
      return t`The node of the chain did not answer as it should.`
    case 'origin-refused':
      return t`This address is not allowed to use the server.`
    case 'invalid-params':
      return t`Invalid params.`
    case 'account-locked':
      return t`Too many wrong passwords. The account is locked for a while; reset the password or try again later.`
    case 'already-member':
      return t`Already a member.`
    case 'invitation-answered':
      return t`You have already accepted or rejected the invitation and cannot operate again.`
    case 'invitation-closed':
      return t`This invitation is not valid any more.`
    case 'request-pending':
      return t`You have asked to join already. An administrator will answer.`
    case 'request-answered':
      return t`This request has been answered already.`
    case 'addresses-empty':
      return t`Enter at least one email address.`
    case 'addresses-invalid':
      return t`Some of these email addresses are not valid.`
    case 'name-mismatch':
      return t`The name does not match. Type it exactly.`
    case 'owns-workspaces':
      return t`You own workspaces with other members. Transfer or delete them first.`
    case 'limit-reached':
      return t`The limit of the subscription is reached.`
    case 'plan-lacks-feature':
      return t`The current subscription does not support this feature. Upgrade it to use this.`
    case 'not-enough-coins':
      return t`Not enough coins.`
    case 'not-enough-items':
      return t`Not enough items.`
    case 'owner-lacks-coins':
      return t`The owner of the workspace lacks coins.`
    case 'change-unsupported':
      return t`The subscription does not support this change.`
    case 'payment-declined':
      return t`The payment was declined.`
    case 'payments-closed':
      return t`This server takes no payments.`
    case 'workspace-locked':
      return t`This workspace is beyond the limits of its plan and can only be read. Unlock it with a key, or make room.`
    case 'model-in-use':
      return t`This model is used by an experiment, dashboard or chart and cannot be deleted.`
    case 'model-linked':
      return t`The linked model cannot be changed.`
    case 'same-place':
      return t`It is there already. Choose another folder.`
    case 'tag-invalid':
      return t`Choose at most one tag of each tag set.`
    case 'image-invalid':
      return t`Choose a JPEG or PNG image of at most 5 MB.`
    case 'share-password':
      return t`This link asks for a password.`
    case 'share-password-wrong':
      return t`The password of the link is not right.`
    case 'share-used-up':
      return t`This link has been used as often as it may be.`
    case 'embed-invalid':
      return t`Invalid embed code.`
    case 'embed-closed':
      return t`The embed code is closed.`
    case 'embed-limit':
      return t`The owner's limit of embed links is exceeded.`
    case 'market-charge':
      return t`Store does not support charge mode.`
    case 'market-published':
      return t`File already published.`
    case 'market-off-shelf':
      return t`Off shelfed app cannot be updated. Put it back first.`
    case 'market-state':
      return t`The publication is in another state by now. Reload the page.`
    case 'market-downloaded':
      return t`Files downloaded from the market cannot be published again.`
    case 'market-similar':
      return t`Much of this is published by somebody else already. A moderator has to look at it first.`
    case 'market-models':
      return t`Choose the models that are published along with it first.`
    case 'market-own':
      return t`This is your own work: its likes and copies by yourself are not counted.`
    case 'storage-full':
      return t`The storage is full. Only deletions can be saved.`
    case 'disk-full':
      return t`The disk of the server is full: nothing new can be saved until there is room.`
    case 'unavailable':
      return t`System busy. Try again later.`
    case 'unexpected':
      return t`The server met an error it did not expect. Try again later.`
  }
}

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
  }
}

/** Why a document can't be shown. */
export function wordsOfSessionError(code: SessionError['code']): { title: string; text: string } {
  if (code === 'unreachable') return { title: t`Not on this device`, text: networkWords() }
  // The server does not say which: who may not see a document does not learn that there is one.
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
