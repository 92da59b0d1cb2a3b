// The formula behind "Recommended", and the words of the store.
import { chinese } from '../help/languages.ts'
import { describe, expect, it } from 'vitest'
import {
  HALF_LIFE_DAYS,
  appKindLabels,
  appKinds,
  appLicenceLabels,
  appLicences,
  appNext,
  appStates,
  appSteps,
  appTopicLabels,
  appTopics,
  rankOf,
  rankParts,
  wilson,
} from '../../model-schema/business/market.ts'
import type { AppCounts } from '../../model-schema/business/market.ts'
import { chance } from '../help/random.ts'
import { english } from '../../model-schema/words.ts'

const DAY = 86_400_000
const base: AppCounts = { likes: 5, favourites: 2, downloads: 3, views: 40, verified: false, at: 0 }

describe('the rank of a publication', () => {
  it('is the lower end of Wilson’s interval', () => {
    // Wilson 1927: 10 of 10 and 1 of 10, 95 %.
    expect(wilson(10, 10)).toBeCloseTo(0.7225, 3)
    expect(wilson(1, 10)).toBeCloseTo(0.0179, 3)
    expect(wilson(0, 0)).toBe(0)
    expect(wilson(100, 100)).toBeGreaterThan(wilson(10, 10))
  })

  it('grows with likes, copies and the badge, falls with visits that led to nothing, and halves in its half-life', () => {
    const r = rankOf(base)
    expect(rankOf({ ...base, likes: 6 })).toBeGreaterThan(r)
    expect(rankOf({ ...base, downloads: 4 })).toBeGreaterThan(r)
    expect(rankOf({ ...base, verified: true })).toBeGreaterThan(r)
    expect(rankOf({ ...base, views: 80 })).toBeLessThan(r)
    expect(rankOf({ ...base, at: HALF_LIFE_DAYS * DAY }) - r).toBeCloseTo(1, 10)
  })

  it('orders as the product of the parts that are shown, at any time', () => {
    const random = chance(3)
    const any = (): AppCounts => ({
      likes: Math.floor(random.next() * 30),
      favourites: Math.floor(random.next() * 30),
      downloads: Math.floor(random.next() * 200),
      views: Math.floor(random.next() * 500),
      verified: random.chance(0.5),
      at: Math.floor(random.next() * 400) * DAY,
    })
    const score = (standing: AppCounts, now: number): number => {
      const { approval, use, proof, freshness } = rankParts(standing, now)
      return (0.1 + approval) * use * proof * freshness
    }
    for (let i = 0; i < 500; i++) {
      const [a, b] = [any(), any()]
      const now = 400 * DAY + random.next() * 100 * DAY
      if (Math.abs(rankOf(a) - rankOf(b)) < 1e-9) continue
      expect(score(a, now) > score(b, now), JSON.stringify({ a, b })).toBe(rankOf(a) > rankOf(b))
    }
  })
})

describe('the tables of the store', () => {
  it('are whole, in both languages', () => {
    for (const state of appStates) expect(Object.keys(appNext[state]).sort()).toEqual([...appSteps].sort())
    for (const words of [
      ...appTopics.map(topic => appTopicLabels[topic]),
      ...appKinds.map(kind => appKindLabels[kind]),
      ...appLicences.map(one => appLicenceLabels[one]),
    ])
      expect(english(words) !== '' && chinese(words) !== '').toBe(true)
  })
})
