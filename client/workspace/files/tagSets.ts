// The tag sets of a workspace with their tags. Kept on this device too, so that files can be tagged without a network.
import { useQueries } from '@tanstack/react-query'
import { useLiveQuery } from 'dexie-react-hooks'
import { useIdentity } from '../../account/identity.ts'
import { api } from '../../api.ts'
import { device } from '../../local/device.ts'
import { recall, remember } from '../../ui/remember.ts'
import { readJson } from '../../validate.ts'
import * as z from '../../zod.ts'

export type Tag = { id: string; name: string; color: string; place: number; files: number }
export type TagSet = { id: string; name: string; tags: Tag[] }

const none: TagSet[] = []

export const tagsKey = (set: string): string[] => ['tags', set]

export function useTagSets(team: string | undefined): TagSet[] {
  const { me } = useIdentity()
  const user = me?.id ?? ''
  const sets = useLiveQuery(
    async () =>
      (await device.files.where('user').equals(user).toArray())
        .filter(file => file.kind === 'tag-set' && file.team === team && file.trashedAt === null)
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    [user, team],
  )
  const found = useQueries({
    queries: (sets ?? []).map(set => ({
      queryKey: tagsKey(set.id),
      queryFn: async (): Promise<Tag[]> => {
        const tags = await api.tags(set.id)
        remember(`tags.${set.id}`, JSON.stringify(tags))
        return tags
      },
      staleTime: 60_000,
      retry: false,
      placeholderData: () => knownTags(set.id),
    })),
  })
  if (sets === undefined || sets.length === 0) return none
  return sets.map((set, i) => ({ id: set.id, name: set.name, tags: found[i]?.data ?? [] }))
}

const tagsSchema = z.array(z.object({ id: z.string(), name: z.string(), color: z.string(), place: z.number(), files: z.number() }))

/** Undefined also where another program wrote it: the server will say. */
const knownTags = (set: string): Tag[] | undefined => readJson(tagsSchema, recall(`tags.${set}`) ?? 'null') ?? undefined
