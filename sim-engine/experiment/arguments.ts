// Arguments of the experiment commands, and what must be true of them before anything runs.
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

export type Output = {
  out(text: string): void
  err(text: string): void
  /** A clock in milliseconds: the engine itself has none. */
  now(): number
}

/** Wrong usage: nothing was done. */
export class Misuse extends Error {}

const all = {
  model: { type: 'string' },
  threads: { type: 'string' },
  seed: { type: 'string' },
  runs: { type: 'string' },
  journal: { type: 'string' },
  steal: { type: 'boolean' },
  csv: { type: 'string' },
  parquet: { type: 'string' },
  report: { type: 'string' },
  json: { type: 'boolean' },
  slice: { type: 'string' },
  partial: { type: 'boolean' },
  audit: { type: 'string' },
  slurm: { type: 'boolean' },
  slices: { type: 'string' },
  into: { type: 'string' },
  'dry-run': { type: 'boolean' },
  workers: { type: 'string' },
  key: { type: 'string' },
  idle: { type: 'string' },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof all; allowPositionals: true }>>['values']

/** Throws Misuse for what is unknown, or does not belong to the command. */
export function parsed(args: readonly string[], names: readonly (keyof typeof all)[]): { files: string[]; values: Values } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: Object.fromEntries(names.map(name => [name, all[name]] as const)) as typeof all,
      allowPositionals: true,
      strict: true,
    })
    return { files: positionals, values }
  } catch (error) {
    // Its first sentence says what is wrong; the rest is advice on positional arguments.
    throw new Misuse((error instanceof Error ? error.message : String(error)).split('. ')[0]!.replace(/^U/, 'u'), { cause: error })
  }
}

export function whole(name: string, text: string | undefined, low: number, high: number): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() === '' || !Number.isInteger(value) || value < low || value > high)
    throw new Misuse(`--${name} takes a whole number from ${low} to ${high}, not "${text}"`)
  return value
}

/** Throws Misuse when a file can't be written. */
export function checkWritable(name: string, path: string): void {
  const cannot = (why: string): never => {
    throw new Misuse(`--${name} ${path} cannot be written: ${why}`)
  }
  const folder = dirname(path)
  if (existsSync(path) && statSync(path).isDirectory()) cannot('it is a folder')
  if (!existsSync(folder)) cannot(`there is no folder ${folder}`)
  try {
    accessSync(existsSync(path) ? path : folder, constants.W_OK)
  } catch (error) {
    cannot(error instanceof Error ? error.message : String(error))
  }
}

/** Whether a file of a folder is a part of a table (parquet.ts). */
export const isParquetPart = (name: string): boolean => /^part-\d{5}\.parquet$/.test(name)

/** Throws Misuse when a folder cannot take the parts of a table: it has to be new, or to hold nothing but parts. */
export function checkParquetFolder(path: string): void {
  if (!existsSync(path)) return checkWritable('parquet', path)
  if (!statSync(path).isDirectory()) throw new Misuse(`--parquet ${path} is a file: parts are written into a folder`)
  const other = readdirSync(path).find(name => !isParquetPart(name))
  if (other !== undefined) throw new Misuse(`--parquet ${path} holds "${other}": parts are written into a folder of their own`)
  checkWritable('parquet', join(path, 'part-00000.parquet'))
}
