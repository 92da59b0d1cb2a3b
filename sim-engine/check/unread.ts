// What the command line prints of a file's unknown kinds, fields and values.
import type { HoloFile } from '../../model-schema/file.ts'
import { unreadOf } from '../../model-schema/file.ts'
import { english } from '../../model-schema/words.ts'

/** Most warnings of one file. */
const maxWarningsPerFile = 20

export function tellUnread(path: string, file: HoloFile, tell: (text: string) => void): void {
  const unread = unreadOf(file)
  for (const { path: where, severity, words, refused } of unread.slice(0, maxWarningsPerFile))
    tell(`${path}: ${severity}: ${where}: ${english(refused ?? words)}\n`)
  if (unread.length > maxWarningsPerFile) tell(`${path}: warning: and ${unread.length - maxWarningsPerFile} more\n`)
}
