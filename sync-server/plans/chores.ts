// What is done by itself every so often: subscriptions renewed or ended, money given back, points for holding. Each server does it; each
// single deed is done once (claims, keys of the ledger).
import { rewardHolders } from '../coins/gifts.ts'
import { renewDue } from './subscriptions.ts'
import type { SubscriptionParts } from './subscriptions.ts'
import { logFailure } from '../db/failures.ts'

const EVERY_MS = 10 * 60_000

/** Begins now; the answer ends it and waits for what is under way. */
export function startChores(parts: SubscriptionParts): () => Promise<void> {
  let under: Promise<void> = Promise.resolve()
  let rewarded = ''
  const work = async (): Promise<void> => {
    try {
      await renewDue(parts)
      const day = new Date().toISOString().slice(0, 10)
      if (rewarded !== day) await rewardHolders(parts.db, parts.tariff.economy)
      rewarded = day
    } catch (error) {
      logFailure('chores:', error)
    }
  }
  const begin = (): void => void (under = under.then(work))
  begin()
  const timer = setInterval(begin, EVERY_MS)
  return async () => {
    clearInterval(timer)
    await under
  }
}
