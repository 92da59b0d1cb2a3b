// A workspace's settings: name, icon, tag sets, what may leave it, its type and owner, its log, leaving and deleting it.
import { SafetyCertificateOutlined, UploadOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Alert, Button, Form, Input, Modal, Skeleton, Switch } from 'antd'
import { Suspense, useState } from 'react'
import { can, openSwitches } from '../../../model-schema/roles.ts'
import type { Switches } from '../../../model-schema/roles.ts'
import { api } from '../../api.ts'
import { useIdentity } from '../../account/identity.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { wordsOfError } from '../../ui/notices.ts'
import { complain, confirmed, say } from '../../ui/toast.ts'
import { PictureField } from '../picture/PictureField.tsx'
import { showSpace, useSpaces } from './spaces.ts'
import type { WorkspaceEntry } from './spaces.ts'
import { importedPart } from '../../ui/loading/updates.ts'
import { useFiles, useTeamPlace } from '../usePlace.ts'
import { TagSets } from './TagSets.tsx'
import { TransferSpace } from './TransferSpace.tsx'
import style from '../workspace.module.css'

const Log = importedPart(
  () => import('./Log.tsx'),
  module => module.Log,
)
const Providers = importedPart(
  () => import('../../copilot/settings/Providers.tsx'),
  module => module.Providers,
)
const SpacePermissions = importedPart(
  () => import('./Permissions.tsx'),
  module => module.SpacePermissions,
)

export function SpaceSettings() {
  const { t } = useLingui()
  const { teamCode } = useParams({ from: '/private/workspace/$teamCode/setting' })
  const spaces = useSpaces()
  const space = spaces.data?.find(one => one.id === teamCode)
  if (spaces.isPending) return <Skeleton active />
  if (space === undefined) return <EmptyState title={t`No such workspace`} text={t`It was deleted, or you are not in it.`} />
  return <SettingsOf key={space.id} space={space} />
}

type Act = (work: Promise<void>, done: string) => void

function SettingsOf({ space }: { space: WorkspaceEntry }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const [dialog, setDialog] = useState<'delete' | 'transfer' | 'permissions' | null>(null)
  const close = (): void => setDialog(null)
  const place = useTeamPlace(space.id)
  const { me } = useIdentity()
  const members = useMembersOf(space)
  const actor = { role: space.role }
  const subject = { space: space.type }
  const maySet = can(actor, 'settings', subject)
  const gone = useGone()
  const act: Act = (work, done) =>
    void work
      .then(async () => {
        say(done)
        await queries.invalidateQueries({ queryKey: ['spaces'] })
      })
      .catch(complain)
  return (
    <div className={style['narrow']}>
      <div className={style['toolbar']}>
        <h1>
          <Trans>Settings</Trans>
        </h1>
      </div>
      <Names space={space} disabled={!maySet} act={act} onPermissions={() => setDialog('permissions')} />
      {place === null ? null : <TagSets place={place} disabled={!can(actor, 'tagSets', subject)} />}
      <Suspense>
        {maySet && space.type !== 'personal' ? (
          <Providers
            whose={{ workspace: space.id }}
            title={t`Language models of this workspace`}
            about={t`Every member may ask them about files of this workspace; collaborators from outside may not.`}
          />
        ) : null}
      </Suspense>
      {space.type === 'personal' ? null : (
        <>
          <MayLeave space={space} disabled={!maySet} act={act} />
          <Ownership space={space} act={act} onTransfer={() => setDialog('transfer')} onDelete={() => setDialog('delete')} />
        </>
      )}
      {can(actor, 'auditLog', subject) ? <SpaceLog space={space} /> : null}
      {dialog === 'delete' ? <DeleteSpace space={space} close={close} done={gone} /> : null}
      {dialog === 'transfer' ? (
        <TransferSpace space={space} members={(members.data?.members ?? []).filter(member => member.id !== me?.id)} close={close} />
      ) : null}
      <Suspense>{dialog === 'permissions' ? <SpacePermissions space={space} member={null} close={close} /> : null}</Suspense>
    </div>
  )
}

const useMembersOf = ({ id, type }: WorkspaceEntry) =>
  useQuery({ queryKey: ['members', id], queryFn: () => api.members(id), enabled: type !== 'personal' })

/** Goes to the recent files: the workspace is not there any more, or not for us. */
function useGone(): () => Promise<void> {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    showSpace(null)
    await queries.invalidateQueries({ queryKey: ['spaces'] })
    await navigate({ to: '/workspace/recent' })
  }
}

function Names({ space, disabled, act, onPermissions }: { space: WorkspaceEntry; disabled: boolean; act: Act; onPermissions: () => void }) {
  const { t } = useLingui()
  return (
    <section className={style['group']}>
      <div className={style['row']}>
        <Avatar id={space.id} name={space.name} size={32} image={space.icon} space />
        <PictureField
          icon={<UploadOutlined aria-hidden />}
          label={t`Choose an icon`}
          disabled={disabled}
          chosen={image => act(api.setSpaceIcon(space.id, image), t`The icon is changed.`)}
        />
        {space.icon === null ? null : (
          <Button disabled={disabled} onClick={() => act(api.removeSpaceIcon(space.id), t`The icon is removed.`)}>
            <Trans>Remove the icon</Trans>
          </Button>
        )}
      </div>
      <Form
        layout="vertical"
        requiredMark={false}
        disabled={disabled}
        initialValues={{ name: space.name, profile: space.profile }}
        onFinish={({ name, profile }: { name: string; profile: string }) =>
          act(api.changeSpace(space.id, { name: name.trim(), profile }), t`The settings are saved.`)
        }
      >
        <Form.Item name="name" label={t`Name`} rules={[{ required: true, whitespace: true, message: t`Enter a name.` }]}>
          <Input maxLength={100} disabled={space.type === 'personal'} />
        </Form.Item>
        <Form.Item name="profile" label={t`About it`}>
          <Input.TextArea autoSize={{ minRows: 2, maxRows: 8 }} maxLength={2000} />
        </Form.Item>
        <div className={style['row']}>
          <Button type="primary" htmlType="submit">
            <Trans>Save</Trans>
          </Button>
          <Button icon={<SafetyCertificateOutlined aria-hidden />} onClick={onPermissions}>
            <Trans>What I may do here</Trans>
          </Button>
        </div>
      </Form>
    </section>
  )
}

function MayLeave({ space, disabled, act }: { space: WorkspaceEntry; disabled: boolean; act: Act }) {
  const { t } = useLingui()
  const switchWords: Record<keyof Switches, string> = {
    copyFiles: t`Files may be copied to other workspaces`,
    shareFiles: t`Files may be shared`,
    publishDashboard: t`Dashboards may be published`,
    submitMarket: t`Files may be offered to the public library`,
    copyBlocks: t`Blocks may be copied`,
    copyLibraries: t`Libraries may be copied`,
    copyEmbedLink: t`Files may be embedded in other pages`,
    copyToPersonal: t`Members may copy files to their own workspace`,
    copyToPersonalCollaborators: t`So may collaborators from outside`,
    externalAccess: t`People from outside may be given access`,
  }
  const keys: (keyof Switches)[] = []
  for (const key in switchWords) if (isSwitch(key)) keys.push(key)
  return (
    <section className={style['group']}>
      <h2>
        <Trans>What may leave this workspace</Trans>
      </h2>
      {keys.map(key => (
        <label key={key} className={style['setting']}>
          <span>{switchWords[key]}</span>
          <Switch
            checked={space.switches[key] ?? openSwitches[key]}
            disabled={disabled}
            aria-label={switchWords[key]}
            onChange={on => act(api.changeSpace(space.id, { switches: { [key]: on } }), t`The settings are saved.`)}
          />
        </label>
      ))}
    </section>
  )
}

type OwnershipProps = { space: WorkspaceEntry; act: Act; onTransfer: () => void; onDelete: () => void }

function Ownership({ space, act, onTransfer, onDelete }: OwnershipProps) {
  const { t } = useLingui()
  const gone = useGone()
  const actor = { role: space.role }
  const subject = { space: space.type }
  const other = space.type === 'team' ? 'organization' : 'team'
  const leave = async (): Promise<void> => {
    const sure = await confirmed({
      title: t`Leave “${space.name}”?`,
      content: t`You lose access to everything in it. Somebody has to invite you again.`,
      ok: t`Leave`,
      cancel: t`Cancel`,
    })
    if (!sure) return
    await api.leaveSpace(space.id)
    await gone()
  }
  return (
    <section className={style['group']}>
      {can(actor, 'changeType', subject) ? (
        <div className={style['setting']}>
          <span>
            {space.type === 'team' ? (
              <Trans>This is a team: everybody brings their own subscription.</Trans>
            ) : (
              <Trans>This is an organization: its owner’s subscription counts for all.</Trans>
            )}
          </span>
          <Button onClick={() => act(api.setSpaceType(space.id, other), t`The type is changed.`)}>
            {other === 'organization' ? <Trans>Make it an organization</Trans> : <Trans>Make it a team</Trans>}
          </Button>
        </div>
      ) : null}
      {can(actor, 'transfer', subject) ? (
        <div className={style['setting']}>
          <span>
            <Trans>Another member becomes the owner; you stay as a manager.</Trans>
          </span>
          <Button onClick={onTransfer}>
            <Trans>Transfer…</Trans>
          </Button>
        </div>
      ) : null}
      {space.role === 'owner' ? null : (
        <div className={style['setting']}>
          <span>
            <Trans>Your access ends; your files stay in the workspace.</Trans>
          </span>
          <Button danger onClick={() => void leave().catch(complain)}>
            <Trans>Leave</Trans>
          </Button>
        </div>
      )}
      {can(actor, 'deleteSpace', subject) ? (
        <div className={style['setting']}>
          <span>
            <Trans>Everything in it is deleted for all members, for ever.</Trans>
          </span>
          <Button danger onClick={onDelete}>
            <Trans>Delete</Trans>
          </Button>
        </div>
      ) : null}
    </section>
  )
}

function SpaceLog({ space }: { space: WorkspaceEntry }) {
  const files = useFiles(useTeamPlace(space.id))
  const members = useMembersOf(space)
  const named = [...(files ?? []), ...(members.data?.members ?? []), ...(members.data?.outsiders ?? [])]
  return (
    <section className={style['group']}>
      <h2>
        <Trans>Log</Trans>
      </h2>
      <Suspense>
        <Log of={space.id} read={before => api.spaceLog(space.id, before)} names={new Map(named.map(({ id, name }) => [id, name]))} />
      </Suspense>
    </section>
  )
}

function DeleteSpace({ space, close, done }: { space: WorkspaceEntry; close: () => void; done: () => Promise<void> }) {
  const { t } = useLingui()
  const [typed, setTyped] = useState('')
  const [failed, setFailed] = useState<unknown>(null)
  const remove = (): void =>
    void api
      .deleteSpace(space.id, typed)
      .then(done)
      .catch((error: unknown) => setFailed(error))
  return (
    <Modal
      open
      title={t`Delete “${space.name}” for ever?`}
      okText={t`Delete for ever`}
      okButtonProps={{ danger: true, disabled: typed !== space.name }}
      onOk={remove}
      onCancel={close}
      width={460}
    >
      <div className={style['stack']}>
        {failed === null ? null : <Alert type="error" showIcon title={wordsOfError(failed)} />}
        <p>
          <Trans>Members lose everything in it. Type its name to confirm.</Trans>
        </p>
        <Input
          autoFocus
          value={typed}
          onChange={event => setTyped(event.target.value)}
          aria-label={t`Name of the workspace`}
          placeholder={space.name}
        />
      </div>
    </Modal>
  )
}

function isSwitch(key: string): key is keyof Switches {
  return Object.hasOwn(openSwitches, key)
}
