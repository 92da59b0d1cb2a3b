// Questions about a model: answered with what is there, citing it, changing nothing.
import { checks, docks, herd, orders, support, tank, triage, ward } from './fixtures.ts'
import { changesNothing, cites, says, use, uses, type Ids, type Task } from './task.ts'
import type { Played } from '../../help/network/provider.ts'

/** Looks first, then says this; names in braces become citations. */
const tells =
  (text: string, ...first: readonly Played[]) =>
  (ids: Ids): readonly Played[] => [
    ...(first.length > 0 ? first : [use('outline')]),
    { text: text.replaceAll(/\{([^}]+)\}/g, (_, name: string) => `[[${ids(name)}]]`) },
  ]

export const explain: readonly Task[] = [
  {
    id: 'explain-ward',
    language: 'en',
    mode: 'ask',
    asks: 'What limits the patients? Name the resource and the step at which they wait.',
    on: ward,
    solves: tells('Patients wait at {Wait for a nurse} for one of the 2 {Nurses}.'),
    grade: result => [...changesNothing(result), ...cites(result, 'Wait for a nurse', 'Nurses'), ...says(result, /2|two/i)],
  },
  {
    id: 'explain-deadlock',
    language: 'zh',
    mode: 'ask',
    asks: '运行为什么停住？请运行模型，指出互相等待的资源。',
    on: docks,
    solves: tells('这是死锁：{Dock} 和 {Forklift} 被互相等待。', use('run', { ticks: 20 })),
    grade: result => [
      ...changesNothing(result),
      ...uses(result, 'run', 'replicate'),
      ...cites(result, 'Dock', 'Forklift'),
      ...says(result, /死锁|互相|循环/),
    ],
  },
  {
    id: 'explain-writers',
    language: 'en',
    mode: 'ask',
    asks: 'Which steps write the variable "lost"?',
    on: support,
    solves: tells('Only {Count lost} writes it.', use('find', { text: 'lost' })),
    grade: result => [...changesNothing(result), ...cites(result, 'Count lost')],
  },
  {
    id: 'explain-gateway',
    language: 'zh',
    mode: 'ask',
    asks: '“Which sort?” 处的订单如何分流？给出各分支的概率。',
    on: orders,
    solves: tells('{Which sort?} 以 0.7 的概率到 {Count standard}，以 0.3 的概率到 {Count special}。'),
    grade: result => [
      ...changesNothing(result),
      ...cites(result, 'Count standard', 'Count special'),
      ...says(result, /0?\.7|70\s*%/, /0?\.3|30\s*%/),
    ],
  },
  {
    id: 'explain-equilibrium',
    language: 'en',
    mode: 'ask',
    asks: 'At which level does the water settle, and which variables decide it?',
    on: tank,
    solves: tells('It settles at 50: {inflow} over {outflow}.', use('run', { ticks: 200 })),
    grade: result => [
      ...changesNothing(result),
      ...uses(result, 'run', 'replicate'),
      ...cites(result, 'inflow', 'outflow'),
      ...says(result, /50/),
    ],
  },
  {
    id: 'explain-join',
    language: 'zh',
    mode: 'ask',
    asks: '一份申请从到达到“Decide”需要多长时间？为什么？',
    on: checks,
    solves: tells('需要 5 步：{Together} 等待 {Check income} 和 {Check identity} 中较长的一项。'),
    grade: result => [...changesNothing(result), ...cites(result, 'Check identity'), ...says(result, /5|五/)],
  },
  {
    id: 'explain-boundary',
    language: 'en',
    mode: 'ask',
    asks: 'What happens to a ticket that is not answered within its time limit, and how long is that?',
    on: support,
    solves: tells('After {patience}, 30 ticks, {Too late} interrupts {Answer} and {Count lost} counts it.'),
    grade: result => [...changesNothing(result), ...cites(result, 'Too late', 'patience'), ...says(result, /30/)],
  },
  {
    id: 'explain-agents',
    language: 'zh',
    mode: 'ask',
    asks: '有多少只羊？它们的哪个属性会变化，由哪个步骤改变？',
    on: herd,
    solves: tells('有 10 只 {Sheep}；{energy} 在 {Graze} 中每步加 1。'),
    grade: result => [...changesNothing(result), ...cites(result, 'energy', 'Graze'), ...says(result, /10|十/)],
  },
  {
    id: 'explain-condition',
    language: 'en',
    mode: 'ask',
    asks: 'From which age on is somebody counted as old, and where does the model say so?',
    on: triage,
    solves: tells('From 65 on: the branch of {Old enough?} to {Count old}.'),
    grade: result => [...changesNothing(result), ...cites(result, 'Old enough?'), ...says(result, /65/)],
  },
  {
    id: 'explain-measures',
    language: 'zh',
    mode: 'ask',
    asks: '模型测量了什么？列出所有统计量。',
    on: ward,
    solves: tells('有两个统计量：{mean wait} 和 {busy}。', use('outline', { kinds: ['statistic'] })),
    grade: result => [...changesNothing(result), ...cites(result, 'mean wait', 'busy')],
  },
  {
    id: 'explain-course',
    language: 'en',
    mode: 'ask',
    asks: 'List the steps of a visit in their order.',
    on: ward,
    solves: tells('{Wait for a nurse}, then {Treatment}, then {Let the nurse go}.', use('explain', { id: 'Visit' })),
    grade: result => {
      const at = ['Wait for a nurse', 'Treatment', 'Let the nurse go'].map(name => result.said.indexOf(result.ids(name)))
      return [
        ...changesNothing(result),
        ...cites(result, 'Wait for a nurse', 'Treatment', 'Let the nurse go'),
        ...(at.every((one, i) => i === 0 || one > (at[i - 1] ?? 0)) ? [] : ['the order is wrong']),
      ]
    },
  },
]
