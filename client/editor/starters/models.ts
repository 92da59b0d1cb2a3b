// The skeletons an empty model offers: each runs at once, and has a world or a chart to look at and something to change.
import { chain, type StarterParts } from './parts.ts'
import { say, sayIn, type Words } from '../../../model-schema/words.ts'

export type Starter = {
  readonly id: 'agents' | 'queue' | 'process' | 'cells' | 'network'
  readonly label: Words
  readonly help: Words
  readonly parts: StarterParts
}

const everyTick = { kind: 'start', name: say('Every tick'), values: { trigger: 'timer', every: '1' } }
const end = { kind: 'end' }

const agents: StarterParts = {
  view: { kind: 'worldView', name: say('World'), at: [0, 0], size: [400, 400], values: { space: 'field' } },
  chart: {
    kind: 'chart',
    name: say('How many'),
    at: [416, 0],
    size: [400, 256],
    values: { type: 'line', series: [{ label: say('walkers'), value: '@walker.count', color: '' }] },
  },
  slider: {
    kind: 'controller',
    name: say('Step length'),
    at: [416, 272],
    values: { type: 'slider', target: 'stride', min: 0, max: 3, step: 0.1 },
  },
  field: {
    kind: 'space',
    name: sayIn('place', 'Field'),
    at: [416, 344],
    values: { topology: 'continuous', minX: '0', maxX: '50', minY: '0', maxY: '50' },
  },
  walker: {
    kind: 'agent',
    name: say('Walker'),
    at: [528, 344],
    values: { initialNumber: '100', space: 'field', placement: 'random', shape: 'arrow', size: 1.2 },
  },
  stride: { kind: 'variable', name: say('Stride'), at: [640, 344], values: { initial: '0.5', public: true } },
  walk: { kind: 'process', name: say('Walk'), in: 'walker', at: [80, 80] },
  ...chain('walk', [
    ['walk_start', everyTick],
    ['walk_turn', { kind: 'move', name: say('Turn a little'), values: { motion: 'turn', amount: 'uniform(-40, 40)' } }],
    ['walk_go', { kind: 'move', name: say('Go ahead'), values: { motion: 'forward', amount: '@stride' } }],
    ['walk_end', end],
  ]),
}

const queue: StarterParts = {
  chart: {
    kind: 'chart',
    name: sayIn('noun', 'Waiting'),
    at: [0, 0],
    size: [448, 272],
    values: { type: 'area', series: [{ label: say('waiting'), value: '@server.queue', color: '#c4531d' }] },
  },
  averages: {
    kind: 'chart',
    name: say('On average'),
    at: [464, 0],
    size: [352, 272],
    values: {
      type: 'value',
      series: [
        { label: say('mean wait'), value: '@server.mean_wait', color: '' },
        { label: say('mean queue'), value: '@server.mean_queue', color: '' },
        { label: say('share of time busy'), value: '@server.utilization', color: '' },
      ],
    },
  },
  rateSlider: {
    kind: 'controller',
    name: say('Arrival rate'),
    at: [0, 288],
    values: { type: 'slider', target: 'rate', min: 0.1, max: 3, step: 0.1 },
  },
  serverSlider: {
    kind: 'controller',
    name: say('Number of servers'),
    at: [216, 288],
    values: { type: 'slider', target: 'servers', min: 1, max: 10, step: 1 },
  },
  server: {
    kind: 'container',
    name: say('Server'),
    at: [0, 368],
    values: { reusable: true, initial: '@servers', capacity: '@servers' },
  },
  visit: { kind: 'process', name: say('Visit'), at: [136, 360] },
  rate: { kind: 'variable', name: say('Rate'), at: [280, 368], values: { initial: '0.8', public: true, min: 0.1 } },
  servers: { kind: 'variable', name: say('Servers'), at: [416, 368], values: { initial: '1', public: true, min: 1 } },
  serviceTime: {
    kind: 'variable',
    name: say('Service time'),
    at: [552, 368],
    values: { initial: '1', public: true, min: 0.01 },
  },
  ...chain('visit', [
    [
      'visit_source',
      {
        kind: 'start',
        name: say('Arrive'),
        values: { trigger: 'timer', first: 'exponential(1 / @rate)', every: 'exponential(1 / @rate)' },
      },
    ],
    [
      'visit_service',
      {
        kind: 'delay',
        name: say('Service'),
        values: { duration: 'exponential(@serviceTime)', resources: [{ container: 'server', amount: '1', key: '' }] },
      },
    ],
    ['visit_sink', { kind: 'end', name: sayIn('kind of step', 'Leave') }],
  ]),
}

const process: StarterParts = {
  chart: {
    kind: 'chart',
    name: say('Orders'),
    at: [0, 0],
    size: [448, 272],
    values: {
      type: 'line',
      series: [
        { label: say('waiting for staff'), value: '@staff.queue', color: '#c4531d' },
        { label: say('shipped'), value: '@shipped', color: '#3a9d80' },
        { label: say('rejected'), value: '@rejected', color: '#68717c' },
      ],
    },
  },
  staff: { kind: 'container', name: say('Staff'), at: [0, 288], values: { reusable: true, initial: '2', capacity: '2' } },
  order: { kind: 'process', name: say('Order handling'), at: [136, 280] },
  shipped: { kind: 'variable', name: say('Shipped'), at: [280, 288], values: { initial: '0' } },
  rejected: { kind: 'variable', name: say('Rejected'), at: [280, 328], values: { initial: '0' } },
  ...chain('order', [
    ['order_start', { kind: 'start', name: say('Order comes in'), values: { trigger: 'timer', first: '', every: 'exponential(2)' } }],
    [
      'order_check',
      {
        kind: 'delay',
        name: say('Check'),
        values: { duration: 'triangular(0.5, 1, 2)', resources: [{ container: 'staff', amount: '1', key: '' }] },
      },
    ],
    ['order_ok', { kind: 'gateway', name: say('In order?'), values: { type: 'exclusive', by: 'probability' } }],
    [
      'order_ship',
      {
        kind: 'delay',
        name: say('Ship'),
        values: {
          duration: 'triangular(1, 1.5, 3)',
          after: '@shipped += 1',
          resources: [{ container: 'staff', amount: '1', key: '' }],
        },
      },
    ],
    ['order_end', { kind: 'end', name: say('Done') }],
  ]),
  order_ok_next: { kind: 'flow', in: 'order', from: 'order_ok', to: 'order_ship', values: { weight: '0.9' } },
  order_reject: {
    kind: 'compute',
    name: say('Reject'),
    in: 'order',
    at: [440, 212],
    values: { program: '@rejected += 1' },
  },
  order_refused: { kind: 'end', name: say('Turned down'), in: 'order', at: [624, 228] },
  order_no: { kind: 'flow', in: 'order', from: 'order_ok', to: 'order_reject', values: { weight: '0.1' } },
  order_no_next: { kind: 'flow', in: 'order', from: 'order_reject', to: 'order_refused' },
}

const cells: StarterParts = {
  view: { kind: 'worldView', name: say('Grid'), at: [0, 0], size: [400, 400], values: { space: 'grid' } },
  chart: {
    kind: 'chart',
    name: say('Living cells'),
    at: [416, 0],
    size: [400, 256],
    values: { type: 'line', series: [{ label: say('alive'), value: 'len([c for c in @cell if c.@alive])', color: '#1d3f8f' }] },
  },
  slider: {
    kind: 'controller',
    name: say('Alive at first, %'),
    at: [416, 272],
    values: { type: 'slider', target: 'density', min: 0, max: 100, step: 5 },
  },
  grid: {
    kind: 'space',
    name: say('Plane'),
    at: [416, 344],
    values: { topology: 'discrete', minX: '0', maxX: '59', minY: '0', maxY: '59' },
  },
  cell: { kind: 'cell', name: say('Cell'), at: [528, 344], values: { space: 'grid' } },
  density: { kind: 'variable', name: say('Density'), at: [640, 344], values: { initial: '30', public: true, min: 0, max: 100 } },
  alive: { kind: 'variable', name: say('alive'), in: 'cell', at: [80, 40], values: { initial: 'random() < @density / 100' } },
  paint: { kind: 'process', name: say('Paint'), in: 'cell', at: [80, 104] },
  ...chain('paint', [
    ['paint_start', { kind: 'start', name: say('At first') }],
    ['paint_step', { kind: 'compute', name: say('Colour'), values: { program: 'if @alive:\n    color = "#1d3f8f"' } }],
    ['paint_end', end],
  ]),
  live: { kind: 'process', name: sayIn('starter model', 'Generation'), in: 'cell', at: [232, 104] },
  ...chain('live', [
    ['live_start', everyTick],
    [
      'live_step',
      {
        kind: 'compute',
        name: say('Live or die'),
        values: {
          program:
            'around = sum(1 for n in moore() if n.@alive)\nif @alive and (around < 2 or around > 3):\n    @alive = False\n    color = "#eef1f5"\nelif not @alive and around == 3:\n    @alive = True\n    color = "#1d3f8f"',
        },
      },
    ],
    ['live_end', end],
  ]),
}

const network: StarterParts = {
  view: { kind: 'networkChart', name: say('Network'), at: [0, 0], size: [400, 400], values: { links: ['tie'], layout: 'force' } },
  chart: {
    kind: 'chart',
    name: say('Who has heard'),
    at: [416, 0],
    size: [400, 256],
    values: {
      type: 'line',
      series: [{ label: say('have heard'), value: 'len([p for p in @person if p.@heard])', color: '#d55e00' }],
    },
  },
  slider: {
    kind: 'controller',
    name: say('Chance to pass it on'),
    at: [416, 272],
    values: { type: 'slider', target: 'chance', min: 0, max: 1, step: 0.05 },
  },
  person: { kind: 'agent', name: sayIn('agent', 'Person'), at: [416, 344], values: { initialNumber: '60' } },
  tie: {
    kind: 'link',
    name: say('Friendship'),
    at: [528, 344],
    values: { source: 'person', target: 'person', generator: 'smallWorld', neighbors: '2', probability: '0.1' },
  },
  chance: { kind: 'variable', name: say('Chance'), at: [640, 344], values: { initial: '0.2', public: true, min: 0, max: 1 } },
  heard: { kind: 'variable', name: say('heard'), in: 'person', at: [80, 40], values: { initial: 'id == 1' } },
  begin: { kind: 'process', name: say('First one'), in: 'person', at: [80, 104] },
  ...chain('begin', [
    ['begin_start', { kind: 'start', name: say('At first') }],
    ['begin_paint', { kind: 'compute', name: say('Colour'), values: { program: 'if @heard:\n    color = "#d55e00"' } }],
    ['begin_end', end],
  ]),
  rumour: { kind: 'process', name: say('Rumour'), in: 'person', at: [232, 104] },
  ...chain('rumour', [
    ['rumour_start', everyTick],
    [
      'rumour_hear',
      {
        kind: 'compute',
        name: say('Hear it from a friend'),
        values: {
          program:
            'if not @heard and any(n.@heard and random() < @chance for n in relatives(@tie)):\n    @heard = True\n    color = "#d55e00"',
        },
      },
    ],
    ['rumour_end', end],
  ]),
}

export const starters: readonly Starter[] = [
  {
    id: 'agents',
    label: say('Agents in a space'),
    help: say('People, animals or vehicles that move and meet'),
    parts: agents,
  },
  {
    id: 'queue',
    label: sayIn('waiting', 'Queue'),
    help: say('Arrivals, waiting, servers and service times'),
    parts: queue,
  },
  {
    id: 'process',
    label: say('Process'),
    help: say('Steps, decisions and the staff they need'),
    parts: process,
  },
  {
    id: 'cells',
    label: say('Cells'),
    help: say('A grid on which neighbours matter'),
    parts: cells,
  },
  {
    id: 'network',
    label: say('Network'),
    help: say('Who is linked to whom, and what spreads'),
    parts: network,
  },
]
