// The actions on files, with their messages. One place, for menus, keys, drags and cards alike.
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { nanoid } from 'nanoid'
import { api } from '../../api.ts'
import type { FileKind } from '../../local/device.ts'
import {
  createFile,
  deleteFile,
  duplicateFile,
  moveFile,
  remarkFile,
  renameFile,
  restoreFile,
  setFavourite,
  tagFile,
  trashFile,
} from '../../local/files.ts'
import { nudge } from '../../local/nudge.ts'
import type { FileTag } from '../../local/device.ts'
import type { Place } from '../../local/place.ts'
import { nameNext } from '../../ui/naming.ts'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { complain, confirmed, hush, notify, say } from '../../ui/toast.ts'
import { choose, hand, keepUndo, undoLast } from './hand.ts'
import { addressOf, hasViewer, viewerOf } from './address.ts'
import { useKindWords } from './kinds.tsx'
import { downloadFile, uploadFiles } from './transfer.ts'
import type { ShownFile } from '../usePlace.ts'

export type Actions = ReturnType<typeof useActions>

/** New files go to `parent` of the place's workspace. */
export function useActions(place: Place, parent: string | null = null) {
  const navigate = useNavigate()
  const words = useKindWords()
  const open = (file: AddressedFile): Promise<void> => navigate({ to: addressOf(file) })

  return {
    open: (file: AddressedFile) => attempt(open(file)),
    /** Shows a file without its editor. */
    view: (file: ShownFile) => attempt(navigate({ to: viewerOf(file) })),
    create(kind: FileKind = 'model'): void {
      const made = async (): Promise<void> => {
        const file = await createFile(place, words.fresh(kind), null, { kind, parent })
        // A file with an editor opens in it and is named there. A model opens with its canvas.
        if (hasViewer(kind) || kind === 'dashboard') {
          if (kind !== 'model' && kind !== 'block') nameNext(file.id)
          await open(file)
        } else hand.setState({ renaming: file.id })
      }
      attempt(made())
    },
    /** A new folder of a workspace: its id, or null when it could not be made. */
    makeFolder: async (team: string): Promise<string | null> => {
      try {
        return (await createFile({ ...place, team }, words.fresh('folder'), null, { kind: 'folder' })).id
      } catch (error) {
        complain(error)
        return null
      }
    },
    upload: (files: readonly File[]) => attempt(uploadFiles(place, files, parent)),
    ...actionsOnOne(place),
    ...actionsOnSeveral(place),
  }
}

type AddressedFile = Parameters<typeof addressOf>[0]

const actionsOnOne = (place: Place) => ({
  /** Rejects with the reason when the name can't be used. */
  rename: (file: ShownFile, name: string) => renameFile(place, file.id, name),
  remark: (file: ShownFile, remark: string) => attempt(remarkFile(place, file.id, remark)),
  tag: (file: ShownFile, tags: readonly FileTag[]) => tagFile(place, file.id, tags),
  favourite: (file: ShownFile) => attempt(setFavourite(place, file.id, !file.favourite)),
  duplicate: (file: ShownFile) =>
    attempt(duplicateFile(place, file.id, t`${file.name} copy`).then(copy => say(t`“${copy.name}” was added.`))),
  /** From outside, or a block of a library: a copy in one's own workspace, made by the server. */
  copyTo: async (file: ShownFile, team: string) => {
    await api.copyFile(file.id, { id: nanoid(), name: file.name, team })
    nudge()
    say(t`A copy of “${file.name}” is in the other workspace.`)
  },
})

const actionsOnSeveral = (place: Place) => ({
  async trash(files: readonly ShownFile[]): Promise<void> {
    const done = await each(files, file => trashFile(place, file.id))
    if (done.length === 0) return
    choose([])
    const many = t`${plural(done.length, { one: '# file is in the trash.', other: '# files are in the trash.' })}`
    undoable(
      named(done, name => t`“${name}” is in the trash.`, many),
      async () => void (await each(done, file => restoreFile(place, file.id))),
    )
  },
  async move(files: readonly ShownFile[], to: { team: string; parent: string | null }): Promise<void> {
    const done = await each(files, file => moveFile(place, file.id, to))
    if (done.length === 0) return
    choose([])
    const many = t`${plural(done.length, { one: '# file was moved.', other: '# files were moved.' })}`
    undoable(
      named(done, name => t`“${name}” was moved.`, many),
      async () => void (await each(done, file => moveFile(place, file.id, { team: file.team, parent: file.parent }))),
    )
  },
  async restore(files: readonly ShownFile[]): Promise<void> {
    const done = await each(files, file => restoreFile(place, file.id))
    const many = t`${plural(done.length, { one: '# file was restored.', other: '# files were restored.' })}`
    if (done.length > 0) say(named(done, name => t`“${name}” was restored.`, many))
  },
  download: (files: readonly ShownFile[]) => attempt(each(files, file => downloadFile(place, file))),
  async remove(files: readonly ShownFile[]): Promise<void> {
    const first = files[0]
    if (first === undefined) return
    const sure = await confirmed({
      title: named(
        files,
        name => t`Delete “${name}” for ever?`,
        t`${plural(files.length, { one: 'Delete # file for ever?', other: 'Delete # files for ever?' })}`,
      ),
      content: t`It will be gone with its history and everything in it, for everybody it is shared with too. This can't be undone.`,
      ok: t`Delete for ever`,
      cancel: t`Cancel`,
    })
    if (sure) await each(files, file => deleteFile(place, file.id))
  },
  async empty(files: readonly ShownFile[]): Promise<void> {
    const sure = await confirmed({
      title: t`Empty the trash?`,
      content: t`Everything in it (${files.length}) will be gone for ever. This can't be undone.`,
      ok: t`Empty the trash`,
      cancel: t`Cancel`,
    })
    // The content of a deleted folder is deleted with it.
    if (sure) await each(topsOf(files), file => deleteFile(place, file.id))
  },
})

const attempt = (work: Promise<unknown>): void => void work.catch(complain)

/** Says what was done, and offers the way back for a moment. */
function undoable(text: string, undo: () => Promise<void>): void {
  keepUndo(undo)
  notify('info', text, '', {
    key: 'undo',
    actions: (
      <PlainButton
        small
        onClick={() => {
          hush('undo')
          attempt(undoLast())
        }}
      >
        <Trans>Undo</Trans>
      </PlainButton>
    ),
  })
}

/** One after another; those that can't be done say why, the others are done. Returns those done. */
async function each(files: readonly ShownFile[], work: (file: ShownFile) => Promise<unknown>): Promise<ShownFile[]> {
  const done: ShownFile[] = []
  for (const file of files) {
    try {
      await work(file)
      done.push(file)
    } catch (error) {
      complain(error)
    }
  }
  return done
}

const named = (files: readonly ShownFile[], one: (name: string) => string, many: string): string =>
  files.length === 1 && files[0] !== undefined ? one(files[0].name) : many

/** Of files in the trash, those that were thrown away themselves, not along with their folder. */
export function topsOf<T extends Pick<ShownFile, 'id' | 'parent' | 'trashedAt'>>(files: readonly T[]): T[] {
  const times = new Map(files.map(file => [file.id, file.trashedAt]))
  return files.filter(file => file.parent === null || times.get(file.parent) !== file.trashedAt)
}
