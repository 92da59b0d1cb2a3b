// A user's permissions on a file, with reasons: the one table of model-schema/roles.ts, applied to the data on this device.
import { explain } from '../../../model-schema/roles.ts'
import type { Action, Explanation, Subject } from '../../../model-schema/roles.ts'
import type { FileRow } from '../../local/device.ts'
import { DEVICE_USER } from '../../local/place.ts'
import type { WorkspaceEntry } from '../team/spaces.ts'
import type { Words } from '../../../model-schema/words.ts'

type Known = Pick<FileRow, 'user' | 'team' | 'role' | 'onlyView' | 'kind' | 'trashedAt'>

/** Whether the person may, with the reason. Of a workspace they are not in they see single files from outside. */
export function explainFile(file: Known, action: Action, spaces: readonly WorkspaceEntry[]): Explanation {
  const space = spaces.find(one => one.id === file.team)
  const local = file.user === DEVICE_USER
  const subject: Subject = {
    space: local ? 'personal' : (space?.type ?? 'team'),
    file: file.kind === 'block' || file.kind === 'library' ? file.kind : 'other',
    inTrash: file.trashedAt !== null,
    ...(space === undefined ? {} : { switches: space.switches }),
  }
  const restriction = file.onlyView === true ? 'only-view' : null
  return explain({ role: file.role, external: !local && space === undefined, restriction }, action, subject)
}

export const may = (file: Known, action: Action, spaces: readonly WorkspaceEntry[]): boolean => explainFile(file, action, spaces).allowed

/** Whether the content may be taken out of the file, or why not. */
export function mayCopy(file: Known, spaces: readonly WorkspaceEntry[]): true | Words {
  const verdict = explainFile(file, 'copyOut', spaces)
  return verdict.allowed || verdict.because
}
