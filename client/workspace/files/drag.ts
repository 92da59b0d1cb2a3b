// Dragging files onto folders, crumbs and the trash. The dragged files are stored in the page: a browser reveals them to targets only on
// the drop.
import type { DragEvent } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { mayHold } from '../../local/files.ts'
import { hand } from './hand.ts'
import type { Actions } from './useActions.tsx'
import type { ShownFile } from '../usePlace.ts'

const dragged = createStore<{ files: readonly ShownFile[] }>(() => ({ files: [] }))

export const useDragged = (): readonly ShownFile[] => useStore(dragged, state => state.files)

/** Begins with this file and all that are chosen when it is one of them; null ends. */
export function drag(event: DragEvent | null, file: ShownFile, files: readonly ShownFile[]): void {
  if (event === null) return dragged.setState({ files: [] })
  const { chosen } = hand.getState()
  const going = chosen.has(file.id) ? files.filter(one => chosen.has(one.id)) : [file]
  event.dataTransfer.effectAllowed = 'move'
  // Firefox begins no drag without data.
  event.dataTransfer.setData('text/plain', going.map(one => one.name).join('\n'))
  // After the browser has taken its picture of the card.
  setTimeout(() => dragged.setState({ files: going }))
}

/** Whether these may be dropped there: not on themselves, not where they are, and the target takes their kind. */
export function mayDrop(going: readonly ShownFile[], to: { team: string; parent: string | null; kind?: string }): boolean {
  return (
    going.length > 0 &&
    going.every(file => file.id !== to.parent && (to.kind === undefined || mayHold({ kind: to.kind }, file))) &&
    going.some(file => file.parent !== to.parent || file.team !== to.team)
  )
}

/** Handlers of a place that takes files. */
export function dropOn(
  to: { team: string; parent: string | null; kind?: string },
  going: readonly ShownFile[],
  actions: Pick<Actions, 'move'>,
  over: (on: boolean) => void,
) {
  if (!mayDrop(going, to)) return {}
  return {
    onDragOver(event: DragEvent) {
      event.preventDefault()
      event.dataTransfer.dropEffect = 'move'
      over(true)
    },
    onDragLeave: () => over(false),
    onDrop(event: DragEvent) {
      event.preventDefault()
      event.stopPropagation()
      over(false)
      void actions.move(going, { team: to.team, parent: to.parent })
      dragged.setState({ files: [] })
    },
  }
}
