import { useLingui } from '@lingui/react/macro'
import { Skeleton } from 'antd'
import { useLocale } from '../i18n/locale.ts'
import type { Place } from '../local/place.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { FileList } from './files/FileList.tsx'
import { Toolbar } from './files/Toolbar.tsx'
import { useFound } from './files/useFound.ts'
import { useActions } from './files/useActions.tsx'
import { useFiles, usePlace } from './usePlace.ts'
import { arranged, useView } from './files/view.ts'

/** What this person marked with a star, of all their workspaces; starred blocks are what models are built from. */
export function Favourites() {
  const place = usePlace()
  return place === null ? null : <FavouritesOf place={place} />
}

function FavouritesOf({ place }: { place: Place }) {
  const { t } = useLingui()
  const actions = useActions(place)
  const files = useFiles(place)
  const current = useView()
  const language = useLocale()
  const found = useFound(current.search, place.local)
  const starred = (files ?? []).filter(file => file.trashedAt === null && file.favourite)
  const shown = arranged(starred, current, language, found)
  return (
    <>
      <Toolbar title={t`Favourites`} sortable={starred.length > 0} />
      {files === undefined ? (
        <Skeleton active title={false} paragraph={{ rows: 3 }} />
      ) : shown.length > 0 ? (
        <FileList files={shown} place={place} actions={actions} caption={t`Favourites`} />
      ) : starred.length > 0 ? (
        <EmptyState title={t`Nothing found`} text={t`No file here fits. Try fewer or other words, or another filter.`} />
      ) : (
        <EmptyState title={t`No favourites yet`} text={t`Mark a file with its star, and it is one click away from anywhere.`} />
      )}
    </>
  )
}
