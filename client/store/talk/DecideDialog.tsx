// An operator hides something, with a reason its author reads, or shows it again.
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Input, Modal } from 'antd'
import { useState } from 'react'
import { MARKET } from '../../../model-schema/business/market.ts'
import { complain } from '../../ui/toast.ts'
import { market } from '../market.ts'
import type { ReportTarget } from '../market.ts'
import style from '../store.module.css'

type Props = { target: ReportTarget; name: string; outcome: 'hidden' | 'shown'; close: () => void }

export function DecideDialog({ target, name, outcome, close }: Props) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const [because, setBecause] = useState('')
  const hide = outcome === 'hidden'
  const isDraft = target.about === 'draft'
  const decide = useMutation({
    mutationFn: () => market.decide(target, outcome, because.trim()),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['market'] })
      close()
    },
    onError: complain,
  })
  return (
    <Modal
      open
      title={isDraft ? (hide ? t`Refuse “${name}”?` : t`Let “${name}” be published?`) : hide ? t`Hide “${name}”?` : t`Show “${name}”?`}
      okText={isDraft ? (hide ? t`Refuse it` : t`Let it be published`) : hide ? t`Hide it` : t`Show it`}
      cancelText={t`Cancel`}
      okButtonProps={{ danger: hide, disabled: hide && because.trim() === '' }}
      confirmLoading={decide.isPending}
      onOk={() => decide.mutate()}
      onCancel={close}
      destroyOnHidden
    >
      {hide ? (
        <label className={style['form']}>
          <Trans>The reason, for its author to read</Trans>
          <Input.TextArea
            autoFocus
            value={because}
            maxLength={MARKET.reportLength}
            rows={3}
            onChange={event => setBecause(event.target.value)}
          />
        </label>
      ) : (
        <p>
          {isDraft ? (
            <Trans>Its author can publish it, and is not asked about this likeness again.</Trans>
          ) : (
            <Trans>Everybody sees it again, and what is reported about it is settled.</Trans>
          )}
        </p>
      )}
    </Modal>
  )
}
