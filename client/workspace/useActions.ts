// What can be done to files, with what a person hears of it. One place, for menus, keys and cards alike.
import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { canManage, canWrite } from '../../sync-server/protocol.ts'
import { createFile, deleteFile, duplicateFile, renameFile, restoreFile, trashFile } from '../local/files.ts'
import type { Place } from '../local/place.ts'
import { complain, confirmed, say } from '../ui/toast.ts'
import { downloadFile, uploadFiles } from './transfer.ts'
import type { ShownFile } from './usePlace.ts'

export type Actions = ReturnType<typeof useActions>

/** Whether the person may rename, trash or delete it: whoever writes in its workspace, when it is theirs. */
export const mayKeep = (place: Place, file: ShownFile): boolean => file.team === place.team && canWrite(file.role)
export const mayRename = (file: ShownFile): boolean => canWrite(file.role)
export const mayShare = (place: Place, file: ShownFile): boolean => !place.local && canManage(file.role)

export function useActions(place: Place) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const open = (id: string, team: string): Promise<void> =>
    navigate({ to: '/modeling/$teamCode/$modelId', params: { teamCode: team, modelId: id } })
  const attempt = (work: Promise<unknown>): void => void work.catch(complain)
  return {
    open: (file: { id: string; team: string }) => attempt(open(file.id, file.team)),
    create: () => attempt(createFile(place, t`New model`, null).then(file => open(file.id, file.team))),
    /** Rejects with the reason when the name can't be used. */
    rename: (file: ShownFile, name: string) => renameFile(place, file.id, name),
    duplicate: (file: ShownFile) =>
      attempt(duplicateFile(place, file.id, t`${file.name} copy`).then(copy => say(t`“${copy.name}” was added.`))),
    trash: (file: ShownFile) => attempt(trashFile(place, file.id).then(() => say(t`“${file.name}” is in the trash.`))),
    restore: (file: ShownFile) => attempt(restoreFile(place, file.id).then(() => say(t`“${file.name}” was restored.`))),
    download: (file: ShownFile) => attempt(downloadFile(place, file)),
    upload: (files: readonly File[]) => attempt(uploadFiles(place, files)),
    async remove(file: ShownFile): Promise<void> {
      const sure = await confirmed({
        title: t`Delete “${file.name}” for ever?`,
        content: t`The model and its history will be gone, for everybody it is shared with too. This can't be undone.`,
        ok: t`Delete for ever`,
        cancel: t`Cancel`,
      })
      if (sure) await deleteFile(place, file.id).catch(complain)
    },
    async empty(files: readonly ShownFile[]): Promise<void> {
      const sure = await confirmed({
        title: t`Empty the trash?`,
        content: t`Everything in it (${files.length}) will be gone for ever. This can't be undone.`,
        ok: t`Empty the trash`,
        cancel: t`Cancel`,
      })
      if (!sure) return
      for (const file of files) await deleteFile(place, file.id).catch(complain)
    },
  }
}
