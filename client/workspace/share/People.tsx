// The people with access to a file: members of the workspace, and people added or invited from outside, each with a role.
import { DeleteOutlined, UserAddOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Form, Input, Select, Tooltip } from 'antd'
import { useState } from 'react'
import { INVITATION_ADDRESSES } from '../../../model-schema/business/limits.ts'
import { api } from '../../api.ts'
import type { Grant } from '../../api.ts'
import type { Someone } from '../../local/device.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { wordsOfError } from '../../ui/notices.ts'
import { complain, say } from '../../ui/toast.ts'
import { addressesOf } from '../team/addresses.ts'
import { useOutcomeWords } from '../team/outcomes.ts'
import type { WorkspaceEntry } from '../team/spaces.ts'
import style from '../workspace.module.css'
import { Restrictions } from './Restrictions.tsx'

const grants: readonly Grant[] = ['manager', 'editor', 'commenter', 'viewer']

export function useRoleNames(): Record<Grant, string> {
  const { t } = useLingui()
  return { manager: t`Can manage`, editor: t`Can edit`, commenter: t`Can comment`, viewer: t`Can view` }
}

type Props = { file: { id: string; owner: Someone }; space: WorkspaceEntry | undefined }

export function People({ file, space }: Props) {
  const { t } = useLingui()
  const names = useRoleNames()
  const queries = useQueryClient()
  const people = useQuery({ queryKey: ['people', file.id], queryFn: () => api.people(file.id) })
  const changed = (): Promise<void> => queries.invalidateQueries({ queryKey: ['people', file.id] })
  const act = (work: Promise<void>): void => void work.catch(complain).finally(() => void changed())
  return (
    <section aria-label={t`People`}>
      <Invite id={file.id} />
      {people.error === null ? null : <Alert type="error" title={wordsOfError(people.error)} />}
      <ul className={style['people']}>
        <li>
          <Avatar id={file.owner.id} name={file.owner.name} image={file.owner.avatar} />
          <span className={style['grow']}>{file.owner.name}</span>
          <span className={style['quiet']}>
            <Trans>Owner</Trans>
          </span>
        </li>
        {space === undefined || space.type === 'personal' || space.members < 2 ? null : (
          <li>
            <Avatar id={space.id} name={space.name} image={space.icon} space />
            <span className={style['grow']}>
              {space.name}
              <small>
                <Trans>All {space.members} members, each by their role in the workspace</Trans>
              </small>
            </span>
          </li>
        )}
        {(people.data?.people ?? []).map(person => (
          <li key={person.id}>
            <Avatar id={person.id} name={person.name} image={person.avatar} />
            <span className={style['grow']}>
              {person.name}
              <small>{person.email}</small>
            </span>
            <Select
              variant="borderless"
              size="small"
              value={person.role}
              popupMatchSelectWidth={false}
              aria-label={t`Role of ${person.name}`}
              options={grants.map(value => ({ value, label: names[value] }))}
              onChange={role => act(api.setRole(file.id, person.id, role))}
            />
            <Tooltip title={t`Stop sharing with ${person.name}`}>
              <Button
                type="text"
                size="small"
                icon={<DeleteOutlined aria-hidden />}
                aria-label={t`Stop sharing with ${person.name}`}
                onClick={() => act(api.removePerson(file.id, person.id))}
              />
            </Tooltip>
          </li>
        ))}
        {(people.data?.pending ?? []).map(({ id, email, role }) => (
          <li key={id}>
            <Avatar id={id} name={email} />
            <span className={style['grow']}>
              {email}
              <small>
                <Trans>Invited, no answer yet</Trans> · {names[role]}
              </small>
            </span>
            <Tooltip title={t`Take the invitation back`}>
              <Button
                type="text"
                size="small"
                icon={<DeleteOutlined aria-hidden />}
                aria-label={t`Take the invitation of ${email} back`}
                onClick={() => act(api.revokeFileInvitation(file.id, id))}
              />
            </Tooltip>
          </li>
        ))}
      </ul>
      <Restrictions id={file.id} />
    </section>
  )
}

type Fields = { emails: string; role: Grant; how: 'at-once' | 'ask' }

function Invite({ id }: { id: string }) {
  const { t } = useLingui()
  const names = useRoleNames()
  const outcome = useOutcomeWords()
  const queries = useQueryClient()
  const [form] = Form.useForm<Fields>()
  const [refused, setRefused] = useState<string[]>([])
  const invite = useMutation({
    /** What could not be done, a line for each address. */
    async mutationFn({ emails, role, how }: Fields): Promise<string[]> {
      if (how === 'ask')
        return (await api.invite(id, emails, role))
          .filter(result => result.outcome !== 'invited')
          .map(result => `${result.email}: ${outcome(result.outcome)}`)
      const failed: string[] = []
      for (const email of addressesOf(emails).good) {
        try {
          await api.share(id, email, role)
        } catch (error) {
          failed.push(`${email}: ${wordsOfError(error)}`)
        }
      }
      return failed
    },
    async onSuccess(failed, { emails, how }) {
      setRefused(failed)
      if (addressesOf(emails).good.length > failed.length) {
        say(how === 'ask' ? t`The invitations are sent.` : t`The file is shared.`)
        form.resetFields(['emails'])
      }
      await queries.invalidateQueries({ queryKey: ['people', id] })
    },
    onError: error => setRefused([wordsOfError(error)]),
  })
  return (
    <Form
      form={form}
      className={style['invite']}
      initialValues={{ role: 'editor', how: 'at-once' }}
      onFinish={(fields: Fields) => invite.mutate(fields)}
    >
      <Form.Item
        name="emails"
        className={style['wholeRow'] ?? ''}
        validateTrigger="onSubmit"
        rules={[
          { required: true, whitespace: true, message: t`Enter one or more email addresses.` },
          {
            validator(_rule, value) {
              const { good, bad } = addressesOf(typeof value === 'string' ? value : '')
              const first = bad[0]
              if (first !== undefined) return Promise.reject(new Error(t`“${first}” is not a valid email.`))
              return good.length > INVITATION_ADDRESSES
                ? Promise.reject(new Error(t`At most ${INVITATION_ADDRESSES} addresses at once.`))
                : Promise.resolve()
            },
          },
        ]}
        extra={
          refused.length === 0 ? undefined : (
            <Alert
              type="error"
              title={refused.map(line => (
                <div key={line}>{line}</div>
              ))}
              style={{ marginBlockStart: 8 }}
            />
          )
        }
      >
        <Input
          prefix={<UserAddOutlined aria-hidden />}
          placeholder={t`Email addresses, separated by commas`}
          aria-label={t`Email addresses, separated by commas`}
          autoFocus
        />
      </Form.Item>
      <Form.Item name="role">
        <Select popupMatchSelectWidth={false} aria-label={t`Role`} options={grants.map(value => ({ value, label: names[value] }))} />
      </Form.Item>
      <Form.Item name="how" className={style['grow'] ?? ''}>
        <Select
          aria-label={t`Invitation`}
          options={[
            { value: 'at-once', label: t`Access immediately` },
            { value: 'ask', label: t`Ask by email` },
          ]}
        />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={invite.isPending}>
        <Trans>Invite</Trans>
      </Button>
    </Form>
  )
}
