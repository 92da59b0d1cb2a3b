// Claims about behaviour: tested by runs, answered with numbers.
import { orders, tank, ward } from './fixtures.ts'
import { builds, changesNothing, measures, offer, says, set, use, uses, type Task } from './task.ts'

export const validate: readonly Task[] = [
  {
    id: 'validate-nurse',
    language: 'en',
    mode: 'ask',
    asks: 'Would a third nurse at least halve the mean wait? Test it with the same seeds and say the numbers.',
    on: ward,
    solves: () => [
      use('experiment', { name: 'Nurses', values: [2, 3], runs: 6, ticks: 400 }),
      { text: 'Yes: the mean wait falls from 0.6 to 0.09 with seeds 1 to 6.' },
    ],
    grade: result => [...changesNothing(result), ...uses(result, 'experiment'), ...says(result, /yes/i, /0?\.\d/)],
  },
  {
    id: 'validate-theory',
    language: 'zh',
    mode: 'ask',
    asks: '检验：平均等待时间是否为 0.675（误差 0.5 以内）？给出区间。',
    on: ward,
    solves: () => [
      use('validate', { measure: 'mean_wait', expected: 0.675, tolerance: 0.5, runs: 10, ticks: 400 }),
      { text: '成立：均值约 0.7，95% 区间在 0.175 到 1.175 之内，种子 1 到 10。' },
    ],
    grade: result => [...changesNothing(result), ...uses(result, 'validate', 'replicate'), ...says(result, /成立|是|符合/, /0\.\d/)],
  },
  {
    id: 'validate-false',
    language: 'en',
    mode: 'ask',
    asks: 'Somebody says that half of the orders are special. Is that so? Test it.',
    on: orders,
    solves: () => [
      use('validate', { measure: 'special_share', expected: 0.5, tolerance: 0.05, runs: 8 }),
      { text: 'No: it is 0.30, so the claim fails.' },
    ],
    grade: result => [
      ...changesNothing(result),
      ...uses(result, 'validate', 'replicate'),
      ...says(result, /\bno\b|not|fails|false/i, /0?\.3|30\s*%/),
    ],
  },
  {
    id: 'validate-calibrate',
    language: 'zh',
    asks: '水位最后应为 80。调整 inflow 达到它，并用运行验证。',
    on: tank,
    solves: ids => [
      use('experiment', { name: 'inflow', values: [5, 8, 10], runs: 2, ticks: 300 }),
      { uses: [{ name: 'edit', given: { calls: [set(ids('inflow'), 'initial', '8')] } }] },
      use('validate', { measure: 'water', expected: 80, tolerance: 0.5, runs: 2, ticks: 300 }),
      offer('inflow = 8'),
    ],
    grade: result => [
      ...builds(result),
      ...uses(result, 'run', 'replicate', 'experiment', 'validate'),
      ...measures(result, 'water', 80, { runs: 2, ticks: 300, slack: 1 }),
    ],
  },
  {
    id: 'validate-optimise',
    language: 'en',
    asks: 'Find the least number of nurses for which the mean wait is below 0.2, and set it.',
    on: ward,
    solves: ids => [
      use('experiment', { name: 'Nurses', values: [2, 3, 4], runs: 6, ticks: 400 }),
      { uses: [{ name: 'edit', given: { calls: [set(ids('Nurses'), 'initial', '3')] } }] },
      offer('Three nurses'),
    ],
    grade: result => [
      ...builds(result),
      ...uses(result, 'experiment', 'replicate', 'run'),
      ...(String(result.after.elements.get('Nurses')?.fields['initial']) === '3' ? [] : ['it is not three nurses']),
    ],
  },
  {
    id: 'validate-sensitivity',
    language: 'zh',
    mode: 'ask',
    asks: '把 outflow 从 0.1 提高到 0.2，最后的水位会怎样变化？用实验回答。',
    on: tank,
    solves: () => [use('experiment', { name: 'outflow', values: [0.1, 0.2], runs: 2, ticks: 300 }), { text: '水位从 50 降到 25。' }],
    grade: result => [...changesNothing(result), ...uses(result, 'experiment', 'replicate', 'run'), ...says(result, /25/)],
  },
  {
    id: 'validate-seeds',
    language: 'en',
    mode: 'ask',
    asks: 'How sure is the mean wait? Give its 95 % interval and the seeds.',
    on: ward,
    solves: () => [use('replicate', { runs: 8, ticks: 400 }), { text: 'The mean is 0.64, 95 % interval 0.45 to 0.83, seeds 1 to 8.' }],
    grade: result => [...changesNothing(result), ...uses(result, 'replicate'), ...says(result, /seed/i, /95|interval/i, /0?\.\d/)],
  },
]
