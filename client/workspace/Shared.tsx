import { useLingui } from '@lingui/react/macro'
import { Skeleton } from 'antd'
import { useLocale } from '../i18n/locale.ts'
import type { Place } from '../local/place.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { FileList } from './files/FileList.tsx'
import { Toolbar } from './files/Toolbar.tsx'
import { useActions } from './files/useActions.tsx'
import { useSpaces } from './team/spaces.ts'
import { useFiles, usePlace } from './usePlace.ts'
import { arranged, useView } from './files/view.ts'

/** What others shared with this person. */
export function Shared() {
  const place = usePlace()
  return place === null ? null : <SharedOf place={place} />
}

function SharedOf({ place }: { place: Place }) {
  const { t } = useLingui()
  const actions = useActions(place)
  const files = useFiles(place)
  const current = useView()
  const language = useLocale()
  const spaces = useSpaces().data ?? []
  const foreign = (files ?? []).filter(
    file => file.trashedAt === null && file.team !== place.team && !spaces.some(space => space.id === file.team),
  )
  const shown = arranged(foreign, current, language)
  return (
    <>
      <Toolbar title={t`Shared with me`} sortable={foreign.length > 0} />
      {files === undefined ? (
        <Skeleton active title={false} paragraph={{ rows: 3 }} />
      ) : shown.length > 0 ? (
        <FileList files={shown} place={place} actions={actions} caption={t`Files shared with me`} />
      ) : current.search !== '' ? (
        <EmptyState title={t`Nothing found`} text={t`No file here fits. Try fewer or other words, or another filter.`} />
      ) : (
        <EmptyState
          title={t`Nothing shared with you yet`}
          text={t`When somebody shares a file with your email address, it appears here at once.`}
        />
      )}
    </>
  )
}
