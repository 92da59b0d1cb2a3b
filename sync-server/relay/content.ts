// What is in a document, for those who do not speak Yjs: its committed state, the file it makes, the texts to search in.
import * as Y from 'yjs'
import { dashboardOf } from '../../model-schema/dashboard.ts'
import { fileOf, loadFile, readModel } from '../../model-schema/document.ts'
import { printFile } from '../../model-schema/file.ts'
import type { HoloFile } from '../../model-schema/file.ts'
import { isRootKind } from '../../model-schema/kinds.ts'
import { FROM_MARKET } from '../../model-schema/business/market.ts'
import { Refusal } from '../http.ts'
import type { Rooms } from './rooms.ts'

export type ContentState = { update: Uint8Array; epoch: string; seq: number }

/** The committed document as one update; null when the file has none. Throws `unavailable` when it cannot be read just now. */
export async function stateOf(rooms: Rooms, docId: string): Promise<ContentState | null> {
  const room = await rooms.open(docId)
  if (room === null) return null
  const state = await new Promise<ContentState | null>(done => room.state(done))
  if (state === null) throw new Refusal('unavailable')
  return state
}

/** The document as the text of a `.holo` file. */
export function holoOf(update: Uint8Array): string {
  return printFile(holoFileOf(update))
}

/** The document as a file. */
export function holoFileOf(update: Uint8Array): HoloFile {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, update)
  try {
    return fileOf(doc)
  } finally {
    doc.destroy()
  }
}

/** A file as a new document without a past. */
export function updateOf(file: HoloFile): Uint8Array {
  const doc = new Y.Doc()
  try {
    loadFile(doc, file)
    return Y.encodeStateAsUpdate(doc)
  } finally {
    doc.destroy()
  }
}

/** The publications of the store that a document came from. */
export const marksOf = ({ elements }: HoloFile): string[] => [
  ...new Set(Object.values(elements).flatMap(element => (typeof element[FROM_MARKET] === 'string' ? element[FROM_MARKET] : []))),
]

/** The same file, its roots marked as coming from a publication. */
export function markedAs(file: HoloFile, app: string): HoloFile {
  const elements = Object.fromEntries(
    Object.entries(file.elements).map(([id, element]) => [id, isRootKind(element.kind) ? { ...element, [FROM_MARKET]: app } : element]),
  )
  return { ...file, elements }
}

/** Of a model's scenarios only these, with all that is in them. */
export function scenariosKept(file: HoloFile, scenarios: readonly string[]): HoloFile {
  const { elements } = file
  const first = Object.keys(elements).find(id => isRootKind(elements[id]?.kind ?? ''))
  const rootOf = (id: string): string | undefined => {
    const seen = new Set<string>()
    for (let at = id; !seen.has(at);) {
      seen.add(at)
      const element = elements[at]
      if (element === undefined) return undefined
      if (isRootKind(element.kind)) return at
      at = element.parent ?? first ?? at
    }
    return undefined
  }
  const kept = Object.entries(elements).filter(([id]) => {
    const root = rootOf(id)
    return root !== undefined && (elements[root]?.kind !== 'scenario' || scenarios.includes(root))
  })
  return { ...file, elements: Object.fromEntries(kept) }
}

/** The models that a dashboard or chart runs. */
export function modelsOf(update: Uint8Array): string[] {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, update)
  try {
    const associations = dashboardOf(readModel(doc))?.associations ?? []
    return [...new Set(associations.map(({ modelFile }) => modelFile).filter(file => file !== ''))]
  } finally {
    doc.destroy()
  }
}
