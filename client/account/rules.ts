// The fields of account forms; the server checks the same rules.
import { t } from '@lingui/core/macro'
import type { Rule } from 'antd/es/form'
import { PASSWORD } from '../../model-schema/business/limits.ts'

export function emailRules(): Rule[] {
  return [
    { required: true, message: t`Enter your email.` },
    { type: 'email', message: t`This is not a valid email.` },
  ]
}

export function passwordRules(): Rule[] {
  const { min, max } = PASSWORD
  return [
    { required: true, message: t`Enter a password.` },
    { min, max, message: t`A password has ${min} to ${max} characters.` },
  ]
}

/** A code of an authenticator app, also in two groups as some show it. */
export function codeRules(): Rule[] {
  return [{ required: true, pattern: /^\s*\d{3}\s?\d{3}\s*$/, message: t`Enter the six digits.` }]
}

/** The second field must hold what the named first one holds. */
export function sameAs(field: string): Rule {
  return ({ getFieldValue }) => ({
    validator: (_rule, value) =>
      value === undefined || value === '' || getFieldValue(field) === value
        ? Promise.resolve()
        : Promise.reject(new Error(t`The two passwords differ.`)),
  })
}
