// Dashboards and charts as files of their own: the scenario of a model they show, and their layout. The cards are of the same kinds as on a
// model's canvas.
import { choice, color, flag, name, number, text } from './field.ts'
import { type Kind } from './kind.ts'
import { say, sayIn } from '../words.ts'

const watermark = [
  flag('watermark', say('Watermark'), false, {
    help: say('Shows a text over the whole, also in embeds and pictures.'),
    section: 'appearance' as const,
  }),
  text('watermarkText', say('Watermark text'), '', {
    help: say('What it says; it cannot be blank.'),
    when: { watermark: [true] },
    section: 'appearance',
  }),
  number('watermarkSize', say('Font size'), 24, {
    help: say('In pixels.'),
    min: 8,
    max: 200,
    when: { watermark: [true] },
    section: 'appearance',
  }),
  color('watermarkColor', say('Font colour'), '#888888', {
    help: say('Colour of the watermark.'),
    when: { watermark: [true] },
  }),
  number('watermarkAngle', say('Angle'), -30, {
    help: say('In degrees, clockwise.'),
    min: -180,
    max: 180,
    when: { watermark: [true] },
    section: 'appearance',
  }),
  number('watermarkOpacity', say('Opacity'), 0.15, {
    help: say('From 0, not to be seen, to 1.'),
    min: 0,
    max: 1,
    when: { watermark: [true] },
    section: 'appearance',
  }),
]

export const dashboard: readonly Kind[] = [
  {
    id: 'dashboard',
    label: sayIn('kind of publication', 'Dashboard'),
    help: say('Cards on a grid: charts, controls, views, texts and images around one or more runs of models.'),
    family: 'dashboard',
    shape: 'none',
    size: [0, 0],
    on: ['file'],
    opens: 'dashboard',
    fields: [
      name({ help: say('What people call this dashboard.') }),
      number('columns', sayIn('how many', 'Columns'), 12, {
        help: say('Columns of the grid; on narrow screens cards stand one below the other.'),
        integer: true,
        min: 1,
        max: 24,
      }),
      ...watermark,
    ],
  },
  {
    id: 'chartFile',
    label: say('Chart'),
    help: say('A chart as a file of its own, to be shared and embedded.'),
    family: 'dashboard',
    shape: 'none',
    size: [0, 0],
    on: ['file'],
    opens: 'dashboard',
    fields: [name({ help: say('What people call this chart.') }), ...watermark],
  },
  {
    id: 'association',
    label: say('Scenario association'),
    help: say('One run of one model scenario: the cards in it show and control that run.'),
    family: 'dashboard',
    shape: 'block',
    size: [0, 0],
    on: ['dashboard'],
    opens: 'cards',
    fields: [
      name({ help: say('What people call this run, where there are several.') }),
      text('modelFile', say('Model'), '', { help: say('The id of the model file.') }),
      text('modelScenario', say('Model scenario'), '', {
        help: say('The scenario that is run: its id or its name. Blank: the first one.'),
      }),
      number('seed', say('Random seed'), null, {
        help: say('Replaces the seed of the scenario. Blank: as in the scenario.'),
        integer: true,
        min: 0,
        max: 4294967295,
        when: { source: ['live'] },
      }),
      choice('begin', say('At the start'), { wait: say('Wait for the button'), play: say('Run at once') }, 'wait', {
        help: say('Whether the run begins by itself when the page is opened.'),
        when: { source: ['live'] },
      }),
      number('speed', say('Ticks a second'), null, {
        help: say('How fast the run plays. Blank: as fast as it goes.'),
        min: 0,
        when: { source: ['live'] },
      }),
      choice(
        'source',
        say('Shows'),
        {
          live: say('A run in the page'),
          kept: say('The run kept here'),
          stored: say('A run of an experiment'),
        },
        'live',
        {
          help: say(
            'Whether the page runs the model, shows the last run that was kept in this file, or makes one run of an experiment again: with its seed, its length and its values.',
          ),
        },
      ),
      text('kept', say('Kept run'), '', {
        help: say('A run that has ended, as the page keeps it: its charts, figures and last picture.'),
        section: 'advanced',
        long: true,
      }),
      text('stored', say('Run of an experiment'), '', {
        help: say('Which run of which experiment is made again: its scenario, seed, length and values, and what was measured at its end.'),
        section: 'advanced',
        long: true,
      }),
    ],
  },
  {
    id: 'cardGroup',
    label: say('Container'),
    help: say(
      'Holds cards together: side by side, one below the other, behind a heading that opens, as slides, or at the edge of the page.',
    ),
    family: 'dashboard',
    shape: 'frame',
    size: [0, 0],
    on: ['dashboard', 'cards'],
    opens: 'cards',
    fields: [
      text('name', say('Title'), '', { help: say('Heading of the container. Blank: none.') }),
      choice(
        'layout',
        say('Layout'),
        {
          row: say('Row'),
          column: say('Column'),
          collapse: say('Collapsible'),
          slides: say('Slides'),
          panel: say('Global panel'),
        },
        'row',
        { help: say('How the cards in it stand.') },
      ),
      flag('open', say('Begins open'), true, {
        help: say('Whether its cards are seen at the start.'),
        when: { layout: ['collapse'] },
      }),
      choice(
        'side',
        say('Edge of the page'),
        { top: say('Top'), start: say('Beginning of the line'), end: say('End of the line') },
        'start',
        {
          help: say('Where the panel stands, always in sight. On a phone it is at the top.'),
          when: { layout: ['panel'] },
        },
      ),
    ],
  },
]
