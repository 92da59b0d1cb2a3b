// The log of a workspace or of one's own account: every action with its author and time. Older lines are fetched on scrolling.
import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Alert, Button, Skeleton } from 'antd'
import { roleLabels, roles } from '../../../model-schema/roles.ts'
import type { LogLine } from '../../api.ts'
import { useWords } from '../../i18n/locale.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { When } from '../../ui/When.tsx'
import { wordsOfError } from '../../ui/notices.ts'
import style from '../workspace.module.css'

/** Lines the server gives at once. */
const PAGE = 100

type Props = {
  of: string
  /** Lines before one, or the newest. */
  read: (before?: number) => Promise<LogLine[]>
  /** Names of files and people that lines speak of. */
  names: ReadonlyMap<string, string>
}

export function Log({ of, read, names }: Props) {
  const { t } = useLingui()
  const words = useDeedWords(names)
  const lines = useInfiniteQuery({
    queryKey: ['log', of],
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: page => (page.length < PAGE ? undefined : page.at(-1)?.id),
    retry: false,
  })
  if (lines.isPending) return <Skeleton active title={false} />
  if (lines.error !== null) return <Alert type="error" showIcon title={wordsOfError(lines.error)} />
  if (lines.data.pages.flat().length === 0)
    return (
      <p className={style['muted']}>
        <Trans>Nothing noted yet.</Trans>
      </p>
    )
  return (
    <>
      <ol className={style['log']} aria-label={t`Log`}>
        {lines.data.pages.flat().map(line => {
          const name = line.user?.name || t`Somebody`
          return (
            <li key={line.id}>
              <Avatar id={line.user?.id ?? ''} name={name} image={line.user?.avatar} size={24} />
              <span className={style['grow']}>
                <strong>{name}</strong> {words(line)}
                {line.address === '' ? null : <small> · {line.address}</small>}
              </span>
              <When at={line.at} />
            </li>
          )
        })}
      </ol>
      {lines.hasNextPage ? (
        <Button loading={lines.isFetchingNextPage} onClick={() => void lines.fetchNextPage()}>
          <Trans>Older</Trans>
        </Button>
      ) : null}
    </>
  )
}

/** A line of the log as a sentence with its author as the subject. */
function useDeedWords(names: ReadonlyMap<string, string>): (line: LogLine) => string {
  const { t } = useLingui()
  const say = useWords()
  return ({ action, detail, fileId }) => {
    const file = names.get(fileId ?? '') ?? detail['name'] ?? t`a file`
    const who = names.get(detail['with'] ?? detail['of'] ?? detail['member'] ?? detail['to'] ?? '') ?? t`somebody`
    const found = roles.find(one => one === detail['role'])
    const role = found === undefined ? '' : say(roleLabels[found])
    const count = detail['count'] ?? detail['files'] ?? ''
    const name = detail['name'] ?? ''
    const by = detail['by'] ?? ''
    const host = detail['host'] ?? ''
    const fileNamed = names.get(fileId ?? '') ?? t`a file`
    const deeds: Record<string, string> = {
      'access-refused': t`was refused something they may not do`,
      registered: t`registered`,
      login: t`signed in`,
      'login-failed': t`failed to sign in`,
      'login-recovery': t`signed in with a recovery code`,
      'second-factor-failed': t`gave the password and a wrong second code`,
      'second-factor-on': t`switched two-step verification on`,
      'second-factor-off': t`switched two-step verification off`,
      'recovery-codes-made': t`made new recovery codes`,
      'password-reset': t`reset the password`,
      'password-changed': t`changed the password`,
      'session-ended': t`signed out another place`,
      'other-sessions-ended': t`signed out everywhere else`,
      'data-exported': t`downloaded their data`,
      'copilot-provider-added': name === '' ? t`connected a language model` : t`connected the language model “${name}” (${host})`,
      'copilot-provider-changed': name === '' ? t`changed a language model` : t`changed the language model “${name}” (${host})`,
      'copilot-provider-removed': name === '' ? t`disconnected a language model` : t`disconnected the language model “${name}” (${host})`,
      'copilot-money-limited': t`limited what language models may cost`,
      'proposal-offered': t`had “${by}” propose “${name}” for “${fileNamed}”`,
      'proposal-accepted': t`accepted “${name}” by “${by}” in “${fileNamed}”`,
      'token-made': name === '' ? t`made a token for programs` : t`made the token “${name}” for programs`,
      'token-revoked': t`revoked a token for programs`,
      'workspace-created': t`created “${name}”`,
      'workspace-deleted': t`deleted “${name}”`,
      'switches-changed': t`changed what may leave the workspace`,
      'type-changed': detail['type'] === 'team' ? t`made it a team` : t`made it an organization`,
      left: t`left`,
      'ownership-transferred': t`made ${who} the owner`,
      'trash-emptied': t`emptied the trash (${count})`,
      'role-changed': t`changed the role of ${who} to ${role}`,
      'member-removed': t`removed ${who}`,
      invited: t`invited ${count} people as ${role}`,
      'join-link-opened': t`opened the link to ask to join`,
      'join-link-closed': t`closed the link to ask to join`,
      'request-approved': t`let somebody in`,
      'request-rejected': t`turned somebody down`,
      'invitation-joined': t`accepted an invitation`,
      'invitation-rejected': t`rejected an invitation`,
      'file-trashed': t`moved “${file}” to the trash`,
      'file-deleted': t`deleted “${file}” for ever`,
      'file-moved': t`moved “${file}” between workspaces`,
      'file-shared': t`shared “${file}” with ${who}: ${role}`,
      'file-unshared': t`stopped sharing “${file}” with ${who}`,
      'file-role-changed': t`changed the role of ${who} on “${file}” to ${role}`,
      'link-created': t`made a link to “${file}”: ${role}`,
      'link-revoked': t`closed a link to “${file}”`,
      'link-reopened': t`opened a closed link to “${file}” again`,
      'embed-created': t`made an embed code for “${file}”`,
      'embed-changed': t`changed an embed code of “${file}”`,
      'embed-closed': t`closed an embed code of “${file}”`,
      unlocked: detail['item'] === 'goldKey' ? t`unlocked editing for a year with a gold key` : t`unlocked editing for 30 days with a key`,
      'subscription-asked': t`asked to change the subscription`,
      'coins-given': t`gave coins or items as an operator`,
    }
    return deeds[action] ?? action
  }
}
