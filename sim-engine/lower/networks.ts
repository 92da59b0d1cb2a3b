// Links in formulas -> the intermediate representation: which join two, how many a node has, those that come and go.
import type { EntityPart } from '../check/parts.ts'
import type { CallNode, Expr as Node } from '../formula/ast.ts'
import type { CallPlan } from '../formula/plan.ts'
import * as ir from '../ir.ts'
import type { Expr, Stmt } from '../ir.ts'
import { whoever } from './best.ts'
import type { Whoever } from './best.ts'
import type { FormulaLowering } from './formula.ts'
import type { People } from './scope.ts'

type RowPlan = CallPlan & { is: 'row' }

const noneOf = (type: 'i32' | 'f64'): Expr => (type === 'f64' ? ir.f64(-1) : ir.i32(-1))
const isNone = (handle: Expr): Expr => ir.binary('lt', handle, handle.type === 'f64' ? ir.f64(0) : ir.i32(0))

/** The population of links an argument names. */
function linksOf(e: FormulaLowering, people: People, network: Node | null | undefined): EntityPart | undefined {
  const type = network ? e.typeOf(network) : undefined
  return type?.is === 'observer' ? people.entity(type.of) : undefined
}

/** None and the dead fail. */
function isThere(e: FormulaLowering, people: People, { one: { entity, handle }, sure }: Whoever, node: CallNode): Stmt[] {
  const unless = (bad: Expr, code: 10014 | 10053): Stmt => ir.when(bad, [{ kind: 'fail', place: e.scope.place(code, node) }])
  const lives = handle.type === 'f64' ? [unless(ir.not(people.lives(entity, handle)), 10053)] : []
  return sure ? [] : [unless(isNone(handle), 10014), ...lives]
}

/** How many links a node has. */
export function degree(e: FormulaLowering, people: People, plan: RowPlan, node: CallNode): Expr | null {
  const [network, given] = plan.args
  const links = linksOf(e, people, network)
  const who = whoever(e, people, given ?? null)
  const count = links && who && people.degree(links, who.one)
  return count ? ir.seq([...who.before, ...isThere(e, people, who, node)], count) : null
}

/** The link between two nodes. */
export function linkBetween(e: FormulaLowering, people: People, plan: RowPlan, node: CallNode): Expr | null {
  const [network, first, second] = plan.args
  const links = linksOf(e, people, network)
  const [b, a] = [first ? whoever(e, people, first) : null, whoever(e, people, second ?? null)]
  if (!links || !a || !b) return null
  const ends = [a, b].map(one => isThere(e, people, one, node))
  // Who was found by its link is known with it.
  const entry = a.one === people.self && first && !e.f.mayCreate ? e.entryOf(first) : undefined
  const link = entry?.links === links ? people.linkAt(entry) : people.link(links, a.one, b.one)
  if (!link) return null
  const kept = e.keep(link)
  const found = people.someone(links, kept.get).handle
  const handle = ir.cond(isNone(kept.get), noneOf(people.handleType(links)), found)
  return ir.seq([...b.before, ...a.before, ...ends.flat(), ...kept.set], handle)
}

/** A new link from the second to the first, or the one there is. */
export function connected(e: FormulaLowering, people: People, plan: RowPlan, node: CallNode): Expr | null {
  const [network, first, second, given] = plan.args
  const links = linksOf(e, people, network)
  const [to, from] = [first ? whoever(e, people, first) : null, whoever(e, people, second ?? null)]
  if (!links || !to || !from) return null
  const weight = e.keep(given ? e.real(given) : ir.f64(1))
  const unless = (bad: Expr, code: 10057 | 10058 | 10059): Stmt => ir.when(bad, [{ kind: 'fail', place: e.scope.place(code, node) }])
  const isGone = ({ one: { entity, handle } }: Whoever): Expr => ir.not(people.lives(entity, handle))
  const [a, b] = [from, to].map(({ one }) => {
    const slot = e.scope.local('end', 'i32')
    return { set: ir.set(slot, people.slotOf(one.entity, one.handle)), one: { ...one, slot: ir.get(slot, 'i32') } }
  })
  const made = people.linked(links, a!.one, b!.one, weight.get)
  const known = links.element.fields['repeatable'] === true ? null : people.link(links, a!.one, b!.one)
  if (!made || (!known && links.element.fields['repeatable'] !== true)) return null
  const type = people.handleType(links)
  const link = e.scope.local('linked', type)
  const makes = [...made.body, ir.set(link, made.one.handle)]
  const kept = known && e.keep(known)
  const isSame = a!.one.entity === b!.one.entity && links.element.fields['selfLinks'] !== true
  const either: Stmt[] = kept
    ? [
        ...kept.set,
        ir.when(
          isNone(kept.get),
          makes,
          links.element.fields['duplicate'] === 'error'
            ? [{ kind: 'fail', place: e.scope.place(10057, node) }]
            : [ir.set(link, people.someone(links, kept.get).handle)],
        ),
      ]
    : makes
  return ir.seq(
    [
      ...to.before,
      ...from.before,
      ...weight.set,
      unless(isGone(from), 10058),
      unless(isGone(to), 10058),
      a!.set,
      b!.set,
      ...(isSame ? [unless(ir.binary('eq', a!.one.slot, b!.one.slot), 10059)] : []),
      ...either,
    ],
    ir.get(link, type),
  )
}

/** The end of all links of a node. */
export function unlinked(e: FormulaLowering, people: People, plan: RowPlan, node: CallNode): Expr | null {
  const [network, given] = plan.args
  const links = linksOf(e, people, network)
  const who = whoever(e, people, given ?? null)
  if (!links || !who) return null
  const slot = e.scope.local('node', 'i32')
  const ended = people.unlinked(links, { ...who.one, slot: ir.get(slot, 'i32') })
  if (!ended) return null
  const found = ir.set(slot, people.slotOf(who.one.entity, who.one.handle))
  return ir.seq([...who.before, ...isThere(e, people, who, node), found, ...ended], ir.i32(0))
}
