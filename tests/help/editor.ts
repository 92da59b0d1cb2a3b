// Drives the headless editor in tests: a document made from builders, a window of 1000 x 800 looking at the canvas 1:1,
// so that pointer positions are canvas positions.
import { createStore } from 'zustand/vanilla'
import { Doc } from 'yjs'
import { Editor } from '../../client/editor/editor.ts'
import { loadFile, readModel, watchModel } from '../../model-schema/document.ts'
import { createUndo } from '../../model-schema/edit.ts'
import type { HoloFile } from '../../model-schema/file.ts'
import type { Element, Model } from '../../model-schema/model.ts'

export type Driver = {
  editor: Editor
  doc: Doc
  /** The element with this name anywhere in the model. Throws when there is none. */
  named(name: string): Element
  /** Kinds on the canvas shown, in order. */
  kinds(): string[]
  /** Wires of the canvas as `from -> to`, by name or kind. */
  wires(): string[]
}

export function editorOf(file: HoloFile, { writable = true } = {}): Driver {
  const doc = new Doc()
  loadFile(doc, file)
  const model = createStore<{ model: Model }>(() => ({ model: readModel(doc) }))
  watchModel(doc, next => model.setState({ model: next }))
  const editor = new Editor({ doc, model, undo: createUndo(doc), writable: () => writable })
  editor.view.setState({ size: { w: 1000, h: 800 } })
  editor.look({ x: 0, y: 0, zoom: 1 })
  const called = (element: Element | undefined): string => String(element?.fields['name'] || element?.kind)
  const shown = (): Element[] =>
    (editor.model.elements.get(editor.view.getState().canvas)?.children ?? [])
      .map(id => editor.model.elements.get(id))
      .filter(element => element !== undefined)
  return {
    editor,
    doc,
    named(name) {
      for (const element of editor.model.elements.values()) if (element.fields['name'] === name) return element
      throw new Error(`no element is called ${name}`)
    },
    kinds: () =>
      shown()
        .filter(element => !element.ends)
        .map(element => element.kind),
    wires: () =>
      shown()
        .filter(element => element.ends)
        .map(
          ({ ends }) =>
            `${called(editor.model.elements.get(ends?.from.id ?? ''))} -> ${called(editor.model.elements.get(ends?.to.id ?? ''))}`,
        ),
  }
}

/** A file with a process `Go` on the root canvas, holding these steps at the given positions, joined as given. */
export function processFile(
  steps: Readonly<Record<string, readonly [kind: string, x: number, y: number]>>,
  flows: readonly (readonly [string, string])[] = [],
): HoloFile {
  const sizes: Readonly<Record<string, readonly [number, number]>> = {
    start: [40, 40],
    end: [40, 40],
    gateway: [48, 48],
    boundary: [32, 32],
    intermediate: [40, 40],
    frame: [400, 300],
  }
  const elements: HoloFile['elements'] = {
    s1: { kind: 'scenario', name: 'Scenario 1', rank: 'a0' },
    go: { kind: 'process', name: 'Go', parent: 's1', rank: 'a0', geo: [100, 100, 120, 72] },
  }
  Object.entries(steps).forEach(([name, [kind, x, y]], i) => {
    const [w, h] = sizes[kind] ?? [120, 72]
    elements[name] = { kind, name, parent: 'go', rank: `a${i}`, geo: [x, y, w, h] }
  })
  flows.forEach(([from, to], i) => {
    elements[`f${i}`] = { kind: 'flow', parent: 'go', rank: `b${String(i).padStart(2, '0')}`, from, to }
  })
  return { format: 'holo', version: 1, elements }
}
