// Events: where tokens begin, wait, are caught and end.
import { activities } from './activities.ts'
import { choice, flag, formula, ref, text } from './field.ts'
import { type Kind } from './kind.ts'
import { after, before, messages, payload, selection, title } from './steps.ts'
import { say, sayIn } from '../words.ts'

export const events: readonly Kind[] = [
  {
    id: 'start',
    label: say('Start'),
    help: say('Where tokens begin. A process has exactly one.'),
    family: 'flow',
    shape: 'start',
    size: [40, 40],
    on: ['process'],
    icon: 'trigger',
    fields: [
      title,
      choice(
        'trigger',
        say('Trigger'),
        { none: say('Normal'), timer: say('Timer'), condition: say('Condition'), message: say('Message') },
        'none',
        {
          help: say('What makes a token: the start of the run or a call, the clock, a condition, or a message.'),
        },
      ),
      flag('active', say('Active'), true, {
        help: say(
          'Active: a token starts with the run, or with the birth of the individual. Otherwise the process only runs when it is called.',
        ),
        when: { trigger: ['none'] },
      }),
      formula('first', say('First at'), '', {
        help: say('Time in ticks of the first token, counted from the start of its owner. Blank: after one interval.'),
        result: 'number',
        when: { trigger: ['timer'] },
        section: 'timing',
      }),
      formula('every', say('Repeat every'), '1', {
        help: say(
          'Ticks between two tokens, drawn anew each time: 1 is every tick, `exponential(5)` are random arrivals. Blank: only once.',
        ),
        result: 'number',
        when: { trigger: ['timer'] },
        section: 'timing',
      }),
      formula('count', say('How many each time'), '1', {
        help: say('How many tokens come at a time.'),
        result: 'number',
        when: { trigger: ['timer'] },
        section: 'timing',
      }),
      formula('maximum', say('Stop after'), '', {
        help: say('After this many times no more tokens come. Blank: no limit.'),
        result: 'number',
        when: { trigger: ['timer'] },
        section: 'timing',
      }),
      formula('times', say('Only at these times'), '', {
        help: say('List of times at which tokens come, instead of an interval. Blank: the interval counts.'),
        result: 'list',
        when: { trigger: ['timer'] },
        section: 'timing',
      }),
      formula('condition', say('Condition'), '', {
        help: say('A token comes whenever this becomes true.'),
        context: 'condition',
        when: { trigger: ['condition'] },
      }),
      ref('message', say('Message'), messages, {
        help: say('A token comes for each of these messages, with its values, or whenever the signal is sent.'),
        when: { trigger: ['message'] },
      }),
    ],
    presets: [
      { id: 'start', label: say('Start'), values: {} },
      { id: 'start-timer', label: say('Timer start'), values: { trigger: 'timer' } },
      { id: 'start-condition', label: say('Condition start'), values: { trigger: 'condition' } },
      { id: 'start-message', label: say('Message start'), values: { trigger: 'message' } },
    ],
  },
  {
    id: 'intermediate',
    label: say('Intermediate event'),
    help: say('A token waits here for something to happen, or sends something and goes on.'),
    family: 'flow',
    shape: 'intermediate',
    size: [40, 40],
    on: ['process'],
    icon: 'trigger',
    fields: [
      title,
      choice(
        'trigger',
        say('Event'),
        {
          timer: say('Timer'),
          condition: say('Condition'),
          receive: say('Receive message'),
          send: say('Send message'),
          signal: say('Wait for signal'),
          throwSignal: say('Send signal'),
        },
        'timer',
        { help: say('What is waited for or sent.') },
      ),
      formula('delay', say('Duration'), '1', {
        help: say('Ticks the token waits, worked out when it arrives; 0 or more, fractions allowed.'),
        result: 'number',
        when: { trigger: ['timer'] },
      }),
      formula('condition', say('Condition'), '', {
        help: say('The token goes on as soon as this is true.'),
        context: 'condition',
        when: { trigger: ['condition'] },
      }),
      ref('message', say('Message'), messages, {
        help: say('The message or signal.'),
        when: { trigger: ['receive', 'send', 'signal', 'throwSignal'] },
      }),
      formula('correlation', say('Only if'), '', {
        help: say('Takes only a message for which this is true; `message["field"]` is a value of it. Blank: any.'),
        context: 'condition',
        when: { trigger: ['receive'] },
      }),
      ...selection({ trigger: ['send'] }),
      payload({ trigger: ['send', 'throwSignal'] }),
      formula('delivery', say('Delay of delivery'), '', {
        help: say('Ticks until the message arrives. Blank: at this instant.'),
        result: 'number',
        when: { trigger: ['send'] },
      }),
      before,
      after,
    ],
    presets: [
      { id: 'timer', label: say('Timer'), values: { trigger: 'timer' } },
      { id: 'condition', label: say('Condition'), values: { trigger: 'condition' } },
      { id: 'receive', label: say('Receive message'), values: { trigger: 'receive' } },
      { id: 'send', label: say('Send message'), values: { trigger: 'send' } },
      { id: 'signal', label: say('Wait for signal'), values: { trigger: 'signal' } },
      { id: 'throw-signal', label: say('Send signal'), values: { trigger: 'throwSignal' } },
    ],
  },
  {
    id: 'boundary',
    label: say('Boundary event'),
    help: say('Watches an activity while it goes on, and leads a token out of it when something happens.'),
    family: 'flow',
    shape: 'boundary',
    size: [32, 32],
    on: ['process'],
    icon: 'trigger',
    fields: [
      title,
      ref('host', say('Attached to'), activities, { help: say('The activity it watches.') }),
      choice(
        'trigger',
        say('Event'),
        {
          timer: say('Timer'),
          condition: say('Condition'),
          message: say('Message'),
          signal: say('Signal'),
          error: say('Error'),
        },
        'timer',
        { help: say('What it watches for.') },
      ),
      flag('interrupting', say('Interrupting'), true, {
        help: say('Whether the activity is given up when it happens. Otherwise another token leaves and the activity goes on.'),
        when: { trigger: ['timer', 'condition', 'message', 'signal'] },
      }),
      formula('delay', say('Duration'), '1', {
        help: say('Ticks after the activity began. If it ends at that very instant, ending wins.'),
        result: 'number',
        when: { trigger: ['timer'] },
      }),
      formula('condition', say('Condition'), '', {
        help: say('Happens when this becomes true.'),
        context: 'condition',
        when: { trigger: ['condition'] },
      }),
      ref('message', say('Message'), messages, {
        help: say('The message or signal waited for.'),
        when: { trigger: ['message', 'signal'] },
      }),
      text('codes', say('Error codes'), '', {
        help: say('Error codes it catches, separated by commas. Blank: all.'),
        when: { trigger: ['error'] },
      }),
    ],
  },
  {
    id: 'end',
    label: say('End'),
    help: say('Where a token ends. A process has at least one.'),
    family: 'flow',
    shape: 'end',
    size: [40, 40],
    on: ['process'],
    icon: 'result',
    fields: [
      title,
      choice(
        'result',
        sayIn('kind of item', 'Kind'),
        { none: say('Normal'), terminate: say('Stops the run'), error: say('Error') },
        'none',
        {
          help: say('Normal ends the token, Stops the run ends everything, Error is caught by a boundary event or fails the run.'),
        },
      ),
      text('tip', say('Tip'), '', {
        help: say('What is shown as the reason why the run was stopped.'),
        when: { result: ['terminate'] },
      }),
      text('code', say('Error code'), '', {
        help: say('Code by which a boundary event catches the error.'),
        when: { result: ['error'] },
      }),
    ],
    presets: [
      { id: 'end', label: say('End'), values: {} },
      { id: 'end-terminate', label: say('Terminate'), values: { result: 'terminate' } },
      { id: 'end-error', label: say('Error end'), values: { result: 'error' } },
    ],
  },
]
