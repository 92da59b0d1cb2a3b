// Gateways: where tokens split and meet.
import { choice, formula } from './field.ts'
import { say, type Kind } from './kind.ts'
import { after, before, title } from './steps.ts'

export const gateways: readonly Kind[] = [
  {
    id: 'gateway',
    label: say('Gateway', '网关'),
    help: say('Splits the way of tokens, or brings ways together.', '使令牌的路径分开，或使路径汇合。'),
    family: 'flow',
    shape: 'gateway',
    size: [48, 48],
    on: ['process'],
    icon: 'type',
    fields: [
      title,
      choice(
        'type',
        say('Type', '类型'),
        {
          exclusive: say('Exclusive', '排他'),
          inclusive: say('Inclusive', '包容'),
          parallel: say('Parallel', '并行'),
          synchronizing: say('Synchronizing join', '同步汇合'),
          event: say('Event-based', '基于事件'),
          mofn: say('m of n', 'n 选 m'),
        },
        'exclusive',
        {
          help: say(
            'Exclusive: one branch. Inclusive: all that fit. Parallel: all. Synchronizing: waits for all siblings. Event-based: what happens first. m of n: goes on at the m-th.',
            '排他：走一个分支。包容：走所有满足的分支。并行：走全部。同步汇合：等待所有同源令牌。基于事件：先发生者。n 选 m：第 m 个到达时继续。',
          ),
        },
      ),
      choice(
        'by',
        say('Branches by', '分支依据'),
        { condition: say('Condition', '条件'), probability: say('Probability', '概率'), filter: say('Token filter', '令牌筛选') },
        'condition',
        {
          help: say(
            'Whether the branch is the first whose condition is true, drawn by the weights of the branches, or found by collecting tokens.',
            '分支取决于第一个为真的条件、按分支权重抽取，或通过收集令牌决定。',
          ),
          when: { type: ['exclusive'] },
        },
      ),
      formula('needed', say('Tokens needed', '所需令牌数'), '1', {
        help: say('How many tokens must arrive before one goes on; the others are swallowed.', '需要多少令牌到达后放行一个，其余被吞掉。'),
        result: 'number',
        when: { type: ['mofn'] },
      }),
      formula('release', say('Release', '放行规则'), '', {
        help: say(
          'Which of the collected tokens go on: a condition for each, or how many. Blank: all.',
          '收集到的令牌中哪些放行：逐个判断的条件，或数量。留空表示全部。',
        ),
        when: { by: ['filter'] },
        section: 'advanced',
      }),
      formula('every', say('Every n ticks', '每 n 步'), '1', {
        help: say('Ticks between two releases.', '两次放行之间的步数。'),
        result: 'number',
        when: { by: ['filter'] },
        section: 'advanced',
      }),
      before,
      after,
    ],
    presets: [
      { id: 'exclusive', label: say('Exclusive gateway', '排他网关'), values: { type: 'exclusive' } },
      { id: 'probability', label: say('Probability gateway', '概率网关'), values: { type: 'exclusive', by: 'probability' } },
      { id: 'parallel', label: say('Parallel gateway', '并行网关'), values: { type: 'parallel' } },
      { id: 'inclusive', label: say('Inclusive gateway', '包容网关'), values: { type: 'inclusive' } },
      { id: 'synchronizing', label: say('Synchronizing join', '同步汇合'), values: { type: 'synchronizing' } },
      { id: 'event', label: say('Event-based gateway', '事件网关'), values: { type: 'event' } },
      { id: 'mofn', label: say('m-of-n join', 'm/n 汇合'), values: { type: 'mofn' } },
    ],
  },
]
