// What cards have on a dashboard only: which run they belong to, how they begin, and what a control does to other cards.
import { choice, flag, ref, rows, text } from './field.ts'
import { say } from './kind.ts'

/** The run that a card in a container shows; a card that stands in a run's own list belongs to that run. */
export const ofRun = ref('run', say('Run', '所属运行'), ['association'], {
  help: say('The model run that this card shows and controls.', '此卡片显示和控制的模型运行。'),
  on: ['cards'],
})

const on = ['cards', 'dashboard'] as const
const valued = ['slider', 'number', 'switch', 'select', 'text', 'longText']

/** Fields of a control on a dashboard. */
export const onPages = [
  text('initial', say('At the start', '初始值'), '', {
    help: say(
      'The value it begins with, which its variable gets as well. Blank: what the model says.',
      '控件的初始值，其变量也取此值。留空则与模型一致。',
    ),
    on,
    when: { type: valued },
  }),
  flag('everyRun', say('For every run', '用于所有运行'), false, {
    help: say(
      'Sets the public variable of this name in all runs of the page, so that they can be compared.',
      '在页面的所有运行中设置同名的公开变量，便于对比。',
    ),
    on,
    when: { type: valued },
  }),
  choice(
    'state',
    say('Begins', '初始状态'),
    { shown: say('Shown', '显示'), disabled: say('Disabled', '停用'), hidden: say('Hidden', '隐藏') },
    'shown',
    {
      help: say('How it is as long as no interaction of another card says otherwise.', '在其他卡片的交互改变它之前的状态。'),
      on,
    },
  ),
  rows(
    'interactions',
    say('Interactions', '交互'),
    [
      choice(
        'when',
        say('When', '条件'),
        {
          always: say('Always', '始终'),
          is: say('Is', '等于'),
          isNot: say('Is not', '不等于'),
          more: say('Is more than', '大于'),
          less: say('Is less than', '小于'),
          contains: say('Contains', '包含'),
          blank: say('Is blank', '为空'),
        },
        'is',
        { help: say('What its value must be. A button is on after every other press.', '控件的值须满足的条件。按钮每按两次切换一次。') },
      ),
      text('than', say('Value', '比较值'), '', { help: say('What its value is compared with.', '与之比较的值。') }),
      choice(
        'act',
        say('Then', '动作'),
        {
          show: say('Show', '显示'),
          hide: say('Hide', '隐藏'),
          enable: say('Enable', '启用'),
          disable: say('Disable', '停用'),
          set: say('Set the value of', '设置值'),
        },
        'show',
        { help: say('What happens to the other card while the condition holds.', '条件成立时对另一张卡片的作用。') },
      ),
      ref('card', say('Card', '卡片'), ['chart', 'worldView', 'networkChart', 'controller', 'plot', 'note', 'image', 'cardGroup'], {
        help: say('The other card.', '另一张卡片。'),
      }),
      text('to', say('To', '设为'), '', { help: say('The value that the other control gets.', '另一控件获得的值。') }),
    ],
    { help: say('What this control does to other cards.', '此控件对其他卡片的作用。'), on, section: 'changes' },
  ),
]
