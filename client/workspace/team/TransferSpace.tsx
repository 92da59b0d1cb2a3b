import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Input, Modal, Select } from 'antd'
import { useState } from 'react'
import { api } from '../../api.ts'
import { wordsOfError } from '../../ui/notices.ts'
import { say } from '../../ui/toast.ts'
import type { WorkspaceEntry } from './spaces.ts'
import style from '../workspace.module.css'

type Props = { space: WorkspaceEntry; members: readonly { id: string; name: string; email: string }[]; close: () => void }

/** Makes another member the owner; asked for by its name, since only they can give it back. */
export function TransferSpace({ space, members, close }: Props) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const [to, setTo] = useState<string | undefined>()
  const [typed, setTyped] = useState('')
  const name = members.find(member => member.id === to)?.name ?? ''
  const transfer = useMutation({
    mutationFn: (userId: string) => api.transferSpace(space.id, userId),
    async onSuccess() {
      close()
      say(t`${name} is the owner of “${space.name}” now.`)
      await queries.invalidateQueries()
    },
  })
  return (
    <Modal
      open
      title={t`Transfer “${space.name}”`}
      okText={t`Transfer`}
      okButtonProps={{ danger: true, disabled: to === undefined || typed !== space.name }}
      confirmLoading={transfer.isPending}
      onOk={() => to !== undefined && transfer.mutate(to)}
      onCancel={close}
      width={460}
      destroyOnHidden
    >
      <div className={style['stack']}>
        {transfer.error === null ? null : <Alert type="error" showIcon title={wordsOfError(transfer.error)} />}
        {members.length === 0 ? (
          <Alert type="info" title={<Trans>There is no other member. Invite somebody first.</Trans>} />
        ) : (
          <>
            <p>
              <Trans>The new owner decides about everything in it, and their subscription counts. You stay as a manager.</Trans>
            </p>
            <Select
              value={to}
              onChange={setTo}
              placeholder={t`The new owner`}
              aria-label={t`The new owner`}
              showSearch={{ optionFilterProp: 'label' }}
              options={members.map(member => ({ value: member.id, label: `${member.name} (${member.email})` }))}
            />
            <p>
              <Trans>Type the name of the workspace to confirm.</Trans>
            </p>
            <Input
              value={typed}
              onChange={event => setTyped(event.target.value)}
              aria-label={t`Name of the workspace`}
              placeholder={space.name}
            />
          </>
        )}
      </div>
    </Modal>
  )
}
