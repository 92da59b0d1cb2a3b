// Cells and links in formulas, of rows and of tokens alike: the cell of an individual, the cell at a position, the link between two nodes, the
// degree of a node. Arrays are named by the paths of rows/scope.ts.
import type { EntityPart } from '../check/parts.ts'
import * as ir from '../ir.ts'
import type { Expr } from '../ir.ts'
import * as spaces from '../runtime/spaces.ts'
import type { RowMemory } from './row-memory.ts'
import type { LinkEntry, Someone } from './scope.ts'

type Memory = Pick<RowMemory, 'local' | 'array' | 'element' | 'residents' | 'space'>

export const flag = (is: boolean): Expr => ir.i32(is ? 1 : 0)

// --- places

export function bucketAddress(memory: Memory, entity: EntityPart, slot: Expr): Expr {
  const word = ir.load('i32', ir.i32(memory.residents(entity) + spaces.BUCKET))
  return ir.binary('add', word, ir.binary('shl', slot, ir.i32(2)))
}

/** A coordinate or the heading of an agent. */
export function coordinate(memory: Memory, entity: EntityPart, name: 'x' | 'y' | 'heading', slot: Expr): Expr {
  const word = name === 'x' ? spaces.X : name === 'y' ? spaces.Y : spaces.HEADING
  const column = ir.load('i32', ir.i32(memory.residents(entity) + word))
  return ir.load('f64', ir.binary('add', column, ir.binary('shl', slot, ir.i32(3))))
}

/** The cell an agent stands on, -1 for none. */
export function cellOf(memory: Memory, entity: EntityPart, slot: Expr): Expr {
  const space = entity.space!
  const bucket = ir.load('i32', bucketAddress(memory, entity, slot))
  if (space.topology === 'discrete') return bucket
  const [x, y] = [coordinate(memory, entity, 'x', slot), coordinate(memory, entity, 'y', slot)]
  const at = ir.call('gridAt', 'i32', ir.i32(memory.space(space)), x, y, flag(space.wrapX), flag(space.wrapY))
  return ir.cond(ir.binary('lt', bucket, ir.i32(0)), ir.i32(-1), at)
}

/** A built-in value of a cell or an agent that says where it is; undefined for another. */
export function placeOf(memory: Memory, { entity, slot, handle }: Someone, name: string): Expr | undefined {
  const { space } = entity
  if (!space || space.three) return undefined
  const isCell = entity.kind === 'cell'
  if (name === 'cell') return isCell ? handle : space.cells ? cellOf(memory, entity, slot) : undefined
  if (name !== 'x' && name !== 'y') return name === 'heading' && !isCell ? coordinate(memory, entity, name, slot) : undefined
  if (!isCell) return coordinate(memory, entity, name, slot)
  const at = memory.space(space)
  const columns = ir.load('i32', ir.i32(at + spaces.COLUMNS))
  const part = ir.binary(name === 'x' ? 'rem' : 'div', slot, columns)
  return ir.binary('add', ir.load('f64', ir.i32(at + (name === 'x' ? spaces.GRID_X : spaces.GRID_Y))), ir.unary('toF', part))
}

/** The cell at a position; fails at a place where there is none. */
export function cellAt(memory: Memory, { space }: EntityPart, x: Expr, y: Expr, z: Expr, place: number): Expr | null {
  if (!space || space.three || z.kind !== 'const' || z.value !== 0) return null
  const cell = memory.local('cell', 'i32')
  const at = ir.call('gridAt', 'i32', ir.i32(memory.space(space)), x, y, flag(space.wrapX), flag(space.wrapY))
  return ir.seq(
    [ir.set(cell, at), ir.when(ir.binary('lt', ir.get(cell, 'i32'), ir.i32(0)), [{ kind: 'fail', place }])],
    ir.get(cell, 'i32'),
  )
}

// --- links

/** Whether some are nodes of links. */
export function areNodes(links: EntityPart, ...all: readonly Someone[]): boolean {
  const isNode = ({ entity }: Someone): boolean => (links.source === entity || links.target === entity) && entity.derived.length === 0
  return links.kind === 'link' && links.derived.length === 0 && all.every(isNode)
}

function ofNode(memory: Memory, links: EntityPart, { entity, slot }: Someone, name: string): Expr {
  return ir.load('i32', memory.element(`ln${links.index} ${entity.index}.${name}`, 'i32', slot))
}

/** The slot of the link from one node to another, -1 where there is none; null where they are no nodes of such links. */
export function linkFromTo(memory: Memory, links: EntityPart, from: Someone, to: Someone): Expr | null {
  if (!areNodes(links, from, to)) return null
  const word = (one: Someone, name: string): Expr => ofNode(memory, links, one, name)
  const column = (name: string): Expr => memory.array(`L${links.index}.${name}`)
  return ir.call(
    'linkIn',
    'i32',
    ...[from, to].flatMap(({ entity, slot }) => [slot, ir.i32(entity.index)]),
    ...['outStart', 'outCount'].map(name => word(from, name)),
    ...['inStart', 'inCount'].map(name => word(to, name)),
    ...['nodeAt', 'linkAt', 'source', 'sourcePopulation', 'target', 'targetPopulation'].map(column),
    flag(links.element.fields['directed'] === true),
    flag(links.source !== links.target),
    flag(links.element.fields['repeatable'] !== true),
  )
}

/** The slot of the link with an entry. */
export function linkAtEntry(memory: Memory, { links, address }: LinkEntry): Expr {
  const [linkAt, nodeAt] = ['linkAt', 'nodeAt'].map(name => memory.array(`L${links.index}.${name}`))
  return ir.load('i32', ir.binary('add', ir.binary('sub', address, nodeAt!), linkAt!))
}

/** How many links a node has; null where it is no node of such links. */
export function degreeOf(memory: Memory, links: EntityPart, one: Someone): Expr | null {
  if (!areNodes(links, one)) return null
  const out = ofNode(memory, links, one, 'outCount')
  const isDirected = links.element.fields['directed'] === true
  return ir.unary('toF', isDirected ? ir.binary('add', out, ofNode(memory, links, one, 'inCount')) : out)
}

/** The slot of the node at an end of a link, and its population; null where that is not known. */
export function endOf(
  memory: Memory,
  links: EntityPart,
  side: 'source' | 'target',
  slot: Expr,
): { readonly node: EntityPart; readonly slot: Expr } | null {
  const node = links.kind === 'link' ? links[side] : null
  if (!node || node.derived.length > 0) return null
  return { node, slot: ir.load('i32', memory.element(`L${links.index}.${side}`, 'i32', slot)) }
}
