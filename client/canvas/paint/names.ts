// Names from further away: in a size that can be read, without the rest of a shape's text.
import { centre, type Box } from '../../editor/geometry/geometry.ts'
import { isCard, titleOf } from '../../editor/grammar.ts'
import type { SceneBox } from '../../editor/scene.ts'
import { plainOf } from '../../../model-schema/rich.ts'
import { chipName, labelBelow, named, type Painting } from './shapes.ts'
import { wrapped, type TextStyle } from './pen.ts'

/** CSS pixels of a name that is seen from further away. */
export const nameSize = 11
/** Of the size of its letters. */
const lineHeight = 1.15

/** Draws the name of a box in letters of `size` canvas units, where its shape has room for one. */
export function paintName(painting: Painting, box: SceneBox, size: number): void {
  const { pen, look, words, renaming } = painting
  if (renaming === box.id || isCard(box.element.kind)) return
  const type: TextStyle = { size, color: look.text, weight: 500, align: 'center' }
  switch (box.kind?.shape) {
    case 'image':
      return
    case 'start':
    case 'intermediate':
    case 'boundary':
    case 'end':
    case 'gateway': {
      const { x } = labelBelow(box)
      const aside = box.kind.shape === 'boundary'
      const y = box.y + box.h + size * 0.75
      return pen.text(named(box, words), { x, y }, { ...type, color: look.muted, align: aside ? 'left' : 'center', width: 120 })
    }
    case 'frame':
      return pen.text(
        titleOf(box.element, words),
        { x: box.x + size * 0.7, y: box.y + size * 0.75 },
        { ...type, color: look.muted, weight: 600, align: 'left', width: box.w - size * 1.4 },
      )
    case 'note':
      return onPaper(painting, plainOf(box.element.fields['body'] ?? null), inside(box, { top: size / 2, left: size / 2 }), {
        ...type,
        color: '#2b2f38',
        weight: 400,
        align: 'left',
      })
    case 'entity':
    case 'cells':
    case 'link':
    case 'space':
      // Under its icon.
      return inLines(painting, titleOf(box.element, words), inside(box, { top: 33 }), type)
    case 'container':
      // Above its level.
      return inLines(painting, titleOf(box.element, words), inside(box, { bottom: 14 }), type)
    case 'task':
      return inLines(painting, titleOf(box.element, words), inside(box, { bottom: box.element.kind === 'subprocess' ? 16 : 2 }), type)
    case undefined:
      return inLines(painting, box.element.kind, inside(box, {}), { ...type, color: look.muted })
    default:
      return inLines(painting, chipName(painting, box), inside(box, {}), type)
  }
}

const inside = (box: Box, { top = 2, bottom = 2, left = 4 }: { top?: number; bottom?: number; left?: number }): Box => ({
  x: box.x + left,
  y: box.y + top,
  w: box.w - 2 * left,
  h: box.h - top - bottom,
})

/** A text from its beginning. */
function onPaper({ pen }: Painting, text: string, room: Box, type: TextStyle): void {
  const height = type.size * lineHeight
  const most = Math.floor(room.h / height)
  const lines = text.split('\n').flatMap(paragraph => wrapped(pen, paragraph, type, room.w, most))
  const isCut = lines.length > most
  lines
    .slice(0, most)
    .forEach((line, i) =>
      pen.text(isCut && i === most - 1 ? `${line.replace(/\P{L}*$/u, '')}…` : line, { x: room.x, y: room.y + (i + 0.5) * height }, type),
    )
}

/** In as many lines as there is room for, at most three; one is drawn in any case. */
function inLines({ pen }: Painting, text: string, room: Box, type: TextStyle): void {
  const height = type.size * lineHeight
  const lines = wrapped(pen, text, type, room.w, Math.max(1, Math.min(3, Math.floor(room.h / height))))
  const { x, y } = centre(room)
  lines.forEach((line, i) => pen.text(line, { x, y: y + (i - (lines.length - 1) / 2) * height }, type))
}
