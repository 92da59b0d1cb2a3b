// Charts, world views and controllers are live DOM cards that lie on the canvas: one layer moves and scales with the
// camera, and only cards in view are mounted. A card is dragged by its head, through which the pointer falls.
import { useEffect, useRef, type ComponentType } from 'react'
import type { Id } from '../../model-schema/model.ts'
import { viewOf } from '../editor/geometry/camera.ts'
import { grown, overlaps } from '../editor/geometry/geometry.ts'
import type { SceneBox } from '../editor/scene.ts'
import { useEditor, useView } from '../editor/useEditor.ts'

/** Cards stay mounted this many CSS pixels outside the window. */
const margin = 200

/** The share of its full size below which the content of a card does not shrink with the drawing, as long as it has room. */
const leastShown = 0.9

/** The content has at least so much room, in CSS pixels. */
const leastRoom = { w: 120, h: 34 }

/** How much larger than drawn the content of a card of this size may get, so that it can be read from further away. */
export const mostEnlarged = ({ w, h }: { w: number; h: number }): number =>
  Math.max(1, Math.floor(10 * Math.min(w / leastRoom.w, h / leastRoom.h)) / 10)

/** The live content of a card. */
export type CardOf = ComponentType<{ id: Id; kind: string }>

export function Cards({ Card }: { Card: CardOf }) {
  const editor = useEditor()
  const layer = useRef<HTMLDivElement>(null)
  // Which cards are in view, as text so that panning within the same set draws nothing again.
  const shown = useView(view => {
    const seen = grown(viewOf(view.camera, view.size), margin / view.camera.zoom)
    const ids: Id[] = []
    for (const box of editor.scene.cards) if (overlaps(seen, box) || view.pictured.includes(box.id)) ids.push(box.id)
    return ids.join(' ')
  })

  useEffect(() => {
    let letters = ''
    const follow = (): void => {
      const { camera } = editor.view.getState()
      if (!layer.current) return
      // In few steps: each lays out every card again.
      const next = String(Math.max(1, Math.ceil((10 * leastShown) / camera.zoom) / 10))
      if (next !== letters) layer.current.style.setProperty('--letters', (letters = next))
      layer.current.style.transform = `translate(${-camera.x * camera.zoom}px, ${-camera.y * camera.zoom}px) scale(${camera.zoom})`
    }
    follow()
    return editor.view.subscribe(follow)
  }, [editor])

  const ids = shown === '' ? [] : shown.split(' ')
  return (
    <div className="h-cards-clip">
      <div ref={layer} className="h-cards">
        {ids.map(id => (
          <Place key={id} id={id} Card={Card} />
        ))}
      </div>
    </div>
  )
}

function Place({ id, Card }: { id: Id; Card: CardOf }) {
  const editor = useEditor()
  const place = useView(() => placeOf(editor.scene.box(id)))
  const kind = editor.scene.box(id)?.element.kind
  if (place === null || kind === undefined) return null
  const [left, top, width, height] = place.split(' ').map(Number)
  const most = mostEnlarged({ w: width ?? 0, h: height ?? 0 })
  return (
    <div className={`h-card-place h-card-${kind}`} data-id={id} style={{ left, top, width, height, ['--most-letters' as string]: most }}>
      <Card id={id} kind={kind} />
    </div>
  )
}

const placeOf = (box: SceneBox | undefined): string | null => (box ? `${box.x} ${box.y} ${box.w} ${box.h}` : null)
