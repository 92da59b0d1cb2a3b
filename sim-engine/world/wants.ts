// Questions about what a request wants: is it sensible, does it fit now, will it ever, why not.
import { RunError } from '../problems.ts'
import type { Container, Want } from './container.ts'
import { none, type Request } from './requests.ts'

/** 10039 negative, 10015 not finite, 10038 key; put and take are not for reusable containers. */
export function check(want: Want): void {
  if (!(want.amount >= 0)) throw new RunError(10039)
  if (want.amount === Infinity) throw new RunError(10015)
  want.container.keyOf(want.key)
  if (want.container.plan.reusable ? want.does !== 'hold' : false) throw new RunError(10032)
}

export const isFlexible = (request: Request): boolean =>
  request.puts ||
  (request.container === null &&
    (request.alternatives.length > 1 || request.alternatives[0]!.length > 1 || request.alternatives[0]![0]!.does === 'put'))

/** A request that waits for an amount of one sort of goods, or for units of others, and nothing else, is kept in its row from now on. */
export function asRow(request: Request): void {
  if (request.container || request.alternatives.length !== 1) return
  const [want, other] = request.alternatives[0]!
  if (!want || other || want.items || want.container.plan.contents !== 'amount') return
  const { container, amount, does } = want
  const isHold = does === 'hold'
  if (isHold ? request.preempt === 'none' : container.plan.reusable) return
  request.alternatives = none
  request.asks(container, 0, amount, isHold ? undefined : does)
}

/** What run/fast/fast-processes.ts does not serve: not a unit or more of one container, or of each of several that it knows. */
export const isOdd = (request: Request): boolean => {
  const { container, bundle, amount, k } = request
  if (request.movesGoods) return false
  if (container) return !container.isUnits || k !== 0 || !(amount >= 1)
  return bundle === 0 || !request.alternatives.flat().every(want => want.amount >= 1 && !want.container.plan.strict)
}

export const isSame = (some: readonly Want[], others: readonly Want[]): boolean =>
  some.length === others.length &&
  some.every((want, k) => {
    const { does, container, amount, key, items } = others[k]!
    return want.does === does && want.container === container && want.amount === amount && want.key === key && !want.items && !items
  })

/** Each container a request wants something of, once, in the order of its wants. */
export function containersOf({ alternatives, container }: Request): readonly Container[] {
  if (container) return [container]
  const found: Container[] = []
  for (const wants of alternatives) for (const want of wants) if (!found.includes(want.container)) found.push(want.container)
  return found
}

/** No strict queue has others before it. */
export function mayGo(request: Request, wants: readonly Want[]): boolean {
  for (const { container } of wants) if (container.plan.strict && !container.goesFirst(request)) return false
  return true
}

/** Units of the key that can be taken, or items. */
const levelOf = (want: Want, k: number): number =>
  want.container.plan.contents === 'items' ? want.container.stock.length : want.container.levelAt(k)

/** All wants together can be met now. */
export function fits(wants: readonly Want[]): boolean {
  for (let i = 0; i < wants.length; i++) {
    const want = wants[i]!
    const { container } = want
    const k = container.keyOf(want.key)
    // What all wants together take from and put into this key.
    let out = 0
    let back = 0
    for (let j = 0; j < wants.length; j++) {
      const other = wants[j]!
      if (other.container !== container || other.key !== want.key) continue
      if (other.does === 'put') back += other.amount
      else out += other.amount
    }
    const level = levelOf(want, k)
    if (want.does === 'put') {
      if (level - out + back > container.capacities[k]!) return false
    } else {
      if (out > level && !container.plan.negative) return false
      if (container.plan.contents === 'items' && container.plan.reusable && out > container.levelAt(k)) return false
      if (want.items && !want.items.every(item => container.stock.includes(item))) return false
    }
  }
  return true
}

export const isHoldAboveTotal = (want: Want): boolean =>
  want.container.plan.reusable && want.amount > want.container.totalAt(want.container.keyOf(want.key))

/** No change of levels will ever meet it. */
export function isImpossible(want: Want): boolean {
  const { container, amount } = want
  if (want.does !== 'put' && container.plan.negative) return false
  return amount > container.totalAt(container.keyOf(want.key))
}

/** How much of a want can be met now. */
export function possible(want: Want): number {
  const { container } = want
  const k = container.keyOf(want.key)
  const there = want.does === 'put' ? container.capacities[k]! - levelOf(want, k) : levelOf(want, k)
  return Math.min(want.amount, Math.max(0, container.plan.contents === 'items' ? Math.floor(there) : there))
}

/** The largest share of all wants together that can be met now; whole items only. */
export function shareOf(wants: readonly Want[]): number {
  const share = Math.min(1, ...wants.map(want => (want.amount > 0 ? possible(want) / want.amount : 1)))
  const items = wants.find(want => want.container.plan.contents === 'items')
  return items && share < 1 ? Math.floor(items.amount * share) / items.amount : share
}

/** Why wants don't fit. */
export function reason(wants: readonly Want[]): 10036 | 10037 | 10043 {
  for (const want of wants) {
    if (fits([want])) continue
    if (want.does === 'put') return 10037
    return want.items && !want.items.every(item => want.container.stock.includes(item)) ? 10043 : 10036
  }
  return 10036
}

/** Moves items in or out; returns them. */
export function move(want: Want): unknown[] {
  const { stock } = want.container
  if (want.does === 'put') {
    const items = [...(want.items ?? [])]
    stock.push(...items)
    return items
  }
  if (!want.items) return stock.splice(0, want.amount)
  for (const item of want.items) stock.splice(stock.indexOf(item), 1)
  return [...want.items]
}
