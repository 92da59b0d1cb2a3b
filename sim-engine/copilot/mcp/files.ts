// The forks that `holarchy mcp` works on: one of each file, in the thread that executes the tools.
import { statSync, writeFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { Doc } from 'yjs'
import { speakerOf } from '../../../model-schema/languages/catalogues.ts'
import { loadChainOf } from '../../chain.ts'
import { reasonOf } from '../../command/arguments.ts'
import { readHoloFile } from '../../command/model-file.ts'
import { Misuse } from '../../experiment/arguments.ts'
import { aboutIn, documentOfFile, draftKindOf } from '../files.ts'
import type { Asked, Served } from './thread.ts'
import type { RelatedFile } from '../drafts.ts'
import { ToolSession, type ToolAnswer } from '../session.ts'
import type { Watch } from '../trials.ts'

type Opened = { session: ToolSession; changedAt: number }

/** Executes tools on forks of files of this machine. Those that changed on the disk are read again, unless their fork has edits. `now`: milliseconds since 1970. */
export function forksOf({ paths, writes }: Served, now: () => number): (asked: Asked, watch: Watch) => Promise<ToolAnswer> {
  const opened = new Map<string, Opened>()
  const open = (path: string, client: string): Opened => {
    const changedAt = statSync(path).mtimeMs
    const known = opened.get(path)
    if (known && (known.changedAt === changedAt || known.session.isDirty)) return known
    const doc = documentOfFile(readHoloFile(path))
    const session = new ToolSession({
      doc,
      author: { kind: 'client', name: client },
      now,
      writes: true,
      offer: proposal => {
        if (!writes) return { refused: 'Proposals are only written when the server is started with --write.' }
        writeFileSync(proposalPath(path), `${JSON.stringify(proposal, null, 2)}\n`)
        return null
      },
      file: basename(path),
      related: () => relatedOf(paths, path),
      others: othersOf(paths, path),
      languages: speakerOf,
    })
    const made = { session, changedAt }
    opened.set(path, made)
    return made
  }
  return async ({ path, client, name, given }, watch) => {
    try {
      const { session } = open(path, client)
      await loadChainOf(session.model)
      return session.use(name, given, watch)
    } catch (error) {
      return { ok: false, why: error instanceof Misuse ? error.message : `${path}: ${reasonOf(error)}` }
    }
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

/** The experiments, charts and dashboards among the files that are about this model. */
function relatedOf(paths: readonly string[], model: string): RelatedFile[] {
  return paths.flatMap((path): RelatedFile[] => {
    try {
      const file = path === model ? null : readHoloFile(path)
      const kind = file && draftKindOf(file)
      return file && kind && aboutIn(file).some(one => resolve(dirname(path), one) === resolve(model))
        ? [{ id: basename(path), kind, name: file.title ?? basename(path), file }]
        : []
    } catch (error) {
      if (error instanceof Misuse) return []
      throw error
    }
  })
}

const proposalPath = (path: string): string => path.replace(/(\.holo)?$/, '.proposal.json')
