// The people of a team or organization: members and roles, invitations, requests to join, people from outside.
import { CheckOutlined, CloseOutlined, CopyOutlined, SafetyCertificateOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Alert, Button, Form, Input, Select, Skeleton, Switch } from 'antd'
import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { can, roleLabels, roles } from '../../../model-schema/roles.ts'
import { useIdentity } from '../../account/identity.ts'
import { api } from '../../api.ts'
import type { MemberGrant } from '../../api.ts'
import { useWords } from '../../i18n/locale.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { wordsOfError } from '../../ui/notices.ts'
import { complain, confirmed, say } from '../../ui/toast.ts'
import { importedPart } from '../../ui/loading/updates.ts'
import { useOutcomeWords } from './outcomes.ts'
import { useSpaces } from './spaces.ts'
import type { WorkspaceEntry } from './spaces.ts'
import style from '../workspace.module.css'

const SpacePermissions = importedPart(
  () => import('./Permissions.tsx'),
  module => module.SpacePermissions,
)

export function Members() {
  const { t } = useLingui()
  const { teamCode } = useParams({ from: '/private/workspace/$teamCode/member' })
  const spaces = useSpaces()
  const space = spaces.data?.find(one => one.id === teamCode)
  if (spaces.isPending) return <Skeleton active />
  if (space === undefined) return <EmptyState title={t`No such workspace`} text={t`It was deleted, or you are not in it.`} />
  return <MembersOf key={space.id} space={space} />
}

function useGrants() {
  const words = useWords()
  return (['manager', 'editor', 'viewer'] as const).map(value => ({ value, label: words(roleLabels[value]) }))
}

function MembersOf({ space }: { space: WorkspaceEntry }) {
  const { t } = useLingui()
  const words = useWords()
  const grants = useGrants()
  const { me } = useIdentity()
  const queries = useQueryClient()
  const people = useQuery({ queryKey: ['members', space.id], queryFn: () => api.members(space.id), refetchInterval: 30_000 })
  const [explained, setExplained] = useState<{ id: string; name: string } | null>(null)
  const actor = { role: space.role }
  const manages = can(actor, 'invite', { space: space.type })
  const act = (work: Promise<void>, done?: string): void =>
    void work
      .then(async () => {
        if (done !== undefined) say(done)
        await queries.invalidateQueries({ queryKey: ['members', space.id] })
        await queries.invalidateQueries({ queryKey: ['spaces'] })
      })
      .catch(complain)
  const remove = async (member: { id: string; name: string }): Promise<void> => {
    const sure = await confirmed({
      title: t`Remove ${member.name}?`,
      content: t`They lose access to everything in this workspace at once. Their files stay.`,
      ok: t`Remove`,
      cancel: t`Cancel`,
    })
    if (sure) act(api.removeMember(space.id, member.id))
  }
  return (
    <div className={style['narrow']}>
      <div className={style['toolbar']}>
        <h1>
          <Trans>Members</Trans>
        </h1>
      </div>
      {manages ? <Invite space={space} done={() => act(Promise.resolve())} /> : null}
      {people.isPending ? <Skeleton active title={false} /> : null}
      {people.error === null ? null : <Alert type="error" showIcon title={wordsOfError(people.error)} />}
      {people.data === undefined ? null : (
        <>
          <Group title={t`Waiting for your answer`} count={people.data.requests.length}>
            {people.data.requests.map(({ id, user }) => (
              <Row key={id} id={user.id} name={user.name} mail={user.email} image={user.avatar}>
                <Answer
                  name={user.name}
                  answer={(accept, role) =>
                    act(api.answerRequest(space.id, id, accept, role), accept ? t`${user.name} is a member now.` : undefined)
                  }
                />
              </Row>
            ))}
          </Group>
          <Group title={t`Members`} count={people.data.members.length}>
            {people.data.members.map(member => (
              <Row
                key={member.id}
                id={member.id}
                name={member.id === me?.id ? t`${member.name} (you)` : member.name}
                mail={member.email}
                image={member.avatar}
              >
                {manages && member.role !== 'owner' && member.id !== me?.id ? (
                  <>
                    <Select<MemberGrant>
                      value={member.role}
                      options={grants}
                      aria-label={t`Role of ${member.name}`}
                      popupMatchSelectWidth={false}
                      onChange={role => act(api.setMemberRole(space.id, member.id, role))}
                    />
                    <Button
                      type="text"
                      icon={<CloseOutlined aria-hidden />}
                      aria-label={t`Remove ${member.name}`}
                      onClick={() => void remove(member).catch(complain)}
                    />
                  </>
                ) : (
                  <span className={style['muted']}>{words(roleLabels[member.role])}</span>
                )}
                <Button
                  type="text"
                  icon={<SafetyCertificateOutlined aria-hidden />}
                  aria-label={t`What ${member.name} may do`}
                  title={t`What ${member.name} may do`}
                  onClick={() => setExplained(member)}
                />
              </Row>
            ))}
          </Group>
          <Group title={t`Invited`} count={people.data.invitations.length}>
            {people.data.invitations.map(invitation => (
              <Row key={invitation.id} id={invitation.id} name={invitation.email} mail={words(roleLabels[invitation.role])}>
                <Button onClick={() => act(api.revokeInvitation(space.id, invitation.id))}>
                  <Trans>Take back</Trans>
                </Button>
              </Row>
            ))}
          </Group>
          <Group title={t`From outside, for single files`} count={people.data.outsiders.length}>
            {people.data.outsiders.map(outsider => (
              <Row
                key={`${outsider.id}/${outsider.file.id}`}
                id={outsider.id}
                name={outsider.name}
                mail={outsider.email}
                image={outsider.avatar}
              >
                <span className={style['muted']}>
                  {outsider.file.name} · {words(roleLabels[roles.find(role => role === outsider.role) ?? 'viewer'])}
                </span>
                <Button
                  type="text"
                  icon={<CloseOutlined aria-hidden />}
                  aria-label={t`Stop sharing “${outsider.file.name}” with ${outsider.name}`}
                  onClick={() => act(api.removePerson(outsider.file.id, outsider.id))}
                />
              </Row>
            ))}
          </Group>
        </>
      )}
      <Suspense>
        {explained === null ? null : (
          <SpacePermissions space={space} member={explained.id === me?.id ? null : explained} close={() => setExplained(null)} />
        )}
      </Suspense>
    </div>
  )
}

/** A request to join: let in with a role, or turned down. */
function Answer({ name, answer }: { name: string; answer: (accept: boolean, role: MemberGrant) => void }) {
  const { t } = useLingui()
  const grants = useGrants()
  const [role, setRole] = useState<MemberGrant>('viewer')
  return (
    <>
      <Select value={role} options={grants} onChange={setRole} aria-label={t`Role for ${name}`} popupMatchSelectWidth={false} />
      <Button type="primary" icon={<CheckOutlined aria-hidden />} onClick={() => answer(true, role)}>
        <Trans>Let in</Trans>
      </Button>
      <Button icon={<CloseOutlined aria-hidden />} aria-label={t`Turn ${name} down`} onClick={() => answer(false, role)} />
    </>
  )
}

function Group({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  if (count === 0) return null
  return (
    <section className={style['group']}>
      <h2>
        {title} <span className="h-num">{count}</span>
      </h2>
      <ul>{children}</ul>
    </section>
  )
}

type RowProps = { id: string; name: string; mail: string; image?: string | null; children: ReactNode }

function Row({ id, name, mail, image, children }: RowProps) {
  return (
    <li className={style['personRow']}>
      <Avatar id={id} name={name} image={image} />
      <span className={style['personName']}>
        {name}
        <small>{mail}</small>
      </span>
      {children}
    </li>
  )
}

type Fields = { emails?: string; role: MemberGrant }

function Invite({ space, done }: { space: WorkspaceEntry; done: () => void }) {
  const { t } = useLingui()
  const grants = useGrants()
  const queries = useQueryClient()
  const [form] = Form.useForm<Fields>()
  const outcomeWords = useOutcomeWords()
  const [outcomes, setOutcomes] = useState<string[]>([])
  const link = useQuery({ queryKey: ['join-link', space.id], queryFn: () => api.joinLink(space.id) })
  const url = link.data == null ? null : `${location.origin}/team_invite/${link.data}`
  const invite = useMutation({
    mutationFn: ({ emails = '', role }: Fields) => api.inviteMembers(space.id, emails, role),
    onSuccess(results) {
      setOutcomes(results.map(({ email, outcome }) => `${email}: ${outcomeWords(outcome)}`))
      form.resetFields(['emails'])
      done()
    },
  })
  const toggle = (open: boolean): void =>
    void api
      .openJoinLink(space.id, open)
      .then(() => queries.invalidateQueries({ queryKey: ['join-link', space.id] }))
      .catch(complain)
  return (
    <>
      <Form form={form} className={style['invite']} initialValues={{ role: 'editor' }} onFinish={(fields: Fields) => invite.mutate(fields)}>
        <Form.Item name="emails" className={style['grow'] ?? ''}>
          <Input placeholder={t`Email addresses, separated by commas`} aria-label={t`Email addresses, separated by commas`} />
        </Form.Item>
        <Form.Item name="role">
          <Select options={grants} aria-label={t`Role`} popupMatchSelectWidth={false} />
        </Form.Item>
        <Button type="primary" htmlType="submit" loading={invite.isPending}>
          <Trans>Invite</Trans>
        </Button>
      </Form>
      {invite.error === null ? null : <Alert type="error" showIcon title={wordsOfError(invite.error)} className={style['banner'] ?? ''} />}
      {outcomes.length === 0 || invite.error !== null ? null : (
        <Alert type="info" className={style['banner'] ?? ''} closable title={outcomes.join(' · ')} />
      )}
      <div className={style['setting']}>
        <span>
          <Trans>A link by which anybody may ask to join; you let them in.</Trans>
        </span>
        {url === null ? null : (
          <Button
            icon={<CopyOutlined aria-hidden />}
            onClick={() => void navigator.clipboard.writeText(url).then(() => say(t`The link is copied.`), complain)}
          >
            <Trans>Copy the link</Trans>
          </Button>
        )}
        <Switch checked={url !== null} loading={link.isPending} onChange={toggle} aria-label={t`Link to ask to join`} />
      </div>
    </>
  )
}
