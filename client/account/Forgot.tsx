import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Alert, Button, Form, Input } from 'antd'
import { useState } from 'react'
import { api } from '../api.ts'
import { say } from '../ui/toast.ts'
import { wordsOfFailure } from '../ui/notices.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { PasswordAgain } from './PasswordAgain.tsx'
import { emailRules, passwordRules } from './rules.ts'
import style from './account.module.css'

type Fields = { email: string; code: string; password: string; again: string }

/** A new password by a code sent to the mailbox. */
export function Forgot() {
  const { t } = useLingui()
  const navigate = useNavigate()
  const [form] = Form.useForm<Fields>()
  const [sent, setSent] = useState(false)
  const ask = useMutation({
    mutationFn: (email: string) => api.askReset(email),
    onSuccess: () => {
      setSent(true)
      say(t`If this address has an account, a code is on its way.`)
    },
  })
  const reset = useMutation({
    mutationFn: ({ email, code, password }: Fields) => api.reset(email.trim(), code.trim(), password),
    onSuccess: () => {
      say(t`Your password has been changed.`)
      return navigate({ to: '/login' })
    },
  })
  const send = async (): Promise<void> => {
    const { email } = await form.validateFields(['email'])
    ask.mutate(email.trim())
  }
  const error = reset.error ?? ask.error
  return (
    <AccountFrame title={t`Reset your password`} lead={t`We send a verification code to your mailbox.`}>
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        onFinish={(fields: Fields) => (sent ? reset.mutate(fields) : void send())}
        disabled={reset.isPending}
      >
        {error === null ? null : (
          <Form.Item>
            <Alert
              type="error"
              showIcon
              title={wordsOfFailure(
                error,
                reset.error === null ? t`Get verification code exception; try again later.` : t`Reset password exception; try again later.`,
              )}
            />
          </Form.Item>
        )}
        <Form.Item name="email" label={t`Email`} rules={emailRules()} validateTrigger="onBlur">
          <Input type="email" autoComplete="username" autoFocus size="large" />
        </Form.Item>
        {sent ? (
          <>
            <Form.Item
              name="code"
              label={t`Verification code`}
              rules={[{ required: true, whitespace: true, message: t`Enter the verification code.` }]}
            >
              <Input autoComplete="one-time-code" spellCheck={false} autoFocus />
            </Form.Item>
            <Form.Item name="password" label={t`New password`} rules={passwordRules()} validateTrigger="onBlur">
              <Input.Password autoComplete="new-password" />
            </Form.Item>
            <PasswordAgain of="password" />
          </>
        ) : null}
        <Button type="primary" htmlType="submit" size="large" block loading={ask.isPending || reset.isPending}>
          {sent ? <Trans>Change password</Trans> : <Trans>Send the code</Trans>}
        </Button>
      </Form>
      <p className={style['links']} style={{ marginBlockStart: 12 }}>
        {sent ? (
          <Button type="link" style={{ padding: 0 }} loading={ask.isPending} onClick={() => void send().catch(() => undefined)}>
            <Trans>Send a new code</Trans>
          </Button>
        ) : null}
        <Link to="/login" style={{ alignSelf: 'center' }}>
          <Trans>Back to sign in</Trans>
        </Link>
      </p>
    </AccountFrame>
  )
}
