// A training that is killed goes on from its journal to the same weights, and the number of threads does not matter.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { chance } from '../../help/random.ts'

const root = new URL('../../..', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'training-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** How often it is killed. */
const kills = Number(process.env['HOLARCHY_KILLS'] ?? 2)

const file = join(folder, 'study.holo')
const fields = {
  kind: 'experiment',
  rank: 'a0',
  name: 'study',
  type: 'learning',
  modelFile: join(root, 'model-schema/samples/cart-pole.holo'),
  policy: 'dqn',
  epochs: 3,
  stepsPerEpoch: 1200,
  testEpisodes: 4,
}
writeFileSync(file, JSON.stringify({ format: 'holo', version: 1, title: 'study', elements: { study: fields } }))

type Ended = { out: string; err: string; code: number | null }

/** Runs the command line; `until` is asked often whether it is to be killed. */
function trained(args: readonly string[], until: () => boolean = () => false): Promise<Ended> {
  return new Promise(resolve => {
    const child = spawn(
      process.execPath,
      ['--import', './sim-engine/compile-cache.mjs', 'sim-engine/cli.ts', 'experiment', file, ...args],
      { cwd: root },
    )
    const said = { out: '', err: '' }
    child.stdout.on('data', (part: Buffer) => (said.out += part.toString()))
    child.stderr.on('data', (part: Buffer) => (said.err += part.toString()))
    const watch = setInterval(() => until() && child.kill('SIGKILL'), 5)
    child.on('close', code => {
      clearInterval(watch)
      resolve({ ...said, code })
    })
  })
}

const weightsOf = ({ out }: Ended): string | undefined => /weights ([0-9a-f]{8})/.exec(out)?.[1]

describe('training: interruption', () => {
  test(`training: killed ${kills} times at random moments it comes to the same weights`, { timeout: 60_000 + kills * 20_000 }, async () => {
    const whole = weightsOf(await trained([]))
    expect(whole).toMatch(/^[0-9a-f]{8}$/)
    const random = chance(18)
    const journal = join(folder, 'journal')
    let killed = 0
    for (let round = 0; round < kills; round++) {
      // It is killed some time after the journal has changed, also in the middle of writing it.
      const before = existsSync(journal) ? statSync(journal).mtimeMs : 0
      let left = 1 + random.below(60)
      const { code } = await trained(['--journal', journal], () => existsSync(journal) && statSync(journal).mtimeMs > before && left-- <= 0)
      if (code === null) killed++
    }
    expect(killed).toBeGreaterThan(0)
    const last = await trained(['--journal', journal, '--threads', '2'])
    expect(weightsOf(last)).toBe(whole)
  })

  test('training: a journal cut in the middle is refused with what to do, and one of another experiment', async () => {
    const journal = join(folder, 'cut')
    await trained(['--journal', journal], () => existsSync(journal) && statSync(journal).size > 0)
    truncateSync(journal, Math.floor(statSync(journal).size / 2))
    const cut = await trained(['--journal', journal])
    expect(cut.code).not.toBe(0)
    expect(cut.err).toContain('damaged')
  })
})
