// Activities: the steps of a token. Each may run formulas before and after, take time, and hold resources while it lasts.
import { choice, flag, formula, number, ref, rows, text } from './field.ts'
import { transactionFields } from './transaction.ts'
import { type Kind } from './kind.ts'
import { inputs, selection, task } from './steps.ts'
import { worldSteps } from './world.ts'
import { say, sayIn } from '../words.ts'

const control: readonly Kind[] = [
  task(
    'compute',
    say('Compute'),
    say('Runs a program: statements that set variables, call functions and so on.'),
    [
      formula('program', say('Program'), '', {
        help: say('Statements, one a line; at least one must change something.'),
        context: 'program',
      }),
    ],
    'compute',
  ),
  task('delay', say('Delay'), say('The token stays here for a while.'), [], 'delay'),
  task(
    'ask',
    sayIn('kind of step', 'Ask'),
    say('Chooses entities in three parts (who, filter, pick) and has each of them do something, in turn.'),
    [
      ...selection(),
      choice(
        'does',
        say('Then'),
        {
          nothing: say('Only choose'),
          program: say('Run a program as each'),
          call: say('Run a process of each'),
        },
        'program',
        { help: say('What each chosen entity does.'), section: 'changes' },
      ),
      formula('program', say('Program'), '', {
        help: say('Statements run as each of them: their own variables come first, `self` is the one asked.'),
        context: 'program',
        when: { does: ['program'] },
        section: 'changes',
      }),
      ref('process', say('Process'), ['process'], {
        help: say('A passive process of theirs that is run.'),
        when: { does: ['call'] },
        section: 'changes',
      }),
      { ...inputs, when: { does: ['call'] }, section: 'changes' },
      flag('wait', say('Wait until done'), true, {
        help: say('Whether the token goes on only when all of them are done.'),
        when: { does: ['call'] },
        section: 'changes',
      }),
    ],
    'ask',
  ),
  task(
    'call',
    say('Call'),
    say("Runs another process within reach: one of the actor's own, its observer's, or a global one."),
    [
      ref('process', say('Process'), ['process'], { help: say('The process to run.') }),
      inputs,
      flag('wait', say('Wait until done'), true, {
        help: say('Whether the token goes on only when the process is done.'),
      }),
    ],
    'call',
  ),
  task(
    'subprocess',
    say('Subprocess'),
    say('Steps of their own inside one step. The token goes on when all inside are done.'),
    [
      choice('repeat', say('Repeats'), { once: say('Once'), while: say('While'), each: say('For each') }, 'once', {
        help: say('Whether the inside is run once, as long as a condition holds, or for each item of a list.'),
      }),
      formula('while', sayIn('condition of a loop', 'While'), '', {
        help: say('Runs again as long as this is true; looked at before each time.'),
        context: 'condition',
        when: { repeat: ['while'] },
      }),
      formula('items', sayIn('items of a loop', 'Items'), '', {
        help: say('List whose items are run through; inside, `item` and `index` name the present one.'),
        result: 'list',
        when: { repeat: ['each'] },
      }),
      flag('parallel', say('All at once'), false, {
        help: say('Whether all items are begun at once instead of one after the other.'),
        when: { repeat: ['each'] },
      }),
      formula('until', say('Done when'), '', {
        help: say('Stops before the last item when this becomes true. Blank: all items.'),
        context: 'condition',
        when: { repeat: ['each'] },
      }),
    ],
    'subprocess',
    { opens: 'process' },
  ),
]

const further: readonly Kind[] = [
  task(
    'decide',
    say('Decide'),
    say(
      'Chooses an action by a policy - at random, by a formula, by a neural network or by a person - and sets variables to it. Reinforcement learning puts a policy of its own in its place and learns from the rewards.',
    ),
    [
      choice(
        'policy',
        say('Policy'),
        {
          random: say('At random'),
          formula: say('Formula'),
          network: say('Neural network'),
          person: say('A person'),
          scripted: say('Scripted'),
        },
        'random',
        { help: say('Who or what decides.') },
      ),
      ref('controller', say('Controller'), ['controller'], {
        help: say(
          'A control on the canvas through which a person decides: the action is the value of its variable at that moment. Blank: the run waits and asks.',
        ),
        when: { policy: ['person'] },
      }),
      ref('network', say('Neural network'), ['network'], {
        help: say(
          'The network that decides. Its inputs are the observations, each scaled to -1 .. 1. With whole numbers alone it has an output for each combination of actions, else one for each action, -1 .. 1 for lowest .. highest.',
        ),
        when: { policy: ['network'] },
      }),
      choice('acting', sayIn('how they decide', 'Deciding'), { single: say('One by one'), together: say('Together') }, 'single', {
        help: say(
          'One by one: each sees what those before it did. Together: all who come at the same instant decide on what they see then, and act after that; a network decides for many at once.',
        ),
        section: 'advanced',
      }),
      choice('sampling', say('Takes'), { greedy: say('The best action'), drawn: say('An action drawn by chances') }, 'greedy', {
        help: say('How a network of whole-number actions chooses.'),
        when: { policy: ['network'] },
      }),
      formula('choice', say('Action'), '', {
        help: say('Formula for the action: a number, or a list with one for each action.'),
        when: { policy: ['formula'] },
      }),
      text('script', say('Script'), '', {
        help: say(
          'Actions in turn, separated by commas, for example 0, 1, 1. Several numbers of one decision in brackets: [0, 2], [1, 1]. Each decider goes through them, and begins again at the end.',
        ),
        when: { policy: ['scripted'] },
      }),
      rows(
        'observation',
        say('Observation'),
        [
          text('name', say('Name'), '', { help: say('Name of the value.') }),
          formula('value', say('Value'), '', {
            help: say('A number or a truth; a list or tuple of numbers counts as so many values.'),
          }),
          number('low', sayIn('bound', 'Lowest'), 0, { help: say('Lowest value it may have.') }),
          number('high', sayIn('bound', 'Highest'), 1, { help: say('Highest value it may have.') }),
        ],
        {
          help: say('What the policy gets to see: held within its bounds and scaled to -1 .. 1.'),
        },
      ),
      rows(
        'actions',
        sayIn('of a policy', 'Actions'),
        [
          text('variable', say('Variable'), '', { help: say('Name of the variable.') }),
          number('low', sayIn('bound', 'Lowest'), 0, { help: say('Lowest value.') }),
          number('high', sayIn('bound', 'Highest'), 1, { help: say('Highest value.') }),
          flag('whole', say('Whole numbers'), true, { help: say('Whether only whole numbers are possible.') }),
          formula('allowed', say('Allowed'), '', {
            help: say('List of the values that are possible now. Blank: all from lowest to highest.'),
          }),
        ],
        { help: say('Variables the action sets.') },
      ),
      formula('reward', say('Reward'), '', {
        help: say(
          'Number that says how good the last action was; learning makes its sum as great as it can. Worked out at the next decision, and at the end.',
        ),
        result: 'number',
      }),
      rows(
        'parts',
        say('Parts of the reward'),
        [
          text('name', say('Name'), '', { help: say('Name of the part.') }),
          formula('value', say('Value'), '', { help: say('Its value.'), result: 'number' }),
          number('weight', say('Weight'), 1, { help: say('What it is multiplied by.') }),
        ],
        { help: say('Added to the reward, each times its weight.'), section: 'advanced' },
      ),
      formula('done', sayIn('condition', 'Done'), '', {
        help: say('Ends the episode when true.'),
        context: 'condition',
      }),
      flag('learns', say('Learns'), true, {
        help: say('Whether a learning experiment decides here; else its own policy does.'),
        section: 'advanced',
      }),
    ],
    'decide',
  ),
  task(
    'transaction',
    say('Transaction'),
    say(
      'Sends a transaction to a chain: calls a contract, deploys one, or transfers an amount; or only reads or simulates. `step.output` tells status, value, gas, fee, block and events.',
    ),
    transactionFields,
    'transaction',
  ),
  task(
    'log',
    say('Log or assert'),
    say('Writes a line to the output, or stops the run when something does not hold.'),
    [
      choice('does', sayIn('kind of item', 'Kind'), { log: say('Write to the output'), assert: say('Assert') }, 'log', {
        help: say('Whether it writes or checks.'),
      }),
      formula('value', say('Text'), '""', { help: say('What is written.'), when: { does: ['log'] } }),
      formula('condition', say('Must hold'), '', {
        help: say('What must hold; otherwise the run fails.'),
        context: 'condition',
        when: { does: ['assert'] },
      }),
      text('tip', say('Tip'), '', {
        help: say('What is shown when it does not hold.'),
        when: { does: ['assert'] },
      }),
    ],
    'log',
  ),
]

/** All activities in palette order. */
export const activityKinds: readonly Kind[] = [...control, ...worldSteps, ...further]

/** Ids of all activities: what a boundary event may be attached to. */
export const activities: readonly string[] = activityKinds.map(kind => kind.id)
