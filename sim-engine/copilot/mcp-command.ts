// `holarchy mcp`: the tools of the copilot for programs that speak the Model Context Protocol, over standard input and output; and `holarchy apply`: takes a
// proposal that was written this way into its file.
import { speakerOf } from '../../model-schema/catalogues.ts'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Readable, Writable } from 'node:stream'
import type { Doc } from 'yjs'
import { documentOfFile, proposalFrom, takeInto } from './files.ts'
import { ToolSession, type ToolAnswer } from './session.ts'
import { mcpServerFor, type ModelFiles } from './mcp.ts'
import { Misuse } from '../experiment/arguments.ts'
import { reasonOf } from '../command/arguments.ts'
import { loadChainOf } from '../chain.ts'
import { readHoloFile } from '../command/model-file.ts'

type Opened = { session: ToolSession; changedAt: number }

/** Files of this machine for clients of the protocol. Those that changed on the disk are read again, unless their fork has edits. */
function filesOf(paths: readonly string[], writes: boolean, client: () => string, now: () => number): ModelFiles {
  const opened = new Map<string, Opened>()
  const open = (path: string): Opened => {
    const changedAt = statSync(path).mtimeMs
    const known = opened.get(path)
    if (known && (known.changedAt === changedAt || known.session.isDirty)) return known
    const doc = documentOfFile(readHoloFile(path))
    const session = new ToolSession({
      doc,
      author: { kind: 'client', name: client() },
      now,
      writes: true,
      offer: proposal => {
        if (!writes) return { refused: 'Proposals are only written when the server is started with --write.' }
        writeFileSync(proposalPath(path), `${JSON.stringify(proposal, null, 2)}\n`)
        return null
      },
      others: othersOf(paths, path),
      languages: speakerOf,
    })
    const made = { session, changedAt }
    opened.set(path, made)
    return made
  }
  return {
    list: async () => paths.map(path => ({ id: basename(path), title: basename(path, '.holo') })),
    use: async (file, name, given): Promise<ToolAnswer> => {
      const path = paths.find(one => one === file || basename(one) === file)
      if (path === undefined)
        return { ok: false, why: `There is no file "${file}". There are: ${paths.map(one => basename(one)).join(', ')}.` }
      try {
        const { session } = open(path)
        await loadChainOf(session.model)
        return session.use(name, given)
      } catch (error) {
        return { ok: false, why: error instanceof Misuse ? error.message : `${path}: ${reasonOf(error)}` }
      }
    },
  }
}

/** The other files, to compare with; one that cannot be read is left out. */
function othersOf(paths: readonly string[], except: string) {
  const others = new Map<string, Doc>()
  for (const path of paths) {
    if (path === except) continue
    try {
      others.set(basename(path), documentOfFile(readHoloFile(path)))
    } catch (error) {
      if (!(error instanceof Misuse)) throw error
    }
  }
  return others
}

const proposalPath = (path: string): string => path.replace(/(\.holo)?$/, '.proposal.json')

/** Serves until the input ends or the signal comes. `now`: milliseconds since 1970. Returns the exit code. Throws Misuse for files that cannot be read. */
export async function mcpCommand(
  args: readonly string[],
  version: string,
  signal: AbortSignal,
  now: () => number,
  streams: { input: Readable; output: Writable } = { input: process.stdin, output: process.stdout },
): Promise<0> {
  const { values, positionals } = parsed(args)
  if (positionals.length === 0) throw new Misuse('mcp takes the model files to work on')
  const paths = positionals.map(one => resolve(one))
  const names = paths.map(one => basename(one))
  const twice = names.find((one, i) => names.indexOf(one) !== i)
  if (twice !== undefined) throw new Misuse(`two files are called ${twice}`)
  for (const path of paths) readHoloFile(path)
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  const files = filesOf(paths, values.write === true, () => server.server.getClientVersion()?.name ?? 'MCP', now)
  const server = mcpServerFor(files, version)
  const closed = new Promise<void>(done => {
    streams.input.once('end', done).once('close', done)
    if (signal.aborted) done()
    signal.addEventListener('abort', () => done(), { once: true })
  })
  await server.connect(new StdioServerTransport(streams.input, streams.output))
  await closed
  await server.close()
  return 0
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { write: { type: 'boolean' } }, allowPositionals: true })
  } catch (error) {
    throw new Misuse(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
  }
}

/** Takes a proposal into its model file, as far as the file as it is now allows; says what was left out. Exit code 1 when something was. */
export function applyCommand(args: readonly string[], output: { out(text: string): void }): 0 | 1 {
  const { positionals } = parsed(args)
  const [path, target] = positionals
  if (path === undefined || positionals.length > 2) throw new Misuse('apply takes a proposal, and the model file unless it is beside it')
  const modelPath = target ?? path.replace(/\.proposal\.json$/, '.holo')
  if (modelPath === path) throw new Misuse('say which model file the proposal is for')
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Misuse(error instanceof SyntaxError ? `${path} is not JSON` : `${path}: ${reasonOf(error)}`)
  }
  const proposal = proposalFrom(content)
  if (!proposal) throw new Misuse(`${path} holds no proposal`)
  const taken = takeInto(readHoloFile(modelPath), proposal)
  writeFileSync(modelPath, taken.text)
  output.out(`${modelPath}: ${taken.taken} changes taken\n${taken.kept.map(one => `left out: ${one}\n`).join('')}`)
  return taken.kept.length > 0 ? 1 : 0
}
