// A test of a model: what must be true of runs of its scenario. It changes no run; the editor and `holarchy test` run it.
import { choice, formula, number, ref, rows, text } from './field.ts'
import { type Kind } from './kind.ts'
import { say, sayIn } from '../words.ts'

const conditions = ['always', 'sometime', 'end'] as const
const figures = ['conserved', 'between', 'little'] as const

export const test: Kind = {
  id: 'test',
  label: say('Test'),
  help: say(
    'What must be true of runs of this scenario, with settings and seeds of its own. It changes no run; the Tests panel and the command line run it.',
  ),
  family: 'observation',
  shape: 'statistic',
  size: [160, 40],
  on: ['root'],
  icon: 'test',
  fields: [
    text('name', say('Name'), '', { help: say('What it tests, in a few words.') }),
    rows(
      'checks',
      say('Checks'),
      [
        choice(
          'what',
          sayIn('of a test', 'Must hold'),
          {
            always: say('Always'),
            sometime: say('At some time'),
            end: say('At the end'),
            conserved: say('Stays the same'),
            between: say('Stays between'),
            little: say("Little's law"),
            hash: say('Same final state'),
          },
          'always',
          { help: say('When, and how, the check is made.') },
        ),
        formula('condition', say('Condition'), '', {
          help: say('What must be true.'),
          context: 'condition',
          when: { what: conditions },
        }),
        formula('expression', say('Expression'), '', {
          help: say("The figure looked at; for Little's law the mean number of those inside, such as `Nurses.mean_queue`."),
          result: 'number',
          when: { what: figures },
        }),
        formula('low', sayIn('start of a range', 'From'), '', {
          help: say('Least value, worked out at each look: it may follow `time`. Blank: no lower bound.'),
          result: 'number',
          when: { what: ['between'] },
        }),
        formula('high', sayIn('end of a range', 'To'), '', {
          help: say('Greatest value, worked out at each look. Blank: no upper bound.'),
          result: 'number',
          when: { what: ['between'] },
        }),
        formula('rate', say('Arrivals per tick'), '', {
          help: say('How many come in per tick on average.'),
          result: 'number',
          when: { what: ['little'] },
        }),
        formula('stay', say('Mean stay'), '', {
          help: say('How many ticks each of them stays on average.'),
          result: 'number',
          when: { what: ['little'] },
        }),
        number('tolerance', say('Tolerance'), null, {
          help: say("Greatest difference, as a share of the figure. Blank: 0.05 for Little's law, else 0.000000001."),
          min: 0,
          when: { what: ['conserved', 'little'] },
        }),
        text('hash', say('Hash'), '', {
          help: say('The hash of the final state of the first run, which every machine gives alike. Blank: the test says what it is.'),
          when: { what: ['hash'] },
        }),
        number('share', say('In % of runs'), 100, {
          help: say('In how many of its runs it must hold at least, in per cent.'),
          min: 0,
          max: 100,
        }),
      ],
      { help: sayIn('of a test', 'What must be true.') },
    ),
    number('runs', sayIn('how many', 'Runs'), 1, {
      help: say('How many runs are made, with seeds that follow each other.'),
      integer: true,
      min: 1,
      max: 10_000,
    }),
    number('seed', say('First seed'), null, {
      help: say('Seed of the first run. Blank: that of the scenario.'),
      integer: true,
      min: 0,
      max: 4294967295,
    }),
    number('ticks', say('Total ticks'), null, {
      help: say('How long each run is. Blank: as long as the scenario says.'),
      min: 0,
      section: 'timing',
    }),
    number('since', say('Looked at since'), null, {
      help: say('Time from which runs are looked at before their end. Blank: from the beginning.'),
      min: 0,
      section: 'timing',
    }),
    number('until', say('Looked at until'), null, {
      help: say('Time until which runs are looked at before their end. Blank: to the end.'),
      min: 0,
      section: 'timing',
    }),
    rows(
      'overrides',
      say('Overrides'),
      [
        ref('variable', say('Variable'), ['variable'], {
          help: say('The variable whose initial value is replaced.'),
        }),
        formula('value', say('Value'), '', { help: say('The initial value in this test.') }),
      ],
      {
        help: say('Initial values of global variables that this test replaces with its own.'),
        section: 'advanced',
      },
    ),
  ],
}
