// The page around an editor that has no canvas: formula fields in panels need only the clipboard.
import type { Host } from './commands.ts'

const nothing = (): void => undefined

export const quietHost: Host = {
  write: text => navigator.clipboard.writeText(text),
  read: () => navigator.clipboard.readText(),
  exportPicture: nothing,
  setCover: null,
  download: nothing,
  fullScreen: nothing,
  find: nothing,
  shortcuts: nothing,
  toggle: nothing,
}
