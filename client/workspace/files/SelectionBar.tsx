// What can be done with all the files that are chosen; takes no room while none is.
import { CloseOutlined, DeleteOutlined, DownloadOutlined, FolderOpenOutlined, TagsOutlined } from '@ant-design/icons'
import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Tooltip } from 'antd'
import { useEffect } from 'react'
import type { Action } from '../../../model-schema/roles.ts'
import { useWords } from '../../i18n/locale.ts'
import type { Place } from '../../local/place.ts'
import { choose, hand, useHand } from './hand.ts'
import { useSpaces } from '../team/spaces.ts'
import { explainFile } from './standing.ts'
import type { Actions } from './useActions.tsx'
import type { ShownFile } from '../usePlace.ts'
import style from '../workspace.module.css'

export function SelectionBar({ files, place, actions }: { files: readonly ShownFile[]; place: Place; actions: Actions }) {
  const { t } = useLingui()
  const words = useWords()
  const chosen = useHand(state => state.chosen)
  const { data: spaces = [] } = useSpaces()
  const here = files.filter(file => chosen.has(file.id))
  // What is no longer in the list is no longer in the hand.
  const lost = here.length < chosen.size
  useEffect(() => {
    if (lost) choose(here.map(file => file.id))
  })
  if (here.length === 0) return null
  /** What disables a button, and its reason as a tooltip: the first of the chosen files that does not permit the action. */
  const limits = (action: Action, files = here) => {
    const refused = files.map(file => explainFile(file, action, spaces)).find(verdict => !verdict.allowed)
    return { disabled: refused !== undefined, title: refused === undefined ? '' : words(refused.because) }
  }
  const copied = limits(
    'copyOut',
    here.filter(file => file.kind === 'model' || file.kind === 'block'),
  )
  const documents = here.filter(file => file.kind === 'model' || file.kind === 'block')
  const oneSpace = new Set(here.map(file => file.team)).size === 1
  return (
    <div className={style['selection']} role="toolbar" aria-label={t`Chosen files`}>
      <Tooltip title={t`Let go`}>
        <Button type="text" icon={<CloseOutlined aria-hidden />} aria-label={t`Let go of the chosen files`} onClick={() => choose([])} />
      </Tooltip>
      <strong className="h-num" aria-live="polite">
        {t`${plural(here.length, { one: '# chosen', other: '# chosen' })}`}
      </strong>
      <span className={style['grow']} />
      <Button icon={<FolderOpenOutlined aria-hidden />} {...limits('move')} onClick={() => hand.setState({ moving: here })}>
        <span className={style['wide']}>
          <Trans>Move…</Trans>
        </span>
      </Button>
      {place.local ? null : (
        <Button
          icon={<TagsOutlined aria-hidden />}
          {...limits('tag')}
          {...(oneSpace ? {} : { disabled: true })}
          onClick={() => hand.setState({ tagging: here })}
        >
          <span className={style['wide']}>
            <Trans>Tags…</Trans>
          </span>
        </Button>
      )}
      <Button
        icon={<DownloadOutlined aria-hidden />}
        {...copied}
        {...(documents.length > 0 ? {} : { disabled: true })}
        onClick={() => actions.download(documents)}
      >
        <span className={style['wide']}>
          <Trans>Download</Trans>
        </span>
      </Button>
      <Button danger icon={<DeleteOutlined aria-hidden />} {...limits('trash')} onClick={() => void actions.trash(here)}>
        <span className={style['wide']}>
          <Trans>Move to trash</Trans>
        </span>
      </Button>
    </div>
  )
}
