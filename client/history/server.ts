// The server's calls about versions.
import type { VersionInfo } from '../../sync-server/relay/versions.ts'
import type { Origin } from '../../model-schema/proposals.ts'
import { server } from '../api.ts'

/** What the history needs of the server; given by tests. */
export type VersionServer = {
  list(doc: string): Promise<VersionInfo[]>
  content(doc: string, version: string): Promise<Uint8Array>
  keep(doc: string, version: { id: string; kind: 'named' | 'before-restore'; name?: string; remark?: string }): Promise<void>
  /** Hands over one that was kept on this device: its content as a document of its own. */
  bring(doc: string, version: KeptVersion, content: Uint8Array<ArrayBuffer>): Promise<void>
  note(doc: string, version: string, note: { name?: string; remark?: string }): Promise<void>
  remove(doc: string, version: string): Promise<void>
}

/** The description of a version on this device. */
export type KeptVersion = {
  id: string
  kind: 'auto' | 'named' | 'before-restore'
  name?: string
  remark?: string
  /** ISO 8601. */
  at: string
  origin?: Origin
}

const versions = server.docs[':id'].versions

export const versionServer: VersionServer = {
  async list(id) {
    return (await (await versions.$get({ param: { id } })).json()).versions
  },
  async content(id, version) {
    return new Uint8Array(await (await versions[':version'].state.$get({ param: { id, version } })).arrayBuffer())
  },
  async keep(id, version) {
    await versions.$post({ param: { id }, json: version })
  },
  async bring(id, { id: version, origin, ...said }, content) {
    const query = { ...said, ...(origin ? { origin: JSON.stringify(origin) } : {}) }
    await versions[':version'].state.$put({ param: { id, version }, query }, { init: { body: content } })
  },
  async note(id, version, note) {
    await versions[':version'].$patch({ param: { id, version }, json: note })
  },
  async remove(id, version) {
    await versions[':version'].$delete({ param: { id, version } })
  },
}
