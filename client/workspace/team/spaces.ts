// The workspaces of a user: their own, teams, organizations; and the current one. Remembered on this device, so that the lists and
// permissions are known without a network.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { useIdentity } from '../../account/identity.ts'
import { api } from '../../api.ts'
import { recall, remember } from '../../ui/remember.ts'

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

function knownSpaces(user: string): WorkspaceEntry[] | undefined {
  try {
    const stored: unknown = JSON.parse(recall('spaces') ?? 'null')
    if (stored === null || typeof stored !== 'object' || !('user' in stored) || stored.user !== user || !('spaces' in stored))
      return undefined
    return Array.isArray(stored.spaces) && stored.spaces.every(isSpace) ? stored.spaces : undefined
  } catch {
    return undefined // written by something else: the server will say
  }
}

/** Written by this app; a version with other fields is fetched again. */
function isSpace(value: unknown): value is WorkspaceEntry {
  if (value === null || typeof value !== 'object') return false
  const fields: Record<string, unknown> = { ...value }
  return ['id', 'type', 'name', 'role', 'profile'].every(key => typeof fields[key] === 'string') && typeof fields['switches'] === 'object'
}
