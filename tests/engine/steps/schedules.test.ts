// Capacities: schedules, shifts that suspend work, keys.
import { describe, expect, it } from 'vitest'
import {
  agents,
  container,
  create,
  delay,
  end,
  log,
  model,
  operate,
  process,
  release,
  request,
  resource,
  scenario,
  start,
} from '../../help/models.ts'
import type { Part } from '../../help/models.ts'
import { failureOf, logOf } from '../../help/runs.ts'

const events = scenario({ ticking: false, totalTicks: 100 })
const at = (text: string) => log(`f"${text} {time}"`)

describe('capacities', () => {
  it('a schedule may start at 0, lets ask for what comes later, and holds for those born later', () => {
    const shifts = (capacities: readonly [number, number]): Part =>
      resource('r', 0, {
        schedule: [
          { time: '0', capacity: String(capacities[0]) },
          { time: '6', capacity: String(capacities[1]) },
        ],
      })
    expect(logOf(model(events, shifts([0, 2]), process('P', start(), request('r', 2), at('got'), release('r', 2), end())))).toEqual([
      'got 6',
    ])
    // What no row offers is never met.
    expect(failureOf(model(events, shifts([0, 2]), process('P', start(), request('r', 3, {}), release('r', 3), end())))).toBe(
      '10042 P-operate1 items',
    )
    const built = model(
      events,
      agents(
        'A',
        { initialNumber: '1' },
        shifts([1, 0]),
        process('Look', start(), at('{id}: {r.capacity}'), delay(7), at('{id}: {r.capacity}'), end()),
      ),
      process('P', start(), delay(2), create('A', 1), delay(6), create('A', 1), end()),
    )
    expect(logOf(built)).toEqual(['1: 1 0', '2: 1 2', '1: 0 7', '3: 0 8', '2: 0 9', '3: 0 15'])
  })
  it.each([
    ['finish', ['work 10']],
    ['suspend', ['work 14']],
  ] as const)('work at the end of a shift: %s', (offShift, expected) => {
    const built = model(
      events,
      resource('r', 1, {
        offShift,
        schedule: [
          { time: '0', capacity: '1' },
          { time: '6', capacity: '0' },
          { time: '10', capacity: '1' },
        ],
      }),
      process('P', start(), request('r'), delay(10), release('r'), at('work'), end()),
    )
    expect(logOf(built)).toEqual(expected)
  })
  it('work suspended at the end of a shift goes on in each shift of a schedule that repeats, for activities with resources, too', () => {
    const built = model(
      events,
      resource('r', 1, {
        offShift: 'suspend',
        period: 8,
        schedule: [
          { time: '0', capacity: '1' },
          { time: '2', capacity: '0' },
        ],
      }),
      process(
        'P',
        start(),
        { ...delay(5, 'work'), fields: { duration: '5', resources: [{ container: 'r', amount: '1', key: '' }] } },
        at('done'),
        end(),
      ),
    )
    expect(logOf(built)).toEqual(['done 17'])
  })
  it('a capacity of a container with keys: a number holds for each key, a dict for its keys', () => {
    const keyed = (capacity: string): Part => container('c', { contents: 'keyed', initial: '{"a": 1, "b": 2}', capacity })
    const put = process(
      'P',
      start(),
      operate('put', { items: [{ container: 'c', amount: '2', key: 'b' }] }, 1, { otherwise: 'fail' }),
      log('c.level'),
      end(),
    )
    expect(failureOf(model(events, keyed('3'), put))).toBe('10037 P-operate1 items')
    expect(logOf(model(events, keyed('4'), put))).toEqual(["{'a': 1, 'b': 4}"])
    expect(logOf(model(events, keyed('{"a": 3}'), put))).toEqual(["{'a': 1, 'b': 4}"])
    expect(failureOf(model(events, container('c', { contents: 'keyed', initial: '5' }), process('P', start(), end())))).toBe(
      '10011 c initial',
    )
  })
  it('a store of items: what goes in, how many or which come out, transfers when they can', () => {
    const built = model(
      events,
      container('shelf', { contents: 'items', initial: '["a", "b"]', capacity: '3' }),
      container('cart', { contents: 'items' }),
      process(
        'P',
        start(),
        operate('put', 'shelf', '"c"'),
        operate('take', 'shelf', '"b"', {}, 'which'),
        operate('take', 'shelf', 1, {}, 'many'),
        log('f"{which.output} {many.output} {shelf.items}"'),
        operate('transfer', 'shelf', 2, { target: 'cart' }),
        log('f"{time} {shelf.items} {cart.items}"'),
        end(),
      ),
      process('Q', start(), delay(3), operate('put', 'shelf', '["x", "y"]'), end()),
    )
    expect(logOf(built)).toEqual(["['b'] ['a'] ['c']", "3 ['y'] ['c', 'x']"])
  })
  it('a transfer of what there is loses nothing', () => {
    const built = model(
      events,
      container('tank', { initial: '5', capacity: '9' }),
      container('cup', { initial: '2', capacity: '3' }),
      process('P', start(), operate('transfer', 'tank', 4, { target: 'cup', otherwise: 'partial' }), log('[tank.level, cup.level]'), end()),
    )
    expect(logOf(built)).toEqual(['[4, 3]'])
  })
})
