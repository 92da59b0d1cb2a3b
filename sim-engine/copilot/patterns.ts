// Small models to begin with, as the edits that make them. Numbers in the question replace those of the pattern, in order.
import type { Id } from '../../model-schema/model.ts'
import type { EditCall } from './branch.ts'
import { say, type Words } from '../../model-schema/words.ts'

export type Pattern = {
  readonly id: string
  /** What people call it, in small letters. */
  readonly words: readonly string[]
  readonly ask: Words
  readonly title: Words
  readonly why: Words
  calls(scenario: Id, numbers: readonly number[]): EditCall[]
}

const line = (from: string, ...to: string[]): EditCall[] =>
  to.map((id, i) => ({ do: 'connect', from: i === 0 ? from : (to[i - 1] ?? ''), to: id }))

export const patterns: readonly Pattern[] = [
  {
    id: 'queue',
    words: ['queue', 'server', 'waiting line', '排队', '队列', '服务台'],
    ask: say('Make a queue with 2 servers'),
    title: say('A queue'),
    why: say('Customers arrive at random, wait for one of the servers, are served and leave. Mean wait and utilisation are measured.'),
    calls: (scenario, [servers = 2, every = 1, service = 1.5]) => [
      {
        do: 'place',
        kind: 'container',
        parent: scenario,
        values: { name: 'Servers', reusable: true, initial: String(Math.max(1, Math.round(servers))) },
      },
      { do: 'place', kind: 'process', parent: scenario, values: { name: 'Visit' } },
      {
        do: 'place',
        kind: 'start',
        parent: '$2',
        at: [0, 60],
        values: { name: 'Arrive', trigger: 'timer', first: '0', every: `exponential(${every})` },
      },
      {
        do: 'place',
        kind: 'operate',
        parent: '$2',
        near: '$3',
        values: { name: 'Take a server', operation: 'request', items: [{ container: 'Servers', amount: '1', key: '' }] },
      },
      { do: 'place', kind: 'delay', parent: '$2', near: '$4', values: { name: 'Service', duration: `exponential(${service})` } },
      {
        do: 'place',
        kind: 'operate',
        parent: '$2',
        near: '$5',
        values: { name: 'Give back', operation: 'release', items: [{ container: 'Servers', amount: '1', key: '' }] },
      },
      { do: 'place', kind: 'end', parent: '$2', near: '$6', values: { name: 'Leave' } },
      ...line('$3', '$4', '$5', '$6', '$7'),
      { do: 'place', kind: 'statistic', parent: scenario, values: { name: 'mean wait', expression: 'Servers.mean_wait' } },
      { do: 'place', kind: 'statistic', parent: scenario, values: { name: 'busy', expression: 'Servers.utilization' } },
    ],
  },
  {
    id: 'sir',
    words: ['sir', 'epidemic', 'infection', '传染', '流行病', '疫情'],
    ask: say('Make an SIR epidemic'),
    title: say('An SIR epidemic'),
    why: say(
      'Susceptible, infected and recovered people as three amounts that change each tick: infections by contact, recovery after a while.',
    ),
    calls: (scenario, [people = 1000, contact = 0.4, recovery = 0.1]) => [
      { do: 'place', kind: 'variable', parent: scenario, values: { name: 'susceptible', initial: String(people - 1) } },
      { do: 'place', kind: 'variable', parent: scenario, values: { name: 'infected', initial: '1' } },
      { do: 'place', kind: 'variable', parent: scenario, values: { name: 'recovered', initial: '0' } },
      {
        do: 'place',
        kind: 'variable',
        parent: scenario,
        values: { name: 'contact_rate', initial: String(contact), public: true, min: 0, max: 5 },
      },
      {
        do: 'place',
        kind: 'variable',
        parent: scenario,
        values: { name: 'recovery_rate', initial: String(recovery), public: true, min: 0, max: 1 },
      },
      { do: 'place', kind: 'process', parent: scenario, values: { name: 'Spread' } },
      { do: 'place', kind: 'start', parent: '$6', at: [0, 60], values: { trigger: 'timer', every: '1' } },
      {
        do: 'place',
        kind: 'compute',
        parent: '$6',
        near: '$7',
        values: {
          name: 'Infect and recover',
          program:
            'infections = contact_rate * susceptible * infected / (susceptible + infected + recovered)\nrecoveries = recovery_rate * infected\nsusceptible -= infections\ninfected += infections - recoveries\nrecovered += recoveries',
        },
      },
      { do: 'place', kind: 'end', parent: '$6', near: '$8' },
      ...line('$7', '$8', '$9'),
      {
        do: 'place',
        kind: 'chart',
        parent: scenario,
        values: {
          name: 'Epidemic',
          series: ['susceptible', 'infected', 'recovered'].map(name => ({ label: name, value: name, color: '' })),
        },
      },
    ],
  },
  {
    id: 'walk',
    words: ['random walk', 'walker', '随机游走', '随机漫步'],
    ask: say('Make a random walk of 100 agents'),
    title: say('Random walk'),
    why: say('Agents that take a step to the left or the right each tick; how far they get is measured.'),
    calls: (scenario, [walkers = 100]) => [
      { do: 'place', kind: 'agent', parent: scenario, values: { name: 'Walker', initialNumber: String(Math.round(walkers)) } },
      { do: 'place', kind: 'variable', parent: '$1', values: { name: 'where', initial: '0' } },
      { do: 'place', kind: 'process', parent: '$1', values: { name: 'Walk' } },
      { do: 'place', kind: 'start', parent: '$3', at: [0, 60], values: { trigger: 'timer', every: '1' } },
      { do: 'place', kind: 'compute', parent: '$3', near: '$4', values: { name: 'Step', program: 'where += choice([-1, 1])' } },
      { do: 'place', kind: 'end', parent: '$3', near: '$5' },
      ...line('$4', '$5', '$6'),
      {
        do: 'place',
        kind: 'statistic',
        parent: scenario,
        values: { name: 'spread', over: 'Walker', expression: 'where', aggregate: 'std' },
      },
    ],
  },
]
