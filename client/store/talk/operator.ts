// The operator of the server, as far as pages need to know.
import { useQuery } from '@tanstack/react-query'
import { useIdentity } from '../../account/identity.ts'
import { market } from '../market.ts'

/** Whether this person runs the server: decides about reports, sets up what is for everybody. */
export function useOperator(): boolean {
  const { me } = useIdentity()
  return (
    useQuery({ queryKey: ['market', 'me', me?.id], queryFn: market.me, enabled: me !== null, staleTime: 300_000 }).data?.operator ?? false
  )
}
