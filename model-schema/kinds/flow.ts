// Processes and their flow elements (BPMN 2.0 shapes), in palette order.
import { activityKinds } from './activities.ts'
import { connectors } from './connectors.ts'
import { owner } from './owner.ts'
import { events } from './events.ts'
import { choice, formula, name } from './field.ts'
import { gateways } from './gateways.ts'
import { say, type Kind } from './kind.ts'

const process: readonly Kind[] = [
  {
    id: 'process',
    label: say('Process', '流程'),
    help: say(
      'A flow of steps that tokens walk through. It belongs to the canvas it stands on: to the world, to each individual or to an observer.',
      '由令牌走过的步骤流。它属于所在的画布：世界、每个个体或观察者。',
    ),
    family: 'flow',
    shape: 'process',
    size: [120, 72],
    on: ['root', 'entity'],
    opens: 'process',
    fields: [
      name({ help: say('The name, also used by Call and Ask steps.', '名称，也用于调用和请求步骤。') }),
      owner,
      formula('concurrency', say('Most tokens at once', '最大并发令牌数'), '', {
        help: say(
          'Most tokens that are in it at once for one owner. Blank: no limit.',
          '同一所有者同时处于该流程中的令牌上限。留空表示不限。',
        ),
        result: 'number',
        section: 'advanced',
      }),
      choice(
        'busy',
        say('When all are busy', '并发已满时'),
        { queue: say('Queue', '排队'), skip: say('Skip', '跳过'), restart: say('Restart', '重新开始') },
        'queue',
        {
          help: say('What happens to a token that comes when as many are in it already.', '达到上限后到来的令牌如何处理。'),
          section: 'advanced',
        },
      ),
      formula('priority', say('Priority', '优先级'), '', {
        help: say(
          'Of several processes that start at one instant the one with the lower number goes first. Blank: canvas order.',
          '同一时刻启动的多个流程中数字小的先运行。留空则按画布顺序。',
        ),
        result: 'number',
        section: 'advanced',
      }),
    ],
  },
]

export const flow: readonly Kind[] = [...process, ...events, ...gateways, ...activityKinds, ...connectors]
