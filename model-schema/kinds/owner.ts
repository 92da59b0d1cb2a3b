// Fields that several components share: whose they are, and in which order individuals act.
import { choice, formula } from './field.ts'
import { say } from './kind.ts'

/** Who owns a component that stands inside an entity. */
export const owner = choice(
  'owner',
  say('Owner', '所有者'),
  { individual: say('Each individual', '每个个体'), observer: say('The observer', '观察者') },
  'individual',
  {
    help: say(
      'Inside an entity: whether each individual has one of its own, or the observer has one for all. On other canvases it means nothing.',
      '在实体内部：每个个体各有一个，还是由观察者统一拥有。在其他画布上没有意义。',
    ),
  },
)

/** In which order the individuals of a population act. */
export const order = (initial: string) =>
  choice(
    'order',
    say('Activation order', '激活顺序'),
    {
      fixed: say('In order', '按顺序'),
      shuffled: say('Shuffled', '随机'),
      key: say('By key', '按键值'),
      simultaneous: say('Simultaneous', '同时'),
    },
    initial,
    {
      help: say(
        'In which order individuals act within one tick. Simultaneous: all read the state of before, and what they write appears at the end.',
        '一步内个体行动的顺序。同时：全部读取之前的状态，写入在最后生效。',
      ),
      section: 'advanced',
    },
  )
export const orderKey = formula('orderKey', say('Order key', '排序键'), '', {
  help: say('The individual with the lowest value acts first.', '取值最小的个体先行动。'),
  result: 'number',
  when: { order: ['key'] },
  section: 'advanced',
})
