// Processes with tokens as WebAssembly change nothing: builds with them (plain) and without (debug) agree on everything that is kept.
import { describe, expect, it, vi } from 'vitest'
import type { Program } from '../../../sim-engine/compile.ts'
import { below, stream, type Stream } from '../../../sim-engine/kernel/random.ts'
import { hasFastProcesses } from '../../../sim-engine/run/fast/process-module.ts'
import { lowerProcesses } from '../../../sim-engine/lower/processes/process.ts'
import { start } from '../../../sim-engine/run.ts'
import type { Model } from '../../../model-schema/model.ts'
import {
  agents,
  chart,
  compute,
  container,
  create,
  delay,
  destroy,
  end,
  event,
  every,
  exclusive,
  from,
  gateway,
  inclusive,
  model,
  move,
  operate,
  otherwise,
  parallel,
  process,
  release,
  request,
  resource,
  scenario,
  space,
  start as startStep,
  statistic,
  to,
  variable,
  weight,
  when,
  type Entry,
  type Fields,
  type Part,
} from '../../help/models.ts'
import { compare, programOf, stateOf, times } from '../../help/ways.ts'

const lowerOf = (program: Program) => lowerProcesses(program)

const units = (s: Stream) => 1 + below(s, 2)

/** A stretch of steps that asks for what it gives back, mostly. */
function steps(s: Stream, depth: number): Part[] {
  const made: Part[] = []
  const n = 1 + below(s, 3)
  for (let k = 0; k < n; k++) {
    const desk = `desk${below(s, 3)}`
    const amount = units(s)
    const fields: Fields = below(s, 5) === 0 ? { priority: String(below(s, 3)) } : {}
    const length = times[below(s, times.length)]!
    const kind = below(s, 8)
    if (kind === 0) made.push(compute('size += 1'))
    else if (kind === 1) made.push(delay(length, '', { resources: [{ container: desk, amount: String(amount), key: '' }], ...fields }))
    else if (kind === 2) made.push(event('timer', { delay: length }))
    else if (kind === 3) made.push(delay(length))
    else {
      made.push(request(desk, amount, fields))
      if (depth > 0 && below(s, 3) === 0) made.push(...steps(s, depth - 1))
      made.push(delay(length))
      made.push(below(s, 5) === 0 ? release(desk, '') : release(desk, amount))
    }
  }
  return made
}

function randomModel(seed: number): Model {
  const s = stream(seed, 0, 'express')
  const arrivals = () => ['exponential(0.6)', 'exponential(1.3)', '1', '0.5', 'uniform(0, 1)'][below(s, 5)]!
  const orders = ['fifo', 'lifo', 'priority']
  const one = (name: string) =>
    process(
      name,
      startStep({
        trigger: 'timer',
        every: arrivals(),
        ...(below(s, 2) === 0 ? { maximum: String(20 + below(s, 60)) } : {}),
        ...(below(s, 4) === 0 ? { first: '2' } : {}),
        ...(below(s, 5) === 0 ? { count: '2' } : {}),
      }),
      ...steps(s, 1),
      end(),
    )
  return model(
    scenario({ totalTicks: 60, ticking: below(s, 2) === 0, ...(below(s, 3) === 0 ? { warmUp: 10 } : {}) }),
    variable('base', '0.8'),
    variable('size', '0'),
    ...[0, 1, 2].map(k => resource(`desk${k}`, 2 + below(s, 2), { order: orders[below(s, 3)]!, strict: below(s, 4) === 0 })),
    ...Array.from({ length: 1 + below(s, 3) }, (_, k) => one(`P${k}`)),
    ...(below(s, 3) === 0 ? [statistic('queue', 'desk0.queue', { sample: 'event', aggregate: 'mean' })] : []),
  ).model
}

const programs = [
  'size += 1',
  'size = size / (1 + tag)',
  'tag = randint(1, 4) * 0.5\nopen = not open',
  'if open and size > 3:\n  size = 0\nelif tag < 2:\n  tag += random()\nelse:\n  share = min(size, 5, tag ** 2) - max(1, 2)\n  size = abs(share) % 7',
  'size = size // 2 + normal(1, 0.2) if tag > 1 else floor(size) + exp(-tag) + sqrt(tag)',
  'tag = desk0.queue + desk1.in_use + desk2.level + time / 10',
  'tag = randint(3) + randint(2, 5) * 0.5\nopen = bernoulli(0.25)\nshare += triangular(-1, 0, 2) + normal(0, 0.5)',
  'mood = "calm" if tag > 2 else was if open else "angry"\nwas = mood',
  'pass\nopen = desk0.mean_wait >= 0.5 or desk1.served < 5',
]
const conditions = [
  'mood == "calm"',
  'was in ("angry", "sad") or mood != was',
  'random() < 0.4',
  'open',
  'desk0.queue >= 2',
  '0.5 < tag <= 2',
  'not open or size > 4',
  'bernoulli(0.5)',
]

/** A process with all that is lowered: programs of several statements, ways that part and meet, ways back, priorities, values of tokens. */
function richProcess(s: Stream, name: string, from_: string): Part {
  const one = <T>(of: readonly T[]): T => of[below(s, of.length)]!
  const desk = (): string => `desk${below(s, 3)}`
  const [at, length, isWeighted] = [desk(), one(times), below(s, 2) === 0]
  return process(
    name,
    variable('tag', one(['0', '1 + random()', 'randint(1, 4)']), {}),
    variable('mood', one(['"calm"', '"angry" if random() < 0.5 else "sad"'])),
    variable('was', one(['mood', '"sad"'])),
    startStep({
      trigger: 'timer',
      every: one(['exponential(1)', 'uniform(0.2, 2)', '0.9']),
      ...(below(s, 2) === 0 ? { maximum: '40' } : {}),
    }),
    exclusive(`${from_} in`),
    operate('request', at, 1, below(s, 2) === 0 ? { priority: '1 if tag > 1 else 2', before: one(programs) } : { after: one(programs) }),
    compute(one(programs)),
    delay(length, '', below(s, 2) === 0 ? { before: one(programs), after: one(programs) } : {}),
    release(at, 1),
    exclusive(`${from_} which`),
    when(one(conditions)),
    compute(one(programs)),
    delay('exponential(0.4)', '', { resources: [{ container: desk(), amount: '1', key: '' }], priority: 'tag', after: one(programs) }),
    to(`${from_} again`),
    from(`${from_} which`),
    otherwise(),
    event('timer', { delay: 'uniform(0, 1)', after: one(programs) }),
    exclusive(`${from_} again`, isWeighted ? { by: 'probability' } : {}),
    isWeighted ? weight(3) : when('random() < 0.7'),
    end(),
    from(`${from_} again`),
    isWeighted ? weight(1) : otherwise(),
    to(`${from_} in`),
  )
}

function richModel(seed: number): Model {
  const s = stream(seed, 0, 'rich')
  return model(
    scenario({ totalTicks: 60, ticking: below(s, 2) === 0 }),
    variable('base', '0.8'),
    variable('size', '0'),
    variable('share', '1'),
    variable('open', true),
    ...[0, 1, 2].map(k => resource(`desk${k}`, 1 + below(s, 3), { order: ['fifo', 'lifo', 'priority'][below(s, 3)]! })),
    agents(
      'Clerk',
      { initialNumber: '4' },
      variable('done', '0'),
      variable('shift', '"early"'),
      variable('level', '1'),
      process(
        'Work',
        startStep(),
        exclusive('go'),
        delay('exponential(1)'),
        compute('done += random() + id\nshift = "late" if shift == "early" else "early"\nlevel = 2 if shift == "late" else 3'),
        exclusive('more'),
        when('done < 1e6'),
        to('go'),
        from('more'),
        otherwise(),
        end(),
      ),
    ),
    richProcess(s, 'P', 'p'),
    richProcess(s, 'Q', 'q'),
    ...(below(s, 2) === 0 ? [statistic('mean', 'size + share', { sample: 'event', aggregate: 'mean' })] : []),
  ).model
}

/** Steps that are lowered and steps that are not, close together: splits and joins, patience, goods, several resources, births and deaths. */
function mixedModel(seed: number): Model {
  const s = stream(seed, 0, 'mixed')
  const one = <T>(of: readonly T[]): T => of[below(s, of.length)]!
  const held = (...names: string[]) => ({ resources: names.map(name => ({ container: name, amount: '1', key: '' })) })
  const part = (name: string): Entry[] => {
    const [ask, split] = [`${name} ask`, `${name} split`]
    const patient: Fields =
      below(s, 2) === 0 ? { timeout: one(['exponential(1)', '0.5', '0']) } : { timeout: '2', giveUpWhen: 'size > 1e6' }
    const stretches: (() => Entry[])[] = [
      () => [delay(one(times), '', { ...held('desk0', 'desk1'), ...(below(s, 2) === 0 ? { priority: 'randint(0, 3)' } : {}) })],
      () => [
        operate('request', 'desk1', 1, below(s, 4) === 0 ? { timeout: 'base + 1' } : patient, ask),
        delay('exponential(0.5)'),
        release('desk1'),
        exclusive(`${name} met`),
        from(ask),
        otherwise(),
        to(`${name} met`),
        from(`${name} met`),
      ],
      () => [
        parallel(split),
        delay(one(times), '', held('desk2')),
        to(`${name} join`),
        from(split),
        delay('uniform(0, 1)'),
        parallel(`${name} join`),
      ],
      () => [
        operate('take', 'goods', one(['1', 'randint(1, 4)', '0', 'uniform(0, 2)']), { otherwise: 'wait', after: 'size += goods.level' }),
      ],
      () => [operate('put', 'goods', one(['2', 'randint(1, 3)', '1 + size / 1e6']), { otherwise: one(['wait', 'partial']) })],
      () => [operate('put', 'goods', 'randint(1, 3)', { otherwise: 'wait', duration: 'exponential(0.5)', priority: '1' })],
      () => [compute('size = min(goods.queue + goods.served + goods.mean_wait + goods.capacity, 1e3)')],
      () => [compute('size += random()'), delay(one(times))],
      () => [create('Guest', one(['1', 'randint(0, 3)']))],
    ]
    return one(stretches)()
  }
  const whole = (name: string): Part =>
    process(
      name,
      startStep({ trigger: 'timer', every: one(['exponential(1)', '0.9', 'uniform(0, 2)']) }),
      ...Array.from({ length: 2 + below(s, 3) }, (_, k) => part(`${name}${k}`)).flat(),
      end(),
    )
  return model(
    scenario({ totalTicks: 60, ticking: below(s, 2) === 0 }),
    variable('base', '0.8'),
    variable('size', '0'),
    ...[0, 1, 2].map(k => resource(`desk${k}`, 1 + below(s, 3), { order: one(['fifo', 'lifo', 'priority']), strict: below(s, 3) === 0 })),
    container('goods', { initial: '8', capacity: '12' }),
    agents(
      'Guest',
      { initialNumber: '2' },
      variable('came', '0'),
      process(
        'Stay',
        startStep(),
        compute('came = time'),
        delay(one(times), '', held('desk2')),
        compute('size += time - came'),
        destroy(),
        end(),
      ),
    ),
    whole('P'),
    whole('Q'),
  ).model
}

/** Individuals that are born by tokens, live by several, have offspring and die: their first values, timers from birth, and room that ends. */
function peopledModel(seed: number): Model {
  const s = stream(seed, 0, 'peopled')
  const one = <T>(of: readonly T[]): T => of[below(s, of.length)]!
  const values = { values: [{ property: 'weight', mode: one(['expression', 'inherit']), value: 'weight + random()' }] }
  const heir = one<Fields>([{}, { as: 'offspring' }, { as: 'offspring', ...values }, values])
  const given = { values: [{ property: 'weight', mode: 'expression', value: 'randint(1, 9) + time' }] }
  const [topology, placement] = [one(['discrete', 'continuous']), one(['random', 'cells', 'none', 'emptyCells'])]
  const field = space('Field', { topology, minX: '0', maxX: '30', minY: '0', maxY: '20', wrapX: true })
  const stands: Fields = below(s, 2) === 0 ? { space: field, placement } : {}
  const there: Part[] = stands['space'] ? [field] : []
  const observed = there.length > 0 ? 'sum(g.heading for g in Guest)' : 'sum(1 for g in Guest if g.weight > 1)'
  return model(
    scenario({ totalTicks: 60, ticking: below(s, 2) === 0 }),
    variable('base', '0.8'),
    variable('size', '1'),
    variable('total', '0'),
    ...[0, 1, 2].map(k => resource(`desk${k}`, 1 + below(s, 3))),
    ...there,
    agents(
      'Guest',
      { initialNumber: '2', ...stands, ...(below(s, 4) === 0 ? { maximum: '300' } : {}) },
      variable('weight', one(['1', 'random() * age', 'randint(3)'])),
      variable('age', one(['2', 'exponential(1)'])),
      variable('state', one(['"new"', '"old" if random() < 0.5 else "new"'])),
      variable('open', one(['True', 'weight > 1'])),
      process(
        'Stay',
        variable('tag', 'weight * 2'),
        startStep(),
        compute('total += weight + id / 100\nsize = 1 + age\nage = time - age\nstate = "old" if open else "new"'),
        ...(below(s, 2) === 0
          ? [exclusive('heirs?'), when('random() < 0.3'), create('Guest', one(['1', '2', 'randint(0, 3)']), heir), to('on'), from('heirs?')]
          : [exclusive('heirs?'), when('weight > 1e6'), to('on'), from('heirs?')]),
        otherwise(),
        delay(one(times), '', below(s, 2) === 0 ? { resources: [{ container: 'desk2', amount: '1', key: '' }] } : {}),
        exclusive('on'),
        delay('exponential(2)'),
        destroy(below(s, 3) === 0 ? { duration: 'exponential(0.2)', before: 'total -= tag' } : {}),
        end(),
      ),
      ...(below(s, 2) === 0
        ? [
            process(
              'Tick',
              startStep({
                trigger: 'timer',
                every: one(['exponential(1)', 'uniform(0, 2)', '0.7']),
                ...(below(s, 2) === 0 ? { first: '0.5' } : {}),
              }),
              compute('total += age / 10'),
              ...(below(s, 2) === 0 ? [delay('exponential(1)'), compute('weight += 1')] : []),
              end(),
            ),
          ]
        : []),
      process('Rest', startStep(below(s, 2) === 0 ? { active: false } : {}), delay('exponential(1)'), compute('weight += 1'), end()),
    ),
    process(
      'Arrive',
      startStep({ trigger: 'timer', every: one(['exponential(1)', '0.9', 'exponential(0.3)']) }),
      create(
        'Guest',
        one(['1', 'randint(0, 4)', '2']),
        one<Fields>([{}, given, { placement: 'random' }, { duration: 'exponential(0.5)', after: 'total += 1' }]),
      ),
      create('Mote', 1),
      end(),
    ),
    agents('Mote', { initialNumber: '0' }, variable('mass', 'random()')),
    ...(below(s, 2) === 0 ? [statistic('mean', observed, { sample: 'event', aggregate: 'mean' })] : []),
  ).model
}

/** Individuals that move about in a space by tokens, over all sorts of borders; `fails`: some have no place, or borders are errors. */
function movingModel(seed: number, fails: boolean): Model {
  const s = stream(seed, 0, 'moving')
  const one = <T>(of: readonly T[]): T => of[below(s, of.length)]!
  const field = space('Field', {
    topology: one(['discrete', 'continuous']),
    minX: '0',
    maxX: '9',
    minY: '0',
    maxY: '7',
    wrapX: below(s, 2) === 0,
    wrapY: below(s, 2) === 0,
    border: fails ? 'error' : one(['stop', 'reflect']),
  })
  const walker = (name: string): Part =>
    agents(
      name,
      { initialNumber: '6', space: field, placement: fails ? one(['random', 'none']) : 'random' },
      variable('far', '0'),
      process(
        'Walk',
        startStep(),
        exclusive('go'),
        delay(one(['exponential(1)', '1'])),
        move('turn', one(['uniform(-30, 30)', '90', 'far'])),
        move(
          one(['forward', 'backward', 'head']),
          one(['uniform(0, 2)', '1', 'far / 3']),
          below(s, 2) === 0 ? { duration: '0.5', after: 'far += 1' } : {},
        ),
        compute('far += random()'),
        exclusive('more'),
        when('far < 1e6'),
        to('go'),
        from('more'),
        otherwise(),
        end(),
      ),
    )
  return model(scenario({ totalTicks: 40, ticking: below(s, 2) === 0 }), field, walker('Taxi'), walker('Bus')).model
}

/**
 * Tokens that split and meet again: all ways of splitting and joining, one inside another, with units held around them, without owners and of
 * individuals.
 */
function splitModel(seed: number): Model {
  const s = stream(seed, 0, 'split')
  const one = <T>(of: readonly T[]): T => of[below(s, of.length)]!
  const lasting = (): Part =>
    delay(one(times), '', below(s, 2) === 0 ? { resources: [{ container: `desk${below(s, 3)}`, amount: '1', key: '' }] } : {})
  const branch = (name: string, depth: number): Entry[] =>
    depth > 0 && below(s, 3) === 0 ? stretch(`${name}i`, depth - 1) : [compute('tag += 1\ntotal += tag / 10'), lasting()]
  const stretch = (name: string, depth: number): Entry[] => {
    const [split, join] = [`${name} split`, `${name} join`]
    const isInclusive = below(s, 4) === 0
    const splits = isInclusive
      ? inclusive(split)
      : one([parallel(split), gateway('mofn', split, { needed: '1' }), parallel(split, { before: 'total += 1' })])
    const joins = isInclusive
      ? gateway('synchronizing', join)
      : one([
          parallel(join),
          parallel(join, { before: 'total += 0.5', after: 'tag = tag / 2' }),
          gateway('synchronizing', join),
          gateway('mofn', join, { needed: one(['1', '2', '1 + tag % 2']) }),
        ])
    const ends = joins.fields['type'] === 'synchronizing' && below(s, 2) === 0
    return [
      splits,
      ...(isInclusive ? [when('random() < 0.5')] : []),
      ...branch(`${name}a`, depth),
      to(join),
      from(split),
      ...(isInclusive ? [when('tag > 1')] : []),
      ...branch(`${name}b`, depth),
      ...(ends ? [end()] : [to(join)]),
      from(split),
      ...(isInclusive ? [otherwise()] : []),
      lasting(),
      joins,
    ]
  }
  const holds = below(s, 2) === 0
  /** Units held around a split return only where all of it comes to the join. */
  const meeting = (name: string): Entry[] => [
    parallel(`${name} split`),
    lasting(),
    to(`${name} join`),
    from(`${name} split`),
    ...stretch(name.toLowerCase(), 0),
    one([parallel(`${name} join`), gateway('synchronizing', `${name} join`)]),
  ]
  const whole = (name: string, begins: Part): Part =>
    process(
      name,
      variable('tag', one(['0', 'randint(1, 4)'])),
      variable('mood', '"calm"'),
      begins,
      ...(holds ? [request('desk0'), ...meeting(name), release('desk0')] : stretch(name, 1)),
      compute('mood = "late"\ntotal += tag'),
      end(),
    )
  const timed = (): Part => startStep({ trigger: 'timer', every: one(['exponential(1)', '0.9', 'uniform(0.5, 2)']) })
  return model(
    scenario({ totalTicks: 60, ticking: below(s, 2) === 0 }),
    variable('base', '0.8'),
    variable('size', '1'),
    variable('total', '0'),
    ...[0, 1, 2].map(k => resource(`desk${k}`, 3 + below(s, 3))),
    whole('P', timed()),
    agents('Guest', { initialNumber: '2' }, whole('Stay', below(s, 2) === 0 ? timed() : startStep())),
  ).model
}

describe('processes as WebAssembly', () => {
  it('gives the same states as the general way: 40 random models', () => {
    let express = 0
    for (let seed = 1; seed <= 40; seed++) {
      const of = randomModel(seed)
      if (lowerOf(programOf(of, false)) !== null) express++
      const s = stream(seed, 1, 'cuts')
      const cuts = [below(s, 20) + 0.3, 20 + below(s, 20), 45]
      compare(of, seed, cuts)
    }
    expect(express).toBeGreaterThan(35)
  })

  it('gives the same states as the general way: 40 random models with programs, gateways, priorities and values of tokens', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const of = richModel(seed)
      const lowered = lowerOf(programOf(of, false))
      expect(Array.from(lowered?.starts ?? []), `model ${seed}`).toContain(1)
      compare(of, seed, [below(stream(seed, 1, 'cuts'), 20) + 0.3, 45])
    }
  })

  it('gives the same states where tokens go the general way and come back: 20 random models', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const of = mixedModel(seed)
      expect(lowerOf(programOf(of, false)), `model ${seed}`).not.toBeNull()
      compare(of, seed, [below(stream(seed, 2, 'cuts'), 20) + 0.3, 45])
    }
  })

  it('gives the same states where individuals are born and die: 12 random models', () => {
    let isWhole = 0
    for (let seed = 1; seed <= 12; seed++) {
      const of = peopledModel(seed)
      const lowered = lowerOf(programOf(of, false))
      if ([...(lowered?.reasons.keys() ?? [])].every(({ kind }) => kind.id !== 'create' && kind.id !== 'destroy')) isWhole++
      compare(of, seed, [below(stream(seed, 3, 'cuts'), 20) + 0.3, 45])
    }
    expect(isWhole).toBeGreaterThan(4)
  })

  it('gives the same states where tokens split and meet: 16 random models', () => {
    let isWhole = 0
    for (let seed = 1; seed <= 16; seed++) {
      const of = splitModel(seed)
      const lowered = lowerOf(programOf(of, false))
      if ([...(lowered?.reasons.keys() ?? [])].every(({ kind }) => kind.id !== 'gateway')) isWhole++
      compare(of, seed, [below(stream(seed, 4, 'cuts'), 20) + 0.3, 45])
    }
    expect(isWhole).toBeGreaterThan(8)
  })

  it('gives the same states where tokens move: 16 random models', () => {
    for (let seed = 1; seed <= 8; seed++) compare(movingModel(seed, false), seed, [below(stream(seed, 5, 'cuts'), 20) + 0.3, 35])
    // Those that may fail do so at the same place.
    for (let seed = 1; seed <= 8; seed++) {
      const [plain, debug] = [false, true].map(isDebug => {
        const run = start(programOf(movingModel(seed, true), isDebug), { seed, nativeFrom: 0 })
        run.advance()
        return stateOf(run)
      })
      expect(plain).toEqual(debug)
    }
  })

  it('gives the same states where long stretches of it are WebAssembly: random models of plain steps', () => {
    for (let seed = 1; seed <= 6; seed++) {
      const s = stream(seed, 0, 'long')
      const desk = (): string => `desk${below(s, 3)}`
      const gap = (): string => ['exponential(1)', 'exponential(0.8)', 'uniform(0, 2)', '1', 'exponential(base)'][below(s, 5)]!
      const station = (name: string): Entry[] => {
        const [at, amount] = [desk(), units(s)]
        // Long patience: many events are cancelled, and the calendar is rebuilt without them.
        if (below(s, 3) === 0)
          return [
            operate('request', at, amount, { timeout: below(s, 2) === 0 ? 'exponential(300)' : 'uniform(0, 4)' }, `${name} ask`),
            delay(gap()),
            release(at, amount),
            exclusive(`${name} met`),
            from(`${name} ask`),
            otherwise(),
            to(`${name} met`),
            from(`${name} met`),
          ]
        return below(s, 3) === 0
          ? [delay(gap(), '', { resources: [{ container: at, amount: String(amount), key: '' }] })]
          : [request(at, amount), delay(gap()), below(s, 3) === 0 ? release(at, '') : release(at, amount)]
      }
      const made = model(
        scenario({ totalTicks: 20_000, ticking: false }),
        variable('base', '0.9'),
        ...[0, 1, 2].map(k => resource(`desk${k}`, 2 + below(s, 4), { order: ['fifo', 'lifo', 'priority'][below(s, 3)]! })),
        ...Array.from({ length: 1 + below(s, 2) }, (_, k) =>
          process(
            `P${k}`,
            startStep({ trigger: 'timer', every: gap(), ...(below(s, 3) === 0 ? { maximum: '15000' } : {}) }),
            ...station(`${k} first`),
            ...station(`${k} then`),
            end(),
          ),
        ),
      ).model
      const program = programOf(made, false)
      const [a, b, again] = [start(program, { seed }), start(programOf(made, true), { seed }), start(program, { seed })]
      a.advance({ until: 15_000 })
      expect(hasFastProcesses(program), `model ${seed}`).toBe(true)
      b.advance({ until: 15_000 })
      expect(stateOf(a)).toEqual(stateOf(b))
      a.advance()
      b.advance()
      expect(stateOf(a)).toEqual(stateOf(b))
      // From the start, in pieces, some restored.
      while (again.advance({ instants: 2 + below(s, 9000) })) if (below(s, 4) === 0) again.restore(again.snapshot())
      expect(stateOf(again)).toEqual(stateOf(b))
    }
  })

  it('gives the same states where tokens wait for several resources at once: 10 random models', () => {
    let bundles = 0
    for (let seed = 1; seed <= 10; seed++) {
      const s = stream(seed, 0, 'several')
      const held = () => {
        const first = below(s, 3)
        const rows = Array.from({ length: 1 + below(s, 3) }, (_, k) => ({
          container: `desk${(first + k) % 3}`,
          amount: String(below(s, 6) === 0 ? 0.5 : units(s)),
          key: '',
        }))
        return { resources: rows, ...(below(s, 3) === 0 ? { priority: 'randint(0, 3)' } : {}) }
      }
      const whole = (name: string): Part =>
        process(
          name,
          startStep({ trigger: 'timer', every: ['exponential(1.5)', '1', 'uniform(0, 3)'][below(s, 3)]! }),
          ...Array.from({ length: 2 }, () => delay(['exponential(0.9)', '1', 'uniform(0, 2)'][below(s, 3)]!, '', held())),
          ...(below(s, 3) === 0 ? [operate('request', 'desk0', 1), delay('exponential(0.2)'), release('desk0', 1)] : []),
          end(),
        )
      const orders = ['fifo', 'lifo', 'priority']
      const of = model(
        scenario({ totalTicks: 1500, ticking: false }),
        ...[0, 1, 2].map(k => resource(`desk${k}`, 2 + below(s, 4), { order: orders[below(s, 3)]!, strict: below(s, 6) === 0 })),
        whole('P'),
        whole('Q'),
      ).model
      bundles += lowerOf(programOf(of, false))!.bundles.size
      compare(of, seed, [below(s, 900) + 0.3, 1100])
    }
    expect(bundles).toBeGreaterThan(10)
  })

  it('leaves to others what is not plain: ways back, splits, boundaries, individuals, charts', () => {
    const of = model(
      scenario({ totalTicks: 50, ticking: false }),
      resource('desk', 2),
      resource('bench', 1),
      variable('served', '0'),
      agents(
        'Clerk',
        { initialNumber: '3' },
        process('Tea', startStep({ trigger: 'timer', every: 'exponential(5)' }), request('bench'), delay(1), release('bench'), end()),
      ),
      process(
        'Serve',
        startStep({ trigger: 'timer', every: 'exponential(1)' }),
        operate('request', 'desk', 1, {}, 'ask'),
        delay('exponential(1.5)', 'work'),
        release('desk'),
        compute('served += 1', 'count'),
        exclusive('again?'),
        when('random() < 0.3'),
        to('again'),
        from('again?'),
        otherwise(),
        parallel('split'),
        delay('exponential(0.5)'),
        end(),
        from('split'),
        request('bench'),
        delay('uniform(0, 1)'),
        release('bench'),
        end(),
        delay(0, 'again'),
        to('ask'),
      ),
      chart('waiting', ['desk.queue']),
    ).model
    compare(of, 3, [4, 20, 33.3])
  })

  it('keeps the order of events at the same time', () => {
    const of = model(
      scenario({ totalTicks: 30 }),
      resource('desk', 1),
      process('A', startStep(every('1', { first: '1' })), request('desk'), delay(1), release('desk'), end()),
      process('B', startStep(every('0.5')), request('desk'), delay(0), release('desk'), end()),
    ).model
    compare(of, 1, [3, 10, 20])
  })

  it('draws from a stream in the order of the formulas: a mean that changes, a limit that is drawn itself', () => {
    const of = model(
      scenario({ totalTicks: 60, ticking: false }),
      resource('desk', 2),
      variable('base', '0.8'),
      process('Slower', startStep(every('4')), compute('base += 0.05'), end()),
      process(
        'P',
        startStep({ trigger: 'timer', every: 'exponential(0.5)', maximum: 'randint(40, 400)' }),
        request('desk'),
        delay('exponential(base)'),
        release('desk'),
        end(),
      ),
      process('Q', startStep({ trigger: 'timer', every: 'exponential(base)', maximum: '35' }), delay('exponential(1 / 3)'), end()),
    ).model
    expect(lowerOf(programOf(of, false))?.starts.slice(1)).toEqual(Uint8Array.of(1, 1))
    compare(of, 4, [3.3, 20, 41])
  })

  it('reports the same errors', () => {
    const of = (duration: string, last: 'release' | 'keep' | 'twice') =>
      model(
        scenario({ totalTicks: 30, ticking: false }),
        resource('desk', 1),
        variable('n', '0'),
        process(
          'P',
          startStep({ trigger: 'timer', every: 'exponential(1)' }),
          request('desk'),
          delay(duration),
          ...(last === 'keep' ? [] : last === 'twice' ? [release('desk'), release('desk')] : [release('desk')]),
          end(),
        ),
      ).model
    for (const [duration, last, code] of [
      ['1 - uniform(0, 3)', 'release', 10051],
      ['exponential(n - 1)', 'release', 10020],
      ['1', 'keep', 10041],
      ['1', 'twice', 10040],
    ] as const) {
      const made = of(duration, last)
      const results = [false, true].map(debug => {
        const run = start(programOf(made, debug), { seed: 5, nativeFrom: 0 })
        run.advance()
        return stateOf(run)
      })
      expect(results[0]).toEqual(results[1])
      expect(results[0]).toMatchObject({ result: { end: 'failed', problem: { code } } })
    }
  })

  it('goes the general way where a page allows no module', () => {
    const built = model(
      scenario({ totalTicks: 60 }),
      resource('desk0', 1),
      process('P', startStep({ trigger: 'timer', every: 'exponential(1)' }), request('desk0'), delay('0.5'), release('desk0'), end()),
    ).model
    const plain = start(programOf(built, false), { seed: 4, nativeFrom: Infinity })
    plain.advance()
    const modules = vi.spyOn(WebAssembly, 'Module').mockImplementation(function () {
      throw new WebAssembly.CompileError('not allowed here')
    })
    const program = programOf(built, false)
    const refused = start(program, { seed: 4, nativeFrom: 0 })
    refused.advance()
    const tried = modules.mock.calls.length
    modules.mockRestore()
    expect(tried).toBeGreaterThan(0)
    expect(hasFastProcesses(program)).toBe(false)
    expect(stateOf(refused)).toEqual(stateOf(plain))
  })

  it('stops an instant that does not end at the same step', () => {
    const of = model(
      scenario({ totalTicks: 30, ticking: false }),
      resource('desk', 1),
      process('P', startStep({ trigger: 'timer', every: 'uniform(0, 0)', first: '1' }), request('desk'), release('desk'), end()),
    ).model
    const results = [false, true].map(debug => {
      const run = start(programOf(of, debug), { seed: 5, nativeFrom: 0 })
      run.advance()
      return stateOf(run)
    })
    expect(results[0]).toEqual(results[1])
    expect(results[0]).toMatchObject({ result: { end: 'failed', problem: { code: 10047 } } })
  })
})
