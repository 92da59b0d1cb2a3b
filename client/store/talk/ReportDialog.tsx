// Telling the moderators what is wrong; nothing is hidden by that alone.
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Input, Modal, Radio } from 'antd'
import { useState } from 'react'
import { MARKET, reportReasonLabels, reportReasons } from '../../../model-schema/business/market.ts'
import type { ReportReason } from '../../../model-schema/business/market.ts'
import { useWords } from '../../i18n/locale.ts'
import { complain, say } from '../../ui/toast.ts'
import { market } from '../market.ts'
import type { Reportable, ReportTarget } from '../market.ts'
import style from '../store.module.css'

export function ReportDialog({ target, name, close }: { target: Reportable; name: string; close: () => void }) {
  const { t } = useLingui()
  const words = useWords()
  const [reason, setReason] = useState<ReportReason>('spam')
  const [text, setText] = useState('')
  const send = useMutation({
    mutationFn: () => market.report(target, reason, text),
    onSuccess: () => {
      say(t`Thank you. A moderator will look at it.`)
      close()
    },
    onError: complain,
  })
  return (
    <Modal
      open
      title={t`Report “${name}”`}
      okText={t`Send the report`}
      cancelText={t`Cancel`}
      confirmLoading={send.isPending}
      onOk={() => send.mutate()}
      onCancel={close}
      destroyOnHidden
    >
      <div className={style['form']}>
        <Radio.Group
          vertical
          aria-label={t`What is wrong`}
          value={reason}
          options={reportReasons.map(value => ({ value, label: words(reportReasonLabels[value]) }))}
          onChange={event => setReason(reportReasons.find(one => one === event.target.value) ?? 'other')}
        />
        <label>
          <Trans>What should the moderators know?</Trans>
          <Input.TextArea value={text} maxLength={MARKET.reportLength} rows={3} onChange={event => setText(event.target.value)} />
        </label>
      </div>
    </Modal>
  )
}

/** An author appeals against the hiding of a publication, or asks for the review of a prepared one. */
export function AppealDialog({ target, name, sent, close }: { target: ReportTarget; name: string; sent?: () => void; close: () => void }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const isDraft = target.about === 'draft'
  const [text, setText] = useState('')
  const send = useMutation({
    mutationFn: () => market.appeal(target, text.trim()),
    onSuccess: () => {
      say(isDraft ? t`The moderators will look at it.` : t`The moderators will look again.`)
      void queries.invalidateQueries({ queryKey: ['market'] })
      sent?.()
      close()
    },
    onError: complain,
  })
  return (
    <Modal
      open
      title={isDraft ? t`Ask a moderator about “${name}”` : t`Appeal for “${name}”`}
      okText={isDraft ? t`Ask a moderator` : t`Send the appeal`}
      okButtonProps={{ disabled: text.trim() === '' }}
      cancelText={t`Cancel`}
      confirmLoading={send.isPending}
      onOk={() => send.mutate()}
      onCancel={close}
      destroyOnHidden
    >
      <label className={style['form']}>
        {isDraft ? <Trans>How is it your own work? Name what you built on.</Trans> : <Trans>Why should it be shown again?</Trans>}
        <Input.TextArea autoFocus value={text} maxLength={MARKET.reportLength} rows={4} onChange={event => setText(event.target.value)} />
      </label>
    </Modal>
  )
}
