// A training on the command line that is killed at random moments, and the weights it comes to.
import { spawn } from 'node:child_process'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chance } from '../random.ts'

const root = new URL('../../..', import.meta.url).pathname

export type Ended = { out: string; err: string; code: number | null }

/** Writes an experiment that learns to balance the pole into the folder. Its journal is written after each epoch, at least. */
export function trainingFile(folder: string, epochs = 3): string {
  const file = join(folder, 'study.holo')
  const fields = {
    kind: 'experiment',
    rank: 'a0',
    name: 'study',
    type: 'learning',
    modelFile: join(root, 'model-schema/samples/cart-pole.holo'),
    policy: 'dqn',
    epochs,
    stepsPerEpoch: 1200,
    testEpisodes: 4,
  }
  writeFileSync(file, JSON.stringify({ format: 'holo', version: 1, title: 'study', elements: { study: fields } }))
  return file
}

/** Runs the command line; `until` is asked often whether it is to be killed. */
export function trained(file: string, args: readonly string[], until: () => boolean = () => false): Promise<Ended> {
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

export const weightsOf = ({ out }: Ended): string | undefined => /weights ([0-9a-f]{8})/.exec(out)?.[1]

/** Kills a training that keeps a journal so many times, some time after the journal has changed, also in the middle of writing it. Returns how often it was under way then. */
export async function killedTraining(file: string, journal: string, kills: number): Promise<number> {
  const random = chance(18)
  let killed = 0
  for (let round = 0; round < kills; round++) {
    const before = existsSync(journal) ? statSync(journal).mtimeMs : 0
    let left = 1 + random.below(60)
    const { code } = await trained(
      file,
      ['--journal', journal],
      () => existsSync(journal) && statSync(journal).mtimeMs > before && left-- <= 0,
    )
    if (code === null) killed++
  }
  return killed
}
