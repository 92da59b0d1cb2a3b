import {
  BulbOutlined,
  CrownOutlined,
  GiftOutlined,
  LoginOutlined,
  LogoutOutlined,
  RobotOutlined,
  SafetyOutlined,
  UserOutlined,
} from '@ant-design/icons'
import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { Dropdown } from 'antd'
import { Suspense, useState } from 'react'
import { leaveDevice, signOut, unsentCount, useIdentity } from '../account/identity.ts'
import { DEVICE_USER } from '../local/place.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { complain, confirmed } from '../ui/toast.ts'
import { importedPart } from '../ui/loading/updates.ts'
import style from './workspace.module.css'

const PasswordDialog = importedPart(
  () => import('../account/PasswordDialog.tsx'),
  module => module.PasswordDialog,
)
const AccountDialog = importedPart(
  () => import('../account/AccountDialog.tsx'),
  module => module.AccountDialog,
)

/** The user's profile and account menu. */
export function ProfileMenu() {
  const { t } = useLingui()
  const { me } = useIdentity()
  const navigate = useNavigate()
  const [changing, setChanging] = useState(false)
  const [showing, setShowing] = useState(false)

  const leave = async (): Promise<void> => {
    if (me === null) {
      leaveDevice()
      return navigate({ to: '/login' })
    }
    const unsent = await unsentCount(me.id)
    if (unsent > 0) {
      const sure = await confirmed({
        title: t`Sign out and lose changes?`,
        content: t`${plural(unsent, { one: '# model has changes', other: '# models have changes' })} that the server has not saved yet. Signing out removes them from this device.`,
        ok: t`Sign out and lose them`,
        cancel: t`Stay signed in`,
      })
      if (!sure) return
    }
    await signOut()
    await navigate({ to: '/login' })
  }

  const items =
    me === null
      ? [
          { key: 'sign-in', icon: <LoginOutlined aria-hidden />, label: t`Sign in or create an account` },
          { key: 'changelog', icon: <BulbOutlined aria-hidden />, label: t`What is new` },
          { key: 'leave', icon: <LogoutOutlined aria-hidden />, label: t`Leave this device’s workspace` },
        ]
      : [
          {
            key: 'who',
            type: 'group' as const,
            label: (
              <span className={style['who']}>
                {me.name}
                <small>{me.email}</small>
              </span>
            ),
          },
          { key: 'account', icon: <UserOutlined aria-hidden />, label: t`My account` },
          { key: 'subscription', icon: <CrownOutlined aria-hidden />, label: t`Subscription` },
          { key: 'promotion', icon: <GiftOutlined aria-hidden />, label: t`Invite people` },
          { key: 'copilot', icon: <RobotOutlined aria-hidden />, label: t`Copilot` },
          { key: 'password', icon: <SafetyOutlined aria-hidden />, label: t`Change password` },
          { key: 'changelog', icon: <BulbOutlined aria-hidden />, label: t`What is new` },
          { type: 'divider' as const },
          { key: 'leave', icon: <LogoutOutlined aria-hidden />, label: t`Sign out` },
        ]

  const choose = (key: string): void => {
    if (key === 'account') setShowing(true)
    if (key === 'password') setChanging(true)
    if (key === 'subscription') void navigate({ to: '/account/subscription' })
    if (key === 'promotion') void navigate({ to: '/account/promotion' })
    if (key === 'copilot') void navigate({ to: '/account/copilot' })
    if (key === 'changelog') void navigate({ to: '/changelog' })
    if (key === 'sign-in') void navigate({ to: '/login' })
    if (key === 'leave') leave().catch(complain)
  }

  return (
    <>
      <Dropdown trigger={['click']} menu={{ items, onClick: ({ key }) => choose(key) }} placement="bottomRight">
        <button
          type="button"
          className={style['profile']}
          aria-label={me === null ? t`This device` : t`Account of ${me.name}`}
          data-testid="profile"
        >
          <Avatar id={me?.id ?? DEVICE_USER} name={me?.name ?? t`Me`} image={me?.avatar} />
        </button>
      </Dropdown>
      <Suspense>
        {changing ? <PasswordDialog close={() => setChanging(false)} /> : null}
        {showing ? <AccountDialog close={() => setShowing(false)} /> : null}
      </Suspense>
    </>
  )
}
