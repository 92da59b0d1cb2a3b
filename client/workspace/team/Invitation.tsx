// An invitation, opened from an email or a link: its target, its sender, and the answer. Answered once.
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Button, Spin } from 'antd'
import { roleLabels } from '../../../model-schema/roles.ts'
import { api } from '../../api.ts'
import { useWords } from '../../i18n/locale.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { wordsOfFailure } from '../../ui/notices.ts'
import style from '../workspace.module.css'

export function Invitation() {
  const { t } = useLingui()
  const words = useWords()
  const code = useParams({ strict: false }).code ?? ''
  const navigate = useNavigate()
  const queries = useQueryClient()
  const invitation = useQuery({ queryKey: ['invitation', code], queryFn: () => api.invitation(code), retry: false })
  const answer = useMutation({
    mutationFn: (accept: boolean) => api.answerInvitation(code, accept),
    async onSuccess({ outcome, team, fileId }) {
      await queries.invalidateQueries()
      if (outcome !== 'joined') return
      if (fileId === null) await navigate({ to: '/workspace/$teamCode/project', params: { teamCode: team } })
      else await navigate({ to: '/modeling/$teamCode/$modelId', params: { teamCode: team, modelId: fileId } })
    },
  })
  const home = (
    <Button onClick={() => void navigate({ to: '/workspace/recent' })}>
      <Trans>To the workspace</Trans>
    </Button>
  )
  const page = (title: string, text: string, action = home) => (
    <main className={style['single']}>
      <Logo />
      <EmptyState title={title} text={text} action={action} />
    </main>
  )
  if (invitation.isPending) return page(t`Invitation`, '', <Spin />)
  const failed = answer.error ?? invitation.error
  if (failed !== null || invitation.data === undefined)
    return page(t`This invitation can’t be used`, failed === null ? '' : wordsOfFailure(failed, t`Join exception; try again later.`))
  const { name, by, role, state } = invitation.data
  if (state === 'accepted' || state === 'rejected' || state === 'revoked')
    return page(
      t`Already answered`,
      state === 'revoked'
        ? t`This invitation is not valid any more.`
        : t`You have already accepted or rejected the invitation and cannot operate again.`,
    )
  if (state === 'member') return page(name, t`Already a member.`)
  if (state === 'waiting') return page(name, t`You have asked to join already. An administrator will answer.`)
  const text =
    state === 'open'
      ? t`You may ask to join. Whoever manages it lets you in.`
      : role === null
        ? t`You are invited.`
        : t`${by ?? t`Somebody`} invites you. Your role: ${words(roleLabels[role])}.`
  return page(
    name,
    text,
    <span className={style['row']}>
      <Button type="primary" loading={answer.isPending} onClick={() => answer.mutate(true)}>
        {state === 'open' ? <Trans>Ask to join</Trans> : <Trans>Accept</Trans>}
      </Button>
      {state === 'open' ? (
        home
      ) : (
        <Button disabled={answer.isPending} onClick={() => answer.mutate(false)}>
          <Trans>Reject</Trans>
        </Button>
      )}
    </span>,
  )
}
