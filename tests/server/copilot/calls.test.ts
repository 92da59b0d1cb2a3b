// Calls of language models that are kept for pages whose connection broke: how much of them, and that no listener misses an event unnoticed.
import { expect, it } from 'vitest'
import type { ModelEvent } from '../../../sim-engine/copilot/doors/dialogue.ts'
import { CALL_LIMITS, Calls } from '../../../sync-server/copilot/calls.ts'

const text = (length: number): ModelEvent => ({ is: 'text', text: 'x'.repeat(length) })
const never = new AbortController().signal

async function* given(...events: ModelEvent[]): AsyncGenerator<ModelEvent> {
  yield* events
}

async function numbersOf(calls: Calls, id: string, after = 0): Promise<number[] | null> {
  const events = calls.hear('ann', id, after, never)
  if (events === null) return null
  const numbers: number[] = []
  for await (const { number } of events) numbers.push(number)
  return numbers
}

it('calls: of those that are over the oldest are forgotten when all together are too long', async () => {
  const calls = new Calls()
  const each = CALL_LIMITS.length / 2
  const many = Math.ceil(CALL_LIMITS.lengthInAll / each) + 3
  for (let k = 0; k < many; k++) {
    expect(calls.begin('ann', `call${k}`, () => given(text(each)))).toBe(true)
    expect(await numbersOf(calls, `call${k}`)).toEqual([1])
  }
  const known = await Promise.all(Array.from({ length: many }, async (_, k) => (await numbersOf(calls, `call${k}`)) !== null))
  const forgotten = known.indexOf(true)
  expect(forgotten).toBeGreaterThanOrEqual(3)
  expect(forgotten).toBeLessThan(10)
  expect(known.slice(forgotten)).not.toContain(false)
  calls.close()
})

it('calls: a listener that is too slow for what is kept ends, and is refused the rest', async () => {
  const calls = new Calls()
  const more = Promise.withResolvers<void>()
  const sent = Promise.withResolvers<void>()
  calls.begin('ann', 'long', async function* () {
    yield text(10)
    await more.promise
    for (let k = 0; k < 5; k++) yield text(CALL_LIMITS.length / 2)
    sent.resolve()
  })
  const events = calls.hear('ann', 'long', 0, never)![Symbol.asyncIterator]()
  expect((await events.next()).value).toMatchObject({ number: 1 })
  more.resolve()
  await sent.promise
  expect(await events.next()).toEqual({ value: undefined, done: true })
  expect(calls.hear('ann', 'long', 1, never)).toBe(null)
  expect(await numbersOf(calls, 'long', 5)).toEqual([6])
  calls.close()
})
