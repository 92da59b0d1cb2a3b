// The answer to an invitation or a request to join, given right in the notification.
import { useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { api } from '../../api.ts'
import { complain, say } from '../../ui/toast.ts'
import style from '../workspace.module.css'

type Props = {
  /** What is answered; the words on the buttons follow from it. */
  to: { invitation: string } | { request: string; team: string }
  /** Marks the notification as read. */
  seen: () => void
}

export function QuickAnswer({ to, seen }: Props) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const invited = 'invitation' in to
  const answer = useMutation({
    async mutationFn(accept: boolean): Promise<void> {
      if ('invitation' in to) await api.answerInvitation(to.invitation, accept)
      // With the least role; more is given in the list of members.
      else await api.answerRequest(to.team, to.request, accept, 'viewer')
    },
    onSuccess(_done, accept) {
      if (invited) say(accept ? t`You are in.` : t`The invitation is rejected.`)
      else say(accept ? t`They are a viewer now; the list of members gives more.` : t`The request is turned down.`)
    },
    onError: complain,
    async onSettled() {
      seen()
      await queries.invalidateQueries()
    },
  })
  return (
    <span className={style['quick']}>
      <Button size="small" type="primary" loading={answer.isPending} onClick={() => answer.mutate(true)}>
        {invited ? t`Accept` : t`Let in`}
      </Button>
      <Button size="small" disabled={answer.isPending} onClick={() => answer.mutate(false)}>
        {invited ? t`Reject` : t`Turn down`}
      </Button>
    </span>
  )
}
