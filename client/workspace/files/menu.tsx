// The menu of a file. Actions that are not permitted are shown with the reason.
import {
  CopyOutlined,
  DeleteOutlined,
  DownloadOutlined,
  EditOutlined,
  EyeOutlined,
  FolderOpenOutlined,
  InfoCircleOutlined,
  SafetyCertificateOutlined,
  ShareAltOutlined,
  ShopOutlined,
  StarOutlined,
  TagsOutlined,
} from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import type { MenuProps } from 'antd'
import type { ReactNode } from 'react'
import { publishedAs } from '../../../model-schema/business/market.ts'
import type { Action } from '../../../model-schema/roles.ts'
import { useWords } from '../../i18n/locale.ts'
import type { Place } from '../../local/place.ts'
import { complain } from '../../ui/toast.ts'
import { hasViewer } from './address.ts'
import { hand } from './hand.ts'
import { comesFirst } from './kinds.tsx'
import { useSpaces } from '../team/spaces.ts'
import { explainFile } from './standing.ts'
import type { Actions } from './useActions.tsx'
import type { ShownFile } from '../usePlace.ts'

export function useItems({ file, place, actions }: { file: ShownFile; place: Place; actions: Actions }): MenuProps['items'] {
  const { t } = useLingui()
  const words = useWords()
  const { data: spaces = [] } = useSpaces()
  const isDocument = file.kind === 'model' || file.kind === 'block'
  const item = (key: string, icon: ReactNode, label: string, action: Action, run: () => void, danger = false) => {
    const verdict = explainFile(file, action, spaces)
    return { key, icon, label, danger, disabled: !verdict.allowed, title: verdict.allowed ? '' : words(verdict.because), onClick: run }
  }
  const own = spaces.find(space => space.type === 'personal')
  const outside = file.team !== place.team && !spaces.some(space => space.id === file.team)
  return [
    ...(hasViewer(file.kind) ? [item('view', <EyeOutlined aria-hidden />, t`View and run`, 'view', () => actions.view(file))] : []),
    item('rename', <EditOutlined aria-hidden />, t`Rename`, 'rename', () => hand.setState({ renaming: file.id })),
    ...(outside
      ? own === undefined || comesFirst(file.kind)
        ? []
        : [
            item('copy', <CopyOutlined aria-hidden />, t`Copy to my workspace`, 'copyToPersonal', () => {
              actions.copyTo(file, own.id).catch(complain)
            }),
          ]
      : [item('duplicate', <CopyOutlined aria-hidden />, t`Duplicate`, 'copy', () => actions.duplicate(file))]),
    item('move', <FolderOpenOutlined aria-hidden />, t`Move…`, 'move', () => hand.setState({ moving: [file] })),
    ...(isDocument
      ? [item('download', <DownloadOutlined aria-hidden />, t`Download .holo`, 'copyOut', () => actions.download([file]))]
      : []),
    { type: 'divider' as const },
    {
      key: 'favourite',
      icon: <StarOutlined aria-hidden />,
      label: file.favourite ? t`Remove from the favourites` : t`Add to the favourites`,
      onClick: () => actions.favourite(file),
    },
    ...(place.local
      ? []
      : [
          item('tags', <TagsOutlined aria-hidden />, t`Tags…`, 'tag', () => hand.setState({ tagging: [file] })),
          item('share', <ShareAltOutlined aria-hidden />, t`Share`, 'share', () => hand.setState({ sharing: file })),
          ...(publishedAs[file.kind] === undefined
            ? []
            : [
                item(
                  'publish',
                  <ShopOutlined aria-hidden />,
                  t`Publish to the store…`,
                  file.kind === 'dashboard' ? 'publishDashboard' : 'publish',
                  () => hand.setState({ publishing: file }),
                ),
              ]),
          item('permissions', <SafetyCertificateOutlined aria-hidden />, t`What may be done`, 'view', () =>
            hand.setState({ permissions: file }),
          ),
        ]),
    {
      key: 'details',
      icon: <InfoCircleOutlined aria-hidden />,
      label: t`Details`,
      onClick: () => hand.setState({ details: file.id }),
    },
    { type: 'divider' as const },
    item('trash', <DeleteOutlined aria-hidden />, t`Move to trash`, 'trash', () => void actions.trash([file]), true),
  ]
}
