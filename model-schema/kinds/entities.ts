// Kinds in a scenario: agents, cells, links and their space.
import { choice, color, flag, formula, name, number, ref, rows, text } from './field.ts'
import { type Kind } from './kind.ts'
import { order, orderKey } from './owner.ts'
import { say, sayIn } from '../words.ts'

export const entities: readonly Kind[] = [
  {
    id: 'agent',
    label: say('Agent'),
    help: say(
      'A population of individuals with an invisible observer that owns what they share. Enter it to give them variables, containers and processes.',
    ),
    family: 'entity',
    shape: 'entity',
    size: [96, 72],
    on: ['root'],
    opens: 'entity',
    fields: [
      name({ help: say('What formulas call the population, for example `Wolf.count`.') }),
      choice(
        'form',
        say('Form'),
        {
          population: sayIn('of a model', 'Population'),
          individual: say('Single individual'),
          observer: say('Observer only'),
        },
        'population',
        {
          help: say(
            'A population has many individuals, a single individual is exactly one (`Boss.individuals[0]`), and an observer has only shared variables and behaviour.',
          ),
        },
      ),
      ref('inherits', say('Inherits from'), ['agent'], {
        help: say(
          'Another agent whose variables and processes these individuals get too; ones with the same name override them. Blank: none.',
        ),
      }),
      formula('initialNumber', say('Initial number'), '10', {
        help: say('Number of individuals at the start, a whole number from 0.'),
        result: 'number',
        when: { form: ['population'] },
      }),
      ref('space', say('Space'), ['space'], {
        help: say('The space they live in. Blank: they have no position.'),
      }),
      choice(
        'placement',
        say('Placed'),
        {
          none: say('Not placed'),
          random: sayIn('place', 'At random'),
          cells: say('On random cells'),
          emptyCells: say('On random empty cells'),
          position: say('By formula'),
        },
        'none',
        { help: say('Where individuals stand when they come into being.') },
      ),
      formula('position', say('Position'), '', {
        help: say('Where each individual is placed: `[x, y]` or a cell, worked out for each.'),
        when: { placement: ['position'] },
        result: 'list',
      }),
      order('shuffled'),
      orderKey,
      formula('maximum', say('Largest size'), '', {
        help: say('Most individuals alive at once; creating more is a runtime error. Blank: no limit.'),
        result: 'number',
        section: 'advanced',
      }),
      ref('chain', say('Account on'), ['blockchain'], {
        help: say('The chain on which each individual has an account, `self.account`. Blank: none.'),
        section: 'advanced',
      }),
      formula('balance', say('Balance'), '0', {
        help: say('Wei on the account when an individual comes into being, for example units("10", 18).'),
        section: 'advanced',
      }),
      color('color', say('Colour'), '#4a7dff', {
        help: say('Colour of the individuals in the world view until a formula sets `color`.'),
      }),
      choice(
        'shape',
        say('Shape'),
        {
          circle: say('Circle'),
          square: say('Square'),
          triangle: say('Triangle'),
          arrow: say('Arrow'),
          person: say('Person'),
          star: say('Star'),
        },
        'circle',
        {
          help: say('Shape of the individuals in the world view until a formula sets `shape`.'),
          section: 'appearance',
        },
      ),
      number('size', say('Size'), 1, {
        help: say('Diameter in the world view, in units of the space.'),
        min: 0,
        section: 'appearance',
      }),
      rows(
        'individuals',
        sayIn('table', 'Individuals'),
        [
          number('row', say('Individual'), 0, {
            help: say('Number of the individual, counted from 0.'),
            integer: true,
            min: 0,
          }),
          text('property', say('Property'), '', { help: say('Name of the variable.') }),
          formula('value', say('Value'), '', { help: say('Its value for this individual at the start.') }),
        ],
        {
          help: say('First values of single individuals that differ from the others.'),
          section: 'advanced',
        },
      ),
    ],
  },
  {
    id: 'cell',
    label: say('Cell'),
    help: say(
      'The cells of a space: one individual for each unit square (in 3D cube), all there from the start. Enter it to give them variables and processes.',
    ),
    family: 'entity',
    shape: 'cells',
    size: [96, 72],
    on: ['root'],
    opens: 'entity',
    fields: [
      name({
        help: say('What formulas call the cells, for example `Patch.individuals`.'),
      }),
      ref('space', say('Space'), ['space'], { help: say('The space that the cells tile.') }),
      number('capacity', say('Agents per cell'), null, {
        help: say('Most agents that may stand on one cell; moving one more there is a runtime error. Blank: no limit.'),
        integer: true,
        min: 1,
      }),
      order('simultaneous'),
      orderKey,
      color('color', say('Colour'), '#eef1f5', {
        help: say('Colour of the cells in the world view until a formula sets `color`.'),
      }),
    ],
  },
  {
    id: 'link',
    label: sayIn('between agents', 'Link'),
    help: say('A network: its individuals are links between two agents or cells. Enter it to give them variables and processes.'),
    family: 'entity',
    shape: 'link',
    size: [96, 72],
    on: ['root'],
    opens: 'entity',
    fields: [
      name({
        help: say('What formulas call the network, for example `relatives(Friendship)`.'),
      }),
      ref('source', say('Source'), ['agent', 'cell'], {
        help: say('The population whose individuals links begin at.'),
      }),
      ref('target', say('Target'), ['agent', 'cell'], {
        help: say('The population whose individuals links end at; it may be the same.'),
      }),
      flag('directed', say('Directed'), false, {
        help: say('Whether a link leads only from its source to its target. Otherwise it joins both ends alike.'),
      }),
      flag('repeatable', say('Repeatable'), false, {
        help: say('Whether the same two may be linked more than once.'),
      }),
      flag('selfLinks', say('Self-links'), false, {
        help: say('Whether something may be linked to itself.'),
      }),
      choice(
        'duplicate',
        say('When it exists already'),
        { existing: say('Return the existing one'), error: sayIn('raise an error', 'Error') },
        'existing',
        {
          help: say('What creating a link does when these two are linked already.'),
          section: 'advanced',
          when: { repeatable: [false] },
        },
      ),
      choice(
        'generator',
        say('Generator'),
        {
          none: say('None'),
          random: say('Random (Erdős–Rényi)'),
          randomCount: say('Random, given number of links'),
          smallWorld: say('Small world (Watts–Strogatz)'),
          scaleFree: say('Hubs (Barabási–Albert)'),
          ring: say('Ring'),
          lattice: say('Lattice'),
          complete: say('Complete'),
          table: say('From a table'),
        },
        'none',
        { help: say('How the links that are there at the start are made.') },
      ),
      formula('probability', say('Probability'), '0.1', {
        help: say('Chance from 0 to 1: of each pair to be linked (random), or of each link to be led elsewhere (small world).'),
        result: 'number',
        when: { generator: ['random', 'smallWorld'] },
      }),
      formula('number', say('Number of links'), '100', {
        help: say('How many links are drawn at random.'),
        result: 'number',
        when: { generator: ['randomCount'] },
      }),
      formula('neighbors', say('Neighbours each side'), '2', {
        help: say('To how many nearest nodes on each side of the ring a node is linked.'),
        result: 'number',
        when: { generator: ['smallWorld', 'ring'] },
      }),
      formula('attach', say('Links per new node'), '2', {
        help: say('How many links each new node makes; nodes with many links attract more.'),
        result: 'number',
        when: { generator: ['scaleFree'] },
      }),
      rows(
        'table',
        say('Table'),
        [
          number('from', say('Source'), 0, {
            help: say('Number of the source individual, counted from 0.'),
            integer: true,
            min: 0,
          }),
          number('to', say('Target'), 0, {
            help: say('Number of the target individual, counted from 0.'),
            integer: true,
            min: 0,
          }),
        ],
        { help: say('One row for each link at the start.'), when: { generator: ['table'] } },
      ),
      formula('weight', say('Weight'), '1', {
        help: say('Weight of a new link; paths can be measured by it.'),
        result: 'number',
      }),
      order('shuffled'),
      orderKey,
      color('color', say('Colour'), '#9aa4b2', {
        help: say('Colour of the links in the world view until a formula sets `color`.'),
      }),
      number('thickness', say('Thickness'), 1, {
        help: say('Thickness of the line in pixels until a formula sets `thickness`.'),
        min: 0,
        section: 'appearance',
      }),
      choice(
        'lineType',
        sayIn('line of a drawing', 'Line'),
        { solid: say('Solid'), dashed: say('Dashed'), dotted: say('Dotted') },
        'solid',
        {
          help: say('How the line is drawn until a formula sets `line_type`.'),
          section: 'appearance',
        },
      ),
    ],
  },
  {
    id: 'space',
    label: say('Space'),
    help: say(
      'A stretch of the world in which agents have positions and cells lie. East is 0 degrees, north 90, and distances respect wrapping.',
    ),
    family: 'entity',
    shape: 'space',
    size: [96, 72],
    on: ['root'],
    fields: [
      name({ help: say('What people and formulas call this space.') }),
      choice('topology', say('Topology'), { discrete: say('Discrete'), continuous: say('Continuous') }, 'discrete', {
        help: say('Discrete: positions are the middles of cells. Continuous: positions are any points.'),
      }),
      choice('dimensions', say('Dimensions'), { two: say('2D'), three: say('3D') }, 'two', {
        help: say('Whether positions have two coordinates or three.'),
      }),
      formula('minX', say('Minimum x'), '0', {
        help: say('Lowest x. In a discrete space the number of the first column.'),
        result: 'number',
      }),
      formula('maxX', say('Maximum x'), '20', {
        help: say('Highest x. In a discrete space the number of the last column, so 0 to 20 are 21 columns.'),
        result: 'number',
      }),
      formula('minY', say('Minimum y'), '0', {
        help: say('Lowest y. In a discrete space the number of the first row.'),
        result: 'number',
      }),
      formula('maxY', say('Maximum y'), '20', {
        help: say('Highest y. In a discrete space the number of the last row; equal to the lowest it is a line of cells.'),
        result: 'number',
      }),
      formula('minZ', say('Minimum z'), '0', {
        help: say('Lowest z. Floor and ceiling never join.'),
        result: 'number',
        when: { dimensions: ['three'] },
      }),
      formula('maxZ', say('Maximum z'), '20', {
        help: say('Highest z.'),
        result: 'number',
        when: { dimensions: ['three'] },
      }),
      flag('wrapX', say('Wraps horizontally'), true, {
        help: say('Whether the left and the right border are joined.'),
      }),
      flag('wrapY', say('Wraps vertically'), true, {
        help: say('Whether the lower and the upper border are joined.'),
      }),
      choice(
        'border',
        say('Moving over a border'),
        { stop: say('Stops'), reflect: say('Reflects'), error: sayIn('raise an error', 'Error') },
        'stop',
        { help: say('What a move does at a border that does not wrap.'), section: 'advanced' },
      ),
    ],
  },
]
