// Decide steps during a run: what a policy sees, which actions there are, what the last one led to. One place decides for all of them; learning
// puts itself there.
import type { Element } from '../../model-schema/model.ts'
import { cellText, rowsOf } from '../check/resolve.ts'
import type { NetworkPart, StepPart } from '../check/parts.ts'
import { Tuple } from '../formula/runtime/values.ts'
import { recordOf } from '../kernel/snapshot.ts'
import type { State } from '../kernel/snapshot.ts'
import { below, uniform, type Stream } from '../kernel/random.ts'
import { boundsOf, choicesOf, isWithin, readScript, valuesOf, type Bound } from '../learn/choices.ts'
import { askedOf, describe, type Asked } from '../learn/network.ts'
import { Net } from '../learn/net/net.ts'
import { best, bestAllowed, drawn, outputsOf, softmax } from '../learn/net/shape.ts'
import { Recording } from '../learn/fit/recorded.ts'
import { RunError } from '../problems.ts'
import type { World } from '../world/world.ts'
import { Comers } from './comers.ts'
import type { Kernel } from './kernel.ts'
import { fail, toNumber } from './surface/numbers.ts'

/** A Decide step, as far as its fields say. */
export type DecisionPoint = {
  readonly step: number
  readonly id: string
  readonly policy: string
  readonly drawn: boolean
  readonly learns: boolean
  readonly seen: readonly Bound[]
  readonly actions: readonly Bound[]
  /** How many combinations of whole-number actions there are; 0 when some action is no whole number, or there are too many. */
  readonly choices: number
  readonly network: Asked | null
  /** Weights of the parts of the reward. */
  readonly parts: readonly number[]
  /** Whether some action has a list of the values that are allowed. */
  readonly masked: boolean
  /** Deciders of the same instant decide on the same observed state, before any of them acts. */
  readonly together: boolean
  /** A person is asked, and the run waits for the answer. */
  readonly asks: boolean
  /** Actions in turn; null: they are not scripted, or not as they must be. */
  readonly script: readonly (readonly number[])[] | null
}

/** Whether a Decide step has its tokens wait for what is decided. */
export const waitsAt = ({ fields }: Element): boolean => fields['acting'] === 'together' || asksAt(fields)

/** A person who has no control of the canvas to decide with is asked. */
export const asksAt = (fields: Element['fields']): boolean =>
  fields['policy'] === 'person' && (typeof fields['controller'] !== 'string' || fields['controller'] === '')

/** A decider comes to its decision point. */
export type Decision = {
  readonly point: DecisionPoint
  /** The actor's handle, or -1. */
  readonly owner: number
  /** Scaled to -1 .. 1. */
  readonly seen: readonly number[]
  /** Of the action before, with its parts; null when there was none. */
  readonly reward: number | null
  readonly done: boolean
  /** Whether each combination of actions is possible now; null: all are. */
  readonly allowed: readonly boolean[] | null
  readonly time: number
}

/** How a decider's episode ended: by its rules, or only because the run did. */
export type Ended = {
  readonly point: DecisionPoint
  readonly owner: number
  readonly seen: readonly number[]
  readonly reward: number
  readonly terminated: boolean
  readonly time: number
}

/** Takes the place of the policies in the model. */
export type Decider = {
  /** How many numbers it sees each time; another number of them is problem 10066. */
  readonly inputs: number | null
  /** A combination of actions by its number, or one number from -1 to 1 for each action; null: the policy in the model decides. Asked also when done; then the answer counts for nothing. */
  decide(decision: Decision): number | readonly number[] | null
  ended(end: Ended): void
}

export type DecisionFormulas = {
  /** One value of each row of observations. */
  seen(self: number, t: number): readonly unknown[]
  /** Writes the observations, scaled; null when some is not one number. */
  readonly see: ((self: number, t: number, into: Float32Array) => void) | null
  /** The reward where it is the same number each time. */
  readonly constant: number | null
  reward(self: number, t: number): unknown
  parts(self: number, t: number): readonly unknown[]
  readonly done: ((self: number, t: number) => unknown) | null
  allowed(self: number, t: number): readonly unknown[]
  choice(self: number, t: number): unknown
  person(): unknown
}

const numberIn = (value: unknown, otherwise: number): number => (typeof value === 'number' && Number.isFinite(value) ? value : otherwise)

export function pointOf(step: StepPart, networks: readonly NetworkPart[]): DecisionPoint {
  const { fields } = step.element
  const actions = boundsOf(step.element, 'actions')
  const chosen = networks.find(({ id }) => id === fields['network'])
  const described = fields['policy'] === 'network' && chosen ? describe(chosen.element.fields) : null
  return {
    step: step.index,
    id: step.id,
    policy: typeof fields['policy'] === 'string' ? fields['policy'] : 'random',
    drawn: fields['sampling'] === 'drawn',
    learns: fields['learns'] !== false,
    seen: boundsOf(step.element, 'observation'),
    actions,
    choices: choicesOf(actions),
    network: described && !('field' in described) ? askedOf(described) : null,
    parts: rowsOf(step.element, 'parts').map(row => numberIn(row['weight'], 1)),
    masked: rowsOf(step.element, 'actions').some(row => cellText(row, 'allowed').trim() !== ''),
    together: fields['acting'] === 'together',
    asks: asksAt(fields),
    script: fields['policy'] === 'scripted' ? readScript(scriptIn(fields), actions.length) : null,
  }
}

const scriptIn = ({ script }: Element['fields']): string => (typeof script === 'string' || typeof script === 'number' ? String(script) : '')

/** Numbers from -1 to 1 as actions within their bounds. */
function scaledActions({ actions }: DecisionPoint, outputs: ArrayLike<number>): number[] {
  return actions.map(({ low, high, whole }, k) => {
    const part = (Math.min(1, Math.max(-1, outputs[k]!)) + 1) / 2
    const value = low + part * (high - low)
    return whole ? Math.min(Math.floor(high), Math.max(Math.ceil(low), Math.round(value))) : value
  })
}

/** An observation from -1 (lowest) to 1 (highest). */
export function seenNumber(value: number, low: number, high: number): number {
  if (!Number.isFinite(value)) fail(10015)
  return high > low ? (2 * (Math.min(high, Math.max(low, value)) - low)) / (high - low) - 1 : 0
}

/** A network that takes the best of whole numbers or gives continuous actions, and sees plain numbers: nothing needs to be made for a decision. */
type Quick = {
  readonly net: Net
  /** What it sees and gives of many at once; made when it is first needed. */
  many: Many | null
  readonly softmax: boolean
  readonly see: NonNullable<DecisionFormulas['see']>
  readonly seen: Float32Array
}

/** A decision that waits for a person. */
type Question = {
  readonly point: DecisionPoint
  /** The actor's handle, or -1. */
  readonly owner: number
  /** The values of the observations, as they are. */
  readonly seen: readonly unknown[]
  /** Whether each combination of actions is possible now; null: all are. */
  readonly allowed: readonly boolean[] | null
}

/** What a Decide step goes by; an error where a formula cannot be worked out. */
type Looked = {
  readonly observation: readonly unknown[] | RunError
  /** Of the action before; null: there was none. */
  readonly reward: number | RunError | null
  readonly done: boolean | RunError | null
  /** How likely a network of whole-number actions holds each combination to be the best. */
  readonly chances: readonly number[] | RunError | null
  /** What the policy in the model takes; null where a person is asked, or none is taken. */
  readonly action: readonly number[] | RunError | null
}

/** A decision point of a run; `open`: deciders that wait for the result of their last action, with their tokens. */
type Placed = {
  readonly point: DecisionPoint
  readonly formulas: DecisionFormulas
  readonly stream: Stream
  readonly open: Open
  readonly quick: Quick | null
  /** Tokens that wait for what is decided. */
  readonly comers: Comers
  /** Where each decider is in the script. */
  readonly turns: Map<number, number>
  recording: Recording | null
}

function quickOf(
  { policy, drawn: isDrawn, seen, actions, choices, network, masked }: DecisionPoint,
  { see }: DecisionFormulas,
): Quick | null {
  if (policy !== 'network' || network === null || isDrawn || masked || see === null) return null
  const { shape } = network.net
  if (shape.inputs !== seen.length || outputsOf(shape) !== (choices || actions.length)) return null
  return { ...network, many: null, see, seen: new Float32Array(seen.length) }
}

/** Rows of a network that calculates many at once. */
const rowsAtOnce = 64

type Many = {
  readonly net: Net
  /** Views of each row of what goes in and comes out. */
  readonly inputs: readonly Float32Array[]
  readonly outputs: readonly Float32Array[]
}

function manyOf(net: Net): Many {
  const many = netsOfMany.get(net) ?? new Net(net.shape, rowsAtOnce)
  if (!netsOfMany.has(net)) {
    many.weights = net.weights
    netsOfMany.set(net, many)
  }
  const rows = (all: Float32Array, stride: number, size: number): Float32Array[] =>
    Array.from({ length: rowsAtOnce }, (_, row) => all.subarray(row * stride, row * stride + size))
  return {
    net: many,
    inputs: rows(many.inputs, many.inputStride, net.shape.inputs),
    outputs: rows(many.outputs, many.outputStride, outputsOf(net.shape)),
  }
}

/** One for all runs of a thread. */
const netsOfMany = new WeakMap<Net, Net>()

const slotOf = (owner: number): number => (owner < 0 ? 0 : (owner & 16777215) + 1)

/** Deciders with their tokens, in the order in which they came; by the slot of an individual, which has one token here. */
class Open {
  /** Owners in their order; where one was taken out there is a hole. */
  #owners: number[] = []
  #holes = 0
  /** By slot: the place among the owners, and the token. */
  #places = new Int32Array(16).fill(-1)
  #tokens = new Int32Array(16)

  has(owner: number): boolean {
    return this.#owners[this.#places[slotOf(owner)] ?? -1] === owner
  }

  token(owner: number): number {
    return this.#tokens[slotOf(owner)]!
  }

  set(owner: number, t: number): void {
    const slot = slotOf(owner)
    if (slot >= this.#places.length) this.#grow(slot)
    this.#tokens[slot] = t
    const place = this.#places[slot]!
    if (place >= 0 && this.#owners[place] === owner) return
    this.#places[slot] = this.#owners.length
    this.#owners.push(owner)
  }

  delete(owner: number): void {
    if (!this.has(owner)) return
    const slot = slotOf(owner)
    this.#owners[this.#places[slot]!] = Number.NaN
    this.#places[slot] = -1
    if (++this.#holes > 32 && this.#holes > this.#owners.length / 2) this.#close()
  }

  clear(): void {
    this.#owners = []
    this.#holes = 0
    this.#places.fill(-1)
  }

  owners(): number[] {
    return this.#owners.filter(owner => !Number.isNaN(owner))
  }

  /** Closes the holes. */
  #close(): void {
    this.#owners = this.owners()
    this.#holes = 0
    this.#owners.forEach((owner, place) => (this.#places[slotOf(owner)] = place))
  }

  #grow(slot: number): void {
    const length = Math.max(slot + 1, 2 * this.#places.length)
    const [places, tokens] = [new Int32Array(length).fill(-1), new Int32Array(length)]
    places.set(this.#places)
    tokens.set(this.#tokens)
    this.#places = places
    this.#tokens = tokens
  }
}

export class Decisions {
  readonly #world: World
  /** In the order in which they were added. */
  readonly #points: Placed[] = []
  readonly #byStep: Placed[] = []
  readonly #kernel: Kernel
  readonly #populations: (step: number) => number
  /** Points at which some may wait. */
  #waiting: Placed[] = []
  decider: Decider | null = null
  /** Whether a person can be asked; without one, a decision of a person is problem 10065. */
  hasPerson = false

  constructor(world: World, kernel: Kernel, populationOf: (step: number) => number) {
    this.#world = world
    this.#kernel = kernel
    this.#populations = populationOf
  }

  add(point: DecisionPoint, formulas: DecisionFormulas): void {
    const stream = this.#world.stream(`decide ${point.id}`)
    const comers = new Comers(point.step, this.#kernel.tokens)
    const placed = { point, formulas, stream, open: new Open(), quick: quickOf(point, formulas), comers, turns: new Map(), recording: null }
    this.#points.push(placed)
    if (point.together || point.asks) this.#waiting.push(placed)
    this.#byStep[point.step] = placed
  }

  get points(): readonly DecisionPoint[] {
    return this.#points.map(({ point }) => point)
  }

  /** Keeps what is decided from now on, and forgets what was kept before. */
  record(): void {
    for (const placed of this.#points) placed.recording = new Recording(placed.point)
  }

  /** What was decided since `record`, by Decide step. */
  get recordings(): readonly Recording[] {
    return this.#points.flatMap(({ recording }) => recording ?? [])
  }

  /** What the actions are to be set to; null when the decider's episode is over. */
  decide(step: number, self: number, t: number): number[] | null {
    const placed = this.#byStep[step]!
    if (this.#isQuick(placed)) return quickly(placed, placed.quick!, self, t)
    const seen = seenOf(placed.point, placed.formulas.seen(self, t))
    const values = this.#valuesFor(placed, seen, self, t)
    if (values !== null) placed.recording?.add(this.#world.time, self, seen, values)
    return values
  }

  /** A token comes to a step that has it wait. Learning that decides instead of a person does not wait. */
  waits(step: number, self: number, t: number): boolean {
    const { point, comers } = this.#byStep[step]!
    if (!point.together && this.#isLearning(point)) return false
    if (point.asks && !this.hasPerson && !this.#isLearning(point)) return fail(10065)
    comers.add(t, self)
    return true
  }

  /** What the actions of a token that waited, or did not have to, are to be set to. */
  decided(step: number, self: number, t: number): number[] | null {
    const { point, comers } = this.#byStep[step]!
    return !point.together && this.#isLearning(point) ? this.decide(step, self, t) : comers.take(t)
  }

  #isLearning(point: DecisionPoint): boolean {
    return point.learns && this.decider !== null
  }

  /** Whether some may wait for what is decided. */
  get isGathering(): boolean {
    for (const { comers } of this.#waiting) if (!comers.isEmpty) return true
    return false
  }

  /**
   * Nothing else is due at this instant: joint decisions are taken, and tokens at the end of their episode continue. False when the remaining
   * tokens wait for a person.
   */
  gather(): boolean {
    for (const placed of this.#waiting) {
      if (placed.comers.isEmpty) continue
      if (placed.point.asks && !this.#isLearning(placed.point)) {
        if (this.#dismiss(placed)) return true
      } else if (this.#together(placed)) return true
    }
    return false
  }

  /** All decide, then go on in the order in which they came. */
  #together(placed: Placed): boolean {
    const { comers, point } = placed
    const { tokens, selves } = comers.present
    if (tokens.length === 0) return false
    const before = this.#kernel.current
    placedAt(point, () => {
      if (this.#isQuick(placed)) return this.#quicklyTogether(placed, placed.quick!, tokens, selves)
      tokens.forEach((t, k) => {
        this.#kernel.current = t
        comers.decide(t, this.decide(point.step, selves[k]!, t))
      })
    })
    this.#kernel.current = before
    comers.clear()
    for (const t of tokens) this.#kernel.wake(t)
    return true
  }

  #isQuick({ quick, recording, point }: Placed): boolean {
    return quick !== null && recording === null && !this.#isLearning(point)
  }

  /** The same as of each of them, with the network asked for many at once. */
  #quicklyTogether(placed: Placed, quick: Quick, tokens: readonly number[], selves: readonly number[]): void {
    const { comers, point } = placed
    const many = (quick.many ??= manyOf(quick.net))
    for (let from = 0; from < tokens.length; from += rowsAtOnce) {
      const count = Math.min(rowsAtOnce, tokens.length - from)
      let rows = 0
      for (let k = from; k < from + count; k++) {
        const t = tokens[k]!
        this.#kernel.current = t
        if (looks(placed, quick, selves[k]!, t, many.inputs[rows]!)) deciding[rows++] = t
        else comers.decide(t, null)
      }
      many.net.forward(rows)
      for (let row = 0; row < rows; row++) comers.decide(deciding[row]!, valuesBy(point, quick, many.outputs[row]!))
    }
  }

  /** The first who wait for a person although their episode is over need no answer. */
  #dismiss(placed: Placed): boolean {
    const { point, comers, formulas, open } = placed
    const { tokens, selves } = comers.present
    const [t, self] = [tokens[0], selves[0]]
    if (t === undefined || self === undefined) return false
    return placedAt(point, () => {
      if (formulas.done?.(self, t) === true) {
        open.delete(self)
        this.#goOn(placed, t, null)
        return true
      }
      // What cannot be looked at cannot be asked.
      seenOf(point, formulas.seen(self, t))
      if (point.masked) allowedOf(point, formulas.allowed(self, t))
      return false
    })
  }

  #goOn({ comers }: Placed, t: number, values: number[] | null): void {
    comers.shift()
    comers.decide(t, values)
    this.#kernel.wake(t)
  }

  #first(): { placed: Placed; t: number; self: number } | null {
    for (const placed of this.#waiting) {
      if (placed.comers.isEmpty || !placed.point.asks) continue
      const { tokens, selves } = placed.comers.present
      if (tokens.length > 0) return { placed, t: tokens[0]!, self: selves[0]! }
    }
    return null
  }

  /** What a person is asked; null: nothing. */
  get asked(): Question | null {
    const first = this.#first()
    if (first === null) return null
    const { placed, t, self } = first
    const { point, formulas } = placed
    const allowed = point.masked ? allowedOf(point, formulas.allowed(self, t)) : null
    return { point, owner: self, seen: formulas.seen(self, t), allowed }
  }

  /** What a Decide step would go by if the token entered it now, for who looks on: nothing is changed or drawn by it. */
  look(step: number, self: number, t: number): Looked {
    const { point, formulas, stream, open } = this.#byStep[step]!
    const told = <T>(act: () => T): T | RunError => {
      try {
        return act()
      } catch (error) {
        if (error instanceof RunError) return error
        throw error
      }
    }
    const observation = told(() => formulas.seen(self, t))
    const reward = open.has(self) ? told(() => rewardOf(point, formulas, self, t)) : null
    const done = formulas.done === null ? null : told(() => formulas.done?.(self, t) === true)
    const seen = observation instanceof RunError ? observation : told(() => seenOf(point, observation))
    if (done === true || point.asks || seen instanceof RunError) return { observation, reward, done, chances: null, action: null }
    const allowed = told(() => (point.masked ? allowedOf(point, formulas.allowed(self, t)) : null))
    if (allowed instanceof RunError) return { observation, reward, done, chances: null, action: allowed }
    const isDrawn = point.policy === 'network' && point.choices > 0 && point.network !== null
    const chances = isDrawn ? told(() => chancesOf(point.network!, seen, allowed)) : null
    const action = told(() => actionOf(point, seen, allowed, stream.slice(), () => ownChoice(this.#byStep[step]!, self, t)))
    return { observation, reward, done, chances, action }
  }

  /** The decision of the person that was asked: the token continues at this instant. */
  answer(given: unknown): void {
    const first = this.#first()
    if (first === null) return
    const { placed, t, self } = first
    const { point, formulas, open } = placed
    this.#kernel.current = t
    placedAt(point, () => {
      const values = checkedAction(point, given, point.masked ? allowedOf(point, formulas.allowed(self, t)) : null)
      open.set(self, t)
      placed.recording?.add(this.#world.time, self, seenOf(point, formulas.seen(self, t)), values)
      this.#goOn(placed, t, values)
    })
  }

  #valuesFor(placed: Placed, seen: readonly number[], self: number, t: number): number[] | null {
    const { point, formulas, stream, open, turns } = placed
    const reward = open.has(self) ? rewardOf(point, formulas, self, t) : null
    const done = formulas.done?.(self, t) === true
    if (done) open.delete(self)
    else open.set(self, t)
    const decider = point.learns ? this.decider : null
    if (decider !== null) counted(decider, seen)
    if (done && decider === null) return null
    const allowed = done || !point.masked ? null : allowedOf(point, formulas.allowed(self, t))
    const own = (): unknown => {
      const choice = ownChoice(placed, self, t)
      if (point.script !== null) turns.set(self, (turns.get(self) ?? 0) + 1)
      return choice
    }
    if (decider === null) return actionOf(point, seen, allowed, stream, own)
    const chosen = decider.decide({ point, owner: self, seen, reward, done, allowed, time: this.#world.time })
    if (done) return null
    if (chosen === null) return actionOf(point, seen, allowed, stream, own)
    return typeof chosen === 'number' ? valuesOf(point.actions, chosen) : scaledActions(point, chosen)
  }

  /** An individual is about to die: the result of its last action is computed while it still lives. */
  dying(population: number, handle: number): void {
    for (const placed of this.#points)
      if (placed.turns.size > 0 && this.#populations(placed.point.step) === population) placed.turns.delete(handle)
    for (const placed of this.#points)
      if (placed.open.has(handle) && this.#populations(placed.point.step) === population) this.#close(placed, handle, true)
  }

  /** The run is over: what came of the last actions. `terminated`: by its own rules. */
  end(terminated: boolean): void {
    for (const placed of this.#points) for (const owner of placed.open.owners()) this.#close(placed, owner, terminated)
  }

  #close({ point, formulas, open }: Placed, owner: number, terminated: boolean): void {
    const t = open.token(owner)
    open.delete(owner)
    const { decider } = this
    if (!decider || !point.learns) return
    placedAt(point, () => {
      const seen = seenOf(point, formulas.seen(owner, t))
      counted(decider, seen)
      const reward = rewardOf(point, formulas, owner, t)
      const over = terminated || formulas.done?.(owner, t) === true
      decider.ended({ point, owner, seen, reward, terminated: over, time: this.#world.time })
    })
  }

  save(): State {
    const open = this.#points.map(({ point, open }) => [point.step, ...open.owners().flatMap(owner => [owner, open.token(owner)])])
    const waiting = this.#waiting.flatMap(({ point, comers }) => (comers.isEmpty ? [] : [['waiting', point.step, ...comers.save()]]))
    const turns = this.#points.flatMap(({ point, turns }) =>
      turns.size === 0 ? [] : [['turns', point.step, ...[...turns].flatMap(([owner, turn]) => [owner, turn])]],
    )
    return [...open, ...waiting, ...turns]
  }

  load(saved: State): void {
    for (const { open, comers, turns } of this.#points) {
      open.clear()
      comers.clear()
      turns.clear()
    }
    for (const entry of Array.isArray(saved) ? saved : Object.values(recordOf(saved))) {
      if (!Array.isArray(entry)) continue
      const [first, ...rest] = entry
      if (first === 'waiting' || first === 'turns') {
        const placed = this.#byStep[Number(rest[0])]
        if (first === 'waiting') placed?.comers.load(rest.slice(1).map(Number))
        else for (let k = 1; k + 1 < rest.length; k += 2) placed?.turns.set(Number(rest[k]), Number(rest[k + 1]))
        continue
      }
      const open = this.#byStep[Number(entry[0])]?.open
      for (let k = 1; k + 1 < entry.length; k += 2) open?.set(Number(entry[k]), Number(entry[k + 1]))
    }
  }
}

/** Does what no step under way would say the place of. */
function placedAt<T>({ id }: DecisionPoint, act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof RunError) error.at ??= { id }
    throw error
  }
}

/** The same as of any decision, by the shortest way. */
function quickly(placed: Placed, quick: Quick, self: number, t: number): number[] | null {
  return looks(placed, quick, self, t, quick.seen) ? valuesBy(placed.point, quick, quick.net.predict(quick.seen)) : null
}

/** Writes what is seen; false when the decider's episode is over. */
function looks({ formulas, point, open }: Placed, { see }: Quick, self: number, t: number, into: Float32Array): boolean {
  see(self, t, into)
  if (formulas.constant === null && open.has(self)) rewardOf(point, formulas, self, t)
  if (formulas.done?.(self, t) === true) {
    open.delete(self)
    return false
  }
  open.set(self, t)
  return true
}

function valuesBy(point: DecisionPoint, { softmax: shares }: Quick, outputs: Float32Array): number[] {
  if (!shares) for (let k = 0; k < outputs.length; k++) if (!Number.isFinite(outputs[k]!)) return fail(10015)
  return point.choices === 0 ? scaledActions(point, outputs) : valuesOf(point.actions, best(outputs))
}

/** Tokens of the rows that a network is about to be asked for. */
const deciding = new Int32Array(rowsAtOnce)

function counted({ inputs }: Decider, seen: readonly number[]): void {
  if (inputs !== null && seen.length !== inputs) fail(10066)
}

/** Observations from -1 to 1, in order; lists and positions give several. */
function seenOf({ seen }: DecisionPoint, values: readonly unknown[]): number[] {
  const all: number[] = []
  for (let row = 0; row < values.length; row++) {
    const value = values[row]
    const bound = seen[row]!
    if (value instanceof Tuple) for (const item of value.items) all.push(observed(item, bound))
    else if (Array.isArray(value)) for (const item of value) all.push(observed(item, bound))
    else all.push(observed(value, bound))
  }
  return all
}

function observed(value: unknown, bound: Bound): number {
  return seenNumber(typeof value === 'number' ? value : toNumber(value), bound.low, bound.high)
}

function rewardOf(point: DecisionPoint, formulas: DecisionFormulas, self: number, t: number): number {
  let reward = toNumber(formulas.reward(self, t) ?? 0)
  const parts = formulas.parts(self, t)
  for (let k = 0; k < parts.length; k++) reward += point.parts[k]! * toNumber(parts[k])
  return Number.isFinite(reward) ? reward : fail(10015)
}

/** Which combinations are possible by the lists of allowed values; null: all. Throws 10065 when none is. */
function allowedOf(point: DecisionPoint, lists: readonly unknown[]): readonly boolean[] | null {
  if (point.choices === 0 || lists.every(list => list === null)) return null
  const sets = lists.map(list => (list === null ? null : Array.isArray(list) ? list.map(toNumber) : fail(10010)))
  const allowed = Array.from({ length: point.choices }, (_, choice) =>
    valuesOf(point.actions, choice).every((value, k) => sets[k]?.includes(value) ?? true),
  )
  return allowed.includes(true) ? allowed : fail(10065)
}

function ownChoice({ point: { policy, script }, formulas, turns }: Placed, self: number, t: number): unknown {
  if (script !== null) return script[(turns.get(self) ?? 0) % script.length]
  return policy === 'person' ? formulas.person() : formulas.choice(self, t)
}

/** What the policy in the model takes. */
function actionOf(
  point: DecisionPoint,
  seen: readonly number[],
  allowed: readonly boolean[] | null,
  stream: Stream,
  own: () => unknown,
): number[] {
  const { policy, actions, choices, network } = point
  if (policy === 'random') {
    if (choices === 0)
      return scaledActions(
        point,
        Array.from(actions, () => 2 * uniform(stream) - 1),
      )
    if (allowed === null) return valuesOf(point.actions, below(stream, choices))
    const possible = allowed.flatMap((is, choice) => (is ? [choice] : []))
    return valuesOf(point.actions, possible[below(stream, possible.length)]!)
  }
  if (policy === 'network') {
    if (network === null) return fail(10065)
    const outputs = outputsFor(network, seen)
    if (choices === 0) return outputs.length === actions.length ? scaledActions(point, outputs) : fail(10066)
    if (outputs.length !== choices) return fail(10066)
    if (!point.drawn) return valuesOf(point.actions, bestAllowed(outputs, allowed))
    return valuesOf(point.actions, drawn(softmax(masked(outputs, allowed)), stream))
  }
  return checkedAction(point, own(), allowed)
}

/** An action that a formula, a control or a person gives. */
function checkedAction(point: DecisionPoint, given: unknown, allowed: readonly boolean[] | null): number[] {
  const { actions } = point
  const values = (given instanceof Tuple ? given.items : Array.isArray(given) ? given : [given]).map(toNumber)
  if (values.length !== actions.length) return fail(10065)
  values.forEach((value, k) => {
    if (!isWithin(actions[k]!, value)) fail(10065)
  })
  if (allowed !== null && !allowed.some((is, choice) => is && valuesOf(point.actions, choice).every((value, k) => value === values[k])))
    fail(10065)
  return values
}

const masked = (outputs: Float32Array, allowed: readonly boolean[] | null): Float32Array =>
  allowed === null ? outputs : outputs.map((value, choice) => (allowed[choice] === true ? value : -Infinity))

const chancesOf = (network: Asked, seen: readonly number[], allowed: readonly boolean[] | null): number[] =>
  softmax(masked(outputsFor(network, seen), allowed))

function outputsFor({ net, softmax: shares }: Asked, seen: readonly number[]): Float32Array {
  if (seen.length !== net.shape.inputs) return fail(10066)
  const outputs = net.predict(seen)
  // Shares are in the order of what they are made from.
  if (!shares) for (let k = 0; k < outputs.length; k++) if (!Number.isFinite(outputs[k]!)) return fail(10015)
  return outputs
}

type NamedNetwork = Asked & { readonly id: string }

/** What formulas ask a network. */
export function networkCalls(streamOf: (id: string) => Stream) {
  const run = ({ net }: Asked, inputs: unknown): Float32Array => {
    const values = inputs instanceof Tuple ? inputs.items : Array.isArray(inputs) ? inputs : fail(10010)
    if (values.length !== net.shape.inputs) return fail(10066)
    for (const value of values) if (!Number.isFinite(toNumber(value))) return fail(10015)
    return net.predict(values as number[])
  }
  const all = (network: Asked, inputs: unknown): number[] =>
    Array.from(run(network, inputs), value => (Number.isFinite(value) ? value : fail(10015)))
  return {
    networkPredict: (network: Asked, inputs: unknown): number[] => {
      const outputs = all(network, inputs)
      return network.softmax ? softmax(outputs) : outputs
    },
    networkBest: (network: Asked, inputs: unknown): number => best(run(network, inputs)),
    networkChances: (network: Asked, inputs: unknown): number[] => softmax(all(network, inputs)),
    networkDraw: (network: NamedNetwork, inputs: unknown): number => drawn(softmax(all(network, inputs)), streamOf(network.id)),
    networkValue: (network: Asked, inputs: unknown): number => all(network, inputs)[0]!,
  }
}

/** The network of a component; the checker lets none pass that can't be made. */
export function askedNetwork({ id, element }: NetworkPart): NamedNetwork {
  const described = describe(element.fields)
  if ('field' in described) throw new RunError(10066)
  return { ...askedOf(described), id }
}
