// Files as cards or rows. Everything a mouse can do the keyboard can: Enter opens, F2 renames, Delete trashes, the menu key lists.
import {
  CloudUploadOutlined,
  CopyOutlined,
  DeleteOutlined,
  DownloadOutlined,
  EditOutlined,
  ExclamationCircleOutlined,
  MoreOutlined,
  ShareAltOutlined,
} from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Button, Dropdown, Tooltip } from 'antd'
import { useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import type { Place } from '../local/place.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { When } from '../ui/When.tsx'
import { wordsOfCode } from '../ui/notices.ts'
import { PreviewCover } from './Cover.tsx'
import { NameField } from './NameField.tsx'
import { ShareDialog } from './ShareDialog.tsx'
import { mayKeep, mayRename, mayShare } from './useActions.ts'
import type { Actions } from './useActions.ts'
import type { ShownFile } from './usePlace.ts'
import { useView } from './view.ts'
import style from './workspace.module.css'

type Props = { files: readonly ShownFile[]; place: Place; actions: Actions; caption: string }

export function FileList({ files, place, actions, caption }: Props) {
  const { layout } = useView()
  const [renaming, setRenaming] = useState<string | null>(null)
  const [sharing, setSharing] = useState<ShownFile | null>(null)
  const item = { place, actions, renaming, setRenaming, share: setSharing }
  return (
    <>
      {layout === 'cards' ? (
        <ul className={style['cards']} aria-label={caption}>
          {files.map(file => (
            <Card key={file.id} file={file} {...item} />
          ))}
        </ul>
      ) : (
        <div className={style['tableBox']}>
          <table className={style['table']}>
            <caption className="h-hidden">{caption}</caption>
            <thead>
              <tr>
                <th scope="col">
                  <Trans>Name</Trans>
                </th>
                <th scope="col" className={style['wideCell']}>
                  <Trans>Owner</Trans>
                </th>
                <th scope="col" className={style['wideCell']}>
                  <Trans>Created</Trans>
                </th>
                <th scope="col">
                  <Trans>Changed</Trans>
                </th>
                <th scope="col">
                  <span className="h-hidden">
                    <Trans>Actions</Trans>
                  </span>
                </th>
              </tr>
            </thead>
            <tbody>
              {files.map(file => (
                <Row key={file.id} file={file} {...item} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {sharing === null ? null : <ShareDialog file={sharing} close={() => setSharing(null)} />}
    </>
  )
}

type ItemProps = {
  file: ShownFile
  place: Place
  actions: Actions
  renaming: string | null
  setRenaming: (id: string | null) => void
  share: (file: ShownFile) => void
}

function Card(props: ItemProps) {
  const { file } = props
  return (
    <Menu {...props}>
      <li className={style['card']} onKeyDown={keysOf(props)}>
        <div className={style['cover']}>
          <PreviewCover preview={file.preview ?? null} />
        </div>
        <div className={style['cardText']}>
          <Name {...props} />
          <span className={style['meta']}>
            <When at={file.updatedAt} />
            <Standing file={file} />
            {file.team === props.place.team ? null : <span>· {file.owner.name}</span>}
          </span>
        </div>
        <MoreButton {...props} />
      </li>
    </Menu>
  )
}

function Row(props: ItemProps) {
  const { file } = props
  return (
    <Menu {...props}>
      <tr onKeyDown={keysOf(props)}>
        <td>
          <span className={style['nameCell']}>
            <Name {...props} />
            <Standing file={file} />
          </span>
        </td>
        <td className={style['wideCell']}>
          <span className={style['owner']}>
            <Avatar id={file.owner.id} name={file.owner.name} size={20} />
            {file.owner.name}
          </span>
        </td>
        <td className={style['wideCell']}>
          <When at={file.createdAt} />
        </td>
        <td>
          <When at={file.updatedAt} />
        </td>
        <td className={style['moreCell']}>
          <MoreButton {...props} />
        </td>
      </tr>
    </Menu>
  )
}

function Name({ file, actions, renaming, setRenaming }: ItemProps) {
  if (renaming === file.id) return <NameField name={file.name} rename={name => actions.rename(file, name)} done={() => setRenaming(null)} />
  return (
    <Link
      to="/modeling/$teamCode/$modelId"
      params={{ teamCode: file.team, modelId: file.id }}
      className={style['name']}
      title={file.name}
      data-file={file.id}
    >
      {file.name}
    </Link>
  )
}

/** Not told to the server yet, or refused by it. */
function Standing({ file }: { file: ShownFile }) {
  const { t } = useLingui()
  if (file.state === 'told') return null
  if (file.state === 'waiting') {
    const words = t`On this device; sent to the server when it can be reached`
    return (
      <Tooltip title={words}>
        <CloudUploadOutlined className={style['waiting']} aria-label={words} role="img" />
      </Tooltip>
    )
  }
  const reason = wordsOfCode(file.state.refused)
  const words = t`The server did not take the last change. ${reason} The file is on this device.`
  return (
    <Tooltip title={words}>
      <ExclamationCircleOutlined className={style['refused']} aria-label={words} role="img" />
    </Tooltip>
  )
}

function useItems({ file, place, actions, setRenaming, share }: ItemProps) {
  const { t } = useLingui()
  const items = [
    {
      key: 'rename',
      icon: <EditOutlined aria-hidden />,
      label: t`Rename`,
      disabled: !mayRename(file),
      onClick: () => setRenaming(file.id),
    },
    { key: 'duplicate', icon: <CopyOutlined aria-hidden />, label: t`Duplicate`, onClick: () => actions.duplicate(file) },
    { key: 'download', icon: <DownloadOutlined aria-hidden />, label: t`Download .holo`, onClick: () => actions.download(file) },
    ...(place.local
      ? []
      : [
          {
            key: 'share',
            icon: <ShareAltOutlined aria-hidden />,
            label: t`Share`,
            disabled: !mayShare(place, file),
            onClick: () => share(file),
          },
        ]),
    { type: 'divider' as const },
    {
      key: 'trash',
      icon: <DeleteOutlined aria-hidden />,
      label: t`Move to trash`,
      danger: true,
      disabled: !mayKeep(place, file),
      onClick: () => actions.trash(file),
    },
  ]
  return { items }
}

function Menu(props: ItemProps & { children: ReactNode }) {
  const menu = useItems(props)
  return (
    <Dropdown trigger={['contextMenu']} menu={menu}>
      {props.children}
    </Dropdown>
  )
}

function MoreButton(props: ItemProps) {
  const { t } = useLingui()
  const menu = useItems(props)
  const name = props.file.name
  return (
    <Dropdown trigger={['click']} menu={menu} placement="bottomRight">
      <Button type="text" size="small" className={style['more']} icon={<MoreOutlined aria-hidden />} aria-label={t`Actions for ${name}`} />
    </Dropdown>
  )
}

function keysOf({ file, place, actions, renaming, setRenaming }: ItemProps) {
  return (event: KeyboardEvent): void => {
    if (renaming !== null) return
    if (event.key === 'F2' && mayRename(file)) setRenaming(file.id)
    else if (event.key === 'Delete' && mayKeep(place, file)) actions.trash(file)
    else return
    event.preventDefault()
  }
}
