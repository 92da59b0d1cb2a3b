// Elements on a canvas where nothing would read them, and those of a kind that this version does not know.
import type { CanvasKind, Kind, Words } from '../../model-schema/kinds/kind.ts'
import { say } from '../../model-schema/kinds/kind.ts'
import { kindOf, kinds } from '../../model-schema/kinds.ts'
import type { Element } from '../../model-schema/model.ts'
import { nearest } from '../formula/mistakes.ts'
import type { Problem } from '../problems.ts'
import { problemSaying } from '../problems.ts'
import { textOf } from './resolve.ts'

export const mayStandOn = (kind: Kind, canvas: Element): boolean => {
  const opens = kindOf(canvas.kind)?.opens
  return opens !== undefined && kind.on.includes(opens)
}

/** What stands on a canvas where nothing reads it. */
export function misplaced(element: Element, kind: Kind, canvas: Element): Problem {
  const [name, holder] = [textOf(element, 'name') || element.id, textOf(canvas, 'name') || canvas.id]
  const around = kindOf(canvas.kind)?.label ?? say(canvas.kind, canvas.kind)
  const places = kind.on.flatMap(one => canvasWords[one] ?? [])
  const list = (language: 'en' | 'zh', or: string): string => places.map(words => words[language]).join(or)
  return problemSaying(
    8007,
    { id: element.id },
    say(
      `"${name}" (${kind.label.en}) cannot stand on the canvas of "${holder}" (${around.en}): nothing would read it.`,
      `“${name}”（${kind.label.zh}）不能放在“${holder}”（${around.zh}）的画布上：不会被读取。`,
    ),
    say(`Move it ${list('en', ' or ')}, or delete it.`, `请将其移到${list('zh', '或')}，或删除它。`),
    'error',
  )
}

const canvasWords: Partial<Record<CanvasKind, Words>> = {
  root: say('to the canvas of the scenario', '场景的画布'),
  entity: say('into an agent, cells or a link', '智能体、元胞或连接中'),
  process: say('into a process', '流程中'),
}

export function unknownKind({ id, kind }: Element): Problem {
  const near = nearest(
    kind,
    kinds.map(one => one.id),
  )
  return problemSaying(
    9022,
    { id },
    say(
      `There is no kind of element "${kind}"${near === undefined ? '.' : `; did you mean "${near}"?`}`,
      `没有元素种类“${kind}”${near === undefined ? '。' : `；是否为“${near}”？`}`,
    ),
    say(
      'Correct the kind in the file, or delete the element. It may be of a newer version of Holarchy.',
      '请更正文件中的种类，或删除该元素。它也可能来自更新版本的 Holarchy。',
    ),
  )
}
