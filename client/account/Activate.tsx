import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Alert, Button, Form, Input, Result } from 'antd'
import { useEffect, useRef } from 'react'
import { api } from '../api.ts'
import { say } from '../ui/toast.ts'
import { wordsOfError, wordsOfFailure } from '../ui/notices.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { refreshIdentity } from './identity.ts'
import { emailRules } from './rules.ts'
import style from './account.module.css'

/** Activation: by the link in the mail, or by typing its code. */
export function Activate() {
  const { code } = useParams({ strict: false })
  return code === undefined ? <ByHand /> : <ByLink code={code} />
}

function ByLink({ code }: { code: string }) {
  const { t } = useLingui()
  const activate = useMutation({ mutationFn: () => api.activate(code), onSuccess: refreshIdentity })
  const { mutate } = activate
  // Once: a code is good for one try, and React may run effects twice while developing.
  const tried = useRef(false)
  useEffect(() => {
    if (!tried.current) mutate()
    tried.current = true
  }, [mutate])
  return (
    <AccountFrame title={t`Activate your account`} lead={t`One moment, the code is being checked.`}>
      {activate.isSuccess ? (
        <Result
          status="success"
          title={t`Your account is active`}
          extra={
            <Link to="/login">
              <Button type="primary">
                <Trans>Sign in</Trans>
              </Button>
            </Link>
          }
        />
      ) : activate.error === null ? null : (
        <>
          <Alert type="error" showIcon title={wordsOfError(activate.error)} />
          <p className={style['links']} style={{ marginBlockStart: 12 }}>
            <Link to="/activate_account">
              <Trans>Enter another code</Trans>
            </Link>
            <Link to="/login">
              <Trans>Sign in</Trans>
            </Link>
          </p>
        </>
      )}
    </AccountFrame>
  )
}

type Fields = { email: string; code: string }

function ByHand() {
  const { t } = useLingui()
  const { email = '' } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [form] = Form.useForm<Fields>()
  const activate = useMutation({
    mutationFn: ({ email, code }: Fields) => api.activate(code.trim(), email.trim()),
    onSuccess: () => {
      say(t`Your account is active`)
      return navigate({ to: '/login' })
    },
  })
  const again = useMutation({ mutationFn: (to: string) => api.resendActivation(to), onSuccess: () => say(t`A new code is on its way.`) })
  const resend = async (): Promise<void> => {
    const { email } = await form.validateFields(['email'])
    again.mutate(email.trim())
  }
  const error = activate.error ?? again.error
  return (
    <AccountFrame title={t`Activate your account`} lead={t`We sent a code to your mailbox. Enter it here.`}>
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ email }}
        onFinish={(fields: Fields) => activate.mutate(fields)}
        disabled={activate.isPending}
      >
        {error === null ? null : (
          <Form.Item>
            <Alert
              type="error"
              showIcon
              title={
                activate.error === null ? wordsOfFailure(error, t`Get verification code exception; try again later.`) : wordsOfError(error)
              }
            />
          </Form.Item>
        )}
        <Form.Item name="email" label={t`Email`} rules={emailRules()} validateTrigger="onBlur">
          <Input type="email" autoComplete="username" />
        </Form.Item>
        <Form.Item
          name="code"
          label={t`Activation code`}
          rules={[{ required: true, whitespace: true, message: t`Enter the activation code.` }]}
        >
          <Input autoComplete="one-time-code" autoFocus spellCheck={false} />
        </Form.Item>
        <Button type="primary" htmlType="submit" size="large" block loading={activate.isPending}>
          <Trans>Activate</Trans>
        </Button>
      </Form>
      <p className={style['links']} style={{ marginBlockStart: 12 }}>
        <Button type="link" style={{ padding: 0 }} loading={again.isPending} onClick={() => void resend().catch(() => undefined)}>
          <Trans>Send a new code</Trans>
        </Button>
        <Link to="/login" style={{ alignSelf: 'center' }}>
          <Trans>Back to sign in</Trans>
        </Link>
      </p>
    </AccountFrame>
  )
}
