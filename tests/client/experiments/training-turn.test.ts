// What messages of a trainer make of the entry that is kept.
import { describe, expect, test } from 'vitest'
import type { TrainingEntry } from '../../../client/experiments/training/trainings.ts'
import { entryAfter } from '../../../client/experiments/training/turn.ts'
import type { EpochRow, FromTrainer, LearnedPolicy } from '../../../sim-engine/experiment.ts'

const entry = {
  id: 'one',
  user: 'ada',
  docId: 'doc',
  key: 'k',
  name: 'Balance',
  plan: {},
  startedAt: '2026-11-28T00:00:00.000Z',
  rows: [],
  decisions: 0,
  ended: 'running',
  report: null,
  best: null,
} as unknown as TrainingEntry
const rows = (...epochs: number[]) => epochs.map(epoch => ({ epoch })) as unknown as EpochRow[]
const policy = {
  shape: { inputs: 1, layers: [{ size: 1, activation: 'linear' }] },
  weights: new Float32Array(2),
} as unknown as LearnedPolicy
const after = (messages: (FromTrainer | null)[], where: 'here' | 'server' = 'here') =>
  messages.reduce((now, message) => entryAfter(now, message, where), entry)

describe('training turn', () => {
  test('epochs that are learned again take the place of those that were not kept', () => {
    const now = after([
      { is: 'epoch', rows: rows(1, 2, 3), policy: null },
      { is: 'epoch', rows: rows(3, 4), policy: null },
    ])
    expect(now.rows.map(({ epoch }) => epoch)).toEqual([1, 2, 3, 4])
    expect(now.checkpoints).toBeUndefined()
  })

  test('a policy of the last epoch is a checkpoint; from the server it is the best so far, too', () => {
    const message: FromTrainer = { is: 'epoch', rows: rows(1, 2), policy }
    expect(after([message]).checkpoints?.map(({ epoch }) => epoch)).toEqual([2])
    expect(after([message]).best).toBeNull()
    expect(after([message], 'server').best).toBe(policy)
  })

  test('a trainer that goes away leaves the training stopped, what fails is failed', () => {
    expect(after([{ is: 'progress', part: 0.5, decisions: 700 }, null])).toMatchObject({ ended: 'stopped', decisions: 700 })
    const failed: FromTrainer = { is: 'failed', words: { en: 'no', zh: '不' } as never, problem: null }
    expect(after([{ is: 'epoch', rows: rows(1), policy: null }, failed])).toMatchObject({ ended: 'failed', rows: [{ epoch: 1 }] })
  })

  test('the end says whether it was stopped or finished', () => {
    const end = (ending: string | null) => ({ is: 'ended', report: { ending, decisions: 900 }, best: policy }) as unknown as FromTrainer
    expect(after([end(null)])).toMatchObject({ ended: 'stopped', decisions: 900, best: policy })
    expect(after([end('epochs')])).toMatchObject({ ended: 'finished', decisions: 900 })
  })
})
