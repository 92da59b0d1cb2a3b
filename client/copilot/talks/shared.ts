// Talks that are kept with a file on the server: which there are, keeping, reading, naming and removing one.
import { useQuery } from '@tanstack/react-query'
import { useIdentity } from '../../account/identity.ts'
import { server } from '../../api.ts'
import type { Session } from '../../session.ts'
import { fitted } from './fitted.ts'
import { titleOf, type Kept } from '../turns.ts'

async function talksWith(file: string) {
  return (await server.copilot.talks[':file'].$get({ param: { file } })).json()
}
export type SharedTalk = Awaited<ReturnType<typeof talksWith>>['talks'][number]

export const sharedKey = ({ docId }: Session): readonly string[] => ['kept-talks', docId]

/** The talks that are kept with the open file; none of files that are on this device only, or were reached by a link. */
export function useShared(session: Session) {
  const { me } = useIdentity()
  return useQuery({
    queryKey: sharedKey(session),
    queryFn: () => talksWith(session.docId),
    enabled: me !== null && !session.target.local,
    retry: false,
  })
}

/** Stores a conversation with its file, replacing its earlier state. */
export async function keepWithFile(talk: Pick<Kept, 'doc' | 'id' | 'turns' | 'messages'>): Promise<void> {
  const json = { title: titleOf(talk), ...fitted(talk) }
  await server.copilot.talks[':file'][':id'].$put({ param: { file: talk.doc, id: talk.id }, json })
}

export async function sharedTalk(file: string, id: string): Promise<Pick<Kept, 'turns' | 'messages'>> {
  return (await server.copilot.talks[':file'][':id'].$get({ param: { file, id } })).json()
}

/** It keeps this name when it is stored again later. */
export async function renameInFile(file: string, id: string, name: string): Promise<void> {
  await server.copilot.talks[':file'][':id'].$patch({ param: { file, id }, json: { name } })
}

export async function removeFromFile(file: string, id: string): Promise<void> {
  await server.copilot.talks[':file'][':id'].$delete({ param: { file, id } })
}
