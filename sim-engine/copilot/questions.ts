// What can be asked of the guide, and what a person's words ask. Light: the page reads this, the answers are made in a worker.
import { formulaName, kindOf } from '../../model-schema/kinds.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import type { Proposal } from '../../model-schema/proposals.ts'
import type { EditCall } from './branch.ts'
import { patterns } from './patterns.ts'
import { english, say, type Words } from '../../model-schema/words.ts'

/** A sentence with the elements it rests on. */
export type Line = { readonly words: Words; readonly cites: readonly Id[] }

/** What can be asked. `spot` is a problem's (`spotOf`), `way` the one of several repairs that was chosen. */
export type Question =
  | { readonly about: 'wrong' }
  | { readonly about: 'fix'; readonly spot?: string; readonly way?: { words: Words; calls: readonly EditCall[] } }
  | { readonly about: 'explain'; readonly id: Id }
  | { readonly about: 'run' }
  | { readonly about: 'what-if'; readonly name: string; readonly value: number }
  | { readonly about: 'replicate' }
  /** What a proposal that stands in the document would change in a run. */
  | { readonly about: 'try'; readonly proposal: Id }
  | { readonly about: 'how'; readonly query: string }
  | { readonly about: 'make'; readonly pattern: string; readonly numbers: readonly number[] }

export type Answer = {
  readonly lines: readonly Line[]
  /** What the guide suggests to change, checked and run. */
  readonly proposal: Proposal | null
  /** What may be asked next. */
  readonly next: readonly { readonly words: Words; readonly ask: Question }[]
}

export const line = (words: Words, ...cites: Id[]): Line => ({ words, cites })

/** What a person's words ask, given what is selected. */
export function understood(text: string, model: Model, selection: readonly Id[]): Question {
  const said = text.trim().toLowerCase()
  const what = /(?:what if|if|如果|假如)\s*[“"']?(.+?)[”"']?\s*(?:is|are|was|were|becomes?|=|为|是|变为|变成)\s*(-?\d+(?:\.\d+)?)/iu.exec(
    text.trim(),
  )
  if (what?.[1] && what[2]) return { about: 'what-if', name: what[1], value: Number(what[2]) }
  const made = patterns.find(({ words }) => words.some(word => said.includes(word)))
  if (made && /\b(make|build|create|add|new|draw)\b|建|做|新建|创建|添加/.test(said))
    return { about: 'make', pattern: made.id, numbers: (said.match(/\d+(?:\.\d+)?/g) ?? []).map(Number) }
  if (/how (do|can|to)|怎么|如何|怎样/.test(said)) return { about: 'how', query: text }
  if (/\b(fix|repair|mend|correct)\b|修复|修正|改正|修好/.test(said)) return { about: 'fix' }
  if (/what is wrong|what's wrong|problems?|errors?|哪里错|问题|错误|出错/.test(said)) return { about: 'wrong' }
  if (/stand(s|ing)? still|stuck|deadlock|why did|what happened|wait|停住|卡住|死锁|为什么|等待|发生/.test(said)) return { about: 'run' }
  if (/replicat|how sure|interval|confidence|重复|置信|区间/.test(said)) return { about: 'replicate' }
  const named = elementNamed(text, model) ?? (/\b(this|it|explain|selected)\b|解释|说明|这个|选中/.test(said) ? selection[0] : undefined)
  if (named !== undefined) return { about: 'explain', id: named }
  if (/\b(explain|describe|overview|model)\b|解释|说明|描述|概述|模型/.test(said)) return { about: 'explain', id: model.scenarios[0] ?? '' }
  return { about: 'how', query: text }
}

/** The element whose name the words say; the longest name wins. */
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
    { words: say('What happens in a run? What stands still?'), ask: { about: 'run' } },
    { words: say('How sure are the results?'), ask: { about: 'replicate' } },
    ...patterns.map(pattern => ({ words: pattern.ask, ask: { about: 'make', pattern: pattern.id, numbers: [] } as const })),
  ]
}

/** The name a person reads. */
export const nameOf = (element: Element | undefined): string =>
  String(element?.fields['name'] || (element ? english(kindOf(element.kind)?.label) : '') || '?')
export const sameName = (a: string, b: string): boolean => formulaName(a).toLowerCase() === formulaName(b).toLowerCase()
