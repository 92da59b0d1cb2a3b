// Kinds on the canvas of an experiment: decisions, measures, constraints, comparisons.
import { choice, flag, formula, name, number, rows, text } from './field.ts'
import { type Field, type Kind } from './kind.ts'
import { say, sayIn, type Words } from '../words.ts'

const aggregation = (id: string, help: Words, when?: Readonly<Record<string, readonly string[]>>) =>
  choice(
    id,
    say('Over replications'),
    {
      mean: say('Mean'),
      median: say('Median'),
      min: say('Minimum'),
      max: say('Maximum'),
      std: say('Standard deviation'),
      q05: say('5% quantile'),
      q95: say('95% quantile'),
    },
    'mean',
    { help, ...(when ? { when } : {}) },
  )

/** What tables and charts call it, and how it is worked out in the model. */
const measured = (help: Words, label: Words = say('Expression')): Field[] => [
  name({ help: say('What tables and charts call it.') }),
  formula('expression', label, '', { help, result: 'number' }),
]

export const study: readonly Kind[] = [
  {
    id: 'decision',
    label: say('Decision variable'),
    help: say('An input of the model that the experiment sets before each run.'),
    family: 'experiment',
    shape: 'variable',
    size: [120, 40],
    on: ['experiment'],
    fields: [
      text('variable', say('Variable'), '', {
        help: say('The input: its id or its name, of an observer as Population.name.'),
      }),
      choice(
        'domain',
        say('Values'),
        {
          continuous: say('Continuous'),
          discrete: say('Discrete'),
          enum: say('Enumeration'),
          fixed: say('Fixed'),
          variable: sayIn('kind of value', 'By formula'),
        },
        'continuous',
        { help: say('Which values the variable may take.') },
      ),
      number('min', say('Minimum'), 0, {
        help: say('Least value.'),
        when: { domain: ['continuous', 'discrete'] },
      }),
      number('max', say('Maximum'), 1, {
        help: say('Greatest value.'),
        when: { domain: ['continuous', 'discrete'] },
      }),
      number('step', say('Step'), 1, {
        help: say('Distance between neighbouring values, from the minimum on.'),
        min: 0,
        when: { domain: ['discrete'] },
      }),
      flag('logarithmic', say('Logarithmic'), false, {
        help: say('Searched by orders of magnitude; the minimum must be above 0.'),
        when: { domain: ['continuous'] },
      }),
      text('values', say('List of values'), '', {
        help: say('Values separated by commas: numbers, True, False, or texts.'),
        when: { domain: ['enum'] },
      }),
      text('value', say('Value'), '', {
        help: say('The value in every run: a number, True, False, or a text.'),
        when: { domain: ['fixed'] },
      }),
      formula('formula', say('Formula'), '', {
        help: say('Worked out from the other inputs before each run.'),
        when: { domain: ['variable'] },
      }),
    ],
  },
  {
    id: 'objective',
    label: say('Objective'),
    help: say('What the experiment makes as small or as large as it can.'),
    family: 'experiment',
    shape: 'statistic',
    size: [120, 40],
    on: ['experiment'],
    fields: [
      ...measured(say('Worked out in the model at the end of a run: statistics, variables, populations.')),
      choice('direction', say('Direction'), { min: say('Minimise'), max: say('Maximise') }, 'min', {
        help: say('Whether less or more is better.'),
      }),
      aggregation('aggregate', say('How the values of several replications become one.')),
    ],
  },
  {
    id: 'constraint',
    label: say('Constraint'),
    help: say('What must hold. On inputs it is tested before a run, which then costs nothing; on outputs after it.'),
    family: 'experiment',
    shape: 'statistic',
    size: [120, 40],
    on: ['experiment'],
    fields: [
      name({ help: say('What tables call it.') }),
      choice('stage', sayIn('applies to', 'On'), { inputs: say('Inputs, before a run'), outputs: say('Outputs, after a run') }, 'inputs', {
        help: say('What the expression is about.'),
      }),
      formula('expression', say('Expression'), '', {
        help: say('A number. A constraint on inputs may use inputs only.'),
        result: 'number',
      }),
      choice('relation', say('Relation'), { le: say('at most'), ge: say('at least'), eq: say('equal to') }, 'le', {
        help: say('How the expression must stand to the bound.'),
      }),
      number('bound', say('Bound'), 0, { help: say('What the expression is compared with.') }),
      number('tolerance', say('Tolerance'), 0.000_001, {
        help: say('How far from equal still counts as equal.'),
        min: 0,
        when: { relation: ['eq'] },
      }),
      aggregation('aggregate', say('How the values of several replications become one.'), {
        stage: ['outputs'],
      }),
    ],
  },
  {
    id: 'response',
    label: say('Response'),
    help: say('A value recorded of every run, beside objectives.'),
    family: 'experiment',
    shape: 'statistic',
    size: [120, 40],
    on: ['experiment'],
    fields: measured(say('Worked out in the model at the end of a run.')),
  },
  {
    id: 'dataSeries',
    label: say('Data series'),
    help: say('Measured values that the model is fitted to.'),
    family: 'experiment',
    shape: 'chart',
    size: [120, 40],
    on: ['experiment'],
    fields: [
      ...measured(say('What of the model is compared, worked out at each time of the data.'), say('Output')),
      rows(
        'data',
        say('Data'),
        [
          number('at', say('Time'), 0, {
            help: say('Model time of the measurement, in ticks.'),
            min: 0,
          }),
          number('value', say('Value'), 0, { help: say('What was measured.') }),
          flag('heldOut', say('Held out'), false, {
            help: say('Not fitted, but used to check the fit.'),
          }),
        ],
        { help: say('Times and measured values.') },
      ),
      number('weight', say('Weight'), 1, { help: say('How much this series counts.'), min: 0 }),
      number('sigma', say('Standard deviation'), 1, {
        help: say('Of the measurement error, for the likelihood.'),
        min: 0,
      }),
    ],
  },
  {
    id: 'alternative',
    label: say('Alternative'),
    help: say('One of several systems that a Monte Carlo experiment compares: a model scenario with values of its own.'),
    family: 'experiment',
    shape: 'block',
    size: [120, 40],
    on: ['experiment'],
    fields: [
      name({ help: say('What tables and charts call it.') }),
      text('modelScenario', say('Model scenario'), '', {
        help: say('The scenario that is run: its id or its name. Blank: that of the experiment.'),
      }),
      rows(
        'values',
        say('Values'),
        [
          text('variable', say('Variable'), '', {
            help: say('The input: its id or its name.'),
          }),
          text('value', say('Value'), '', { help: say('A number, True, False, or a text.') }),
        ],
        { help: say('Inputs that have another value in this alternative.') },
      ),
    ],
  },
  {
    id: 'dataTable',
    label: say('Data table'),
    help: say('A table of results with related tables joined to it: what experiments found beside what is known from elsewhere.'),
    family: 'experiment',
    shape: 'chart',
    size: [120, 40],
    on: ['experiment'],
    fields: [
      name({ help: say('What people call this table.') }),
      text('main', say('Main table'), 'runs', {
        help: say('Where rows come from: all runs, the points, an entry of the history, or a table brought from a file.'),
      }),
      rows(
        'joins',
        say('Related tables'),
        [
          choice('how', say('Join type'), { inner: say('Inner'), left: say('Left'), right: say('Right'), full: say('Full') }, 'left', {
            help: say('Which rows without a counterpart stay: none, those of the main table, of the related one, or of both.'),
          }),
          text('table', say('Related table'), '', {
            help: say('Whose rows are put beside those of the main table.'),
          }),
          text('mainField', say('Main field'), '', {
            help: say('The field of the main table that is compared.'),
          }),
          text('relatedField', say('Related field'), '', {
            help: say('The field of the related table that must have the same value.'),
          }),
        ],
        { help: say('Joined one after the other.') },
      ),
      rows('fields', say('Fields'), [text('field', say('Field'), '', { help: say('Its name.') })], {
        help: say('Which fields are shown, in this order. None: all of them.'),
      }),
    ],
  },
]
