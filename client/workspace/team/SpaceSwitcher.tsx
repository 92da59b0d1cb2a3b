// Which workspace is in front, and the way to the others and to a new one.
import { BookOutlined, DownOutlined, PlusOutlined, SettingOutlined, StarOutlined, TeamOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Alert, Dropdown, Form, Input, Modal, Radio } from 'antd'
import { nanoid } from 'nanoid'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { wordsOfError } from '../../ui/notices.ts'
import { showSpace, useSpaces } from './spaces.ts'
import style from '../workspace.module.css'

export function SpaceSwitcher({ team }: { team: string }) {
  const { t } = useLingui()
  const { data: spaces = [] } = useSpaces()
  const navigate = useNavigate()
  const [creating, setCreating] = useState(false)
  const now = spaces.find(space => space.id === team)
  const nameOf = (space: { name: string; type: string }): string => (space.type === 'personal' ? t`My workspace` : space.name)
  const title = now === undefined ? t`My workspace` : nameOf(now)
  const go = (key: string): void => {
    if (key === 'new') return setCreating(true)
    if (key === 'members') return void navigate({ to: '/workspace/$teamCode/member', params: { teamCode: team } })
    if (key === 'favourites') return void navigate({ to: '/workspace/favourites' })
    if (key === 'library') return void navigate({ to: '/workspace/$teamCode/library', params: { teamCode: team } })
    if (key === 'settings') return void navigate({ to: '/workspace/$teamCode/setting', params: { teamCode: team } })
    showSpace(key)
    void navigate({ to: '/workspace/$teamCode/project', params: { teamCode: key } })
  }
  return (
    <>
      <Dropdown
        trigger={['click']}
        menu={{
          selectable: true,
          selectedKeys: [team],
          onClick: ({ key }) => go(key),
          items: [
            ...spaces.map(space => ({
              key: space.id,
              label: (
                <span className={style['choice']}>
                  <Avatar id={space.id} name={nameOf(space)} size={22} image={space.icon} space />
                  {nameOf(space)}
                </span>
              ),
            })),
            { type: 'divider' as const },
            ...(now === undefined || now.type === 'personal'
              ? []
              : [{ key: 'members', icon: <TeamOutlined aria-hidden />, label: t`Members` }]),
            { key: 'favourites', icon: <StarOutlined aria-hidden />, label: t`Favourites` },
            { key: 'library', icon: <BookOutlined aria-hidden />, label: t`Library` },
            { key: 'settings', icon: <SettingOutlined aria-hidden />, label: t`Settings` },
            { key: 'new', icon: <PlusOutlined aria-hidden />, label: t`New team or organization` },
          ],
        }}
      >
        <button type="button" className={style['switcher']}>
          <Avatar id={team} name={title} image={now?.icon} space />
          <span>
            <span className="h-hidden">
              <Trans>Workspace:</Trans>{' '}
            </span>
            {title}
          </span>
          <DownOutlined aria-hidden />
        </button>
      </Dropdown>
      {creating ? <CreateSpace close={() => setCreating(false)} done={go} /> : null}
    </>
  )
}

type Fields = { name: string; type: 'team' | 'organization' }

function CreateSpace({ close, done }: { close: () => void; done: (team: string) => void }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const [id] = useState(nanoid)
  const create = useMutation({
    mutationFn: ({ name, type }: Fields) => api.createSpace({ id, name: name.trim(), type }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['spaces'] })
      close()
      done(id)
    },
  })
  return (
    <Modal
      open
      title={t`New team or organization`}
      okText={t`Create`}
      confirmLoading={create.isPending}
      onCancel={close}
      okButtonProps={{ htmlType: 'submit', form: 'new-space' }}
      width={460}
    >
      <Form
        name="new-space"
        layout="vertical"
        requiredMark={false}
        initialValues={{ type: 'team' }}
        onFinish={(fields: Fields) => create.mutate(fields)}
      >
        {create.error === null ? null : (
          <Form.Item>
            <Alert type="error" showIcon title={wordsOfError(create.error)} />
          </Form.Item>
        )}
        <Form.Item name="name" label={t`Name`} rules={[{ required: true, whitespace: true, message: t`Enter a name.` }]}>
          <Input autoFocus maxLength={100} />
        </Form.Item>
        <Form.Item name="type" label={t`Type`}>
          <Radio.Group className={style['stack'] ?? ''}>
            <Radio value="team">
              <Trans>Team: everybody brings their own subscription</Trans>
            </Radio>
            <Radio value="organization">
              <Trans>Organization: its owner’s subscription counts for all</Trans>
            </Radio>
          </Radio.Group>
        </Form.Item>
      </Form>
    </Modal>
  )
}
