// Finds the versions to compare for a question about changes: those it names, or the last one that differs from the current state.
import type { HoloFile } from '../../model-schema/file.ts'
import { printFile } from '../../model-schema/file.ts'
import { verbatim } from '../../model-schema/words.ts'
import { isNamedIn, type Compared, type Named, type Question } from '../../sim-engine/copilot/doors/questions.ts'
import type { Known, Version } from '../history/versions.ts'

/** Where versions are; `Versions` of the history, or in tests a list. */
export type VersionShelf = { list(): Promise<Known>; content(version: Version): Promise<HoloFile>; now(): HoloFile }

/** Versions of which the content is read to find the last that differs. */
const LOOKED = 5

/** `language` is that of the dates. Throws what reading a version throws. */
export async function comparedFor(shelf: VersionShelf, ask: Question & { about: 'changes' }, language: string): Promise<Compared> {
  const { versions, server } = await shelf.list()
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const named = ({ id, name, at }: Version): Named => {
    const when = date.format(new Date(at))
    return { id, name: verbatim(name ? `“${name}” (${when})` : when) }
  }
  const read = async (version: Version | undefined) => version && { ...named(version), file: await shelf.content(version) }
  const byId = (id: string | undefined): Version | undefined => versions.find(version => version.id === id)
  const said = ` ${ask.said?.toLowerCase() ?? ''} `
  // The latest first; if several have a name, the latest is used.
  const meant = versions.filter(({ name }, i) => name && isNamedIn(said, name) && versions.findIndex(other => other.name === name) === i)
  const before = ask.before === undefined ? (meant[1] ?? meant[0] ?? (await lastOther(shelf, versions))) : byId(ask.before)
  const after = ask.before === undefined ? (meant[1] ? meant[0] : undefined) : byId(ask.after)
  return {
    before: (await read(before)) ?? null,
    after: (await read(after)) ?? null,
    others: versions.map(named),
    reached: server === 'told' || server === 'none',
  }
}

/** Among versions that users kept: not those made when a proposal was accepted, which is the subject of the question. */
async function lastOther(shelf: VersionShelf, all: readonly Version[]): Promise<Version | undefined> {
  const versions = all.filter(({ origin }) => origin === null)
  const now = printFile(shelf.now())
  for (const version of versions.slice(0, LOOKED)) if (printFile(await shelf.content(version)) !== now) return version
  return versions[0]
}
