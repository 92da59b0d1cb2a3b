// `holarchy mcp`: the tools of the copilot for programs that speak the Model Context Protocol, over standard input and output; `holarchy apply`: takes a
// proposal that was written this way into its file; and `holarchy copilot`: asks the guide about a model.
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Readable, Writable } from 'node:stream'
import type { FileDraft } from '../../../model-schema/file-drafts.ts'
import { modelOfFile } from '../../../model-schema/file.ts'
import type { Proposal } from '../../../model-schema/proposals.ts'
import { modelOf } from '../../../model-schema/document.ts'
import { english } from '../../../model-schema/words.ts'
import { documentOfFile, proposalFrom, takeInto, textOfDraft } from '../files.ts'
import { ToolThread } from './thread.ts'
import { mcpServerFor, type ModelFiles } from './mcp.ts'
import { Misuse } from '../../experiment/arguments.ts'
import { reasonOf } from '../../command/arguments.ts'
import { readHoloFile } from '../../command/model-file.ts'

/** Files of this machine for clients of the protocol; their tools are executed by the thread, so that requests meanwhile are handled. */
function filesOf(paths: readonly string[], thread: ToolThread, client: () => string): ModelFiles {
  return {
    list: async () => paths.map(path => ({ id: basename(path), title: basename(path, '.holo') })),
    use: async (file, name, given, asker) => {
      const path = paths.find(one => one === file || basename(one) === file)
      return path === undefined
        ? { ok: false, why: `There is no file "${file}". There are: ${paths.map(one => basename(one)).join(', ')}.` }
        : thread.use({ path, client: client(), name, given }, asker)
    },
  }
}

/** Serves until the input ends or the signal comes. Returns the exit code. Throws Misuse for files that cannot be read. */
export async function mcpCommand(
  args: readonly string[],
  version: string,
  signal: AbortSignal,
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
  const thread = new ToolThread({ paths, writes: values.write === true })
  const files = filesOf(paths, thread, () => server.server.getClientVersion()?.name ?? 'MCP')
  const server = mcpServerFor(files, version)
  const closed = new Promise<void>(done => {
    streams.input.once('end', done).once('close', done)
    if (signal.aborted) done()
    signal.addEventListener('abort', () => done(), { once: true })
  })
  await server.connect(new StdioServerTransport(streams.input, streams.output))
  await closed
  await server.close()
  await thread.end()
  return 0
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { write: { type: 'boolean' }, only: { type: 'string' } }, allowPositionals: true })
  } catch (error) {
    throw new Misuse(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
  }
}

/**
 * Answers a question about a model, or says what can be asked. `today`: milliseconds since 1970. With `--write` what the guide suggests is written beside the model. Exit code 1 when it
 * suggests nothing and the model has errors.
 */
export async function askCommand(
  args: readonly string[],
  output: { out(text: string): void; now(): number; today: number },
): Promise<0 | 1> {
  const { values, positionals } = parsed(args)
  const [path, ...words] = positionals
  if (path === undefined) throw new Misuse('copilot takes a model file, and a question')
  const doc = documentOfFile(readHoloFile(path))
  const model = modelOf(doc)
  // The engine, which the other commands here do not load.
  const [{ answer, Branch }, { suggestions, understood }] = await Promise.all([
    import('../doors/copilot.ts'),
    import('../doors/questions.ts'),
  ])
  const question = words.join(' ').trim()
  if (question === '') {
    output.out(
      `Ask one of these, or in your own words:\n${suggestions(model)
        .map(({ words: said }) => `  ${english(said)}\n`)
        .join('')}`,
    )
    return 0
  }
  const { lines, proposal, next } = answer(doc, understood(question, model, []), output.today, english, null, null, output.now)
  const cited = (ids: readonly string[]): string => (ids.length > 0 ? ` [${ids.slice(0, 6).join(', ')}]` : '')
  output.out(lines.map(({ words: said, cites, heading }) => `${heading ? '\n' : ''}${english(said)}${cited(cites)}\n`).join(''))
  if (next.length > 0) output.out(`\nNext: ${next.map(({ words: said }) => english(said)).join(' | ')}\n`)
  if (proposal) {
    const target = path.replace(/(\.holo)?$/, '.proposal.json')
    if (values.write === true) writeFileSync(target, JSON.stringify(proposal, null, 2))
    output.out(
      values.write === true
        ? `\n${target}: written; "holarchy apply" takes it\n`
        : '\nA change is suggested: --write writes it beside the model.\n',
    )
  }
  return proposal === null && new Branch(doc).problems().some(({ severity }) => severity === 'error') ? 1 : 0
}

/** Takes a proposal, or the elements of it that `--only` lists, into its model file, as far as the file as it is now allows; says what was left out. Exit code 1 when something was. */
export function applyCommand(args: readonly string[], output: { out(text: string): void }): 0 | 1 {
  const { values, positionals } = parsed(args)
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
  const all = [...proposal.deltas, ...(proposal.files ?? [])].map(({ id }) => id)
  const wanted = values.only === undefined ? all : values.only.split(',').map(id => id.trim())
  const unknown = wanted.find(id => !all.includes(id))
  if (unknown !== undefined) throw new Misuse(`the proposal changes no element "${unknown}"; it changes ${all.join(', ')}`)
  const kept: string[] = []
  if (proposal.deltas.length > 0) {
    const taken = takeInto(readHoloFile(modelPath), proposal, wanted)
    writeFileSync(modelPath, taken.text)
    kept.push(...taken.kept)
    output.out(`${modelPath}: ${taken.taken} changes taken\n`)
  }
  for (const file of proposal.files ?? []) {
    if (!wanted.includes(file.id)) continue
    const written = writeDraft(file, proposal, modelPath)
    if ('kept' in written) kept.push(`${file.id}: ${written.kept}`)
    else output.out(`${written.path}: ${file.content.is === 'new' ? 'made' : 'changed'}\n`)
  }
  output.out(kept.map(one => `left out: ${one}\n`).join(''))
  return kept.length > 0 ? 1 : 0
}

/** Writes a file of a proposal: a new one next to the model, where there is none of that name, or the changes of one that is there. */
function writeDraft(draft: FileDraft, proposal: Proposal, modelPath: string): { path: string } | { kept: string } {
  const { name, content } = draft
  const folder = resolve(dirname(modelPath))
  const path =
    content.is === 'new'
      ? join(folder, `${name.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, ' ').trim() || 'file'}.holo`)
      : resolve(folder, content.of)
  if (dirname(path) !== folder) return { kept: `"${path}" is not beside the model` }
  try {
    const now = content.is === 'new' ? null : readHoloFile(path)
    const text = textOfDraft(draft, proposal, { path: basename(modelPath), model: modelOfFile(readHoloFile(modelPath)) }, now)
    if (text === null) return { kept: `${path} cannot take it` }
    // What is there is never overwritten by a new one.
    writeFileSync(path, text, { flag: content.is === 'new' ? 'wx' : 'w' })
    return { path }
  } catch (error) {
    return { kept: error instanceof Misuse ? error.message : `${path}: ${reasonOf(error)}` }
  }
}
