// What a generated program gives to the engine, and the values it keeps that exist once.

/** Entry points of a generated program. */
export type Entries = {
  /** First values of what exists once; `given` is called for each as soon as it is there, so that others may be computed from it. */
  early(given: (index: number) => void): void
  late(given: (index: number) => void): void
  containers(): void
  /** Named accounts of each chain with what they begin with, and the ticks until its next block. */
  chains: { accounts(): { name: string; balance: unknown }[]; blockTime(): unknown }[]
  /** Constructor arguments and amount of each contract. */
  contracts: (() => { values: unknown; value: unknown })[]
  populate(): void
  begin(): void
  tick(): void
  commit(): void
  /** What tokens and functions wrote between ticks that takes effect at the end of its instant. */
  commitLate(): void
  stop(): boolean
  bounds(): number[][]
  bind(): void
  run: ((t: number, pc?: number) => void)[]
  /** Of cells with a stencil, by population: the loop over all of them, and the commit of what it wrote that no other code mentions. */
  cells: Readonly<Record<number, { each(): void; commit(): void }>>
  prepare: (((t: number, owner: number) => void) | null)[]
  copy: ((from: number, to: number) => void)[]
  copyOut: ((from: number, to: number) => void)[]
  receive: ((t: number, payload: unknown, step: number) => void)[]
  returned(t: number, parent: number): void
  conditions: Map<number, (t: number) => boolean>
  fits: Map<number, (t: number, payload: unknown) => boolean>
  interrupt: Map<number, (t: number) => void>
  limits: (((owner: number) => unknown) | null)[]
  births: {
    fresh(i: number, mother: number): void
    place(i: number): void
    init(self: number, i: number): void
    settle(self: number, i: number): void
    begin(self: number, i: number): void
  }[]
  /** Next values of cells that are updated all at once, by the names of their columns, where there are tokens that may write to them. */
  nexts: Record<string, Float64Array | Uint8Array>
  /** How often each timer start without an owner has fired; counted where there is a limit. */
  fired: Float64Array
  statistics: (() => unknown)[]
  charts: (() => unknown)[][]
  axes: ((() => unknown) | null)[]
  intervals: ((() => unknown) | null)[]
  timers: ((owner: number) => void)[]
  schedules: ((() => { time: unknown; capacity: unknown }[]) | null)[]
  maximums: ((() => unknown) | null)[]
  release: Map<number, { rule(t: number): unknown; every(t: number): unknown }>
  /** Fills the populations' properties by name. */
  properties(): void
  /** Population index and handle of the individual that acts without a token, -1 = none. */
  orderOf(): [number, number]
  place(): number
  setPlace(place: number): void
  /** Population index, or -1, and slot of who acts without a token. */
  setActor(population: number, slot: number): void
  /** Where ticks are made of rows, what one of them consists of: loops over populations `each3`, processes `q5`, commits `commit3`. */
  acts?: Readonly<Record<string, () => void>>
  /** Where ticks are made of rows: what their text mentions, by name, as it is now. */
  lend?: () => Readonly<Record<string, unknown>>
  /** Debug build: watched formulas, as seen between two instants. */
  looks?: (() => unknown)[]
}

/** The values that exist once. */
export type Stores = { numbers: Float64Array; flags: Uint8Array; others: unknown[] }
