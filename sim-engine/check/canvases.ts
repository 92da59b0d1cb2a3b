// Elements on a canvas where nothing would read them, and those of a kind that this version does not know.
import type { CanvasKind, Kind } from '../../model-schema/kinds/kind.ts'
import { kindOf, kinds } from '../../model-schema/kinds.ts'
import type { Element } from '../../model-schema/model.ts'
import { nearest } from '../formula/mistakes.ts'
import type { Problem } from '../problems.ts'
import { problemSaying } from '../problems.ts'
import { textOf } from './resolve.ts'
import { alternatives, say, verbatim, type Words } from '../../model-schema/words.ts'

export const mayStandOn = (kind: Kind, canvas: Element): boolean => {
  const opens = kindOf(canvas.kind)?.opens
  return opens !== undefined && kind.on.includes(opens)
}

/** Elements on a canvas where nothing reads them. */
export function misplaced(element: Element, kind: Kind, canvas: Element): Problem {
  const [name, holder] = [textOf(element, 'name') || element.id, textOf(canvas, 'name') || canvas.id]
  const around = kindOf(canvas.kind)?.label ?? verbatim(canvas.kind)
  const places = kind.on.flatMap(one => canvasWords[one] ?? [])
  return problemSaying(
    8007,
    { id: element.id },
    say('"{name}" ({label}) cannot stand on the canvas of "{holder}" ({around}): nothing would read it.', {
      name,
      label: kind.label,
      holder,
      around,
    }),
    say('Move it {places}, or delete it.', { places: alternatives(places) }),
    'error',
  )
}

const canvasWords: Partial<Record<CanvasKind, Words>> = {
  root: say('to the canvas of the scenario'),
  entity: say('into an agent, cells or a link'),
  process: say('into a process'),
}

export function unknownKind({ id, kind }: Element): Problem {
  const near = nearest(
    kind,
    kinds.map(one => one.id),
  )
  return problemSaying(
    9022,
    { id },
    say('There is no kind of element "{kind}"{more}', {
      kind,
      more: near === undefined ? say('.') : say('; did you mean "{near}"?', { near }),
    }),
    say('Correct the kind in the file, or delete the element. It may be of a newer version of Holarchy.'),
  )
}
