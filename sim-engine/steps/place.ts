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
        if (cell) out.line(`${cell.mark}${ontoCell(s, r, entity.space.three, cell.given.slice(0, -1))}`)
        else if (parts) out.line(`${s}.place(${r},i,${parts.join(',')});`)
        else if (!chosen) out.line(`X.placeAt(${s},${r},i,${target});`)
        else if (chosen.kind === 'cell' && chosen.space === entity.space) {
          const onto = out.fresh('cell')
          out.line(`const ${onto}=${target};if(${onto}<0)X.fail(10014);${s}.placeOnCell(${r},i,${onto});`)
        } else out.line(`X.placeWith(${s},${r},i,P${chosen.index},${target});`)
      }
    })
  },
}

/**
 * Onto the cell at coordinates, given with what an error says. In a plane its column and row are worked out right here: a call that takes
 * coordinates, which need not be whole, costs more than that.
 */
function ontoCell(space: string, residents: string, isDeep: boolean, given: readonly string[]): string {
  const [x, y, z, ...rest] = given
  const general = (...at: readonly string[]): string => `${space}.placeOnCellAt(${residents},i,${at.join(',')});`
  if (isDeep || x === undefined || y === undefined || z !== '0') return general(...given)
  const grid = `${space}.grid`
  return `{const a=${x},b=${y},c=Math.floor(a+0.5)-${grid}.minX,d=Math.floor(b+0.5)-${grid}.minY;if(c>=0&&c<${grid}.columns&&d>=0&&d<${grid}.rows)${space}.stepTo(${residents},i,c,d);else ${general('a', 'b', z, ...rest)}}`
}
