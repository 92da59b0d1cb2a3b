// The workspaces of a user: their own, teams, organizations; and the current one. Remembered on this device, so that the lists and
// permissions are known without a network.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { useIdentity } from '../../account/identity.ts'
import { api } from '../../api.ts'
import { openSwitches, type SwitchChanges } from '../../../model-schema/roles.ts'
import { recall, remember } from '../../ui/remember.ts'
import { readJson } from '../../validate.ts'
import * as z from '../../zod.ts'

export type WorkspaceEntry = Awaited<ReturnType<typeof api.spaces>>[number]

/** Remembered for pages that belong to no single workspace. */
const front = createStore<{ team: string | null }>(() => ({ team: null }))

export const showSpace = (team: string | null): void => front.setState({ team })
export const useFront = (): string | null => useStore(front, state => state.team)

export function useSpaces() {
  const { me } = useIdentity()
  const known = useMemo(() => (me === null ? undefined : knownSpaces(me.id)), [me])
  return useQuery({
    queryKey: ['spaces', me?.id],
    queryFn: async () => {
      const spaces = await api.spaces()
      if (me !== null) remember('spaces', JSON.stringify({ user: me.id, spaces }))
      return spaces
    },
    enabled: me !== null,
    ...(known === undefined ? {} : { placeholderData: known }),
  })
}

const switchNames = z.enum(Object.keys(openSwitches) as (keyof SwitchChanges)[])
const spacesSchema = z.array(
  z.object({
    id: z.string(),
    type: z.enum(['personal', 'team', 'organization']),
    name: z.string(),
    role: z.enum(['owner', 'manager', 'editor', 'viewer']),
    icon: z.nullable(z.string()),
    profile: z.string(),
    switches: z.partialRecord(switchNames, z.boolean()),
    owner: z.object({ id: z.string(), name: z.string() }),
    members: z.number(),
    createdAt: z.string(),
  }),
) satisfies z.ZodMiniType<WorkspaceEntry[]>

/** Undefined also where another program or another version wrote it: the server will say. */
function knownSpaces(user: string): WorkspaceEntry[] | undefined {
  const stored = readJson(z.object({ user: z.literal(user), spaces: spacesSchema }), recall('spaces') ?? 'null')
  return stored?.spaces
}
