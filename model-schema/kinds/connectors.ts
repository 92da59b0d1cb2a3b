// Connectors: lines between two elements on one canvas.
import { activities } from './activities.ts'
import { flag, formula, text } from './field.ts'
import { type Kind } from './kind.ts'
import { say } from '../words.ts'

const caption = text('name', say('Name'), '', { help: say('Text shown beside the line. Blank: none.') })

// Every step a sequence flow may leave, and those it may reach.
const from = ['start', 'intermediate', 'boundary', 'gateway', ...activities]
const to = ['intermediate', 'end', 'gateway', ...activities]

// The possible sources of a state connector: the variables of this canvas, and references here to those further out.
const data = ['variable', 'reference']

export const connectors: readonly Kind[] = [
  {
    id: 'flow',
    label: say('Sequence flow'),
    help: say('Leads tokens from one step to the next.'),
    family: 'flow',
    shape: 'connector',
    size: [0, 0],
    on: ['process'],
    joins: { from, to },
    fields: [
      caption,
      formula('condition', say('Condition'), '', {
        help: say('After an exclusive or inclusive gateway: whether this branch is taken. Blank: it has no condition.'),
        context: 'condition',
      }),
      formula('weight', say('Probability'), '', {
        help: say('After a gateway by probability: chance of this branch. Together they should make 1; they are scaled if not.'),
        result: 'number',
      }),
      flag('default', say('Default branch'), false, {
        help: say('Taken when no other branch is.'),
      }),
    ],
  },
  {
    id: 'containerConnector',
    label: say('Container connector'),
    help: say(
      'Joins a step to the container it works on. Drawing it writes the container into the step: among what it requests, or, of a container operation, among its containers.',
    ),
    family: 'flow',
    shape: 'connector',
    size: [0, 0],
    on: ['process'],
    joins: { from: activities, to: ['reference'] },
    fields: [caption],
  },
  {
    id: 'stateConnector',
    label: say('State connector'),
    help: say(
      'Leads a value to a step that runs a process. Drawing it writes the variable as the value of the first interface without one.',
    ),
    family: 'flow',
    shape: 'connector',
    size: [0, 0],
    on: ['process'],
    joins: { from: data, to: ['call', 'ask'] },
    fields: [caption],
  },
]
