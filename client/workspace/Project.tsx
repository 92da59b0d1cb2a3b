import { ImportOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useParams } from '@tanstack/react-router'
import { Alert, Button, Skeleton } from 'antd'
import { Suspense, useState } from 'react'
import { can } from '../../model-schema/roles.ts'
import { accountPlace, useIdentity } from '../account/identity.ts'
import { useLocale } from '../i18n/locale.ts'
import { claimDeviceFiles } from '../local/claim.ts'
import { fileKinds } from '../local/device.ts'
import type { FileKind } from '../local/device.ts'
import type { Place } from '../local/place.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { complain, say } from '../ui/toast.ts'
import { importedPart } from '../ui/loading/updates.ts'
import { DropFiles } from './files/DropFiles.tsx'
import { FileList } from './files/FileList.tsx'
import { NewButton, Toolbar, UploadButton } from './files/Toolbar.tsx'
import { Crumbs, pathTo } from './files/Crumbs.tsx'
import { useFound } from './files/useFound.ts'
import { useActions } from './files/useActions.tsx'
import { useSpaces } from './team/spaces.ts'
import { useFiles, useTeamPlace } from './usePlace.ts'
import { arranged, useView } from './files/view.ts'
import style from './workspace.module.css'

const LockBanner = importedPart(
  () => import('../billing/LockBanner.tsx'),
  module => module.LockBanner,
)

/** Kinds that only a server can keep: what they need is not on this device. */
const onlyOnServer: ReadonlySet<FileKind> = new Set(['tag-set'])

/** The files and folders of a workspace, or of one of its folders. */
export function Project() {
  const { teamCode = '', pId } = useParams({ strict: false })
  const place = useTeamPlace(teamCode)
  return place === null ? null : <ProjectOf key={pId ?? ''} place={place} folder={pId ?? null} />
}

function ProjectOf({ place, folder }: { place: Place; folder: string | null }) {
  const { t } = useLingui()
  const spaces = useSpaces()
  const space = spaces.data?.find(one => one.id === place.team)
  const files = useFiles(place)
  const path = pathTo(files ?? [], folder)
  const here = path.at(-1)
  const actions = useActions(place, here?.id ?? null)
  const current = useView()
  const language = useLocale()
  const found = useFound(current.search, place.local)
  const searching = current.search.trim() !== ''
  const filtering = current.kind !== '' || current.tags.length > 0
  const mayCreate = (space === undefined || can({ role: space.role }, 'createFile', { space: space.type })) && here?.trashedAt == null
  const alive = (files ?? []).filter(file => file.trashedAt === null)
  const own = alive.filter(file => file.team === place.team && file.parent === (here?.id ?? null))
  // A search looks into every workspace; a filter into everything below.
  const pool = searching
    ? alive
    : filtering
      ? alive.filter(file => file.team === place.team && isBelow(alive, file, here?.id ?? null))
      : own
  const shown = arranged(pool, current, language, found)
  const kinds = fileKinds.filter(kind => (here?.kind !== 'library' || kind === 'block') && !(place.local && onlyOnServer.has(kind)))
  const create = <NewButton actions={actions} kinds={kinds} />
  const root = place.local ? t`On this device` : space === undefined || space.type === 'personal' ? t`My files` : space.name
  // Fetched again if it is not in the list: it may have been created a moment ago.
  if (!place.local && folder === null && space === undefined && spaces.isSuccess && !spaces.isFetching)
    return <EmptyState title={t`No such workspace`} text={t`It was deleted, or you are not in it.`} />
  if (files !== undefined && folder !== null && here === undefined)
    return <EmptyState title={t`No such folder`} text={t`It was deleted or moved, or you have no access to it.`} />
  return (
    <DropFiles actions={actions}>
      <Toolbar
        title={
          <Crumbs
            root={root}
            team={place.team}
            address={`/workspace/${place.local ? 'device' : place.team}/project`}
            path={path}
            actions={actions}
          />
        }
        sortable={alive.length > 0}
        tagsOf={place.local ? undefined : place.team}
      >
        {mayCreate ? (
          <>
            <UploadButton actions={actions} />
            {create}
          </>
        ) : null}
      </Toolbar>
      {place.local ? null : (
        <Suspense>
          <LockBanner team={place.team} mayUnlock={space !== undefined && can({ role: space.role }, 'unlock', { space: space.type })} />
        </Suspense>
      )}
      {place.local && folder === null ? <Claim count={alive.filter(file => file.team === place.team).length} /> : null}
      {files === undefined ? (
        <Skeleton active title={false} paragraph={{ rows: 3 }} />
      ) : shown.length > 0 ? (
        <FileList files={shown} place={place} actions={actions} caption={searching ? t`Found` : t`Files`} />
      ) : searching || filtering ? (
        <EmptyState title={t`Nothing found`} text={t`No file here fits. Try fewer or other words, or another filter.`} />
      ) : here !== undefined ? (
        <EmptyState
          title={here.kind === 'library' ? t`No blocks yet` : t`This folder is empty`}
          text={
            here.kind === 'library'
              ? t`A block is a part of a model that others insert into theirs and keep up to date.`
              : t`Make something here, drop a .holo file, or drag files onto the folder.`
          }
          action={mayCreate ? create : undefined}
        />
      ) : (
        <EmptyState
          title={t`No files yet`}
          text={t`A model holds agents, processes and charts on one canvas. Make one, or drop a .holo file here.`}
          action={mayCreate ? create : undefined}
        />
      )}
    </DropFiles>
  )
}

function isBelow(files: readonly { id: string; parent: string | null }[], file: { parent: string | null }, folder: string | null): boolean {
  if (folder === null) return true
  const parents = new Map(files.map(one => [one.id, one.parent]))
  for (let at = file.parent, n = 0; at !== null && n < 100; at = parents.get(at) ?? null, n++) if (at === folder) return true
  return false
}

/** Offers a signed-in user to move the device's files into the account. */
function Claim({ count }: { count: number }) {
  const { t } = useLingui()
  const { me } = useIdentity()
  const [busy, setBusy] = useState(false)
  if (me === null || count === 0) return null
  const claim = async (): Promise<void> => {
    setBusy(true)
    try {
      const moved = await claimDeviceFiles(accountPlace(me))
      say(t`${moved} files are in your account now.`)
    } catch (error) {
      complain(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Alert
      className={style['banner'] ?? ''}
      type="info"
      title={t`These files live in this browser alone.`}
      description={t`Bring them into your account to share them and to find them on other devices.`}
      action={
        <Button type="primary" icon={<ImportOutlined aria-hidden />} loading={busy} onClick={() => void claim()}>
          <Trans>Bring all into my account</Trans>
        </Button>
      }
    />
  )
}
