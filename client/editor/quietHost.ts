// Pages around an editor that do little of what it asks for.
import type { Host } from './commands.ts'

const nothing = (): void => undefined

/** For an editor that only shows, and for tests. */
export const silentHost: Host = {
  write: () => Promise.resolve(),
  read: () => Promise.resolve(''),
  exportPicture: nothing,
  setCover: null,
  download: nothing,
  fullScreen: nothing,
  find: nothing,
  shortcuts: nothing,
  toggle: nothing,
}

/** Without a canvas: formula fields in panels need only the clipboard. */
export const quietHost: Host = {
  ...silentHost,
  write: text => navigator.clipboard.writeText(text),
  read: () => navigator.clipboard.readText(),
}
