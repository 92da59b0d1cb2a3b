// The versions of an open document: those on the server, and those on this device if there is no server, or none can be reached. Restoring
// is an edit like any other; a version of the previous state is saved first.
import { nanoid } from 'nanoid'
import { fileOf } from '../../model-schema/document.ts'
import { restore } from '../../model-schema/edit.ts'
import { modelOfFile, parseFile, printFile, type HoloFile } from '../../model-schema/file.ts'
import type { Id } from '../../model-schema/model.ts'
import { originOf, type Origin, type Proposal } from '../../model-schema/proposals.ts'
import { ApiError } from '../api.ts'
import { inOneTab } from '../local/locks.ts'
import { shelf, type LocalVersion } from '../local/shelf.ts'
import type { Session } from '../session.ts'
import { contentOfFile, fileOfContent } from '../session/content.ts'
import { withChosen } from './changes.ts'
import { versionServer, type VersionServer } from './server.ts'

export type Version = {
  readonly id: string
  readonly where: 'server' | 'device'
  readonly kind: 'auto' | 'named' | 'before-restore'
  readonly name: string | null
  readonly remark: string
  /** The people who saved it, or worked on it; empty when that is not known. */
  readonly people: readonly string[]
  readonly at: string
  /** The proposal of which these people accepted parts just before; null: it was kept for another reason. */
  readonly origin: Origin | null
}

export type Known = {
  /** The latest first. */
  readonly versions: readonly Version[]
  /** The result of asking the server: its versions, nothing (unreachable, or refused), or there is no server for this document. */
  readonly server: 'told' | 'unreachable' | 'refused' | 'none'
}

/** Versions kept by themselves on this device, per document; the oldest go first. */
const maxAutoVersions = 30

export class Versions {
  readonly #session: Session
  readonly #server: VersionServer
  readonly #contents = new Map<string, Promise<HoloFile>>()
  /** Ids of versions of this device that the server will not take; they stay here, and are not sent again in this session. */
  readonly #refused = new Set<string>()

  constructor(session: Session, server: VersionServer = versionServer) {
    this.#session = session
    this.#server = server
  }

  get #key(): { user: string; doc: string } {
    const { docId: doc, user } = this.#session.target
    return { user: user.id, doc }
  }

  async list(): Promise<Known> {
    const { user, doc } = this.#key
    const here = (await shelf.versions.where('[user+doc]').equals([user, doc]).toArray()).map(localVersion)
    const { versions, server } = await this.#told()
    return { versions: [...here, ...versions].toSorted((a, b) => (a.at < b.at ? 1 : -1)), server }
  }

  async #told(): Promise<{ versions: Version[]; server: Known['server'] }> {
    if (this.#session.target.local) return { versions: [], server: 'none' }
    try {
      const told = await this.#server.list(this.#session.docId)
      return {
        server: 'told',
        versions: told.map(({ id, kind, name, remark, author, people, at, origin }) => {
          const everybody = new Set([...(author && author.name !== '' ? [author.name] : []), ...people])
          return { id, where: 'server', kind, name, remark, people: [...everybody], at, origin }
        }),
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { versions: [], server: error.final && error.code !== 'network' ? 'refused' : 'unreachable' }
    }
  }

  /** The content of the document now. */
  now(): HoloFile {
    return fileOf(this.#session.doc)
  }

  /** The content of a version; it never changes, so it is read once. Throws ApiError when it can't be had. */
  content(version: Version): Promise<HoloFile> {
    const known = this.#contents.get(version.id)
    if (known) return known
    const reading = this.#read(version)
    this.#contents.set(version.id, reading)
    reading.catch(() => this.#contents.delete(version.id))
    return reading
  }

  async #read({ id, where }: Version): Promise<HoloFile> {
    if (where === 'server') return fileOfContent([await this.#server.content(this.#session.docId, id)])
    const { user, doc } = this.#key
    const row = await shelf.versions.get([user, doc, id])
    const parsed = row && parseFile(row.holo)
    if (!parsed || !('file' in parsed)) throw new ApiError('not-found', 404)
    return parsed.file
  }

  /** Saves the current state, on the server if it can be reached and has stored all edits, else on this device; returns where. */
  async keep(kind: 'named' | 'before-restore', name: string | null, remark = ''): Promise<Version['where']> {
    const saved = this.#session.lamps.getState().server === 'saved'
    if (!this.#session.target.local && saved) {
      try {
        const version = { id: nanoid(), kind, ...(name === null ? {} : { name }), ...(remark === '' ? {} : { remark }) }
        await this.#server.keep(this.#session.docId, version)
        return 'server'
      } catch (error) {
        if (!(error instanceof ApiError) || (error.final && error.code !== 'network')) throw error
      }
    }
    await this.keepHere(kind, name, remark)
    return 'device'
  }

  /** Saves the current state on this device. Automatic versions: only if something changed since the last. */
  async keepHere(kind: Version['kind'], name: string | null, remark = ''): Promise<void> {
    const { user, doc } = this.#key
    const holo = printFile(this.now())
    const all = await shelf.versions.where('[user+doc]').equals([user, doc]).sortBy('at')
    if (kind === 'auto' && all.at(-1)?.holo === holo) return
    const at = new Date().toISOString()
    await shelf.versions.put({ user, doc, id: nanoid(), kind, name, remark, author: this.#session.target.user.name, at, holo })
    if (kind === 'auto') await this.#tidy()
  }

  /** Saves the current state on this device as an accepted proposal; replaces an earlier version of the same proposal. */
  async keepAccepted(proposal: Proposal): Promise<void> {
    const { user, doc } = this.#key
    const origin = originOf(proposal)
    const row = { user, doc, id: nanoid(), kind: 'auto', name: null, remark: '', author: this.#session.target.user.name, origin } as const
    const holo = printFile(this.now())
    await shelf.transaction('rw', shelf.versions, async () => {
      await shelf.versions
        .where('[user+doc]')
        .equals([user, doc])
        .filter(one => one.kind === 'auto' && one.origin?.proposal === proposal.id)
        .delete()
      await shelf.versions.put({ ...row, at: new Date().toISOString(), holo })
    })
    await this.#tidy()
  }

  /** Of the versions kept by themselves the oldest go. */
  async #tidy(): Promise<void> {
    const { user, doc } = this.#key
    const all = (await shelf.versions.where('[user+doc]').equals([user, doc]).sortBy('at')).filter(row => row.kind === 'auto')
    await shelf.versions.bulkDelete(all.slice(0, Math.max(0, all.length - maxAutoVersions)).map(row => [row.user, row.doc, row.id]))
  }

  /**
   * Uploads the versions that were kept on this device while the server was out of reach; true when it took any. One that the server refuses for
   * good stays on the device and holds up none after it.
   */
  async bring(): Promise<boolean> {
    const { local, user } = this.#session.target
    if (local || !this.#session.writable || this.#session.lamps.getState().server !== 'saved') return false
    const { docId: doc } = this.#session
    // One tab at a time: the other finds them gone.
    return inOneTab(`holarchy/versions/${user.id}/${doc}`, async () => {
      const waiting = (await shelf.versions.where('[user+doc]').equals([user.id, doc]).sortBy('at')).filter(isMeant)
      let brought = false
      for (const { id, kind, name, remark, at, holo, origin } of waiting) {
        const parsed = parseFile(holo)
        if (!('file' in parsed) || this.#refused.has(id)) continue
        const said = { ...(name === null ? {} : { name }), ...(remark === '' ? {} : { remark }), ...(origin ? { origin } : {}) }
        const version = { id, kind, at, ...said }
        try {
          await this.#server.bring(doc, version, Uint8Array.from(contentOfFile(parsed.file)))
        } catch (error) {
          if (!(error instanceof ApiError) || !error.final || error.code === 'network') throw error
          this.#refused.add(id)
          continue
        }
        await shelf.versions.delete([user.id, doc, id])
        brought = true
      }
      return brought
    })
  }

  /** Names a version, which then is never deleted automatically, or adds a remark to it. */
  async note({ id, where }: Version, note: { name?: string; remark?: string }): Promise<void> {
    if (where === 'server') return this.#server.note(this.#session.docId, id, note)
    const { user, doc } = this.#key
    await shelf.versions.update([user, doc, id], { ...note, ...(note.name === undefined ? {} : { kind: 'named' as const }) })
  }

  async remove({ id, where }: Version): Promise<void> {
    if (where === 'server') return this.#server.remove(this.#session.docId, id)
    const { user, doc } = this.#key
    await shelf.versions.delete([user, doc, id])
  }

  /** Brings the document, or only these elements of it, to what the version holds: one edit that can be undone. */
  async restore(version: Version, only?: readonly Id[]): Promise<void> {
    const content = await this.content(version)
    await this.keep('before-restore', null)
    const now = this.now()
    const { doc, undo } = this.#session
    undo.boundary()
    restore(doc, only === undefined ? content : withChosen(now, modelOfFile(now), content, only))
    undo.boundary()
  }
}

/** Versions made on purpose; the server makes automatic ones itself. */
const isMeant = ({ kind, origin }: LocalVersion): boolean => kind !== 'auto' || origin !== undefined

const localVersion = ({ id, kind, name, remark, author, at, origin }: LocalVersion): Version => ({
  id,
  where: 'device',
  kind,
  name,
  remark,
  people: author === '' ? [] : [author],
  at,
  origin: origin ?? null,
})
