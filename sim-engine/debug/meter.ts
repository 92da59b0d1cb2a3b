// Where the time of a run goes. A metered build reports what it enters and leaves; the time between two samples of the clock is added to what
// was entered last. Sums are kept as a call tree. Sampling costs time itself, which is measured once and subtracted. Browsers' clocks are
// coarse: sums over many calls are right, single ones are not.
import type { MeterHooks } from '../run/clockwork/hooks.ts'
import type { Program } from '../compile.ts'
import type { Profile } from '../messages.ts'

/** Most nodes of the tree; what would be one more counts for its caller. */
const maxProfileNodes = 20_000
/** A function among its own callers, looked for so far up: recursion makes no new nodes. */
const highest = 64
/** Looked at so often, a node says something about the cost of looking. */
const often = 500
/** Entries and exits timed to learn what a look costs. */
const trials = 20_000

export class Meter implements MeterHooks {
  readonly #now: () => number
  /** Spots below this are steps. */
  readonly #steps: number
  #spots: number[] = [-1]
  #parents: number[] = [-1]
  #self: number[] = [0]
  #calls: number[] = [0]
  /** Samples of the clock with their time on each node. */
  #looks: number[] = [0]
  #children = new Map<number, number>()
  /** By node: the child entered last, which is often the next again. */
  #lastSpot: number[] = []
  #lastNode: number[] = []
  /** The node entered last, and those it came from. */
  #at = 0
  #stack: number[] = []
  #last = 0
  #running = false
  #instants = 0
  /** Milliseconds of one look. */
  #cost = 0

  constructor(steps: number, now: () => number) {
    this.#steps = steps
    this.#now = now
    this.#begin()
    for (let k = 0; k < trials; k++) {
      this.enter(0)
      this.leave()
    }
    this.pause()
    this.#cost = ((this.#self[0] ?? 0) + (this.#self[1] ?? 0)) / (2 * trials)
    this.#spots = [-1]
    this.#parents = [-1]
    this.#self = [0]
    this.#calls = [0]
    this.#looks = [0]
    this.#children.clear()
    this.#lastSpot = []
    this.#lastNode = []
    this.#instants = 0
  }

  /** An instant begins: time goes to the run itself. */
  resume(): void {
    this.#instants++
    this.#begin()
  }

  /** What runs now is not counted. */
  pause(): void {
    if (this.#running) this.#tick()
    this.#running = false
  }

  enter(spot: number): number {
    if (!this.#running) return 0
    this.#tick()
    const depth = this.#stack.push(this.#at) - 1
    this.#go(spot)
    return depth
  }

  step(spot: number): void {
    if (!this.#running) return
    this.#tick()
    const before = this.#spots[this.#at]!
    // A step follows another of its process: its caller is the same.
    if (before >= 0 && before < this.#steps) this.#at = this.#parents[this.#at]!
    this.#go(spot)
  }

  leave(): void {
    if (!this.#running) return
    this.#tick()
    this.#at = this.#stack.pop() ?? 0
  }

  back(to: number): void {
    if (!this.#running || to >= this.#stack.length) return
    this.#tick()
    this.#at = this.#stack[to] ?? 0
    this.#stack.length = to
  }

  profile(program: Program): Profile {
    const cost = this.#lookCost()
    const nodes = this.#self.map((self, k) => {
      const spot = program.spots[this.#spots[k]!]
      const own = Math.max(0, self - cost * this.#looks[k]!)
      return { parent: this.#parents[k]!, element: spot?.id ?? '', field: spot?.field ?? null, self: own, calls: this.#calls[k]! }
    })
    return { milliseconds: nodes.reduce((sum, node) => sum + node.self, 0), instants: this.#instants, nodes }
  }

  /** The cost of a sample in this program: no more than the shortest of what is often sampled, but near the cost that was measured. */
  #lookCost(): number {
    let bound = Infinity
    for (let k = 1; k < this.#looks.length; k++) if (this.#looks[k]! >= often) bound = Math.min(bound, this.#self[k]! / this.#looks[k]!)
    return bound < Infinity ? Math.min(bound, 3 * this.#cost) : this.#cost
  }

  #begin(): void {
    this.#at = 0
    this.#stack.length = 0
    this.#last = this.#now()
    this.#running = true
  }

  #tick(): void {
    const now = this.#now()
    this.#self[this.#at]! += now - this.#last
    this.#looks[this.#at]!++
    this.#last = now
  }

  #go(spot: number): void {
    const from = this.#at
    let node = this.#lastSpot[from] === spot ? this.#lastNode[from] : undefined
    if (node === undefined) {
      const key = from * 65_536 + spot
      node = this.#children.get(key)
      if (node === undefined) this.#children.set(key, (node = this.#found(spot)))
      this.#lastSpot[from] = spot
      this.#lastNode[from] = node
    }
    this.#calls[node]!++
    this.#at = node
  }

  #found(spot: number): number {
    for (let up = this.#at, k = 0; up > 0 && k < highest; up = this.#parents[up]!, k++) if (this.#spots[up] === spot) return up
    if (this.#spots.length >= maxProfileNodes) return this.#at
    this.#spots.push(spot)
    this.#parents.push(this.#at)
    this.#self.push(0)
    this.#calls.push(0)
    this.#looks.push(0)
    return this.#spots.length - 1
  }
}
