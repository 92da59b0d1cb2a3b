// The sorts of files as people meet them: name and sign.
import {
  AppstoreOutlined,
  BlockOutlined,
  BookOutlined,
  DashboardOutlined,
  ExperimentOutlined,
  FolderFilled,
  LineChartOutlined,
  PartitionOutlined,
  ProjectFilled,
  TagsOutlined,
} from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { isFileKind } from '../../local/device.ts'
import type { FileKind } from '../../local/device.ts'

const icons: Record<FileKind, typeof AppstoreOutlined> = {
  model: PartitionOutlined,
  experiment: ExperimentOutlined,
  dashboard: DashboardOutlined,
  chart: LineChartOutlined,
  project: ProjectFilled,
  folder: FolderFilled,
  block: BlockOutlined,
  'tag-set': TagsOutlined,
  library: BookOutlined,
}

/** The sign of a kind, decorative. */
export function FileIcon({ kind, className }: { kind: string; className?: string | undefined }) {
  const Icon = isFileKind(kind) ? icons[kind] : AppstoreOutlined
  return <Icon aria-hidden {...(className === undefined ? {} : { className })} />
}

/** What each kind is called, alone and when new. */
export function useKindWords(): { name: (kind: string) => string; fresh: (kind: FileKind) => string } {
  const { t } = useLingui()
  const names: Record<FileKind, string> = {
    model: t`Model`,
    experiment: t`Experiment`,
    dashboard: t`Dashboard`,
    chart: t`Chart`,
    project: t`Project`,
    folder: t`Folder`,
    block: t`Block`,
    'tag-set': t`Tag set`,
    library: t`Library`,
  }
  const fresh: Record<FileKind, string> = {
    model: t`New model`,
    experiment: t`New experiment`,
    dashboard: t`New dashboard`,
    chart: t`New chart`,
    project: t`New project`,
    folder: t`New folder`,
    block: t`New block`,
    'tag-set': t`New tag set`,
    library: t`New library`,
  }
  return { name: kind => (isFileKind(kind) ? names[kind] : kind), fresh: kind => fresh[kind] }
}

/** Kinds that hold others come first in lists. */
export const comesFirst = (kind: string): boolean => kind === 'project' || kind === 'folder' || kind === 'library'
