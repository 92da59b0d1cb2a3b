// `holarchy submit FILE --slurm`: an experiment as an array job of slices and a job that merges them, for a cluster of machines that share a
// file system.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createThreads } from '../../threads/node.ts'
import { isPlanned } from '../../experiment.ts'
import { Misuse, parsed, whole, type Output } from '../arguments.ts'
import { choiceOf } from '../command.ts'
import { loaded, type Choice } from '../tables/loading.ts'
import { planOf } from './planning.ts'

type Job = {
  readonly choice: Choice
  readonly slices: number
  /** Where scripts, parts and results are. */
  readonly folder: string
  /** Options for sbatch, such as a partition or a time limit. */
  readonly options: readonly string[]
}

/** Writes the two scripts and submits them; with `--dry-run` shows them only. Exit codes: 0, 1 problems or sbatch failed, 2 wrong usage or not sliceable. */
export async function submitting(args: readonly string[], output: Output): Promise<number> {
  const end = args.indexOf('--')
  const options = end < 0 ? [] : args.slice(end + 1)
  const { files, values } = parsed(end < 0 ? args : args.slice(0, end), ['model', 'seed', 'runs', 'slurm', 'slices', 'into', 'dry-run'])
  if (values.slurm !== true)
    throw new Misuse('submit to what? --slurm is what there is; for PBS, Kubernetes and GNU parallel see the README')
  const choice = choiceOf(files, values)
  const { prepared, code } = loaded(choice, false, output)
  if (prepared === null) return code
  if (!isPlanned(prepared))
    throw new Misuse('this experiment is adaptive, what it runs next depends on what its runs gave: it cannot be sliced')
  const here = createThreads(prepared.runnable, 1, output.now)
  const planned = await planOf(prepared, here, output.now).finally(() => here.close())
  const slices = whole('slices', values.slices, 1, 10_000) ?? planned.slices ?? 1
  const folder = resolve(values.into ?? `${basename(choice.file).replace(/\.holo$/, '')}.slices`)
  const job: Job = { choice, slices, folder, options }
  const scripts = { 'slice.sh': sliceScript(job), 'merge.sh': mergeScript(job) }
  if (values['dry-run'] === true) {
    for (const [name, text] of Object.entries(scripts)) output.out(`# ${join(folder, name)}\n${text}\n`)
    output.out(
      `cd ${quoted(folder)}\nsbatch ${sliceArguments(job).map(quoted).join(' ')}\nsbatch ${mergeArguments('JOB').map(quoted).join(' ')}\n`,
    )
    return 0
  }
  if (existsSync(folder)) throw new Misuse(`${folder} is there already: choose another with --into, or go on with its scripts`)
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(scripts)) writeFileSync(join(folder, name), text, { mode: 0o755 })
  const array = sbatch(folder, sliceArguments(job))
  const merge = sbatch(folder, mergeArguments(array))
  output.out(`array job ${array} of ${slices} slices, then job ${merge}: report.json and runs.csv will be in ${folder}\n`)
  return 0
}

const sliceArguments = ({ slices, options }: Job): string[] => ['--parsable', `--array=0-${slices - 1}`, ...options, 'slice.sh']
const mergeArguments = (array: string): string[] => ['--parsable', `--dependency=afterok:${array}`, 'merge.sh']

/** The number of the job. Throws Error with what sbatch said. */
function sbatch(folder: string, args: readonly string[]): string {
  // With a cluster's name behind a semicolon where there are several.
  return execFileSync('sbatch', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    .trim()
    .split(';')[0]!
}

const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/** This program, as it was started here: the same version is what all machines need. */
const program = (): string =>
  [
    process.execPath,
    '--import',
    fileURLToPath(new URL('../../compile-cache.mjs', import.meta.url)),
    fileURLToPath(new URL('../../cli.ts', import.meta.url)),
  ]
    .map(quoted)
    .join(' ')

const chosen = ({ choice: { model, seed, runs } }: Job): string =>
  [
    ...(model === null ? [] : ['--model', resolve(model)]),
    ...(seed === null ? [] : ['--seed', `${seed}`]),
    ...(runs === null ? [] : ['--runs', `${runs}`]),
  ]
    .map(text => ` ${quoted(text)}`)
    .join('')

/**
 * A task gets SIGTERM a minute before its time is up, or, with all its processes, when it is pre-empted: it ends with 75 and queues itself
 * again, to continue from its journal. One that is begun again, perhaps on another machine, takes the journal over, as the one before is gone:
 * Slurm runs a task once at a time. A slice that is begun again alone is still one of as many.
 */
const sliceScript = (job: Job): string => `#!/bin/sh
#SBATCH --job-name=${jobName(job)}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@60
#SBATCH --output=slice.%a.log
export HOLARCHY_SLICES=${job.slices}
${program()} experiment ${quoted(resolve(job.choice.file))} --slice auto --journal 'part.%i' --threads "\${SLURM_CPUS_PER_TASK:-1}"${chosen(job)} \${SLURM_RESTART_COUNT:+--steal} &
child=$!
heard=
trap 'heard=1; kill -TERM $child' TERM INT
wait $child
code=$?
# A signal ends the waiting, not the child.
while [ -n "$heard" ] && [ "$code" -gt 128 ]; do
  heard=
  wait $child
  code=$?
done
[ "$code" -eq 75 ] && scontrol requeue "\${SLURM_ARRAY_JOB_ID}_\${SLURM_ARRAY_TASK_ID}"
exit "$code"
`

const mergeScript = (job: Job): string => `#!/bin/sh
#SBATCH --job-name=${jobName(job)}-merge
#SBATCH --output=merge.log
exec ${program()} experiment merge ${quoted(resolve(job.choice.file))} part.* --csv runs.csv --json${chosen(job)} > report.json
`

const jobName = ({ choice: { file } }: Job): string =>
  basename(file)
    .replace(/\.holo$/, '')
    .replaceAll(/[^\w.-]/g, '_')
