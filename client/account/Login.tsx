import { LaptopOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Alert, Button, Form, Input } from 'antd'
import { useState } from 'react'
import { ApiError, api } from '../api.ts'
import { wordsOfFailure } from '../ui/notices.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { SecondStep } from './SecondStep.tsx'
import { continueOnDevice, signIn } from './identity.ts'
import { emailRules } from './rules.ts'
import style from './account.module.css'

type Fields = { email: string; password: string }

/** Sign in with an account, or go on without one. */
export function Login() {
  const { t } = useLingui()
  const { to } = useSearch({ from: '/login' })
  const navigate = useNavigate()
  const [form] = Form.useForm<Fields>()
  const [halfway, setHalfway] = useState(false)
  const goOn = (): void => void navigate({ to: to ?? '/workspace/recent' })
  const hints = useQuery({ queryKey: ['hints'], queryFn: () => api.hints(), staleTime: Infinity, retry: false })
  const enter = useMutation({
    mutationFn: ({ email, password }: Fields) => signIn(email.trim(), password),
    onSuccess: isIn => (isIn ? goOn() : setHalfway(true)),
  })
  const inactive =
    enter.error instanceof ApiError && (enter.error.code === 'not-activated' || enter.error.code === 'registered-not-activated')
  const demo = hints.data?.demo ?? null
  if (halfway) return <SecondStep done={goOn} back={() => setHalfway(false)} />
  return (
    <AccountFrame title={t`Sign in`} lead={t`Build, run and share simulation models together.`}>
      {demo === null ? null : (
        <div className={style['hint']}>
          <span>
            <Trans>
              Demo account: <code>{demo.email}</code>
            </Trans>
          </span>
          <Button size="small" onClick={() => enter.mutate(demo)}>
            <Trans>Use it</Trans>
          </Button>
          <Button size="small" onClick={() => enter.mutate({ email: demo.freeEmail, password: demo.password })}>
            <Trans>The one on the Free plan</Trans>
          </Button>
        </div>
      )}
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        onFinish={(fields: Fields) => enter.mutate(fields)}
        disabled={enter.isPending}
      >
        {enter.error === null ? null : (
          <Form.Item>
            <Alert
              type="error"
              showIcon
              title={wordsOfFailure(enter.error, t`Login exception; try again later.`)}
              action={
                inactive ? (
                  <Link to="/activate_account" search={{ email: form.getFieldValue('email') }}>
                    <Trans>Activate</Trans>
                  </Link>
                ) : undefined
              }
            />
          </Form.Item>
        )}
        <Form.Item name="email" label={t`Email`} rules={emailRules()} validateTrigger="onBlur">
          <Input type="email" autoComplete="username" autoFocus size="large" />
        </Form.Item>
        <Form.Item name="password" label={t`Password`} rules={[{ required: true, message: t`Enter a password.` }]}>
          <Input.Password autoComplete="current-password" size="large" />
        </Form.Item>
        <Button type="primary" htmlType="submit" size="large" block loading={enter.isPending}>
          <Trans>Sign in</Trans>
        </Button>
      </Form>
      <p className={style['links']} style={{ marginBlockStart: 12 }}>
        <Link to="/register" search={to === undefined ? {} : { to }}>
          <Trans>Create an account</Trans>
        </Link>
        <Link to="/forgotpassword">
          <Trans>Forgot password?</Trans>
        </Link>
      </p>
      <div className={style['or']}>
        <Trans>or without an account</Trans>
      </div>
      <Button
        size="large"
        block
        icon={<LaptopOutlined aria-hidden />}
        onClick={() => {
          continueOnDevice()
          // A page of another user's account can't be shown here.
          void navigate({ to: to !== undefined && /^\/(modeling\/device|workspace\/device|share)\//.test(to) ? to : '/workspace/recent' })
        }}
      >
        <Trans>Continue on this device</Trans>
      </Button>
      <p className={style['note']}>
        <Trans>A workspace that lives in this browser alone and needs no server. You can bring its files into an account later.</Trans>
      </p>
    </AccountFrame>
  )
}
