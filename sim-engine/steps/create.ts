// Create: new individuals, offspring of the actor, or links. Newborns get their initial values first, then what the step
// says: an expression (seen from the actor), the default, the mother's value, or a share of it, which the mother loses.
import { formulaName } from '../../model-schema/kinds.ts'
import { stepKey } from '../check/names/keys.ts'
import type { EntityPart, StepPart, VariablePart } from '../check/parts.ts'
import { cellText, rowsOf } from '../check/resolve.ts'
import { handleOf } from '../compile/emitter.ts'
import { emitActivity, needsTokenToLast } from './activity.ts'
import { problemSaying } from '../problems.ts'
import type { Problem } from '../problems.ts'
import type { StepKind, StepWriter } from './step.ts'
import { say } from '../../model-schema/words.ts'

export const create: StepKind = {
  kind: 'create',
  check(step, checking) {
    const { parts, note, written, constant } = checking
    const { population, as } = step.element.fields
    const entity = parts.entities.find(one => one.id === population)
    if (!entity || entity.form === 'observer') {
      note(9021, step.id, 'population')
      return
    }
    if (as === 'offspring' && step.process.level !== 'individual') note(9021, step.id, 'as')
    const count = constant(step, 'count')
    if (!written(step, 'count') || (count !== null && !(Number.isInteger(count) && count >= 0))) note(9028, step.id, 'count')
    for (const [i, row] of rowsOf(step.element, 'values').entries()) {
      const name = formulaName(cellText(row, 'property'))
      const mode = row['mode'] ?? 'expression'
      if (!entity.variables.some(variable => variable.name === name) && !appearance.has(name)) note(9022, step.id, `values/${i}/property`)
      if ((mode === 'expression' || mode === 'dilute') && cellText(row, 'value').trim() === '') note(8001, step.id, `values/${i}/value`)
      const share = mode === 'dilute' ? constant(step, `values/${i}/value`) : null
      if (share !== null && !(share >= 0 && share <= 1)) checking.say(noShare(step.id, `values/${i}/value`))
    }
    if (entity.kind === 'link' && !written(step, 'linkTo')) note(9026, step.id, 'linkTo')
  },
  needsToken: needsTokenToLast,
  emit(step, out) {
    emitActivity(step, out, () => {
      const entity = out.emitter.checked.parts.entities.find(one => one.id === step.element.fields['population'])
      if (!entity) return
      const output = out.emitter.checked.scopes.outputs.has(step)
      const born = out.fresh('born')
      if (output) out.line(`const ${born}=[];`)
      if (entity.kind === 'link') emitLinks(step, entity, out, output ? born : null)
      else emitAgents(step, entity, out, output ? born : null)
      if (output) out.line(`to${step.index}[t]=X.refs(P${entity.index},${born});`)
    })
  },
}

const noShare = (id: string, field: string): Problem =>
  problemSaying(
    9025,
    { id, field },
    say('The share that the newborn gets must lie in [0, 1].'),
    say('Write a share such as 0.5 for one half.'),
  )

const appearance = new Set(['color', 'size', 'shape', 'visible'])

function emitAgents(step: StepPart, entity: EntityPart, out: StepWriter, born: string | null): void {
  const p = entity.index
  const count = out.fresh('count')
  const j = out.fresh('new')
  const individual = out.process.level === 'individual' && out.process.entity?.kind === 'agent'
  const mother = individual ? 'self' : '-1'
  out.line(
    `${out.emitter.mark(step.id, 'count')}const ${count}=X.whole(${out.value(step, 'count')});for(let k=0;k<${count};k++){${out.emitter.mark(step.id, 'population')}const ${j}=P${p}.create();fresh${p}(${j},${mother});`,
  )
  const { placement } = step.element.fields
  if (entity.space) {
    const s = entity.space.index
    const samePlace = individual && out.process.entity?.space === entity.space
    if (placement === 'random') out.line(`S${s}.placeAtRandom(R${p},${j},${out.stream(step.id)});`)
    else if (placement === 'actor' && samePlace) out.line(`X.placeBeside(S${s},R${p},${j},R${out.process.entity?.index},i);`)
    else if (placement === 'actor' && out.process.entity?.kind === 'cell' && out.process.level === 'individual')
      out.line(`S${s}.placeOnCell(R${p},${j},self);`)
    else out.line(`place${p}(${j});`)
  }
  out.line(`init${p}(${handleOf(entity, j)},${j});`)
  if (entity.space && placement !== 'random' && !(placement === 'actor' && individual)) out.line(`settle${p}(${handleOf(entity, j)},${j});`)
  emitValues(step, entity, out, j)
  out.line(`begin${p}(${handleOf(entity, j)},${j});${born ? `${born}.push(${handleOf(entity, j)});` : ''}}`)
  out.survive()
}

/** Listed properties; offspring take over the rest from their mother. */
function emitValues(step: StepPart, entity: EntityPart, out: StepWriter, slot: string): void {
  const rows = rowsOf(step.element, 'values')
  const offspring = step.element.fields['as'] === 'offspring' && out.process.entity === entity
  const listed = new Set<string>()
  rows.forEach((row, i) => {
    const name = formulaName(cellText(row, 'property'))
    listed.add(name)
    const variable = entity.variables.find(one => one.name === name)
    const mode = row['mode'] ?? 'expression'
    if (!variable) {
      if (mode === 'expression')
        out.line(`X.appear(P${entity.index},${slot},${JSON.stringify(name)},${out.value(step, `values/${i}/value`)});`)
      return
    }
    const column = `p${entity.index}_v${variable.index}`
    const assign = (value: string): string => `${column}[${slot}]${out.emitter.asNext(entity, variable, slot)}=${value};`
    if (mode === 'expression') out.line(assign(out.stored(step, `values/${i}/value`, variable)))
    else if (mode === 'inherit' && out.process.entity) inherit(variable, out.process.entity, out, assign)
    else if (mode === 'dilute' && out.process.entity) {
      const own = out.process.entity
      const from = own.variables.find(one => one.name === name)
      if (!from) return
      const share = out.fresh('share')
      const source = `p${own.index}_v${from.index}[i]`
      out.line(`const ${share}=X.ratio(${out.value(step, `values/${i}/value`)})*X.number(${source});${assign(share)}${source}-=${share};`)
      if (own.order === 'simultaneous') out.line(`p${own.index}_n${from.index}[i]-=${share};`)
    }
  })
  if (!offspring) return
  for (const variable of entity.variables) {
    if (listed.has(variable.name)) continue
    out.line(
      `p${entity.index}_v${variable.index}[${slot}]${out.emitter.asNext(entity, variable, slot)}=${variable.storage === 'any' ? `X.copyOf(p${entity.index}_v${variable.index}[i])` : `p${entity.index}_v${variable.index}[i]`};`,
    )
  }
  if (entity.space?.topology) out.line(`p${entity.index}_heading[${slot}]=p${entity.index}_heading[i];`)
}

function inherit({ name, storage }: VariablePart, own: EntityPart, out: StepWriter, assign: (value: string) => string): void {
  const from = own.variables.find(one => one.name === name)
  if (!from) return
  const kept = `p${own.index}_v${from.index}[i]`
  out.line(assign(from.storage === 'word' && storage !== 'word' ? `words[${kept}]` : kept))
}

/** From the actor to each end given, or between the two of a pair. */
function emitLinks(step: StepPart, entity: EntityPart, out: StepWriter, born: string | null): void {
  const p = entity.index
  const pair = out.fresh('pair')
  const link = out.fresh('link')
  const own = out.process.entity
  const actor = out.process.level === 'individual' && own ? `W.ref(P${own.index},self)` : 'null'
  const type = out.typeOf(step, 'linkTo')
  const target =
    type.is === 'entity' && out.emitter.checked.scopes.entity(type.of)
      ? `W.ref(P${out.emitter.checked.scopes.entity(type.of)!.index},${out.value(step, 'linkTo')})`
      : type.is === 'observer' && out.emitter.checked.scopes.entity(type.of)
        ? `X.refs(P${out.emitter.checked.scopes.entity(type.of)!.index},W.individuals(P${out.emitter.checked.scopes.entity(type.of)!.index}))`
        : out.value(step, 'linkTo')
  out.line(
    `${out.emitter.mark(step.id, 'linkTo')}for(const ${pair} of X.pairs(${actor},${target})){const ${link}=X.connect(L${p},${pair});if(${link}<0)continue;fresh${p}(${link},-1);init${p}(${handleOf(entity, link)},${link});`,
  )
  emitValues(step, entity, out, link)
  out.line(`begin${p}(${handleOf(entity, link)},${link});${born ? `${born}.push(${handleOf(entity, link)});` : ''}}`)
  if (out.emitter.mayCreate(stepKey(step, 'linkTo'))) out.survive()
}
