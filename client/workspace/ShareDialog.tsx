// Who may open a file: people by mail with a role, and a link.
import { CopyOutlined, DeleteOutlined, LinkOutlined, UserAddOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Form, Input, Modal, Select, Space, Tooltip } from 'antd'
import { useState } from 'react'
import { INVITATION_ADDRESSES } from '../../model-schema/limits.ts'
import { api } from '../api.ts'
import type { Grant, LinkRole } from '../api.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { wordsOfError } from '../ui/notices.ts'
import { complain, say } from '../ui/toast.ts'
import { addressesOf } from './addresses.ts'
import style from './workspace.module.css'

type Props = { file: { id: string; name: string; owner: { id: string; name: string } }; close: () => void }

export function ShareDialog({ file, close }: Props) {
  const { t } = useLingui()
  return (
    <Modal open title={t`Share “${file.name}”`} onCancel={close} footer={null} width={520} destroyOnHidden>
      <Invite id={file.id} />
      <People file={file} />
      <Links id={file.id} />
    </Modal>
  )
}

function useRoleNames(): Record<Grant, string> {
  const { t } = useLingui()
  return { manager: t`Can manage`, editor: t`Can edit`, commenter: t`Can comment`, viewer: t`Can view` }
}

function Invite({ id }: { id: string }) {
  const { t } = useLingui()
  const names = useRoleNames()
  const queries = useQueryClient()
  const [form] = Form.useForm<{ emails: string; role: Grant }>()
  const [refused, setRefused] = useState<string[]>([])
  const invite = useMutation({
    async mutationFn({ emails, role }: { emails: string; role: Grant }) {
      const failed: string[] = []
      for (const email of addressesOf(emails).good) {
        try {
          await api.invite(id, email, role)
        } catch (error) {
          failed.push(`${email}: ${wordsOfError(error)}`)
        }
      }
      return failed
    },
    async onSuccess(failed, { emails }) {
      setRefused(failed)
      const invited = addressesOf(emails).good.length - failed.length
      if (invited > 0) {
        say(t`The model is shared.`)
        form.resetFields(['emails'])
      }
      await queries.invalidateQueries({ queryKey: ['people', id] })
    },
  })
  return (
    <Form
      form={form}
      className={style['invite']}
      initialValues={{ role: 'editor' }}
      onFinish={(fields: { emails: string; role: Grant }) => invite.mutate(fields)}
    >
      <Form.Item
        name="emails"
        className={style['grow']}
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
      <Button type="primary" htmlType="submit" loading={invite.isPending}>
        <Trans>Invite</Trans>
      </Button>
    </Form>
  )
}

const grants: readonly Grant[] = ['manager', 'editor', 'commenter', 'viewer']

function People({ file }: { file: Props['file'] }) {
  const { t } = useLingui()
  const names = useRoleNames()
  const queries = useQueryClient()
  const people = useQuery({ queryKey: ['people', file.id], queryFn: () => api.people(file.id) })
  const changed = (): Promise<void> => queries.invalidateQueries({ queryKey: ['people', file.id] })
  const setRole = useMutation({
    mutationFn: ({ user, role }: { user: string; role: Grant }) => api.setRole(file.id, user, role),
    onSettled: changed,
    onError: complain,
  })
  const remove = useMutation({ mutationFn: (user: string) => api.removePerson(file.id, user), onSettled: changed, onError: complain })
  return (
    <section aria-label={t`People`}>
      {people.error === null ? null : <Alert type="error" title={wordsOfError(people.error)} />}
      <ul className={style['people']}>
        <li>
          <Avatar id={file.owner.id} name={file.owner.name} />
          <span className={style['grow']}>{file.owner.name}</span>
          <span className={style['quiet']}>
            <Trans>Owner</Trans>
          </span>
        </li>
        {(people.data ?? []).map(person => (
          <li key={person.id}>
            <Avatar id={person.id} name={person.name} />
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
              onChange={role => setRole.mutate({ user: person.id, role })}
            />
            <Tooltip title={t`Stop sharing with ${person.name}`}>
              <Button
                type="text"
                size="small"
                icon={<DeleteOutlined aria-hidden />}
                aria-label={t`Stop sharing with ${person.name}`}
                onClick={() => remove.mutate(person.id)}
              />
            </Tooltip>
          </li>
        ))}
      </ul>
    </section>
  )
}

const linkRoles: readonly LinkRole[] = ['viewer', 'commenter', 'editor']

function Links({ id }: { id: string }) {
  const { t } = useLingui()
  const names = useRoleNames()
  const queries = useQueryClient()
  const [role, setRole] = useState<LinkRole>('viewer')
  const links = useQuery({ queryKey: ['links', id], queryFn: () => api.links(id) })
  const changed = (): Promise<void> => queries.invalidateQueries({ queryKey: ['links', id] })
  const copy = async (code: string): Promise<void> => {
    await navigator.clipboard.writeText(addressOf(code))
    say(t`The link is in the clipboard.`)
  }
  const create = useMutation({
    mutationFn: () => api.createLink(id, role),
    // A browser may refuse the clipboard; the link is in the list all the same.
    onSuccess: link => copy(link.code).catch(() => undefined),
    onSettled: changed,
    onError: complain,
  })
  const closeLink = useMutation({ mutationFn: (code: string) => api.closeLink(id, code), onSettled: changed, onError: complain })
  return (
    <section className={style['links']} aria-labelledby="share-links">
      <h3 id="share-links">
        <LinkOutlined aria-hidden /> <Trans>Links</Trans>
      </h3>
      <p className={style['quiet']}>
        <Trans>Whoever has a link may open the model, until you close it. Editing by link needs an account.</Trans>
      </p>
      <ul className={style['people']}>
        {(links.data ?? []).map(link => (
          <li key={link.code}>
            <Input
              readOnly
              size="small"
              className={style['grow']}
              value={addressOf(link.code)}
              aria-label={t`Link`}
              onFocus={event => event.target.select()}
              data-testid="share-link"
            />
            <span className={style['quiet']}>{names[link.role]}</span>
            <Tooltip title={t`Copy`}>
              <Button
                type="text"
                size="small"
                icon={<CopyOutlined aria-hidden />}
                aria-label={t`Copy the link`}
                onClick={() => void copy(link.code).catch(complain)}
              />
            </Tooltip>
            <Tooltip title={t`Close this link`}>
              <Button
                type="text"
                size="small"
                icon={<DeleteOutlined aria-hidden />}
                aria-label={t`Close this link`}
                onClick={() => closeLink.mutate(link.code)}
              />
            </Tooltip>
          </li>
        ))}
      </ul>
      <Space.Compact>
        <Select
          value={role}
          onChange={setRole}
          popupMatchSelectWidth={false}
          aria-label={t`What the link allows`}
          options={linkRoles.map(value => ({ value, label: names[value] }))}
        />
        <Button onClick={() => create.mutate()} loading={create.isPending} data-testid="create-link">
          <Trans>Create link</Trans>
        </Button>
      </Space.Compact>
    </section>
  )
}

function addressOf(code: string): string {
  return `${location.origin}/share/model/${code}`
}
