// What became of each address of an invitation, in words; for workspaces and for files.
import { useLingui } from '@lingui/react/macro'
import type { api } from '../../api.ts'

type Outcome = Awaited<ReturnType<typeof api.inviteMembers>>[number]['outcome']

export function useOutcomeWords(): (outcome: Outcome) => string {
  const { t } = useLingui()
  const words: Record<Outcome, string> = {
    invited: t`invited`,
    'invited-before': t`was invited already`,
    'user-not-registered': t`has no account here`,
    'already-member': t`is a member already`,
    'already-collaborator': t`is a collaborator already`,
  }
  return outcome => words[outcome]
}
