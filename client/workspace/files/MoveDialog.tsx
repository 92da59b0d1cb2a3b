// The target of a move: every workspace in which the user may create files, with its folders. The current folder and forbidden ones can't
// be chosen.
import { Trans, useLingui } from '@lingui/react/macro'
import { plural } from '@lingui/core/macro'
import { Alert, Button, Modal, Tree } from 'antd'
import { useState } from 'react'
import { can } from '../../../model-schema/roles.ts'
import { useWords } from '../../i18n/locale.ts'
import { holders } from '../../local/device.ts'
import type { FileRow } from '../../local/device.ts'
import { mayHold } from '../../local/files.ts'
import type { Place } from '../../local/place.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FileIcon } from './kinds.tsx'
import { useSpaces } from '../team/spaces.ts'
import type { WorkspaceEntry } from '../team/spaces.ts'
import { explainFile } from './standing.ts'
import type { Actions } from './useActions.tsx'
import { useFiles } from '../usePlace.ts'
import type { ShownFile } from '../usePlace.ts'
import style from '../workspace.module.css'

type Props = { files: readonly ShownFile[]; place: Place; actions: Actions; close: () => void }
type Node = { key: string; title: string; icon: React.ReactNode; disabled: boolean; selectable: boolean; children: Node[] }

export function MoveDialog({ files, place, actions, close }: Props) {
  const { t } = useLingui()
  const words = useWords()
  const { data: spaces = [] } = useSpaces()
  const all = useFiles(place) ?? []
  const [target, setTarget] = useState<string | null>(null)
  const home = files[0]?.team ?? place.team
  const places = place.local
    ? [{ id: place.team, name: t`On this device`, icon: null }]
    : spaces
        .filter(space => can({ role: space.role }, 'createFile', { space: space.type }))
        // Where the files are comes first.
        .sort((a, b) => Number(b.id === home) - Number(a.id === home))
        .map(space => ({ id: space.id, name: space.type === 'personal' ? t`My workspace` : space.name, icon: space.icon }))
  const tree: Node[] = places.map(({ id, name, icon }) => ({
    key: `${id}/`,
    title: name,
    icon: <Avatar id={id} name={name} size={18} image={icon} space />,
    ...choice(files, { team: id, parent: null }),
    children: foldersIn(all, files, id, null),
  }))
  const mayMake = places.some(one => one.id === home)
  const [team = '', parent = ''] = target?.split('/') ?? []
  const across = target !== null && team !== home
  const hindrance = across ? hindranceAcross(files, spaces, team) : null
  const count = files.length
  const first = files[0]?.name ?? ''
  return (
    <Modal
      open
      title={count === 1 ? t`Move “${first}” to` : t`${plural(count, { one: 'Move # file to', other: 'Move # files to' })}`}
      okText={t`Move`}
      okButtonProps={{ disabled: target === null || hindrance !== null }}
      onOk={() => {
        close()
        void actions.move(files, { team, parent: parent === '' ? null : parent })
      }}
      onCancel={close}
      width={460}
      destroyOnHidden
    >
      {tree.some(holdsChoice) ? (
        <div className={style['tree']}>
          <Tree
            blockNode
            showIcon
            treeData={tree}
            defaultExpandedKeys={[`${home}/`]}
            selectedKeys={target === null ? [] : [target]}
            onSelect={([key]) => setTarget(typeof key === 'string' ? key : null)}
            aria-label={t`Folders`}
          />
        </div>
      ) : (
        <EmptyState
          title={t`Nowhere to move to yet`}
          text={t`A folder keeps together what belongs together.`}
          action={
            mayMake ? (
              <Button onClick={() => void actions.makeFolder(home).then(id => setTarget(id === null ? null : `${home}/${id}`))}>
                <Trans>Make a folder</Trans>
              </Button>
            ) : undefined
          }
        />
      )}
      {across && hindrance === null ? (
        <Alert
          type="info"
          title={<Trans>It goes to another workspace: members of this one lose access, and tags of its sets are dropped.</Trans>}
        />
      ) : null}
      {hindrance === null ? null : <Alert type="warning" showIcon title={words(hindrance)} />}
    </Modal>
  )
}

/** Whether a place, or one in it, can be chosen. */
const holdsChoice = (node: Node): boolean => node.selectable || node.children.some(holdsChoice)

/** Whether a place can be chosen: the files don't all lie there already. */
function choice(files: readonly ShownFile[], to: { team: string; parent: string | null }): Pick<Node, 'disabled' | 'selectable'> {
  const same = files.every(file => file.team === to.team && file.parent === to.parent)
  return { disabled: same, selectable: !same }
}

function foldersIn(all: readonly FileRow[], going: readonly ShownFile[], team: string, parent: string | null): Node[] {
  return all
    .filter(file => file.team === team && file.parent === parent && holders.has(file.kind) && file.trashedAt === null)
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(folder => {
      const self = going.some(file => file.id === folder.id)
      const takes = going.every(file => mayHold(folder, file))
      const { disabled } = choice(going, { team, parent: folder.id })
      return {
        key: `${team}/${folder.id}`,
        title: folder.name,
        icon: <FileIcon kind={folder.kind} />,
        disabled: self || !takes || disabled,
        selectable: !self && takes && !disabled,
        // A folder is not moved into itself.
        children: self ? [] : foldersIn(all, going, team, folder.id),
      }
    })
}

/** Why the files may not leave their workspace, in words; null when they may. */
function hindranceAcross(files: readonly ShownFile[], spaces: readonly WorkspaceEntry[], team: string) {
  const personal = spaces.find(space => space.id === team)?.type === 'personal'
  for (const file of files) {
    for (const action of [personal ? 'copyToPersonal' : 'copyOut', 'trash'] as const) {
      const verdict = explainFile(file, action, spaces)
      if (!verdict.allowed) return verdict.because
    }
  }
  return null
}
