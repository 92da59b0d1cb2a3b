import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Form, Input } from 'antd'
import { useEffect, useState } from 'react'
import { ApiError } from '../api.ts'
import { wordsOfFailure } from '../ui/notices.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { signInWith } from './identity.ts'
import { codeRules } from './rules.ts'
import style from './account.module.css'

/** After the password: a code of the authenticator app, or one of the recovery codes. */
export function SecondStep({ done, back }: { done: () => void; back: () => void }) {
  const { t } = useLingui()
  const [lost, setLost] = useState(false)
  const [form] = Form.useForm<{ code: string }>()
  const enter = useMutation({
    mutationFn: (code: string) => signInWith(lost ? { recovery: code.trim() } : { code: code.trim() }),
    onSuccess: done,
    onError: () => form.setFieldValue('code', ''),
  })
  const { isError } = enter
  // The field was disabled while the code was on its way, which takes the focus from it.
  useEffect(() => {
    if (isError) form.focusField('code')
  }, [form, isError])
  const expired = enter.error instanceof ApiError && enter.error.code === 'second-factor-expired'
  return (
    <AccountFrame
      title={t`Two-step verification`}
      lead={lost ? t`Enter one of the recovery codes you kept. Each works once.` : t`Enter the code that your authenticator app shows now.`}
    >
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        onFinish={({ code }: { code: string }) => enter.mutate(code)}
        disabled={enter.isPending}
      >
        {enter.error === null ? null : (
          <Form.Item>
            <Alert
              type="error"
              showIcon
              title={wordsOfFailure(enter.error, t`Login exception; try again later.`)}
              action={
                expired ? (
                  <Button size="small" onClick={back}>
                    <Trans>Sign in again</Trans>
                  </Button>
                ) : undefined
              }
            />
          </Form.Item>
        )}
        {lost ? (
          <Form.Item
            key="recovery"
            name="code"
            label={t`Recovery code`}
            rules={[{ required: true, whitespace: true, message: t`Enter a recovery code.` }]}
          >
            <Input autoComplete="off" spellCheck={false} autoCapitalize="none" autoFocus size="large" className={style['code']} dir="ltr" />
          </Form.Item>
        ) : (
          <Form.Item key="code" name="code" label={t`Six-digit code`} rules={codeRules()} validateTrigger="onSubmit">
            <Input
              autoComplete="one-time-code"
              inputMode="numeric"
              maxLength={7}
              autoFocus
              size="large"
              className={style['code']}
              dir="ltr"
            />
          </Form.Item>
        )}
        <Button type="primary" htmlType="submit" size="large" block loading={enter.isPending}>
          <Trans>Sign in</Trans>
        </Button>
      </Form>
      <p className={style['links']} style={{ marginBlockStart: 12 }}>
        <Button
          type="link"
          style={{ padding: 0 }}
          onClick={() => {
            enter.reset()
            form.resetFields()
            setLost(!lost)
          }}
        >
          {lost ? <Trans>Use the authenticator app</Trans> : <Trans>Use a recovery code</Trans>}
        </Button>
        <Button type="link" style={{ padding: 0 }} onClick={back}>
          <Trans>Back to sign in</Trans>
        </Button>
      </p>
    </AccountFrame>
  )
}
