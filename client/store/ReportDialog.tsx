// Telling the moderators what is wrong; nothing is hidden by that alone.
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { Input, Modal, Radio } from 'antd'
import { useState } from 'react'
import { MARKET, reportReasonLabels, reportReasons } from '../../model-schema/market.ts'
import type { ReportReason } from '../../model-schema/market.ts'
import { useWords } from '../i18n/locale.ts'
import { complain, say } from '../ui/toast.ts'
import { market } from './market.ts'
import type { Target } from './market.ts'
import style from './store.module.css'

export function ReportDialog({ target, name, close }: { target: Target; name: string; close: () => void }) {
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

/** An author asks to look again at what was hidden. */
export function AppealDialog({ target, name, close }: { target: Target; name: string; close: () => void }) {
  const { t } = useLingui()
  const [text, setText] = useState('')
  const send = useMutation({
    mutationFn: () => market.appeal(target, text.trim()),
    onSuccess: () => {
      say(t`The moderators will look again.`)
      close()
    },
    onError: complain,
  })
  return (
    <Modal
      open
      title={t`Appeal for “${name}”`}
      okText={t`Send the appeal`}
      okButtonProps={{ disabled: text.trim() === '' }}
      cancelText={t`Cancel`}
      confirmLoading={send.isPending}
      onOk={() => send.mutate()}
      onCancel={close}
      destroyOnHidden
    >
      <label className={style['form']}>
        <Trans>Why should it be shown again?</Trans>
        <Input.TextArea autoFocus value={text} maxLength={MARKET.reportLength} rows={4} onChange={event => setText(event.target.value)} />
      </label>
    </Modal>
  )
}
