// The page that opens a file. Apart from the kinds' signs: a model's page asks for it before anything of Ant Design is there.
import type { FileRow } from '../local/device.ts'
import { DEVICE_USER } from '../local/place.ts'

/** The address of the page that opens a file. */
export function addressOf(file: Pick<FileRow, 'id' | 'kind' | 'team' | 'user'>): string {
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
      return `/file/${team}/${file.id}`
  }
}
