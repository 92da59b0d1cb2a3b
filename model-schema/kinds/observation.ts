// What watches and steers a run: statistics, charts, world and network views, controllers. They only read, except
// controllers, which set public variables in phase 0.
import { onPages, ofRun } from './card.ts'
import { owner } from './owner.ts'
import { choice, color, flag, formula, name, number, ref, refs, rows, text } from './field.ts'
import { type Kind } from './kind.ts'
import { say, sayIn } from '../words.ts'

export const observation: readonly Kind[] = [
  {
    id: 'statistic',
    label: say('Statistic'),
    help: say(
      'A figure followed through a run: an expression, over the whole world or over a population, sampled as it says. Charts and experiments use it.',
    ),
    family: 'observation',
    shape: 'statistic',
    size: [120, 40],
    on: ['root', 'entity'],
    fields: [
      name({ help: say('What charts, experiments and formulas call it.') }),
      owner,
      ref('over', say('Over'), ['agent', 'cell', 'link'], {
        help: say('The population whose individuals are looked at. Blank: the expression is worked out once, for the world.'),
      }),
      formula('expression', say('Expression'), '', {
        help: say('What is measured; over a population, worked out for each individual.'),
      }),
      formula('filter', say('Filter'), '', {
        help: say('Only individuals for which this is true count. Blank: all.'),
        context: 'condition',
      }),
      choice(
        'aggregate',
        say('Aggregate'),
        {
          last: say('Value'),
          count: say('Count'),
          sum: say('Sum'),
          mean: say('Mean'),
          min: say('Minimum'),
          max: say('Maximum'),
          std: say('Standard deviation'),
          var: say('Variance'),
          median: say('Median'),
          quantile: say('Quantile'),
          gini: say('Gini coefficient'),
          histogram: say('Histogram'),
          list: say('List'),
        },
        'last',
        { help: say('How the values of the individuals become one figure.') },
      ),
      number('quantile', sayIn('which quantile', 'Quantile'), 0.5, {
        help: say('Which quantile: 0.5 is the median, 0.9 is what nine in ten stay below.'),
        min: 0,
        max: 1,
        when: { aggregate: ['quantile'] },
      }),
      formula('group', say('Group by'), '', {
        help: say('Expression by whose values individuals are counted apart. Blank: all together.'),
        section: 'advanced',
      }),
      choice('kind', say('Over time'), { tally: say('Each sample counts alike'), time: say('Time-weighted') }, 'tally', {
        help: say('How the samples become the figure for the whole run: each alike, or by how long each value lasted.'),
        section: 'timing',
      }),
      choice(
        'sample',
        say('Sampled'),
        {
          tick: say('Every tick'),
          interval: say('Every interval'),
          event: say('At every event'),
          end: say('At the end'),
        },
        'tick',
        { help: say('When a value is taken.'), section: 'timing' },
      ),
      formula('interval', sayIn('of time', 'Interval'), '1', {
        help: say('Ticks between two samples.'),
        result: 'number',
        when: { sample: ['interval'] },
        section: 'timing',
      }),
    ],
  },
  {
    id: 'chart',
    label: say('Chart'),
    help: say('A picture of values of a run, drawn live. Each series is one line, bar group or slice.'),
    family: 'observation',
    shape: 'chart',
    size: [360, 240],
    on: ['root', 'cards'],
    fields: [
      text('name', say('Title'), '', { help: say('Heading of the chart.') }),
      choice(
        'type',
        say('Type'),
        {
          line: say('Line'),
          area: say('Area'),
          bar: say('Bar'),
          pie: say('Pie'),
          scatter: say('Scatter'),
          histogram: say('Histogram'),
          heat: say('Heat map'),
          box: say('Box'),
          table: say('Table'),
          value: sayIn('number shown', 'Value'),
        },
        'line',
        { help: say('How the values are drawn.') },
      ),
      rows(
        'series',
        sayIn('of a chart', 'Series'),
        [
          text('label', say('Label'), '', {
            help: say('Name in the legend. Blank: the formula itself.'),
          }),
          formula('value', say('Value'), '', {
            help: say('The value, worked out after every tick; for a histogram a list of values.'),
          }),
          color('color', say('Colour'), '', {
            help: say('Colour of the series. Blank: one is chosen.'),
          }),
        ],
        { help: say('What is drawn.') },
      ),
      formula('x', say('x axis'), '', {
        help: say('Value along the x axis. Blank: the time.'),
        section: 'advanced',
      }),
      text('xLabel', say('x label'), '', {
        help: say('Label of the x axis, with the unit. Blank: none.'),
        section: 'appearance',
      }),
      text('yLabel', say('y label'), '', {
        help: say('Label of the y axis, with the unit. Blank: none.'),
        section: 'appearance',
      }),
      number('window', say('Last ticks shown'), null, {
        help: say('Shows only this many of the last ticks. Blank: the whole run.'),
        min: 1,
        section: 'advanced',
      }),
      number('bins', say('Bins'), 20, {
        help: say('Into how many classes of equal width the values are counted.'),
        integer: true,
        min: 1,
        max: 500,
        when: { type: ['histogram'] },
      }),
      ofRun,
    ],
    presets: [
      { id: 'chart-line', label: say('Line chart'), values: { type: 'line' } },
      { id: 'chart-bar', label: say('Bar chart'), values: { type: 'bar' } },
      { id: 'chart-histogram', label: say('Histogram'), values: { type: 'histogram' } },
      { id: 'chart-value', label: sayIn('number shown', 'Value'), values: { type: 'value' } },
    ],
  },
  {
    id: 'worldView',
    label: say('World view'),
    help: say('A picture of the space: cells behind, links, and agents by shape, colour, size and heading.'),
    family: 'observation',
    shape: 'chart',
    size: [400, 400],
    on: ['root', 'cards'],
    fields: [
      text('name', say('Title'), '', { help: say('Heading of the view.') }),
      ref('space', say('Space'), ['space'], {
        help: say('The space shown. Blank: the only one, or the first.'),
      }),
      refs('layers', sayIn('of a picture', 'Layers'), ['agent', 'cell', 'link'], {
        help: say('Populations shown, the first at the back. Blank: all of this space.'),
      }),
      flag('grid', say('Grid lines'), false, { help: say('Whether lines are drawn between cells.') }),
      flag('links', say('Show links'), true, {
        help: say('Whether links between shown agents are drawn.'),
      }),
      refs('trails', say('Trails of'), ['agent'], {
        help: say('Populations whose agents leave a trail behind them as they move, as if each drew with a pen.'),
      }),
      number('trailLength', say('Length of trails'), 100, {
        help: say('How many pictures long a trail is before its oldest part fades away. Large populations have shorter ones.'),
        integer: true,
        min: 1,
        max: 2000,
      }),
      ofRun,
    ],
  },
  {
    id: 'networkChart',
    label: say('Network chart'),
    help: say('A picture of networks as nodes and links, wherever the nodes stand in space.'),
    family: 'observation',
    shape: 'chart',
    size: [400, 320],
    on: ['root', 'cards'],
    fields: [
      text('name', say('Title'), '', { help: say('Heading of the chart.') }),
      refs('links', sayIn('between agents', 'Links'), ['link'], { help: say('The networks drawn. Blank: all.') }),
      choice('layout', say('Layout'), { force: say('Force'), circle: sayIn('layout', 'Circle'), tree: say('Tree') }, 'force', {
        help: say('How nodes are arranged.'),
      }),
      ofRun,
    ],
  },
  {
    id: 'controller',
    label: say('Controller'),
    help: say('A control on the canvas by which people change a variable or start a process while the model runs.'),
    family: 'observation',
    shape: 'controller',
    size: [200, 56],
    on: ['root', 'cards', 'dashboard'],
    fields: [
      text('name', say('Label'), '', {
        help: say("Text beside the control. Blank: the variable's name."),
      }),
      choice(
        'type',
        say('Type'),
        {
          slider: say('Slider'),
          number: say('Number'),
          switch: say('Switch'),
          select: say('Select'),
          text: say('Text'),
          longText: say('Long text'),
          button: say('Button'),
        },
        'slider',
        { help: say('What sort of control it is.') },
      ),
      ref('target', say('Variable'), ['variable'], {
        help: say('The variable it sets.'),
        when: { type: ['slider', 'number', 'switch', 'select', 'text', 'longText'] },
      }),
      ref('process', say('Process'), ['process'], {
        help: say('The passive global process that pressing it starts.'),
        when: { type: ['button'] },
      }),
      number('min', sayIn('start of an axis', 'From'), 0, {
        help: say('Lowest value that can be chosen.'),
        when: { type: ['slider', 'number'] },
      }),
      number('max', sayIn('end of an axis', 'To'), 100, {
        help: say('Highest value that can be chosen.'),
        when: { type: ['slider', 'number'] },
      }),
      number('step', say('Step'), 1, {
        help: say('Distance between two values that can be chosen.'),
        when: { type: ['slider', 'number'] },
      }),
      rows(
        'options',
        say('Options'),
        [
          text('label', say('Label'), '', { help: say('Text of the choice.') }),
          formula('value', say('Value'), '', { help: say('Value the variable gets.') }),
        ],
        { help: say('The choices.'), when: { type: ['select'] } },
      ),
      ...onPages,
      ofRun,
    ],
    presets: [
      { id: 'slider', label: say('Slider'), values: { type: 'slider' } },
      { id: 'number', label: say('Number'), values: { type: 'number' } },
      { id: 'switch', label: say('Switch'), values: { type: 'switch' } },
      { id: 'select', label: say('Select'), values: { type: 'select' } },
      { id: 'button', label: say('Button'), values: { type: 'button' } },
    ],
  },
]
