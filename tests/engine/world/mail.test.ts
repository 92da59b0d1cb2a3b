import { describe, expect, it } from 'vitest'
import { ValueReader, ValueWriter, plainCodecs } from '../../../sim-engine/kernel/snapshot.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import { Mail, type MessagePlan } from '../../../sim-engine/world/mail.ts'

const setUp = (more: Partial<MessagePlan> = {}): { clock: { time: number }; mail: Mail; got: string[]; type: number } => {
  const clock = { time: 0 }
  const got: string[] = []
  const mail = new Mail(clock, {
    deliver: (token, payload) => got.push(`${token}:${String(payload)}`),
    isAlive: (_, handle) => handle < 100,
  })
  return { clock, mail, got, type: mail.add({ id: 'm', name: 'Order', capacity: Infinity, full: 'dropNew', lifetime: Infinity, ...more }) }
}

describe('mail', () => {
  it('keeps mail until a token comes, and tokens until mail comes; first come first served', () => {
    const { mail, got, type } = setUp()
    for (const text of ['a', 'b']) mail.arrive(mail.send(type, 0, 7, text))
    expect(mail.take(type, 0, 7, null)).toBe('a')
    expect(mail.take(type, 0, 7, payload => payload === 'z')).toBe(undefined)
    expect(mail.take(type, 0, 8, null)).toBe(undefined)
    expect(mail.take(type, 0, 7, null)).toBe('b')
    mail.wait(1, type, 0, 7, null)
    mail.wait(2, type, 0, 7, payload => payload === 'c')
    mail.wait(3, type, 0, 7, null)
    for (const text of ['c', 'd', 'c', 'e']) mail.arrive(mail.send(type, 0, 7, text))
    expect(got).toEqual(['1:c', '3:d', '2:c'])
    expect([mail.count(type, 0, 7), mail.sent[type], mail.received[type], mail.lost[type]]).toEqual([1, 6, 5, 0])
  })

  it('drops the new, drops the old, or raises 10064 when full', () => {
    for (const [full, left] of [
      ['dropNew', 'a'],
      ['dropOld', 'b'],
    ] as const) {
      const { mail, type } = setUp({ capacity: 1, full })
      for (const text of ['a', 'b']) mail.arrive(mail.send(type, -1, -1, text))
      expect(mail.take(type, -1, -1, null)).toBe(left)
      expect(mail.lost[type]).toBe(1)
    }
    const { mail, type } = setUp({ capacity: 1, full: 'error' })
    mail.arrive(mail.send(type, -1, -1, 'a'))
    expect(() => mail.arrive(mail.send(type, -1, -1, 'b'))).toThrow(expect.objectContaining({ code: 10064 }))
  })

  it('loses what is too old and what is for the dead', () => {
    const { clock, mail, type } = setUp({ lifetime: 5 })
    mail.arrive(mail.send(type, 0, 1, 'a'))
    clock.time = 4.9
    expect(mail.count(type, 0, 1)).toBe(1)
    clock.time = 5
    expect(mail.take(type, 0, 1, null)).toBe(undefined)
    mail.arrive(mail.send(type, 0, 100, 'b'))
    mail.arrive(mail.send(type, 0, 2, 'c'))
    mail.wait(9, type, 0, 3, null)
    mail.forget(0, 2)
    mail.forget(0, 3)
    expect(mail.lost[type]).toBe(3)
  })

  it('a signal reaches those who wait, in order, and nobody later', () => {
    const { mail } = setUp()
    for (const token of [3, 1, 2]) mail.waitForSignal(token, 0)
    mail.waitForSignal(4, 1)
    mail.stopWaiting(1)
    expect(mail.throwSignal(0)).toEqual([3, 2])
    expect(mail.throwSignal(0)).toEqual([])
    expect(mail.throwSignal(1)).toEqual([4])
  })

  it('agrees with plain lists through random traffic, saved and restored', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = stream(seed, 0, 'mail')
      const { mail, got, type } = setUp()
      const boxes: string[][] = [[], [], []]
      const waiting: number[][] = [[], [], []]
      const expected: string[] = []
      for (let step = 0; step < 200; step++) {
        const to = below(random, 3)
        const dice = below(random, 5)
        if (dice < 2) {
          const text = `t${step}`
          mail.arrive(mail.send(type, 0, to, text))
          const token = waiting[to]!.shift()
          if (token === undefined) boxes[to]!.push(text)
          else expected.push(`${token}:${text}`)
        } else if (dice === 2) expect(mail.take(type, 0, to, null)).toBe(boxes[to]!.shift())
        else if (dice === 3 && boxes[to]!.length === 0) {
          mail.wait(step, type, 0, to, null)
          waiting[to]!.push(step)
        } else if (dice === 4 && waiting[to]!.length > 0) {
          const [token] = waiting[to]!.splice(below(random, waiting[to]!.length), 1)
          mail.stopWaiting(token!)
        }
        if (step === 100) {
          const writer = new ValueWriter(plainCodecs)
          const state = mail.save(writer)
          mail.load(state, new ValueReader(plainCodecs, writer.table))
        }
        expect(got).toEqual(expected)
        expect(boxes.map((box, handle) => mail.count(type, 0, handle) - box.length)).toEqual([0, 0, 0])
      }
    }
  })
})
