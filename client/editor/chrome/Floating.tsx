// Overlays of the canvas that are loaded later: suggestions for the next step, menus, the start of an empty model, the command palette.
import { useLingui } from '@lingui/react/macro'
import { Suspense, useEffect } from 'react'
import { lessonOf } from '../../tutorials/address.ts'
import { importedPart } from '../../ui/loading/updates.ts'
import { bornEvent } from '../skeleton.ts'
import { useEditor, useView } from '../useEditor.ts'
import { ContextMenu } from './commands/ContextMenu.tsx'
import { QuickAdd } from './adding/QuickAdd.tsx'

const Welcome = importedPart(
  () => import('./Welcome.tsx'),
  module => module.Welcome,
)
const ProcessStart = importedPart(
  () => import('./Welcome.tsx'),
  module => module.ProcessStart,
)
const Coach = importedPart(
  () => import('../../tutorials/Coach.tsx'),
  module => module.Coach,
)
const CommandPalette = importedPart(
  () => import('./commands/CommandPalette.tsx'),
  module => module.CommandPalette,
)

export function Floating() {
  const asked = useView(view => view.palette)
  const learns = useView(view => view.lesson !== null)
  useAskedLesson()
  return (
    <>
      <QuickAdd />
      <ContextMenu />
      <PlacingHint />
      <Suspense>
        <Start />
        {asked && <CommandPalette />}
        {learns && <Coach />}
      </Suspense>
    </>
  )
}

/** Starts the tutorial that the address asks for, once. */
function useAskedLesson(): void {
  const editor = useEditor()
  useEffect(() => {
    const lesson = lessonOf(location.hash)
    if (lesson === null || !editor.writable) return
    editor.view.setState({ lesson })
    history.replaceState(history.state, '', location.pathname + location.search)
  }, [editor])
}

/** Starters, shown while the scenario is empty, or a process has only a start and an end. */
function Start() {
  const editor = useEditor()
  const isEmpty = useView(view => view.canvas === view.scenario && view.size.w > 0 && editor.scene.count === 0 && view.tool === 'idle')
  const isBorn = useView(
    view =>
      view.size.w >= 600 &&
      view.tool === 'idle' &&
      view.lesson === null &&
      editor.scene.count === 3 &&
      bornEvent(editor, view.canvas, 'start') !== null,
  )
  const asks = useView(view => view.quickAdd !== null)
  if (asks || !editor.writable) return null
  return isEmpty ? <Welcome /> : isBorn ? <ProcessStart /> : null
}

/** Says what happens with what hangs on the pointer. */
function PlacingHint() {
  const { t } = useLingui()
  const placing = useView(view => view.tool === 'placing')
  return placing ? (
    <p className="h-place-hint" role="status">
      {t`Click the canvas to place it, Esc to stop`}
    </p>
  ) : null
}
