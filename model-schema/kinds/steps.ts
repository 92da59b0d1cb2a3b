// Fields that several flow elements share.
import { choice, formula, ref, rows, text } from './field.ts'
import { type Field, type Kind } from './kind.ts'
import { say, sayIn, verbatim, type Words } from '../words.ts'

export const before = formula('before', sayIn('before a step', 'Before'), '', {
  help: say('Program run once for each token that arrives. Blank: nothing.'),
  context: 'program',
  section: 'advanced',
})
export const after = formula('after', sayIn('after a step', 'After'), '', {
  help: say('Program run once for each token that leaves. Blank: nothing.'),
  context: 'program',
  section: 'advanced',
})
const duration = formula('duration', sayIn('of an activity', 'Duration'), '', {
  help: say('Ticks it lasts, worked out when it begins; fractions allowed. Blank: no time at all.'),
  result: 'number',
  section: 'timing',
})
export const title = text('name', say('Name'), '', {
  help: say('What people call it. Formulas reach the result of an activity by this name, as in `name.output`.'),
})

/** Resources held while an activity lasts: requested before it begins, released when it ends. */
const resources = rows(
  'resources',
  say('Resources'),
  [
    ref('container', say('Container'), ['container'], { help: say('A reusable container.') }),
    formula('amount', say('Amount'), '1', { help: say('How many units.'), result: 'number' }),
    text('key', sayIn('key of an amount', 'Key'), '', {
      help: say('Which key of a container with amounts by key. Blank: the only amount.'),
    }),
  ],
  {
    help: say('What is requested before it begins and given back when it ends; all of it or nothing.'),
    section: 'timing',
  },
)
const requestPriority = formula('priority', say('Priority'), '', {
  help: say('Who waits with the lower number is served first. Blank: 0.'),
  result: 'number',
  section: 'timing',
})

const activity = (own: readonly Field[]): readonly Field[] => [title, ...own, before, after, duration, resources, requestPriority]

/** Choosing entities in three parts: range, filter, pick. */
export const selection = (when?: Field['when']): readonly Field[] => [
  formula('range', say('Who'), '', {
    help: say('Expression for those to choose from, for example `Sheep` or `neighbors(3)`.'),
    section: 'selection',
    when,
  }),
  formula('filter', say('Filter'), '', {
    help: say('Only those for which this is true, worked out for each. Blank: all.'),
    context: 'condition',
    section: 'selection',
    when,
  }),
  choice(
    'pick',
    say('Pick'),
    {
      all: say('All'),
      random: say('n at random'),
      first: say('First n'),
      last: say('Last n'),
      nearest: say('Nearest n'),
      farthest: say('Farthest n'),
      min: say('n with the lowest'),
      max: say('n with the highest'),
    },
    'all',
    { help: say('How many of them, and which.'), section: 'selection', when },
  ),
  formula('limit', verbatim('n'), '1', {
    help: say('How many are picked at most.'),
    result: 'number',
    section: 'selection',
    when: { ...when, pick: ['random', 'first', 'last', 'nearest', 'farthest', 'min', 'max'] },
  }),
  formula('by', say('Ranked by'), '', {
    help: say('Worked out for each; the lowest or highest are picked.'),
    result: 'number',
    section: 'selection',
    when: { ...when, pick: ['min', 'max'] },
  }),
  choice('nobody', say('If nobody fits'), { skip: say('Go on'), error: sayIn('raise an error', 'Error') }, 'skip', {
    help: say('Whether the token goes on or the run fails when there is none.'),
    section: 'selection',
    when,
  }),
]

export const inputs = rows(
  'inputs',
  say('Inputs'),
  [
    text('name', say('Interface'), '', { help: say('Name of the interface.') }),
    formula('value', say('Value'), '', { help: say('Value that goes in.') }),
  ],
  { help: say("Values for the process's interfaces.") },
)
export const messages = ['message'] as const
export const payload = (when: Field['when']) =>
  rows(
    'payload',
    say('Payload'),
    [
      text('name', say('Name'), '', { help: say('Name the message declares for it.') }),
      formula('value', say('Value'), '', { help: say('Value that is sent.') }),
    ],
    { help: say('Values sent along.'), when },
  )

export const task = (id: string, label: Words, help: Words, own: readonly Field[], icon: string, more: Partial<Kind> = {}): Kind => ({
  id,
  label,
  help,
  family: 'flow',
  shape: 'task',
  size: [120, 72],
  on: ['process'],
  fields: activity(own),
  icon,
  ...more,
})
