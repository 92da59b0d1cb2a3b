// A connector is being drawn from a port, or one of its ends is carried elsewhere. Lawful targets light up; dropped on
// empty canvas, the editor offers what may follow.
import { connect, isRefusal, reconnect, type Refusal } from '../../../model-schema/edit.ts'
import { mayConnect } from '../../../model-schema/lawful.ts'
import type { Id } from '../../../model-schema/model.ts'
import type { Editor } from '../editor.ts'
import { distance, type Point } from '../geometry/geometry.ts'
import { meaningless, writeMeaning } from './dataflow.ts'
import { connectorsBetween } from '../grammar.ts'
import type { SceneBox } from '../scene.ts'
import { dragSlackPx, type Pointer, type Tool } from './tool.ts'
import { say } from '../../../model-schema/words.ts'

/** Targets are met from this many CSS pixels away. */
const reach = 12

export function connecting(editor: Editor, from: Id, start: Pointer): Tool {
  let dragged = false
  const show = (pointer: Pointer): void => {
    const target = targetAt(editor, from, pointer)
    editor.view.setState({
      wire: { from, to: null, at: pointer.at, target: target?.id ?? null, lawful: target !== null, moving: null },
      hover: null,
      hoverPort: null,
    })
  }
  show(start)
  return {
    name: 'connecting',
    move(pointer) {
      dragged ||= distance(pointer.screen, start.screen) >= dragSlackPx
      show(pointer)
    },
    up(pointer) {
      const target = targetAt(editor, from, pointer)
      editor.view.setState({ wire: null })
      if (target) editor.join(from, target.id)
      // A click on a port, or a drop on empty canvas, asks what comes next.
      else if (!dragged || !editor.scene.boxAt(pointer.at, () => true)) editor.offerNext(from, dragged ? pointer.at : null)
      return editor.rest()
    },
    cancel() {
      editor.view.setState({ wire: null })
    },
  }
}

/** Carries the `side` end of the connector `id`. */
export function reconnecting(editor: Editor, id: Id, side: 'from' | 'to', start: Pointer): Tool {
  const element = editor.scene.wire(id)?.element
  const fixed = element?.ends?.[side === 'from' ? 'to' : 'from'].id ?? null
  const fits = (box: SceneBox): boolean => {
    if (!element || fixed === null || box.id === fixed) return false
    const [from, to] = side === 'from' ? [box.id, fixed] : [fixed, box.id]
    return mayConnect(editor.model, element.kind, from, to, id) === null
  }
  const targetFor = (at: Point): SceneBox | null => editor.scene.boxAt(at, fits, reach / editor.view.getState().camera.zoom)
  const show = (pointer: Pointer): void => {
    const target = targetFor(pointer.at)
    const [from, to] = side === 'from' ? [null, fixed] : [fixed, null]
    editor.view.setState({ wire: { from, to, at: pointer.at, target: target?.id ?? null, lawful: target !== null, moving: id } })
  }
  show(start)
  return {
    name: 'connecting',
    move: show,
    up(pointer) {
      const target = targetFor(pointer.at)
      editor.view.setState({ wire: null })
      if (target) editor.tell(editor.gesture(() => reconnect(editor.doc, id, side, target.id)))
      return editor.rest()
    },
    cancel() {
      editor.view.setState({ wire: null })
    },
  }
}

/** The connector kind the metamodel prefers between two elements of the canvas; a Refusal when none may be drawn. */
function lawfulKind(editor: Editor, from: Id, to: Id): string | Refusal {
  const [a, b] = [editor.model.elements.get(from), editor.model.elements.get(to)]
  let why: Refusal = { refused: 'wrong-ends', words: say('These two cannot be connected.') }
  for (const kind of a && b ? connectorsBetween(a.kind, b.kind) : []) {
    const refused = mayConnect(editor.model, kind.id, from, to) ?? meaningless(editor.model, kind.id, from, to)
    if (!refused) return kind.id
    why = refused
  }
  return why
}

/** Whether some connector may lead from one to the other. */
export const mayJoinBoxes = (editor: Editor, from: Id, to: Id): boolean => from !== to && !isRefusal(lawfulKind(editor, from, to))

/** Draws the connector the metamodel prefers between the two. */
export function joinBoxes(editor: Editor, from: Id, to: Id): Id | Refusal {
  const kind = lawfulKind(editor, from, to)
  if (isRefusal(kind)) return kind
  const drawn = connect(editor.doc, { kind, from, to })
  return isRefusal(drawn) ? drawn : (writeMeaning(editor, kind, from, to) ?? drawn)
}

function targetAt(editor: Editor, from: Id, pointer: Pointer): SceneBox | null {
  const slack = reach / editor.view.getState().camera.zoom
  return editor.scene.boxAt(pointer.at, box => mayJoinBoxes(editor, from, box.id), slack)
}
