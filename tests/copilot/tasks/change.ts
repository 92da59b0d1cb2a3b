// Changes of a model that works, each tested before and after.
import { checks, herd, orders, support, tank, ward } from './fixtures.ts'
import { builds, link, measures, offer, proposes, put, set, touches, use, type Task } from './task.ts'

export const change: readonly Task[] = [
  {
    id: 'change-nurses',
    language: 'en',
    asks: 'Add a third nurse. Change nothing else.',
    on: ward,
    solves: proposes(ids => [set(ids('Nurses'), 'initial', '3')]),
    // M/M/3 with arrivals 1 and services of 1.2: Wq = 0.0941 (Erlang C).
    grade: result => [...builds(result), ...touches(result, 1), ...measures(result, 'mean wait', 0.0941, { ticks: 2000, slack: 0.01 })],
  },
  {
    id: 'change-share',
    language: 'zh',
    asks: '把特殊订单的比例改为一半。',
    on: orders,
    solves: proposes(ids => [
      set(ids('Order-Whichsort--Countstandard'), 'weight', '0.5'),
      set(ids('Order-Whichsort--Countspecial'), 'weight', '0.5'),
    ]),
    grade: result => [...builds(result), ...touches(result, 2), ...measures(result, 'special share', 0.5, { runs: 8, ticks: 400 })],
  },
  {
    id: 'change-limit',
    language: 'en',
    asks: 'The tank overflows at 40: its level must never be above. Keep the rest.',
    on: tank,
    solves: proposes(ids => [set(ids('Fill and drain'), 'program', 'level = min(40, level + inflow - outflow * level)')]),
    grade: result => [...builds(result), ...touches(result, 3), ...measures(result, 'water', 40, { runs: 2, ticks: 300, slack: 0.01 })],
  },
  {
    id: 'change-insert',
    language: 'zh',
    asks: '在“Treatment”之后、放走护士之前，加一个 0.3 分钟的步骤“Clean”。',
    on: ward,
    solves: ids => [
      {
        uses: [
          {
            name: 'edit',
            given: {
              calls: [
                { do: 'insert', flow: ids('Visit-Treatment--Letthenursego'), kind: 'delay', values: { name: 'Clean', duration: '0.3' } },
              ],
            },
          },
        ],
      },
      offer('清洁'),
    ],
    grade: result => {
      const clean = [...result.after.elements.values()].find(({ fields }) => fields['name'] === 'Clean')
      // Utilisation is arrivals times services over servers: (1.2 + 0.3) / 2.
      return [...builds(result), ...(clean ? [] : ['there is no "Clean"']), ...measures(result, 'busy', 0.75, { ticks: 2000, slack: 0.02 })]
    },
  },
  {
    id: 'change-population',
    language: 'en',
    asks: 'Start with 25 sheep that lose 2 energy each tick instead of gaining 1.',
    on: herd,
    solves: proposes(ids => [set(ids('Sheep'), 'initialNumber', '25'), set(ids('Graze'), 'program', 'energy -= 2')]),
    grade: result => [
      ...builds(result),
      ...touches(result, 3),
      ...measures(result, 'Sheep', 25, { runs: 2, ticks: 20 }),
      ...measures(result, 'mean energy', 5 - 2 * 20, { runs: 2, ticks: 20, slack: 2 }),
    ],
  },
  {
    id: 'change-patience',
    language: 'zh',
    asks: '把耐心时间缩短为 5，使更多工单丢失。',
    on: support,
    solves: proposes(ids => [set(ids('patience'), 'initial', '5')]),
    // exp(-5/20) of the tickets, one each ten ticks.
    grade: result => [
      ...builds(result),
      ...touches(result, 1),
      ...measures(result, 'lost tickets', 20 * Math.exp(-0.25), { runs: 12, ticks: 200, slack: 1 }),
    ],
  },
  {
    id: 'change-third-check',
    language: 'en',
    asks: 'Add a third check "Check address" of 6 ticks at the same time as the others.',
    on: checks,
    solves: ids => [
      {
        uses: [
          {
            name: 'edit',
            given: {
              calls: [
                put('delay', ids('Application'), { name: 'Check address', duration: '6' }),
                link(ids('Both'), '$1'),
                link('$1', ids('Together')),
              ],
            },
          },
        ],
      },
      use('check'),
      offer('A third check'),
    ],
    grade: result => {
      const added = [...result.after.elements.values()].find(({ fields }) => fields['name'] === 'Check address')
      return [
        ...builds(result),
        ...(added ? [] : ['there is no "Check address"']),
        ...measures(result, 'decided', 9, { runs: 2, ticks: 100 }),
      ]
    },
  },
  {
    id: 'change-rename',
    language: 'zh',
    asks: '把变量“level”改名为“water_level”，所有公式也要一致。',
    on: tank,
    solves: proposes(ids => [
      { do: 'rename', id: ids('level'), name: 'water_level' },
      set(ids('Fill and drain'), 'program', 'water_level += inflow - outflow * water_level'),
      set(ids('water'), 'expression', 'water_level'),
    ]),
    grade: result => [
      ...builds(result),
      ...(result.after.elements.get('level')?.fields['name'] === 'water_level' ? [] : ['it is not renamed']),
      ...measures(result, 'water', 50, { runs: 2, ticks: 300, slack: 0.5 }),
    ],
  },
]
