// Space, networks and entities: functions the engine's world carries out. A parameter that defaults to `self` means the
// asker. Examples run in a small world: agents 1 to 4 of Wolf at (0, 0), (1, 0), (0, 2), (5, 5), linked 1-2-3 by Knows.
import type { Row } from './row.ts'
import { row } from './row.ts'

const world = { way: 'world' } as const

export const spaceRows: readonly Row[] = [
  row('space', 'neighbors(radius: number = 1, of: population as P = own, near: entity = self) -> entities of P', 'Others within the radius, nearest first; of the own population unless another is named.', '半径内的其他个体，由近及远；默认为同一群体。', ['len(neighbors(2))', '2'], world),
  row('space', 'neighbor_cells(radius: number = 1, near: entity = self) -> entities of Cells', 'Cells whose centre is within the radius, nearest first, without the own one.', '中心在半径内的元胞，由近及远，不含所在元胞。', ['len(neighbor_cells(1))', '4'], world),
  row('space', 'moore(radius: number = 1, near: entity = self) -> entities of Cells', 'Cells of the square around: 8 for radius 1.', '周围方形内的元胞：半径 1 时为 8 个。', ['len(moore())', '8'], world),
  row('space', 'von_neumann(radius: number = 1, near: entity = self) -> entities of Cells', 'Cells of the diamond around: 4 for radius 1.', '周围菱形内的元胞：半径 1 时为 4 个。', ['len(von_neumann())', '4'], world),
  row('space', 'cell_at(x: number, y: number, z: number = 0) -> entity of Cells', 'The cell at a position.', '某位置上的元胞。', ['cell_at(1, 0) == cell_at(1.2, 0.3)', 'True'], world),
  row('space', 'agents_on(cell: entity = cell, of: population as P = None) -> entities of P', 'Agents on a cell, of one population or of all.', '元胞上的智能体，可指定群体。', ['len(agents_on(cell_at(0, 0), Wolf))', '1'], world),
  row('space', 'nearest(items: items of T, to: entity = self) -> T', 'The nearest of some entities, the asker excepted; None when there is none.', '若干实体中最近的一个（不含自身）；没有则为 None。', ['nearest(Wolf).x', '1'], { way: 'special' }),
  row('space', 'distance(a: any, b: any = self) -> number', 'Shortest distance between two entities or positions (x, y), across wrapped borders.', '两个实体或位置 (x, y) 间的最短距离，考虑环绕边界。', ['distance((3, 4))', '5'], { way: 'special' }),
  row('space', 'direction_to(target: any, origin: any = self) -> number', 'Direction to an entity or position in degrees: east 0, north 90.', '朝向实体或位置的角度：东为 0，北为 90。', ['direction_to((0, 3))', '90'], { way: 'special' }),
]

export const networkRows: readonly Row[] = [
  row('networks', 'relatives(link: population as L, radius: number = 1, weight: bool = False, node: entity = self) -> entities of Nodes', 'Nodes within radius links, nearest first; radius counts link weights when weight is true.', '相隔不超过 radius 条连接的节点，由近及远；weight 为真时按权重计算。', ['len(relatives(Knows, 2))', '2'], world),
  row('networks', 'predecessors(link: population as L, node: entity = self) -> entities of Nodes', 'Nodes with a link to this one.', '有连接指向该节点的节点。', ['len(predecessors(Knows))', '1'], world),
  row('networks', 'successors(link: population as L, node: entity = self) -> entities of Nodes', 'Nodes this one has a link to.', '该节点的连接所指向的节点。', ['len(successors(Knows))', '1'], world),
  row('networks', 'links_of(link: population as L, node: entity = self) -> entities of L', 'Links of a node.', '节点的连接。', ['len(links_of(Knows))', '1'], world),
  row('networks', 'link_between(link: population as L, a: entity, b: entity = self) -> entity of L', 'The link between two nodes, or None.', '两个节点间的连接，没有则为 None。', ['link_between(Knows, nearest(Wolf)) is not None', 'True'], world),
  row('networks', 'degree(link: population as L, node: entity = self) -> number', 'Number of links of a node.', '节点的连接数。', ['degree(Knows)', '1'], world),
  row('networks', 'shortest_path(link: population as L, target: entity, source: entity = self, weight: bool = False) -> entities of Nodes', 'Nodes of a shortest path, both ends included; empty when there is none.', '最短路径上的节点（含两端）；不存在则为空。', ['len(shortest_path(Knows, nearest(Wolf)))', '2'], world),
  row('networks', 'components(link: population as L) -> list of list of entity of Nodes', 'Connected components, each a list of nodes, greatest first.', '连通分量，各为节点列表，大者在前。', ['len(components(Knows)[0])', '3'], { way: 'special' }),
  row('networks', 'clustering(link: population as L, node: entity = None) -> number', 'Clustering coefficient of a node, or the mean over all nodes.', '节点的聚类系数；省略节点时为全体平均。', ['clustering(Knows)', '0'], world),
  row('networks', 'connect(link: population as L, a: entity, b: entity = self, weight: number = 1) -> entity of L', 'Creates a link from b to a.', '创建从 b 到 a 的连接。', ['connect(Knows, Wolf.individuals[3]) is not None', 'True'], { ...world, creates: true, writes: true }),
  row('networks', 'remove_node(link: population as L, node: entity = self) -> none', 'Removes all links of a node.', '移除节点的所有连接。', ['remove_node(Knows)', 'None'], { ...world, creates: true, writes: true }),
]

export const entityRows: readonly Row[] = [
  row('entities', 'create(population: population as P, n: number = None) -> entity of P', 'A new individual; with n, a list of n new ones. Named arguments set its properties.', '新建个体；给出 n 时返回 n 个新个体的列表。命名参数用于设置属性。', ['create(Wolf, energy=7).energy', '7'], { way: 'special', creates: true, writes: true }),
  row('entities', 'die(entity: entity = self) -> none', 'Ends an individual.', '使个体死亡。', ['die(Wolf.individuals[3])', 'None'], { ...world, creates: true, writes: true }),
  row('entities', 'is_alive(entity: entity) -> bool', 'Whether an entity lives; False for None.', '实体是否存活；None 为 False。', ['is_alive(self)', 'True'], world),
]
