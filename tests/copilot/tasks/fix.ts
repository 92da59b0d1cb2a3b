// Tasks about models with a fault, of the checker's sort or in their behaviour.
import { place, remove, setField, setText } from '../../../model-schema/edit.ts'
import { fileOf, loadFile, modelOf } from '../../../model-schema/document.ts'

import * as Y from 'yjs'
import { model, process, scenario, start, type Built } from '../../help/models.ts'
import { checks, orders, support, tank, triage, ward } from './fixtures.ts'
import { builds, idsIn, link, measures, offer, proposes, put, set, touches, use, type Ids, type Result, type Task } from './task.ts'

/** A model with something changed in it. */
const broken =
  (on: () => Built, change: (doc: Y.Doc, ids: Ids) => unknown): (() => Built) =>
  () => {
    const built = on()
    const doc = new Y.Doc()
    loadFile(doc, built.file)
    change(doc, idsIn(modelOf(doc)))
    return { ...built, file: fileOf(doc) }
  }

const mended = (result: Result, most: number): string[] => [...builds(result), ...touches(result, most)]
const wait = (result: Result): string[] => measures(result, 'mean wait', (0.36 / 0.64) * 1.2, { ticks: 1000 })
const repair = () => [use('check'), use('repair'), offer('Repaired')]

export const fix: readonly Task[] = [
  {
    id: 'fix-syntax',
    language: 'en',
    asks: 'The model does not run. Repair it with as few changes as possible.',
    on: broken(ward, (doc, ids) => setText(doc, ids('Treatment'), 'duration', 'exponential(1.2')),
    solves: repair,
    grade: result => [...mended(result, 1), ...wait(result)],
  },
  {
    id: 'fix-name',
    language: 'zh',
    asks: '检查器报告了一个错误，请修复它。',
    on: broken(ward, (doc, ids) => setText(doc, ids('mean wait'), 'expression', 'Nurse.mean_wait')),
    solves: repair,
    grade: result => [...mended(result, 1), ...wait(result)],
  },
  {
    id: 'fix-flow-missing',
    language: 'en',
    asks: 'Something in the course of Visit is missing. Repair it.',
    on: broken(ward, (doc, ids) => remove(doc, [ids('Visit-Treatment--Letthenursego')])),
    solves: ids => [{ uses: [{ name: 'edit', given: { calls: [link(ids('Treatment'), ids('Let the nurse go'))] } }] }, offer('Connected')],
    grade: result => [...mended(result, 1), ...wait(result)],
  },
  {
    id: 'fix-join',
    language: 'zh',
    asks: '“Decide” 应在两项检查都完成后只执行一次，但现在每份申请执行了两次。请修复。',
    on: () => checks('exclusive'),
    solves: proposes(ids => [set(ids('Together'), 'type', 'parallel')]),
    grade: result => [...mended(result, 2), ...measures(result, 'decided', 9, { runs: 2, ticks: 100 })],
  },
  {
    id: 'fix-release',
    language: 'en',
    asks: 'After a while nobody is treated any more: nurses are taken and never come back. Find out why and repair it.',
    on: broken(ward, (doc, ids) => setField(doc, ids('Let the nurse go'), 'operation', 'request')),
    solves: ids => [
      use('run', { ticks: 100 }),
      { uses: [{ name: 'edit', given: { calls: [set(ids('Let the nurse go'), 'operation', 'release')] } }] },
      offer('Nurses are released'),
    ],
    grade: result => [...mended(result, 1), ...wait(result)],
  },
  {
    id: 'fix-sign',
    language: 'zh',
    asks: '水池的水位应该在 50 左右稳定下来，但却无限增长。请找出原因并修复。',
    on: () => tank({ program: 'level += inflow + outflow * level' }),
    solves: proposes(ids => [set(ids('Fill and drain'), 'program', 'level += inflow - outflow * level')]),
    grade: result => [...mended(result, 1), ...measures(result, 'water', 50, { runs: 2, ticks: 300, slack: 0.5 })],
  },
  {
    id: 'fix-condition',
    language: 'en',
    asks: 'People of 65 and more should be counted as old, a third of all; but it counts those below 65. Repair it.',
    on: broken(triage, (doc, ids) => setText(doc, ids('Arrival-Oldenough--Countold'), 'condition', 'age < 65')),
    solves: proposes(ids => [set(ids('Arrival-Oldenough--Countold'), 'condition', 'age >= 65')]),
    grade: result => [...mended(result, 2), ...measures(result, 'share old', 0.35, { runs: 8, ticks: 300 })],
  },
  {
    id: 'fix-default',
    language: 'zh',
    asks: '网关有一个分支没有条件，请修复检查器报告的问题，年龄不足 65 的走另一分支。',
    on: broken(triage, (doc, ids) => setField(doc, ids('Arrival-Oldenough--Countyoung'), 'default', false)),
    solves: proposes(ids => [set(ids('Arrival-Oldenough--Countyoung'), 'default', true)]),
    grade: result => [...mended(result, 1), ...measures(result, 'share old', 0.35, { runs: 8, ticks: 300 })],
  },
  {
    id: 'fix-probabilities',
    language: 'en',
    asks: 'The shares of standard and special orders should be 0.7 and 0.3. Repair the gateway.',
    on: broken(orders, (doc, ids) => setText(doc, ids('Order-Whichsort--Countspecial'), 'weight', '0.6')),
    solves: proposes(ids => [set(ids('Order-Whichsort--Countspecial'), 'weight', '0.3')]),
    grade: result => [...mended(result, 2), ...measures(result, 'special share', 0.3, { runs: 8, ticks: 400 })],
  },
  {
    id: 'fix-boundary',
    language: 'zh',
    asks: '事件“Too late”脱离了它所属的活动，请修复。',
    on: broken(support, (doc, ids) => setField(doc, ids('Too late'), 'host', null)),
    solves: proposes(ids => [set(ids('Too late'), 'host', ids('Answer'))]),
    // Those who wait longer than 30 with a mean of 20: exp(-1.5); 20 of them arrive.
    grade: result => [
      ...mended(result, 1),
      ...measures(result, 'lost tickets', 200 * Math.exp(-1.5) * 0.1, { runs: 12, ticks: 200, slack: 0.7 }),
    ],
  },
  {
    id: 'fix-start',
    language: 'en',
    asks: 'The process never begins. Let something come every tick, and count it in "count" as its step says.',
    on: () => model(scenario({ totalTicks: 50 }), process('Course', start({ active: false }))),
    solves: ids => [
      {
        uses: [
          {
            name: 'edit',
            given: {
              calls: [
                put('variable', ids('scenario1'), { name: 'count', initial: '0' }),
                set(ids('Course-start1'), 'active', true),
                set(ids('Course-start1'), 'trigger', 'timer'),
                set(ids('Course-start1'), 'every', '1'),
                { do: 'place', kind: 'compute', parent: ids('Course'), near: ids('Course-start1'), values: { program: 'count += 1' } },
                { do: 'place', kind: 'end', parent: ids('Course'), near: '$5' },
                link(ids('Course-start1'), '$5'),
                link('$5', '$6'),
                put('statistic', ids('scenario1'), { name: 'counted', expression: 'count', sample: 'end' }),
              ],
            },
          },
        ],
      },
      offer('It begins'),
    ],
    grade: result => {
      const counted = [...result.after.elements.values()].some(({ kind, fields }) => kind === 'variable' && fields['name'] === 'count')
      const start = result.after.elements.get('Course-start1')
      return [
        ...builds(result),
        ...(counted ? [] : ['nothing is counted']),
        ...(start?.fields['active'] === false ? ['the start is passive'] : []),
      ]
    },
  },
  {
    id: 'fix-unit',
    language: 'zh',
    asks: '治疗平均应为 1.2 分钟，但有人填成了秒（72），导致队列不断增长。模型的时间单位是分钟，请修复。',
    on: () => ward({ duration: 'exponential(72)' }),
    solves: proposes(ids => [set(ids('Treatment'), 'duration', 'exponential(1.2)')]),
    grade: result => [...mended(result, 1), ...wait(result)],
  },
  {
    id: 'fix-duplicate',
    language: 'en',
    asks: 'Two variables have the same name. Repair that; "inflow" keeps its meaning in the formula.',
    on: broken(tank, doc => place(doc, { kind: 'variable', parent: 'scenario1', at: [900, 0], values: { name: 'inflow', initial: '0' } })),
    solves: repair,
    grade: result => [...mended(result, 1), ...measures(result, 'water', 50, { runs: 2, ticks: 300, slack: 0.5 })],
  },
  {
    id: 'fix-removed',
    language: 'zh',
    asks: '容器“Nurses”被误删了：重新建一个（2 名护士，可重复使用），让就诊流程恢复正常。',
    on: broken(ward, (doc, ids) => remove(doc, [ids('Nurses')])),
    solves: proposes((ids, scenario) => [
      put('container', scenario, { name: 'Nurses', reusable: true, initial: '2' }),
      ...['Wait for a nurse', 'Let the nurse go'].map(name => set(ids(name), 'items', [{ container: 'Nurses', amount: '1', key: '' }])),
    ]),
    grade: result => [...mended(result, 5), ...wait(result)],
  },
]
