// The guide: answers about a model from the model itself, without a network or a language model, the same for the same question. What it
// doesn't recognise it says so, and what it can do. Every line names the elements it rests on.
import type { Doc } from 'yjs'
import { modelOf } from '../../model-schema/document.ts'
import { isRefusal } from '../../model-schema/edit.ts'
import type { Proposal } from '../../model-schema/proposals.ts'
import { referenceOf } from '../docs.ts'
import { Branch, spotOf } from './branch.ts'
import { explained } from './explain.ts'
import { documentOfFile } from './files.ts'
import { changed } from './changed.ts'
import { whatMatters } from './matters.ts'
import { overviewOf } from './overview.ts'
import { numbersOf, patterns } from './patterns.ts'
import { callsOf } from './patterns/build.ts'
import { aboutFile, kindOfFile, type FileModel } from './plans/guide.ts'
import { line, noResults, suggestions, suggestionsOfFile, type Answer, type Compared, type Line, type Question } from './questions.ts'
import { byCause, mend, mendAll } from './repairs.ts'
import { mendRuns, type Failure } from './run-repairs.ts'
import { comparison, rehearsed, replicated, scenariosCompared, stillness, twoCompared } from './trials.ts'
import { whyOf, type Moment } from './why.ts'
import { english, say, type Words } from '../../model-schema/words.ts'
import { unreachable } from '../../model-schema/unreachable.ts'

/** Answers a question about a document. Never throws for what a model holds. `now`: milliseconds since 1970, for proposals. `speak`
 * gives texts of the reference in the language of the person; `compared`: the versions that a question about changes is about; `model`: what an
 * experiment, a chart or a dashboard is about; `clock`: milliseconds, by which long runs are ended. */
export function answer(
  doc: Doc,
  question: Question,
  now: number,
  speak: Speak = english,
  compared: Compared | null = null,
  model: FileModel | null = null,
  clock: () => number = () => 0,
): Answer {
  switch (question.about) {
    case 'wrong':
      return wrong(doc)
    case 'fix':
      return fixed(doc, question, now)
    case 'explain':
      return plainly(explained(modelOf(doc), question.id, speak))
    case 'run': {
      const { lines, failed } = stillness(doc)
      return {
        ...plainly(lines),
        next: failed ? [{ words: say('Mend what the run fails of'), ask: { about: 'fix', moment: failed } }] : [],
      }
    }
    case 'why':
      return plainly(whyOf(doc, question.id, question.moment))
    case 'scenarios':
      return plainly(scenariosCompared(doc, question.a, question.b))
    case 'what-if':
      return plainly(comparison(doc, question.name, question.value))
    case 'try':
      return plainly(rehearsed(doc, question.proposal))
    case 'replicate':
      return plainly(replicated(doc))
    case 'matters':
      return { ...whatMatters(doc, question.measure, clock), proposal: null }
    case 'overview':
      return { ...overviewOf(new Branch(doc), question.scenario), proposal: null }
    case 'changes':
      return changes(doc, question, compared)
    case 'file':
      return aboutFile(doc, model, question, now)
    case 'result':
      return plainly([noResults])
    case 'how':
      return howTo(question.query, speak) ?? puzzled(doc)
    case 'make':
      return made(doc, question.pattern, question.numbers, now)
    default:
      return unreachable(question)
  }
}

/** What is said to a question that nothing fits. */
function puzzled(doc: Doc): Answer {
  const kind = kindOfFile(modelOf(doc))
  if (kind) return { lines: [line(say('Of this file I can say these things:'))], proposal: null, next: suggestionsOfFile(kind) }
  return {
    lines: [
      line(
        say(
          'I can say what is wrong, mend it, explain an element, run the model, compare values, look things up, and build from patterns. Try one of these:',
        ),
      ),
    ],
    proposal: null,
    next: suggestions(modelOf(doc)),
  }
}

const plainly = (lines: readonly Line[]): Answer => ({ lines, proposal: null, next: [] })

function wrong(doc: Doc): Answer {
  const branch = new Branch(doc)
  const problems = byCause(branch.problems())
  if (problems.length === 0) return plainly([line(say('Nothing is wrong: the model can run.'))])
  const lines = problems
    .slice(0, 12)
    .map(({ code, at, message, fix }) => line(say('{message} {fix} ({code})', { message, fix, code }), at.id))
  const rest = problems.length - lines.length
  if (rest > 0) lines.push(line(say('And {rest} more; these come first because others may follow from them.', { rest })))
  return { lines, proposal: null, next: [{ words: say('Fix what can be fixed'), ask: { about: 'fix' } }] }
}

function fixed(doc: Doc, { spot, way, moment }: Question & { about: 'fix' }, now: number): Answer {
  const branch = new Branch(doc)
  const lines: Line[] = []
  const next: { words: Words; ask: Question }[] = []
  const isWanted = (one: string): boolean => spot === undefined || spot === one
  if (way) {
    const done = branch.edit(way.calls)
    if ('refused' in done) return plainly([{ words: done.refused, cites: [] }])
    lines.push({ words: way.words, cites: [] })
  } else {
    const { done, asks } = mendAll(branch, problem => isWanted(spotOf(problem)))
    for (const { problem, words } of done)
      lines.push({ words: say('{message} {words}', { message: problem.message, words }), cites: [problem.at.id] })
    for (const { problem, choices } of asks) {
      lines.push(line(say('{message} Which is meant?', { message: problem.message }), problem.at.id))
      for (const choice of choices.slice(0, 6))
        next.push({ words: choice.words, ask: { about: 'fix', spot: spotOf(problem), way: { words: choice.words, calls: choice.calls } } })
    }
    const asked = new Set(asks.map(({ problem }) => spotOf(problem)))
    const left = branch.problems().filter(problem => isWanted(spotOf(problem)) && !asked.has(spotOf(problem)))
    for (const { message, fix, at } of left.slice(0, 8))
      lines.push(line(say('I cannot mend this: {message} {fix}', { message, fix }), at.id))
    const ran = spot === undefined ? ofRuns(branch, moment) : { lines: [], next: [] }
    lines.push(...ran.lines)
    next.push(...ran.next)
  }
  if (lines.length === 0) return plainly([line(say('Nothing is wrong: there is nothing to mend.'))])
  const suggested = branch.propose({
    ...titled(lines.length === 1 && lines[0] ? lines[0].words : say('Repairs')),
    why: lines.map(({ words }) => english(words)).join(' '),
    by: { kind: 'guide', name: 'Guide' },
    at: now,
  })
  return { lines, proposal: isRefusal(suggested) ? null : suggested, next }
}

/** What the runs fail of, mended on the branch or asked. */
function ofRuns(branch: Branch, moment: Moment = {}): Pick<Answer, 'lines' | 'next'> {
  const { done, left } = mendRuns(branch, moment)
  const told = ({ seed, tick, problem }: Failure): Record<string, Words | number> => ({ seed, tick, message: problem.message })
  const lines = done.map(({ failure, words }) =>
    line(say('With seed {seed} the run fails at tick {tick}: {message} {words}', { ...told(failure), words }), failure.problem.at.id),
  )
  if (!left) return { lines, next: [] }
  const { failure, choices } = left
  const words =
    choices.length > 0
      ? say('With seed {seed} the run fails at tick {tick}: {message} Which is meant?', told(failure))
      : say('With seed {seed} the run fails at tick {tick}: {message} {fix}', { ...told(failure), fix: failure.problem.fix })
  const next = choices
    .slice(0, 6)
    .map(({ words: said, calls }) => ({ words: said, ask: { about: 'fix', way: { words: said, calls } } as const }))
  return { lines: [...lines, line(words, failure.problem.at.id)], next }
}

const titled = (words: Words): { title: string; words: Words } => ({ title: english(words), words })

/** What differs between two versions, or in their runs. */
function changes(doc: Doc, { runs }: Question & { about: 'changes' }, compared: Compared | null): Answer {
  if (!compared?.before) {
    const why =
      compared?.reached === false
        ? say('The versions on the server cannot be reached now, and there is none on this device.')
        : say('There is no earlier version to compare with. The version history keeps them: “Save version” makes one.')
    return plainly([line(why)])
  }
  const { before, after, others } = compared
  const names = { before: before.name, after: after?.name ?? say('now') }
  const asked = { about: 'changes', before: before.id, ...(after ? { after: after.id } : {}) } as const
  const sides = { before: documentOfFile(before.file), after: after ? documentOfFile(after.file) : doc }
  if (runs) return plainly(twoCompared(sides.before, sides.after, names))
  const lines = changed(modelOf(sides.before), modelOf(sides.after), names)
  return {
    lines,
    proposal: null,
    next: [
      ...(lines.length > 1 ? [{ words: say('What does that change in runs?'), ask: { ...asked, runs: true } as const }] : []),
      ...others
        .filter(({ id }) => id !== before.id && id !== after?.id)
        .slice(0, 5)
        .map(({ id, name }) => ({ words: say('What changed since {name}?', { name }), ask: { about: 'changes', before: id } as const })),
    ],
  }
}

/** One problem mended, as a proposal; null when it cannot be mended without asking. */
export function repairOf(doc: Doc, spot: string, now: number): Proposal | null {
  const branch = new Branch(doc)
  const problem = branch.problems().find(one => spotOf(one) === spot)
  if (!problem) return null
  const repair = mend(branch, problem)
  if (repair.is !== 'done') return null
  const suggested = branch.propose({
    ...titled(repair.words),
    why: english(problem.message),
    by: { kind: 'guide', name: 'Guide' },
    at: now,
  })
  return isRefusal(suggested) ? null : suggested
}

function made(doc: Doc, id: string, numbers: readonly number[], now: number): Answer {
  const pattern = patterns.find(one => one.id === id)
  const [scenario] = modelOf(doc).scenarios
  if (!pattern || scenario === undefined) return plainly([line(say('There is no such pattern.'))])
  const branch = new Branch(doc)
  const done = branch.edit(callsOf(pattern, scenario, numbers))
  if ('refused' in done) return plainly([{ words: done.refused, cites: [] }])
  const suggested = branch.propose({
    ...titled(pattern.title),
    why: english(pattern.why),
    by: { kind: 'guide', name: 'Guide' },
    at: now,
  })
  if (isRefusal(suggested)) return plainly([{ words: suggested.words, cites: [] }])
  const used = numbersOf(pattern, numbers)
  const said = pattern.numbers.map(({ name }, i) => say('{name} {value}', { name, value: used[i] ?? 0 }))
  const lines = [line(pattern.why), line(say('Made with: {numbers}. Ask again with other numbers, in this order.', { numbers: said }))]
  return { lines, proposal: suggested, next: [] }
}

type Found = { readonly title: string; readonly text: string; readonly at: string }

const noise = new Set(['how', 'do', 'can', 'to', 'the', 'a', 'an', 'i', 'is', 'in', 'of', 'what', 'and', 'my', 'me', 'with'])

type Speak = (words: Words) => string

/** The three entries of the reference that say most of the words, in one language. */
export function search(query: string, speak: Speak = english): Found[] {
  const words = [...query.toLowerCase().matchAll(/\p{Script=Han}{2}|[\p{L}\p{N}_]+/gu)]
    .map(([word]) => word)
    .filter(word => !noise.has(word) && word.length > 1)
  if (words.length === 0) return []
  const entries = referenceOf(speak).flatMap(chapter => chapter.parts.flatMap(part => part.entries))
  const ranked = entries.flatMap(({ id, name, title, text }) => {
    const [n, t, all] = [name.toLowerCase(), title.toLowerCase(), text.toLowerCase()]
    const points = words.reduce((sum, word) => sum + (n === word ? 8 : 0) + (t.includes(word) ? 3 : 0) + (all.includes(word) ? 1 : 0), 0)
    return points > 0 ? [{ points: points - text.length / 1e5, title, text, at: id }] : []
  })
  return ranked.toSorted((a, b) => b.points - a.points).slice(0, 3)
}

/** What the reference says; null when it says nothing. */
function howTo(query: string, speak: Speak): Answer | null {
  const asked = search(query, speak)
  const found = asked.length > 0 ? asked : search(query, english)
  if (found.length === 0) return null
  const entries = new Map(
    referenceOf(speak).flatMap(chapter => chapter.parts.flatMap(part => part.entries.map(one => [one.id, one] as const))),
  )
  const brief = (whole: string): string => whole.split(/\n\n/).slice(0, 2).join(' ').slice(0, 400)
  return plainly(
    found.map(({ at, ...one }) => {
      const { title, text } = entries.get(at) ?? one
      return line(say('{title}: {text}', { title, text: brief(text) }))
    }),
  )
}
