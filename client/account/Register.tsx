import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Alert, Button, Checkbox, Form, Input } from 'antd'
import { ApiError, api } from '../api.ts'
import { locale } from '../i18n/locale.ts'
import { wordsOfFailure } from '../ui/notices.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { PasswordAgain } from './PasswordAgain.tsx'
import { emailRules, passwordRules } from './rules.ts'
import style from './account.module.css'

type Fields = { name: string; email: string; password: string; again: string; invitation: string; accepted: boolean }

/** A new account, by invitation. */
export function Register() {
  const { t } = useLingui()
  const { to, invitation } = useSearch({ from: '/register' })
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: ({ name, email, password, invitation }: Fields) =>
      api.register({ name: name.trim(), email: email.trim(), password, invitation: invitation.trim(), locale: locale.getState().locale }),
    onSuccess: (_done, { email }) => navigate({ to: '/activate_account', search: { email: email.trim() } }),
  })
  const waiting = create.error instanceof ApiError && create.error.code === 'registered-not-activated'
  return (
    <AccountFrame title={t`Create an account`} lead={t`You need an invitation code. A code to activate the account comes by mail.`}>
      <Form
        layout="vertical"
        requiredMark={false}
        initialValues={{ invitation }}
        onFinish={(fields: Fields) => create.mutate(fields)}
        disabled={create.isPending}
        scrollToFirstError
      >
        {create.error === null ? null : (
          <Form.Item>
            <Alert
              type="error"
              showIcon
              title={wordsOfFailure(create.error, t`Register exception; try again later.`)}
              action={
                waiting ? (
                  <Link to="/activate_account" search={{ email: create.variables?.email ?? '' }}>
                    <Trans>Activate</Trans>
                  </Link>
                ) : undefined
              }
            />
          </Form.Item>
        )}
        <Form.Item name="name" label={t`Nickname`} rules={[{ required: true, whitespace: true, message: t`Enter a name.` }, { max: 128 }]}>
          <Input autoComplete="nickname" autoFocus />
        </Form.Item>
        <Form.Item name="email" label={t`Email`} rules={emailRules()} validateTrigger="onBlur">
          <Input type="email" autoComplete="username" />
        </Form.Item>
        <Form.Item name="password" label={t`Password`} rules={passwordRules()} validateTrigger="onBlur">
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <PasswordAgain of="password" />
        <Form.Item
          name="invitation"
          label={t`Invitation code`}
          rules={[{ required: true, whitespace: true, message: t`Enter the invitation code.` }]}
        >
          <Input autoComplete="off" spellCheck={false} />
        </Form.Item>
        <Form.Item
          name="accepted"
          valuePropName="checked"
          rules={[
            {
              validator: (_rule, value) =>
                value === true ? Promise.resolve() : Promise.reject(new Error(t`Please read and accept the disclaimer.`)),
            },
          ]}
        >
          <Checkbox>
            <Trans>
              I have read and accept the{' '}
              <Link to="/legal/disclaimer" target="_blank">
                disclaimer
              </Link>
            </Trans>
          </Checkbox>
        </Form.Item>
        <Button type="primary" htmlType="submit" size="large" block loading={create.isPending}>
          <Trans>Create account</Trans>
        </Button>
      </Form>
      <p className={style['links']} style={{ marginBlockStart: 12 }}>
        <Link to="/login" search={to === undefined ? {} : { to }}>
          <Trans>I have an account</Trans>
        </Link>
      </p>
    </AccountFrame>
  )
}
