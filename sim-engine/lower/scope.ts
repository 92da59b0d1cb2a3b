// What formulas are lowered against: where variables stand, what they may ask of individuals, and why something is not lowered.
import type { CheckedModel } from '../check/checked.ts'
import type { EntityPart, SpacePart } from '../check/parts.ts'
import type { Expr as Node, Span } from '../formula/ast.ts'
import type { CallPlan } from '../formula/plan.ts'
import type { Symbol } from '../formula/scope.ts'
import type { Type } from '../formula/types.ts'
import * as ir from '../ir.ts'
import type { Expr, Mem, Stmt } from '../ir.ts'
import type { ProblemCode } from '../problems.ts'
import type { FormulaLowering } from './formula.ts'
import type { Kept } from './lists.ts'
import { Told } from '../../model-schema/words.ts'

/** Why something is not lowered, in plain words. */
export class NotLowered extends Told {}

/**
 * Where a variable stands: a `bool` holds 0 or 1, a `word` the code of a text of the program's words, a `text` that of any text, a `byte` a
 * small number, an `entity` a handle, a `slot` one that is a slot. `targets` are the addresses a write goes to, where these are others.
 */
export type VariablePlace = {
  readonly mem: Mem
  readonly address: Expr
  readonly offset: number
  readonly holds: 'number' | 'bool' | 'byte' | 'word' | 'text' | 'entity' | 'slot'
  readonly targets?: readonly Expr[]
}

/** Where something stands, and what has to be done before it is looked at. */
export type Placed = { readonly before: readonly Stmt[]; readonly place: VariablePlace }

/** The list that a variable of an individual holds: the address of its record, and that of the heap it stands in, as in runtime/choices.ts. */
export type OwnList = { readonly id: string; readonly of: Type; readonly heap: number; readonly at: Expr; readonly mayChange: boolean }

/** How texts are numbered: as words of the program, or as texts of the processes without tokens. */
export type Numbering = 'word' | 'text'

/** A list of numbers that never changes, and how to look up another position than one of its own. */
export type ConstantList = { readonly items: readonly number[]; at(position: Expr, span: Span): Expr }

/** The list of a shared variable: other positions than its own are for the host. */
export function listOf(
  { parts }: CheckedModel,
  lists: ReadonlyMap<string, readonly number[]>,
  id: string,
  imports: ir.Import[],
  place: FormulaScope['place'],
): ConstantList | undefined {
  const items = lists.get(id)
  const variable = parts.shared.find(one => one.id === id)
  if (!items || !variable) return undefined
  return {
    items,
    at(position, span) {
      if (!imports.some(one => one.name === 'item')) imports.push({ name: 'item', params: ['i32', 'f64', 'i32'], result: 'f64' })
      return ir.call('item', 'f64', ir.i32(variable.index), position, ir.i32(place(10000 as ProblemCode, span)))
    },
  }
}

/** What a function is given: a value, or a list of who calls it. */
export type Given = Expr | Kept
export const isList = (given: Given): given is Kept => 'isRow' in given

/** What formulas of one step share. */
export type FormulaScope = {
  /** Undefined where the variable does not stand in memory. */
  variable(symbol: Symbol): VariablePlace | undefined
  /** A parameter of the function the formula is the body of: a value, or a list. */
  parameter?(name: string): Given | undefined
  /** The code of a text; undefined where it has none. */
  code(text: string, as: Numbering): number | undefined
  /** The address of a container's record; undefined where the container is none of those known. */
  container(id: string): { readonly record: Expr; readonly isGoods: boolean } | undefined
  /** The address of the stream the formulas of the step draw from. */
  stream(): Expr
  /** The address of the record of draws made ahead of it; there is none where many draw from one stream in turn. */
  ahead?(): Expr
  /** A number for an error at a part of the formula; `params` as in problems.ts. */
  place(code: ProblemCode, at: Span): number
  /** A library function of the host with these arguments: `null` stands for one that is left out. Draws come from the stream. */
  library(name: string, draws: boolean, args: readonly (Expr | null)[], result: 'i32' | 'f64', at: Span): Expr
  local(prefix: string, type: 'i32' | 'f64'): string
  /** Numbers that never change, in memory: their address. */
  table(numbers: readonly number[]): Expr
  constantList(id: string): ConstantList | undefined
  /** The address of the steps of loops that are left to an instant. */
  readonly fuelAt: number
  /** A call of a function of the model: `owner` is whose it is where that is not who acts. Undefined where there is none. */
  call(symbol: Symbol, owner: Someone | null, args: readonly (Given | null)[]): Expr | undefined
  /** What is done before the statement that begins at `from` of a program. */
  line?(program: FormulaLowering, from: number): Stmt[]
  /** A variable of the program that a condition of a breakpoint stands in. */
  bound?(name: string): Expr
  /** Individuals and their surroundings. */
  readonly people: People
}

/** What an individual looks like: built-in values that its programs set as they set variables. */
export const looks: ReadonlyMap<string, 'number' | 'bool' | 'text'> = new Map([
  ['color', 'text'],
  ['shape', 'text'],
  ['line_type', 'text'],
  ['size', 'number'],
  ['thickness', 'number'],
  ['weight', 'number'],
  ['visible', 'bool'],
])

/** An individual: its slot, and its handle where one is needed. */
export type Someone = { readonly entity: EntityPart; readonly slot: Expr; readonly handle: Expr; readonly entry?: LinkEntry }

/** Of somebody who acts is linked to, once at most: the address of where the links' `nodeAt` tells so; `linkAt` has the link there. */
export type LinkEntry = { readonly links: EntityPart; readonly address: Expr }

export type Position = { readonly x: Expr; readonly y: Expr }

/** What formulas may ask of individuals and of where they stand. */
export type People = {
  readonly self: Someone | null
  /** Who acts, where the formula is that of somebody chosen. */
  readonly actor: Someone | null
  entity(id: string | null): EntityPart | undefined
  /** The handle's type: slots stand for themselves where nobody dies. */
  handleType(entity: EntityPart): 'i32' | 'f64'
  someone(entity: EntityPart, slot: Expr): Someone
  slotOf(entity: EntityPart, handle: Expr): Expr
  /** Whether the individual with a handle lives. */
  lives(entity: EntityPart, handle: Expr): Expr
  property(entity: EntityPart, symbol: Pick<Symbol, 'kind' | 'name' | 'id'>, slot: Expr): VariablePlace | undefined
  /** The agents of a space, in the order in which they are looked through. */
  residents(space: SpacePart): readonly EntityPart[]
  /** A built-in value of an individual: a number, a truth or a handle. */
  builtin(one: Someone, name: string): Expr | undefined
  /** The bucket an agent stands in, -1 for none. */
  bucket(one: Someone): Expr
  /** How far it is from one position of a space to another, or which way. */
  between(how: 'distanceIn' | 'directionIn', space: SpacePart, from: Position, to: Position): Expr
  /** The slot of the link from one node to another, -1 where there is none; null where they are no nodes of such links. */
  link(links: EntityPart, from: Someone, to: Someone): Expr | null
  /** The slot of the link with an entry. */
  linkAt(entry: LinkEntry): Expr
  /** How many links a node has; null where it is no node of such links. */
  degree(links: EntityPart, one: Someone): Expr | null
  /** A number an observer gives, such as `count`. */
  observed(entity: EntityPart, name: string): Expr | undefined
  /** A call of the world, or a loop over what it finds. */
  query(e: FormulaLowering, call: WorldCall, ordered: boolean): Query | null
  die(one: Someone): Stmt[]
  /** A link from one node to another, both of which live, and which it is; null where they are no nodes of such links. */
  linked(links: EntityPart, from: Someone, to: Someone, weight: Expr): { readonly body: readonly Stmt[]; readonly one: Someone } | null
  /** All links of a node end; null where it is no node of such links. */
  unlinked(links: EntityPart, one: Someone): Stmt[] | null
  /** A birth, and who is born. */
  born(entity: EntityPart): { readonly body: readonly Stmt[]; readonly one: Someone }
  /** Where a first value of a newborn stands; undefined for what is no number or text. */
  first(entity: EntityPart, symbol: Symbol, slot: Expr): VariablePlace | undefined
  /** The list that a variable of somebody holds; undefined for what holds none. Throws NotLowered where it is to be had in JavaScript alone. */
  list?(one: Someone, symbol: Symbol): OwnList | undefined
  /** The record of the list that formulas keep theirs in; null where they keep none. */
  listAt(): number | null
  /** The cell at a position; fails at a place where there is none. */
  cellAt(cells: EntityPart, x: Expr, y: Expr, z: Expr, place: number): Expr | null
  /** One of all of a population, drawn from a stream; fails at a place where nobody lives. */
  anyOf(entity: EntityPart, stream: Expr, place: number): Expr | null
}

/** A query as it is written: its name, and what it is given. */
export type WorldCall = {
  readonly name: string
  readonly of: EntityPart
  readonly args: readonly (Node | null)[]
  readonly plan: CallPlan | undefined
  readonly span: Span
  /** Whoever asks makes a list, or a count: order is not of the loop, and errors tell this part of the formula. */
  readonly use?: 'list' | 'count'
}

/** A loop over individuals: `each` makes its statements from those for one of them. Leaving it goes to the label of the block around it. */
export type Query = {
  readonly each: (body: (one: Someone) => Stmt[]) => Stmt[]
  readonly isShort: boolean
  /** A list of them is in the order of birth, which the loop does not have. */
  readonly isByBirth: boolean
  /** Where their slots stand in a row already: the address of the first, how many, and what has to be done before these are looked at; `links` lead there from who acts. */
  row(): { readonly before: readonly Stmt[]; readonly first: Expr; readonly count: Expr; readonly links: EntityPart | null } | null
  /** How many there are, and each by its place, where neither takes a loop. */
  nth(): { readonly before: readonly Stmt[]; readonly count: Expr; slot(k: Expr): Expr; entry?(k: Expr): LinkEntry | null } | null
}

/** Where `break` and `continue` of a loop go. */
export type Leaving = { readonly out: string; readonly next: string }

/** Whether an expression costs little and can neither fail nor change anything. */
export function isCheap(e: Expr): boolean {
  let nodes = 0
  const see = (one: Expr): boolean => {
    if (++nodes > 8) return false
    switch (one.kind) {
      case 'const':
      case 'get':
        return true
      case 'load':
        return see(one.address)
      case 'unary':
        return see(one.of)
      case 'binary':
        return one.op !== 'div' && one.op !== 'rem' && one.op !== 'land' && one.op !== 'lor' && see(one.left) && see(one.right)
      default:
        return false
    }
  }
  return see(e)
}

export const asFlag = (e: Expr): Expr => (ir.isTruth(e) ? e : ir.binary('ne', e, ir.i32(0)))
