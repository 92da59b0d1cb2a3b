// The states of an experiment on a page: laws that hold after any sequence of events, without a worker, a clock or a history.
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { conductingAfter, firstConducting, type Conducting, type ConductingEvent } from '../../../client/experiments/conduct/conducting.ts'
import type { Entry } from '../../../client/experiments/history.ts'
import { experimentOf } from '../../../model-schema/experiment.ts'
import { modelOfFile, parseFile } from '../../../model-schema/file.ts'
import type { Model } from '../../../model-schema/model.ts'
import { keyOf, prepare, Results } from '../../../sim-engine/experiment.ts'
import { chance, type Chance } from '../../help/random.ts'

async function modelFrom(name: string): Promise<Model> {
  const parsed = parseFile(await readFile(new URL(`../../../model-schema/samples/${name}.holo`, import.meta.url), 'utf8'))
  if (!('file' in parsed)) throw new Error(name)
  return modelOfFile(parsed.file)
}

const model = await modelFrom('clinic')
const study = await modelFrom('experiments/clinic-staffing')
const experiment = experimentOf(study)!
const sound = prepare(experiment, model, null)
if (!sound.ok) throw new Error('the sample has problems')
const { prepared } = sound
const broken = prepare(experiment, null, null)
const results = new Results(prepared.decisions, prepared.measures)
const key = keyOf(prepared)

const entryWith = (id: string, fields: Partial<Entry> = {}): Entry => ({
  id,
  user: 'ann',
  docId: 'doc',
  key,
  engine: 'now',
  name: '',
  experiment,
  study,
  model,
  startedAt: '',
  updatedAt: '',
  runs: 0,
  failed: 0,
  ended: 'stopped',
  ...fields,
})

/** Any event that may come, also of turns that are over. */
function anyEvent(random: Chance, state: Conducting): ConductingEvent {
  const entries = ['a', 'b', 'c']
  const entry = entryWith(random.pick(entries), {
    ended: random.pick(['running', 'finished', 'stopped', 'failed'] as const),
    engine: random.pick(['now', 'old']),
    job: random.pick([null, 'job']),
    key: random.pick([key, 'other']),
  })
  const turn = Math.max(0, state.turns - random.below(3))
  return random.pick<() => ConductingEvent>([
    () => ({
      type: 'edited',
      edited: { study, experiment, model: random.pick([model, null]) },
      preparation: random.pick([sound, broken]),
    }),
    () => ({ type: 'historyRead', history: random.chance(0.2) ? [] : [entry], full: random.chance(0.3) }),
    () => ({ type: 'start', where: random.pick(['here', 'server'] as const), engine: 'now' }),
    () => ({ type: 'resume' }),
    () => ({ type: 'began', turn: state.turns + 1, prepared, entry, where: 'here' }),
    () => ({ type: 'progressed', turn, results, done: random.below(9), rate: random.pick([null, 3]) }),
    () => ({ type: 'ended', turn, ended: random.pick(['finished', 'stopped', 'failed'] as const), failure: random.pick([null, 'why']) }),
    () => ({ type: 'stop' }),
    () => ({ type: 'reset' }),
    () => ({ type: 'close' }),
    () => ({ type: 'show', entry, prepared, results }),
    () => ({ type: 'forgotten', entry: random.pick(entries) }),
  ])()
}

const after = (...events: ConductingEvent[]): Conducting =>
  events.reduce((state, event) => conductingAfter(state, event)[0], firstConducting)

const edited: ConductingEvent = { type: 'edited', edited: { study, experiment, model }, preparation: sound }
const began: ConductingEvent = { type: 'began', turn: 1, prepared, entry: entryWith('a'), where: 'server' }

describe('an experiment on a page, after any sequence of events', () => {
  it('keeps its laws', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = chance(seed)
      let state = firstConducting
      for (let step = 0; step < 60; step++) {
        const event = anyEvent(random, state)
        const before = state
        const [next, effects] = conductingAfter(before, event)
        state = next
        const where = `SEED=${seed} step ${step} ${event.type}`
        // A turn makes runs exactly while the status says so.
        expect(state.turn !== null, where).toBe(state.status === 'running')
        // Nothing is left of what is not shown.
        if (state.status === 'idle')
          expect([state.prepared, state.results, state.entry, state.done, state.planned, state.failure], where).toEqual([
            null,
            null,
            null,
            0,
            null,
            null,
          ])
        else expect(state.prepared, where).toBe(prepared)
        expect(state.version, where).toBeGreaterThanOrEqual(before.version)
        if (state.results !== null && state.results !== before.results) expect(state.version, where).toBeGreaterThan(before.version)
        expect(state.turns, where).toBeGreaterThanOrEqual(before.turns)
        // Only the current turn is aborted, and only on request.
        for (const effect of effects)
          if (effect.type === 'abort') {
            expect(effect.turn, where).toBe(before.turn)
            expect(['stop', 'reset', 'close'], where).toContain(event.type)
          }
        // Events of another turn change nothing.
        if ((event.type === 'progressed' || event.type === 'ended') && event.turn !== before.turn) expect(state, where).toBe(before)
        // Nothing is begun during a run, over problems, or in a full history.
        if (event.type === 'start' && (before.status === 'running' || !before.preparation?.ok)) expect(effects, where).toEqual([])
        for (const effect of effects) {
          if (effect.type === 'begin') expect(before.full, where).toBe(false)
          if (effect.type !== 'continue') continue
          expect(effect.entry, where).toMatchObject({ key, engine: 'now' })
          expect(effect.entry.ended, where).not.toBe('finished')
        }
        // The inputs are never changed in place.
        expect(conductingAfter(before, event), where).toEqual([next, effects])
      }
    }
  })
})

describe('an experiment on a page', () => {
  it('start: continues an unfinished entry of the same plan and engine, on the server if a job is there, else begins a new one', () => {
    const started = (history: Entry[], full = false) =>
      conductingAfter(after(edited, { type: 'historyRead', history, full }), { type: 'start', where: 'here', engine: 'now' })[1]
    expect(started([])).toMatchObject([{ type: 'begin', where: 'here' }])
    expect(started([], true)).toEqual([])
    expect(started([entryWith('a')], true)).toMatchObject([{ type: 'continue', entry: { id: 'a' }, where: 'here' }])
    expect(started([entryWith('a', { job: 'j' })])).toMatchObject([{ type: 'continue', where: 'server' }])
    for (const other of [{ ended: 'finished' as const }, { engine: 'old' }, { engine: undefined }, { key: 'other' }])
      expect(started([entryWith('a', other)])).toMatchObject([{ type: 'begin' }])
  })

  it('resume: follows the job of the latest entry once', () => {
    const state = after(edited, { type: 'historyRead', history: [entryWith('a', { job: 'j' })], full: false })
    const [next, effects] = conductingAfter(state, { type: 'resume' })
    expect(effects).toMatchObject([{ type: 'follow', entry: { id: 'a' } }])
    expect(conductingAfter(next, { type: 'resume' })).toEqual([next, []])
  })

  it('reset: aborts the turn, and what that turn still says is not shown', () => {
    const [state, effects] = conductingAfter(after(edited, began), { type: 'reset' })
    expect(effects).toEqual([{ type: 'abort', turn: 1, reason: 'reset' }])
    const late = conductingAfter(state, { type: 'ended', turn: 1, ended: 'stopped', failure: null })
    expect(late).toEqual([state, []])
    expect(late[0].status).toBe('idle')
    expect(late[0].preparation).toBe(sound)
  })

  it('show: an entry that another tab runs stands still here, and a run is not covered by it', () => {
    const show: ConductingEvent = { type: 'show', entry: entryWith('b', { ended: 'running' }), prepared, results }
    expect(after(edited, show)).toMatchObject({ status: 'stopped', where: 'here', version: 1 })
    expect(after(edited, began, show)).toMatchObject({ status: 'running', entry: { id: 'a' } })
  })

  it('failure: is shown until the next turn begins', () => {
    const failed = after(edited, began, { type: 'ended', turn: 1, ended: 'failed', failure: 'no worker' })
    expect(failed).toMatchObject({ status: 'failed', failure: 'no worker', where: 'server' })
    expect(conductingAfter(failed, { ...began, turn: 2 })[0]).toMatchObject({ status: 'running', failure: null, turn: 2 })
  })
})
