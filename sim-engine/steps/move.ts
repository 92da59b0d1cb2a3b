// Move: turn, face, forward, backward, translate. Crossing a border wraps, stops, reflects or fails, as the space says.
import { emitActivity, needsTokenToLast } from './activity.ts'
import { coordinatesOf } from './position.ts'
import type { StepKind } from './step.ts'

export const move: StepKind = {
  kind: 'move',
  check(step, { note, written }) {
    const { process } = step
    const { motion } = step.element.fields
    if (process.level !== 'individual' || process.entity?.kind !== 'agent') note(9021, step.id, 'motion')
    else if (!process.entity.space) note(9027, process.entity.id, 'space')
    const needed = motion === 'face' ? 'target' : motion === 'translate' ? 'vector' : 'amount'
    if (!written(step, needed)) note(8001, step.id, needed)
  },
  needsToken: needsTokenToLast,
  emit(step, out) {
    emitActivity(step, out, () => {
      const { entity } = out.process
      if (!entity?.space) return
      const s = `S${entity.space.index}`
      const own = `R${entity.index},i`
      const { motion } = step.element.fields
      out.line(out.emitter.mark(step.id, 'motion'))
      if (motion === 'face') {
        const type = out.typeOf(step, 'target')
        const target = out.value(step, 'target')
        const chosen = type.is === 'entity' ? out.emitter.checked.scopes.entity(type.of) : undefined
        out.line(chosen ? `X.faceEntity(${s},${own},P${chosen.index},${target});` : `X.face(${s},${own},${target});`)
      } else if (motion === 'translate') {
        const vector = out.value(step, 'vector')
        const parts = coordinatesOf(vector, out.typeOf(step, 'vector'))
        out.line(parts ? `${s}.translate(${own},${parts.join(',')});` : `X.translate(${s},${own},${vector});`)
      } else {
        const amount = out.value(step, 'amount')
        const method = motion === 'turn' ? 'turn' : motion === 'head' ? 'setHeading' : 'forward'
        out.line(`${s}.${method}(${own},${motion === 'backward' ? `-(${amount})` : amount});`)
      }
    })
  },
}
