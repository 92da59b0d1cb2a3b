// Gateways: where tokens split and meet.
import { choice, formula } from './field.ts'
import { type Kind } from './kind.ts'
import { after, before, title } from './steps.ts'
import { say, sayIn } from '../words.ts'

export const gateways: readonly Kind[] = [
  {
    id: 'gateway',
    label: say('Gateway'),
    help: say('Splits the way of tokens, or brings ways together.'),
    family: 'flow',
    shape: 'gateway',
    size: [48, 48],
    on: ['process'],
    icon: 'type',
    fields: [
      title,
      choice(
        'type',
        say('Type'),
        {
          exclusive: say('Exclusive'),
          inclusive: say('Inclusive'),
          parallel: say('Parallel'),
          synchronizing: say('Synchronizing join'),
          event: say('Event-based'),
          mofn: say('m of n'),
        },
        'exclusive',
        {
          help: say(
            'Exclusive: one branch. Inclusive: all that fit. Parallel: all. Synchronizing: waits for all siblings. Event-based: what happens first. m of n: goes on at the m-th.',
          ),
        },
      ),
      choice(
        'by',
        say('Branches by'),
        { condition: say('Condition'), probability: say('Probability'), filter: say('Token filter') },
        'condition',
        {
          help: say(
            'Whether the branch is the first whose condition is true, drawn by the weights of the branches, or found by collecting tokens.',
          ),
          when: { type: ['exclusive'] },
        },
      ),
      formula('needed', say('Tokens needed'), '1', {
        help: say('How many tokens must arrive before one goes on; the others are swallowed.'),
        result: 'number',
        when: { type: ['mofn'] },
      }),
      formula('release', sayIn('rule', 'Release'), '', {
        help: say('Which of the collected tokens go on: a condition for each, or how many. Blank: all.'),
        when: { by: ['filter'] },
        section: 'advanced',
      }),
      formula('every', say('Every n ticks'), '1', {
        help: say('Ticks between two releases.'),
        result: 'number',
        when: { by: ['filter'] },
        section: 'advanced',
      }),
      before,
      after,
    ],
    presets: [
      { id: 'exclusive', label: say('Exclusive gateway'), values: { type: 'exclusive' } },
      { id: 'probability', label: say('Probability gateway'), values: { type: 'exclusive', by: 'probability' } },
      { id: 'parallel', label: say('Parallel gateway'), values: { type: 'parallel' } },
      { id: 'inclusive', label: say('Inclusive gateway'), values: { type: 'inclusive' } },
      { id: 'synchronizing', label: say('Synchronizing join'), values: { type: 'synchronizing' } },
      { id: 'event', label: say('Event-based gateway'), values: { type: 'event' } },
      { id: 'mofn', label: say('m-of-n join'), values: { type: 'mofn' } },
    ],
  },
]
