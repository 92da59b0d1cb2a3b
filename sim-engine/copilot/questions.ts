// What can be asked of the guide, and what a person's words ask. Light: the page reads this, the answers are made in a worker.
import type { HoloFile } from '../../model-schema/file.ts'
import type { DraftKind } from '../../model-schema/file-drafts.ts'
import { formulaName, kindOf } from '../../model-schema/kinds.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import type { Proposal } from '../../model-schema/proposals.ts'
import type { EditCall } from './branch.ts'
import { patternIn, patterns } from './patterns.ts'
import type { Moment } from './why.ts'
import { english, say, type Words } from '../../model-schema/words.ts'

/** A sentence with the elements it rests on. */
export type Line = { readonly words: Words; readonly cites: readonly Id[]; /** A title of those that follow. */ readonly heading?: true }

/** What can be asked. `spot` is a problem's (`spotOf`), `way` the one of several repairs that was chosen, `moment` of the run that failed. */
export type Question =
  | { readonly about: 'wrong' }
  | {
      readonly about: 'fix'
      readonly spot?: string
      readonly way?: { words: Words; calls: readonly EditCall[] }
      readonly moment?: Moment
    }
  | { readonly about: 'explain'; readonly id: Id }
  | { readonly about: 'run' }
  /** Why an element has its value or state; at a time of the run, or at its end. */
  | { readonly about: 'why'; readonly id: Id; readonly moment: Moment }
  /** What two scenarios differ in. */
  | { readonly about: 'scenarios'; readonly a: Id; readonly b: Id }
  | { readonly about: 'what-if'; readonly name: string; readonly value: number }
  | { readonly about: 'replicate' }
  /** Which inputs move a measure most; the first that any moves when none is said. */
  | { readonly about: 'matters'; readonly measure?: string }
  /** A whole scenario in the order of the ODD protocol; the first when none is said. */
  | { readonly about: 'overview'; readonly scenario?: Id }
  /** What an open proposal in the document would change in a run. */
  | { readonly about: 'try'; readonly proposal: Id }
  /** What differs between two versions, by their ids (`after`: what is there now when left away); those that the words name, or the last one. */
  | { readonly about: 'changes'; readonly said?: string; readonly before?: string; readonly after?: string; readonly runs?: true }
  | { readonly about: 'how'; readonly query: string }
  /** About an experiment, a chart or a dashboard, in its editor. */
  | {
      readonly about: 'file'
      readonly ask: FileAsk
      readonly way?: { words: Words; calls: readonly EditCall[] }
      /** Of which model, by its file. */ readonly model?: string
    }
  /** What the results of an experiment say; the page that shows them answers. */
  | { readonly about: 'result' }
  | { readonly about: 'make'; readonly pattern: string; readonly numbers: readonly number[] }

/** What is wrong with a file, how it is mended, what it does, how many runs it needs, what else of its model could be in it. */
export type FileAsk = 'wrong' | 'fix' | 'explain' | 'runs' | 'suggest'

export type Answer = {
  readonly lines: readonly Line[]
  /** What the guide suggests to change, checked and run. */
  readonly proposal: Proposal | null
  /** What may be asked next. */
  readonly next: readonly { readonly words: Words; readonly ask: Question }[]
}

/** A version of a document by its id, with what it is called. */
export type Named = { readonly id: string; readonly name: Words }

/** What a question about changes compares; the caller looks the versions up. `before`: null when there is none, or when none can be reached now. */
export type Compared = {
  readonly before: (Named & { readonly file: HoloFile }) | null
  /** Null: what is there now. */
  readonly after: (Named & { readonly file: HoloFile }) | null
  /** Versions that may be asked about next, the latest first. */
  readonly others: readonly Named[]
  readonly reached: boolean
}

export const line = (words: Words, ...cites: Id[]): Line => ({ words, cites })

export const noResults = line(say('There are no results here yet: open the experiment and run it, then ask there.'))

/** What a person's words ask, given what is selected. `moment`: the current time of the run that the person looks at. */
export function understood(text: string, model: Model, selection: readonly Id[], moment: Moment = {}): Question {
  const said = text.trim().toLowerCase()
  const what = /(?:what if|if|如果|假如)\s*[“"']?(.+?)[”"']?\s*(?:is|are|was|were|becomes?|=|为|是|变为|变成)\s*(-?\d+(?:\.\d+)?)/iu.exec(
    text.trim(),
  )
  if (what?.[1] && what[2]) return { about: 'what-if', name: what[1], value: Number(what[2]) }
  const made = patternIn(said)
  if (made && /\b(make|build|create|add|new|draw)\b|建|做|新建|创建|添加/.test(said))
    return { about: 'make', pattern: made.id, numbers: (said.match(/\d+(?:\.\d+)?/g) ?? []).map(Number) }
  if (
    /\bchanged?\b.*\?|\bwhat\b.*\b(changed|differs|difference|new since)\b|\bcompare\b.*\bversions?\b|什么变|变了|有什么不同|哪里不同|改了什么|比较.*版本/.test(
      said,
    )
  )
    return { about: 'changes', said: text }
  const scenarios = /\b(compare|scenarios?|versus|vs)\b|比较|场景|情景/.test(said) ? scenariosIn(said, model) : null
  if (scenarios) return { about: 'scenarios', a: scenarios[0], b: scenarios[1] }
  if (/\bwhy\b|为什么|为何/.test(said) && !/stand(s|ing)? still|stuck|deadlock|停住|卡住|死锁/.test(said)) {
    const id = elementNamed(text, model) ?? selection[0]
    const time = /(?:\bat|\btime|\btick|时刻|时间|第)\s*(\d+(?:\.\d+)?)/.exec(said)?.[1]
    if (id !== undefined) return { about: 'why', id, moment: { ...moment, ...(time === undefined ? {} : { time: Number(time) }) } }
  }
  const matters = /matter|most (?:important|influential)|influence|sensitiv|screening|什么最?重要|最重要|影响最?大|敏感/.test(said)
  if (matters) {
    const measure = measureIn(said, model)
    return { about: 'matters', ...(measure === undefined ? {} : { measure }) }
  }
  if (/how (do|can|to)|怎么|如何|怎样/.test(said)) return { about: 'how', query: text }
  if (/\b(fix|repair|mend|correct)\b|修复|修正|改正|修好/.test(said)) return moment.failed ? { about: 'fix', moment } : { about: 'fix' }
  if (/what is wrong|what's wrong|problems?|errors?|哪里错|问题|错误|出错/.test(said)) return { about: 'wrong' }
  if (/stand(s|ing)? still|stuck|deadlock|why did|what happened|wait|停住|卡住|死锁|为什么|等待|发生/.test(said)) return { about: 'run' }
  if (/replicat|how sure|interval|confidence|重复|置信|区间/.test(said)) return { about: 'replicate' }
  if (/\bodd\b|overview|describe (?:the|this|my) (?:whole )?model|概览|概述|描述(?:这个|整个)?模型/.test(said)) return { about: 'overview' }
  const named = elementNamed(text, model) ?? (/\b(this|it|explain|selected)\b|解释|说明|这个|选中/.test(said) ? selection[0] : undefined)
  if (named !== undefined) return { about: 'explain', id: named }
  if (/\b(explain|describe|overview|model)\b|解释|说明|描述|概述|模型/.test(said)) return { about: 'explain', id: model.scenarios[0] ?? '' }
  return { about: 'how', query: text }
}

/** The two scenarios that the words name; of a model with two scenarios, those. */
function scenariosIn(said: string, model: Model): readonly [Id, Id] | null {
  const named = model.scenarios.filter(id => isNamedIn(` ${said} `, nameOf(model.elements.get(id)).toLowerCase()))
  const [a, b] = named.length >= 2 ? named : model.scenarios.length === 2 ? model.scenarios : []
  return a !== undefined && b !== undefined ? [a, b] : null
}

/** The statistic that the words name; the longest name wins. */
function measureIn(said: string, model: Model): string | undefined {
  const names = [...model.elements.values()].flatMap(one => (one.kind === 'statistic' ? [nameOf(one)] : []))
  return names.filter(name => isNamedIn(` ${said} `, name)).toSorted((a, b) => b.length - a.length)[0]
}

/** The element named by the words; the longest name wins. */
function elementNamed(text: string, model: Model): Id | undefined {
  const said = ` ${text.toLowerCase()} `
  let best: Element | undefined
  for (const element of model.elements.values()) {
    const name = String(element.fields['name'] ?? '')
    if (name.length > String(best?.fields['name'] ?? '').length && isNamedIn(said, name)) best = element
  }
  return best?.id
}

/** Whether words (in small letters, a space at both ends) say a name: as words of its own in languages that part words. */
export function isNamedIn(said: string, name: string): boolean {
  if (name.length < 2) return false
  const at = said.indexOf(name.toLowerCase())
  return at >= 0 && !/[\p{L}\p{N}_]/u.test(/^\p{ASCII}/u.test(name) ? (said[at - 1] ?? ' ') + (said[at + name.length] ?? ' ') : ' ')
}

/** What may be asked of any model. */
export function suggestions(model: Model): Answer['next'] {
  const [first] = model.scenarios
  return [
    { words: say('What is wrong?'), ask: { about: 'wrong' } },
    { words: say('Fix it'), ask: { about: 'fix' } },
    ...(first === undefined ? [] : [{ words: say('Explain the model'), ask: { about: 'explain', id: first } as const }]),
    { words: say('Overview (ODD)'), ask: { about: 'overview' } },
    { words: say('What happens in a run? What stands still?'), ask: { about: 'run' } },
    { words: say('How sure are the results?'), ask: { about: 'replicate' } },
    { words: say('What matters?'), ask: { about: 'matters' } },
    ...comparable(model),
    { words: say('What changed?'), ask: { about: 'changes' } },
    // With a model, the patterns are in their list already.
    ...(model.elements.size > 3 ? [] : making.filter(({ ask }) => typical.includes(ask.pattern)).map(({ words, ask }) => ({ words, ask }))),
  ]
}

/** Two scenarios are compared with each other, the first with the second. */
function comparable({ scenarios: [a, b], elements }: Model): Answer['next'] {
  if (a === undefined || b === undefined) return []
  const names = { a: nameOf(elements.get(a)), b: nameOf(elements.get(b)) }
  return [{ words: say('Compare “{a}” with “{b}”', names), ask: { about: 'scenarios', a, b } }]
}

const typical: readonly string[] = ['queue', 'sir', 'wolves']

/** Every pattern as a question. */
export const making = patterns.map(({ id, title, why, wish, numbers }) => ({
  title,
  why,
  numbers,
  words: wish,
  ask: { about: 'make', pattern: id, numbers: [] as readonly number[] } as const,
}))
export type Making = (typeof making)[number]

/** The name a person reads. */
export const nameOf = (element: Element | undefined): string =>
  String(element?.fields['name'] || (element ? english(kindOf(element.kind)?.label) : '') || '?')
export const sameName = (a: string, b: string): boolean => formulaName(a).toLowerCase() === formulaName(b).toLowerCase()

/** What may be asked in the editor of such a file. `hasResults`: of an experiment that was run. */
export function suggestionsOfFile(kind: DraftKind, hasResults = false): Answer['next'] {
  const isPlan = kind === 'experiment'
  return [
    ...(hasResults ? [{ words: say('Explain this result'), ask: { about: 'result' } } as const] : []),
    { words: isPlan ? say('What is wrong with this plan?') : say('What is wrong with this page?'), ask: { about: 'file', ask: 'wrong' } },
    { words: isPlan ? say('Explain this plan') : say('Explain this page'), ask: { about: 'file', ask: 'explain' } },
    ...(isPlan ? [{ words: say('How many runs are needed?'), ask: { about: 'file', ask: 'runs' } } as const] : []),
    { words: isPlan ? say('Suggest a measure') : say('Suggest a chart'), ask: { about: 'file', ask: 'suggest' } },
  ]
}

/** What a person's words ask in the editor of such a file. */
export function understoodOfFile(text: string): Question {
  const said = text.trim().toLowerCase()
  if (/\b(results?|findings?|outcomes?)\b|结果|结论/.test(said) && !/how (?:many|often)|多少次|几次/.test(said)) return { about: 'result' }
  if (/how many|how often|\bruns?\b|replication|多少次|几次|重复|运行次数/.test(said)) return { about: 'file', ask: 'runs' }
  if (/suggest|propose|measure|chart|add\b|建议|推荐|度量|指标|图表|添加/.test(said)) return { about: 'file', ask: 'suggest' }
  if (/\b(fix|repair|mend|correct)\b|修复|修正|改正|修好/.test(said)) return { about: 'file', ask: 'fix' }
  if (/wrong|problem|error|check|错|问题|检查/.test(said)) return { about: 'file', ask: 'wrong' }
  if (/explain|describe|what (?:is|does)|解释|说明|描述|这是什么/.test(said)) return { about: 'file', ask: 'explain' }
  return { about: 'how', query: text }
}
