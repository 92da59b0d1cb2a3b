// A training that is killed continues from its journal to the same weights, and the number of threads does not matter.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { afterAll, describe, expect, test } from 'vitest'
import { TrainingJournal } from '../../../sim-engine/experiment/learn/command.ts'
import { killedTraining, trained, trainingFile, weightsOf } from '../../help/experiments/killing.ts'

const folder = mkdtempSync(join(tmpdir(), 'training-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** How often it is killed; `npm run bench learning -- --only kill` does it ten times. */
const kills = 2

const file = trainingFile(folder)

describe('training: interruption', () => {
  test(
    `training: killed ${kills} times at random moments it comes to the same weights`,
    { timeout: 200_000 + kills * 20_000 },
    async () => {
      const whole = weightsOf(await trained(file, []))
      expect(whole).toMatch(/^[0-9a-f]{8}$/)
      const journal = join(folder, 'journal')
      expect(await killedTraining(file, journal, kills)).toBeGreaterThan(0)
      const last = await trained(file, ['--journal', journal, '--threads', '2'])
      expect(weightsOf(last)).toBe(whole)
    },
  )

  test('training: a journal cut in the middle is refused with what to do, and one of another experiment', async () => {
    const journal = join(folder, 'cut')
    await trained(file, ['--journal', journal], () => existsSync(journal) && statSync(journal).size > 0)
    truncateSync(journal, Math.floor(statSync(journal).size / 2))
    const cut = await trained(file, ['--journal', journal])
    expect(cut.code).not.toBe(0)
    expect(cut.err).toContain('damaged')
  })

  test('training: a journal of another engine, or of a version that did not say which, is refused with both engines', () => {
    const path = join(folder, 'earlier')
    new TrainingJournal(path, 'key').write({ rows: [] })
    expect(new TrainingJournal(path, 'key').read()).toEqual({ rows: [] })
    expect(() => new TrainingJournal(path, 'other').read()).toThrow('another experiment or model')
    const { engine, ...early } = deserialize(readFileSync(path)) as { engine: string }
    for (const [head, told] of [
      [{ ...early, engine: 'f'.repeat(16) }, `another version of the engine (${'f'.repeat(16)}, here ${engine})`],
      [early, `another version of the engine (an early one, here ${engine})`],
    ] as const) {
      writeFileSync(path, serialize(head))
      expect(() => new TrainingJournal(path, 'key').read()).toThrow(told)
    }
  })
})
