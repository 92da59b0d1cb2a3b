// Space, networks and entities: functions the engine's world carries out. A parameter that defaults to `self` means the
// asker. Examples run in a small world: agents 1 to 4 of Wolf at (0, 0), (1, 0), (0, 2), (5, 5), linked 1-2-3 by Knows.
import type { Row } from './row.ts'
import { row } from './row.ts'
import { say } from '../../../model-schema/words.ts'

const world = { way: 'world' } as const

export const spaceRows: readonly Row[] = [
  row(
    'space',
    'neighbors(radius: number = 1, of: population as P = own, near: entity = self) -> entities of P',
    say('Others within the radius, nearest first; of the own population unless another is named.'),
    ['len(neighbors(2))', '2'],
    world,
  ),
  row(
    'space',
    'neighbor_cells(radius: number = 1, near: entity = self) -> entities of Cells',
    say('Cells whose centre is within the radius, nearest first, without the own one.'),
    ['len(neighbor_cells(1))', '4'],
    world,
  ),
  row(
    'space',
    'moore(radius: number = 1, near: entity = self) -> entities of Cells',
    say('Cells of the square around, fewer at borders that are not joined: 8 for radius 1, in 3D 26.'),
    ['len(moore())', '8'],
    world,
  ),
  row(
    'space',
    'von_neumann(radius: number = 1, near: entity = self) -> entities of Cells',
    say('Cells of the diamond around, fewer at borders that are not joined: 4 for radius 1, in 3D 6.'),
    ['len(von_neumann())', '4'],
    world,
  ),
  row(
    'space',
    'cell_at(x: number, y: number, z: number = 0) -> entity of Cells',
    say('The cell at a position. Across a joined border it comes round; outside of the space is an error.'),
    ['cell_at(1, 0) == cell_at(1.2, 0.3)', 'True'],
    world,
  ),
  row(
    'space',
    'agents_on(cell: entity = cell, of: population as P = None) -> entities of P',
    say('Agents on a cell, of one population or of all.'),
    ['len(agents_on(cell_at(0, 0), Wolf))', '1'],
    world,
  ),
  row(
    'space',
    'nearest(items: items of T, to: entity = self) -> T',
    say('The nearest of some entities, the asker excepted; None when there is none.'),
    ['nearest(Wolf).x', '1'],
    { way: 'special' },
  ),
  row(
    'space',
    'distance(a: any, b: any = self) -> number',
    say('Shortest distance between two entities or positions (x, y), across wrapped borders.'),
    ['distance((3, 4))', '5'],
    { way: 'special' },
  ),
  row(
    'space',
    'direction_to(target: any, origin: any = self) -> number',
    say('Direction to an entity or position in degrees: east 0, north 90.'),
    ['direction_to((0, 3))', '90'],
    { way: 'special' },
  ),
]

export const networkRows: readonly Row[] = [
  row(
    'networks',
    'relatives(link: population as L, radius: number = 1, weight: bool = False, node: entity = self) -> entities of Nodes',
    say('Nodes within radius links, nearest first; radius counts link weights when weight is true.'),
    ['len(relatives(Knows, 2))', '2'],
    world,
  ),
  row(
    'networks',
    'predecessors(link: population as L, node: entity = self) -> entities of Nodes',
    say('Nodes with a link to this one.'),
    ['len(predecessors(Knows))', '1'],
    world,
  ),
  row(
    'networks',
    'successors(link: population as L, node: entity = self) -> entities of Nodes',
    say('Nodes this one has a link to.'),
    ['len(successors(Knows))', '1'],
    world,
  ),
  row(
    'networks',
    'links_of(link: population as L, node: entity = self) -> entities of L',
    say('Links of a node.'),
    ['len(links_of(Knows))', '1'],
    world,
  ),
  row(
    'networks',
    'link_between(link: population as L, a: entity, b: entity = self) -> entity of L',
    say('The link between two nodes, or None.'),
    ['link_between(Knows, nearest(Wolf)) is not None', 'True'],
    world,
  ),
  row(
    'networks',
    'degree(link: population as L, node: entity = self) -> number',
    say('Number of links of a node.'),
    ['degree(Knows)', '1'],
    world,
  ),
  row(
    'networks',
    'shortest_path(link: population as L, target: entity, source: entity = self, weight: bool = False) -> entities of Nodes',
    say('Nodes of a shortest path, both ends included; empty when there is none.'),
    ['len(shortest_path(Knows, nearest(Wolf)))', '2'],
    world,
  ),
  row(
    'networks',
    'components(link: population as L) -> list of list of entity of Nodes',
    say('Connected components, each a list of nodes, greatest first.'),
    ['len(components(Knows)[0])', '3'],
    { way: 'special' },
  ),
  row(
    'networks',
    'clustering(link: population as L, node: entity = None) -> number',
    say('Clustering coefficient of a node, or the mean over all nodes.'),
    ['clustering(Knows)', '0'],
    world,
  ),
  row(
    'networks',
    'connect(link: population as L, a: entity, b: entity = self, weight: number = 1) -> entity of L',
    say('Creates a link from b to a.'),
    ['connect(Knows, Wolf.individuals[3]) is not None', 'True'],
    { ...world, creates: true, writes: true },
  ),
  row(
    'networks',
    'remove_node(link: population as L, node: entity = self) -> none',
    say('Removes all links of a node.'),
    ['remove_node(Knows)', 'None'],
    { ...world, creates: true, writes: true },
  ),
]

export const entityRows: readonly Row[] = [
  row(
    'entities',
    'create(population: population as P, n: number = None) -> entity of P',
    say(
      'A new individual; with n, a list of n new ones. Named arguments give its properties their first values, whether they are public or not.',
    ),
    ['create(Wolf, energy=7).energy', '7'],
    { way: 'special', creates: true, writes: true },
  ),
  row('entities', 'die(entity: entity = self) -> none', say('Ends an individual.'), ['die(Wolf.individuals[3])', 'None'], {
    ...world,
    creates: true,
    writes: true,
  }),
  row('entities', 'is_alive(entity: entity) -> bool', say('Whether an entity lives; False for None.'), ['is_alive(self)', 'True'], world),
]
