// Activities that change the world: individuals come, go and move, containers are filled and emptied.
import { choice, flag, formula, ref, rows, text } from './field.ts'
import { type Kind } from './kind.ts'
import { selection, task } from './steps.ts'
import { say, sayIn } from '../words.ts'

export const worldSteps: readonly Kind[] = [
  task(
    'create',
    say('Create'),
    say('Makes new individuals or links.'),
    [
      ref('population', sayIn('of a model', 'Population'), ['agent', 'link'], { help: say('The population that grows.') }),
      choice('as', say('As'), { new: say('New individuals'), offspring: say('Offspring of the actor') }, 'new', {
        help: say('Offspring can inherit values from the actor; new individuals start with initial values.'),
      }),
      formula('count', sayIn('how many', 'Number'), '1', { help: say('How many are made.'), result: 'number' }),
      rows(
        'values',
        say('Properties'),
        [
          text('property', say('Property'), '', { help: say('Name of the variable.') }),
          choice(
            'mode',
            say('Value from'),
            {
              expression: say('Expression'),
              default: sayIn('setting', 'Default'),
              inherit: say('Inherit'),
              dilute: say('Dilute'),
            },
            'expression',
            {
              help: say("Whether the value is a formula, the default, the actor's own, or shared out by a ratio."),
            },
          ),
          formula('value', say('Value or ratio'), '', {
            help: say('The formula, or for Dilute the share from 0 to 1 that the offspring gets.'),
          }),
        ],
        { help: say('Values of the new ones that differ from the initial values.'), section: 'changes' },
      ),
      formula('linkTo', say('Link ends'), '', {
        help: say('Ends of a new link: two entities, or one that the actor is linked to. Only for links.'),
        section: 'changes',
      }),
      choice(
        'placement',
        sayIn('how it is placed', 'Placed'),
        {
          actor: say('Where the actor is'),
          population: say('As its population says'),
          random: say('At random'),
        },
        'actor',
        { help: say('Where the new ones stand.'), section: 'changes' },
      ),
    ],
    'create',
  ),
  task(
    'destroy',
    say('Destroy'),
    say('Ends the life of individuals or links: their tokens stop, what they hold is given back, their links and mail go.'),
    [
      choice('who', sayIn('individual', 'Who'), { actor: say('The actor'), chosen: say('Chosen entities') }, 'actor', {
        help: say('Whether the actor itself dies, or others do.'),
      }),
      ...selection({ who: ['chosen'] }),
    ],
    'destroy',
  ),
  task(
    'move',
    say('Move'),
    say('Moves or turns the actor. It wraps or stops at borders as the space says.'),
    [
      choice(
        'motion',
        say('Motion'),
        {
          forward: say('Forward'),
          backward: say('Backward'),
          turn: say('Turn by'),
          head: say('Set heading'),
          face: say('Face'),
          translate: say('Translate by'),
        },
        'forward',
        { help: say('What it does.') },
      ),
      formula('amount', say('Distance or angle'), '1', {
        help: say('Distance in units of the space, or angle in degrees counter-clockwise.'),
        result: 'number',
        when: { motion: ['forward', 'backward', 'turn', 'head'] },
        called: {
          by: 'motion',
          words: {
            forward: say('Distance'),
            backward: say('Distance'),
            turn: say('Angle'),
            head: sayIn('direction', 'Heading'),
          },
        },
      }),
      formula('target', say('Target'), '', {
        help: say('Entity, cell or position to look at.'),
        when: { motion: ['face'] },
      }),
      formula('vector', say('Vector'), '[1, 0]', {
        help: say('How far along each axis: `[dx, dy]`.'),
        result: 'list',
        when: { motion: ['translate'] },
      }),
    ],
    'move',
  ),
  task(
    'place',
    say('Place at'),
    say('Puts the actor somewhere at once.'),
    [
      choice(
        'where',
        say('Where'),
        {
          position: say('A position, cell or agent'),
          randomCell: say('A random cell'),
          randomEmptyCell: say('A random empty cell'),
          randomPosition: say('A random position'),
        },
        'position',
        { help: say('What sort of place.') },
      ),
      formula('target', say('Target'), '', {
        help: say('The position `[x, y]`, the cell, or the agent beside which it goes.'),
        when: { where: ['position'] },
      }),
    ],
    'place',
  ),
  task(
    'operate',
    say('Container operation'),
    say('Takes from, puts into or changes containers; what cannot be done now waits or fails as it says.'),
    [
      choice(
        'operation',
        say('Operation'),
        {
          request: say('Request'),
          release: say('Release'),
          take: say('Take'),
          put: say('Put'),
          transfer: sayIn('between containers', 'Transfer'),
          convert: say('Convert'),
          set: say('Set level'),
          capacity: say('Set capacity'),
        },
        'request',
        {
          help: say('What is done. Requested units are held by the token until it releases them.'),
        },
      ),
      rows(
        'items',
        say('Containers'),
        [
          formula('container', say('Container'), '', {
            help: say('Expression for the container, usually its name.'),
          }),
          formula('amount', say('Amount'), '1', {
            help: say('How much, 0 or more; of a store of items, how many, or which: an item or a list of items.'),
          }),
          text('key', sayIn('key of an amount', 'Key'), '', {
            help: say('Which key of a container with amounts by key. Blank: the only amount.'),
          }),
        ],
        {
          help: say('The containers and amounts; several are one request, all or nothing.'),
        },
      ),
      formula('target', say('To container'), '', {
        help: say('The container that receives what the others give.'),
        when: { operation: ['transfer'] },
      }),
      rows(
        'outputs',
        say('Becomes'),
        [
          formula('container', say('Container'), '', {
            help: say('Expression for the container that receives.'),
          }),
          formula('amount', say('Amount'), '1', { help: say('How much it receives.') }),
          text('key', sayIn('key of an amount', 'Key'), '', {
            help: say('Which key of a container with amounts by key. Blank: the only amount.'),
          }),
        ],
        { help: say('What the amounts above are turned into.'), when: { operation: ['convert'] } },
      ),
      choice(
        'otherwise',
        say('If not possible'),
        {
          wait: say('Wait'),
          fail: sayIn('raise an error', 'Error'),
          partial: say('Take what there is'),
          branch: say('Take the default branch'),
        },
        'wait',
        {
          help: say('What happens when it cannot be done now. A request above the whole capacity fails at once.'),
        },
      ),
      flag('alternatives', say('Any one of them'), false, {
        help: say('Whether one of the rows is enough, tried in their order.'),
        section: 'advanced',
      }),
      formula('timeout', say('Give up after'), '', {
        help: say(
          'Ticks after which the token stops waiting and goes on without, by the default branch if the step has one. Blank: it waits for ever.',
        ),
        result: 'number',
        section: 'advanced',
        when: { otherwise: ['wait'] },
      }),
      formula('giveUpWhen', say('Give up when'), '', {
        help: say('The token stops waiting when this becomes true, as after a time. Blank: never.'),
        context: 'condition',
        section: 'advanced',
        when: { otherwise: ['wait'] },
      }),
      choice(
        'preempt',
        say('Preempts'),
        {
          none: say('No'),
          resume: say('Yes; the other resumes later'),
          restart: say('Yes; the other restarts'),
        },
        'none',
        {
          help: say('Whether somebody with a higher priority number who holds units must give them up.'),
          section: 'advanced',
        },
      ),
    ],
    'operate',
    {
      presets: [
        { id: 'request', label: say('Request resource'), values: { operation: 'request', otherwise: 'wait' } },
        { id: 'release', label: say('Release resource'), values: { operation: 'release' } },
        { id: 'take', label: say('Take'), values: { operation: 'take', otherwise: 'fail' } },
        { id: 'put', label: say('Put'), values: { operation: 'put', otherwise: 'fail' } },
        { id: 'transfer', label: sayIn('between containers', 'Transfer'), values: { operation: 'transfer', otherwise: 'fail' } },
      ],
    },
  ),
]
