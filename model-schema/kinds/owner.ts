// Fields that several components share: their owner, and the order in which individuals act.
import { choice, formula } from './field.ts'
import { say } from '../words.ts'

/** The owner of a component inside an entity. */
export const owner = choice('owner', say('Owner'), { individual: say('Each individual'), observer: say('The observer') }, 'individual', {
  help: say(
    'Inside an entity: whether each individual has one of its own, or the observer has one for all. On other canvases it means nothing.',
  ),
})

/** In which order the individuals of a population act. */
export const order = (initial: string) =>
  choice(
    'order',
    say('Activation order'),
    {
      fixed: say('In order'),
      shuffled: say('Shuffled'),
      key: say('By key'),
      simultaneous: say('Simultaneous'),
    },
    initial,
    {
      help: say(
        'In which order individuals act within one tick. Simultaneous: all read the state of before, and what they write appears at the end.',
      ),
      section: 'advanced',
    },
  )
export const orderKey = formula('orderKey', say('Order key'), '', {
  help: say('The individual with the lowest value acts first.'),
  result: 'number',
  when: { order: ['key'] },
  section: 'advanced',
})
