// Processes and their flow elements (BPMN 2.0 shapes), in palette order.
import { activityKinds } from './activities.ts'
import { connectors } from './connectors.ts'
import { owner } from './owner.ts'
import { events } from './events.ts'
import { choice, formula, name } from './field.ts'
import { gateways } from './gateways.ts'
import { type Kind } from './kind.ts'
import { say, sayIn } from '../words.ts'

const process: readonly Kind[] = [
  {
    id: 'process',
    label: say('Process'),
    help: say(
      'A flow of steps that tokens walk through. It belongs to the canvas it stands on: to the world, to each individual or to an observer.',
    ),
    family: 'flow',
    shape: 'process',
    size: [120, 72],
    on: ['root', 'entity'],
    opens: 'process',
    fields: [
      name({ help: say('The name, also used by Call and Ask steps.') }),
      owner,
      formula('concurrency', say('Most tokens at once'), '', {
        help: say('Most tokens that are in it at once for one owner. Blank: no limit.'),
        result: 'number',
        section: 'advanced',
      }),
      choice('busy', say('When all are busy'), { queue: sayIn('waiting', 'Queue'), skip: say('Skip'), restart: say('Restart') }, 'queue', {
        help: say('What happens to a token that comes when as many are in it already.'),
        section: 'advanced',
      }),
      formula('priority', say('Priority'), '', {
        help: say('Of several processes that start at one instant the one with the lower number goes first. Blank: canvas order.'),
        result: 'number',
        section: 'advanced',
      }),
    ],
  },
]

export const flow: readonly Kind[] = [...process, ...events, ...gateways, ...activityKinds, ...connectors]
