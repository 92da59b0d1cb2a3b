// The workspaces a person is in: their own, teams, organizations; and which of them is in front.
import { useQuery } from '@tanstack/react-query'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { useIdentity } from '../account/identity.ts'
import { api } from '../api.ts'

export type Space = Awaited<ReturnType<typeof api.spaces>>[number]

/** Kept for the pages that belong to no single workspace. */
const front = createStore<{ team: string | null }>(() => ({ team: null }))

export const showSpace = (team: string | null): void => front.setState({ team })
export const useFront = (): string | null => useStore(front, state => state.team)

export function useSpaces() {
  const { me } = useIdentity()
  return useQuery({ queryKey: ['spaces', me?.id], queryFn: api.spaces, enabled: me !== null })
}
