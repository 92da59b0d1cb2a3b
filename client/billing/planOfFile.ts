// The plan in force for what somebody does in a file: their own, or in an organization its owner's. The server knows which.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createStore, type StoreApi } from 'zustand'
import type { Plan } from '../../model-schema/plans.ts'
import { ApiError, api } from '../api.ts'
import type { RunLimits } from '../run/run.ts'
import type { Session } from '../session.ts'

/** Null: of no account (a file of this device, a link), or not known; undefined while it is asked. */
export function usePlanOfFile({ target, docId, lamps }: Session): Plan | null | undefined {
  const isAsked = !target.local && target.shareCode === undefined && lamps.getState().server !== 'none'
  const { data, isPending } = useQuery({
    queryKey: ['plan-of-file', docId],
    queryFn: () => planOf(docId),
    enabled: isAsked,
    retry: false,
    networkMode: 'offlineFirst',
    staleTime: 60_000,
  })
  return isAsked && isPending ? undefined : (data ?? null)
}

/** A file the server does not know yet is one's own. */
async function planOf(docId: string): Promise<Plan> {
  try {
    return await api.planOfFile(docId)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not-found') return (await api.usage()).plan
    throw error
  }
}

/** What the plan allows the runs of a page; no limits until it is known. */
export function useRunLimits(session: Session): StoreApi<RunLimits> {
  const plan = usePlanOfFile(session)
  const [limits] = useState(() => createStore<RunLimits>(() => ({ steps: null, ticksPerSecond: null })))
  useEffect(() => {
    if (plan) limits.setState({ steps: plan.steps, ticksPerSecond: plan.ticksPerSecond })
  }, [limits, plan])
  return limits
}
