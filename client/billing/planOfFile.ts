// The plan in force for edits of a file: the user's own, or in an organization its owner's. The server knows which.
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { createStore, type StoreApi } from 'zustand'
import { bindEdits } from '../../model-schema/edit.ts'
import type { Plan } from '../../model-schema/business/plans.ts'
import { beyond, takenBy, type Excess } from '../../model-schema/business/taken.ts'
import { ApiError, api } from '../api.ts'
import type { Run, RunLimits } from '../run/run.ts'
import type { Session } from '../session.ts'
import { complain, notify } from '../ui/toast.ts'
import { wordsOfLimit } from '../ui/notices.ts'

/** `isOwners`: the plan belongs to the owner of the organization. */
type PlanInForce = Plan & { isOwners: boolean }

/** Null: without an account (a file of this device, a link), or unknown; undefined while it is loading. */
export function usePlanOfFile({ target, docId, lamps }: Session): PlanInForce | null | undefined {
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

/** A file unknown to the server belongs to the user. */
async function planOf(docId: string): Promise<PlanInForce> {
  try {
    return await api.planOfFile(docId)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not-found') return { ...(await api.usage()).plan, isOwners: false }
    throw error
  }
}

/** The plan's limits on the runs of a page; no limits until it is known. */
export function useRunLimits(session: Session): StoreApi<RunLimits> {
  const plan = usePlanOfFile(session)
  const [limits] = useState(() => createStore<RunLimits>(() => ({ steps: null, ticksPerSecond: null })))
  useEffect(() => {
    if (plan) limits.setState({ steps: plan.steps, ticksPerSecond: plan.ticksPerSecond })
  }, [limits, plan])
  return limits
}

/**
 * Limits additions to an open model to what the plan allows. Returns a function that shows a refusal: the server's message, with a link to
 * a larger plan.
 */
export function useEditBounds(session: Session): (limit: Excess) => void {
  const plan = usePlanOfFile(session) ?? null
  useEffect(() => {
    bindEdits(session.doc, plan)
    return () => bindEdits(session.doc, null)
  }, [session, plan])
  const isOwners = plan?.isOwners === true
  return useCallback((limit: Excess) => complain(new ApiError('limit-reached', 403, '', { limit: { ...limit, isOwners } })), [isOwners])
}

/** A run of a model beyond the plan's limits shows a message when it starts. */
export function useBeyondSaid(session: Session, run: Run, title: string): void {
  const plan = usePlanOfFile(session) ?? null
  useEffect(() => {
    if (plan === null) return
    return run.subscribe((now, before) => {
      if (now.status !== 'playing' || before.status !== 'ready') return
      const over = beyond(takenBy(session.model.getState().model), plan)
      if (over !== null) notify('warning', title, wordsOfLimit({ ...over, isOwners: plan.isOwners }), { key: 'beyond' })
    })
  }, [session, run, plan, title])
}
