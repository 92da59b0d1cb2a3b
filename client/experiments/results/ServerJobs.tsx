// Experiments the server conducts, or has conducted, that this device knows nothing of: begun on another one. They can be followed here, too.
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { complain, warn } from '../../ui/toast.ts'
import { When } from '../../ui/When.tsx'
import { entryOfJob, jobsOf, taskOf, type ServerJob } from '../conduct/cloud.ts'
import { useConducting, useExperiment } from '../scope.ts'
import { useNumber } from './useNumber.ts'

/** Milliseconds between two looks while some are under way. */
const lookMs = 5000

export function ServerJobs({ docId, disabled }: { docId: string; disabled: boolean }) {
  const { t } = useLingui()
  const number = useNumber()
  const { conductor } = useExperiment()
  const history = useConducting(state => state.history)
  const { data } = useQuery({
    queryKey: ['jobs', docId],
    queryFn: () => jobsOf(docId),
    retry: false,
    refetchInterval: query => (query.state.data?.some(({ state }) => state !== 'done') ? lookMs : false),
  })
  const known = new Set(history.map(({ id }) => id))
  const others = (data ?? []).filter(({ id }) => !known.has(entryOfJob(id)))
  if (others.length === 0) return null
  const follow = async ({ id }: ServerJob): Promise<void> => {
    const task = await taskOf(id)
    if (task === null || !(await conductor.follow(id, task))) warn(t`This version cannot read the result.`)
  }
  return (
    <div className="x-scroll">
      <table className="x-figures x-history" data-testid="jobs">
        <caption>{t`Run on the server, begun on another device`}</caption>
        <tbody>
          {others.map(job => (
            <tr key={job.id}>
              <td data-text>
                <When at={job.createdAt} />
              </td>
              <td data-text>{job.state === 'done' ? t`finished` : t`running`}</td>
              <td>{t`${number(Math.round(job.progress * 100))}%`}</td>
              <td>
                <Button size="small" disabled={disabled} data-testid="follow" onClick={() => void follow(job).catch(complain)}>
                  {job.state === 'done' ? <Trans>Fetch</Trans> : <Trans>Follow</Trans>}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
