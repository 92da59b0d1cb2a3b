// Rows as WebAssembly change nothing: runs that begin with them, runs that come to them and runs without agree on everything kept, instant
// by instant, on random models of rows, whatever goes wrong in them.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadChain } from '../../../sim-engine/chain.ts'
import { check } from '../../../sim-engine/check.ts'
import { compile } from '../../../sim-engine/compile.ts'
import type { Program } from '../../../sim-engine/compile.ts'
import { below, stream, uniform, type Stream } from '../../../sim-engine/kernel/random.ts'
import { hasNativeRows } from '../../../sim-engine/rows.ts'
import { hasFastProcesses } from '../../../sim-engine/run/fast/process-module.ts'
import { start } from '../../../sim-engine/run.ts'
import type { Run } from '../../../sim-engine/run.ts'
import { modelOfFile, parseFile } from '../../../model-schema/file.ts'
import type { Model } from '../../../model-schema/model.ts'
import {
  agents,
  ask,
  cells,
  compute,
  create,
  delay,
  destroy,
  element,
  end,
  event,
  every,
  exclusive,
  from,
  links,
  model,
  move,
  otherwise,
  place,
  process,
  release,
  request,
  resource,
  scenario,
  space,
  start as startStep,
  statistic,
  variable,
  when,
  type Entry,
  type Part,
} from '../../help/models.ts'
import { english } from '../../../model-schema/words.ts'

await loadChain()

function programOf(of: Model): Program {
  const checked = check(of, of.scenarios[0] ?? '')
  if (!checked.ok) throw new Error(checked.problems.map(one => `${one.code} ${one.at.id} ${one.at.field} ${english(one.message)}`).join())
  return compile(checked.checked)
}

const stateOf = (run: Run): unknown => ({ state: run.snapshot().state, result: run.result, time: run.time, tick: run.tick })

const one = <T>(s: Stream, items: readonly T[]): T => items[below(s, items.length)]!

/** What a row may do with its numbers `a`, `b`, its truth `f`, its cell and the agents on it. Few of these ever fail. */
function statement(s: Stream, other: string, depth: number): string {
  const inner = (): string => statement(s, other, depth - 1).replaceAll('\n', '\n    ')
  const kinds = [
    () => `a += ${one(s, ['1', '-1', '0.25', 'b', 'random()', 'randint(0, 5)', 'x - y', 'cell.grass'])}`,
    () =>
      `a = ${one(s, ['b * 0.5', 'min(max(a, -20), 20)', 'floor(a * 7) % 3', 'abs(a) ** 0.5', '(a + b) / 2', 'round(a)', 'a // 3', '-a'])}`,
    () => `b = ${one(s, ['a', 'random() * 4', 'randint(1, 9)', 'max(a, 1)', 'sqrt(abs(a))', 'b if f else a', 'int(a)', 'exp(-abs(a))'])}`,
    () => `f = ${one(s, ['not f', 'a > b', 'random() < 0.4', 'f and a < 3', 'f or b == 2', 'cell.wet', 'True'])}`,
    () => `a = sum(1 for o in agents_on(cell) if o.a > ${below(s, 3)})`,
    () => `b = len(agents_on(cell, ${other}))`,
    () => `a = sum(c.grass for c in moore())`,
    () => `b = sum(1 for c in von_neumann() if c.wet)`,
    () => `f = any(c.grass > 2 for c in moore())`,
    () => `cell.grass ${one(s, ['= 0', '+= 1', '= a'])}`,
    () => `cell.wet = ${one(s, ['f', 'not cell.wet', 'False'])}`,
    () => `total += ${one(s, ['1', 'a', 'b'])}`,
    () => `n = 0\nfor k in range(${1 + below(s, 4)}):\n    n += k * a\nb = n`,
    () => `n = 0\nwhile n < ${1 + below(s, 5)}:\n    n += 1\n    a += n`,
    () => `color = ${one(s, ['"red"', 'shape', '"blue" if a > b else color', '"red" if f else "green"'])}`,
    () => `shape = ${one(s, ['"star"', 'color if f else "square"', '"circle"'])}`,
    () =>
      `t = ${one(s, ['color', '"red"', '"green" if f else shape'])}\nif t ${one(s, ['==', '!='])} ${one(s, ['"red"', 'shape'])}:\n    a += 1\ncolor = t`,
    () => `f = color in ["red", "blue"]`,
    () => `size = ${one(s, ['a', 'size + 1', 'min(size * 2, 50)'])}`,
    () => `visible = ${one(s, ['f', 'not visible', 'a > 2'])}`,
    () => `d = choice([(-1, 0), (0, -1), (1, 0), (0, 1)])\na += d[0]\nb += d[1]`,
    () => `p = choice(agents_on(cell, ${other})) if len(agents_on(cell, ${other})) > 0 else None\nif p is not None:\n    a += p.a`,
  ]
  const deaths = [
    () =>
      `p = choice(agents_on(cell, ${other})) if len(agents_on(cell, ${other})) > 1 else None\nif p is not None:\n    die(p)\n    b += 2`,
  ]
  const failures = [
    () => `a = 1 / (round(a) - ${10 + below(s, 4)})`,
    () => `b = b * b * b * 1e30`,
    () => `a += choice(agents_on(cell, ${other})).a`,
  ]
  const nested = [
    () => `if ${one(s, ['f', 'a > b', 'random() < 0.3', 'a > 0 and b > 0', 'not f or a < 1'])}:\n    ${inner()}\nelse:\n    ${inner()}`,
    () => `if ${one(s, ['a < 0', 'b >= 3'])}:\n    ${inner()}`,
  ]
  const roll = uniform(s)
  if (roll < 0.02) return one(s, failures)()
  if (roll < 0.08) return one(s, deaths)()
  if (roll < 0.3 && depth > 0) return one(s, nested)()
  return one(s, kinds)()
}

const program = (s: Stream, other: string): string => Array.from({ length: 1 + below(s, 4) }, () => statement(s, other, 2)).join('\n')

/** How many of those in question are chosen. */
const chosen = (s: Stream): { pick: string; limit: string } => ({
  pick: one(s, ['all', 'random', 'random', 'first', 'last']),
  limit: one(s, ['1', '3', 'randint(0, 3)', '40', 'floor(abs(b))']),
})

/** Events other than formulas. */
function ending(s: Stream, own: string, width: number, height: number): Entry[] {
  const gate = `g${below(s, 1e9)}`
  const goes = one(s, [
    () => [destroy()],
    () => [create(own, 1, { as: 'young', values: [{ property: 'a', mode: 'inherit', value: '' }] })],
    () => [create(own, below(s, 3), { as: 'young', before: 'a /= 2' })],
    () => [place('', { where: 'randomEmptyCell' })],
    () => [place(`cell_at(max(0, min(${width - 1}, x + 1)), max(0, min(${height - 1}, y - 1)))`)],
    () => [move('translate', 0, { vector: '[randint(-1, 2), randint(-1, 2)]' })],
    () => [move('turn', '90 * randint(0, 4)'), move('forward', 1)],
    () => [
      ask(
        one(s, ['Sheep', 'Wolf', 'agents_on(cell, Sheep)', 'agents_on(cell, Wolf)']),
        one(s, ['a += actor.b', 'f = not f\nb = a', 'color = "green"']),
        {
          ...chosen(s),
        },
      ),
    ],
    () => [
      ask(one(s, ['Plot', 'moore()', 'von_neumann(2)']), one(s, ['grass += 1', 'wet = actor.f', 'grass = actor.a']), {
        ...chosen(s),
        filter: one(s, ['', 'grass > 2', 'wet or random() < 0.3']),
      }),
    ],
    () => [element('destroy', '', { who: 'chosen', range: `agents_on(cell, ${own})`, filter: one(s, ['', 'a > 4']), ...chosen(s) })],
  ])()
  const condition = one(
    s,
    goes[0]?.kind === 'create' ? ['random() < 0.15', 'f and random() < 0.2'] : ['a > b', 'f', 'random() < 0.2', 'a > 6', 'b < -2'],
  )
  return [exclusive(gate), when(condition), ...goes, end(), from(gate), otherwise(), end()]
}

/** Processes without an owner, with tokens that come and go between ticks and within them. */
function beside(seed: number): Part[] {
  const s = stream(seed, 1, 'native')
  if (uniform(s) < 0.6) return []
  const gap = (): string => one(s, ['2', '2.5', 'exponential(1)', 'uniform(0.2, 3)', '0.5 + (total % 2 + 2) % 2'])
  const change = (): string => one(s, ['total += 1', 'for o in Sheep:\n    o.a += 1', 'for c in Plot:\n    c.grass = max(0, c.grass - 1)'])
  const all = [
    () => process('Season', startStep(every(gap())), compute(change()), end()),
    () => process('Serve', startStep(every(gap())), request('desk'), delay(gap()), release('desk'), end()),
    () => process('Arrive', startStep(every(gap())), delay(gap()), create('Sheep'), end()),
    () => process('Once', startStep(), delay('7.3'), compute(change()), delay('exponential(2)'), compute(change()), end()),
  ]
  return [resource('desk', 2), ...all.filter(() => uniform(s) < 0.5).map(make => make())]
}

/** A process with tokens that belong to an individual: they read and write what its rows do, wait, and may end with it or end it. */
function ownTokens(s: Stream, own: string): Part {
  const change = (): Part =>
    compute(
      one(s, ['a += 1', 'b = a * 0.5', 'f = not f', 'a = random() * b', 'size += 1', 'total += a', 'color = "green"', 'b = x', 'n = a']),
    )
  const wait = (): Part[] =>
    one(s, [
      () => [delay(one(s, ['exponential(1)', '0.4', '1', 'uniform(0.5, 3)']))],
      () => [request('counter'), change(), delay('exponential(2)'), release('counter')],
      () => [event('timer', { delay: '1.5' })],
    ])()
  const last = one(s, [
    () => [],
    () => [],
    () => [create(own, 1, { before: 'a -= 1' })],
    () => [destroy()],
    () => [move('turn', 90), move('forward', 1)],
    () => [place('', { where: 'randomCell' })],
  ])()
  const begins = one(s, [startStep(), startStep(every('exponential(0.5)')), startStep(every('2.5'))])
  return process(
    'Errand',
    variable('n', '0'),
    begins,
    change(),
    ...wait(),
    change(),
    ...(uniform(s) < 0.5 ? wait() : []),
    exclusive('last'),
    when(one(s, ['random() < 0.3', 'a > b'])),
    ...last,
    end(),
    from('last'),
    otherwise(),
    end(),
  )
}

/** `hasOwn`: individuals have tokens, too. */
function randomModel(seed: number, hasOwn = false): Model {
  const s = stream(seed, 0, 'native')
  const owns = stream(seed, 2, 'native')
  const [width, height] = [3 + below(s, 9), 3 + below(s, 9)]
  const wraps = uniform(s) < 0.5
  const animal = (name: string, other: string): Part =>
    agents(
      name,
      {
        initialNumber: String(1 + below(s, 60)),
        space: 'Land',
        placement: 'cells',
        order: one(s, ['shuffled', 'shuffled', 'fixed', 'simultaneous']),
        maximum: one(s, ['2000', '2000', '200']),
      },
      variable('a', 'randint(0, 10)', { public: true }),
      variable('b', one(s, ['1', 'random()', 'id']), { public: true }),
      variable('f', 'random() < 0.5', { public: true }),
      process('Live', startStep(every(1)), compute(program(s, other)), ...ending(s, name, width, height)),
      ...(uniform(s) < 0.2
        ? [
            process(
              'Age',
              startStep(
                one(s, [
                  { trigger: 'none' },
                  { trigger: 'timer', every: '3.5' },
                  { trigger: 'timer', every: 'exponential(4)', first: 'a * 0 + 1.5' },
                ]),
              ),
              compute('b += 1'),
              end(),
            ),
          ]
        : []),
      ...(uniform(s) < 0.3 ? [process('Think', startStep(every(1)), compute(program(s, other)), end())] : []),
      ...(hasOwn && uniform(owns) < 0.7 ? [ownTokens(owns, name)] : []),
    )
  return model(
    scenario({ totalTicks: 25 }),
    space('Land', { minX: '0', maxX: String(width - 1), minY: '0', maxY: String(height - 1), wrapX: wraps, wrapY: wraps }),
    variable('total', '0'),
    animal('Sheep', 'Wolf'),
    animal('Wolf', 'Sheep'),
    cells(
      'Plot',
      { space: 'Land', order: one(s, ['fixed', 'shuffled']) },
      variable('grass', 'randint(0, 5)', { public: true }),
      variable('wet', 'random() < 0.5', { public: true }),
      process(
        'Grow',
        startStep(every(1)),
        compute(one(s, ['grass += 1', 'if not wet:\n    grass = min(grass + 1, 9)', 'wet = grass > 3 or random() < 0.1'])),
        end(),
      ),
    ),
    ...beside(seed),
    ...(hasOwn ? [resource('counter', 3)] : []),
    ...(uniform(s) < 0.5 ? [statistic('most', 'max([0] + [o.a for o in Sheep])', { sample: one(s, ['tick', 'end']) })] : []),
  ).model
}

const network = (seed: number): Model => {
  const s = stream(seed, 0, 'network')
  return model(
    scenario({ totalTicks: 15 }),
    agents(
      'Person',
      { initialNumber: String(20 + below(s, 200)), order: one(s, ['simultaneous', 'shuffled', 'fixed']) },
      variable('state', 'randint(0, 3)', { public: true }),
      variable('worth', 'random()', { public: true }),
      process(
        'Spread',
        startStep(every(1)),
        compute(
          one(s, [
            'for o in relatives(Knows):\n    if o.state == 0 and random() < 0.2:\n        o.state = 1\nif random() < 0.1:\n    state = 2',
            'n = sum(1 for o in relatives(Knows) if o.state == state)\nif n > 2:\n    state = (state + 1) % 3',
            'worth = sum(o.worth for o in relatives(Knows)) / max(1, len(relatives(Knows)))',
          ]),
        ),
        end(),
      ),
    ),
    links('Knows', {
      source: 'Person',
      target: 'Person',
      generator: 'randomCount',
      number: String(50 + below(s, 100)),
      repeatable: uniform(s) < 0.5,
    }),
    statistic('share', 'sum(1 for p in Person if p.state == 2) / Person.count'),
  ).model
}

/** The same run with rows in WebAssembly from the start, from some time on, and never. */
function compare(
  of: Model,
  seed: number,
  ticks = 25,
  look: (run: Run) => unknown = stateOf,
): { native: boolean; fast: boolean; failed: boolean } {
  const made = programOf(of)
  const plain = start(made, { seed, nativeFrom: Infinity })
  const others = [start(made, { seed, nativeFrom: 0 }), start(made, { seed, nativeFrom: 300 })]
  for (let tick = 1; tick <= ticks && plain.result === null; tick++) {
    plain.advance({ ticks: 1 })
    for (const other of others) {
      other.advance({ ticks: 1 })
      expect(look(other)).toEqual(look(plain))
    }
  }
  const whole = start(made, { seed, nativeFrom: 0 })
  whole.advance({ until: plain.time })
  expect(look(whole)).toEqual(look(plain))
  return { native: hasNativeRows(made), fast: hasFastProcesses(made), failed: plain.result?.end === 'failed' }
}

const folder = new URL('../../../model-schema/samples/', import.meta.url)
const sampleNames = readdirSync(folder)
  .filter(name => name.endsWith('.holo'))
  .map(name => name.slice(0, -5))

function sampleModel(name: string): Model {
  const parsed = parseFile(readFileSync(new URL(`${name}.holo`, folder), 'utf8'))
  if (!('file' in parsed)) throw new Error(name)
  return modelOfFile(parsed.file)
}

describe('rows as WebAssembly', () => {
  it('leave random models as they are', () => {
    const seen = { native: 0, failed: 0 }
    for (let seed = 0; seed < 120; seed++) {
      try {
        const { native, failed } = compare(randomModel(seed), seed)
        seen.native += Number(native)
        seen.failed += Number(native && failed)
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error })
      }
    }
    expect(seen.native).toBeGreaterThan(60)
    expect(seen.failed).toBeGreaterThan(3)
  })

  it('leave random models as they are whose individuals have tokens', () => {
    const seen = { native: 0, fast: 0 }
    for (let seed = 0; seed < 60; seed++) {
      try {
        const { native, fast } = compare(randomModel(seed, true), seed)
        seen.native += Number(native)
        seen.fast += Number(native && fast)
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error })
      }
    }
    expect(seen.native).toBeGreaterThan(30)
    expect(seen.fast).toBeGreaterThan(20)
  })

  it.each(sampleNames)('leave the sample %s as it is', name => {
    compare(sampleModel(name), 3, 6, run => run.hash())
  })

  it('leave random networks as they are', () => {
    for (let seed = 0; seed < 24; seed++) expect([seed, compare(network(seed), seed).native]).toEqual([seed, true])
  })
})
