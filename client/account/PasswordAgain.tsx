import { useLingui } from '@lingui/react/macro'
import { Form, Input } from 'antd'
import { sameAs } from './rules.ts'

/** The field that repeats the password of another field, named by `of`. */
export function PasswordAgain({ of }: { of: string }) {
  const { t } = useLingui()
  return (
    <Form.Item
      name="again"
      label={t`Password again`}
      dependencies={[of]}
      rules={[{ required: true, message: t`Enter the password again.` }, sameAs(of)]}
      validateTrigger="onBlur"
    >
      <Input.Password autoComplete="new-password" />
    </Form.Item>
  )
}
