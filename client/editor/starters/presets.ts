// What the field calls a resource pool, a source, a service, an infection …: each drops elements that are set up and ready to run. As offers of
// the palette, so that whatever places an offer places them.
import { isRefusal, place, setField, setText, type Refusal } from '../../../model-schema/edit.ts'
import { kindOf } from '../../../model-schema/kinds.ts'
import { type CanvasKind, type Json } from '../../../model-schema/kinds/kind.ts'
import type { Element, Id, Model } from '../../../model-schema/model.ts'
import type { Editor } from '../editor.ts'
import { pathTo, type Offer } from '../grammar.ts'
import { chain, putParts, type StarterParts } from './parts.ts'
import { say, sayIn, type Words } from '../../../model-schema/words.ts'

type Preset = {
  readonly id: string
  readonly on: CanvasKind
  /** The kind that determines its icon, its size and its connectors. */
  readonly kind: string
  readonly label: Words
  readonly values?: Readonly<Record<string, Json>>
  /** Puts it down; absent: one element with the values and the label as its name. Returns the element that is then selected and joined. */
  readonly put?: ((editor: Editor, at: readonly [number, number], label: Words) => Id | Refusal) | undefined
}

const everyTick = { kind: 'start', name: say('Every tick'), values: { trigger: 'timer', every: '1' } }

/** Parts on the canvas shown, of which the first is the one that counts. */
const parts =
  (made: StarterParts): Preset['put'] =>
  (editor, at) =>
    first(putParts(editor, made, editor.view.getState().canvas, at, editor.words))

const first = (made: Id[] | Refusal): Id | Refusal =>
  isRefusal(made) ? made : (made[0] ?? { refused: 'unknown-kind', words: say('Nothing could be placed here.') })

/** An element in the scenario or on a canvas around the current one, of the wanted kind and condition. */
function within(editor: Editor, wanted: (element: Element) => boolean): Element | undefined {
  const { model } = editor
  const around = pathTo(model, editor.view.getState().canvas).toReversed()
  return around
    .flatMap(canvas => canvas.children.map(id => model.elements.get(id)))
    .filter(element => element !== undefined)
    .find(wanted)
}

/** A free place below everything on another canvas. */
function below(model: Model, canvas: Id): [number, number] {
  const boxes = (model.elements.get(canvas)?.children ?? []).flatMap(id => {
    const geo = model.elements.get(id)?.geo
    return geo ? [geo] : []
  })
  return boxes.length === 0 ? [80, 80] : [Math.min(...boxes.map(([x]) => x)), Math.max(...boxes.map(([, y, , h]) => y + h)) + 32]
}

/** The pool that a service takes from: the only one in reach, else a new one on the scenario's canvas. */
function poolFor(editor: Editor): Id | Refusal {
  const known = within(editor, element => element.kind === 'container' && element.fields['reusable'] === true)
  if (known) return known.id
  const { scenario } = editor.view.getState()
  return first(putParts(editor, { pool }, scenario, below(editor.model, scenario), editor.words))
}

const pool = {
  kind: 'container',
  name: say('Server'),
  at: [0, 0] as const,
  values: { reusable: true, initial: '1', capacity: '1' },
}

/** The entity with the current canvas, or with the process on it. */
const entityAround = (editor: Editor): Element | undefined =>
  pathTo(editor.model, editor.view.getState().canvas).findLast(element => kindOf(element.kind)?.opens === 'entity')

/** A space to be in: the first there is, else a new one. */
function spaceFor(editor: Editor): Id | Refusal {
  const known = within(editor, element => element.kind === 'space')
  if (known) return known.id
  const { scenario } = editor.view.getState()
  const field = {
    kind: 'space',
    name: sayIn('place', 'Field'),
    at: [0, 0] as const,
    values: { topology: 'continuous', minX: '0', maxX: '50', minY: '0', maxY: '50' },
  }
  return first(putParts(editor, { field }, scenario, below(editor.model, scenario), editor.words))
}

/** Gives the entity a space and places it at random, when it has none. */
function settle(editor: Editor, entity: Element): Refusal | null {
  if (entity.kind !== 'agent' || typeof entity.fields['space'] === 'string') return null
  const space = spaceFor(editor)
  if (isRefusal(space)) return space
  return setField(editor.doc, entity.id, 'space', space) ?? setField(editor.doc, entity.id, 'placement', 'random')
}

const randomWalk = (key: string): StarterParts => ({
  [key]: { kind: 'process', name: say('Random walk'), at: [0, 0] },
  ...chain(key, [
    [`${key}_start`, everyTick],
    [`${key}_turn`, { kind: 'move', name: say('Turn'), values: { motion: 'turn', amount: 'uniform(-40, 40)' } }],
    [`${key}_go`, { kind: 'move', name: say('Go'), values: { motion: 'forward', amount: '1' } }],
    [`${key}_end`, { kind: 'end' }],
  ]),
})

const infection: StarterParts = {
  spread: { kind: 'process', name: say('Infection'), at: [0, 0] },
  infected: { kind: 'variable', name: say('infected'), at: [0, 104], values: { initial: 'id == 1', public: true } },
  ...chain('spread', [
    ['spread_start', everyTick],
    [
      'spread_ask',
      {
        kind: 'ask',
        name: say('Infect those near'),
        values: { range: 'neighbors(1) if @infected else []', filter: 'not @infected', does: 'program', program: '@infected = True' },
      },
    ],
    ['spread_paint', { kind: 'compute', name: say('Colour'), values: { program: 'color = "#d55e00" if @infected else "#4a7dff"' } }],
    ['spread_end', { kind: 'end' }],
  ]),
}

const put: { readonly [id: string]: Preset['put'] } = {
  service(editor, at, label) {
    const container = poolFor(editor)
    if (isRefusal(container)) return container
    const values = { name: editor.words(label), duration: 'exponential(1)', resources: [{ container, amount: '1', key: '' }] }
    return place(editor.doc, { kind: 'delay', parent: editor.view.getState().canvas, at, values })
  },
  seize(editor, at, label) {
    const container = poolFor(editor)
    if (isRefusal(container)) return container
    const name = String(editor.model.elements.get(container)?.fields['name'] ?? '')
    const items = [{ container: formulaText(name), amount: '1', key: '' }]
    const values = { name: editor.words(label), operation: 'request', otherwise: 'wait', items }
    return place(editor.doc, { kind: 'operate', parent: editor.view.getState().canvas, at, values })
  },
  source(editor, at, label) {
    const { canvas } = editor.view.getState()
    const values = { trigger: 'timer', first: '', every: 'exponential(1)', name: editor.words(label) }
    // A process has one start: the one that is there becomes the source.
    const start = editor.model.elements.get(canvas)?.children.find(id => editor.model.elements.get(id)?.kind === 'start')
    if (start === undefined) return place(editor.doc, { kind: 'start', parent: canvas, at, values })
    for (const [field, value] of Object.entries(values)) {
      const refused =
        field === 'first' || field === 'every' ? setText(editor.doc, start, field, value) : setField(editor.doc, start, field, value)
      if (refused) return refused
    }
    return start
  },
  walkers(editor, at) {
    const space = spaceFor(editor)
    if (isRefusal(space)) return space
    const agent: StarterParts = {
      walker: {
        kind: 'agent',
        name: say('Walker'),
        at: [0, 0],
        values: { initialNumber: '100', placement: 'random', shape: 'arrow', space },
      },
      ...inside('walker', randomWalk('walk')),
    }
    return first(putParts(editor, agent, editor.view.getState().canvas, at, editor.words))
  },
  randomWalk(editor, at) {
    const entity = entityAround(editor)
    const refused = entity ? settle(editor, entity) : null
    return refused ?? first(putParts(editor, randomWalk('walk'), editor.view.getState().canvas, at, editor.words))
  },
  infection(editor, at) {
    const entity = entityAround(editor)
    const refused = entity ? settle(editor, entity) : null
    return refused ?? first(putParts(editor, infection, editor.view.getState().canvas, at, editor.words))
  },
}

/** The same parts, standing inside another. */
function inside(key: string, of: StarterParts): StarterParts {
  return Object.fromEntries(Object.entries(of).map(([id, part]) => [id, part.in === undefined ? { ...part, in: key, at: [80, 80] } : part]))
}

const formulaText = (name: string): string => name.trim().replace(/[^\p{L}\p{N}_]+/gu, '_')

const presets: readonly Preset[] = [
  {
    id: 'pool',
    on: 'root',
    kind: 'container',
    label: say('Resource pool'),
    values: { reusable: true, initial: '1', capacity: '1' },
  },
  {
    id: 'queue',
    on: 'root',
    kind: 'process',
    label: say('Queue and service'),
    put: parts({
      visit: { kind: 'process', name: say('Visit'), at: [0, 0] },
      pool: { ...pool, at: [152, 0] },
      ...chain('visit', [
        ['arrive', { kind: 'start', name: say('Arrive'), values: { trigger: 'timer', first: '', every: 'exponential(1)' } }],
        [
          'serve',
          {
            kind: 'delay',
            name: say('Service'),
            values: { duration: 'exponential(0.8)', resources: [{ container: 'pool', amount: '1', key: '' }] },
          },
        ],
        ['leave', { kind: 'end', name: sayIn('kind of step', 'Leave') }],
      ]),
    }),
  },
  { id: 'stock', on: 'root', kind: 'container', label: say('Stock'), values: { initial: '100' } },
  {
    id: 'stockFlow',
    on: 'root',
    kind: 'process',
    label: say('Stock and flows'),
    put: parts({
      change: { kind: 'process', name: say('Flow'), at: [0, 0] },
      stock: { kind: 'container', name: say('Stock'), at: [152, 0], values: { initial: '100' } },
      inflow: { kind: 'variable', name: say('Inflow'), at: [152, 72], values: { initial: '5', public: true } },
      outflow: { kind: 'variable', name: say('Outflow share'), at: [288, 72], values: { initial: '0.05', public: true } },
      ...chain('change', [
        ['flow_start', everyTick],
        [
          'flow_in',
          {
            kind: 'operate',
            name: sayIn('flow', 'In'),
            values: { operation: 'put', items: [{ container: '@stock', amount: '@inflow', key: '' }] },
          },
        ],
        [
          'flow_out',
          {
            kind: 'operate',
            name: sayIn('flow', 'Out'),
            values: { operation: 'take', items: [{ container: '@stock', amount: '@stock.level * @outflow', key: '' }] },
          },
        ],
        ['flow_end', { kind: 'end' }],
      ]),
    }),
  },
  { id: 'input', on: 'root', kind: 'variable', label: sayIn('parameter', 'Input'), values: { initial: '1', public: true } },
  { id: 'counter', on: 'root', kind: 'variable', label: say('Counter'), values: { initial: '0' } },
  {
    id: 'event',
    on: 'root',
    kind: 'process',
    label: say('Event at a time'),
    put: parts({
      event: { kind: 'process', name: say('Event'), at: [0, 0] },
      ...chain('event', [
        ['event_start', { kind: 'start', name: say('At this time'), values: { trigger: 'timer', first: '100', every: '' } }],
        ['event_do', { kind: 'compute', name: say('What happens') }],
        ['event_end', { kind: 'end' }],
      ]),
    }),
  },
  { id: 'walkers', on: 'root', kind: 'agent', label: say('Random walkers'), put: put['walkers'] },
  { id: 'randomWalk', on: 'entity', kind: 'process', label: say('Random walk'), put: put['randomWalk'] },
  { id: 'infection', on: 'entity', kind: 'process', label: say('Infection'), put: put['infection'] },
  {
    id: 'reproduction',
    on: 'entity',
    kind: 'process',
    label: say('Reproduction'),
    put(editor, at) {
      const entity = entityAround(editor)
      const population = entity?.id ?? ''
      const made: StarterParts = {
        grow: { kind: 'process', name: say('Reproduction'), at: [0, 0] },
        ...chain('grow', [
          ['grow_start', { kind: 'start', name: say('After a while'), values: { trigger: 'timer', first: '', every: 'exponential(50)' } }],
          ['grow_create', { kind: 'create', name: say('Offspring'), values: { population, as: 'offspring', count: '1' } }],
          ['grow_end', { kind: 'end' }],
        ]),
      }
      return first(putParts(editor, made, editor.view.getState().canvas, at, editor.words))
    },
  },
  {
    id: 'death',
    on: 'entity',
    kind: 'process',
    label: say('Death after a lifetime'),
    put: parts({
      age: { kind: 'process', name: say('Lifetime'), at: [0, 0] },
      ...chain('age', [
        ['age_start', { kind: 'start', name: say('Born') }],
        ['age_live', { kind: 'delay', name: sayIn('verb', 'Live'), values: { duration: 'exponential(100)' } }],
        ['age_die', { kind: 'destroy', name: say('Die'), values: { who: 'actor' } }],
        ['age_end', { kind: 'end' }],
      ]),
    }),
  },
  { id: 'source', on: 'process', kind: 'start', label: say('Source'), put: put['source'] },
  { id: 'service', on: 'process', kind: 'delay', label: say('Service'), put: put['service'] },
  { id: 'seize', on: 'process', kind: 'operate', label: say('Queue for a resource'), put: put['seize'] },
  {
    id: 'branches',
    on: 'process',
    kind: 'gateway',
    label: say('Two branches'),
    put: parts({
      choice: { kind: 'gateway', name: say('Choice'), at: [0, 52], values: { type: 'exclusive', by: 'probability' } },
      one: { kind: 'delay', name: sayIn('one of two', 'First'), at: [112, 0], values: { duration: '1' } },
      two: { kind: 'delay', name: say('Second'), at: [112, 80], values: { duration: '1' } },
      join: { kind: 'gateway', name: say('Join'), at: [296, 52], values: { type: 'exclusive' } },
      choice_one: { kind: 'flow', from: 'choice', to: 'one', values: { weight: '0.5' } },
      choice_two: { kind: 'flow', from: 'choice', to: 'two', values: { weight: '0.5' } },
      one_join: { kind: 'flow', from: 'one', to: 'join' },
      two_join: { kind: 'flow', from: 'two', to: 'join' },
    }),
  },
  {
    id: 'assembly',
    on: 'process',
    kind: 'gateway',
    label: say('Assembly'),
    values: { type: 'mofn', needed: '2' },
  },
  { id: 'batch', on: 'process', kind: 'gateway', label: say('Batch'), values: { type: 'mofn', needed: '5' } },
  { id: 'hold', on: 'process', kind: 'intermediate', label: say('Hold until'), values: { trigger: 'condition' } },
  {
    id: 'wander',
    on: 'process',
    kind: 'move',
    label: say('Random step'),
    put(editor, at, label) {
      const entity = entityAround(editor)
      const refused = entity ? settle(editor, entity) : null
      const values = { name: editor.words(label), motion: 'translate', vector: '[uniform(-1, 1), uniform(-1, 1)]' }
      return refused ?? place(editor.doc, { kind: 'move', parent: editor.view.getState().canvas, at, values })
    },
  },
]

/** The presets of a canvas as offers. */
export function presetsOn(canvas: CanvasKind): readonly Offer[] {
  return presets.filter(preset => preset.on === canvas).flatMap(offerOf)
}

function offerOf({ id, kind: kindId, label, values = {}, put: own }: Preset): Offer[] {
  const kind = kindOf(kindId)
  if (!kind) return []
  const make = own && ((editor: Editor, at: readonly [number, number]) => own(editor, at, label))
  return [{ key: `preset/${id}`, kind, label, values, titled: true, ...(make ? { make } : {}) }]
}

/** The preset of this name. */
export const presetWithId = (id: string): Offer | undefined => presets.filter(preset => preset.id === id).flatMap(offerOf)[0]
