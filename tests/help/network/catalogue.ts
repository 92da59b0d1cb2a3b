// A server's catalogue of files for tests of this device: it records what it receives, and answers with what it has.
import { ApiError } from '../../../client/api.ts'
import { plainFile } from '../../../client/local/device.ts'
import type { ListedFile } from '../../../client/local/files.ts'
import type { Catalogue } from '../../../client/local/outbox.ts'

/** `fail` decides what it refuses. */
export function catalogue(fail: (call: string) => ApiError | null = () => null): Catalogue & { told: string[] } {
  const told: string[] = []
  const take = async (call: string): Promise<void> => {
    const error = fail(call)
    if (error !== null) throw error
    told.push(call)
  }
  return {
    told,
    createFile: ({ id, kind, parent }) => take(`create ${kind} ${id} in ${parent ?? 'top'}`),
    renameFile: (id, name) => take(`rename ${id} ${name}`),
    remarkFile: (id, remark) => take(`remark ${id} ${remark}`),
    moveFile: (id, { team, parent }) => take(`move ${id} to ${team}/${parent ?? 'top'}`),
    tagFile: (id, tags) => take(`tags ${id} ${tags.join()}`),
    setFavourite: (id, on) => take(`favourite ${id} ${on}`),
    linkModel: (id, model) => take(`link ${id} ${model}`),
    trashFile: id => take(`trash ${id}`),
    restoreFile: id => take(`restore ${id}`),
    deleteFile: id => take(`delete ${id}`),
  }
}

/** A file as the server lists it. */
export const listed = (id: string, name: string, more: Partial<ListedFile> = {}): ListedFile => ({
  ...plainFile,
  id,
  name,
  kind: 'model',
  team: 'team-1',
  role: 'owner',
  owner: { id: 'x', name: 'Ann' },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  openedAt: null,
  trashedAt: null,
  ...more,
})
