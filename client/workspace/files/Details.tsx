// Details of a file, next to the list: name, place, author and times; its remark, tags and cover are changed here.
import { PictureOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button, Drawer, Input } from 'antd'
import { useState } from 'react'
import { restrictionLabels, roleLabels } from '../../../model-schema/roles.ts'
import { api } from '../../api.ts'
import { listNow } from '../../i18n/list.ts'
import { useWords } from '../../i18n/locale.ts'
import type { Place } from '../../local/place.ts'
import { Origin } from '../../store/Origin.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { When } from '../../ui/When.tsx'
import { complain } from '../../ui/toast.ts'
import { PictureField } from '../picture/PictureField.tsx'
import { hand, useHand } from './hand.ts'
import { addressOf } from './address.ts'
import { FileIcon, useKindWords } from './kinds.tsx'
import { useSpaces } from '../team/spaces.ts'
import { may } from './standing.ts'
import type { Actions } from './useActions.tsx'
import { useFiles } from '../usePlace.ts'
import type { ShownFile } from '../usePlace.ts'
import style from '../workspace.module.css'
import { pathTo } from './Crumbs.tsx'
import { FileCover } from './FileCover.tsx'
import { TagPicker } from './TagDialog.tsx'

export function Details({ place, actions }: { place: Place; actions: Actions }) {
  const { t } = useLingui()
  const id = useHand(state => state.details)
  const files = useFiles(place) ?? []
  const file = files.find(one => one.id === id)
  return (
    <Drawer
      open={file !== undefined}
      mask={false}
      size={360}
      title={t`Details`}
      onClose={() => hand.setState({ details: null })}
      styles={{ wrapper: { maxInlineSize: '100vw' } }}
    >
      {file === undefined ? null : <DetailsOf key={file.id} file={file} files={files} place={place} actions={actions} />}
    </Drawer>
  )
}

function DetailsOf({ file, files, place, actions }: { file: ShownFile; files: readonly ShownFile[]; place: Place; actions: Actions }) {
  const { t } = useLingui()
  const words = useWords()
  const kinds = useKindWords()
  const queries = useQueryClient()
  const { data: spaces = [] } = useSpaces()
  const space = spaces.find(one => one.id === file.team)
  const mayWrite = may(file, 'rename', spaces)
  const creator = file.creator ?? file.owner
  const path = pathTo(files, file.parent)
  const model = files.find(one => one.id === file.model)
  const users = files.filter(one => one.model === file.id && one.trashedAt === null)
  const cover = (work: Promise<void>): void => void work.then(() => queries.invalidateQueries({ queryKey: ['files'] })).catch(complain)
  const root = place.local
    ? t`On this device`
    : space === undefined
      ? t`Shared with me`
      : space.type === 'personal'
        ? t`My workspace`
        : space.name
  return (
    <div className={style['details']}>
      <div className={style['cover']}>
        <FileCover file={file} />
      </div>
      {mayWrite && !place.local ? (
        <div className={style['row']}>
          <PictureField
            label={t`Choose a cover`}
            icon={<PictureOutlined aria-hidden />}
            shape={{ width: 960, height: 480 }}
            chosen={image => cover(api.setCover(file.id, image))}
          />
          {file.cover === null ? null : (
            <Button onClick={() => cover(api.removeCover(file.id))}>
              <Trans>Remove the cover</Trans>
            </Button>
          )}
        </div>
      ) : null}
      <h2>
        <FileIcon kind={file.kind} className={style['kindIcon']} /> {file.name}
      </h2>
      <dl>
        <dt>
          <Trans>Kind</Trans>
        </dt>
        <dd>{kinds.name(file.kind)}</dd>
        <dt>
          <Trans>Place</Trans>
        </dt>
        <dd>{[root, ...path.map(folder => folder.name)].join(' / ')}</dd>
        <dt>
          <Trans>Your role</Trans>
        </dt>
        <dd>{words(file.onlyView === true ? restrictionLabels['only-view'] : roleLabels[file.role])}</dd>
        <dt>
          <Trans>Creator</Trans>
        </dt>
        <dd className={style['owner']}>
          <Avatar id={creator.id} name={creator.name} image={creator.avatar} size={20} /> {creator.name}
        </dd>
        <dt>
          <Trans>Created</Trans>
        </dt>
        <dd>
          <When at={file.createdAt} />
        </dd>
        <dt>
          <Trans>Changed</Trans>
        </dt>
        <dd>
          <When at={file.updatedAt} />
        </dd>
        {file.openedAt === null ? null : (
          <>
            <dt>
              <Trans>Opened</Trans>
            </dt>
            <dd>
              <When at={file.openedAt} />
            </dd>
          </>
        )}
        {model === undefined ? null : (
          <>
            <dt>
              <Trans>Runs the model</Trans>
            </dt>
            <dd>
              <Link to={addressOf(model)}>{model.name}</Link>
            </dd>
          </>
        )}
        {users.length === 0 ? null : (
          <>
            <dt>
              <Trans>Used by</Trans>
            </dt>
            <dd>{listNow(users.map(one => one.name))}</dd>
          </>
        )}
        {place.local ? null : <Origin file={file.id} />}
      </dl>
      <Remark key={file.remark} remark={file.remark} disabled={!mayWrite} keep={text => actions.remark(file, text)} />
      {place.local ? null : (
        <>
          <h3>
            <Trans>Tags</Trans>
          </h3>
          <TagPicker files={[file]} actions={actions} disabled={!may(file, 'tag', spaces)} />
          <Button onClick={() => hand.setState({ permissions: file })}>
            <Trans>What may be done</Trans>
          </Button>
        </>
      )}
    </div>
  )
}

/** Kept on leaving the field. */
function Remark({ remark, disabled, keep }: { remark: string; disabled: boolean; keep: (text: string) => void }) {
  const { t } = useLingui()
  const [text, setText] = useState(remark)
  return (
    <label className={style['stack']}>
      <h3>
        <Trans>Remark</Trans>
      </h3>
      <Input.TextArea
        value={text}
        disabled={disabled}
        maxLength={10_000}
        autoSize={{ minRows: 2, maxRows: 10 }}
        placeholder={t`What others should know about this file`}
        onChange={event => setText(event.target.value)}
        onBlur={() => text !== remark && keep(text)}
      />
    </label>
  )
}
