// Terms of other tools and fields: AnyLogic, Arena, Simio, NetLogo, BPMN, system dynamics and queueing theory, separated by commas. By the
// key of the matching offer.
import { wordsNow } from '../../i18n/locale.ts'
import { kindsOn } from '../../../model-schema/kinds.ts'
import type { CanvasKind } from '../../../model-schema/kinds/kind.ts'
import { offersOn, type Offer } from '../grammar.ts'
import { presetsOn } from './presets.ts'
import { english, say, type Words } from '../../../model-schema/words.ts'

export const synonyms: { readonly [offer: string]: Words } = {
  agent: say(
    'turtle, turtles, breed, individual, person, people, actor, animal, vehicle, population, entity type, object, mover, pedestrian',
  ),
  cell: say('patch, patches, grid, lattice, cellular automaton, cellular automata, tile, raster, land, field cell'),
  link: say('network, edge, graph, tie, relation, relationship, connection, social network, arc'),
  space: say('world, environment, map, plane, topology, continuous space, arena, territory, layout'),
  variable: say('parameter, attribute, property, state, constant, globals, own variable, value, auxiliary, converter, plain variable'),
  container: say('storage, store, inventory, warehouse, tank, buffer, level, bin, account, silo, vessel'),
  'preset/pool': say(
    'resource, resource pool, server, servers, machine, staff, worker, operator, nurse, doctor, clerk, capacity, equipment, teller, station, resource set',
  ),
  'preset/queue': say(
    'queue, queueing, M/M/1, M/M/c, waiting line, waiting room, source service sink, clinic, call centre, shop, service system, discrete event',
  ),
  'preset/stock': say('accumulator, accumulation, reservoir, tank, stock variable'),
  'preset/stockFlow': say('system dynamics, flow, rate, inflow, outflow, stock and flow, valve, differential equation'),
  'preset/input': say('parameter, input, factor, setting, chooser, user input, control parameter'),
  'preset/counter': say('count, counter, number of, tally counter, total'),
  'preset/event': say('event, timeout, scheduled event, shock, drought, at time, once, trigger at time, intervention, schedule'),
  'preset/walkers': say('moving agents, walkers, walk, wander, random walk, brownian, movement'),
  'preset/randomWalk': say('move, walk, wander, wiggle, brownian, movement, go'),
  'preset/infection': say('infect, contagion, disease, epidemic, SIR, spread, virus, transmission, diffusion'),
  'preset/reproduction': say('birth, hatch, offspring, reproduce, breed, sprout'),
  'preset/death': say('die, death, lifetime, mortality, survival'),
  process: say(
    'behaviour, behavior, procedure, go, workflow, flowchart, statechart, state chart, routine, activity diagram, pool, lane, to go',
  ),
  function: say('reporter, to-report, formula, method, table function, lookup, macro'),
  message: say('signal, mail, broadcast, event type, communication'),
  statistic: say('monitor, measure, indicator, KPI, output, metric, tally, dstat, reporter, record, time persistent, dataset'),
  'chart/chart-line': say('plot, time series, time plot, graph, line, curve, trend'),
  'chart/chart-bar': say('bar, column chart, bars, ranking'),
  'chart/chart-histogram': say('distribution, frequency, histogram data'),
  'chart/chart-value': say('monitor, number, display, indicator, readout, gauge'),
  worldView: say('view, world, animation, map, 2D view, presentation, display, space view'),
  networkChart: say('graph view, network view, social network, node-link'),
  'controller/slider': say('range, knob, control, edit parameter'),
  'controller/number': say('input box, edit box, field, spinner'),
  'controller/switch': say('toggle, checkbox, on off, boolean'),
  'controller/select': say('chooser, dropdown, combo box, radio buttons, option'),
  'controller/button': say('press, action, go button, setup'),
  note: say('text, comment, annotation, documentation, label, sticky'),
  frame: say('box, area, region, group box, rectangle'),
  image: say('picture, photo, icon, background'),
  tagset: say('enum, enumeration, categories, option list, states'),
  'start/start': say('start event, enter, setup, initialize, begin, none start, startup'),
  'start/start-timer': say('timer, cyclic, every, periodic, source, arrival, arrivals, clock'),
  'start/start-condition': say('when, trigger, conditional start'),
  'start/start-message': say('on message, message received, receive, incoming'),
  'preset/source': say('arrival, arrivals, generate, generator, creator, arrival process, interarrival, poisson, create entities, entry'),
  'preset/service': say(
    'server, serve, process module, seize delay release, treatment, workstation, machine, processing, activity, work, station, user task',
  ),
  'preset/seize': say('queue, seize, wait for resource, acquire, waiting line, enter queue, hold resource'),
  'preset/assembly': say('assembler, assemble, combine, join parts, match, synchronize, combiner, kit'),
  'preset/batch': say('group, batching, collect, pallet, batcher, load'),
  'preset/hold': say('wait until, gate, scan, condition event, block, wait for'),
  'preset/wander': say('wiggle, random walk, step, brownian, jump'),
  end: say('sink, dispose, exit, leave, terminate, end event, destroy token, departure, stop'),
  compute: say('assign, script, code, calculation, set, action, script task, assignment, program'),
  delay: say('wait, hold, timeout, service time, processing time, pause, task, conveyor, travel time'),
  ask: say('foreach, for each, of, with, select agents, one-of, neighbours, neighbors'),
  call: say('call activity, run process, invoke, submodel, enter, procedure call'),
  subprocess: say('loop, repeat, while, block, group of steps, sub-process, nested'),
  create: say('hatch, sprout, birth, spawn, new agent, split, duplicate, clone, reproduce'),
  destroy: say('die, kill, remove agent, death, delete'),
  move: say('forward, fd, left, right, turn, face, move to, walk, go to, travel, transport'),
  place: say('setxy, move-to, jump, teleport, jump to, set position'),
  'operate/request': say('seize, acquire, allocate, grab, get resource, queue'),
  'operate/release': say('free, give back, return, deallocate, unseize'),
  'operate/take': say('consume, withdraw, use up, outflow, get, remove from'),
  'operate/put': say('produce, store, fill, add to, inflow, deposit, supply'),
  'operate/transfer': say('move stock, ship, flow between, exchange'),
  'gateway/exclusive': say('select output, decide, branch, if, xor, choice, condition, decision, routing, switch'),
  'gateway/probability': say('select output, by chance, random branch, percent, decide by chance, probability branch'),
  'gateway/parallel': say('and, fork, split, join, copy, concurrent, clone token'),
  'gateway/inclusive': say('or, some, multiple choice'),
  'gateway/synchronizing': say('merge, wait for all, rendezvous, combine'),
  'gateway/event': say('first one, race, deferred choice, whichever first, renege'),
  'gateway/mofn': say('batch, join, discriminator, group'),
  log: say('print, show, trace, output, debug, traceln, check, assertion'),
}

/** Everything the palette offers on a canvas: presets first, what does not run last. */
export function everythingOn(canvas: CanvasKind): readonly Offer[] {
  const offers = offersOn(canvas)
  return [...presetsOn(canvas), ...offers.filter(offer => !offer.kind.planned), ...offers.filter(offer => offer.kind.planned)]
}

type Hit = { readonly offer: Offer; /** The word of elsewhere it was found by. */ readonly by: string | null }

/** The offers that match by name or by a term of other tools, the closest first. An empty search returns all in their order. */
export function findIn(offers: readonly Offer[], search: string): readonly Hit[] {
  const wanted = plain(search)
  if (wanted === '') return offers.map(offer => ({ offer, by: null }))
  return offers
    .flatMap((offer, order) => {
      const hit = rankOf(offer, wanted)
      return hit === null ? [] : [{ offer, order, by: hit.by, rank: hit.rank + (offer.kind.planned ? 10 : 0) }]
    })
    .sort((a, b) => a.rank - b.rank || a.order - b.order)
    .map(({ offer, by }) => ({ offer, by }))
}

/** 0 its own name, 1 one of its words, 2 the beginning of its name, 3 that of a word, 4 anywhere in its name, 5 anywhere in a word. */
function rankOf(offer: Offer, wanted: string): { rank: number; by: string | null } | null {
  const names = [offer.label, offer.kind.label]
    .flatMap(label => [english(label), wordsNow(label)])
    .concat(offer.kind.id)
    .map(plain)
  const words = wordsOf(offer)
  const ways: readonly ((text: string) => boolean)[] = [
    text => text === wanted,
    text => text.startsWith(wanted),
    text => text.includes(wanted),
  ]
  for (const [i, fits] of ways.entries()) {
    if (names.some(fits)) return { rank: 2 * i, by: null }
    const by = words.find(word => fits(plain(word)))
    if (by !== undefined) return { rank: 2 * i + 1, by }
  }
  return null
}

/** What else an offer is called. */
export function wordsOf(offer: Offer): readonly string[] {
  const known = synonyms[offer.key] ?? synonyms[offer.kind.id]
  return known ? `${english(known)}, ${wordsNow(known)}`.split(', ') : []
}

const plain = (text: string): string => text.trim().toLowerCase()

/** Kinds that match but belong on another sort of canvas: shown instead of “not found”. */
export function findElsewhere(canvas: CanvasKind, search: string): readonly { offer: Offer; on: CanvasKind }[] {
  if (plain(search) === '') return []
  return elsewhere
    .filter(on => on !== canvas)
    .flatMap(on => findIn(everythingOn(on), search).map(({ offer }) => ({ offer, on })))
    .filter(({ offer }) => !kindsOn(canvas).includes(offer.kind) || offer.make !== undefined)
    .slice(0, 4)
}

const elsewhere: readonly CanvasKind[] = ['root', 'process', 'entity']

/** Where that canvas is found. */
export const placeOf: { readonly [canvas in CanvasKind]?: Words } = {
  root: say('on the scenario'),
  process: say('inside a process'),
  entity: say('inside an agent, cell or link'),
}
