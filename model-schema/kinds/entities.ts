// What lives in a scenario: agents, cells, links and the space they stand in.
import { choice, color, flag, formula, name, number, ref, rows, text } from './field.ts'
import { say, type Kind } from './kind.ts'
import { order, orderKey } from './owner.ts'

export const entities: readonly Kind[] = [
  {
    id: 'agent',
    label: say('Agent', '智能体'),
    help: say(
      'A population of individuals with an invisible observer that owns what they share. Enter it to give them variables, containers and processes.',
      '一个由个体组成的群体，另有一个不可见的观察者拥有共享内容。进入后可为其添加变量、容器和流程。',
    ),
    family: 'entity',
    shape: 'entity',
    size: [96, 72],
    on: ['root'],
    opens: 'entity',
    fields: [
      name({ help: say('What formulas call the population, for example `Wolf.count`.', '公式中对该群体的称呼，例如 `Wolf.count`。') }),
      choice(
        'form',
        say('Form', '形式'),
        {
          population: say('Population', '群体'),
          individual: say('Single individual', '单个个体'),
          observer: say('Observer only', '仅观察者'),
        },
        'population',
        {
          help: say(
            'A population has many individuals, a single individual is exactly one (`Boss.individuals[0]`), and an observer has only shared variables and behaviour.',
            '群体有多个个体，单个个体恰好一个（`Boss.individuals[0]`），仅观察者只有共享的变量和行为。',
          ),
        },
      ),
      ref('inherits', say('Inherits from', '继承自'), ['agent'], {
        help: say(
          'Another agent whose variables and processes these individuals get too; ones with the same name override them. Blank: none.',
          '另一个智能体，其变量和流程也归这些个体所有；同名的会覆盖。留空表示不继承。',
        ),
      }),
      formula('initialNumber', say('Initial number', '初始数量'), '10', {
        help: say('Number of individuals at the start, a whole number from 0.', '开始时的个体数量，为不小于 0 的整数。'),
        result: 'number',
        when: { form: ['population'] },
      }),
      ref('space', say('Space', '空间'), ['space'], {
        help: say('The space they live in. Blank: they have no position.', '个体所在的空间。留空则没有位置。'),
      }),
      choice(
        'placement',
        say('Placed', '初始放置'),
        {
          none: say('Not placed', '不放置'),
          random: say('At random', '随机位置'),
          cells: say('On random cells', '随机元胞'),
          emptyCells: say('On random empty cells', '随机空元胞'),
          position: say('By formula', '按公式'),
        },
        'none',
        { help: say('Where individuals stand when they come into being.', '个体诞生时所处的位置。') },
      ),
      formula('position', say('Position', '位置'), '', {
        help: say(
          'Where each individual is placed: `[x, y]` or a cell, worked out for each.',
          '每个个体的放置位置：`[x, y]` 或一个元胞，逐个计算。',
        ),
        when: { placement: ['position'] },
        result: 'list',
      }),
      order('shuffled'),
      orderKey,
      formula('maximum', say('Largest size', '最大数量'), '', {
        help: say(
          'Most individuals alive at once; creating more is a runtime error. Blank: no limit.',
          '同时存活的最大个体数，超过时产生运行错误。留空表示不限。',
        ),
        result: 'number',
        section: 'advanced',
      }),
      ref('chain', say('Account on', '账户所在链'), ['blockchain'], {
        help: say(
          'The chain on which each individual has an account, `self.account`. Blank: none.',
          '每个个体在哪条链上拥有账户 `self.account`。留空表示没有。',
        ),
        section: 'advanced',
      }),
      formula('balance', say('Balance', '余额'), '0', {
        help: say(
          'Wei on the account when an individual comes into being, for example units("10", 18).',
          '个体诞生时账户中的 wei，例如 units("10", 18)。',
        ),
        section: 'advanced',
      }),
      color('color', say('Colour', '颜色'), '#4a7dff', {
        help: say(
          'Colour of the individuals in the world view until a formula sets `color`.',
          '个体在世界视图中的颜色，直到公式设置 `color`。',
        ),
      }),
      choice(
        'shape',
        say('Shape', '形状'),
        {
          circle: say('Circle', '圆形'),
          square: say('Square', '方形'),
          triangle: say('Triangle', '三角形'),
          arrow: say('Arrow', '箭头'),
          person: say('Person', '人形'),
          star: say('Star', '星形'),
        },
        'circle',
        {
          help: say(
            'Shape of the individuals in the world view until a formula sets `shape`.',
            '个体在世界视图中的形状，直到公式设置 `shape`。',
          ),
          section: 'appearance',
        },
      ),
      number('size', say('Size', '大小'), 1, {
        help: say('Diameter in the world view, in units of the space.', '在世界视图中的直径，以空间单位计。'),
        min: 0,
        section: 'appearance',
      }),
      rows(
        'individuals',
        say('Individuals', '个体初始表'),
        [
          number('row', say('Individual', '个体'), 0, {
            help: say('Number of the individual, counted from 0.', '个体序号，从 0 开始。'),
            integer: true,
            min: 0,
          }),
          text('property', say('Property', '属性'), '', { help: say('Name of the variable.', '变量的名称。') }),
          formula('value', say('Value', '值'), '', { help: say('Its value for this individual at the start.', '该个体开始时的取值。') }),
        ],
        {
          help: say('First values of single individuals that differ from the others.', '与其他个体不同的单个个体的初始值。'),
          section: 'advanced',
        },
      ),
    ],
  },
  {
    id: 'cell',
    label: say('Cell', '元胞'),
    help: say(
      'The cells of a space: one individual for each unit square (in 3D cube), all there from the start. Enter it to give them variables and processes.',
      '空间的元胞：每个单位方格（三维中为立方体）一个个体，从一开始就全部存在。进入后可添加变量和流程。',
    ),
    family: 'entity',
    shape: 'cells',
    size: [96, 72],
    on: ['root'],
    opens: 'entity',
    fields: [
      name({
        help: say('What formulas call the cells, for example `Patch.individuals`.', '公式中对元胞的称呼，例如 `Patch.individuals`。'),
      }),
      ref('space', say('Space', '空间'), ['space'], { help: say('The space that the cells tile.', '元胞所铺满的空间。') }),
      number('capacity', say('Agents per cell', '元胞容量'), null, {
        help: say(
          'Most agents that may stand on one cell; moving one more there is a runtime error. Blank: no limit.',
          '一个元胞上最多的智能体数，超过时产生运行错误。留空表示不限。',
        ),
        integer: true,
        min: 1,
      }),
      order('simultaneous'),
      orderKey,
      color('color', say('Colour', '颜色'), '#eef1f5', {
        help: say('Colour of the cells in the world view until a formula sets `color`.', '元胞在世界视图中的颜色，直到公式设置 `color`。'),
      }),
    ],
  },
  {
    id: 'link',
    label: say('Link', '连接'),
    help: say(
      'A network: its individuals are links between two agents or cells. Enter it to give them variables and processes.',
      '一个网络：其个体是两个智能体或元胞之间的连接。进入后可添加变量和流程。',
    ),
    family: 'entity',
    shape: 'link',
    size: [96, 72],
    on: ['root'],
    opens: 'entity',
    fields: [
      name({
        help: say(
          'What formulas call the network, for example `relatives(Friendship)`.',
          '公式中对该网络的称呼，例如 `relatives(Friendship)`。',
        ),
      }),
      ref('source', say('Source', '源'), ['agent', 'cell'], {
        help: say('The population whose individuals links begin at.', '连接起点所属的群体。'),
      }),
      ref('target', say('Target', '目标'), ['agent', 'cell'], {
        help: say('The population whose individuals links end at; it may be the same.', '连接终点所属的群体，可以与起点相同。'),
      }),
      flag('directed', say('Directed', '有向'), false, {
        help: say(
          'Whether a link leads only from its source to its target. Otherwise it joins both ends alike.',
          '连接是否只从源指向目标。否则两端地位相同。',
        ),
      }),
      flag('repeatable', say('Repeatable', '可重复'), false, {
        help: say('Whether the same two may be linked more than once.', '同样的两者之间是否允许多条连接。'),
      }),
      flag('selfLinks', say('Self-links', '允许自连'), false, {
        help: say('Whether something may be linked to itself.', '是否允许与自身相连。'),
      }),
      choice(
        'duplicate',
        say('When it exists already', '重复创建时'),
        { existing: say('Return the existing one', '返回已有连接'), error: say('Error', '报错') },
        'existing',
        {
          help: say('What creating a link does when these two are linked already.', '当两者已经相连时，再次创建连接的处理方式。'),
          section: 'advanced',
          when: { repeatable: [false] },
        },
      ),
      choice(
        'generator',
        say('Generator', '生成器'),
        {
          none: say('None', '无'),
          random: say('Random (Erdős–Rényi)', '随机(Erdős–Rényi)'),
          randomCount: say('Random, given number of links', '随机(指定连接数)'),
          smallWorld: say('Small world (Watts–Strogatz)', '小世界(Watts–Strogatz)'),
          scaleFree: say('Hubs (Barabási–Albert)', '无标度(Barabási–Albert)'),
          ring: say('Ring', '环'),
          lattice: say('Lattice', '网格'),
          complete: say('Complete', '完全图'),
          table: say('From a table', '来自表格'),
        },
        'none',
        { help: say('How the links that are there at the start are made.', '开始时的连接如何生成。') },
      ),
      formula('probability', say('Probability', '概率'), '0.1', {
        help: say(
          'Chance from 0 to 1: of each pair to be linked (random), or of each link to be led elsewhere (small world).',
          '0 到 1 的概率：随机网络中每对相连的概率，或小世界网络中每条连接被重连的概率。',
        ),
        result: 'number',
        when: { generator: ['random', 'smallWorld'] },
      }),
      formula('number', say('Number of links', '连接数'), '100', {
        help: say('How many links are drawn at random.', '随机生成的连接数量。'),
        result: 'number',
        when: { generator: ['randomCount'] },
      }),
      formula('neighbors', say('Neighbours each side', '每侧邻居数'), '2', {
        help: say('To how many nearest nodes on each side of the ring a node is linked.', '环上每个节点与每侧多少个最近节点相连。'),
        result: 'number',
        when: { generator: ['smallWorld', 'ring'] },
      }),
      formula('attach', say('Links per new node', '每个新节点的连接数'), '2', {
        help: say(
          'How many links each new node makes; nodes with many links attract more.',
          '每个新节点建立的连接数，连接多的节点更有吸引力。',
        ),
        result: 'number',
        when: { generator: ['scaleFree'] },
      }),
      rows(
        'table',
        say('Table', '表格'),
        [
          number('from', say('Source', '源'), 0, {
            help: say('Number of the source individual, counted from 0.', '源个体的序号，从 0 开始。'),
            integer: true,
            min: 0,
          }),
          number('to', say('Target', '目标'), 0, {
            help: say('Number of the target individual, counted from 0.', '目标个体的序号，从 0 开始。'),
            integer: true,
            min: 0,
          }),
        ],
        { help: say('One row for each link at the start.', '开始时的每条连接对应一行。'), when: { generator: ['table'] } },
      ),
      formula('weight', say('Weight', '权重'), '1', {
        help: say('Weight of a new link; paths can be measured by it.', '新连接的权重，可用于计算路径长度。'),
        result: 'number',
      }),
      order('shuffled'),
      orderKey,
      color('color', say('Colour', '颜色'), '#9aa4b2', {
        help: say('Colour of the links in the world view until a formula sets `color`.', '连接在世界视图中的颜色，直到公式设置 `color`。'),
      }),
      number('thickness', say('Thickness', '粗细'), 1, {
        help: say('Thickness of the line in pixels until a formula sets `thickness`.', '线的粗细，以像素计，直到公式设置 `thickness`。'),
        min: 0,
        section: 'appearance',
      }),
      choice(
        'lineType',
        say('Line', '线型'),
        { solid: say('Solid', '实线'), dashed: say('Dashed', '虚线'), dotted: say('Dotted', '点线') },
        'solid',
        {
          help: say('How the line is drawn until a formula sets `line_type`.', '线的样式，直到公式设置 `line_type`。'),
          section: 'appearance',
        },
      ),
    ],
  },
  {
    id: 'space',
    label: say('Space', '空间'),
    help: say(
      'A stretch of the world in which agents have positions and cells lie. East is 0 degrees, north 90, and distances respect wrapping.',
      '世界中的一片区域，智能体在其中有位置，元胞铺于其上。东为 0 度，北为 90 度，距离会考虑环绕。',
    ),
    family: 'entity',
    shape: 'space',
    size: [96, 72],
    on: ['root'],
    fields: [
      name({ help: say('What people and formulas call this space.', '人和公式对该空间的称呼。') }),
      choice(
        'topology',
        say('Topology', '拓扑'),
        { discrete: say('Discrete', '离散'), continuous: say('Continuous', '连续') },
        'discrete',
        {
          help: say(
            'Discrete: positions are the middles of cells. Continuous: positions are any points.',
            '离散：位置是元胞中心。连续：位置可以是任意点。',
          ),
        },
      ),
      choice('dimensions', say('Dimensions', '维度'), { two: say('2D', '二维'), three: say('3D', '三维') }, 'two', {
        help: say('Whether positions have two coordinates or three.', '位置有两个坐标还是三个坐标。'),
      }),
      formula('minX', say('Minimum x', 'X 最小值'), '0', {
        help: say('Lowest x. In a discrete space the number of the first column.', '最小的 x。离散空间中为第一列的编号。'),
        result: 'number',
      }),
      formula('maxX', say('Maximum x', 'X 最大值'), '20', {
        help: say(
          'Highest x. In a discrete space the number of the last column, so 0 to 20 are 21 columns.',
          '最大的 x。离散空间中为最后一列的编号，因此 0 到 20 共 21 列。',
        ),
        result: 'number',
      }),
      formula('minY', say('Minimum y', 'Y 最小值'), '0', {
        help: say('Lowest y. In a discrete space the number of the first row.', '最小的 y。离散空间中为第一行的编号。'),
        result: 'number',
      }),
      formula('maxY', say('Maximum y', 'Y 最大值'), '20', {
        help: say(
          'Highest y. In a discrete space the number of the last row; equal to the lowest it is a line of cells.',
          '最大的 y。离散空间中为最后一行的编号；与最小值相等时只有一行元胞。',
        ),
        result: 'number',
      }),
      formula('minZ', say('Minimum z', 'Z 最小值'), '0', {
        help: say('Lowest z. Floor and ceiling never join.', '最小的 z。上下从不相连。'),
        result: 'number',
        when: { dimensions: ['three'] },
      }),
      formula('maxZ', say('Maximum z', 'Z 最大值'), '20', {
        help: say('Highest z.', '最大的 z。'),
        result: 'number',
        when: { dimensions: ['three'] },
      }),
      flag('wrapX', say('Wraps horizontally', '水平环绕'), true, {
        help: say('Whether the left and the right border are joined.', '左右边界是否相连。'),
      }),
      flag('wrapY', say('Wraps vertically', '垂直环绕'), true, {
        help: say('Whether the lower and the upper border are joined.', '上下边界是否相连。'),
      }),
      choice(
        'border',
        say('Moving over a border', '越过边界时'),
        { stop: say('Stops', '停止'), reflect: say('Reflects', '反射'), error: say('Error', '报错') },
        'stop',
        { help: say('What a move does at a border that does not wrap.', '移动遇到不环绕的边界时如何处理。'), section: 'advanced' },
      ),
    ],
  },
]
