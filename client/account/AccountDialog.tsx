// The user's account: name and picture, sessions, stored data, and deletion.
import { DownloadOutlined, UploadOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Form, Input, Modal } from 'antd'
import { api } from '../api.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { When } from '../ui/When.tsx'
import { wordsOfError } from '../ui/notices.ts'
import { complain, say } from '../ui/toast.ts'
import { PictureField } from '../workspace/picture/PictureField.tsx'
import style from '../workspace/workspace.module.css'
import { browserOf } from './browser.ts'
import { OwnLog } from './OwnLog.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { Usage } from './Usage.tsx'
import { forgetAccount, refreshIdentity, useIdentity } from './identity.ts'

export function AccountDialog({ close }: { close: () => void }) {
  const { t } = useLingui()
  const { me } = useIdentity()
  const queries = useQueryClient()
  if (me === null) return null
  const rename = (name: string): void =>
    void api
      .setName(name.trim())
      .then(refreshIdentity)
      .then(() => say(t`Your name is changed.`))
      .catch(complain)
  const picture = (work: Promise<void>, done: string): void =>
    void work
      .then(refreshIdentity)
      .then(() => queries.invalidateQueries({ queryKey: ['files'] }))
      .then(() => say(done))
      .catch(complain)
  return (
    <Modal open title={t`My account`} footer={null} onCancel={close} width={520}>
      <section className={style['group']}>
        <div className={style['row']}>
          <Avatar id={me.id} name={me.name} size={32} image={me.avatar} />
          <PictureField
            icon={<UploadOutlined aria-hidden />}
            label={t`Choose a picture`}
            chosen={image => picture(api.setAvatar(image), t`Your picture is changed.`)}
          />
          {me.avatar == null ? null : (
            <Button onClick={() => picture(api.removeAvatar(), t`Your picture is removed.`)}>
              <Trans>Remove the picture</Trans>
            </Button>
          )}
        </div>
        <Form
          layout="vertical"
          requiredMark={false}
          initialValues={{ name: me.name }}
          onFinish={({ name }: { name: string }) => rename(name)}
        >
          <Form.Item name="name" label={t`Name`} rules={[{ required: true, whitespace: true, message: t`Enter a name.` }]}>
            <Input maxLength={100} autoComplete="nickname" />
          </Form.Item>
          <Button type="primary" htmlType="submit">
            <Trans>Save</Trans>
          </Button>
        </Form>
      </section>
      <Usage />
      <SecondFactor />
      <Sessions />
      <OwnLog />
      <section className={style['group']}>
        <h2>
          <Trans>My data</Trans>
        </h2>
        <Button icon={<DownloadOutlined aria-hidden />} href="/api/accounts/export">
          <Trans>Download my data</Trans>
        </Button>
      </section>
      <DeleteAccount />
    </Modal>
  )
}

function Sessions() {
  const { t } = useLingui()
  const queries = useQueryClient()
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: api.sessions })
  const act = (work: Promise<void>): void => void work.then(() => queries.invalidateQueries({ queryKey: ['sessions'] })).catch(complain)
  const found = sessions.data ?? []
  return (
    <section className={style['group']}>
      <h2>
        <Trans>Signed in</Trans>
      </h2>
      <ul>
        {found.map(session => (
          <li key={session.id} className={style['personRow']}>
            <span className={style['personName']}>
              <span title={session.agent}>{browserOf(session.agent) ?? t`An unknown browser`}</span>
              <small>
                {session.current ? <Trans>This browser</Trans> : session.address} · <When at={session.seenAt} />
              </small>
            </span>
            {session.current ? null : (
              <Button size="small" onClick={() => act(api.endSession(session.id))}>
                <Trans>Sign out</Trans>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {found.length > 1 ? (
        <Button onClick={() => act(api.endOtherSessions())}>
          <Trans>Sign out everywhere else</Trans>
        </Button>
      ) : null}
    </section>
  )
}

function DeleteAccount() {
  const { t } = useLingui()
  const remove = useMutation({ mutationFn: (password: string) => api.deleteAccount(password), onSuccess: forgetAccount })
  return (
    <section className={style['group']}>
      <h2>
        <Trans>Delete the account</Trans>
      </h2>
      <p className={style['muted']}>
        <Trans>Your own workspace and its files are deleted for ever. What you made in teams stays with them.</Trans>
      </p>
      <Form name="delete-account" className={style['invite']} onFinish={({ password }: { password: string }) => remove.mutate(password)}>
        <Form.Item name="password" className={style['grow'] ?? ''} rules={[{ required: true, message: t`Enter the password.` }]}>
          <Input.Password autoComplete="current-password" placeholder={t`Password`} aria-label={t`Password`} />
        </Form.Item>
        <Button danger htmlType="submit" loading={remove.isPending}>
          <Trans>Delete for ever</Trans>
        </Button>
      </Form>
      {remove.error === null ? null : <Alert type="error" showIcon title={wordsOfError(remove.error)} />}
    </section>
  )
}
