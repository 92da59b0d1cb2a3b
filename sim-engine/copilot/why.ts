// Why something happened in a run: what changed a variable or a container, how a token came to a step, which way a gateway sent it and what its
// conditions said. From the run made again with the same seed, watched step by step up to the moment that is asked about.
import type { Doc } from 'yjs'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { say, type Words } from '../../model-schema/words.ts'
import type { CheckedModel } from '../check.ts'
import type { StepPart } from '../check/parts.ts'
import { compile } from '../compile.ts'
import { lookAtStep } from '../debug/looks.ts'
import type { Plain } from '../messages.ts'
import { RunError } from '../problems.ts'
import { referencesTo } from '../references.ts'
import { start, type Run } from '../run.ts'
import { plain, sharedValue } from '../run/statistics.ts'
import { Branch, ticksOf } from './branch.ts'
import { line, nameOf, type Line } from './questions.ts'
import { broken, shown, TRIAL, waitsOf } from './trials.ts'

/** The moment of a run that is asked about: its scenario, its seed and inputs where they are not the scenario's own, and the time; the end when left away. */
export type Moment = {
  readonly scenario?: Id
  readonly seed?: number
  readonly inputs?: Readonly<Record<Id, Plain>>
  readonly time?: number
  /** The run that the person looks at failed. */
  readonly failed?: true
}

/** The numbers of changes, of steps of a path, and of other steps that are reported. */
const TOLD = { changes: 4, way: 10, others: 6 } as const

/** A step that a token came to, or an individual without one. */
type Came = { readonly time: number; readonly who: string; readonly step: StepPart }
type Change = {
  readonly time: number
  readonly before: string
  readonly after: string
  readonly by: Came | null
  readonly way: readonly Came[]
}
type Choice = { readonly by: Came; readonly said: readonly string[]; readonly next: StepPart | null }

/** What was seen up to the moment. */
type Seen = {
  readonly run: Run
  /** The value of what is asked about, as text; null when it has none. */
  readonly value: string | null
  readonly first: string | null
  readonly changes: readonly Change[]
  readonly changed: number
  /** How often each step was come to. */
  readonly counts: ReadonlyMap<Id, number>
  /** The token that came last to one of the steps in question, and its path. */
  readonly last: { readonly came: Came; readonly way: readonly Came[] } | null
  /** The last choice of the gateway, and how often each way was taken. */
  readonly choice: Choice | null
  readonly ways: ReadonlyMap<Id, number>
}

/** Why an element has its value or state at a moment of a run. */
export function whyOf(doc: Doc, id: Id, moment: Moment): Line[] {
  const branch = new Branch(doc)
  const { model } = branch
  const element = model.elements.get(id)
  const scenario = moment.scenario ?? model.scenarios[0]
  if (!element || scenario === undefined) return [line(say('This element is gone.'))]
  const checked = branch.checkedOf(scenario)
  if (!checked?.ok) return [broken]
  const about = aboutOf(model, checked.checked, scenario, element)
  const seen = watched(checked.checked, about, moment, ticksOf(model.elements.get(scenario)))
  const { run } = seen
  const when = { seed: run.seed, time: shown(run.time) }
  const failed = run.result?.end === 'failed' ? run.result.problem : null
  const lines: Line[] = []
  if (failed)
    lines.push(
      line(
        say('The run fails at tick {tick}: {message} {fix}', { tick: run.tick, message: failed.message, fix: failed.fix }),
        failed.at.id,
      ),
    )
  if (seen.value !== null) lines.push(...ofValue(element, seen, when))
  else if (about.steps.size > 0) lines.push(...ofSteps(model, element, about, seen, when))
  else
    return [
      line(
        say('"{element}" is nothing that happens in a run. Ask about a step, a variable or a container.', { element: nameOf(element) }),
        id,
      ),
    ]
  const waits = run.summary().waiting.filter(row => about.steps.has(row.element) && row.for !== 'time')
  return [...lines, ...waitsOf(model, waits)]
}

type About = {
  readonly element: Element
  /** Steps that are asked about: it, those inside it, or those that write it. */
  readonly steps: ReadonlySet<Id>
  /** The gateway that decided whether they are come to. */
  readonly gateway: StepPart | null
}

function aboutOf(model: Model, { parts }: CheckedModel, scenario: Id, element: Element): About {
  const isStep = new Map(parts.steps.map(one => [one.id, one]))
  const steps = new Set<Id>()
  const walk = (id: Id): void => {
    if (isStep.has(id)) steps.add(id)
    for (const child of model.elements.get(id)?.children ?? []) walk(child)
  }
  walk(element.id)
  if (steps.size === 0) for (const { id, writes } of referencesTo(model, scenario, element.id)) if (writes && isStep.has(id)) steps.add(id)
  const own = isStep.get(element.id)
  const gateway = own?.kind.id === 'gateway' ? own : own?.incoming.find(({ from }) => from.kind.id === 'gateway')?.from
  return { element, steps, gateway: gateway && gateway.outgoing.length > 1 ? gateway : null }
}

/** Makes the run up to the moment and looks at each step. */
function watched(checked: CheckedModel, { element, steps, gateway }: About, moment: Moment, most: number): Seen {
  const { parts } = checked
  const looks = (gateway?.outgoing ?? []).map(flow => {
    const text = flow.element.fields['condition']
    const look = typeof text === 'string' && text.trim() !== '' && gateway ? lookAtStep(text, checked, gateway) : null
    return { text: String(text), look: look && 'inferred' in look ? look : null }
  })
  const list = looks.flatMap(({ look }) => look ?? [])
  const program = compile(checked, { debug: { watches: gateway && list.length > 0 ? { at: gateway.index, list } : null } })
  const { scenario: _, time = Infinity, ...options } = moment
  const run = start(program, { ...options, inputs: { ...options.inputs }, ticks: Math.min(most, TRIAL.ticks) })
  const valueNow = readerOf(run, element.id)
  const ways = new Map<number, Came[]>()
  const tokens = new Map<number, number>()
  const counts = new Map<Id, number>()
  const taken = new Map<Id, number>()
  const choosing = new Map<number, Choice>()
  const changes: Change[] = []
  let [changed, value, text] = [0, valueNow(), '']
  const first = value
  let before: Came | null = null
  let beforeWay: readonly Came[] = []
  let last: Seen['last'] = null
  let choice: Choice | null = null
  const look = (): void => {
    const now = valueNow()
    if (now === value) return
    changed++
    // Of what changed by a step of an earlier time, that step says when.
    changes.push({ time: before?.time ?? run.time, before: value ?? '', after: now ?? '', by: before, way: beforeWay })
    if (changes.length > TOLD.changes) changes.shift()
    value = now
  }
  run.trace = line => (text = line)
  run.onStep = (t, at, _self, _locals, _condition, watches) => {
    const step = parts.steps[at]
    if (!step) return
    look()
    const came: Came = { time: run.time, who: text.split('\t')[1] ?? '', step }
    counts.set(step.id, (counts.get(step.id) ?? 0) + 1)
    const way = wayOf(run, ways, tokens, t)
    const chosen = choosing.get(t)
    if (chosen) {
      choosing.delete(t)
      if (choice === chosen || choice === null) choice = { ...chosen, next: step }
      taken.set(step.id, (taken.get(step.id) ?? 0) + 1)
    }
    way.push(came)
    if (way.length > TOLD.way) way.shift()
    if (steps.has(step.id)) last = { came, way: [...way] }
    if (gateway && step === gateway) {
      const answers = (watches ?? []).map(answered)
      let next = 0
      choice = { by: came, said: looks.map(one => `${one.text}: ${one.look ? (answers[next++] ?? '?') : '?'}`), next: null }
      choosing.set(t, choice)
    }
    ;[before, beforeWay] = [came, value === null ? [] : [...way]]
  }
  for (
    let made = 0;
    made < TRIAL.instants && run.advance({ instants: TRIAL.slice, until: time }) && !isBehind(run, time);
    made += TRIAL.slice
  );
  look()
  return { run, value, first, changes, changed, counts, last, choice, ways: taken }
}

/** Whether nothing more comes before a time. */
const isBehind = (run: Run, time: number): boolean => run.world.calendar.nextTime > time

/** The way of a token so far; a token of another number in its place begins a new one. Without a token there is none. */
function wayOf(run: Run, ways: Map<number, Came[]>, tokens: Map<number, number>, t: number): Came[] {
  if (t < 0) return []
  const serial = run.inner.built.kernel.tokens.serial[t] ?? 0
  const known = tokens.get(t) === serial ? ways.get(t) : undefined
  if (known) return known
  const begun: Came[] = []
  tokens.set(t, serial)
  ways.set(t, begun)
  return begun
}

/** Reads what an element is worth now, as text: of a variable or a container that is there once. Null for others. */
function readerOf(run: Run, id: Id): () => string | null {
  const { parts } = run.program.checked
  const { built, stores } = run.inner
  const variable = parts.shared.find(one => one.id === id)
  if (variable) return () => textOf(plain(sharedValue(variable, stores, built.world)))
  const container = parts.containers.find(one => one.id === id && one.level === 'global')
  if (container)
    return () => {
      const one = built.clockwork.containersOf(container.index)[0]
      return one ? shown(one.level()) : null
    }
  return () => null
}

const textOf = (value: Plain): string => {
  const text = typeof value === 'number' ? shown(value) : typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}

/** What a condition says; an error is an answer, too. */
function answered(look: () => unknown): string {
  try {
    return textOf(plain(look()))
  } catch (error) {
    if (!(error instanceof RunError)) throw error
    return '?'
  }
}

type When = { readonly seed: number; readonly time: string }

function ofValue(element: Element, { value, first, changes, changed }: Seen, when: When): Line[] {
  const name = nameOf(element)
  const lines = [line(say('With seed {seed}, at time {time}, "{name}" is {value}.', { ...when, name, value: value ?? '?' }), element.id)]
  if (changed === 0) {
    lines.push(line(say('Nothing has changed it: it is what it began with ({first}).', { first: first ?? '?' })))
    return lines
  }
  lines.push(line(say('It began as {first} and was changed {count} times. The last changes:', { first: first ?? '?', count: changed })))
  for (const { time, before, after, by } of changes.toReversed())
    lines.push(
      by
        ? line(
            say('At time {time}, {before} → {after}: {who} at "{step}" of {process}.', {
              time: shown(time),
              before,
              after,
              ...placeOf(by),
            }),
            by.step.id,
          )
        : line(say('At time {time}, {before} → {after}, before any step.', { time: shown(time), before, after })),
    )
  const way = changes.at(-1)?.way ?? []
  if (way.length > 1) lines.push(wayLine(way))
  return lines
}

function ofSteps(model: Model, element: Element, about: About, seen: Seen, when: When): Line[] {
  const count = [...about.steps].reduce((sum, id) => sum + (seen.counts.get(id) ?? 0), 0)
  const name = nameOf(element)
  const lines: Line[] = []
  if (seen.last) {
    const { came, way } = seen.last
    lines.push(
      line(
        say(
          'With seed {seed}, up to time {at}, it came to "{name}" {count} times, the last time at {time}: {who} at "{step}" of {process}.',
          {
            seed: when.seed,
            at: when.time,
            name,
            count,
            time: shown(came.time),
            ...placeOf(came),
          },
        ),
        came.step.id,
      ),
    )
    if (way.length > 1) lines.push(wayLine(way))
  } else {
    lines.push(line(say('With seed {seed}, it did not come to "{name}" up to time {time}.', { ...when, name }), element.id))
    for (const { from } of stepsOf(about)
      .flatMap(one => one.incoming)
      .slice(0, TOLD.others))
      lines.push(
        line(
          say('It would come from "{step}", where it was {count} times.', {
            step: nameOf(from.element),
            count: seen.counts.get(from.id) ?? 0,
          }),
          from.id,
        ),
      )
    const before = new Set(stepsOf(about).flatMap(one => one.incoming.map(({ from }) => from.id)))
    lines.push(
      ...waitsOf(
        model,
        seen.run.summary().waiting.filter(row => before.has(row.element) && row.for !== 'time'),
      ),
    )
  }
  if (about.gateway) lines.push(...ofGateway(about.gateway, seen))
  return lines

  function stepsOf({ steps }: About): StepPart[] {
    return seen.run.program.checked.parts.steps.filter(one => steps.has(one.id))
  }
}

function ofGateway(gateway: StepPart, { choice, ways }: Seen): Line[] {
  const name = nameOf(gateway.element)
  const lines: Line[] = []
  if (choice)
    lines.push(
      line(
        choice.next
          ? say('At "{gateway}", {who} went on to "{next}" at time {time}. Its conditions said: {said}.', {
              gateway: name,
              who: choice.by.who,
              next: nameOf(choice.next.element),
              time: shown(choice.by.time),
              said: choice.said.join('; '),
            })
          : say('At "{gateway}", {who} has not gone on since time {time}. Its conditions said: {said}.', {
              gateway: name,
              who: choice.by.who,
              time: shown(choice.by.time),
              said: choice.said.join('; '),
            }),
        gateway.id,
      ),
    )
  const to = [...new Set(gateway.outgoing.map(flow => flow.to))]
  const counted = to.map(one => say('"{step}" {count} times', { step: nameOf(one.element), count: ways.get(one.id) ?? 0 }))
  lines.push(line(say('From "{gateway}" it went on to {counted}.', { gateway: name, counted }), ...to.map(one => one.id)))
  return lines
}

const placeOf = ({ who, step }: Came): { who: string; step: string; process: string } => ({
  who,
  step: nameOf(step.element),
  process: step.process.name,
})

function wayLine(way: readonly Came[]): Line {
  const steps: Words[] = way.map(({ step, time }) => say('"{step}" ({time})', { step: nameOf(step.element), time: shown(time) }))
  return line(say('Its way there, with times: {steps}.', { steps }), ...way.map(({ step }) => step.id))
}
