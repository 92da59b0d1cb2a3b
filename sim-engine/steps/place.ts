// Place at: a position, a cell, where an agent is, a random cell or position.
import { emitActivity, needsTokenToLast } from './activity.ts'
import { cellArgumentsOf, coordinatesOf } from './position.ts'
import type { StepKind } from './step.ts'

export const place: StepKind = {
  kind: 'place',
  check(step, { note, written }) {
    const { process } = step
    if (process.level !== 'individual' || process.entity?.kind !== 'agent') note(9021, step.id, 'where')
    else if (!process.entity.space) note(9027, process.entity.id, 'space')
    if (step.element.fields['where'] === 'position' && !written(step, 'target')) note(8001, step.id, 'target')
  },
  needsToken: needsTokenToLast,
  emit(step, out) {
    emitActivity(step, out, () => {
      const { entity } = out.process
      if (!entity?.space) return
      const s = `S${entity.space.index}`
      const r = `R${entity.index}`
      const stream = out.stream(step.id)
      const { where } = step.element.fields
      out.line(out.emitter.mark(step.id, 'target'))
      if (where === 'randomCell') out.line(`${s}.placeOnCell(${r},i,${s}.randomCell(${stream}));`)
      else if (where === 'randomEmptyCell') {
        const cell = out.fresh('cell')
        out.line(`const ${cell}=${s}.randomEmptyCell(${stream});if(${cell}>=0)${s}.placeOnCell(${r},i,${cell});`)
      } else if (where === 'randomPosition') out.line(`${s}.placeAtRandom(${r},i,${stream});`)
      else {
        const type = out.typeOf(step, 'target')
        const target = out.value(step, 'target')
        const chosen = type.is === 'entity' ? out.emitter.checked.scopes.entity(type.of) : undefined
        const parts = coordinatesOf(target, type)
        // Where there is one space, `cell_at` can mean no other.
        const isOwnCell =
          chosen?.kind === 'cell' &&
          chosen.space === entity.space &&
          out.emitter.checked.parts.spaces.length === 1 &&
          entity.space.topology === 'discrete'
        const cell = isOwnCell ? cellArgumentsOf(target) : null
        if (cell) out.line(`${cell.mark}${s}.placeOnCellAt(${r},i,${cell.given.slice(0, -1).join(',')});`)
        else if (parts) out.line(`${s}.place(${r},i,${parts.join(',')});`)
        else out.line(chosen ? `X.placeWith(${s},${r},i,P${chosen.index},${target});` : `X.placeAt(${s},${r},i,${target});`)
      }
    })
  },
}
