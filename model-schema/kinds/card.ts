// Fields of cards that exist only on a dashboard: their run, their initial state, and the effect of a control on other cards.
import { choice, flag, ref, rows, text } from './field.ts'
import { say, sayIn } from '../words.ts'

/** The run that a card in a container shows; a card in a run's own list belongs to that run. */
export const ofRun = ref('run', sayIn('of a card', 'Run'), ['association'], {
  help: say('The model run that this card shows and controls.'),
  on: ['cards'],
})

const on = ['cards', 'dashboard'] as const
const valued = ['slider', 'number', 'switch', 'select', 'text', 'longText']

/** Fields of a control on a dashboard. */
export const onPages = [
  text('initial', sayIn('value', 'At the start'), '', {
    help: say('The value it begins with, which its variable gets as well. Blank: what the model says.'),
    on,
    when: { type: valued },
  }),
  flag('everyRun', say('For every run'), false, {
    help: say('Sets the input of this name in all runs of the page, so that they can be compared.'),
    on,
    when: { type: valued },
  }),
  choice(
    'state',
    say('Begins'),
    { shown: sayIn('show it', 'Shown'), disabled: say('Disabled'), hidden: sayIn('hide it', 'Hidden') },
    'shown',
    {
      help: say('How it is as long as no interaction of another card says otherwise.'),
      on,
    },
  ),
  rows(
    'interactions',
    say('Interactions'),
    [
      choice(
        'when',
        say('When'),
        {
          always: say('Always'),
          is: say('Is'),
          isNot: say('Is not'),
          more: say('Is more than'),
          less: say('Is less than'),
          contains: say('Contains'),
          blank: say('Is blank'),
        },
        'is',
        { help: say('What its value must be. A button is on after every other press.') },
      ),
      text('than', sayIn('compared with', 'Value'), '', { help: say('What its value is compared with.') }),
      choice(
        'act',
        sayIn('action', 'Then'),
        {
          show: say('Show'),
          hide: say('Hide'),
          enable: say('Enable'),
          disable: say('Disable'),
          set: say('Set the value of'),
        },
        'show',
        { help: say('What happens to the other card while the condition holds.') },
      ),
      ref('card', say('Card'), ['chart', 'worldView', 'networkChart', 'controller', 'plot', 'note', 'image', 'cardGroup'], {
        help: say('The other card.'),
      }),
      text('to', say('To'), '', { help: say('The value that the other control gets.') }),
    ],
    { help: say('What this control does to other cards.'), on, section: 'changes' },
  ),
]
