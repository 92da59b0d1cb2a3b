// Kinds that hold a model's state, besides entities: variables, containers, messages, functions, tag sets, ports.
import { owner } from './owner.ts'
import { choice, color, flag, formula, name, number, ref, rows, text } from './field.ts'
import { type Kind } from './kind.ts'
import { say, sayIn } from '../words.ts'

const valueType = choice('type', say('Type'), { value: say('Value'), list: say('List'), dict: say('Dict'), set: say('Set') }, 'value', {
  help: say('What sort of value it holds; this never changes during a run.'),
})

export const data: readonly Kind[] = [
  {
    id: 'variable',
    label: say('Variable'),
    help: say(
      'A named value that formulas read and write. Where it stands says whose it is: of the world, of each individual, of an observer, or of each token of a process.',
    ),
    family: 'data',
    shape: 'variable',
    size: [120, 32],
    on: ['root', 'entity', 'process'],
    fields: [
      name({ help: say('What formulas call it.') }),
      owner,
      valueType,
      formula('initial', say('Initial value'), '0', {
        help: say('Formula for the value when its owner comes into being. It may use variables that are set earlier.'),
      }),
      formula('default', say('Default value'), '', {
        help: say('Value put in place of a blank and of a missing key. Blank: `None`.'),
        section: 'advanced',
      }),
      flag('public', say('Input'), false, {
        help: say('Whether it is an input: sliders, dashboards, shared links and experiments may set it. What a control sets is one.'),
        there: {
          entity: {
            label: say('Others may change it'),
            help: say(
              'Whether formulas of others may set it by a dot, as in `neighbor.infected = True`. Of an observer it is an input, too. Everybody may read it.',
            ),
          },
        },
      }),
      text('unit', say('Unit'), '', {
        help: say('Unit shown beside the value, for example kg. Blank: none.'),
        section: 'advanced',
      }),
      number('min', sayIn('bound', 'Lowest'), null, {
        help: say('Lowest value that controllers and experiments offer. Blank: none.'),
        section: 'advanced',
      }),
      number('max', sayIn('bound', 'Highest'), null, {
        help: say('Highest value that controllers and experiments offer. Blank: none.'),
        section: 'advanced',
      }),
    ],
  },
  {
    id: 'interface',
    label: say('Interface'),
    help: say('A port of the process: a value handed in when it is called, handed back when it ends, or both.'),
    family: 'data',
    shape: 'interface',
    size: [120, 32],
    on: ['process'],
    fields: [
      name({ help: say("What the process's formulas and its callers call it.") }),
      choice('direction', say('Direction'), { in: say('In'), out: say('Out'), inout: say('In and out') }, 'in', {
        help: say('Whether the value comes in, goes out, or both.'),
      }),
      valueType,
      formula('initial', say('Initial value'), 'None', {
        help: say('Value when the caller hands none in, and before the process sets it.'),
      }),
    ],
  },
  {
    id: 'container',
    label: say('Container'),
    help: say(
      'An amount of something, amounts by key, or a store of items. Consumable contents are taken and put; reusable units are requested and given back.',
    ),
    family: 'data',
    shape: 'container',
    size: [120, 56],
    on: ['root', 'entity'],
    fields: [
      name({ help: say('What formulas and steps call it, for example `nurses.level`.') }),
      owner,
      choice(
        'contents',
        sayIn('of a container', 'Contents'),
        { amount: say('One amount'), keyed: say('Amounts by key'), items: sayIn('items of a container', 'Items') },
        'amount',
        { help: say('One amount, an amount for each key, or single items and entities.') },
      ),
      flag('reusable', say('Reusable'), false, {
        help: say('Whether units are held for a while and come back (staff, machines) instead of being used up.'),
      }),
      formula('initial', say('Initial amount'), '0', {
        help: say(
          'What is in it at the start: a number, a dict of amounts by key, or a list of items. Of a reusable one: how many units there are.',
        ),
      }),
      formula('capacity', say('Capacity'), '', {
        help: say('Most it can hold; what does not fit waits or fails as the step says. Blank: no limit.'),
      }),
      flag('negative', say('May be negative'), false, {
        help: say('Whether more may be taken than there is.'),
        when: { reusable: [false] },
      }),
      choice(
        'order',
        say('Queue order'),
        {
          fifo: say('First come first served'),
          lifo: say('Last come first served'),
          priority: say('By priority'),
        },
        'priority',
        {
          help: say('Who is served first of those that wait. A lower priority number goes before a higher one.'),
          section: 'advanced',
        },
      ),
      flag('strict', say('Strict order'), false, {
        help: say('Whether everybody waits behind the first who cannot be served. Otherwise every request that fits is served in turn.'),
        section: 'advanced',
      }),
      rows(
        'schedule',
        say('Capacity schedule'),
        [
          formula('time', say('From time'), '0', {
            help: say('Time in ticks from which on this capacity holds.'),
          }),
          formula('capacity', say('Capacity'), '1', { help: say('The capacity from then on.') }),
        ],
        {
          help: say('Capacity from given times on, for example the shifts of staff.'),
          section: 'timing',
        },
      ),
      number('period', say('Schedule repeats every'), null, {
        help: say('Ticks after which the schedule starts again. Blank: it does not repeat.'),
        min: 0,
        section: 'timing',
      }),
      choice('offShift', say('At the end of a shift'), { finish: say('Finish the work'), suspend: say('Suspend the work') }, 'finish', {
        help: say('What becomes of work under way when capacity falls below what is in use.'),
        section: 'timing',
      }),
    ],
  },
  {
    id: 'message',
    label: say('Message'),
    help: say(
      "A sort of message or signal that processes send and wait for. A message waits in the receiver's mailbox; a signal reaches only those waiting now.",
    ),
    family: 'data',
    shape: 'message',
    size: [120, 40],
    on: ['root'],
    fields: [
      name({ help: say('What people and formulas call it.') }),
      choice('kind', sayIn('kind of item', 'Kind'), { message: say('Message'), signal: say('Signal') }, 'message', {
        help: say('A message goes to chosen receivers and is kept for them; a signal goes to everyone who waits for it at this instant.'),
      }),
      rows(
        'payload',
        say('Payload'),
        [
          text('name', say('Name'), '', {
            help: say('Name of the value, for formulas of the receiver.'),
          }),
          choice(
            'type',
            say('Type'),
            {
              any: say('Any'),
              number: sayIn('type of value', 'Number'),
              text: say('Text'),
              boolean: say('True or false'),
              entity: say('Entity'),
            },
            'any',
            { help: say('What sort of value is expected; a wrong one is a runtime error.') },
          ),
        ],
        { help: say('The values it carries.') },
      ),
      ref('contract', say('Event of contract'), ['contract'], {
        help: say('A contract whose events throw this signal, with the event’s arguments as payload. Blank: only Throw events do.'),
        when: { kind: ['signal'] },
        section: 'advanced',
      }),
      text('event', say('Event'), '', {
        help: say('Name of the event. Blank: every event of the contract.'),
        when: { kind: ['signal'] },
        section: 'advanced',
      }),
      number('capacity', say('Mailbox capacity'), null, {
        help: say('Most messages of this sort that wait in one mailbox. Blank: no limit.'),
        integer: true,
        min: 1,
        section: 'advanced',
      }),
      choice(
        'full',
        say('When the mailbox is full'),
        { dropNew: say('Drop the new one'), dropOld: say('Drop the oldest'), error: sayIn('raise an error', 'Error') },
        'dropNew',
        { help: say('What happens to one message too many.'), section: 'advanced' },
      ),
      formula('lifetime', say('Life time'), '', {
        help: say('Ticks after which a waiting message is lost. Blank: it waits for ever.'),
        result: 'number',
        section: 'advanced',
      }),
    ],
  },
  {
    id: 'function',
    label: say('Function'),
    help: say('A calculation with parameters that every formula in reach can call.'),
    family: 'data',
    shape: 'function',
    size: [120, 40],
    on: ['root', 'entity'],
    fields: [
      name({ help: say('What formulas call it.') }),
      owner,
      rows(
        'parameters',
        say('Parameters'),
        [
          text('name', say('Name'), '', { help: say('What the body calls the value.') }),
          formula('default', say('Default'), '', {
            help: say('Value when the caller leaves it away. Blank: it must be given.'),
          }),
        ],
        { help: say('Values the caller hands in, in this order.') },
      ),
      formula('body', say('Body'), 'return 0', {
        help: say('Statements; `return` gives the result.'),
        context: 'function',
      }),
    ],
  },
  {
    id: 'tagset',
    label: say('Tag set'),
    help: say('A set of tags of which an individual has at most one; formulas compare with their names.'),
    family: 'data',
    shape: 'tagset',
    size: [120, 40],
    on: ['root'],
    fields: [
      name({ help: say('What people and formulas call the set.') }),
      rows(
        'tags',
        say('Tags'),
        [
          text('tag', sayIn('value of a tag set', 'Tag'), '', { help: say('Name of the tag; not blank.') }),
          color('color', say('Colour'), '#4a7dff', { help: say('Colour in which the tag is shown.') }),
        ],
        { help: say('The tags, each with a colour.') },
      ),
    ],
  },
  {
    id: 'block',
    label: say('Library block'),
    help: say(
      'A reusable part from a library, placed as an instance that can be updated from its source. Declared in the file; it cannot run yet.',
    ),
    family: 'data',
    shape: 'block',
    size: [140, 72],
    on: ['root'],
    planned: true,
    fields: [
      name({ help: say('What people and formulas call this instance.') }),
      text('source', say('Library item'), '', { help: say('Library item it was made from.') }),
      text('version', say('Version'), '', { help: say('Version of the library item that was placed.') }),
      rows(
        'inputs',
        say('Inputs'),
        [
          text('name', say('Port'), '', { help: say('Name of the port.') }),
          formula('value', say('Value'), '', { help: say('Value that goes in.') }),
        ],
        { help: say('Values for the ports of the block.') },
      ),
    ],
  },
  {
    id: 'reference',
    label: sayIn('type of value', 'Reference'),
    help: say('Stands on this canvas for a variable or container that lives further out, so that connectors can lead to it.'),
    family: 'data',
    shape: 'variable',
    size: [120, 32],
    on: ['process'],
    fields: [
      text('name', say('Name'), '', {
        help: say('Text shown. Blank: the name of what it stands for.'),
      }),
      ref('target', say('Stands for'), ['variable', 'container'], {
        help: say('The variable or container it stands for.'),
      }),
    ],
  },
]
