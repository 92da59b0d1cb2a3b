import { useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { Alert, Form, Input, Modal } from 'antd'
import { api } from '../api.ts'
import { wordsOfError } from '../ui/notices.ts'
import { say } from '../ui/toast.ts'
import { PasswordAgain } from './PasswordAgain.tsx'
import { passwordRules } from './rules.ts'

type Fields = { old: string; next: string; again: string }

/** Change the password; other places where the account is signed in are signed out by the server. */
export function PasswordDialog({ close }: { close: () => void }) {
  const { t } = useLingui()
  const change = useMutation({
    mutationFn: ({ old, next }: Fields) => api.changePassword(old, next),
    onSuccess: () => {
      say(t`Your password has been changed.`)
      close()
    },
  })
  return (
    <Modal
      open
      title={t`Change password`}
      okText={t`Change password`}
      confirmLoading={change.isPending}
      onCancel={close}
      okButtonProps={{ htmlType: 'submit', form: 'password' }}
      width={420}
    >
      <Form name="password" layout="vertical" requiredMark={false} onFinish={(fields: Fields) => change.mutate(fields)}>
        {change.error === null ? null : (
          <Form.Item>
            <Alert type="error" showIcon title={wordsOfError(change.error)} />
          </Form.Item>
        )}
        <Form.Item name="old" label={t`Old password`} rules={[{ required: true, message: t`Enter the old password.` }]}>
          <Input.Password autoComplete="current-password" autoFocus />
        </Form.Item>
        <Form.Item
          name="next"
          label={t`New password`}
          dependencies={['old']}
          rules={[
            ...passwordRules(),
            ({ getFieldValue }) => ({
              validator: (_rule, value) =>
                value !== '' && value === getFieldValue('old')
                  ? Promise.reject(new Error(t`The new password must differ from the old one.`))
                  : Promise.resolve(),
            }),
          ]}
          validateTrigger="onBlur"
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <PasswordAgain of="next" />
      </Form>
    </Modal>
  )
}
