import { ImportOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useParams } from '@tanstack/react-router'
import { Alert, Button, Skeleton } from 'antd'
import { useState } from 'react'
import { can } from '../../model-schema/roles.ts'
import { accountPlace, useIdentity } from '../account/identity.ts'
import { useLocale } from '../i18n/locale.ts'
import { claimDeviceFiles } from '../local/claim.ts'
import type { Place } from '../local/place.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { complain, say } from '../ui/toast.ts'
import { DropFiles } from './DropFiles.tsx'
import { FileList } from './FileList.tsx'
import { NewButton, Toolbar, UploadButton } from './Toolbar.tsx'
import { useActions } from './useActions.ts'
import { useSpaces } from './spaces.ts'
import { useFiles, useTeamPlace } from './usePlace.ts'
import { arranged, useView } from './view.ts'
import style from './workspace.module.css'

/** All models of a workspace. */
export function Project() {
  const { teamCode } = useParams({ from: '/private/workspace/$teamCode/project' })
  const place = useTeamPlace(teamCode)
  return place === null ? null : <ProjectOf place={place} />
}

function ProjectOf({ place }: { place: Place }) {
  const { t } = useLingui()
  const actions = useActions(place)
  const space = useSpaces().data?.find(one => one.id === place.team)
  const files = useFiles(place)
  const current = useView()
  const language = useLocale()
  const mayCreate = space === undefined || can({ role: space.role }, 'createFile', { space: space.type })
  const own = (files ?? []).filter(file => file.trashedAt === null && file.team === place.team && file.kind === 'model')
  const shown = arranged(own, current, language)
  return (
    <DropFiles actions={actions}>
      <Toolbar
        title={place.local ? t`On this device` : space === undefined || space.type === 'personal' ? t`My models` : space.name}
        sortable={own.length > 0}
      >
        {mayCreate ? (
          <>
            <UploadButton actions={actions} />
            <NewButton actions={actions} />
          </>
        ) : null}
      </Toolbar>
      {place.local ? <Claim count={own.length} /> : null}
      {files === undefined ? (
        <Skeleton active title={false} paragraph={{ rows: 3 }} />
      ) : shown.length > 0 ? (
        <FileList files={shown} place={place} actions={actions} caption={t`Models`} />
      ) : current.search !== '' ? (
        <EmptyState title={t`Nothing found`} text={t`No model has these words in its name. Try fewer or other words.`} />
      ) : (
        <EmptyState
          title={t`No models yet`}
          text={t`A model holds agents, processes and charts on one canvas. Make one, or drop a .holo file here.`}
          action={mayCreate ? <NewButton actions={actions} /> : undefined}
        />
      )}
    </DropFiles>
  )
}

/** Offers somebody who is signed in to take the device's models along. */
function Claim({ count }: { count: number }) {
  const { t } = useLingui()
  const { me } = useIdentity()
  const [busy, setBusy] = useState(false)
  if (me === null || count === 0) return null
  const claim = async (): Promise<void> => {
    setBusy(true)
    try {
      const moved = await claimDeviceFiles(accountPlace(me))
      say(t`${moved} models are in your account now.`)
    } catch (error) {
      complain(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Alert
      className={style['banner']}
      type="info"
      title={t`These models live in this browser alone.`}
      description={t`Bring them into your account to share them and to find them on other devices.`}
      action={
        <Button type="primary" icon={<ImportOutlined aria-hidden />} loading={busy} onClick={() => void claim()}>
          <Trans>Bring all into my account</Trans>
        </Button>
      }
    />
  )
}
