// The scripts for Slurm, run by a stand-in for sbatch that makes the tasks of an array one after the other.
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mainUntil } from '../../../sim-engine/cli.ts'

let folder = ''
const at = (name: string): string => join(folder, name)
const path = process.env['PATH']

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holarchy-submit-'))
  mkdirSync(at('bin'))
  // Prints its number; runs each task of an array with the variables Slurm gives, a merge with none.
  writeFileSync(
    at('bin/sbatch'),
    `#!/bin/sh
echo "sbatch $*" >> ${at('log')}
for last; do :; done
case "$*" in
  *--array=0-*)
    top=$(printf '%s' "$*" | sed 's/.*--array=0-\\([0-9]*\\).*/\\1/')
    for task in $(seq 0 "$top"); do
      SLURM_ARRAY_JOB_ID=17 SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=$((top + 1)) sh "./$last" > "slice.$task.log" 2>&1 || exit 1
    done
    echo 17 ;;
  *) sh "./$last" && echo '18;cluster' ;;
esac
`,
  )
  chmodSync(at('bin/sbatch'), 0o755)
  process.env['PATH'] = `${at('bin')}:${path}`
})
afterAll(() => {
  process.env['PATH'] = path
  rmSync(folder, { recursive: true })
})

async function command(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', '']
  const output = { out: (said: string) => void (out += said), err: (said: string) => void (err += said) }
  return { code: await mainUntil(args, output, new AbortController().signal), out, err }
}

function study(name: string, fields: object): string {
  const elements = {
    s: { kind: 'scenario', totalTicks: 3 },
    a: { kind: 'variable', name: 'a', initial: 'uniform(0, 1)', public: true },
    x: { kind: 'experiment', name: 'Draws', type: 'monteCarlo', replications: 90, modelFile: name, ...fields },
    r: { kind: 'response', parent: 'x', name: 'a', expression: 'a' },
  }
  writeFileSync(at(name), JSON.stringify({ format: 'holo', version: 1, elements }))
  return at(name)
}

it('submit: an array of slices and a merge behind it give what one machine gives, to the byte', async () => {
  const file = study("a study's.holo", {})
  const into = at('out of slices')
  const { code, out, err } = await command(
    'submit',
    file,
    '--slurm',
    '--slices',
    '3',
    '--seed',
    '7',
    '--into',
    into,
    '--',
    '--partition=long',
  )
  expect([code, err]).toEqual([0, ''])
  expect(out).toBe(`array job 17 of 3 slices, then job 18: report.json and runs.csv will be in ${into}\n`)
  expect(readFileSync(at('log'), 'utf8')).toBe(
    'sbatch --parsable --array=0-2 --partition=long slice.sh\nsbatch --parsable --dependency=afterok:17 merge.sh\n',
  )
  expect(readdirSync(into).filter(name => name.startsWith('part'))).toEqual(['part.0', 'part.1', 'part.2'])
  const here = await command('experiment', file, '--seed', '7', '--threads', '1', '--json', '--csv', at('here.csv'))
  expect(readFileSync(join(into, 'report.json'), 'utf8')).toBe(here.out)
  expect(readFileSync(join(into, 'runs.csv'), 'utf8')).toBe(readFileSync(at('here.csv'), 'utf8'))
  // Nothing of it is overwritten.
  expect(await command('submit', file, '--slurm', '--into', into)).toMatchObject({
    code: 2,
    err: expect.stringContaining('is there already'),
  })
})

it('submit: a task that hears SIGTERM queues itself again, and goes on from its journal on whatever machine', async () => {
  const file = study('long.holo', { replications: 100_000, maxRuns: 100_000 })
  const { out } = await command('submit', file, '--slurm', '--slices', '2', '--dry-run', '--into', at('long'))
  mkdirSync(at('long'))
  const script = out.slice(out.indexOf('#!/bin/sh'), out.indexOf('# /', out.indexOf('#!/bin/sh')))
  writeFileSync(at('long/slice.sh'), script)
  writeFileSync(at('bin/scontrol'), `#!/bin/sh\necho "scontrol $*" >> ${at('requeued')}\n`)
  chmodSync(at('bin/scontrol'), 0o755)
  const env = { ...process.env, SLURM_ARRAY_JOB_ID: '17', SLURM_ARRAY_TASK_ID: '1', SLURM_ARRAY_TASK_COUNT: '2', SLURM_ARRAY_TASK_MIN: '0' }
  const part = at('long/part.1')
  const size = (): number => (existsSync(part) ? statSync(part).size : 0)
  /** The exit code of a task that is asked to stop, alone or with all its processes, when it has made some runs. */
  const stopped = async (restart: object, who: (pid: number) => number): Promise<number | null> => {
    const before = size()
    const task = spawn('sh', ['./slice.sh'], { cwd: at('long'), env: { ...env, ...restart }, stdio: 'ignore', detached: true })
    const exit = new Promise<number | null>(resolve => task.once('exit', resolve))
    await expect.poll(size, { interval: 10 }).toBeGreaterThan(before + 2000)
    process.kill(who(task.pid!), 'SIGTERM')
    return exit
  }
  // A minute before its time is up, the script hears of it.
  expect(await stopped({}, pid => pid)).toBe(75)
  expect(existsSync(`${part}.lock`)).toBe(false)
  // A machine that fails leaves its lock; Slurm begins its task on another. One that is pre-empted hears of it in each of its processes.
  writeFileSync(`${part}.lock`, JSON.stringify({ host: 'elsewhere', pid: 1 }))
  expect(await stopped({ SLURM_RESTART_COUNT: '1' }, pid => -pid)).toBe(75)
  expect(existsSync(`${part}.lock`)).toBe(false)
  expect(readFileSync(at('requeued'), 'utf8')).toBe('scontrol requeue 17_1\nscontrol requeue 17_1\n')
})

it('submit: a dry run shows scripts that a shell understands, and writes nothing', async () => {
  const file = study('dry.holo', {})
  const { code, out } = await command('submit', file, '--slurm', '--slices', '40', '--dry-run', '--into', at('dry'))
  expect(code).toBe(0)
  expect(existsSync(at('dry'))).toBe(false)
  expect(out).toContain('#SBATCH --signal=B:TERM@60')
  expect(out).toContain('export HOLARCHY_SLICES=40')
  expect(out).toContain('sbatch --parsable --array=0-39 slice.sh')
  expect(() => execFileSync('sh', ['-n'], { input: out })).not.toThrow()
})

it('submit: what cannot be sliced, or has nowhere to go, is refused', async () => {
  const adaptive = study('adaptive.holo', { until: 'interval' })
  expect(await command('submit', adaptive, '--slurm')).toMatchObject({ code: 2, err: expect.stringContaining('it cannot be sliced') })
  expect(await command('submit', adaptive)).toMatchObject({ code: 2, err: expect.stringContaining('submit to what?') })
})
