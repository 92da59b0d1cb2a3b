// A choice among the living, while some of the dead are still listed: the same individual as in the general way, without a loop over the list.
import { describe, expect, it } from 'vitest'
import { emitWasm } from '../../../sim-engine/backends/wasm.ts'
import { below, stream, uniform } from '../../../sim-engine/kernel/random.ts'
import * as ir from '../../../sim-engine/ir.ts'
import { lowerProcesses } from '../../../sim-engine/lower/processes/process.ts'
import type { Model } from '../../../model-schema/model.ts'
import { inline } from '../../../sim-engine/passes/inline.ts'
import { runtimeFunctions } from '../../../sim-engine/run/fast/process-module.ts'
import * as pops from '../../../sim-engine/runtime/populations.ts'
import { explain } from '../../../sim-engine/compile/explain.ts'
import { Population } from '../../../sim-engine/world/population.ts'
import { agents, compute, create, delay, destroy, end, every, links, model, process, scenario, start, variable } from '../../help/models.ts'
import { seeds } from '../../help/random.ts'
import { compare, programOf } from '../../help/ways.ts'

const room = 6000
const looks = 8
const draws = 16
const record = 64

/** The runtime's births, deaths and choices on a memory of their own, and how many individuals they looked at. */
function runtimePopulation() {
  const roots = ['bear', 'endLife', 'settlePopulation', 'anyOf']
  const seen = ir.i32(looks)
  const counting: ir.Stmt = {
    kind: 'store',
    mem: 'i32',
    address: seen,
    offset: 0,
    value: ir.binary('add', ir.load('i32', seen), ir.i32(1)),
  }
  const fns = runtimeFunctions().map(fn => ({
    ...fn,
    isExported: roots.includes(fn.name),
    body: fn.name === 'handleIn' ? [counting, ...fn.body] : fn.body,
  }))
  const imports: ir.Import[] = [
    { name: 'rareLog', params: ['f64'], result: 'f64' },
    { name: 'step', params: ['i32', 'i32'], result: 'i32' },
    { name: 'arrive', params: ['i32', 'i32'], result: 'i32' },
  ]
  const memory = new WebAssembly.Memory({ initial: 8 })
  const none = (): number => 0
  const bytes = emitWasm(inline({ fns: new Map(fns.map(fn => [fn.name, fn])), imports }, 150))
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
    host: { memory, rareLog: none, fail: none, hook: none, step: none, arrive: none },
  })
  const words = new Int32Array(memory.buffer)
  const arrays = [pops.HANDLES, pops.IDS, pops.LIVING, pops.ORDER, pops.GENERATIONS, pops.FREED_SLOTS, pops.RANKS]
  for (const [k, field] of arrays.entries()) words[(record + field) >> 2] = 1024 + k * 8 * room
  words[(record + pops.SLOT_ROOM) >> 2] = room
  return { words, call: exports as Record<(typeof roots)[number], (...given: number[]) => number> }
}

describe('one of all who live', () => {
  it('is whom the list of the living has, whoever was born and died, after any number of choices', () => {
    seeds(30, random => {
      const { words, call } = runtimePopulation()
      const others = stream(random.below(1e6), 0, 'choosing')
      const population = new Population('p', 'P', 0, 'agent')
      words.set(others, draws >> 2)
      const birth = (): void => expect(call['bear']!(record)).toBe(population.create())
      for (let k = random.below(random.pick([3, 40, 900])); k >= 0; k--) birth()
      const [births, deaths, settled] = [random.pick([0.1, 0.5]), random.pick([0.1, 0.5]), random.pick([0.002, 0.05])]
      for (let k = 0; k < 1500; k++) {
        if (random.chance(births)) birth()
        const all = population.listed()
        if (all.length > 1 && random.chance(deaths)) {
          const one = random.pick(all)
          population.kill(one)
          call['endLife']!(record, one & 0xffffff)
        }
        if (random.chance(settled)) {
          population.settle()
          call['settlePopulation']!(record)
        }
        const living = population.listed()
        expect(call['anyOf']!(record, draws), `choice ${k}`).toBe(living[below(others, living.length)]! & 0xffffff)
      }
    })
  })

  it('is found by looking at few, however many there are', () => {
    const { words, call } = runtimePopulation()
    words.set(stream(1, 0, 'choosing'), draws >> 2)
    for (let k = 0; k < room; k++) call['bear']!(record)
    for (let k = 0; k < room / 2; k++) {
      call['endLife']!(record, 2 * k)
      call['anyOf']!(record, draws)
    }
    // Each once, and those of two blocks of sixteen for each choice.
    expect(words[looks >> 2]).toBeLessThan(room + 32 * (room / 2))
  })
})

const pub = { public: true }
const several = (s: ReturnType<typeof stream>, lines: readonly string[]): string =>
  Array.from({ length: 3 }, () => lines[below(s, lines.length)]!).join('\n')

const lines = [
  'other = choice(Person)\nother.met += 1\nmet += 0.1 * other.id',
  'if random() < 0.05 and Person.count > 4:\n    die(choice(Person))',
  'if random() < 0.04:\n    create(Person)\n    choice(Person).met += 1',
  'other = choice(Person)\nif other != self:\n    connect(Knows, other)',
  'if Knows.count > 0:\n    l = choice(Knows)\n    met += l.id\n    if random() < 0.5:\n        die(l)',
  'for p in [p for p in Person if p.met > 40]:\n    if random() < 0.05 and Person.count > 4:\n        die(p)\n        choice(Person).met += 1',
]
const ticking = (seed: number): Model => {
  const s = stream(seed, 0, 'choosing')
  return model(
    scenario({ totalTicks: 12 }),
    agents(
      'Person',
      { initialNumber: String(20 + below(s, 200)), order: uniform(s) < 0.5 ? 'fixed' : 'shuffled', maximum: '1000' },
      variable('met', 0, pub),
      process('Go', start(every(1)), compute(several(s, lines)), end()),
    ),
    links('Knows', { source: 'Person', target: 'Person', generator: 'randomCount', number: '15' }),
  ).model
}

/** Deaths and births of those who have tokens, who are chosen from meanwhile. */
const waiting = (seed: number): Model => {
  const s = stream(seed, 0, 'choosing')
  return model(
    scenario({ totalTicks: 8 }),
    variable('total', 0),
    agents(
      'Walker',
      { initialNumber: String(30 + below(s, 200)), maximum: '1000' },
      variable('met', 0, pub),
      process(
        'Go',
        start(),
        delay('exponential(2)'),
        compute('other = choice(Walker)\nother.met += 1\ntotal += other.id'),
        ...(uniform(s) < 0.5 ? [create('Walker', 1, {})] : []),
        delay('exponential(1)'),
        compute('total += 0.01 * choice(Walker).met'),
        destroy(),
        end(),
      ),
    ),
    process('See', start(every(0.25)), compute('if Walker.count > 0:\n    total += choice(Walker).met'), end()),
  ).model
}

describe('one of all who live, in models', () => {
  it('is the same in loops as WebAssembly: 40 random models', () => {
    for (let seed = 0; seed < 40; seed++) {
      const of = ticking(seed)
      expect(explain(programOf(of, false)).filter(one => one.process === 'Person.Go' && one.steps.length > 0)).toEqual([])
      compare(of, seed, [2, 7])
    }
  })

  it('is the same in steps of tokens as WebAssembly: 20 random models', () => {
    for (let seed = 0; seed < 20; seed++) {
      const of = waiting(seed)
      expect(lowerProcesses(programOf(of, false))?.reasons.size).toBe(0)
      compare(of, seed, [1.5, 4])
    }
  })
})
