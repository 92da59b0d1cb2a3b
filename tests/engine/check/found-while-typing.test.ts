// Faults that are found while typing, not at tick 8: with the place, in both languages, and where one change mends it, with that change.
import { chinese } from '../../help/languages.ts'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { modelOfFile, parseFile } from '../../../model-schema/file.ts'
import { check } from '../../../sim-engine/check.ts'
import type { Problem } from '../../../sim-engine/problems.ts'
import { agents, ask, compute, create, element, end, every, func, model, process, scenario, start, variable } from '../../help/models.ts'
import type { Built } from '../../help/models.ts'
import { begin, checkOf, codesOf, runOf } from '../../help/runs.ts'
import { english } from '../../../model-schema/words.ts'

const problemsOf = (built: Built): readonly Problem[] => checkOf(built).problems
/** A population with a process that runs this program, and another one. */
const herd = (program: string, fields = {}): Built =>
  model(
    agents(
      'Wolf',
      { initialNumber: '2' },
      variable('energy', 5, fields),
      variable('tags', '[]', fields),
      process('Live', start(every(1)), compute(program, 'think'), end()),
    ),
    agents('Sheep', { initialNumber: '2' }, variable('wool', 5, fields)),
  )

describe('private variables of others', () => {
  it('private variables: setting one of a neighbour is a problem, with a change that mends it', () => {
    for (const program of [
      'other = choice(Wolf.individuals)\nother.energy = 5',
      'for other in Wolf.individuals:\n    other.energy -= 1',
      'Wolf.individuals[0].tags.append(1)',
      'for other in Wolf.individuals:\n    other.tags[0] = 1',
      'Sheep.individuals[0].wool = 5',
    ]) {
      const [problem, ...more] = problemsOf(herd(program))
      expect(more, program).toEqual([])
      expect(problem, program).toMatchObject({ code: 8002, kind: 'read-only', repair: { field: 'public', value: true } })
      expect(english(problem!.message)).toMatch(
        /"(energy|tags|wool)" can not be changed here: it is another's, and others may not change it/,
      )
      for (const words of [problem!.message, problem!.fix, problem!.repair!.label]) expect(chinese(words)).toMatch(/[\u4e00-\u9fff]/)
      // Made public, as the repair says, it is right.
      expect(codesOf(herd(program, { public: true })), program).toEqual([])
    }
  })
  it("private variables: one's own may be set by name, through self and what stands for it", () => {
    for (const program of [
      'energy = 1',
      'self.energy = 1',
      'me = self\nme.energy -= 1',
      'me = self\nif energy > 3:\n    me.tags.append(1)',
    ])
      expect(codesOf(herd(program)), program).toEqual([])
    expect(codesOf(herd('me = self\nme = choice(Wolf.individuals)\nme.energy = 1'))).toEqual(['8002 Wolf-Live-think program'])
    for (const program of ['x += 1', 'self.x += 1', 'me = self\nme.x += 1']) {
      const asker = agents('A', { initialNumber: '2' }, variable('x', 1), process('P', start(), ask('A', program), end()))
      expect(codesOf(model(asker)), program).toEqual([])
      expect(runOf(model(asker), { ticks: 1 }).summary.result.end, program).toBe('success')
    }
    // Of a process of the model itself, too.
    const world = model(agents('A', { initialNumber: '2' }, variable('x', 1)), process('P', start(), ask('A', 'self.x += 1'), end()))
    expect(runOf(world, { ticks: 1 }).summary.result.end).toBe('success')
  })
})

describe('individuals of several populations', () => {
  /** Foxes and hares; only the hares' `fat` is public. The program is that of an Ask step over both, or of a fox. */
  const both = (program: string, asked: boolean): Built =>
    model(
      variable('tally', 0),
      agents('Animal', { initialNumber: '0' }, variable('age', 3)),
      agents(
        'Fox',
        { initialNumber: '1', inherits: 'Animal' },
        variable('fat', 1),
        variable('den', 0),
        process('Live', start(every(1)), asked ? compute('fat += 0', 'think') : compute(program, 'think'), end()),
      ),
      agents('Hare', { initialNumber: '1', inherits: 'Animal' }, variable('fat', 1, { public: true })),
      process('P', start(every(1)), asked ? ask('Animal', program, {}, 'each') : compute('tally = 0', 'each'), end()),
    )
  const found = (program: string, asked: boolean) =>
    problemsOf(both(program, asked)).map(({ code, kind, message }) => `${code} ${kind} ${english(message)}`)

  it('what no population lets be set is a problem, by name and by dot, as where the population is known', () => {
    for (const program of ['id = 5', 'self.id = 5', 'for one in Animal.individuals:\n    one.id = 5'])
      expect(found(program, true), program).toEqual([expect.stringMatching(/^8002 read-only .*"id" can not be changed here/)])
    expect(found('one = choice(Animal.individuals)\none.id = 5', false)).toEqual([expect.stringMatching(/^8002 read-only .*"id"/)])
    // What was private is, too; its owner sets it, by name and through self.
    expect(found('one = choice(Animal.individuals)\none.age = 5', false)).toEqual([
      expect.stringMatching(/"age" .*another's, and others may not change it/),
    ])
    expect(found('for one in Animal.individuals:\n    one.age = 5', true)).toEqual([
      expect.stringMatching(/"age" .*others may not change it/),
    ])
    for (const program of ['age = 1', 'self.age = 1', 'me = self\nme.age += 1', 'age += 1\nself.age += 1'])
      expect(found(program, true), program).toEqual([])
  })

  it('who is asked sets what is its own while running, private or not', () => {
    const { summary, output } = runOf(both('age += 1\nself.age += 1\nme = self\nme.age += 1\nfat = age + 4\nprint(fat)', true), {
      ticks: 1,
    })
    expect(summary.result.end).toBe('success')
    expect(output.slice(0, 2)).toEqual(['10', '10'])
  })

  it('what only some populations let be set is judged by the individual while running: 10033 with its place', () => {
    for (const [program, asked] of [
      ['for one in Animal.individuals:\n    one.fat = 2', false],
      ['for one in Animal.individuals:\n    one.fat = 2', true],
    ] as const) {
      expect(found(program, asked), program).toEqual([])
      const { result } = runOf(both(program, asked), { ticks: 2 }).summary
      expect(result, program).toMatchObject({
        end: 'failed',
        problem: { code: 10033, at: { field: 'program', from: program.indexOf('one.fat') } },
      })
    }
    // A hare alone is no reason to fail.
    expect(runOf(both('for one in Animal.individuals:\n    if one.age == 4: one.fat = 2', false), { ticks: 2 }).summary.result.end).toBe(
      'success',
    )
  })
})

describe('first values', () => {
  const said = (built: Built) => problemsOf(built).map(({ at, message }) => `${at.id} ${english(message)}`)
  it('first values: one that needs itself is a problem, also in a ring and through a function', () => {
    expect(said(model(variable('x', 'x + 1'), process('P', start(), end())))).toEqual([
      'x Formula is wrong: the first value of "x" needs itself (x -> x)',
    ])
    expect(said(model(variable('x', 'y + 1'), variable('y', '2 * z'), variable('z', 'x'), process('P', start(), end())))).toEqual([
      'x Formula is wrong: the first value of "x" needs itself (x -> y -> z -> x)',
    ])
    expect(said(model(variable('x', 'f(1)'), func('f', ['n'], 'return n + x'), process('P', start(), end())))[0]).toContain('(x -> x)')
    expect(said(model(agents('A', variable('a', 'b'), variable('b', 'a')), process('P', start(), end())))[0]).toContain('(a -> b -> a)')
  })
  it('first values: of the clinic, one that asks itself for its constructor is a problem at that variable, not a TypeError', async () => {
    const text = await readFile(new URL('../../../model-schema/samples/clinic.holo', import.meta.url), 'utf8')
    const parsed = parseFile(text.replace('"initial": "2.4"', '"initial": "Arrivals.constructor"'))
    if (!('file' in parsed)) throw new Error('clinic')
    const clinic = modelOfFile(parsed.file)
    expect(clinic.elements.get('Arrivals2')?.fields['initial']).toBe('Arrivals.constructor')
    const { checked, problems } = check(clinic, clinic.scenarios[0]!)
    expect(checked).toBeNull()
    expect(problems.map(({ code, at, message }) => [code, at.id, at.field, english(message)])).toEqual([
      [8002, 'Arrivals2', 'initial', 'Formula is wrong: the first value of "Arrivals" needs itself (Arrivals -> Arrivals)'],
    ])
  })
  it('first values: an order in which all can be worked out is none', () => {
    const built = model(variable('z', 'y * 2', { public: true }), variable('y', 'x + 1'), variable('x', 3), process('P', start(), end()))
    expect(codesOf(built)).toEqual([])
    const run = begin(built)
    run.advance()
    expect(run.summary().publics).toEqual({ z: 8 })
  })
})

it('dict literals: keys that are there twice are problems', () => {
  const messages = (initial: string): string[] =>
    problemsOf(model(variable('d', initial, { type: 'dict' }), process('P', start(), end()))).map(({ message }) => english(message))
  expect(messages('{"a": 1, "b": 2, "a": 3}')).toEqual(['Formula is wrong: the key "a" is there twice'])
  expect(messages('{1: "x", 1.0: "y", 2: "z"}')).toEqual(['Formula is wrong: the key 1 is there twice'])
  expect(messages('{"a": 1, "A": 2, 1: 3, "1": 4}')).toEqual([])
})

it('dilution: a constant share outside of [0, 1] is a problem', () => {
  const share = (value: string): string[] =>
    codesOf(
      model(
        agents(
          'A',
          variable('e', 10),
          process('P', start(every(1)), create('A', 1, { values: [{ property: 'e', mode: 'dilute', value }] }, 'breed'), end()),
        ),
      ),
    )
  expect([share('1.5'), share('-0.1')]).toEqual([['9025 A-P-breed values/0/value'], ['9025 A-P-breed values/0/value']])
  expect([share('0'), share('1'), share('0.5'), share('e / 100')]).toEqual([[], [], [], []])
})

it('timer starts: an interval of 0 without a maximum is a problem at the start event', () => {
  const built = (fields: object) => model(process('P', element('start', '', { trigger: 'timer', ...fields }), end()))
  expect(codesOf(built({ every: '0' }))).toEqual(['9018 P-start1 every'])
  expect(codesOf(built({ every: '-1' }))).toEqual(['9018 P-start1 every'])
  expect(codesOf(built({ every: '0', maximum: '3' }))).toEqual([])
})

it('types: a formula that is wrong for the types of all others does not make a variable of any type', () => {
  const said = (initial: string, program: string): string[] =>
    problemsOf(model(variable('tag', initial), variable('n', 1), process('P', start(), compute(program), end()))).map(({ message }) =>
      english(message),
    )
  const convert = 'Formula is wrong: text + number is not defined; convert with str(...)'
  expect(said('"a"', 'tag += 1')).toEqual([convert])
  expect(said('"a"', 'tag = tag + 1')).toEqual([convert])
  expect(said('"a"', 'tag -= n')).toEqual(['Formula is wrong: text - number is not defined'])
  expect(said('"a"', 'n = 2\ntag = -tag')).toEqual(['Formula is wrong: expected number, got text'])
  expect(said('"a"', 'tag = sqrt(tag)')).toEqual(['Formula is wrong: sqrt: "x" expects number, got text'])
  expect(said('None', 'tag += 1')).toEqual(['Formula is wrong: None + number is not defined'])
  expect(said('"a"', 'word = "b"\nword += 1\ntag = word')).toEqual([convert])
  // What another formula writes may be what is added to: only a run decides that.
  for (const program of [
    'tag = 2\ntag += 1',
    'if n > 1:\n    tag = n\ntag = tag + 1',
    'tag += "1"',
    'tag = str(tag) + "1"',
    'tag = tag * 2',
  ])
    expect(said('"a"', program), program).toEqual([])
})

it('individuals in no space: what only a place gives is told with what to choose', () => {
  const said = (program: string, ...others: ReturnType<typeof variable>[]): string[] =>
    problemsOf(
      model(
        agents('Wolf', { initialNumber: '2' }, variable('energy', 5), process('Live', start(every(1)), compute(program), end())),
        ...others,
      ),
    ).map(({ message }) => english(message))
  const choose = (name: string): string => `Formula is wrong: only individuals in a space have "${name}": choose a space for the population`
  expect(said('energy = cell.grass')).toEqual([choose('cell')])
  expect(said('energy = x + 1')).toEqual([choose('x')])
  expect(said('energy = Wolf.individuals[0].heading')).toEqual([choose('heading')])
  expect(said('x = 3\nenergy = x + 1')).toEqual([])
  expect(said('cell = 3\nenergy = cell', variable('width', 1))).toEqual([])
})

it('timer starts: a computed interval of 0 is told at the start event, not at a step after it', () => {
  for (const again of ['gap', 'max(0, gap + normal(0, 1) * 0)']) {
    const run = begin(
      model(
        variable('gap', 0),
        variable('n', 0),
        process('P', element('start', '', { trigger: 'timer', every: again }), compute('n += 1', 'count'), end()),
        process('Q', start(every(1)), compute('n += 0'), end()),
      ),
    )
    while (run.state !== 'ended') run.advance()
    expect(run.result, again).toMatchObject({ end: 'failed', problem: { code: 10047, at: { id: 'P-start1', field: 'every' } } })
  }
  // Several arrivals at one instant are lawful.
  const batches = begin(
    model(
      scenario({ totalTicks: 50 }),
      variable('n', 0, { public: true }),
      process('P', element('start', '', { trigger: 'timer', every: 'randint(0, 2)' }), compute('n += 1'), end()),
    ),
  )
  while (batches.state !== 'ended') batches.advance()
  expect(batches.result).toMatchObject({ end: 'success' })
  expect(Number(batches.summary().publics['n'])).toBeGreaterThan(60)
})

it('formulas: words of other languages are told in plain words', () => {
  const messages = (program: string): string[] =>
    problemsOf(model(variable('energy', 1), process('P', start(), compute(program), end()))).map(({ message }) => english(message))
  expect(messages('if energy = 5:\n    energy = 1')).toEqual(['Formula is wrong: syntax error: write "==" to compare'])
  expect(messages('energy = null')).toEqual(['Formula is wrong: name "null" not found; did you mean "None"?'])
  const ten = model(agents('A', { initialNumber: 'ten' }), process('P', start(), end()))
  expect(problemsOf(ten).map(({ message }) => english(message))).toContain('Formula is wrong: name "ten" not found; did you mean "10"?')
  const own = ': all functions are there by themselves'
  expect(messages('energy = np.random.rand()')).toEqual([`Formula is wrong: write random() instead of np.random.rand(...)${own}`])
  expect(messages('energy = numpy.mean([1, 2])')).toEqual([`Formula is wrong: write mean(...) without "numpy."${own}`])
  expect(messages('energy = np.random.normal(0, 1)')).toEqual([`Formula is wrong: write normal(...) without "np.random."${own}`])
  expect(messages('energy = random.expovariate(2)')).toEqual([
    `Formula is wrong: write exponential(mean) instead of random.expovariate(...)${own}`,
  ])
  expect(messages('energy = np.florr(2.5)')).toEqual([
    'Formula is wrong: there is no np.florr: the formula language has functions of its own and no libraries; did you mean floor(...)?',
  ])
  expect(messages('energy = np.linalg.inverse(2)')).toEqual([
    'Formula is wrong: there is no np.linalg.inverse: the formula language has functions of its own and no libraries',
  ])
  // A literal that is no whole number: bit operators are not meant.
  expect(messages('energy = 9.5 ^ 2')).toEqual(['Formula is wrong: ^ takes the bits of whole numbers; write ** for a power'])
})
