import { describe, expect, it, vi } from 'vitest'
import { hashOf, plainCodecs, ValueReader, ValueWriter } from '../../../sim-engine/kernel/snapshot.ts'
import { below, stream, uniform } from '../../../sim-engine/kernel/random.ts'
import { Schedule, type Container, type ContainerPlan, type Want } from '../../../sim-engine/world/container.ts'
import { Containers } from '../../../sim-engine/world/containers.ts'

const plan = (more: Partial<ContainerPlan> = {}): ContainerPlan => ({
  id: 'c',
  name: 'Store',
  contents: 'amount',
  reusable: false,
  negative: false,
  order: 'priority',
  strict: false,
  offShift: 'finish',
  ...more,
})
const pool = (more: Partial<ContainerPlan> = {}): ContainerPlan => plan({ id: 'r', name: 'Nurses', reusable: true, ...more })

const codeOf = (act: () => unknown): number => {
  try {
    act()
  } catch (error) {
    return error instanceof Error && 'code' in error ? Number(error.code) : -1
  }
  return 0
}

/** Containers with a clock to turn by hand and a log of the callbacks to holders. */
const setUp = (): { clock: { time: number }; all: Containers; log: string[] } => {
  const clock = { time: 0 }
  const log: string[] = []
  const all = new Containers(clock, {
    granted: holder => log.push(`+${holder}`),
    preempted: (holder, _request, how) => log.push(`-${holder} ${how}`),
    orphaned: holder => log.push(`x${holder}`),
  })
  return { clock, all, log }
}

describe('containers', () => {
  it('makes requests wait, and meets them first come first served', () => {
    const { all, log } = setUp()
    const nurses = all.create(pool(), 0, 2)
    expect(all.hold(nurses, 1, 1, 0, 'wait')).toBe('granted')
    expect(all.hold(nurses, 2, 1, 0, 'wait')).toBe('granted')
    expect(all.hold(nurses, 3, 1, 0, 'wait')).toBe('waiting')
    expect(all.hold(nurses, 4, 1, 0, 'wait')).toBe('waiting')
    expect([nurses.level(), nurses.inUse(), nurses.queueLength]).toEqual([0, 2, 2])
    all.release(nurses, 1, null, null)
    all.release(nurses, 2, 1, null)
    expect(log).toEqual(['+3', '+4'])
    expect(all.held(nurses, 1)).toBe(0)
    expect(all.held(nurses, 4)).toBe(1)
  })

  it('serves lower priority numbers first; lifo and fifo ignore priority', () => {
    const orders = { priority: ['+3', '+2', '+1'], fifo: ['+1', '+2', '+3'], lifo: ['+3', '+2', '+1'] }
    for (const order of ['priority', 'fifo', 'lifo'] as const) {
      const { all, log } = setUp()
      const pit = all.create(pool({ order }), 0, 1)
      all.hold(pit, 0, 1, 0, 'wait')
      all.hold(pit, 1, 1, 5, 'wait')
      all.hold(pit, 2, 1, 5, 'wait')
      all.hold(pit, 3, 1, order === 'priority' ? 1 : 9, 'wait')
      for (const holder of [0, ...orders[order].map(one => Number(one.slice(1)))]) all.release(pit, holder, null, null)
      expect(log).toEqual(order === 'priority' ? ['+3', '+1', '+2'].slice(0, 3) : orders[order])
    }
  })

  it('not strict: whoever fits goes; strict: nobody passes the first', () => {
    for (const strict of [false, true]) {
      const { all, log } = setUp()
      const beds = all.create(pool({ strict }), 0, 4)
      all.hold(beds, 0, 3, 0, 'wait')
      all.hold(beds, 1, 2, 0, 'wait')
      expect(all.hold(beds, 2, 1, 0, 'wait')).toBe(strict ? 'waiting' : 'granted')
      all.release(beds, 0, 3, null)
      expect(log).toEqual(strict ? ['+1', '+2'] : ['+1'])
    }
  })

  it('fails, serves partly, or takes the branch', () => {
    const { all } = setUp()
    const store = all.create(plan(), 5, 10)
    expect(codeOf(() => all.take(store, 1, 7, null, 0, 'fail'))).toBe(10036)
    expect(codeOf(() => all.put(store, 1, 6, null, 0, 'fail'))).toBe(10037)
    expect(all.take(store, 1, 7, null, 0, 'branch')).toBe('short')
    expect(store.level()).toBe(5)
    expect(all.take(store, 1, 7, null, 0, 'partial')).toBe('granted')
    expect(all.got.amount).toBe(5)
    expect(all.put(store, 1, 25, null, 0, 'partial')).toBe('granted')
    expect([all.got.amount, store.level()]).toEqual([10, 10])
    const debt = all.create(plan({ id: 'd', negative: true }), 0, Infinity)
    expect(all.take(debt, 1, 7, null, 0, 'fail')).toBe('granted')
    expect(debt.level()).toBe(-7)
  })

  it('raises each code', () => {
    const { all } = setUp()
    const store = all.create(plan(), 5, 10)
    const keyed = all.create(plan({ id: 'k', contents: 'keyed' }), new Map([['steel', 3]]), 8)
    const nurses = all.create(pool(), 0, 2)
    const items = all.create(plan({ id: 'i', contents: 'items' }), ['a', 'b'], 3)
    expect(codeOf(() => all.take(store, 1, -1, null, 0, 'fail'))).toBe(10039)
    expect(codeOf(() => all.take(store, 1, NaN, null, 0, 'fail'))).toBe(10039)
    expect(codeOf(() => all.put(store, 1, Infinity, null, 0, 'fail'))).toBe(10015)
    expect(codeOf(() => all.take(keyed, 1, 1, 'gold', 0, 'fail'))).toBe(10038)
    expect(codeOf(() => all.take(keyed, 1, 1, null, 0, 'fail'))).toBe(10038)
    expect(codeOf(() => all.take(store, 1, 1, 'steel', 0, 'fail'))).toBe(10038)
    expect(codeOf(() => all.hold(nurses, 1, 3, 0, 'wait'))).toBe(10042)
    expect(codeOf(() => all.put(store, 1, 11, null, 0, 'wait'))).toBe(10042)
    expect(codeOf(() => all.release(nurses, 1, 1, null))).toBe(10040)
    expect(codeOf(() => all.release(nurses, 1, -1, null))).toBe(10039)
    expect(codeOf(() => all.put(nurses, 1, 1, null, 0, 'fail'))).toBe(10032)
    expect(codeOf(() => all.request(1, [[{ does: 'take', container: items, amount: 1, key: null, items: ['z'] }]], 0, 'fail'))).toBe(10043)
    expect(codeOf(() => all.create(plan(), 11, 10))).toBe(10037)
    expect(codeOf(() => all.create(plan(), -1, 10))).toBe(10036)
    expect(codeOf(() => all.setLevel(store, 11, null))).toBe(10037)
    all.setLevel(keyed, 4, 'gold')
    expect([keyed.level('gold'), keyed.level(), [...keyed.keys()]]).toEqual([4, 7, ['steel', 'gold']])
  })

  it('takes several containers at once, all or nothing, and alternatives in written order', () => {
    const { all, log } = setUp()
    const [doctors, rooms, tents] = ['d', 'o', 't'].map(id => all.create(pool({ id }), 0, 1))
    const both: Want[] = [doctors!, rooms!].map(container => ({ does: 'hold', container, amount: 1, key: null }))
    const outside: Want[] = [doctors!, tents!].map(container => ({ does: 'hold', container, amount: 1, key: null }))
    all.hold(rooms!, 9, 1, 0, 'wait')
    expect(all.request(1, [both], 0, 'wait')).toBe('waiting')
    expect([doctors!.inUse(), doctors!.queueLength, rooms!.queueLength]).toEqual([0, 1, 1])
    expect(all.request(2, [both, outside], 0, 'wait')).toBe('granted')
    expect([all.got.alternative, all.got.amount, tents!.inUse()]).toEqual([1, 2, 1])
    all.release(rooms!, 9, null, null)
    expect(log).toEqual([])
    all.releaseAll(2)
    expect(log).toEqual(['+1'])
    expect([doctors!.queueLength, rooms!.queueLength]).toEqual([0, 0])
  })

  it('wakes waiting puts when there is room and waiting takes when there is something', () => {
    const { all, log } = setUp()
    const store = all.create(plan(), 8, 10)
    expect(all.put(store, 1, 5, null, 0, 'wait')).toBe('waiting')
    expect(all.take(store, 2, 9, null, 0, 'wait')).toBe('waiting')
    all.take(store, 3, 4, null, 0, 'fail')
    // 4 left: the put of 5 fits, then the take of 9.
    expect(log).toEqual(['+1', '+2'])
    expect(store.level()).toBe(0)
  })

  it('moves items: first come first out, chosen ones, held ones', () => {
    const { all, log } = setUp()
    const shelf = all.create(plan({ id: 'i', contents: 'items' }), ['a', 'b', 'c'], 4)
    all.take(shelf, 1, 2, null, 0, 'fail')
    expect(all.got.items).toEqual(['a', 'b'])
    expect(all.request(2, [[{ does: 'take', container: shelf, amount: 1, key: null, items: ['d'] }]], 0, 'wait')).toBe('waiting')
    all.request(3, [[{ does: 'put', container: shelf, amount: 2, key: null, items: ['e', 'd'] }]], 0, 'fail')
    expect(log).toEqual(['+2'])
    expect(shelf.items()).toEqual(['c', 'e'])
    const carts = all.create(pool({ id: 'carts', contents: 'items' }), ['x', 'y'], 2)
    all.hold(carts, 5, 1, 0, 'fail')
    expect([carts.level(), carts.items()]).toEqual([1, ['y']])
    all.releaseAll(5)
    expect(carts.items()).toEqual(['y', 'x'])
  })

  it('forgets the requests of the cancelled and takes back what they held; give-ups are counted', () => {
    const { clock, all, log } = setUp()
    const nurses = all.create(pool(), 0, 1)
    all.hold(nurses, 1, 1, 0, 'wait')
    all.hold(nurses, 2, 1, 0, 'wait')
    const second = all.lastRequest
    all.hold(nurses, 3, 1, 0, 'wait')
    clock.time = 4
    expect(all.giveUp(second)).toBe(true)
    expect(all.giveUp(second)).toBe(false)
    all.cancel(1)
    expect(log).toEqual(['+3'])
    expect([nurses.gaveUp, nurses.served, nurses.waits.max]).toEqual([1, 2, 4])
    expect(all.holdsAnything(1)).toBe(false)
    all.hold(nurses, 7, 1, 0, 'wait')
    all.destroy(nurses)
    expect(log).toEqual(['+3', 'x7'])
    expect(all.holdsAnything(3)).toBe(false)
  })

  it('preempts the lowest priority, the latest first; the victim comes back before newer requests', () => {
    const { all, log } = setUp()
    const doctors = all.create(pool(), 0, 2)
    all.hold(doctors, 1, 1, 5, 'wait')
    all.hold(doctors, 2, 1, 5, 'wait')
    all.hold(doctors, 3, 1, 5, 'wait')
    const urgent: Want[][] = [[{ does: 'hold', container: doctors, amount: 1, key: null }]]
    expect(all.request(4, urgent, 1, 'wait', 'restart')).toBe('granted')
    expect(log).toEqual(['-2 restart'])
    expect(all.request(5, urgent, 5, 'wait', 'resume')).toBe('waiting')
    all.release(doctors, 4, null, null)
    all.release(doctors, 2, null, null)
    all.release(doctors, 1, null, null)
    expect(log).toEqual(['-2 restart', '+2', '+3', '+5'])
    expect(doctors.preemptions).toBe(1)
  })

  it('a capacity below what is in use evicts nobody, unless the shift suspends', () => {
    for (const offShift of ['finish', 'suspend'] as const) {
      const { all, log } = setUp()
      const nurses = all.create(pool({ offShift }), 0, 3)
      nurses.highest = 3
      for (const holder of [1, 2, 3]) all.hold(nurses, holder, 1, 0, 'wait')
      all.hold(nurses, 4, 1, 0, 'wait')
      all.shift(nurses, 1)
      expect(log).toEqual(offShift === 'finish' ? [] : ['-3 resume', '-2 resume'])
      all.release(nurses, 1, null, null)
      expect(log.at(-1)).toBe(offShift === 'finish' ? undefined : '+2')
      all.shift(nurses, 3)
      expect(log.slice(offShift === 'finish' ? 0 : 3)).toEqual(offShift === 'finish' ? ['+4'] : ['+3', '+4'])
    }
  })

  it('finds the capacity of a schedule and its next change', () => {
    const shifts = new Schedule(
      [
        { time: 8, capacity: 3 },
        { time: 16, capacity: 1 },
      ],
      24,
    )
    expect([0, 8, 15.5, 16, 31, 32].map(time => shifts.at(time))).toEqual([1, 3, 3, 1, 1, 3])
    expect([0, 8, 16, 31.9, 32].map(time => shifts.after(time))).toEqual([8, 16, 32, 32, 40])
    const once = new Schedule([{ time: 5, capacity: 2 }], null)
    expect([once.at(1), once.at(9), once.after(1), once.after(5), once.highest]).toEqual([null, 2, 5, Infinity, 2])
    expect(() => new Schedule([], 0)).toThrow(RangeError)
  })

  it("conserves, keeps its books and obeys Little's law through random operations, saved and restored", () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = stream(seed, 0, 'containers')
      const made = setUp()
      const { clock } = made
      let { all } = made
      // What each holder waits for: since when. The queue's integral must be the sum of all waits.
      const since = new Map<number, number>()
      let waited = 0
      const told = {
        granted: (holder: number) => {
          waited += clock.time - since.get(holder)!
          since.delete(holder)
        },
        preempted: (holder: number) => {
          since.set(holder, clock.time)
        },
      }
      all = new Containers(clock, told)
      const store = all.create(plan({ strict: seed % 2 === 0, order: seed % 3 === 0 ? 'lifo' : 'priority' }), 20, 40)
      const other = all.create(plan({ id: 'o' }), 20, 60)
      let nurses: Container = all.create(pool({ strict: seed % 5 === 0 }), 0, 5)
      nurses.highest = 6
      let outside = 0
      let next = 0
      const levelChanges = (): number => store.level() + other.level() + outside
      let queueArea = 0
      let useArea = 0
      for (let step = 0; step < 400; step++) {
        const passed = uniform(random)
        queueArea += passed * nurses.queueLength
        useArea += passed * nurses.inUse()
        clock.time += passed
        const holder = ++next
        const dice = below(random, 10)
        if (dice < 4) {
          const wants: Want[][] = [[{ does: 'hold', container: nurses, amount: 1 + below(random, 3), key: null }]]
          since.set(holder, clock.time)
          const preempt = below(random, 8) === 0 ? 'resume' : 'none'
          const short = seed % 4 < 2 && preempt === 'none'
          const outcome = short
            ? all.hold(nurses, holder, wants[0]![0]!.amount, below(random, 3), 'wait')
            : all.request(holder, wants, below(random, 3), 'wait', preempt)
          if (outcome === 'granted') since.delete(holder)
        } else if (dice < 6) {
          const busy = Array.from({ length: next }, (_, k) => k).filter(k => all.holdsAnything(k) && !since.has(k))
          if (busy.length > 0) all.releaseAll(busy[below(random, busy.length)]!)
        } else if (dice === 6) all.transfer(store, other, holder, below(random, 20), null, 0, 'branch')
        else if (dice === 7) all.transfer(other, store, holder, below(random, 20), null, 0, 'branch')
        else if (dice === 8) {
          if (all.take(store, holder, below(random, 5), null, 0, 'partial') === 'granted') outside += all.got.amount
        } else if (below(random, 3) > 0) all.setCapacity(nurses, 4 + below(random, 3), null)
        else {
          const waiting = [...since.keys()]
          if (waiting.length > 0) {
            const victim = waiting[below(random, waiting.length)]!
            waited += clock.time - since.get(victim)!
            since.delete(victim)
            all.cancel(victim)
          }
        }
        expect(levelChanges()).toBe(40)
        expect(nurses.queueLength).toBe(since.size)
        let held = 0
        for (let k = 0; k <= next; k++) held += all.held(nurses, k)
        expect(nurses.inUse()).toBe(held)
        // No request waits that can be met (strict queues: the first).
        for (const request of nurses.waiting().slice(0, nurses.plan.strict ? 1 : undefined))
          expect(request.container ? request.amount : request.alternatives[0]![0]!.amount).toBeGreaterThan(nurses.level())
        if (step === 200) {
          const writer = new ValueWriter(plainCodecs)
          const state = all.save(writer)
          const hash = hashOf(state)
          all.load(state, new ValueReader(plainCodecs, writer.table))
          nurses = all.at(nurses.index)
          expect(hashOf(all.save(new ValueWriter(plainCodecs)))).toBe(hash)
        }
      }
      for (const start of since.values()) waited += clock.time - start
      expect(nurses.queues.integral(clock.time)).toBeCloseTo(queueArea, 8)
      expect(queueArea).toBeCloseTo(waited, 8)
      expect(nurses.uses.integral(clock.time)).toBeCloseTo(useArea, 8)
      expect(nurses.utilization(clock.time)).toBeGreaterThan(0)
    }
  })

  it('meets waiting takes and puts as trying each of them in turn does', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = stream(seed, 0, 'goods')
      const { all, log, clock } = setUp()
      const order = (['fifo', 'lifo', 'priority'] as const)[seed % 3]!
      const strict = seed % 4 === 0
      let capacity = 12
      const store = all.create(plan({ order, strict }), 4, capacity)
      // The same, by trying each.
      let level = 4
      const queue: { holder: number; amount: number; priority: number }[] = []
      const expected: string[] = []
      const changed = (amount: number): number | null => {
        const next = level + amount
        return amount <= 0 ? (next >= 0 ? next : null) : next <= capacity ? next : null
      }
      const serve = (): void => {
        for (let k = 0; k < queue.length; k++) {
          const next = changed(queue[k]!.amount)
          if (next !== null) {
            level = next
            expected.push(`+${queue[k]!.holder}`)
            queue.splice(k, 1)
            k = -1
          } else if (strict) break
        }
      }
      const goesBefore = (one: (typeof queue)[number], priority: number): boolean =>
        order === 'priority' ? one.priority <= priority : order === 'fifo'
      for (let holder = 1; holder <= 600; holder++) {
        clock.time += uniform(random)
        const dice = below(random, 20)
        if (dice === 0) {
          level = below(random, capacity + 1)
          all.setLevel(store, level, null)
          serve()
        } else if (dice === 1) {
          capacity = 8 + below(random, 8)
          all.setCapacity(store, capacity, null)
          serve()
        } else if (dice === 2 && queue.length > 0) {
          const [gone] = queue.splice(below(random, queue.length), 1)
          all.cancel(gone!.holder)
          if (strict) serve()
        } else {
          const isPut = below(random, 5) < 2
          const size = (1 + below(random, 5)) / 2
          const [amount, priority] = [isPut ? size : -size, below(random, 3)]
          const place = queue.findIndex(one => !goesBefore(one, priority))
          const next = strict && place !== 0 && queue.length > 0 ? null : changed(amount)
          const outcome = all[isPut ? 'put' : 'take'](store, holder, size, null, priority, 'wait')
          expect(outcome).toBe(next === null ? 'waiting' : 'granted')
          if (next === null) queue.splice(place < 0 ? queue.length : place, 0, { holder, amount, priority })
          else {
            level = next
            serve()
          }
        }
        if (holder % 150 === 0) {
          const writer = new ValueWriter(plainCodecs)
          all.load(all.save(writer), new ValueReader(plainCodecs, writer.table))
        }
        expect(log, `seed ${seed}`).toEqual(expected)
        expect([store.level(), store.queueLength]).toEqual([level, queue.length])
      }
    }
  })

  it('looks at nobody in a long queue who wants more than there is', () => {
    const { all, log } = setUp()
    const goods = all.create(plan({ order: 'fifo' }), 0, Infinity)
    for (let holder = 1; holder <= 2000; holder++) all.take(goods, holder, 5, null, 0, 'wait')
    const looks = vi.spyOn(all.requests, 'at')
    for (let holder = 3001; holder <= 3100; holder++) all.put(goods, holder, 1, null, 0, 'wait')
    expect(log).toEqual(Array.from({ length: 20 }, (_, k) => `+${k + 1}`))
    expect(looks.mock.calls.length).toBeLessThan(400)
  })
})
