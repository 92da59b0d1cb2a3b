// A chart made of fields on shelves: the source of its numbers, its fields, and how they are drawn. Fields have the names of their source:
// formulas of a model, columns of results or of a table.
import { ofRun } from './card.ts'
import { choice, color, flag, number, rows, text } from './field.ts'
import { type Kind } from './kind.ts'
import { say, sayIn } from '../words.ts'

export const aggregates = {
  auto: say('Automatic'),
  sum: say('Sum'),
  mean: say('Mean'),
  median: say('Median'),
  min: say('Minimum'),
  max: say('Maximum'),
  std: say('Standard deviation'),
  count: say('Count'),
  distinct: say('Distinct values'),
  first: say('First'),
  last: say('Last'),
}

/** How the fields are drawn. */
export const plotTypes = {
  auto: say('Automatic'),
  line: say('Line'),
  area: say('Area'),
  bar: say('Bar'),
  stacked: say('Stacked'),
  pie: say('Pie'),
  scatter: say('Scatter'),
  histogram: say('Histogram'),
  box: say('Box'),
  violin: say('Violin'),
  heat: say('Heat map'),
  bands: say('Bands'),
  pareto: say('Pareto'),
  parallel: sayIn('type of chart', 'Parallel'),
  table: say('Table'),
  value: sayIn('number shown', 'Value'),
  gauge: say('Gauge'),
  world: say('World view'),
  network: sayIn('type of chart', 'Network'),
}

const axisScale = { linear: say('Linear'), log: say('Logarithmic') }

export const plot: Kind = {
  id: 'plot',
  label: say('Chart of fields'),
  help: say('A chart made by putting fields on shelves, from the outputs of a run, the results of an experiment, or a table.'),
  family: 'observation',
  shape: 'chart',
  size: [360, 240],
  on: ['cards', 'dashboard', 'experiment'],
  fields: [
    text('name', say('Title'), '', { help: say('Heading of the chart. Blank: its fields.') }),
    choice('source', say('Data'), { model: say('Model run'), experiment: say('Experiment'), table: say('Table') }, 'model', {
      help: say('Where the fields come from.'),
    }),
    text('experimentFile', say('Experiment'), '', {
      help: say('The id of the experiment whose results are shown.'),
      when: { source: ['experiment'] },
    }),
    text('experimentEntry', say('Entry'), '', {
      help: say('Which entry of its history. Blank: the latest.'),
      when: { source: ['experiment'] },
    }),
    rows('table', say('Table'), [text('line', sayIn('row of a table', 'Line'), '', { help: say('One line of comma-separated values.') })], {
      help: say('The values, a line each; the first has the names of the columns.'),
      when: { source: ['table'] },
    }),
    choice('type', say('Type'), plotTypes, 'auto', {
      help: say('How the fields are drawn. Automatic: what suits them.'),
    }),
    choice('over', say('Shows'), { history: say('Whole course'), latest: say('Latest values') }, 'history', {
      help: say('Of a run: all values so far, or those of the latest tick.'),
      when: { source: ['model'] },
    }),
    number('window', say('Last ticks shown'), null, {
      help: say('Shows only this many of the last ticks. Blank: the whole run.'),
      min: 1,
      when: { source: ['model'], over: ['history'] },
    }),
    text('dimension', say('Dimension'), '', {
      help: say('The field along the x axis: what values are told apart by.'),
    }),
    number('dimensionBins', say('Classes'), null, {
      help: say('Numbers of the dimension are put into this many classes. Blank: each by itself.'),
      integer: true,
      min: 1,
      max: 500,
    }),
    rows(
      'metrics',
      say('Metrics'),
      [
        text('field', say('Field'), '', { help: say('What is measured.') }),
        choice('aggregate', say('Aggregate'), aggregates, 'auto', {
          help: say('How several values at one place become one.'),
        }),
        text('label', say('Label'), '', {
          help: say('Name in the legend. Blank: that of the field.'),
        }),
        color('color', say('Colour'), '', {
          help: say('Colour of the metric. Blank: one is chosen.'),
        }),
        choice('goal', say('Better'), { min: say('Less'), max: sayIn('a larger number', 'More') }, 'min', {
          help: say('What is better, for the Pareto front.'),
        }),
      ],
      { help: say('What is measured, one or several fields.') },
    ),
    text('colorBy', say('Colour'), '', {
      help: say('The field by which colours tell values apart; the rows of a heat map.'),
    }),
    text('facetBy', say('Facet'), '', {
      help: say('The field for each of whose values a small chart is drawn.'),
    }),
    rows(
      'filters',
      say('Filters'),
      [
        text('field', say('Field'), '', { help: say('What is looked at.') }),
        choice(
          'how',
          say('Condition'),
          {
            is: say('is'),
            not: say('is not'),
            ge: say('at least'),
            le: say('at most'),
            has: say('contains'),
            known: say('is there'),
          },
          'is',
          { help: say('How it is compared.') },
        ),
        text('value', say('Value'), '', {
          help: say('What it is compared with; several, with | between them, for is and is not.'),
        }),
      ],
      { help: say('Only rows that pass all of them are drawn.') },
    ),
    choice(
      'sort',
      say('Order'),
      {
        none: say('As it comes'),
        nameUp: say('By name'),
        nameDown: say('By name, descending'),
        valueUp: say('Smallest first'),
        valueDown: say('Greatest first'),
      },
      'none',
      { help: say('Order of what has names: bars, slices, rows.') },
    ),
    number('top', say('At most'), null, {
      help: say('Only so many bars, slices or rows, the first in their order. Blank: all.'),
      integer: true,
      min: 1,
      max: 10_000,
    }),
    number('bins', say('Bins'), 20, {
      help: say('Into how many classes of equal width the values are counted.'),
      integer: true,
      min: 1,
      max: 500,
      when: { type: ['histogram', 'auto'] },
    }),
    choice(
      'band',
      say('Band'),
      {
        ci95: say('95% confidence of the mean'),
        std: say('Standard deviation'),
        q90: say('Middle 90%'),
        range: say('Least to greatest'),
      },
      'ci95',
      { help: say('What the band around the mean shows.'), when: { type: ['bands'] } },
    ),
    choice('view', say('Shown as'), { chart: say('Chart'), value: sayIn('number shown', 'Value') }, 'chart', {
      help: say('The chart, or its metrics as large numbers.'),
    }),
    text('xLabel', say('x label'), '', {
      help: say('Label of the x axis, with the unit. Blank: none.'),
      section: 'appearance',
    }),
    text('yLabel', say('y label'), '', {
      help: say('Label of the y axis, with the unit. Blank: none.'),
      section: 'appearance',
    }),
    choice('xScale', say('x scale'), axisScale, 'linear', {
      help: say('How numbers lie along the x axis.'),
      section: 'appearance',
    }),
    choice('yScale', say('y scale'), axisScale, 'linear', {
      help: say('How numbers lie along the y axis.'),
      section: 'appearance',
    }),
    number('yMin', sayIn('start of an axis', 'From'), null, {
      help: say('Where the y axis or the gauge begins. Blank: what suits the values.'),
      section: 'appearance',
    }),
    number('yMax', sayIn('end of an axis', 'To'), null, {
      help: say('Where the y axis or the gauge ends. Blank: what suits the values.'),
      section: 'appearance',
    }),
    choice(
      'format',
      sayIn('format', 'Numbers'),
      {
        auto: say('Automatic'),
        fixed: say('Fixed decimals'),
        percent: say('Percent'),
        compact: say('Short (12K)'),
        scientific: say('Scientific'),
      },
      'auto',
      { help: say('How values are written.'), section: 'appearance' },
    ),
    number('decimals', say('Decimals'), 1, {
      help: say('Digits behind the point.'),
      integer: true,
      min: 0,
      max: 12,
      when: { format: ['fixed', 'percent', 'compact', 'scientific'] },
      section: 'appearance',
    }),
    text('unit', say('Unit'), '', {
      help: say('Written behind every value. Blank: nothing.'),
      section: 'appearance',
    }),
    flag('legend', say('Legend'), true, {
      help: say('Whether the names of colours are shown.'),
      section: 'appearance',
    }),
    ofRun,
  ],
}
