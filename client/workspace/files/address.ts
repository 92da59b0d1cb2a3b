// The page that opens a file. Apart from the kinds' signs: a model's page asks for it before anything of Ant Design is there.
import type { FileRow } from '../../local/device.ts'
import { DEVICE_USER } from '../../local/place.ts'

type Addressed = Pick<FileRow, 'id' | 'kind' | 'team' | 'user' | 'onlyView'>

/** The kinds that have a page to view and run them besides their editor. */
export const hasViewer = (kind: string): boolean => kind === 'model' || kind === 'block' || kind === 'chart' || kind === 'experiment'

/** The address of the page that shows a file without its editor. */
export const viewerOf = (file: Addressed): string => `/file/${file.user === DEVICE_USER ? 'device' : file.team}/${file.id}`

/** The address of the page that opens a file: its viewer for a person who may only view it. */
export function addressOf(file: Addressed): string {
  if (file.onlyView === true && hasViewer(file.kind)) return viewerOf(file)
  const team = file.user === DEVICE_USER ? 'device' : file.team
  switch (file.kind) {
    case 'folder':
    case 'project':
    case 'library':
      return `/workspace/${team}/project/${file.id}`
    case 'tag-set':
      return `/workspace/${team}/setting`
    case 'block':
      return `/lib/${team}/${file.id}`
    case 'experiment':
      return `/experimenting/${team}/${file.id}`
    case 'chart':
      return `/chart/${team}/${file.id}`
    case 'model':
      return `/modeling/${team}/${file.id}`
    default:
      return viewerOf(file)
  }
}
