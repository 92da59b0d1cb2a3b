// A whole scenario described in the order of the ODD protocol (Grimm et al. 2020): overview, design concepts, details. Made from the elements alone; what
// only people know, such as why the model was made, is taken from its notes or said to be missing.
import { kindOf } from '../../model-schema/kinds.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { say, verbatim, type Value, type Words } from '../../model-schema/words.ts'
import { Branch } from './branch.ts'
import { line, nameOf, type Answer, type Line } from './questions.ts'
import { visible } from './visible.ts'

/** Names in one sentence, elements of one sort that have a sentence each, characters of a note, of a formula. */
const SHOWN = { names: 12, each: 12, note: 500, formula: 80 } as const

type Scene = {
  readonly model: Model
  readonly scenario: Element
  /** Everything in the scenario, in the order of the tree. */
  readonly all: readonly Element[]
  /** Elements that draw random numbers; null while the checker finds errors. */
  readonly drawing: readonly Element[] | null
}

/** The description of a scenario; of the first when it is not there. */
export function overviewOf(branch: Branch, id?: Id): Pick<Answer, 'lines' | 'next'> {
  const { model } = branch
  const scenario = model.elements.get(model.scenarios.find(one => one === id) ?? model.scenarios[0] ?? '')
  if (!scenario) return { lines: [line(say('The model has no scenario.'))], next: [] }
  const all = [...within(model, scenario)]
  const scene: Scene = { model, scenario, all, drawing: drawingIn(branch, scenario.id, all) }
  const parts: readonly (readonly [Words, readonly Line[]])[] = [
    [say('1. Purpose'), purpose(scene)],
    [say('2. Entities, state variables and scales'), [...entities(scene), ...scales(scene)]],
    [say('3. Processes and their schedule'), schedule(scene)],
    [say('4. Design concepts'), concepts(scene)],
    [say('5. Initialization'), initialization(scene)],
    [say('6. Input data'), inputData(scene)],
    [say('7. Submodels'), submodels(scene)],
  ]
  const processes = ofKind(scene, 'process').slice(0, 6)
  return {
    lines: parts.flatMap(([title, lines]) => [{ ...line(title), heading: true } as const, ...lines]),
    next: [
      ...processes.map(one => ({
        words: say('Explain “{name}”', { name: placed(model, one) }),
        ask: { about: 'explain', id: one.id } as const,
      })),
      ...model.scenarios
        .filter(one => one !== scenario.id)
        .slice(0, 4)
        .map(one => ({
          words: say('Overview of “{name}”', { name: nameOf(model.elements.get(one)) }),
          ask: { about: 'overview', scenario: one } as const,
        })),
    ],
  }
}

function* within(model: Model, { children }: Element): Iterable<Element> {
  for (const id of children) {
    const element = model.elements.get(id)
    if (!element) continue
    yield element
    yield* within(model, element)
  }
}

/** Options of elements by which a run draws random numbers. */
const byChance: ReadonlySet<unknown> = new Set([
  'random',
  'randomCount',
  'smallWorld',
  'scaleFree',
  'shuffled',
  'probability',
  'emptyCells',
  'randomCell',
  'randomEmptyCell',
  'randomPosition',
])

function drawingIn(branch: Branch, scenario: Id, all: readonly Element[]): Element[] | null {
  const checked = branch.checkedOf(scenario)
  if (!checked?.ok) return null
  const ids = new Set([...checked.checked.formulas.values()].flatMap(({ id, inferred }) => (inferred.draws ? [id] : [])))
  const isChosen = ({ kind, fields }: Element): boolean =>
    kindOf(kind)?.fields.some(({ id, type }) => type.as === 'choice' && byChance.has(fields[id])) ?? false
  return all.filter(one => ids.has(one.id) || isChosen(one))
}

const ofKind = ({ all }: Scene, ...kinds: readonly string[]): Element[] => all.filter(({ kind }) => kinds.includes(kind))
const said = (element: Element, field: string): string => {
  const value = element.fields[field]
  return typeof value === 'string' || typeof value === 'number' ? cut(String(value), SHOWN.formula) : ''
}
const cut = (text: string, length: number): string => {
  const one = String(visible(text.replaceAll(/\s+/g, ' ').trim()))
  return one.length > length ? `${one.slice(0, length)}…` : one
}
const option = (element: Element, field: string): Words => {
  const value = String(element.fields[field] ?? '')
  const type = kindOf(element.kind)?.fields.find(({ id }) => id === field)?.type
  return (type?.as === 'choice' ? type.options[value] : undefined) ?? verbatim(value)
}
const rowsIn = (element: Element, field: string): number => {
  const value = element.fields[field]
  return Array.isArray(value) ? value.length : 0
}
/** A name with that of what the element stands in, unless that is the scenario. */
const placed = (model: Model, element: Element): string => {
  const around = model.elements.get(element.parent ?? '')
  return around && around.parent !== null ? `${nameOf(around)} · ${nameOf(element)}` : nameOf(element)
}
const names = (elements: readonly Element[], nameIn: (element: Element) => string): Value =>
  elements.length > SHOWN.names
    ? [...elements.slice(0, SHOWN.names).map(nameIn), say('{count} more', { count: elements.length - SHOWN.names })]
    : elements.map(nameIn)
/** A sentence about elements, which it cites. */
const about = (words: Words, elements: readonly Element[]): Line => line(words, ...elements.slice(0, SHOWN.names).map(({ id }) => id))
/** A sentence, when there are elements it is about. */
const whenAny = (elements: readonly Element[], words: (names: Value) => Words, nameIn: (element: Element) => string = nameOf): Line[] =>
  elements.length === 0 ? [] : [about(words(names(elements, nameIn)), elements)]

function purpose(scene: Scene): Line[] {
  const notes = ofKind(scene, 'note').flatMap(one => {
    const text = cut(proseIn(one.fields['body'] ?? null).join(' '), SHOWN.note)
    return text === '' ? [] : [line(say('A note says: “{text}”', { text }), one.id)]
  })
  return notes.length > 0 ? notes.slice(0, 3) : [line(say('No note says what the model is for: only people can.'), scene.scenario.id)]
}

/** The words of a rich text. */
function proseIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(proseIn)
  const { text, content }: { text?: unknown; content?: unknown } = value
  return [...(typeof text === 'string' ? [text] : []), ...proseIn(content ?? null)]
}

function entities(scene: Scene): Line[] {
  const { model, scenario } = scene
  const inside = (owner: Element, ...kinds: readonly string[]): Element[] =>
    owner.children.flatMap(id => model.elements.get(id) ?? []).filter(({ kind }) => kinds.includes(kind))
  const owned = (owner: Element): Line[] => [
    ...whenAny(inside(owner, 'variable'), list => say('State variables of “{owner}”: {list}.', { owner: nameOf(owner), list })),
    ...whenAny(inside(owner, 'container'), list => say('Containers of “{owner}”: {list}.', { owner: nameOf(owner), list })),
  ]
  const populations = ofKind(scene, 'agent', 'cell', 'link')
  return [
    ...populations.slice(0, SHOWN.each).flatMap(one => {
      const parent = model.elements.get(String(one.fields['inherits'] ?? ''))
      const place = model.elements.get(String(one.fields['space'] ?? ''))
      const more = [
        ...(place ? [say('in “{place}”', { place: nameOf(place) })] : []),
        ...(parent ? [say('a kind of “{parent}”', { parent: nameOf(parent) })] : []),
      ]
      const words = { kind: kindOf(one.kind)?.label ?? verbatim(one.kind), name: nameOf(one) }
      const cites = [one, ...[place, parent].filter(found => found !== undefined)]
      return [
        about(more.length > 0 ? say('{kind} “{name}”: {more}.', { ...words, more }) : say('{kind} “{name}”.', words), cites),
        ...owned(one),
      ]
    }),
    ...owned(scenario),
  ]
}

function scales(scene: Scene): Line[] {
  const { scenario } = scene
  const spaces = ofKind(scene, 'space').slice(0, SHOWN.each)
  const ends = said(scenario, 'stopWhen')
  const { fields } = scenario
  const length =
    fields['ticking'] === false
      ? say('Time goes from event to event, without ticks.')
      : say('Time goes by ticks, and events fall between them.')
  const lines = [line(length, scenario.id)]
  if (fields['timing'] === 'calendar')
    lines.push(
      line(
        say('A tick is {length} of: {unit}; dates follow a calendar.', {
          length: said(scenario, 'tickLength'),
          unit: option(scenario, 'tickUnit'),
        }),
      ),
    )
  const ticks = said(scenario, 'totalTicks')
  if (ticks !== '') lines.push(line(say('A run is {ticks} ticks long.', { ticks })))
  if (ends !== '') lines.push(line(say('It ends before that when {ends}.', { ends })))
  if (Number(fields['warmUp'] ?? 0) > 0)
    lines.push(line(say('Statistics leave out a warm-up of {ticks}.', { ticks: said(scenario, 'warmUp') })))
  return [
    ...spaces.map(one => {
      const range = (axis: string): string => `${said(one, `min${axis}`)} … ${said(one, `max${axis}`)}`
      const values = { name: nameOf(one), topology: option(one, 'topology'), x: range('X'), y: range('Y') }
      return line(
        one.fields['dimensions'] === 'three'
          ? say('Space “{name}”: {topology}, x {x}, y {y}, z {z}.', { ...values, z: range('Z') })
          : say('Space “{name}”: {topology}, x {x}, y {y}.', values),
        one.id,
      )
    }),
    ...lines,
  ]
}

function schedule(scene: Scene): Line[] {
  const processes = ofKind(scene, 'process')
  const lines = processes.slice(0, SHOWN.each).map(one => processLine(scene, one))
  if (processes.length > lines.length) lines.push(line(say('And {rest} more.', { rest: processes.length - lines.length })))
  const ordered = ofKind(scene, 'agent', 'cell', 'link').slice(0, SHOWN.each)
  return [
    ...(lines.length > 0 ? lines : [line(say('There is no process: nothing happens in a run.'))]),
    ...ordered.map(one =>
      line(say('Order among the individuals of “{name}”: {order}.', { name: nameOf(one), order: option(one, 'order') }), one.id),
    ),
  ]
}

function processLine({ model }: Scene, process: Element): Line {
  const inside = [...within(model, process)].filter(({ ends }) => !ends)
  const starts = inside.filter(({ kind, parent }) => kind === 'start' && parent === process.id)
  const owner = model.elements.get(process.parent ?? '')
  const values = { name: nameOf(process), owner: nameOf(owner), steps: inside.length, starts: starts.map(startWords) }
  const words =
    starts.length === 0
      ? say('“{name}” of “{owner}”, {steps, plural, one {# element} other {# elements}}: runs when it is called.', values)
      : say('“{name}” of “{owner}”, {steps, plural, one {# element} other {# elements}}: starts {starts}.', values)
  return line(words, process.id)
}

function startWords(start: Element): Words {
  const at = (field: string): string => said(start, field)
  switch (start.fields['trigger']) {
    case 'timer':
      return at('every') === '' ? say('at {first}', { first: at('first') || '0' }) : say('every {every}', { every: at('every') })
    case 'condition':
      return say('when {condition}', { condition: at('condition') })
    case 'message':
      return say('with a message')
    default:
      return say('once, at the beginning')
  }
}

function concepts(scene: Scene): Line[] {
  const { drawing } = scene
  const where = (one: Element): string => placed(scene.model, one)
  const asks = ofKind(scene, 'ask').filter(({ fields }) => fields['does'] !== 'nothing')
  const shared = ofKind(scene, 'container').filter(({ fields }) => fields['reusable'] === true)
  const lines = [
    ...whenAny(ofKind(scene, 'decide'), list => say('Adaptation: decisions are made at {list}.', { list })),
    ...whenAny(
      ofKind(scene, 'decide').filter(one => said(one, 'reward') !== ''),
      list => say('Objectives: a reward says how good they are at {list}.', { list }),
    ),
    ...whenAny(
      ofKind(scene, 'decide').filter(({ fields }) => fields['learns'] === true),
      list => say('Learning: policies are learned at {list}.', { list }),
    ),
    ...whenAny(ofKind(scene, 'message'), list => say('Interaction by messages: {list}.', { list })),
    ...whenAny(ofKind(scene, 'link'), list => say('Interaction along links: {list}.', { list })),
    ...whenAny(asks, list => say('Interaction by asking others: {list}.', { list })),
    ...whenAny(shared, list => say('Interaction by waiting for the same units: {list}.', { list })),
    ...(drawing === null
      ? [line(say('Stochasticity: not known while the model has errors.'))]
      : drawing.length === 0
        ? [line(say('Stochasticity: nothing is drawn by chance; runs differ by no seed.'))]
        : whenAny(drawing, list => say('Stochasticity: chance is drawn at {list}.', { list }), where)),
    ...whenAny(ofKind(scene, 'statistic', 'chart', 'worldView', 'networkChart'), list => say('Observation: {list}.', { list })),
  ]
  return [...lines, line(say('Basic principles and emergence are for people to write: a note on the canvas is the place.'))]
}

function initialization(scene: Scene): Line[] {
  const { scenario } = scene
  const populations = ofKind(scene, 'agent').filter(({ fields }) => fields['form'] === 'population')
  const inputs = ofKind(scene, 'variable').filter(({ fields, parent }) => fields['public'] === true && parent === scenario.id)
  const amounts = ofKind(scene, 'container').filter(one => said(one, 'initial') !== '')
  const each = (elements: readonly Element[], words: (element: Element) => Words): Line[] =>
    elements.slice(0, SHOWN.each).map(one => line(words(one), one.id))
  return [
    ...each(populations, one =>
      say('“{name}” begins with {count} individuals.', { name: nameOf(one), count: said(one, 'initialNumber') || '0' }),
    ),
    ...each(
      ofKind(scene, 'link').filter(({ fields }) => fields['generator'] !== 'none'),
      one => say('“{name}” begins as: {generator}.', { name: nameOf(one), generator: option(one, 'generator') }),
    ),
    ...each(amounts, one => say('“{name}” begins with {amount}.', { name: nameOf(one), amount: said(one, 'initial') })),
    ...each(inputs, one => say('Input “{name}” is {value}.', { name: nameOf(one), value: said(one, 'initial') })),
    ...(rowsIn(scenario, 'overrides') > 0 ? [line(say('The scenario has initial values of its own.'), scenario.id)] : []),
    line(
      scenario.fields['seedRandom'] === true
        ? say('Each run has a new random seed.')
        : say('The random seed is {seed}.', { seed: said(scenario, 'seed') || '1' }),
      scenario.id,
    ),
  ]
}

function inputData(scene: Scene): Line[] {
  const lines = [
    ...whenAny(
      ofKind(scene, 'container').filter(one => rowsIn(one, 'schedule') > 0),
      list => say('Schedules: {list}.', { list }),
    ),
    ...whenAny(
      ofKind(scene, 'link').filter(one => rowsIn(one, 'table') > 0),
      list => say('Tables of links: {list}.', { list }),
    ),
    ...whenAny(
      ofKind(scene, 'start').filter(one => said(one, 'times') !== ''),
      list => say('Given times: {list}.', { list }),
    ),
    ...whenAny(ofKind(scene, 'blockchain', 'contract', 'network'), list => say('Data from outside: {list}.', { list })),
  ]
  return lines.length > 0 ? lines : [line(say('A run reads no data from outside.'))]
}

function submodels(scene: Scene): Line[] {
  const where = (one: Element): string => placed(scene.model, one)
  const lines = [
    ...whenAny(ofKind(scene, 'process'), list => say('Processes: {list}. “Explain” gives the course of each.', { list }), where),
    ...whenAny(ofKind(scene, 'function'), list => say('Functions: {list}.', { list }), where),
    ...whenAny(ofKind(scene, 'block'), list => say('Library blocks: {list}.', { list })),
  ]
  return lines.length > 0 ? lines : [line(say('There are none.'))]
}
