// Results on the server: which there are, keeping one of this device there, fetching one.
import { server } from '../api.ts'
import type { Sample } from '../../sim-engine/experiment.ts'
import type { Entry } from './history.ts'
import { pack, unpack, type Packed } from './pack.ts'

type Remote = Awaited<ReturnType<typeof remoteOf>>
export type RemoteResult = Remote['results'][number]

/** The entries of an experiment on the server, the room for more, and, when there is none, what could be deleted. */
export const remoteOf = async (file: string) => (await server.results[':file'].$get({ param: { file } })).json()

/** Keeps an entry on the server under its own id. */
export async function upload(file: string, entry: Entry, samples: ReadonlyMap<number, Sample>): Promise<void> {
  const { id, key, startedAt, runs, failed, experiment } = entry
  const ended = entry.ended === 'running' ? 'stopped' : entry.ended
  const data = await pack({ ...entry, ended }, samples)
  const name = experiment.name.trim() === '' ? 'Experiment' : experiment.name
  const query = { key, name, type: experiment.type, runs: `${runs}`, failed: `${failed}`, ended, startedAt }
  await server.results[':file'][':id'].$put({ param: { file, id }, query }, { init: { body: Uint8Array.from(data).buffer } })
}

/** Null when this version can't make sense of it. */
export async function fetchResult(file: string, id: string): Promise<{ entry: Packed; samples: Map<number, Sample> } | null> {
  const response = await server.results[':file'][':id'].$get({ param: { file, id } })
  return unpack(new Uint8Array(await response.arrayBuffer()))
}

export const deleteRemote = async (file: string, id: string): Promise<void> => {
  await server.results[':file'][':id'].$delete({ param: { file, id } })
}
