// What a person sets to look into a run - breakpoints on lines, watches, profiles, what-ifs - on its way between the
// screen, this device and a real engine.
import { describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import type { Transport } from '../../../client/run/engine.ts'
import { keepDebugging, keptOf } from '../../../client/local/debugging.ts'
import type { SettingRow } from '../../../client/local/device.ts'
import { linesOf, moveLines, standsIn, toggleLine } from '../../../client/run/breakpoints.ts'
import { overlaid } from '../../../client/run/beside.ts'
import { heatOf } from '../../../client/run/heat.ts'
import { createRun, type Run } from '../../../client/run/run.ts'
import type { ToEngine } from '../../../sim-engine/messages.ts'
import { Engine } from '../../../sim-engine/threads/simulation.ts'
import { agents, chart, compute, end, every, model, process, scenario, start, statistic, variable, type Built } from '../../help/models.ts'
import { standingClock } from '../../help/engine.ts'

const program = 'a = total + 1\nb = a * rate\ntotal = b'

const growing = () =>
  model(
    scenario({ totalTicks: 30 }),
    variable('rate', 1, { public: true }),
    variable('total', 0, { public: true }),
    chart('Chart', ['total']),
    statistic('Twice', 'total * 2'),
    agents('Cell', { initialNumber: '1' }, process('Grow', start(every(1)), compute(program, 'grow'), end())),
  )

/** A run with engines of its own in this thread; `turn` lets them work until nothing is left to do. */
function bench(built: Built) {
  /** While not null, engines that are started do nothing until these are called. */
  let held: (() => void)[] | null = null
  let now = 0
  let looks = 0
  let waiting: (() => void)[] = []
  const clock = standingClock()
  const spawn = (): Transport => {
    let heard: Parameters<Transport['listen']>[0] = () => {}
    const engine = new Engine(message => heard(structuredClone(message)), {
      // Uneven, or the time that looking at the clock takes would be all there is.
      now: () => (now += 0.1 + (looks++ % 5)),
      later(_, act) {
        waiting.push(act)
        return () => void (waiting = waiting.filter(other => other !== act))
      },
    })
    // As a port does: one message at a time, in the order posted.
    const inbox: ToEngine[] = []
    let busy = held !== null
    const work = (): void => {
      busy = true
      for (let next = inbox.shift(); next; next = inbox.shift()) engine.receive(next)
      busy = false
    }
    held?.push(work)
    const post: Transport['post'] = message => {
      inbox.push(structuredClone(message))
      if (!busy) work()
    }
    return { post, listen: listener => void (heard = listener), close: () => engine.close() }
  }
  const run = createRun({
    model: createStore(() => ({ model: built.model })),
    scenario: built.model.scenarios[0] ?? '',
    spawn,
    clock,
    speed: null,
  })
  const close = run.open()
  const turn = (most = 10_000): void => {
    for (let k = 0; k < most && waiting.length > 0; k++) {
      waiting.shift()?.()
      clock.paint()
    }
  }
  const toTick = (tick: number): void => {
    while ((run.getState().frame?.tick ?? 0) < tick) run.step()
    turn()
  }
  const hold = (): void => void (held = [])
  const release = (): void => {
    const kept = held ?? []
    held = null
    for (const work of kept) work()
  }
  return { run, close, turn, toTick, hold, release }
}

describe('breakpoints on lines', () => {
  it('are set and cleared, stop the run, and show where it stands', () => {
    const built = growing()
    const { run, turn } = bench(built)
    const grow = built.id('grow')
    toggleLine(run, grow, 'program', 1)
    run.play()
    turn()
    const { status, stop } = run.getState()
    expect(status).toBe('paused')
    expect(standsIn(stop, grow, 'program')).toEqual({ line: 1, innermost: true, locals: [{ name: 'a', value: 1 }] })
    expect(standsIn(stop, grow, 'before')).toBeNull()
    toggleLine(run, grow, 'program', 1)
    expect(run.getState().breakpoints).toEqual([])
    run.play()
    turn()
    expect(run.getState().status).toBe('ended')
  })

  it('go to the statement that is there, and with their lines when the text changes', () => {
    const built = growing()
    const { run } = bench(built)
    const grow = built.id('grow')
    toggleLine(run, grow, 'program', 0)
    toggleLine(run, grow, 'program', 2)
    const [first, second] = linesOf(run.getState().breakpoints, grow, 'program')
    moveLines(run, grow, 'program', new Map([[second?.id ?? '', 4]]))
    expect(linesOf(run.getState().breakpoints, grow, 'program').map(one => one.line)).toEqual([0, 4])
    moveLines(run, grow, 'program', new Map([[second?.id ?? '', 0]]))
    expect(linesOf(run.getState().breakpoints, grow, 'program')).toEqual([first])
  })

  it('and watches are kept for a person and a document', async () => {
    const rows = new Map<string, SettingRow>()
    const settings = {
      get: (key: string) => Promise.resolve(rows.get(key)),
      put: (row: SettingRow) => Promise.resolve(void rows.set(row.key, row)),
      delete: (key: string) => Promise.resolve(void rows.delete(key)),
    }
    const settled = () => new Promise(done => setTimeout(done))
    const built = growing()
    const first = bench(built).run
    const stop = keepDebugging(first, 'ada', 'doc', settings)
    await settled()
    toggleLine(first, built.id('grow'), 'program', 2)
    first.setWatches([{ id: 'w', text: 'total' }])
    await settled()
    stop()
    const second = bench(built).run
    keepDebugging(second, 'ada', 'doc', settings)
    const other = bench(built).run
    keepDebugging(other, 'bob', 'doc', settings)
    await settled()
    expect(second.getState()).toMatchObject({ breakpoints: [{ on: 'line', line: 2 }], watches: [{ text: 'total' }] })
    expect(other.getState()).toMatchObject({ breakpoints: [], watches: [] })
    second.setBreakpoints([])
    second.setWatches([])
    await settled()
    expect(rows.size).toBe(0)
  })

  it('that are kept in another shape are left out', () => {
    const good = { id: 'x', enabled: true, on: 'line', element: 'e', field: 'program', line: 3, condition: '' }
    const text = JSON.stringify({ breakpoints: [good, { ...good, line: -1 }, { ...good, on: 'moon' }, null, 7], watches: [{ id: 'w' }] })
    expect(keptOf(text)).toEqual({ breakpoints: [good], watches: [] })
    expect(keptOf('{')).toEqual({ breakpoints: [], watches: [] })
  })
})

describe('watches', () => {
  it('are answered where the run stands', () => {
    const built = growing()
    const { run, turn } = bench(built)
    run.setWatches([
      { id: 'w', text: 'a * 100' },
      { id: 'v', text: 'total' },
    ])
    expect(run.getState().watched.get('v')).toEqual({ id: 'v', value: 0 })
    toggleLine(run, built.id('grow'), 'program', 1)
    run.play()
    turn()
    expect(run.getState().watched.get('w')).toEqual({ id: 'w', value: 100 })
    run.setWatches([{ id: 'v', text: 'total' }])
    expect([...run.getState().watched.keys()]).toEqual(['v'])
  })
})

describe('a profile', () => {
  it('comes while the run plays, stays after it, and warms the elements', () => {
    const built = growing()
    const { run, turn } = bench(built)
    run.setProfiling(true)
    run.play()
    turn()
    const { profile, status } = run.getState()
    expect(status).toBe('ended')
    const heat = heatOf(profile ?? { milliseconds: 0, instants: 0, nodes: [] }, built.model)
    const warmth = (name: string): number => heat.get(built.id(name)) ?? 0
    expect(warmth('Grow')).toBeGreaterThan(0)
    expect(warmth('Cell')).toBe(warmth('Grow'))
    expect(warmth('Grow')).toBeGreaterThanOrEqual(warmth('grow'))
    run.setProfiling(false)
    expect(run.getState().profile).not.toBeNull()
  })
})

describe('a what-if', () => {
  const total = (run: Run | undefined, built: Built) => run?.getState().frame?.values[built.id('total')]
  const forkOf = (run: Run): Run => {
    const { fork } = run.getState()
    if (!fork) throw new Error('there is no what-if')
    return fork.run
  }

  it('begins where the run stands, plays along with other inputs, and is held against it', () => {
    const built = growing()
    const { run, turn, toTick } = bench(built)
    toTick(5)
    run.startFork()
    turn()
    const fork = forkOf(run)
    expect(fork.getState()).toMatchObject({ status: 'paused', frame: { tick: 5 } })
    expect(total(fork, built)).toBe(total(run, built))
    fork.setInput(built.id('rate'), 2)
    toTick(8)
    expect([run, fork].map(one => one.getState().frame?.tick)).toEqual([8, 8])
    expect([total(run, built), total(fork, built)]).toEqual([8, ((5 + 1) * 2 + 1) * 2 * 2 + 2])
    expect(run.getState().inputs).toEqual({})
    const [own, other] = [run, fork].map(one => one.getState().series.get(built.id('Chart')))
    expect(other?.length).toBe(own?.length)
  })

  it('is kept: it becomes the run, with its past', () => {
    const built = growing()
    const { run, turn, toTick } = bench(built)
    toTick(4)
    run.startFork()
    turn()
    forkOf(run).setInput(built.id('rate'), 3)
    toTick(6)
    const value = total(forkOf(run), built)
    run.endFork(true)
    turn()
    expect(run.getState()).toMatchObject({ fork: null, frame: { tick: 6 }, inputs: { [built.id('rate')]: 3 } })
    expect(total(run, built)).toBe(value)
    run.seek(4)
    turn()
    expect(total(run, built)).toBe(4)
    run.reset()
    expect(run.getState().frame?.tick).toBe(0)
  })

  it('is discarded, also by a reset', () => {
    const built = growing()
    const { run, turn, toTick } = bench(built)
    toTick(3)
    run.startFork()
    turn()
    run.endFork(false)
    expect(run.getState()).toMatchObject({ fork: null, frame: { tick: 3 } })
    run.startFork()
    turn()
    run.reset()
    expect(run.getState().fork).toBeNull()
  })

  it('catches up with what the run did while the what-if was loading', () => {
    const built = growing()
    const { run, turn, toTick, hold, release } = bench(built)
    toTick(3)
    hold()
    run.startFork()
    toTick(7)
    const fork = forkOf(run)
    expect(fork.getState()).toMatchObject({ status: 'loading', frame: null })
    release()
    turn()
    expect(fork.getState()).toMatchObject({ status: 'paused', frame: { tick: 7 } })
    expect(total(fork, built)).toBe(total(run, built))
    hold()
    run.startFork()
    run.play()
    release()
    turn()
    expect([run, forkOf(run)].map(one => one.getState())).toMatchObject([
      { status: 'ended', frame: { tick: 30 } },
      { status: 'ended', frame: { tick: 30 } },
    ])
  })

  it('that has ended keeps its inputs when the run goes on', () => {
    const built = model(
      scenario({ totalTicks: 30, stopWhen: 'total >= 20' }),
      variable('rate', 1, { public: true }),
      variable('total', 0, { public: true }),
      agents('Cell', { initialNumber: '1' }, process('Grow', start(every(1)), compute(program, 'grow'), end())),
    )
    const { run, turn, toTick } = bench(built)
    toTick(2)
    run.startFork()
    turn()
    const fork = forkOf(run)
    fork.setInput(built.id('rate'), 4)
    toTick(6)
    expect(fork.getState().status).toBe('ended')
    const last = total(fork, built)
    run.play()
    turn()
    expect([run, fork].map(one => one.getState().status)).toEqual(['ended', 'ended'])
    expect(total(fork, built)).toBe(last)
    run.seek(3)
    turn()
    expect(fork.getState()).toMatchObject({ status: 'paused', frame: { tick: 3 } })
    expect(total(fork, built)).toBe((2 + 1) * 4)
  })

  it('is laid over the rows of the run by x', () => {
    expect(
      overlaid(
        [
          [0, 1, 2, 3],
          [10, 11, 12, 13],
        ],
        [
          [0, 1, 2, 2.5],
          [10, 11, 22, 23],
        ],
        1,
      ),
    ).toEqual([
      [0, 1, 2, 2.5, 3],
      [10, 11, 12, null, 13],
      [null, 11, 22, 23, null],
    ])
    expect(overlaid([[0], [1]], [[], []], 5)).toEqual([[0], [1], [null]])
  })
})
