// Texts of a finite set are stored as codes. This is invisible: hashes, snapshots, results and what people see are those of the same model
// with its texts stored as they are, which a first value that is put together while the model runs brings about.
import { describe, expect, it } from 'vitest'
import { check } from '../../../sim-engine/check.ts'
import { compile } from '../../../sim-engine/compile.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import type { Stream } from '../../../sim-engine/kernel/random.ts'
import { start } from '../../../sim-engine/run.ts'
import type { Run } from '../../../sim-engine/run.ts'
import {
  agents,
  call,
  cells,
  compute,
  create,
  delay,
  end,
  every,
  exclusive,
  from,
  links,
  message,
  model,
  operate,
  otherwise,
  parallel,
  passive,
  port,
  process,
  release,
  resource,
  scenario,
  space,
  start as begin,
  statistic,
  subprocess,
  to,
  variable,
  when,
  type Built,
  type Part,
} from '../../help/models.ts'
import { english } from '../../../model-schema/words.ts'

const seed = Number(globalThis.process.env['SEED'] ?? 11)
const count = Number(globalThis.process.env['MODELS'] ?? 8)

const checkedOf = ({ model: made }: Built) => {
  const checked = check(made, made.scenarios[0]!)
  if (!checked.ok) throw new Error(checked.problems.map(problem => `${problem.code} ${english(problem.message)}`).join('; '))
  return checked.checked
}
const programOf = (built: Built, debug = false) => compile(checkedOf(built), { debug })

/** How the variables of a model are stored, by their names. */
const storages = (built: Built): Record<string, string> =>
  Object.fromEntries(
    [checkedOf(built).parts].flatMap(({ entities, processes }) =>
      [...entities.flatMap(entity => entity.variables), ...processes.flatMap(one => one.temporaries)].map(({ name, storage }) => [
        name,
        storage,
      ]),
    ),
  )

const pick = <T>(random: Stream, items: readonly T[]): T => items[below(random, items.length)]!

/** First values that are texts of a finite set, or the same texts put together. */
const initials = (isCoded: boolean): ((text: string) => string) =>
  isCoded ? text => `"${text}"` : text => `"${text.slice(0, 1)}" + "${text.slice(1)}"`

describe('words: what is stored as codes', () => {
  const person = (...parts: Part[]): Record<string, string> =>
    storages(
      model(
        scenario({ totalTicks: 3 }),
        variable('season', '"dry"', { public: true }),
        agents('Person', { initialNumber: '3' }, variable('state', '"young" if id == 1 else "old"', { public: true }), ...parts),
      ),
    )
  const doing = (...statements: string[]): Part => process('Live', begin(every(1)), ...statements.map(one => compute(one)), end())

  it('texts written in the model, chosen among or handed on', () => {
    expect(person(variable('was', '"?"'), doing('was = state\nthen = "old" if state == "young" else was\nstate = then'))).toEqual({
      state: 'word',
      was: 'word',
    })
    expect(person(doing('state = choice(["young", "old"])'))).toEqual({ state: 'word' })
    expect(person(doing('state, n = "old", 2'))).toEqual({ state: 'word' })
    expect(person(doing('for other in Person:\n    other.state = "old"'))).toEqual({ state: 'word' })
  })

  it('no texts that are put together, handed on by something else, or may be set from outside', () => {
    for (const statement of [
      'state = state + "!"',
      'state += "!"',
      'state = f"{state}"',
      'state = str(id)',
      'state = season',
      'for text in ["a", "b"]:\n    state = text',
      'names = {1: "a"}\nstate = names[1]',
      'text = "a"\ntext = text.upper()\nstate = text',
      'create(Person, state=str(id))',
      'someone = choice([self])\nsomeone.state = str(id)',
    ])
      expect(person(doing(statement)), statement).toEqual({ state: 'any' })
  })

  it('nothing that is given the value of one that is not', () => {
    expect(person(variable('was', '"?"'), variable('before', 'was'), doing('was = state\nbefore = was\nstate += "!"'))).toEqual({
      state: 'any',
      was: 'any',
      before: 'any',
    })
  })

  it('nothing where there are very many texts', () => {
    const many = Array.from({ length: 130 }, (_, k) => `if id == ${k}:\n    state = "text ${k}"`).join('\n')
    expect(person(doing(many))).toEqual({ state: 'any' })
  })
})

/** The same model with its texts as codes and as texts. */
function pairOf(built: (word: (text: string) => string) => Built): [Built, Built] {
  const [coded, plain] = [built(initials(true)), built(initials(false))]
  for (const [made, storage] of [
    [coded, 'word'],
    [plain, 'any'],
  ] as const)
    expect(storages(made)['kind']).toBe(storage)
  return [coded, plain]
}

/** Equal hashes after each tick in plain and debug builds, and from a snapshot on; equal ends. */
function expectSame([coded, plain]: [Built, Built], ticks: number, note: string): void {
  const program = programOf(coded)
  const runs = [start(program, { seed, nativeFrom: 0 }), start(programOf(coded, true), { seed }), start(programOf(plain), { seed })]
  let later: Run | null = null
  for (let tick = 0; tick <= ticks; tick++) {
    for (const run of runs) run.advance({ until: tick })
    if (later) later.advance({ until: tick })
    else if (tick === 3) {
      later = start(program, { seed, nativeFrom: 0 })
      later.restore(runs[2]!.snapshot())
    }
    const [first, ...others] = [...runs, ...(later ? [later] : [])].map(run => run.hash())
    for (const other of others) expect(other, `SEED=${seed} tick ${tick} ${note}`).toBe(first)
    for (const [p, population] of runs[0]!.world.populations.entries())
      for (const handle of population.individuals().slice(0, 5))
        expect(runs[0]!.individual(p, handle), `SEED=${seed} ${note}`).toEqual(runs[2]!.individual(p, handle))
  }
  expect(runs[0]!.result).toEqual(runs[2]!.result)
}

const words = ['ash', 'elm', 'oak', 'fir'] as const

/** A random condition and a random text, where the names in `own` and `near` hold texts. */
class Rules {
  readonly random: Stream
  constructor(k: number) {
    this.random = stream(seed, k, 'words')
  }
  text(who = ''): string {
    const quoted = (): string => `"${pick(this.random, words)}"`
    return pick(this.random, [quoted(), quoted(), `${who}kind`, `(${quoted()} if ${who}n > 2 else ${who}kind)`, 'old'])
  }
  test(who = ''): string {
    return pick(this.random, [
      `${who}kind == ${this.text()}`,
      `${who}kind != ${this.text()}`,
      `${who}kind in ["${pick(this.random, words)}", "${pick(this.random, words)}", "ivy"]`,
      `${who}kind not in ("elm", "oak")`,
      `${who}kind < ${this.text()}`,
      `${who}kind`,
      `len(${who}kind + old) == 6`,
      `{"ash": 1, "oak": 2}.get(${who}kind, 0) == 1`,
      `(${this.text()} == ${this.text()} or ${who}n > 3)`,
    ])
  }
  statements(writes: readonly string[]): string {
    const lines = ['old = kind']
    for (let k = 0; k < 3; k++)
      lines.push(`if ${this.test()}:\n    ${pick(this.random, writes)}\nelse:\n    old = ${this.text()}\n    n = (n + 1) % 7`)
    return lines.join('\n')
  }
}

describe('words: the same as texts', () => {
  it('in simultaneous cells', () => {
    for (let k = 0; k < count; k++) {
      const rules = new Rules(k)
      const near = pick(rules.random, ['moore()', 'von_neumann()'])
      const program = [
        'old = kind',
        `if ${rules.test()} and any(${rules.test('c.')} for c in ${near}):\n    kind = ${rules.text()}`,
        `elif sum(1 for c in ${near} if ${rules.test('c.')}) > ${below(rules.random, 3)}:\n    kind = ${rules.text()}\n    n = (n + 1) % 5`,
      ].join('\n')
      const wrapX = below(rules.random, 2) === 0
      const built = (word: (text: string) => string): Built =>
        model(
          scenario({ totalTicks: 8 }),
          space('Land', { minX: '0', maxX: '20', minY: '0', maxY: '15', wrapX, wrapY: true }),
          cells(
            'Cell',
            { space: 'Land', order: 'simultaneous' },
            variable('kind', `${word('ash')} if x == 4 else ${word('elm')} if x > y else ${word('oak')}`, { public: true }),
            variable('n', 'x % 4', { public: true }),
            process('Live', begin(every(1)), compute(program), end()),
          ),
          statistic('oaks', 'sum(1 for c in Cell if c.kind == "oak")', { sample: 'interval' }),
        )
      expectSame(pairOf(built), 8, program)
    }
  })

  it('in variables of tokens, through splits, subprocesses and queues', () => {
    for (let k = 0; k < count; k++) {
      const rules = new Rules(300 + k)
      const plain = rules.statements([`kind = ${rules.text()}`, 'kind = old if n > 3 else "yew"', 'n += 1'])
      const isPlain = k % 2 === 0
      const built = (word: (text: string) => string): Built =>
        model(
          scenario({ totalTicks: 30, ticking: k % 3 === 0 }),
          resource('desk', 2, { order: 'priority' }),
          variable('ashes', '0'),
          process(
            'Visit',
            variable('kind', `${word('ash')} if random() < 0.4 else ${word('elm')}`),
            variable('was', word('oak')),
            variable('n', 'randint(0, 5)'),
            begin(every('exponential(0.7)', { maximum: '60' })),
            compute(isPlain ? plain.replaceAll('old', 'was') : `old = kind\n${plain}`),
            operate('request', 'desk', 1, { priority: '1 if kind == "ash" else 2 if kind in ["elm", was] else 3' }),
            delay('exponential(1)'),
            release('desk'),
            exclusive('which'),
            when('kind != "ash" and was != kind'),
            parallel('split'),
            delay('uniform(0, 1)', '', { after: 'kind = was' }),
            to('join'),
            from('split'),
            delay('0.5'),
            parallel('join'),
            end(),
            from('which'),
            otherwise(),
            subprocess('Inside', begin(), compute(`was = kind\n${isPlain ? 'n += 1' : 'n += len(kind)'}`), end()),
            compute('ashes += 1 if kind == "ash" else 0'),
            end(),
          ),
          process(
            'Count',
            variable('sort', word('ash')),
            begin(every(1)),
            compute('sort = "oak" if ashes > 3 else "elm"\nif sort == "oak":\n    ashes -= 1'),
            end(),
          ),
          statistic('seen', 'ashes', { sample: 'end' }),
        )
      expectSame(pairOf(built), 30, plain)
    }
  })

  it('keeps texts of tokens that messages or callers may bring', () => {
    const [kinds] = [
      storages(
        model(
          scenario({ totalTicks: 3 }),
          message('Order', { payload: [{ name: 'kind' }] }),
          process('Take', variable('kind', '"ash"'), begin({ trigger: 'message', message: 'Order' }), delay(1), end()),
          process('Pack', port('size', 'in', { initial: '"small"' }), variable('shape', '"box"'), begin(passive), delay(1), end()),
          process('Go', begin(every(1)), call('Pack', { inputs: [{ name: 'size', value: '"large"' }] }), end()),
        ),
      ),
    ]
    expect(kinds).toEqual({ kind: 'any', size: 'any', shape: 'word' })
  })

  it('in agents that meet, are born and die, and in tokens of theirs', () => {
    for (let k = 0; k < count; k++) {
      const rules = new Rules(100 + k)
      const other = 'other = choice(Person)\nif other != None:\n    '
      const program = rules.statements([
        `kind = ${rules.text()}`,
        `self.kind = ${rules.text()}`,
        'shown = shown + kind[0]\n    shown = shown[-4:]',
        'kind = choice(["fir", "oak"])',
        'create(Person, kind=old, n=1)\n    n = 6',
        'create(Tree, kind="yew")',
      ])
      const later = `${other}other.kind = "elm"\nold = kind\nif ${rules.test()} and Person.count > 12:\n    die()`
      const late = `old = kind\nif ${rules.test()}:\n    kind = "fir"`
      const built = (word: (text: string) => string): Built =>
        model(
          scenario({ totalTicks: 10 }),
          agents(
            'Person',
            { initialNumber: '20' },
            variable('kind', `${word('ash')} if id % 3 == 0 else ${word('elm')}`, { public: true }),
            variable('n', 'id % 4', { public: true }),
            variable('shown', '""'),
            process('Live', begin(every(1)), compute(program), compute(later), end()),
            process(
              'Wait',
              begin(every(3)),
              delay('uniform(0, 2)'),
              compute(late),
              create('Tree', 1, { values: [{ property: 'kind', mode: 'inherit' }] }),
              create('Person', 1, { as: 'offspring', values: [{ property: 'n', value: '2' }] }),
              end(),
            ),
          ),
          agents('Tree', { initialNumber: '2' }, variable('kind', word('oak'), { public: true }), variable('n', '0', { public: true })),
          links('Knows', { source: 'Person', target: 'Person', generator: 'randomCount', number: '20' }, variable('sort', word('elm'))),
          statistic('kinds', 'len({p.kind for p in Person})', { sample: 'interval' }),
          statistic('ashes', 'sum(1 for p in Person if p.kind == "ash" and p.n > 1)', { sample: 'interval' }),
        )
      expectSame(pairOf(built), 10, `${program}\n---\n${later}`)
    }
  })
})

describe('small numbers: what is stored in a byte', () => {
  const stored = (...statements: string[]): Record<string, string> =>
    storages(
      model(
        scenario({ totalTicks: 3 }),
        agents(
          'Person',
          { initialNumber: '3' },
          variable('level', 1, { public: true }),
          process('Live', begin(every(1)), ...statements.map(one => compute(one)), end()),
        ),
      ),
    )

  it('nothing that a newborn is given a large number for, or that may be set where the population is not known', () => {
    expect(stored('level = 2', 'create(Person, level=3)')).toEqual({ level: 'byte' })
    expect(stored('create(Person, level=300)')).toEqual({ level: 'number' })
    expect(stored('someone = choice([self, None])\nsomeone.level = 300')).toEqual({ level: 'number' })
  })

  it('nothing that is taken over from a larger one', () => {
    const built = model(
      scenario({ totalTicks: 3 }),
      agents(
        'Hen',
        { initialNumber: '3' },
        variable('level', 300),
        process('Lay', begin(every(1)), create('Egg', 1, { values: [{ property: 'level', mode: 'inherit' }] }), end()),
      ),
      agents('Egg', { initialNumber: '0' }, variable('level', 1)),
    )
    const run = start(programOf(built), { seed })
    run.advance()
    const eggs = run.world.populations[1]!.individuals()
    expect(eggs.length).toBeGreaterThan(3)
    expect(run.individual(1, eggs[0]!)?.['level']).toBe(300)
  })
})
