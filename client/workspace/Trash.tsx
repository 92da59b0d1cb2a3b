import { DeleteOutlined, UndoOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useParams } from '@tanstack/react-router'
import { Button, Skeleton, Tooltip } from 'antd'
import { useLocale, useWords } from '../i18n/locale.ts'
import type { Place } from '../local/place.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { When } from '../ui/When.tsx'
import { Toolbar } from './files/Toolbar.tsx'
import { FileIcon } from './files/kinds.tsx'
import { useSpaces } from './team/spaces.ts'
import { explainFile } from './files/standing.ts'
import { topsOf, useActions } from './files/useActions.tsx'
import { useFiles, useTeamPlace } from './usePlace.ts'
import type { ShownFile } from './usePlace.ts'
import { arranged, useView } from './files/view.ts'
import style from './workspace.module.css'

/** What was thrown away: to be had back, or deleted for ever. */
export function Trash() {
  const { teamCode } = useParams({ from: '/private/workspace/$teamCode/trash' })
  const place = useTeamPlace(teamCode)
  return place === null ? null : <TrashOf place={place} />
}

function TrashOf({ place }: { place: Place }) {
  const { t } = useLingui()
  const actions = useActions(place)
  const files = useFiles(place)
  const { search } = useView()
  const language = useLocale()
  const gone = (files ?? []).filter(file => file.trashedAt !== null && file.team === place.team)
  const words = useWords()
  const { data: spaces = [] } = useSpaces()
  const shown = arranged(topsOf(gone), { order: 'updated', search }, language)
  const whyNot = (file: ShownFile): string | null => {
    const verdict = explainFile(file, 'deleteForever', spaces)
    return verdict.allowed ? null : words(verdict.because)
  }
  return (
    <>
      <Toolbar title={t`Trash`} sortable={false}>
        {gone.length > 0 && gone.every(file => explainFile(file, 'deleteForever', spaces).allowed) ? (
          <Button danger icon={<DeleteOutlined aria-hidden />} onClick={() => void actions.empty(gone)}>
            <Trans>Empty the trash</Trans>
          </Button>
        ) : null}
      </Toolbar>
      {files === undefined ? (
        <Skeleton active title={false} paragraph={{ rows: 3 }} />
      ) : shown.length === 0 ? (
        <EmptyState
          title={t`The trash is empty`}
          text={t`Files you move to the trash wait here until you restore them or delete them for ever.`}
        />
      ) : (
        <div className={style['tableBox']}>
          <table className={style['table']}>
            <caption className="h-hidden">{t`Trash`}</caption>
            <thead>
              <tr>
                <th scope="col">
                  <Trans>Name</Trans>
                </th>
                <th scope="col">
                  <Trans>Moved here</Trans>
                </th>
                <th scope="col">
                  <span className="h-hidden">
                    <Trans>Actions</Trans>
                  </span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map(file => (
                <tr key={file.id}>
                  <td className={style['mainCell']}>
                    <span className={style['nameCell']}>
                      <FileIcon kind={file.kind} className={style['kindIcon']} />
                      <span className={style['clip']}>{file.name}</span>
                    </span>
                  </td>
                  <td>{file.trashedAt === null ? null : <When at={file.trashedAt} />}</td>
                  <td className={style['moreCell']}>
                    <Button type="text" size="small" icon={<UndoOutlined aria-hidden />} onClick={() => void actions.restore([file])}>
                      <Trans>Restore</Trans>
                    </Button>
                    <Tooltip title={whyNot(file) ?? t`Delete for ever`}>
                      <Button
                        type="text"
                        size="small"
                        danger
                        disabled={whyNot(file) !== null}
                        icon={<DeleteOutlined aria-hidden />}
                        aria-label={t`Delete “${file.name}” for ever`}
                        onClick={() => void actions.remove([file])}
                      />
                    </Tooltip>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}
