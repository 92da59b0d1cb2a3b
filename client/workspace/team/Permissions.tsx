// A person's permissions here, with reasons: every action of the table in model-schema/roles.ts with the reason it gives. Asked of the
// server when it can be reached, else derived from the data on this device.
import { CheckCircleFilled, MinusCircleOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Alert, Modal, Select, Skeleton } from 'antd'
import { useState } from 'react'
import { explain, roleLabels } from '../../../model-schema/roles.ts'
import type { Action, Explanation, Role } from '../../../model-schema/roles.ts'
import { useIdentity } from '../../account/identity.ts'
import { api } from '../../api.ts'
import { useWords } from '../../i18n/locale.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useSpaces } from './spaces.ts'
import type { WorkspaceEntry } from './spaces.ts'
import { explainFile } from '../files/standing.ts'
import type { ShownFile } from '../usePlace.ts'
import style from '../workspace.module.css'

type Verdicts = { role: Role | null; permissions: { [A in Action]?: Explanation | undefined } }

/** Actions on a file and on a space, in the order people ask about them. */
export const fileActions = [
  ...(['view', 'run', 'comment', 'edit', 'rename', 'tag', 'move', 'trash', 'restore', 'deleteForever'] as const),
  ...(['createVersion', 'restoreVersion', 'copy', 'copyOut', 'copyToPersonal', 'share', 'embed', 'publish'] as const),
] as const satisfies readonly Action[]
export const spaceActions = [
  ...(['viewMembers', 'createFile', 'tagSets', 'emptyTrash', 'invite', 'answerJoinRequest', 'changeRole', 'removeMember'] as const),
  ...(['settings', 'auditLog', 'leave', 'changeType', 'transfer', 'deleteSpace'] as const),
] as const satisfies readonly Action[]

export function FilePermissions({ file, close }: { file: ShownFile; close: () => void }) {
  const { t } = useLingui()
  const { me } = useIdentity()
  const { data: spaces = [] } = useSpaces()
  const [whose, setWhose] = useState<string | null>(null)
  const mine = explainFile(file, 'share', spaces).allowed
  const people = useQuery({ queryKey: ['people', file.id], queryFn: () => api.people(file.id), enabled: mine, retry: false })
  const members = useQuery({
    queryKey: ['members', file.team],
    queryFn: () => api.members(file.team),
    enabled: mine && spaces.some(space => space.id === file.team && space.type !== 'personal'),
    retry: false,
  })
  const asked = useQuery({
    queryKey: ['permissions', file.id, whose],
    queryFn: (): Promise<Verdicts> => api.filePermissions(file.id, whose ?? undefined),
    retry: false,
  })
  const known: Verdicts = {
    role: file.role,
    permissions: Object.fromEntries(fileActions.map(action => [action, explainFile(file, action, spaces)])),
  }
  const others = new Map([...(members.data?.members ?? []), ...(people.data?.people ?? [])].map(one => [one.id, one.name]))
  if (me !== null) others.delete(me.id)
  return (
    <Modal open title={t`What may be done with “${file.name}”`} footer={null} onCancel={close} width={560} destroyOnHidden>
      {others.size === 0 ? null : <Whose people={others} value={whose} change={setWhose} />}
      <Table
        verdicts={asked.data ?? (whose === null && asked.isError ? known : undefined)}
        actions={fileActions}
        failed={asked.isError && whose !== null}
      />
    </Modal>
  )
}

/** What a member may do in a workspace. */
export function SpacePermissions({
  space,
  member,
  close,
}: {
  space: WorkspaceEntry
  member: { id: string; name: string } | null
  close: () => void
}) {
  const { t } = useLingui()
  const asked = useQuery({
    queryKey: ['permissions', space.id, member?.id],
    queryFn: (): Promise<Verdicts> => api.spacePermissions(space.id, member?.id),
    retry: false,
  })
  const known: Verdicts = {
    role: space.role,
    permissions: Object.fromEntries(
      spaceActions.map(action => [action, explain({ role: space.role }, action, { space: space.type, switches: space.switches })]),
    ),
  }
  const name = space.type === 'personal' ? t`My workspace` : space.name
  const title = member === null ? t`What you may do in “${name}”` : t`What ${member.name} may do in “${name}”`
  return (
    <Modal open title={title} footer={null} onCancel={close} width={560} destroyOnHidden>
      <Table
        verdicts={asked.data ?? (member === null && asked.isError ? known : undefined)}
        actions={[...spaceActions, ...fileActions]}
        failed={asked.isError && member !== null}
      />
    </Modal>
  )
}

function Whose({
  people,
  value,
  change,
}: {
  people: ReadonlyMap<string, string>
  value: string | null
  change: (id: string | null) => void
}) {
  const { t } = useLingui()
  return (
    <Select
      className={style['banner'] ?? ''}
      style={{ inlineSize: '100%' }}
      value={value ?? 'me'}
      aria-label={t`Whose permissions`}
      options={[{ value: 'me', label: t`What I may do` }, ...[...people].map(([id, name]) => ({ value: id, label: name }))]}
      onChange={id => change(id === 'me' ? null : id)}
    />
  )
}

function Table({ verdicts, actions, failed }: { verdicts: Verdicts | undefined; actions: readonly Action[]; failed: boolean }) {
  const { t } = useLingui()
  const words = useWords()
  const names = useActionNames()
  if (failed)
    return <EmptyState title={t`Not known here`} text={t`The server has to be asked about others; it can't be reached just now.`} />
  if (verdicts === undefined) return <Skeleton active />
  const { role, permissions } = verdicts
  return (
    <>
      <Alert
        className={style['banner'] ?? ''}
        type="info"
        title={role === null ? <Trans>No role here</Trans> : <Trans>Role: {words(roleLabels[role])}</Trans>}
      />
      <ul className={style['verdicts']}>
        {actions.map(action => {
          const verdict = permissions[action]
          if (verdict === undefined) return null
          return (
            <li key={action} data-allowed={verdict.allowed || undefined}>
              {verdict.allowed ? (
                <CheckCircleFilled aria-label={t`Yes`} role="img" />
              ) : (
                <MinusCircleOutlined aria-label={t`No`} role="img" />
              )}
              <span>
                {names[action]}
                {verdict.allowed ? null : <small>{words(verdict.because)}</small>}
              </span>
            </li>
          )
        })}
      </ul>
    </>
  )
}

function useActionNames(): Record<Action, string> {
  const { t } = useLingui()
  return {
    view: t`Open`,
    run: t`Run`,
    comment: t`Comment`,
    edit: t`Edit`,
    rename: t`Rename, remark`,
    tag: t`Tag`,
    move: t`Move`,
    trash: t`Move to the trash`,
    restore: t`Restore from the trash`,
    restoreVersion: t`Restore a version`,
    createVersion: t`Name a version`,
    copy: t`Copy inside the workspace`,
    copyOut: t`Copy to another workspace`,
    copyToPersonal: t`Copy to one’s own workspace`,
    share: t`Share`,
    embed: t`Embed in other pages`,
    publish: t`Offer to the public library`,
    publishDashboard: t`Publish dashboards`,
    unpublish: t`Take a publication off the shelf`,
    deleteForever: t`Delete for ever`,
    unlock: t`Unlock`,
    viewMembers: t`See the members`,
    auditLog: t`Read the log`,
    createFile: t`Create files`,
    emptyTrash: t`Empty the trash`,
    tagSets: t`Change tag sets`,
    invite: t`Invite`,
    answerJoinRequest: t`Answer who asks to join`,
    changeRole: t`Change roles`,
    removeMember: t`Remove members`,
    leave: t`Leave`,
    settings: t`Change the settings`,
    changeType: t`Make it a team or an organization`,
    transfer: t`Transfer the ownership`,
    deleteSpace: t`Delete the workspace`,
  }
}
