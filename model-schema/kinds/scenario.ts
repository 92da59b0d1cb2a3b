// The file's scenarios: a root canvas and how it is run.
import { choice, flag, formula, name, number, ref, rows, text } from './field.ts'
import { type Kind } from './kind.ts'
import { say, sayIn } from '../words.ts'

export const scenario: Kind = {
  id: 'scenario',
  label: sayIn('of a model', 'Scenario'),
  help: say(
    'A world with its run settings: everything on its canvas is built and run together. A file holds one or more; the others are variants.',
  ),
  family: 'scenario',
  shape: 'none',
  size: [0, 0],
  on: ['file'],
  opens: 'root',
  fields: [
    name({ help: say('What people call this scenario.') }),
    number('seed', say('Random seed'), 1, {
      help: say(
        'Whole number from 0 to 4,294,967,295 that all chance comes from. The same model with the same seed gives the same run on every machine.',
      ),
      integer: true,
      min: 0,
      max: 4294967295,
    }),
    flag('seedRandom', say('New seed each run'), false, {
      help: say('Draws a new seed for each run and shows it, so that the run can be repeated.'),
    }),
    choice('timing', sayIn('how time passes', 'Timing'), { tick: say('By tick'), calendar: say('By calendar') }, 'tick', {
      help: say('By tick, time is a plain number. By calendar, it also has a date, and `now` can be used in formulas.'),
      section: 'timing',
    }),
    number('totalTicks', say('Total ticks'), 1000, {
      help: say('Ticks after which the run ends with success. 0 ends it right after the start.'),
      min: 0,
      section: 'timing',
    }),
    text('startTime', say('Start time'), '2026-01-01T00:00:00', {
      help: say('Date and time of tick 0, as 2026-01-31T08:00:00.'),
      when: { timing: ['calendar'] },
      section: 'timing',
    }),
    text('endTime', say('End time'), '', {
      help: say('Date and time at which the run ends, in the same form. Blank: only the total number of ticks counts.'),
      when: { timing: ['calendar'] },
      section: 'timing',
    }),
    number('tickLength', say('Duration of one tick'), 1, {
      help: say('How long one tick is, in the unit beside it.'),
      min: 0,
      when: { timing: ['calendar'] },
      section: 'timing',
    }),
    choice(
      'tickUnit',
      say('Unit of a tick'),
      {
        second: say('second'),
        minute: say('minute'),
        hour: say('hour'),
        day: say('day'),
        week: say('week'),
      },
      'day',
      {
        help: say('Unit in which the duration of one tick is given.'),
        when: { timing: ['calendar'] },
        section: 'timing',
      },
    ),
    flag('ticking', say('Use ticks'), true, {
      help: say('Whether something happens at every whole tick. A pure event model can switch it off and jumps from event to event.'),
      section: 'timing',
    }),
    formula('stopWhen', say('Stop when'), '', {
      help: say('Condition looked at after every instant; the run ends with success when it is true. Blank: never.'),
      context: 'condition',
      section: 'timing',
    }),
    number('warmUp', say('Warm-up'), 0, {
      help: say('Ticks at the beginning whose values statistics leave out.'),
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
        formula('value', say('Value'), '', { help: say('The initial value in this scenario.') }),
      ],
      {
        help: say('Initial values of global variables that this scenario replaces with its own.'),
        section: 'advanced',
      },
    ),
  ],
}
