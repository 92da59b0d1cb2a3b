// Libraries and blocks of a workspace: parts of models that others insert into theirs and keep up to date.
import { Trans, useLingui } from '@lingui/react/macro'
import { useParams } from '@tanstack/react-router'
import { Skeleton } from 'antd'
import { can } from '../../model-schema/roles.ts'
import { useLocale } from '../i18n/locale.ts'
import type { Place } from '../local/place.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { DropFiles } from './files/DropFiles.tsx'
import { FileList } from './files/FileList.tsx'
import { NewButton, Toolbar } from './files/Toolbar.tsx'
import { useFound } from './files/useFound.ts'
import { useActions } from './files/useActions.tsx'
import { useSpaces } from './team/spaces.ts'
import { useFiles, useTeamPlace } from './usePlace.ts'
import type { ShownFile } from './usePlace.ts'
import { arranged, useView } from './files/view.ts'
import style from './workspace.module.css'

export function Library() {
  const { teamCode } = useParams({ from: '/private/workspace/$teamCode/library' })
  const place = useTeamPlace(teamCode)
  return place === null ? null : <LibraryOf place={place} />
}

function LibraryOf({ place }: { place: Place }) {
  const { t } = useLingui()
  const actions = useActions(place)
  const space = useSpaces().data?.find(one => one.id === place.team)
  const files = useFiles(place)
  const current = useView()
  const language = useLocale()
  const found = useFound(current.search, place.local)
  const alive = (files ?? []).filter(file => file.trashedAt === null)
  const here = alive.filter(file => file.team === place.team)
  const show = (list: readonly ShownFile[]): ShownFile[] => arranged(list, { ...current, kind: '' }, language, found)
  const libraries = show(here.filter(file => file.kind === 'library'))
  const blocks = show(here.filter(file => file.kind === 'block'))
  const starred = show(alive.filter(file => file.kind === 'block' && file.favourite && file.team !== place.team))
  const mayCreate = space === undefined || can({ role: space.role }, 'createFile', { space: space.type })
  const create = <NewButton actions={actions} kinds={['block', 'library']} />
  const section = (title: string, list: readonly ShownFile[]) =>
    list.length === 0 ? null : (
      <section className={style['shelf']}>
        <h2>
          {title} <span className="h-num">{list.length}</span>
        </h2>
        <FileList files={list} place={place} actions={actions} caption={title} />
      </section>
    )
  return (
    <DropFiles actions={actions}>
      <Toolbar
        title={t`Library`}
        sortable={libraries.length + blocks.length + starred.length > 0}
        tagsOf={place.local ? undefined : place.team}
      >
        {mayCreate ? create : null}
      </Toolbar>
      <p className={style['quiet']}>
        <Trans>In the editor, the panel “Blocks” inserts a block and shows what changed in it since.</Trans>
      </p>
      {files === undefined ? (
        <Skeleton active title={false} paragraph={{ rows: 3 }} />
      ) : libraries.length + blocks.length + starred.length === 0 ? (
        <EmptyState
          title={current.search === '' ? t`No blocks yet` : t`Nothing found`}
          text={t`A block is a part of a model that others insert into theirs and keep up to date.`}
          action={mayCreate && current.search === '' ? create : undefined}
        />
      ) : (
        <>
          {section(t`Libraries`, libraries)}
          {section(t`Blocks`, blocks)}
          {section(t`Starred blocks of other workspaces`, starred)}
        </>
      )}
    </DropFiles>
  )
}
